/* Floods into everything that has a bound: more comes than is taken, and memory
 * stays what it is, the counts are right, and nothing is lost but what the policy
 * drops. RAC_STRESS_SECONDS says how long all of them are to run, RAC_STRESS_DIVISOR
 * makes it shorter. */
#include <unistd.h>

#include "../../Sources/CRACShims/stack_levels.h"
#include "operators.h"

enum { MOST_SENDERS = 4, FLOODS = 23 };

/* Bytes. AddressSanitizer keeps what was freed for a while. */
#if defined(RAC_SANITIZED)
enum { MOST_GROWN = 256 << 20 };
#else
enum { MOST_GROWN = 8 << 20 };
#endif

/* Bytes of this process that are in memory. */
static int64_t resident(void) {
  long pages = 0, all = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  if (file == NULL) return 0;
  if (fscanf(file, "%ld %ld", &all, &pages) != 2) pages = 0;
  fclose(file);
  return (int64_t)pages * sysconf(_SC_PAGESIZE);
}

static double how_long(void) {
  double seconds = check_seconds();
  return seconds > 0 ? seconds / FLOODS : (double)check_scaled(250) / 1000;
}

/* What the senders of a flood share. A value says who sent it and its number
 * there: both are counted from 0. */
typedef struct flood {
  void *to;
  int senders;
  double end;
  atomic_llong sent, refused, dropped;
  /* What was heard: how many, and the latest number of each sender. */
  atomic_llong heard;
  int64_t latest[MOST_SENDERS];
  atomic_llong disorder, gaps;
  /* How long the one who hears takes, and how many are to wait behind its first
   * value before that is over: on a busy machine it might keep up. */
  int pauses, waiting;
  bool has_waited;
  rac_bound *bound;
  int next;
} flood;

static int64_t value_of(int who, int64_t number) {
  return number * MOST_SENDERS + who;
}

/* Callbacks of one subscription do not overlap. */
static void hear(void *context, rac_value value) {
  flood *self = context;
  int who = (int)(value.bits % MOST_SENDERS);
  int64_t number = value.bits / MOST_SENDERS;
  if (self->waiting > 0 && !self->has_waited) {
    self->has_waited = true;
    WAIT_UNTIL(rac_bound_get(self->bound, RAC_BOUND_HIGHEST) >=
               (size_t)self->waiting);
  }
  if (number <= self->latest[who]) atomic_fetch_add(&self->disorder, 1);
  if (number != self->latest[who] + 1) atomic_fetch_add(&self->gaps, 1);
  self->latest[who] = number;
  atomic_fetch_add_explicit(&self->heard, 1, memory_order_relaxed);
  for (volatile int i = 0; i < self->pauses; i++) {
  }
}

typedef struct sender {
  flood *flood;
  int who;
} sender;

static void *send_to_one(void *argument) {
  sender *self = argument;
  flood *f = self->flood;
  int64_t number = 0, refused = 0, dropped = 0;
  /* Enough in any case, however late this thread begins. */
  do {
    for (int i = 0; i < 64 || number <= 2 * f->waiting; i++) {
      rac_status status =
          rac_subscriber_send(f->to, I(value_of(self->who, number)));
      if (status == RAC_EAGAIN) {
        refused++;
        continue;
      }
      if (status == RAC_DROPPED) dropped++;
      if (status < 0) CHECK_STATUS(status, RAC_OK);
      number++;
    }
  } while (check_clock() < f->end);
  atomic_fetch_add(&f->sent, number);
  atomic_fetch_add(&f->refused, refused);
  atomic_fetch_add(&f->dropped, dropped);
  return NULL;
}

static void begin(flood *f, int senders, rac_bound *bound) {
  f->senders = senders;
  f->bound = bound;
  for (int i = 0; i < MOST_SENDERS; i++) f->latest[i] = -1;
}

/* All senders at once; memory may grow while they start, and not after. */
static void run(flood *f, void *to, void *(*send)(void *sender)) {
  pthread_t threads[MOST_SENDERS];
  sender senders[MOST_SENDERS];
  double seconds = how_long();
  f->to = to;
  f->end = check_clock() + seconds;
  for (int i = 0; i < f->senders; i++) {
    senders[i] = (sender){f, i};
    threads[i] = check_spawn(send, &senders[i]);
  }
  while (check_clock() < f->end - seconds * 0.7) check_pause();
  int64_t before = resident();
  while (check_clock() < f->end) check_pause();
  int64_t grown = resident() - before;
  if (grown > MOST_GROWN || check_seconds() > 0)
    printf("grown by %lld KB\n", (long long)(grown >> 10));
  CHECK(grown <= MOST_GROWN);
  for (int i = 0; i < f->senders; i++) check_join(threads[i]);
}

