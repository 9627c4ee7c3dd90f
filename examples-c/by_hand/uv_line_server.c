/* ../uv_line_server.c without librac: libuv reads, its pool works on one line of
 * each client at a time, and a list keeps those that wait for that; when it is
 * long, reading stops for a while.
 *
 * SPDX-License-Identifier: MIT
 */
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <uv.h>

enum { LINE_MAX_BYTES = 4096, WAITING_MAX = 1024, UNREAD_MAX_BYTES = 1 << 20 };

static uv_loop_t loop;
static uv_tcp_t server;
static uv_signal_t stop[2];

typedef struct job job;

typedef struct {
  uv_tcp_t stream; /* first: a handle of libuv's is a client */
  uv_shutdown_t last;
  int descriptor;
  job *first, **end; /* the lines without an answer */
  int waiting;       /* how many those are */
  bool is_working, is_reading, is_over;
  size_t length;
  char line[LINE_MAX_BYTES];
} client;

struct job {
  uv_write_t request; /* first, as well */
  uv_work_t work;
  client *client;
  job *next;
  size_t length;
  char line[]; /* and room for the line feed */
};

/* In the pool: the bytes from the last to the first. */
static void reverse(uv_work_t *work) {
  job *self = work->data;
  for (size_t i = 0, j = self->length; i + 1 < j; i++) {
    char byte = self->line[i];
    self->line[i] = self->line[--j];
    self->line[j] = byte;
  }
  self->line[self->length] = '\n';
}

/* ---- What follows runs in the loop --------------------------------------- */

static void closed(uv_handle_t *handle) { free(handle); }

static void shut(uv_shutdown_t *request, int status) {
  (void)status;
  uv_close((uv_handle_t *)request->handle, closed);
}

/* When all answers have been written. */
static void hang_up(client *self) {
  if (uv_shutdown(&self->last, (uv_stream_t *)&self->stream, shut) != 0)
    uv_close((uv_handle_t *)&self->stream, closed);
}

static void written(uv_write_t *request, int status) {
  (void)status; /* of an error the reading hears, too */
  free(request);
}

static void answer(uv_work_t *work, int status);
static void listen_to(client *self);

/* One job at a time, so that the answers are in order. */
static void go_on(client *self) {
  if (self->is_working) return;
  if (self->first != NULL) {
    self->is_working = true;
    uv_queue_work(&loop, &self->first->work, reverse, answer);
  } else if (self->is_over) {
    hang_up(self);
  }
}

static void answer(uv_work_t *work, int status) {
  job *done = work->data;
  client *self = done->client;
  uv_stream_t *stream = (uv_stream_t *)&self->stream;
  uv_buf_t buffer = uv_buf_init(done->line, (unsigned)done->length + 1);
  (void)status;
  self->is_working = false;
  self->first = done->next;
  if (self->first == NULL) self->end = &self->first;
  self->waiting--;
  if (uv_write(&done->request, stream, &buffer, 1, written) != 0)
    written(&done->request, 0);
  if (uv_stream_get_write_queue_size(stream) > UNREAD_MAX_BYTES)
    shutdown(self->descriptor, SHUT_RDWR); /* which ends the lines */
  if (!self->is_reading && !self->is_over && self->waiting < WAITING_MAX / 2)
    listen_to(self);
  go_on(self);
}

static void ask(client *self) {
  if (self->length > 0 && self->line[self->length - 1] == '\r') self->length--;
  job *new = malloc(sizeof *new + self->length + 1);
  if (new == NULL) abort();
  new->work.data = new;
  new->client = self;
  new->next = NULL;
  new->length = self->length;
  memcpy(new->line, self->line, self->length);
  self->length = 0;
  *self->end = new;
  self->end = &new->next;
  self->waiting++;
  go_on(self);
}

static void give_memory(uv_handle_t *handle, size_t suggested, uv_buf_t *out) {
  static char chunk[65536]; /* taken apart before libuv asks again */
  (void)handle, (void)suggested;
  *out = uv_buf_init(chunk, sizeof chunk);
}

static void heard(uv_stream_t *stream, ssize_t count, const uv_buf_t *buffer) {
  client *self = (client *)stream;
  bool is_over = count < 0; /* the end, or an error */
  for (ssize_t i = 0; i < count && !is_over; i++) {
    if (buffer->base[i] == '\n')
      ask(self);
    else if (self->length == LINE_MAX_BYTES)
      is_over = true;
    else
      self->line[self->length++] = buffer->base[i];
  }
  if (!is_over && self->waiting < WAITING_MAX) return;
  uv_read_stop(stream);
  self->is_reading = false;
  if (!is_over) return; /* it is listened to again when there is room */
  if (count == UV_EOF && self->length > 0) ask(self);
  self->is_over = true;
  go_on(self);
}

static void listen_to(client *self) {
  uv_stream_t *stream = (uv_stream_t *)&self->stream;
  self->is_over = uv_read_start(stream, give_memory, heard) != 0;
  self->is_reading = !self->is_over;
  if (self->is_over) go_on(self);
}

static void connected(uv_stream_t *from, int status) {
  client *self = status == 0 ? calloc(1, sizeof *self) : NULL;
  if (self == NULL) return;
  self->end = &self->first;
  uv_tcp_init(&loop, &self->stream);
  uv_accept(from, (uv_stream_t *)&self->stream);
  uv_fileno((uv_handle_t *)&self->stream, &self->descriptor);
  listen_to(self);
}

static void end(uv_signal_t *handle, int number) {
  (void)handle, (void)number;
  for (int i = 0; i < 2; i++) uv_close((uv_handle_t *)&stop[i], NULL);
  uv_close((uv_handle_t *)&server, NULL);
}

static void end_with(uv_signal_t *handle, int number) {
  uv_signal_init(&loop, handle);
  uv_signal_start(handle, end, number);
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
  signal(SIGPIPE, SIG_IGN); /* who has gone is an error of uv_write() */
  end_with(&stop[0], SIGTERM);
  end_with(&stop[1], SIGINT);
  int error = start(argc > 1 ? atoi(argv[1]) : 7000);
  if (error != 0) {
    fprintf(stderr, "uv_line_server: %s\n", uv_strerror(error));
    return 1;
  }
  uv_run(&loop, UV_RUN_DEFAULT);
  return uv_loop_close(&loop) == 0 ? 0 : 1;
}
