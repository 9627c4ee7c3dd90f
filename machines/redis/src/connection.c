#include "connection.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>

static void rest(connection *self);
static void greet(connection *self);

static double now(connection *self) {
  return rac_scheduler_now(self->owner->scheduler);
}

static void fail(connection *self, int64_t code, const char *message) {
  owner *owner = self->owner;
  connection_close(self);
  owner_fail(owner, redis_error(code, message));
}

/* Contexts are the connection, and keep its owner. */
static void let_go(void *context) {
  owner_release(((connection *)context)->owner);
}

static connection *kept(connection *self) {
  owner_retain(self->owner);
  return self;
}

/* ---- Losing it ---------------------------------------------------------- */

static void disconnect(connection *self) {
  drop(&self->reading);
  drop(&self->writing);
  drop(&self->watch);
  drop(&self->rest);
  if (self->context != NULL) redisFree(self->context);
  self->context = NULL;
  tls_free(self->tls);
  self->tls = NULL;
  self->output.length = self->sealed.length = self->written = 0;
  self->unanswered = 0;
}

void connection_lose(connection *self, const char *reason) {
  if (self->state == CLOSED || self->state == RESTING) return;
  bool was_open = self->state == OPEN;
  double time = now(self);
  counts_note_trouble(&self->redis->counts, reason);
  disconnect(self);
  self->state = RESTING;
  if (was_open) {
    self->out_since = time;
    redis_count(self->redis, LOSSES, 1);
    self->protocol->lost(self->owner);
  }
  double limit = self->redis->give_up_after;
  if (self->state != RESTING) return;
  if (limit > 0 && time - self->out_since >= limit) {
    char text[220];
    snprintf(text, sizeof text, "no connection for %g s: %s", limit, reason);
    fail(self, RAC_REDIS_UNREACHABLE, text);
    return;
  }
  rest(self);
}

void connection_close(connection *self) {
  disconnect(self);
  self->state = CLOSED;
}

void connection_free(connection *self) {
  connection_close(self);
  buffer_free(&self->output);
  buffer_free(&self->sealed);
  buffer_free(&self->opened);
}

/* ---- Answers that are errors --------------------------------------------- */

/* Of a broker that loads its data, has no memory or disk left, is about to
 * change its role, or has too many clients. */