static void settled(flood *f) {
  WAIT_UNTIL(rac_bound_get(f->bound, RAC_BOUND_LENGTH) == 0);
}

/* What is slow: a line below, or the gate where values enter. */
static void flood_line(int32_t policy, int senders, bool holds) {
  enum { CAPACITY = 1000 };
  flood f = {.pauses = 200};
  if (!holds) f.waiting = policy == RAC_BOUND_LATEST ? 1 : CAPACITY;
  owned rac_bound *bound = rac_bound_create(CAPACITY, policy);
  begin(&f, senders, bound);
  owned rac_scheduler *background = rac_scheduler_background(0, NULL);
  owned rac_subject *subject =
      holds ? rac_subject_create_bounded(bound) : rac_subject_create();
  owned rac_signal *signal =
      rac_signal_deliver_on_bounded(as_signal(subject), background, bound);
  owned rac_disposable *d = rac_subscribe_next(signal, &f, hear, NULL);
  run(&f, rac_subject_as_subscriber(subject), send_to_one);
  settled(&f);
  /* Of a subject without a bound the gate has its own queue. */
  WAIT_UNTIL(atomic_load(&f.heard) +
                 (int64_t)rac_bound_get(bound, RAC_BOUND_DROPPED) ==
             atomic_load(&f.sent));
  CHECK_INT(atomic_load(&f.disorder), 0);
  if (holds) {
    CHECK_INT(rac_bound_get(bound, RAC_BOUND_DROPPED), 0);
    CHECK_INT(atomic_load(&f.heard), atomic_load(&f.sent));
    CHECK_INT(atomic_load(&f.gaps), 0);
    CHECK(rac_bound_get(bound, RAC_BOUND_HIGHEST) <= CAPACITY);
  } else if (policy == RAC_BOUND_LATEST) {
    CHECK_INT(rac_bound_get(bound, RAC_BOUND_HIGHEST), 1);
  } else {
    CHECK_INT(rac_bound_get(bound, RAC_BOUND_HIGHEST), CAPACITY);
  }
  rac_dispose_and_wait(d, -1);
}

TEST(a_line_that_drops_the_oldest) {
  flood_line(RAC_BOUND_DROP_OLDEST, 1, false);
}
TEST(a_line_that_drops_the_newest) {
  flood_line(RAC_BOUND_DROP_NEWEST, 1, false);
}
TEST(a_line_that_keeps_the_latest) { flood_line(RAC_BOUND_LATEST, 1, false); }
TEST(a_line_that_holds_one_sender_up) { flood_line(RAC_BOUND_WAIT, 1, true); }
TEST(a_line_that_holds_four_senders_up) { flood_line(RAC_BOUND_WAIT, 4, true); }
TEST(a_line_for_which_four_senders_are_refused) {
  flood_line(RAC_BOUND_REFUSE, 4, true);
}

static void flood_gate(int32_t policy) {
  enum { CAPACITY = 100 };
  flood f = {.pauses = 200};
  owned rac_bound *bound = rac_bound_create(CAPACITY, policy);
  begin(&f, 4, bound);
  owned rac_subject *subject = rac_subject_create_bounded(bound);
  owned rac_disposable *d =
      rac_subscribe_next(as_signal(subject), &f, hear, NULL);
  run(&f, rac_subject_as_subscriber(subject), send_to_one);
  settled(&f);
  CHECK_INT(atomic_load(&f.heard) +
                (int64_t)rac_bound_get(bound, RAC_BOUND_DROPPED),
            atomic_load(&f.sent));
  if (policy == RAC_BOUND_DROP_NEWEST)
    CHECK_INT(atomic_load(&f.dropped), rac_bound_get(bound, RAC_BOUND_DROPPED));
  CHECK_INT(atomic_load(&f.disorder), 0);
  if (policy == RAC_BOUND_WAIT || policy == RAC_BOUND_REFUSE)
    CHECK_INT(atomic_load(&f.gaps), 0);
  CHECK(rac_bound_get(bound, RAC_BOUND_HIGHEST) <= CAPACITY);
  rac_dispose_and_wait(d, -1);
}

