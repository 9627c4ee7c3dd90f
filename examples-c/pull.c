/* A program without a loop and without callbacks of its own: a device sends on a
 * thread of its own, faster than this one reads, and this one asks for the next
 * value when it has time for it.
 *
 * SPDX-License-Identifier: MIT
 */
#include <inttypes.h>
#include <pthread.h>
#include <rac.h>
#include <stdio.h>

enum { READINGS = 100000, WAITING = 8 };

/* Numbers its readings; as fast as it can. */
static void *device(void *subject) {
  for (int64_t n = 1; n <= READINGS; n++)
    rac_subject_send(subject, rac_value_int64(n));
  rac_subject_send_completed(subject);
  return NULL;
}

int main(void) {
  rac_subject *readings = rac_subject_create();
  rac_bound *bound = rac_bound_create(WAITING, RAC_BOUND_DROP_OLDEST);
  rac_sequence *sequence =
      rac_sequence_from_signal(rac_subject_as_signal(readings), -1, bound);
  rac_sequence_iterator *each = rac_sequence_iterate(sequence);
  rac_release(sequence);

  /* Nothing has been sent: neither waits for it. */
  rac_value value;
  printf("%s\n", rac_status_name(rac_sequence_next_for(each, 0, &value)));
  printf("%s\n", rac_status_name(rac_sequence_next_for(each, 0.01, &value)));

  pthread_t thread;
  if (pthread_create(&thread, NULL, device, readings) != 0) return 1;
  int64_t read = 0, last = 0;
  while (rac_sequence_next_for(each, 10, &value) == RAC_OK) {
    rac_value_get_int64(value, &last);
    rac_value_release(value);
    read++;
  }
  pthread_join(thread, NULL);

  /* The latest is never the one that gives way. */
  printf("the last of %d: %" PRId64 "\n", READINGS, last);
  printf("read and dropped: %" PRIu64 "\n",
         (uint64_t)read + rac_bound_get(bound, RAC_BOUND_DROPPED));
  puts(rac_bound_get(bound, RAC_BOUND_HIGHEST) <= WAITING
           ? "no more than 8 waited"
           : "no");
  rac_release(each);
  rac_release(bound);
  rac_release(readings);
  return 0;
}
