/* Senders that wait for room, and what wakes them. */
#include "operators.h"

typedef struct sender {
  rac_subscriber *to;
  int64_t number;
  atomic_bool is_over;
  rac_status answer;
  pthread_t thread;
} sender;

static void *send(void *argument) {
  sender *self = argument;
  self->answer = rac_subscriber_send(self->to, I(self->number));
  atomic_store(&self->is_over, true);
  return NULL;
}

/* The hook tells that somebody sleeps. */
static atomic_int asleep;

static void falls_asleep(void *context) {
  (void)context;
  atomic_fetch_add(&asleep, 1);
}

static void wakes(void *context) {
  (void)context;
  atomic_fetch_sub(&asleep, 1);
}

static void watch(void) {
  rac_set_blocking_hook(NULL, falls_asleep, wakes, NULL);
}

static void unwatch(void) {
  rac_set_blocking_hook(NULL, NULL, NULL, NULL);
  CHECK_INT(atomic_load(&asleep), 0);
}

static void send_elsewhere(sender *self, void *to, int64_t number) {
  *self = (sender){.to = to, .number = number};
  self->thread = check_spawn(send, self);
}

/* A thread that sends, and waits for room. */
static void send_and_wait(sender *self, void *to, int64_t number) {
  int before = atomic_load(&asleep);
  send_elsewhere(self, to, number);
  WAIT_UNTIL(atomic_load(&asleep) == before + 1);
  CHECK(!atomic_load(&self->is_over));
}

static void answered(sender *self, rac_status expected) {
  WAIT_UNTIL(atomic_load(&self->is_over));
  check_join(self->thread);
  CHECK_STATUS(self->answer, expected);
}

/* The same of one that went on, perhaps together with others. */
static void went_on(sender *self) {
  WAIT_UNTIL(atomic_load(&self->is_over));
  check_join(self->thread);
  CHECK(self->answer == RAC_OK || self->answer == RAC_QUEUED);
}

typedef struct line {
  rac_scheduler *scheduler;
  rac_bound *bound;
  rac_subject *subject;
  recorder heard;
} line;

/* A subject with a line below it, which holds one value and is full. */
static void begin(line *self) {
  watch();
  self->scheduler = rac_scheduler_virtual();
  self->bound = rac_bound_create(1, RAC_BOUND_WAIT);
  self->subject = rac_subject_create_bounded(self->bound);
  rac_signal *signal = rac_signal_deliver_on_bounded(
      as_signal(self->subject), self->scheduler, self->bound);
  record(signal, &self->heard);
  rac_release(signal);
  CHECK_STATUS(rac_subject_send(self->subject, I(1)), RAC_OK);
}

static void end(line *self) {
  rac_dispose(self->heard.subscription);
  rac_virtual_step_all(self->scheduler);
  let_go(&self->heard);
  rac_release(self->subject);
  rac_release(self->bound);
  rac_release(self->scheduler);
  unwatch();
}

TEST(a_value_that_is_taken_wakes_one) {
  line l = {0};
  begin(&l);
  sender a, b;
  send_and_wait(&a, l.subject, 2);
  send_and_wait(&b, l.subject, 3);
  rac_virtual_step(l.scheduler);
  WAIT_UNTIL(rac_bound_get(l.bound, RAC_BOUND_LENGTH) == 1);
  WAIT_UNTIL(atomic_load(&a.is_over) || atomic_load(&b.is_over));
  /* The other one goes on waiting. */
  check_pause();
  CHECK(!atomic_load(&a.is_over) || !atomic_load(&b.is_over));
  rac_virtual_step(l.scheduler);
  went_on(&a);
  went_on(&b);
  CHECK_INT(rac_bound_get(l.bound, RAC_BOUND_HIGHEST), 1);
  rac_virtual_step_all(l.scheduler);
  CHECK_INT(atomic_load(&l.heard.nexts), 3);
  end(&l);
}

/* Law 7: the line is gone at once, though its scheduler does nothing. */
TEST(a_disposal_of_the_line_wakes_all) {
  line l = {0};
  begin(&l);
  sender senders[4];
  for (int i = 0; i < 4; i++) send_and_wait(&senders[i], l.subject, i + 2);
  rac_dispose(l.heard.subscription);
  for (int i = 0; i < 4; i++) went_on(&senders[i]);
  end(&l);
}