TEST(a_subject_that_drops_the_oldest) { flood_gate(RAC_BOUND_DROP_OLDEST); }
TEST(a_subject_that_drops_the_newest) { flood_gate(RAC_BOUND_DROP_NEWEST); }
TEST(a_subject_that_keeps_the_latest) { flood_gate(RAC_BOUND_LATEST); }
TEST(a_subject_that_waits) { flood_gate(RAC_BOUND_WAIT); }
TEST(a_subject_that_refuses) { flood_gate(RAC_BOUND_REFUSE); }

/* Each sender has a subject of its own. */
static void *send_into_own(void *argument) {
  sender *self = argument;
  flood *f = self->flood;
  int64_t number = 0;
  while (check_clock() < f->end) {
    for (int i = 0; i < 64; i++)
      rac_subject_send(((rac_subject **)f->to)[self->who],
                       I(value_of(self->who, number++)));
  }
  atomic_fetch_add(&f->sent, number);
  return NULL;
}

static void flood_merge(int32_t policy, bool holds) {
  enum { CAPACITY = 100 };
  flood f = {.pauses = 200};
  owned rac_bound *bound = rac_bound_create(CAPACITY, policy);
  begin(&f, 4, bound);
  rac_subject *subjects[MOST_SENDERS];
  for (int i = 0; i < 4; i++)
    subjects[i] =
        holds ? rac_subject_create_bounded(bound) : rac_subject_create();
  rac_signal *merged =
      rac_signal_merge_bounded((rac_signal *const *)(void *)subjects, 4, bound);
  rac_disposable *d = rac_subscribe_next(merged, &f, hear, NULL);
  run(&f, subjects, send_into_own);
  settled(&f);
  CHECK_INT(atomic_load(&f.heard) +
                (int64_t)rac_bound_get(bound, RAC_BOUND_DROPPED),
            atomic_load(&f.sent));
  CHECK_INT(atomic_load(&f.disorder), 0);
  CHECK(rac_bound_get(bound, RAC_BOUND_HIGHEST) <= CAPACITY);
  if (holds) CHECK_INT(atomic_load(&f.gaps), 0);
  rac_dispose_and_wait(d, -1);
  rac_release(d);
  rac_release(merged);
  for (int i = 0; i < 4; i++) rac_release(subjects[i]);
}

TEST(a_merge_that_drops_the_oldest) {
  flood_merge(RAC_BOUND_DROP_OLDEST, false);
}
TEST(a_merge_that_drops_the_newest) {
  flood_merge(RAC_BOUND_DROP_NEWEST, false);
}
TEST(a_merge_that_keeps_the_latest) { flood_merge(RAC_BOUND_LATEST, false); }
TEST(a_merge_that_holds_senders_up) { flood_merge(RAC_BOUND_WAIT, true); }

/* A signal for each value, which sends it on another thread: one at a time. */
static rac_status later(void *context, rac_value value, rac_signal **out) {
  *out = rac_signal_return(value);
  RAC_ASSIGN(*out, rac_signal_deliver_on(*out, context));
  return RAC_OK;
}

static void flood_signals(int32_t policy, bool holds) {
  enum { CAPACITY = 100 };
  flood f = {.pauses = 2000, .waiting = 1};
  owned rac_bound *bound = rac_bound_create(CAPACITY, policy);
  begin(&f, 1, bound);
  owned rac_scheduler *background = rac_scheduler_background(0, NULL);
  owned rac_subject *subject =
      holds ? rac_subject_create_bounded(bound) : rac_subject_create();
  owned rac_signal *signal = rac_signal_flatten_map_limited(
      as_signal(subject), 1, bound, background, later, NULL);
  owned rac_disposable *d = rac_subscribe_next(signal, &f, hear, NULL);
  run(&f, rac_subject_as_subscriber(subject), send_to_one);
  WAIT_UNTIL(atomic_load(&f.heard) +
                 (int64_t)rac_bound_get(bound, RAC_BOUND_DROPPED) ==
             atomic_load(&f.sent));
  CHECK_INT(atomic_load(&f.disorder), 0);
  CHECK(rac_bound_get(bound, RAC_BOUND_HIGHEST) <= CAPACITY);
  CHECK(rac_bound_get(bound, RAC_BOUND_HIGHEST) > 0);
  if (holds) CHECK_INT(atomic_load(&f.gaps), 0);
  rac_dispose_and_wait(d, -1);
}

