#define _GNU_SOURCE /* prlimit */
#include "server.h"

#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

static redisContext *connect_to(server *self) {
  redisContext *context = redisConnectUnix(self->socket);
  if (context == NULL || context->err == 0) return context;
  redisFree(context);
  return NULL;
}

static void run(server *self) {
  char port[16];
  int count = 0;
  const char *words[40] = {REDIS_SERVER,   "--dir",      self->folder,
                           "--unixsocket", self->socket, "--port",
                           port,           "--save",     "",
                           "--loglevel",   "warning",    "--logfile",
                           "log"};
  snprintf(port, sizeof port, "%d", self->port);
  while (words[count] != NULL) count++;
  for (int i = 0; self->arguments[i] != NULL; i++)
    words[count++] = self->arguments[i];
  /* It does not outlive a test that crashes. */
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (self->most_bytes > 0) {
    rlim_t most = (rlim_t)self->most_bytes;
    setrlimit(RLIMIT_FSIZE, &(struct rlimit){most, RLIM_INFINITY});
    signal(SIGXFSZ, SIG_IGN);
  }
  execv(REDIS_SERVER, (char *const *)(uintptr_t)words);
  _exit(127);
}

void server_start_again(server *self) {
  self->process = fork();
  if (self->process < 0) abort();
  if (self->process == 0) run(self);
  for (int i = 0; i < 20000; i++) {
    redisContext *context = connect_to(self);
    redisReply *reply = context == NULL ? NULL : redisCommand(context, "PING");
    bool is_there = reply != NULL && strncmp(reply->str, "LOADING", 7) != 0;
    if (reply != NULL) freeReplyObject(reply);
    if (context != NULL) redisFree(context);
    if (is_there) return;
    usleep(1000);
  }
  fprintf(stderr, "redis-server does not answer\n");
  abort();
}

void server_start_with(server *self) {
  strcpy(self->folder, "/tmp/rac-redis-XXXXXX");
  if (mkdtemp(self->folder) == NULL) abort();
  snprintf(self->socket, sizeof self->socket, "%s/socket", self->folder);
  server_start_again(self);
}

void server_start(server *self, bool is_durable) {
  int count = 0;
  while (self->arguments[count] != NULL) count++;
  self->arguments[count++] = "--appendonly";
  self->arguments[count++] = is_durable ? "yes" : "no";
  if (is_durable) {
    self->arguments[count++] = "--appendfsync";
    self->arguments[count++] = "always";
  }
  server_start_with(self);
}

void server_kill(server *self) {
  if (self->process <= 0) return;
  kill(self->process, SIGKILL);
  waitpid(self->process, NULL, 0);
  self->process = 0;
}

void server_free_disk(server *self) {
  struct rlimit limit = {RLIM_INFINITY, RLIM_INFINITY};
  self->most_bytes = 0;
  if (prlimit(self->process, RLIMIT_FSIZE, &limit, NULL) != 0) abort();
}

void server_pause(server *self) { kill(self->process, SIGSTOP); }
void server_go_on(server *self) { kill(self->process, SIGCONT); }

void server_remove(server *self) {
  char command[100];
  server_kill(self);
  snprintf(command, sizeof command, "rm -rf '%s'", self->folder);
  if (self->folder[0] != 0 && system(command) != 0) abort();
}

static char *text_of(const redisReply *reply) {
  static char text[4096];
  if (reply == NULL)
    strcpy(text, "lost");
  else if (reply->type == REDIS_REPLY_INTEGER)
    snprintf(text, sizeof text, "%lld", reply->integer);
  else if (reply->type == REDIS_REPLY_NIL)
    strcpy(text, "nil");
  else if (reply->type == REDIS_REPLY_ARRAY)
    snprintf(text, sizeof text, "%zu", reply->elements);
  else
    snprintf(text, sizeof text, "%s", reply->str);
  return text;
}

static char *answer(server *self, const char *format, va_list arguments) {
  redisContext *context = connect_to(self);
  redisReply *reply =
      context == NULL ? NULL : redisvCommand(context, format, arguments);
  char *text = text_of(reply);
  if (reply != NULL) freeReplyObject(reply);
  if (context != NULL) redisFree(context);
  return text;
}

char *server_ask(server *self, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  char *text = answer(self, format, arguments);
  va_end(arguments);
  return text;
}

long long server_number(server *self, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  char *text = answer(self, format, arguments);
  va_end(arguments);
  return atoll(text);
}

rac_redis *redis_of(server *self, const char *sender) {
  rac_redis_options options = RAC_REDIS_OPTIONS_INIT;
  options.socket = self->socket;
  options.sender = sender;
  options.patience = 1;
  rac_redis *made = rac_redis_create(&options);
  if (made == NULL) fprintf(stderr, "%s\n", rac_redis_last_message());
  return made;
}

rac_redis_stats stats_of(rac_redis *redis) {
  rac_redis_stats stats = {.size = sizeof stats};
  CHECK_STATUS(rac_redis_get_stats(redis, &stats), RAC_OK);
  return stats;
}

rac_status publish_all(rac_redis *redis, rac_signal *source, const char *stream,
                       const rac_redis_publish_options *options) {
  owned rac_signal *stored = rac_redis_publish(redis, source, stream, options);
  if (stored == NULL) return RAC_EINVAL;
  return rac_signal_wait_until_completed(stored, 60, NULL);
}