/* Law 13: after an end there is nobody to be waited for. */
TEST(an_end_of_the_subject_wakes_all) {
  line l = {0};
  begin(&l);
  sender senders[2];
  for (int i = 0; i < 2; i++) send_and_wait(&senders[i], l.subject, i + 2);
  CHECK_STATUS(rac_subject_send_completed(l.subject), RAC_OK);
  for (int i = 0; i < 2; i++) went_on(&senders[i]);
  rac_virtual_step_all(l.scheduler);
  CHECK_EVENTS(&l.heard, "1 |");
  end(&l);
}

TEST(a_time_wakes_each) {
  line l = {0};
  begin(&l);
  rac_bound_set_timeout(l.bound, 0.05);
  sender a, b;
  double began = check_clock();
  send_elsewhere(&a, l.subject, 2);
  send_elsewhere(&b, l.subject, 3);
  answered(&a, RAC_ETIMEDOUT);
  answered(&b, RAC_ETIMEDOUT);
  CHECK(check_clock() - began >= 0.05);
  rac_virtual_step_all(l.scheduler);
  CHECK_EVENTS(&l.heard, "1");
  end(&l);
}

/* The reference that the sender has is its own for the call. */
TEST(the_last_reference_may_go_while_somebody_waits) {
  line l = {0};
  begin(&l);
  sender a;
  send_and_wait(&a, l.subject, 2);
  rac_release(l.subject);
  l.subject = NULL;
  rac_virtual_step(l.scheduler);
  answered(&a, RAC_OK);
  rac_virtual_step_all(l.scheduler);
  CHECK_EVENTS(&l.heard, "1 2");
  end(&l);
}

typedef struct created {
  line line;
  rac_subscriber *to;
  rac_signal *signal;
} created;

static rac_status keep_subscriber(void *context, rac_subscriber *subscriber,
                                  rac_disposable **out) {
  (void)out;
  created *self = context_target(context);
  self->to = rac_retain(subscriber);
  return RAC_OK;
}

static void begin_created(created *self) {
  watch();
  self->line.scheduler = rac_scheduler_virtual();
  self->line.bound = rac_bound_create(1, RAC_BOUND_WAIT);
  self->signal = rac_signal_create_bounded(self->line.bound,
                                           CALLBACK_FOR(self, keep_subscriber));
  rac_signal *signal = rac_signal_deliver_on_bounded(
      self->signal, self->line.scheduler, self->line.bound);
  record(signal, &self->line.heard);
  rac_release(signal);
  CHECK_STATUS(rac_subscriber_send(self->to, I(1)), RAC_OK);
}

static void end_created(created *self) {
  rac_release(self->to);
  rac_release(self->signal);
  end(&self->line);
}

/* Law 1: nobody is there to hear it. */
TEST(a_disposal_of_the_subscription_wakes_its_senders) {
  created c = {0};
  begin_created(&c);
  sender a, b;
  send_and_wait(&a, c.to, 2);
  send_and_wait(&b, c.to, 3);
  rac_dispose(c.line.heard.subscription);
  answered(&a, RAC_EDONE);
  answered(&b, RAC_EDONE);
  end_created(&c);
}

TEST(an_end_of_the_subscription_wakes_its_senders) {
  created c = {0};
  begin_created(&c);
  sender a;
  send_and_wait(&a, c.to, 2);
  CHECK_STATUS(rac_subscriber_send_completed(c.to), RAC_OK);
  answered(&a, RAC_EDONE);
  rac_virtual_step_all(c.line.scheduler);
  CHECK_EVENTS(&c.line.heard, "1 |");
  end_created(&c);
}

static const int64_t numbers[] = {2, 3, 4};

static void *send_array(void *argument) {
  sender *self = argument;
  self->answer =
      rac_subscriber_send_array(self->to, RAC_ARRAY_INT64S, numbers, 3);
  atomic_store(&self->is_over, true);
  return NULL;
}

TEST(an_array_waits_for_each_of_its_elements) {
  line l = {0};
  begin(&l);
  sender a = {.to = (void *)l.subject};
  a.thread = check_spawn(send_array, &a);
  for (int i = 0; i < 3; i++) {
    WAIT_UNTIL(atomic_load(&asleep) == 1);
    CHECK_INT(rac_bound_get(l.bound, RAC_BOUND_LENGTH), 1);
    rac_virtual_step(l.scheduler);
    WAIT_UNTIL(rac_bound_get(l.bound, RAC_BOUND_LENGTH) == 1);
  }
  answered(&a, RAC_OK);
  rac_virtual_step_all(l.scheduler);
  CHECK_EVENTS(&l.heard, "1 2 3 4");
  CHECK_INT(rac_bound_get(l.bound, RAC_BOUND_HIGHEST), 1);
  end(&l);
}