TEST(signals_of_which_the_oldest_is_dropped) {
  flood_signals(RAC_BOUND_DROP_OLDEST, false);
}
TEST(signals_of_which_the_newest_is_dropped) {
  flood_signals(RAC_BOUND_DROP_NEWEST, false);
}
TEST(signals_that_hold_the_sender_up) { flood_signals(RAC_BOUND_WAIT, true); }

/* The callback of a create hands its subscriber to whoever sends. */
static rac_status give_subscriber(void *context, rac_subscriber *subscriber,
                                  rac_disposable **out) {
  (void)out;
  *(rac_subscriber **)context = rac_retain(subscriber);
  return RAC_OK;
}

static void flood_create(int32_t policy) {
  enum { CAPACITY = 100 };
  flood f = {.pauses = 200};
  owned rac_bound *bound = rac_bound_create(CAPACITY, policy);
  begin(&f, 4, bound);
  rac_thread_attach(); /* it is subscribed to here */
  rac_subscriber *subscriber = NULL;
  rac_signal *signal =
      rac_signal_create_bounded(bound, &subscriber, give_subscriber, NULL);
  rac_disposable *d = rac_subscribe_next(signal, &f, hear, NULL);
  run(&f, subscriber, send_to_one);
  settled(&f);
  CHECK_INT(atomic_load(&f.heard) +
                (int64_t)rac_bound_get(bound, RAC_BOUND_DROPPED),
            atomic_load(&f.sent));
  CHECK_INT(atomic_load(&f.disorder), 0);
  CHECK(rac_bound_get(bound, RAC_BOUND_HIGHEST) <= CAPACITY);
  if (policy == RAC_BOUND_WAIT) CHECK_INT(atomic_load(&f.gaps), 0);
  rac_dispose_and_wait(d, -1);
  rac_release(d);
  rac_release(subscriber);
  rac_release(signal);
  rac_thread_detach();
}

TEST(a_create_that_drops_the_oldest) { flood_create(RAC_BOUND_DROP_OLDEST); }
TEST(a_create_that_waits) { flood_create(RAC_BOUND_WAIT); }

/* A reader that is slower than who sends. */
static void flood_reader(int32_t policy, bool holds) {
  enum { CAPACITY = 1000 };
  flood f = {.pauses = 200};
  owned rac_bound *bound = rac_bound_create(CAPACITY, policy);
  begin(&f, 1, bound);
  owned rac_subject *subject =
      holds ? rac_subject_create_bounded(bound) : rac_subject_create();
  rac_sequence *sequence =
      rac_sequence_from_signal(as_signal(subject), -1, bound);
  owned rac_sequence_iterator *each = rac_sequence_iterate(sequence);
  rac_release(sequence);
  f.to = rac_subject_as_subscriber(subject);
  double begun = check_clock();
  f.end = begun + how_long();
  sender s = {&f, 0};
  pthread_t thread = check_spawn(send_to_one, &s);
  rac_value value;
  int64_t before = 0;
  while (check_clock() < f.end) {
    if (before == 0 && check_clock() > begun + (f.end - begun) / 3)
      before = resident();
    if (rac_sequence_next_for(each, 0.01, &value) == RAC_OK) hear(&f, value);
  }
  int64_t grown = before == 0 ? 0 : resident() - before;
  CHECK(grown <= MOST_GROWN);
  while (!holds && rac_sequence_next_for(each, 0, &value) == RAC_OK)
    hear(&f, value);
  while (holds && rac_sequence_next_for(each, 0.05, &value) == RAC_OK)
    hear(&f, value);
  check_join(thread);
  while (rac_sequence_next_for(each, 0, &value) == RAC_OK) hear(&f, value);
  CHECK_INT(atomic_load(&f.heard) +
                (int64_t)rac_bound_get(bound, RAC_BOUND_DROPPED),
            atomic_load(&f.sent));
  CHECK_INT(atomic_load(&f.disorder), 0);
  CHECK(rac_bound_get(bound, RAC_BOUND_HIGHEST) <= CAPACITY);
  if (holds) CHECK_INT(atomic_load(&f.gaps), 0);
}

TEST(a_reader_for_whom_the_oldest_is_dropped) {
  flood_reader(RAC_BOUND_DROP_OLDEST, false);
}
TEST(a_reader_for_whom_the_newest_is_dropped) {
  flood_reader(RAC_BOUND_DROP_NEWEST, false);
}
TEST(a_reader_who_holds_the_sender_up) { flood_reader(RAC_BOUND_WAIT, true); }
