/* Sources that can wait: sequences, lines of files and pipes, and producers that
 * ask before each value. */
#define _GNU_SOURCE
#include "holds.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

static rac_signal *sequence_of(int64_t first, int64_t count,
                               rac_scheduler *worker) {
  rac_sequence *range = rac_sequence_range(first, 1, (size_t)count);
  rac_signal *signal = rac_sequence_signal(range, worker);
  rac_release(range);
  return signal;
}

/* ---- Lines ------------------------------------------------------------------ */

static rac_status to_number(void *context, rac_value line, rac_value *out) {
  const char *text = NULL;
  (void)context;
  rac_status status = rac_value_get_string(line, &text, NULL);
  if (status == RAC_OK) *out = rac_value_int64(atoll(text));
  return status;
}

static rac_signal *lines_of(int64_t first, int64_t count, rac_scheduler *worker,
                            bool is_pipe) {
  int ends[2];
  if (is_pipe) {
    if (pipe2(ends, O_CLOEXEC) != 0) abort();
    fcntl(ends[1], F_SETPIPE_SZ, 1 << 18);
  } else {
    ends[0] = memfd_create("holds", MFD_CLOEXEC);
    ends[1] = dup(ends[0]);
    if (ends[0] < 0 || ends[1] < 0) abort();
  }
  FILE *file = fdopen(ends[1], "w");
  for (int64_t i = 0; i < count; i++)
    fprintf(file, "%lld\n", (long long)(first + i));
  fclose(file);
  if (!is_pipe && lseek(ends[0], 0, SEEK_SET) != 0) abort();
  rac_signal *lines =
      rac_signal_lines(ends[0], RAC_DESCRIPTOR_OWNED, 0, worker);
  rac_signal *numbers = rac_signal_map(lines, NULL, to_number, NULL);
  rac_release(lines);
  return numbers;
}

/* ---- Producers ---------------------------------------------------------------- */

typedef struct producer {
  rac_subscriber *subscriber;
  rac_scheduler *scheduler;
  int64_t next, end;
  atomic_int references;
} producer;

static void drop(void *context) {
  producer *self = context;
  if (atomic_fetch_sub(&self->references, 1) != 1) return;
  rac_release(self->subscriber);
  rac_release(self->scheduler);
  free(self);
}

/* The reference belongs to the question, which drops it when it is over. */
static rac_status ask(producer *self, rac_action_fn action) {
  atomic_fetch_add(&self->references, 1);
  return rac_subscriber_hold(self->subscriber, self->scheduler, NULL, self,
                             action, drop);
}

static void go_on(void *context) {
  producer *self = context;
  while (self->next < self->end) {
    if (ask(self, go_on) != RAC_OK) return;
    rac_subscriber_send(self->subscriber, rac_value_int64(self->next++));
  }
  rac_subscriber_send_completed(self->subscriber);
}

static rac_status produce(void *context, rac_subscriber *subscriber,
                          rac_disposable **out) {
  source *from = context;
  (void)out;
  producer *self = calloc(1, sizeof *self);
  if (self == NULL) abort();
  self->subscriber = rac_retain(subscriber);
  self->scheduler = rac_retain(from->worker);
  self->next = (int64_t)(from - now.sources) << SOURCE_SHIFT;
  self->end = self->next + from->count;
  atomic_store(&self->references, 1);
  go_on(self);
  drop(self);
  return RAC_OK;
}

rac_signal *make_source(void) {
  int number = now.source_count++, kind = below(5);
  int64_t first = (int64_t)number << SOURCE_SHIFT, count = 1 + below(400);
  source *self = &now.sources[number];
  *self = (source){count, any_worker()};
  const char *const names[] = {"sequence", "file", "pipe", "producer",
                               "producer"};
  say("%s(%d)", names[kind], (int)count);
  if (kind == 0) return sequence_of(first, count, self->worker);
  if (kind < 3) return lines_of(first, count, self->worker, kind == 2);
  return rac_signal_create(self, produce, NULL);
}
