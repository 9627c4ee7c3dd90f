/* A line server in a libuv loop: each line of a client is worked on by a
 * background thread and answered, in order, while the loop serves the others.
 *
 *     uv_line_server 7000 &
 *     printf 'stream\nof lines\n' | nc -N 127.0.0.1 7000
 *
 * answers "maerts" and "senil fo". Port 0 takes a free one; the program prints
 * which. SIGTERM or SIGINT end it when all that was asked has been answered.
 *
 * Three lines bring librac into the loop: see main(). What a client sends is a
 * signal; all of a connection goes when its last stream ends.
 *
 * SPDX-License-Identifier: MIT
 */
#include <rac_uv.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_MAX_BYTES = 4096, WAITING_MAX = 1024 };

static uv_loop_t loop;
static uv_poll_t librac;
static uv_tcp_t server;
static uv_signal_t stop[2];
static rac_scheduler *worker, *here;
static int connections;

typedef struct {
  uv_tcp_t stream; /* first: a handle of libuv's is a connection */
  rac_subject *lines;
  rac_disposable *subscription;
  size_t waiting; /* lines without an answer */
  bool reading, ended;
  size_t length;
  char line[LINE_MAX_BYTES];
} connection;

/* ---- The work ------------------------------------------------------------ */

/* map, on the worker: the bytes from the last to the first. */
static rac_status reversed(void *context, rac_value line, rac_value *out) {
  const void *bytes = NULL;
  size_t length = 0;
  (void)context;
  rac_status status = rac_value_get_bytes(line, &bytes, &length);
  char *turned = malloc(length + 1);
  if (status != RAC_OK || turned == NULL) {
    free(turned);
    return status != RAC_OK ? status : RAC_ENOMEM;
  }
  for (size_t i = 0; i < length; i++)
    turned[i] = ((const char *)bytes)[length - 1 - i];
  *out = rac_value_bytes_copy(turned, length);
  free(turned);
  return out->kind == RAC_BYTES ? RAC_OK : RAC_ENOMEM;
}

/* ---- Answers: on the loop's thread, since `here` is the main scheduler ---- */

static void closed(uv_handle_t *handle) {
  connection *self = (connection *)handle;
  rac_dispose(self->subscription);
  rac_release(self->subscription);
  rac_release(self->lines);
  free(self);
  connections--;
}

static void hang_up(connection *self) {
  if (!uv_is_closing((uv_handle_t *)&self->stream))
    uv_close((uv_handle_t *)&self->stream, closed);
}

static void written(uv_write_t *request, int status) {
  connection *self = (connection *)request->handle;
  free(request);
  if (status != 0 || (self->ended && self->waiting == 0)) hang_up(self);
}

static void listen_again(connection *self);

static void answer(void *context, rac_value line) {
  connection *self = context;
  const void *bytes = NULL;
  size_t length = 0;
  rac_value_get_bytes(line, &bytes, &length);
  self->waiting--;
  /* The request, and behind it the line, which libuv writes when it can. */
  uv_write_t *request = malloc(sizeof *request + length + 1);
  if (request == NULL) abort();
  char *copy = (char *)(request + 1);
  memcpy(copy, bytes, length);
  copy[length] = '\n';
  uv_buf_t buffer = uv_buf_init(copy, (unsigned)length + 1);
  if (uv_write(request, (uv_stream_t *)&self->stream, &buffer, 1, written) !=
      0) {
    free(request);
    hang_up(self);
  } else if (!self->reading && !self->ended &&
             self->waiting < WAITING_MAX / 2) {
    listen_again(self);
  }
}

static void answered_all(void *context) {
  connection *self = context;
  if (uv_stream_get_write_queue_size((uv_stream_t *)&self->stream) == 0)
    hang_up(self);
}

static void failed(void *context, rac_value error) {
  fprintf(stderr, "uv_line_server: %s\n", rac_error_get_message(error));
  hang_up(context);
}

/* ---- Questions ----------------------------------------------------------- */

/* A view: librac copies it, as it goes to another thread. */
static void send_line(connection *self) {
  self->waiting++;
  rac_subject_send(self->lines, rac_value_bytes_view(self->line, self->length));
  self->length = 0;
}

static void give_memory(uv_handle_t *handle, size_t suggested, uv_buf_t *out) {
  static char chunk[65536]; /* taken apart before libuv asks again */
  (void)handle;
  (void)suggested;
  *out = uv_buf_init(chunk, sizeof chunk);
}