static bool goes_by(const char *text) {
  static const char *const words[] = {
      "LOADING",  "BUSY",     "OOM",        "MISCONF",     "MASTERDOWN",
      "READONLY", "TRYAGAIN", "NOREPLICAS", "CLUSTERDOWN", "ERR max number of"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (strncmp(text, words[i], strlen(words[i])) == 0) return true;
  return false;
}

void connection_take_error(connection *self, const redisReply *reply) {
  char text[220];
  snprintf(text, sizeof text, "the broker answers: %.180s", reply->str);
  if (goes_by(reply->str))
    connection_lose(self, text);
  else
    fail(self, RAC_REDIS_REFUSED, text);
}

/* ---- Reading ------------------------------------------------------------ */

static void take_answer(connection *self, redisReply *reply) {
  bool is_kept = false;
  if (self->unanswered > 0) self->unanswered--;
  if (self->state == OPEN)
    is_kept = self->protocol->answered(self->owner, reply);
  else if (reply->type == REDIS_REPLY_ERROR)
    connection_take_error(self, reply);
  else if (self->unanswered == 0) {
    self->state = OPEN;
    self->pause = 0;
    redis_count(self->redis, CONNECTIONS, 1);
    self->protocol->opened(self->owner);
  }
  if (!is_kept) freeReplyObject(reply);
}

/* Whether the connection is still this one. */
static bool take_answers(connection *self, redisContext *context) {
  void *reply = NULL;
  for (;;) {
    if (redisReaderGetReply(context->reader, &reply) != REDIS_OK) {
      char text[160];
      snprintf(text, sizeof text, "no answer of Redis: %.120s",
               context->reader->errstr);
      connection_lose(self, text);
      return false;
    }
    if (reply == NULL) return true;
    take_answer(self, reply);
    if (self->context != context) return false;
  }
}

/* Why TLS failed, which goes with the connection. */
static void lose_tls(connection *self) {
  char text[160];
  snprintf(text, sizeof text, "%s", tls_fault(self->tls));
  connection_lose(self, text);
}

/* False: the connection is lost. */
static bool feed(connection *self, const char *bytes, size_t length) {
  if (self->tls != NULL) {
    self->opened.length = 0;
    if (!tls_open(self->tls, bytes, length, &self->opened)) {
      lose_tls(self);
      return false;
    }
    bytes = (const char *)self->opened.bytes;
    length = self->opened.length;
    if (length == 0) return true;
  }
  if (redisReaderFeed(self->context->reader, bytes, length) == REDIS_OK)
    return true;
  connection_lose(self, "no memory for an answer");
  return false;
}

static void on_readable(void *of, rac_value value) {
  connection *self = of;
  redisContext *context = self->context;
  char *piece = self->redis->piece;
  (void)value;
  if (context == NULL) return;
  ssize_t length =
      recv(context->fd, piece, sizeof self->redis->piece, MSG_DONTWAIT);
  if (length > 0) {
    self->since = now(self);
    if (feed(self, piece, (size_t)length) && take_answers(self, context)) {
      if (self->state == OPEN && self->protocol->settled != NULL)
        self->protocol->settled(self->owner);
      connection_flush(self);
    }
  } else if (length == 0)
    connection_lose(self, "the broker has closed the connection");
  else if (errno != EAGAIN && errno != EINTR)
    connection_lose(self, strerror(errno));
}

static void on_read_error(void *of, rac_value error) {
  connection_lose(of, rac_error_get_message(error));
}
static void on_read_end(void *of) {
  connection_lose(of, "the broker has closed the connection");
}

/* ---- Writing ------------------------------------------------------------ */

static void on_writable(void *of, rac_value value) {
  connection *self = of;
  (void)value;
  if (self->context == NULL) return;
  if (self->state == CONNECTING)
    greet(self);
  else
    connection_flush(self);
}

static void await(connection *self, rac_disposable **place, rac_signal *signal,
                  rac_next_fn next) {
  rac_observer observer = RAC_OBSERVER_INIT;
  observer.context = kept(self);
  observer.next = next;
  observer.error = on_read_error;
  observer.completed = on_read_end;
  observer.destroy = let_go;
  redisContext *context = self->context;
  rac_disposable *made = rac_subscribe(signal, &observer);
  rac_release(signal);
  if (made != NULL && self->context == context) {
    *place = made;
    return;
  }
  drop(&made);
  /* It was lost on the spot, or the system has nothing left. */
  if (self->context == context) connection_lose(self, rac_last_error_message());
}

void connection_flush(connection *self) {
  redisContext *context = self->context;
  if (context == NULL || self->state < GREETING) return;
  buffer *output = &self->output;
  if (self->tls != NULL) {
    output = &self->sealed;
    if (!tls_seal(self->tls, &self->output, output)) {
      lose_tls(self);
      return;
    }
  }
  while (self->written < output->length) {
    ssize_t length =
        send(context->fd, output->bytes + self->written,
             output->length - self->written, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (length > 0)
      self->written += (size_t)length;
    else if (errno == EAGAIN || errno == EWOULDBLOCK) {
      if (self->writing == NULL)
        await(self, &self->writing,
              rac_signal_writable(context->fd, RAC_DESCRIPTOR_LENT,
                                  self->redis->scheduler),
              on_writable);
      return;
    } else if (errno != EINTR) {
      connection_lose(self, strerror(errno));
      return;
    }
  }
  drop(&self->writing);
  output->length = self->written = 0;
}

void connection_add(connection *self, const void *bytes, size_t length,
                    size_t commands) {
  if (self->state < GREETING || self->state == CLOSED) return;
  if (!buffer_add(&self->output, bytes, length)) {
    connection_lose(self, "no memory for a command");
    return;
  }
  if (self->unanswered == 0) self->since = now(self);
  self->unanswered += commands;
}

void connection_send(connection *self, int count, const char *const *words,
                     const size_t *lengths) {
  char *command = NULL;
  int length = redisFormatCommandArgv(&command, count,
                                      (const char **)(uintptr_t)words, lengths);
  if (length < 0) {
    connection_lose(self, "no memory for a command");
    return;
  }
  connection_add(self, command, (size_t)length, 1);
  redisFreeCommand(command);
  connection_flush(self);
}

/* ---- Opening it --------------------------------------------------------- */

static void greet(connection *self) {
  rac_redis *redis = self->redis;
  redisContext *context = self->context;
  drop(&self->writing);
  self->state = GREETING;
  int yes = 1;
  if (redis->socket == NULL) {
    setsockopt(context->fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    redisEnableKeepAlive(context);
  }
  if (redis->tls != NULL) {
    self->tls = tls_create(redis->tls, redis->host);
    if (self->tls == NULL) {
      connection_lose(self, "no memory for TLS");
      return;
    }
  }
  await(self, &self->reading,
        rac_signal_readable(context->fd, RAC_DESCRIPTOR_LENT, redis->scheduler),
        on_readable);
  if (self->context != context) return;
  /* All of it at once; each answer has to be none of an error. */
  char number[16];
  snprintf(number, sizeof number, "%d", redis->database);
  const char *login[] = {"AUTH", redis->user, redis->password};
  const char *old_login[] = {"AUTH", redis->password};
  const char *select[] = {"SELECT", number};
  const char *ping[] = {"PING"};
  self->unanswered = 1; /* so that no answer is the last before all are sent */
  if (redis->user != NULL)
    connection_send(self, 3, login, NULL);
  else if (redis->password != NULL)
    connection_send(self, 2, old_login, NULL);
  if (redis->database != 0) connection_send(self, 2, select, NULL);
  connection_send(self, 1, ping, NULL);
  if (self->context == context) self->unanswered--;
}

/* Whether there is something that we have not come to: a subscriber may have
 * held up everything for longer than a broker may be silent. */
static bool has_news(connection *self) {
  struct pollfd each = {self->context->fd,
                        self->state == CONNECTING ? POLLOUT : POLLIN, 0};
  return poll(&each, 1, 0) > 0;
}

/* Four times in the owner's patience. */
static void look(void *of) {
  connection *self = of;
  rac_redis *redis = self->redis;
  if (atomic_load(&self->owner->is_over)) {
    owner_close(self->owner);
    return;
  }
  bool waits = self->state == CONNECTING || self->state == GREETING ||
               self->unanswered > 0;
  if (self->context == NULL || !waits ||
      now(self) - self->since < redis->patience || has_news(self))
    return;
  char text[80];
  snprintf(text, sizeof text, "no answer in %g s", redis->patience);
  connection_lose(self, text);
}

static void connect_now(connection *self) {
  rac_redis *redis = self->redis;
  self->state = CONNECTING;
  self->since = now(self);
  self->context = redis->socket != NULL
                      ? redisConnectUnixNonBlock(redis->socket)
                      : redisConnectNonBlock(redis->host, redis->port);
  if (self->context == NULL || self->context->err != 0) {
    char text[160];
    snprintf(text, sizeof text, "%s: %.120s",
             redis->socket != NULL ? redis->socket : redis->host,
             self->context != NULL ? self->context->errstr : "no memory");
    connection_lose(self, text);
    return;
  }
  self->watch = rac_schedule_repeating(redis->scheduler, redis->patience / 4,
                                       redis->patience / 4, redis->patience / 8,
                                       kept(self), look, let_go);
  await(self, &self->writing,
        rac_signal_writable(self->context->fd, RAC_DESCRIPTOR_LENT,
                            redis->scheduler),
        on_writable);
}

static void end_rest(void *of) {
  connection *self = of;
  if (self->state != RESTING) return;
  rac_disposable *own = self->rest;
  self->rest = NULL;
  rac_release(own);
  if (atomic_load(&self->owner->is_over))
    owner_close(self->owner);
  else
    connect_now(self);
}

static void rest(connection *self) {
  self->pause = next_pause(self->pause);
  double seconds = with_jitter(self->pause);
  self->rest = rac_schedule_after(self->redis->scheduler, seconds, kept(self),
                                  end_rest, let_go);
  if (self->rest == NULL)
    fail(self, RAC_REDIS_NO_MEMORY, "no timer to connect again");
}

void connection_begin(connection *self, rac_redis *redis, owner *owner,
                      const protocol *protocol) {
  self->redis = redis;
  self->owner = owner;
  self->protocol = protocol;
  self->out_since = now(self);
  connect_now(self);
}