/* Those before it were sent. */
TEST(an_array_whose_time_passes_says_so) {
  line l = {0};
  begin(&l);
  rac_virtual_step_all(l.scheduler);
  rac_bound_set_timeout(l.bound, 0.002);
  CHECK_STATUS(rac_subject_send_array(l.subject, RAC_ARRAY_INT64S, numbers, 3),
               RAC_ETIMEDOUT);
  CHECK_TEXT(rac_last_error_function(), "rac_subject_send_array");
  rac_virtual_step_all(l.scheduler);
  CHECK_EVENTS(&l.heard, "1 2");
  end(&l);
}

static void send_in_job(void *context) {
  line *self = context_target(context);
  CHECK_STATUS(rac_subject_send(self->subject, I(2)), RAC_EDEADLK);
  CHECK_TEXT(rac_last_error_function(), "rac_subject_send");
}

static void send_in_destroy(void *context) { send_in_job(context); }

/* Law 6, as for reads. */
TEST(in_a_job_and_in_a_destroy_it_does_not_wait) {
  line l = {0};
  begin(&l);
  rac_scheduler *other = rac_scheduler_virtual();
  rac_release(rac_schedule(other, CALLBACK_FOR(&l, send_in_job)));
  rac_virtual_step_all(other);
  rac_release(other);
  rac_disposable *d = rac_disposable_create(CALLBACK_FOR(&l, send_in_destroy));
  rac_dispose(d);
  rac_release(d);
  end(&l);
}

static rac_status produce(void *context, rac_subscriber *subscriber,
                          rac_disposable **out) {
  (void)context, (void)out;
  for (int64_t i = 1; i <= 1000; i++)
    CHECK_STATUS(rac_subscriber_send(subscriber, I(i)), RAC_OK);
  CHECK_STATUS(rac_subscriber_send_completed(subscriber), RAC_OK);
  return RAC_OK;
}

static void sum_up(void *context, rac_value value) {
  atomic_fetch_add((atomic_llong *)context, value.bits);
}

/* Law 6: what subscribing runs for its own call may wait. */
TEST(the_callback_of_a_create_may_wait) {
  watch();
  rac_scheduler *background = rac_scheduler_background(0, NULL);
  rac_bound *bound = rac_bound_create(4, RAC_BOUND_WAIT);
  rac_signal *signal = rac_signal_create_bounded(bound, NULL, produce, NULL);
  rac_assign((void **)&signal,
             rac_signal_deliver_on_bounded(signal, background, bound));
  atomic_llong sum = 0;
  rac_disposable *d = rac_subscribe_next(signal, &sum, sum_up, NULL);
  WAIT_UNTIL(atomic_load(&sum) == 500500);
  CHECK(rac_bound_get(bound, RAC_BOUND_HIGHEST) <= 4);
  CHECK_INT(rac_bound_get(bound, RAC_BOUND_DROPPED), 0);
  rac_dispose_and_wait(d, -1);
  rac_release(d);
  rac_release(signal);
  rac_release(bound);
  rac_release(background);
  unwatch();
}

/* The same bound at two subjects that flow into one line. */
TEST(two_subjects_wait_for_one_line) {
  watch();
  rac_scheduler *scheduler = rac_scheduler_virtual();
  rac_bound *bound = rac_bound_create(1, RAC_BOUND_WAIT);
  rac_subject *a = rac_subject_create_bounded(bound);
  rac_subject *b = rac_subject_create_bounded(bound);
  rac_signal *both = rac_signal_merge_with(as_signal(a), as_signal(b));
  rac_assign((void **)&both,
             rac_signal_deliver_on_bounded(both, scheduler, bound));
  recorder r = {0};
  record(both, &r);
  CHECK_STATUS(rac_subject_send(a, I(1)), RAC_OK);
  sender one, two;
  send_and_wait(&one, a, 2);
  send_and_wait(&two, b, 3);
  for (int i = 0; i < 3; i++) {
    WAIT_UNTIL(rac_bound_get(bound, RAC_BOUND_LENGTH) == 1);
    rac_virtual_step(scheduler);
  }
  went_on(&one);
  went_on(&two);
  rac_virtual_step_all(scheduler);
  CHECK_INT(atomic_load(&r.nexts), 3);
  CHECK_INT(rac_bound_get(bound, RAC_BOUND_HIGHEST), 1);
  rac_dispose(r.subscription);
  rac_virtual_step_all(scheduler);
  let_go(&r);
  rac_release(both);
  rac_release(b);
  rac_release(a);
  rac_release(bound);
  rac_release(scheduler);
  unwatch();
}

