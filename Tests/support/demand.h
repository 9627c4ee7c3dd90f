/* Sources that can wait, numbers of a sequence and lines of a file; and how many
 * of these have come. */
#ifndef RAC_DEMAND_H
#define RAC_DEMAND_H

#include "descriptors.h"
#include "operators.h"

#include <fcntl.h>

enum { PLACES = 8 };

static inline uint64_t highest(rac_bound *bound) {
  return rac_bound_get(bound, RAC_BOUND_HIGHEST);
}

/* Counts what comes, and whether it comes in order. */
typedef struct tally {
  atomic_llong heard;
  int64_t next, disorder;
  atomic_int ends, destroyed;
} tally;

static inline void count(void *context, rac_value value) {
  tally *self = context_target(context);
  if (value.bits != self->next++) self->disorder++;
  atomic_fetch_add(&self->heard, 1);
}
static inline void end_count(void *context) {
  tally *self = context_target(context);
  atomic_fetch_add(&self->ends, 1);
}

/* In whatever order. */
static inline void count_any(void *context, rac_value value) {
  (void)value;
  tally *self = context_target(context);
  atomic_fetch_add(&self->heard, 1);
}

static inline rac_disposable *tally_by(rac_signal *signal, tally *self,
                                       rac_next_fn next) {
  rac_observer observer = RAC_OBSERVER_INIT;
  observer.context = context_new(self, &self->destroyed);
  observer.next = next;
  observer.completed = end_count;
  observer.destroy = context_destroy;
  return rac_subscribe(signal, &observer);
}

static inline rac_disposable *tally_of(rac_signal *signal, tally *self) {
  return tally_by(signal, self, count);
}

static inline void check_whole(tally *self, int64_t count) {
  WAIT_UNTIL(atomic_load(&self->ends) == 1);
  CHECK_INT(self->heard, count);
  CHECK_INT(self->disorder, 0);
  WAIT_UNTIL(atomic_load(&self->destroyed) == 1);
}

static inline rac_scheduler *background(void) {
  return rac_scheduler_background(0, NULL);
}

/* The numbers from 0 on, on a scheduler of their own. */
static inline rac_signal *numbers(int64_t count) {
  owned rac_scheduler *scheduler = background();
  owned rac_sequence *range = rac_sequence_range(0, 1, (size_t)count);
  return rac_sequence_signal(range, scheduler);
}

static inline uint64_t waiting(rac_bound *bound) {
  return rac_bound_get(bound, RAC_BOUND_LENGTH);
}

/* A line of text becomes its number, and goes on. */
static inline rac_status to_number(void *context, rac_value value,
                                   rac_value *out) {
  const char *text = NULL;
  size_t length = 0;
  (void)context;
  rac_status status = rac_value_get_string(value, &text, &length);
  if (status == RAC_OK) *out = I(atoll(text));
  return status;
}

/* A file of the numbers from 0 on. */
static inline int file_of(int64_t count) {
  char name[] = "/tmp/rac-demand-XXXXXX";
  int fd = mkstemp(name);
  if (fd < 0) abort();
  unlink(name);
  FILE *file = fdopen(dup(fd), "w");
  for (int64_t i = 0; i < count; i++) fprintf(file, "%lld\n", (long long)i);
  fclose(file);
  if (lseek(fd, 0, SEEK_SET) != 0) abort();
  return fd;
}

/* Sends this signal for each value of the source. */
static inline rac_signal *always(rac_signal *source, rac_signal *signal) {
  owned_value value = rac_value_signal(signal);
  return rac_signal_map_replace(source, value);
}

static inline rac_signal *lines_of(int64_t count, rac_scheduler *scheduler) {
  owned rac_signal *lines =
      rac_signal_lines(file_of(count), OWNED, 0, scheduler);
  return rac_signal_map(lines, NULL, to_number, NULL);
}

/* A signal of the value that comes when the scheduler has had its turn. */
static inline rac_status later(void *scheduler, rac_value value,
                               rac_signal **out) {
  owned rac_signal *one = rac_signal_return(value);
  *out = rac_signal_deliver_on(one, scheduler);
  return RAC_OK;
}

#endif
