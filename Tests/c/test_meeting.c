/* Two threads meet in a subject for the first time, a hundred thousand times.
 * The first one sends without a pause, the second comes at some time of its
 * own; neither knows of the other but through the library. */
#include "operators.h"
#include "witness.h"

enum { GATES = 1000, SENDS = 24 };

typedef struct place {
  rac_subject *subject;
  witness heard;
} place;

static place places[GATES];
/* Up to where the first thread has come. */
static atomic_int come;

static void linger(int spins) {
  volatile int spin = spins;
  while (spin > 0) spin = spin - 1;
}

static void *send_first(void *argument) {
  atomic_int *ready = argument;
  for (int i = 0; i < GATES; i++)
    if (rac_subject_send(places[i].subject, pack(0, 0)) < 0)
      check_fail(__FILE__, __LINE__, "a send failed");
  start_together(ready, 2);
  for (int i = 0; i < GATES; i++) {
    atomic_store_explicit(&come, i + 1, memory_order_release);
    for (int n = 1; n < SENDS; n++)
      rac_subject_send(places[i].subject, pack(0, n));
  }
  return NULL;
}

static void *send_second(void *argument) {
  static uint64_t random;
  atomic_int *ready = argument;
  start_together(ready, 2);
  for (int i = 0; i < GATES; i++) {
    while (atomic_load_explicit(&come, memory_order_acquire) <= i) linger(1);
    linger((int)(check_random(&random) % 256));
    rac_subject_send(places[i].subject, pack(1, 0));
    rac_subject_send(places[i].subject, pack(1, 1));
  }
  return NULL;
}

static void meet_everywhere(void) {
  atomic_int ready = 0;
  memset(places, 0, sizeof places);
  atomic_store(&come, 0);
  for (int i = 0; i < GATES; i++) {
    places[i].subject = rac_subject_create();
    witness_start(&places[i].heard, as_signal(places[i].subject), 0);
  }
  pthread_t first = check_spawn(send_first, &ready);
  pthread_t second = check_spawn(send_second, &ready);
  check_join(first);
  check_join(second);
  for (int i = 0; i < GATES; i++) {
    rac_release(places[i].subject);
    witness_gone(&places[i].heard);
    CHECK_INT(places[i].heard.next[0], SENDS);
    CHECK_INT(places[i].heard.next[1], 2);
  }
}

TEST(two_threads_meet_for_the_first_time) {
  double seconds = check_seconds(), start = check_clock();
  int64_t rounds = 0, least = check_scaled(100);
  while (seconds > 0 ? check_clock() - start < seconds : rounds < least) {
    meet_everywhere();
    rounds++;
  }
  if (seconds > 0)
    printf("meeting: %lld first meetings in %.0f s\n",
           (long long)(rounds * GATES), check_clock() - start);
}
