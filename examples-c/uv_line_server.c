/* A line server in a libuv loop: each line of a client is worked on by a
 * background thread and answered, in order, while the loop serves the others.
 *
 *     uv_line_server 7000 &
 *     printf 'stream\nof lines\n' | nc -N 127.0.0.1 7000
 *
 * answers "maerts" and "senil fo". Port 0 takes a free one; the program prints
 * which. SIGTERM or SIGINT end it when all that was asked has been answered.
 *
 * libuv listens and writes; what a client asks is a signal of lines, which is
 * read on the worker. A client that does not read its answers is hung up.
 * by_hand/uv_line_server.c is the same program without librac.
 *
 * SPDX-License-Identifier: MIT
 */
#include <rac_uv.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>

enum { LINE_MAX_BYTES = 4096, UNREAD_MAX_BYTES = 1 << 20 };

static uv_loop_t loop;
static uv_poll_t librac;
static uv_tcp_t server;
static rac_scheduler *worker, *here;
static int clients;
static bool ending;

typedef struct {
  uv_tcp_t stream; /* first: a handle of libuv's is a client */
  uv_shutdown_t last;
  int descriptor;
} client;

typedef struct {
  uv_write_t request; /* first, as well */
  rac_value line;     /* what libuv writes when it can */
} answer;

/* map, on the worker: the bytes from the last to the first. */
static rac_status reversed(void *context, rac_value line, rac_value *out) {
  char turned[LINE_MAX_BYTES + 1];
  const char *text = NULL;
  size_t length = 0;
  (void)context;
  rac_value_get_text(line, &text, &length); /* bytes, where it is no UTF-8 */
  for (size_t i = 0; i < length; i++) turned[i] = text[length - 1 - i];
  turned[length] = '\n';
  *out = rac_value_bytes_copy(turned, length + 1);
  return RAC_OK;
}

/* ---- What follows runs in the loop --------------------------------------- */

/* librac's handle is the last one: without it the loop is over. */
static void end_if_alone(void) {
  if (ending && clients == 0) uv_close((uv_handle_t *)&librac, NULL);
}

static void closed(uv_handle_t *handle) {
  free(handle);
  clients--;
  end_if_alone();
}

static void shut(uv_shutdown_t *request, int status) {
  (void)status;
  uv_close((uv_handle_t *)request->handle, closed);
}

/* When all answers have been written. */
static void hang_up(void *context) {
  client *self = context;
  if (uv_shutdown(&self->last, (uv_stream_t *)&self->stream, shut) != 0)
    uv_close((uv_handle_t *)&self->stream, closed);
}

static void failed(void *context, rac_value error) {
  (void)error;
  hang_up(context);
}

static void written(uv_write_t *request, int status) {
  (void)status; /* of an error the reading hears, too */
  rac_value_release(((answer *)request)->line);
  free(request);
}

static void write_answer(void *context, rac_value line) {
  client *self = context;
  answer *new = malloc(sizeof *new);
  const void *bytes = NULL;
  size_t length = 0;
  if (new == NULL) abort();
  new->line = rac_value_retain(line);
  rac_value_get_bytes(line, &bytes, &length);
  uv_buf_t buffer = uv_buf_init((char *)bytes, (unsigned)length);
  uv_stream_t *stream = (uv_stream_t *)&self->stream;
  if (uv_write(&new->request, stream, &buffer, 1, written) != 0)
    written(&new->request, 0);
  if (uv_stream_get_write_queue_size(stream) > UNREAD_MAX_BYTES)
    shutdown(self->descriptor, SHUT_RDWR); /* which ends the lines */
}

static void connected(uv_stream_t *from, int status) {
  client *self = status == 0 ? malloc(sizeof *self) : NULL;
  if (self == NULL) return;
  clients++;
  uv_tcp_init(&loop, &self->stream);
  uv_accept(from, (uv_stream_t *)&self->stream);
  uv_fileno((uv_handle_t *)&self->stream, &self->descriptor);
  RAC_AUTO rac_signal *answers = rac_signal_lines(
      self->descriptor, RAC_DESCRIPTOR_LENT, LINE_MAX_BYTES, worker);
  RAC_ASSIGN(answers, rac_signal_map(answers, NULL, reversed, NULL));
  RAC_ASSIGN(answers, rac_signal_deliver_on(answers, here));
  if (rac_subscribe_detached(answers, self, write_answer, failed, hang_up,
                             NULL) != RAC_OK)
    hang_up(self);
}

static void end(void *context, rac_value number) {
  (void)context, (void)number;
  if (ending) return;
  ending = true;
  uv_close((uv_handle_t *)&server, NULL);
  end_if_alone();
}

static void end_with(int number) {
  RAC_AUTO rac_signal *signals = rac_signal_posix_signal(number, here);
  rac_subscribe_detached(signals, NULL, end, NULL, NULL, NULL);
}

static int start(int port) {
  struct sockaddr_in address;
  int length = sizeof address;
  uv_ip4_addr("127.0.0.1", port, &address);
  uv_tcp_init(&loop, &server);
  int error = uv_tcp_bind(&server, (const struct sockaddr *)&address, 0);
  if (error == 0) error = uv_listen((uv_stream_t *)&server, 128, connected);
  if (error != 0) return error;
  uv_tcp_getsockname(&server, (struct sockaddr *)&address, &length);
  printf("port %d\n", ntohs(address.sin_port));
  fflush(stdout);
  return 0;
}

int main(int argc, char **argv) {
  uv_loop_init(&loop);
  int error = rac_uv_init(&loop, &librac); /* librac runs in this loop … */
  here = rac_scheduler_main(); /* … and what is delivered here comes in it */
  worker = rac_scheduler_background(RAC_PRIORITY_DEFAULT, "lines");
  signal(SIGPIPE, SIG_IGN); /* who has gone is an error of uv_write() */
  end_with(SIGTERM);
  end_with(SIGINT);
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
