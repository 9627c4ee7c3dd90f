/* The threads that send, and what each of them writes down. */
#include "values.h"

#include <sched.h>
#include <time.h>

numbers numbers_of(uint64_t a, uint64_t b, uint64_t c) {
  numbers self = {a * 0x9e3779b97f4a7c15u ^ b * 0xbf58476d1ce4e5b9u ^
                  (c + 1) * 0x94d049bb133111ebu};
  numbers_next(&self);
  return self;
}

/* splitmix64 */
uint64_t numbers_next(numbers *self) {
  uint64_t z = self->state += 0x9e3779b97f4a7c15u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return z ^ z >> 31;
}

int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

bool send_some(sender *self, int subject, int count) {
  int first = atomic_load_explicit(&self->count, memory_order_relaxed);
  if (first + count > MOST_SENT) return false;
  int64_t values[16];
  for (int i = 0; i < count; i++) values[i] = value_of(self->number, first + i);
  rac_subject *to = the.places[subject].subject;
  atomic_store_explicit(&self->doing, subject + 1, memory_order_relaxed);
  int64_t begin = now();
  rac_status status =
      count == 1
          ? rac_subject_send(to, rac_value_int64(values[0]))
          : rac_subject_send_array(to, RAC_ARRAY_INT64S, values, (size_t)count);
  int64_t end = now();
  atomic_store_explicit(&self->doing, 0, memory_order_relaxed);
  for (int i = 0; i < count; i++)
    self->log[first + i] = (sent){begin, end, subject, status};
  atomic_store_explicit(&self->count, first + count, memory_order_release);
  return true;
}

/* An array is so many sends, of which some may have been taken when the time is
 * over, or when an error was made: one at a time it is known which. */
static int few_for(sender *self, int subject) {
  const place *place = &the.places[subject];
  if (place->has_time || place->policy == RAC_BOUND_ERROR) return 1;
  return percent(&self->random, 12) ? 2 + below(&self->random, 12) : 1;
}

static void rest(sender *self) {
  int what = below(&self->random, 400);
  if (what < 12) sched_yield();
  if (what == 0) nanosleep(&(struct timespec){0, 20000}, NULL);
}

void *run_sender(void *context) {
  sender *self = context;
  int favourite = below(&self->random, the.place_count);
  for (int i = 0; i < the.per_thread; i++) {
    int subject = percent(&self->random, 40)
                      ? favourite
                      : below(&self->random, the.place_count);
    send_some(self, subject, few_for(self, subject));
    rest(self);
  }
  atomic_fetch_add(&the.waiting, 1);
  while (atomic_load(&the.phase) == 0)
    nanosleep(&(struct timespec){0, 50000}, NULL);
  /* When all stands still: who hears at all hears these. */
  for (int subject = 0; subject < the.place_count; subject++)
    for (int i = 0; i < 3; i++) send_some(self, subject, 1);
  atomic_fetch_add(&the.finished, 1);
  return NULL;
}
