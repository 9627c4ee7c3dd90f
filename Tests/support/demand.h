/* Sources that can wait: numbers of a sequence, and lines of a file. */
#ifndef RAC_DEMAND_H
#define RAC_DEMAND_H

#include "descriptors.h"
#include "operators.h"

#include <fcntl.h>

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

#endif