/* A subject alone, whose callbacks wait. */
typedef struct alone {
  rac_bound *bound;
  rac_subject *subject;
  recorder heard;
  sender late;
  atomic_bool leaves;
} alone;

static void wait_inside(recorder *heard, rac_value value) {
  alone *self = heard->user;
  if (value.bits == 1) WAIT_UNTIL(atomic_load(&self->leaves));
  /* Room for one: enough for who waits. */
  if (value.bits == 2) WAIT_UNTIL(atomic_load(&self->late.is_over));
}

static void *send_first(void *argument) {
  alone *self = argument;
  CHECK_STATUS(rac_subject_send(self->subject, I(1)), RAC_OK);
  return NULL;
}

/* However much room there is to be before somebody is woken. */
static void check_callback_that_waits(size_t capacity) {
  watch();
  alone a = {.heard = {.on_next = wait_inside}};
  a.heard.user = &a;
  a.bound = rac_bound_create(capacity, RAC_BOUND_WAIT);
  a.subject = rac_subject_create_bounded(a.bound);
  record(as_signal(a.subject), &a.heard);
  pthread_t first = check_spawn(send_first, &a);
  int64_t last = 2 + (int64_t)capacity;
  for (int64_t n = 2; n < last; n++) {
    /* The first one is inside. */
    while (n == 2 && atomic_load(&a.heard.nexts) == 0) check_pause();
    CHECK_STATUS(rac_subject_send(a.subject, I(n)), RAC_QUEUED);
  }
  send_and_wait(&a.late, rac_subject_as_subscriber(a.subject), last);
  atomic_store(&a.leaves, true);
  went_on(&a.late);
  check_join(first);
  CHECK_INT(atomic_load(&a.heard.nexts), last);
  CHECK_INT(rac_bound_get(a.bound, RAC_BOUND_HIGHEST), (int64_t)capacity);
  finish(&a.heard);
  rac_release(a.subject);
  rac_release(a.bound);
  unwatch();
}

TEST(a_callback_may_wait_for_one_who_waits_for_little_room) {
  check_callback_that_waits(1);
  check_callback_that_waits(4);
  check_callback_that_waits(64);
}

/* ---- One bound at many entries ----------------------------------------------- */

enum { ENTRIES = 8 };

/* How often threads have fallen asleep. */
static atomic_int naps;

static void counts_nap(void *context) {
  (void)context;
  atomic_fetch_add(&naps, 1);
  atomic_fetch_add(&asleep, 1);
}

/* A place that becomes free wakes one sender, whichever subject it sends to, and
 * the others sleep on; each subject has its turn. */
TEST(a_place_that_many_subjects_share_wakes_one) {
  rac_scheduler *scheduler = rac_scheduler_virtual();
  rac_bound *bound = rac_bound_create(1, RAC_BOUND_WAIT);
  rac_subject *subjects[ENTRIES];
  for (int i = 0; i < ENTRIES; i++) {
    subjects[i] = rac_subject_create_bounded(bound);
  }
  rac_signal *merged = rac_signal_merge((rac_signal *const *)subjects, ENTRIES);
  rac_signal *signal = rac_signal_deliver_on_bounded(merged, scheduler, bound);
  rac_release(merged);
  recorder heard = {0};
  record(signal, &heard);
  rac_release(signal);
  CHECK_STATUS(rac_subject_send(subjects[0], I(0)), RAC_OK);
  rac_set_blocking_hook(NULL, counts_nap, wakes, NULL);
  atomic_store(&naps, 0);
  sender senders[ENTRIES];
  for (int i = 0; i < ENTRIES; i++) {
    send_and_wait(&senders[i], subjects[i], i + 1);
  }
  for (int i = 0; i < ENTRIES; i++) {
    rac_virtual_step(scheduler);
    went_on(&senders[i]);
    CHECK_INT(atomic_load(&asleep), ENTRIES - 1 - i);
  }
  CHECK_INT(atomic_load(&naps), ENTRIES);
  rac_virtual_step_all(scheduler);
  CHECK_EVENTS(&heard, "0 1 2 3 4 5 6 7 8");
  unwatch();
  rac_dispose(heard.subscription);
  let_go(&heard);
  for (int i = 0; i < ENTRIES; i++) rac_release(subjects[i]);
  rac_release(bound);
  rac_release(scheduler);
}