static void heard(uv_stream_t *stream, ssize_t count, const uv_buf_t *buffer) {
  connection *self = (connection *)stream;
  for (ssize_t i = 0; i < count; i++) {
    if (buffer->base[i] == '\n') {
      send_line(self);
    } else {
      self->line[self->length++] = buffer->base[i];
      if (self->length == LINE_MAX_BYTES) send_line(self);
    }
  }
  if (count < 0) { /* the end, or an error: what was asked is answered */
    if (self->length > 0) send_line(self);
    self->ended = true;
    uv_read_stop(stream);
    rac_subject_send_completed(self->lines);
  } else if (self->waiting >= WAITING_MAX) { /* nobody asks faster than that */
    self->reading = false;
    uv_read_stop(stream);
  }
}

static void listen_again(connection *self) {
  self->reading = true;
  uv_read_start((uv_stream_t *)&self->stream, give_memory, heard);
}

static rac_disposable *subscribe(connection *self) {
  rac_observer observer = RAC_OBSERVER_INIT;
  rac_signal *there =
      rac_signal_deliver_on(rac_subject_as_signal(self->lines), worker);
  rac_signal *mapped = rac_signal_map(there, NULL, reversed, NULL);
  rac_signal *answers = rac_signal_deliver_on(mapped, here);
  observer.context = self;
  observer.next = answer;
  observer.error = failed;
  observer.completed = answered_all;
  rac_disposable *subscription = rac_subscribe(answers, &observer);
  rac_release(answers);
  rac_release(mapped);
  rac_release(there);
  return subscription;
}

static void connected(uv_stream_t *from, int status) {
  connection *self = status == 0 ? calloc(1, sizeof *self) : NULL;
  if (self == NULL) return;
  connections++;
  uv_tcp_init(&loop, &self->stream);
  self->lines = rac_subject_create();
  self->subscription = subscribe(self);
  if (self->subscription == NULL ||
      uv_accept(from, (uv_stream_t *)&self->stream) != 0)
    hang_up(self);
  else
    listen_again(self);
}

/* ---- From the beginning to the end --------------------------------------- */

/* Once no client is left, librac's handle is what keeps the loop alive. */
static void look_for_the_end(uv_timer_t *timer) {
  if (connections > 0) return;
  uv_close((uv_handle_t *)timer, NULL);
  uv_close((uv_handle_t *)&librac, NULL);
}

static void end(uv_signal_t *handle, int number) {
  static uv_timer_t timer;
  (void)handle;
  (void)number;
  for (int i = 0; i < 2; i++) uv_close((uv_handle_t *)&stop[i], NULL);
  uv_close((uv_handle_t *)&server, NULL);
  uv_timer_init(&loop, &timer);
  uv_timer_start(&timer, look_for_the_end, 0, 10);
}

static int start(int port) {
  struct sockaddr_in address;
  int length = sizeof address, error;
  uv_ip4_addr("127.0.0.1", port, &address);
  uv_tcp_init(&loop, &server);
  error = uv_tcp_bind(&server, (const struct sockaddr *)&address, 0);
  if (error == 0) error = uv_listen((uv_stream_t *)&server, 128, connected);
  if (error != 0) return error;
  uv_tcp_getsockname(&server, (struct sockaddr *)&address, &length);
  printf("port %d\n", ntohs(address.sin_port));
  fflush(stdout);
  for (int i = 0; i < 2; i++) {
    uv_signal_init(&loop, &stop[i]);
    uv_signal_start(&stop[i], end, i == 0 ? SIGTERM : SIGINT);
  }
  return 0;
}

int main(int argc, char **argv) {
  signal(SIGPIPE,
         SIG_IGN); /* a client that has gone is an error of uv_write() */
  uv_loop_init(&loop);
  int error = rac_uv_init(&loop, &librac); /* librac runs in this loop … */
  worker = rac_scheduler_background(RAC_PRIORITY_DEFAULT, "lines");
  here = rac_scheduler_main(); /* … and what is delivered here comes in it */
  if (error == 0) error = start(argc > 1 ? atoi(argv[1]) : 7000);
  if (error != 0) {
    fprintf(stderr, "uv_line_server: %s\n", uv_strerror(error));
    return 1;
  }
  uv_run(&loop, UV_RUN_DEFAULT);
  rac_release(here);
  rac_release(worker);
  return uv_loop_close(&loop) == 0 ? 0 : 1;
}
