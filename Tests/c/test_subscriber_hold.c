/* rac_subscriber_hold(): a producer that asks before it sends. */
#include "operators.h"

enum { PLACES = 8 };

static rac_scheduler *background(void) {
  return rac_scheduler_background(0, NULL);
}

/* Sends the numbers from 0 on, as far as there is room. */
typedef struct asker {
  rac_subscriber *subscriber;
  rac_scheduler *scheduler;
  int64_t next, count;
  atomic_int turns, destroyed;
} asker;

static void let_subscriber_go(asker *self) {
  rac_release(self->subscriber);
  self->subscriber = NULL;
}

static void go_on(void *context) {
  asker *self = context_target(context);
  rac_status status = RAC_OK;
  atomic_fetch_add(&self->turns, 1);
  while (self->next < self->count &&
         (status = rac_subscriber_hold(self->subscriber, self->scheduler, NULL,
                                       context_new(self, &self->destroyed),
                                       go_on, context_destroy)) == RAC_OK)
    rac_subscriber_send(self->subscriber, I(self->next++));
  if (status == RAC_PENDING) return;
  rac_subscriber_send_completed(self->subscriber);
  let_subscriber_go(self);
}

static void start(asker *self) {
  void *mine = context_new(self, NULL);
  go_on(mine);
  context_destroy(mine);
}

static rac_status begin(void *context, rac_subscriber *subscriber,
                        rac_disposable **out) {
  asker *self = context;
  (void)out;
  self->subscriber = rac_retain(subscriber);
  start(self);
  return RAC_OK;
}

static int64_t expected;
static atomic_llong heard;
static atomic_int ends, disorder;

static void hear(void *context, rac_value value) {
  (void)context;
  if (value.bits != expected++) atomic_fetch_add(&disorder, 1);
  atomic_fetch_add(&heard, 1);
}
static void hear_end(void *context) {
  (void)context;
  atomic_fetch_add(&ends, 1);
}

static rac_disposable *listen(rac_signal *signal) {
  rac_observer observer = RAC_OBSERVER_INIT;
  expected = 0;
  atomic_store(&heard, 0);
  atomic_store(&ends, 0);
  atomic_store(&disorder, 0);
  observer.next = hear;
  observer.completed = hear_end;
  return rac_subscribe(signal, &observer);
}

TEST(without_a_place_there_is_always_room) {
  asker s = {.count = 1000};
  owned rac_signal *signal = rac_signal_create(&s, begin, NULL);
  owned rac_disposable *d = listen(signal);
  CHECK_INT(heard, 1000);
  CHECK_INT(ends, 1);
  CHECK_INT(s.turns, 1);
  CHECK_INT(s.destroyed, 1000);
}

/* Law 26: it goes on when half of the room is free. */
TEST(the_action_comes_when_half_is_free) {
  owned rac_scheduler *slow = rac_scheduler_virtual();
  owned rac_bound *bound = rac_bound_create(PLACES, RAC_BOUND_WAIT);
  asker s = {.count = 100, .scheduler = slow};
  owned rac_signal *created = rac_signal_create(&s, begin, NULL);
  owned rac_signal *signal =
      rac_signal_deliver_on_bounded(created, slow, bound);
  owned rac_disposable *d = listen(signal);
  CHECK_INT(s.next, PLACES);
  CHECK_INT(s.turns, 1);
  rac_virtual_step_all(slow);
  CHECK_INT(heard, 100);
  CHECK_INT(disorder, 0);
  CHECK_INT(ends, 1);
  CHECK(s.turns > 10);
  CHECK_INT(rac_bound_get(bound, RAC_BOUND_HIGHEST), PLACES);
}

TEST(a_producer_on_another_thread) {
  owned rac_scheduler *maker = background();
  owned rac_scheduler *taker = background();
  owned rac_bound *bound = rac_bound_create(PLACES, RAC_BOUND_REFUSE);
  int64_t many = check_scaled(20000);
  asker s = {.count = many, .scheduler = maker};
  owned rac_signal *created = rac_signal_create(&s, begin, NULL);
  owned rac_signal *signal =
      rac_signal_deliver_on_bounded(created, taker, bound);
  owned rac_disposable *d = listen(signal);
  WAIT_UNTIL(atomic_load(&ends) == 1);
  CHECK_INT(heard, many);
  CHECK_INT(disorder, 0);
  CHECK(rac_bound_get(bound, RAC_BOUND_HIGHEST) <= PLACES);
  rac_settle(10);
}

/* Law 30: the action of a subscription that is over is not called. */
TEST(a_disposal_drops_the_action) {
  owned rac_scheduler *slow = rac_scheduler_virtual();
  owned rac_bound *bound = rac_bound_create(2, RAC_BOUND_WAIT);
  asker s = {.count = 100, .scheduler = slow};
  owned rac_signal *created = rac_signal_create(&s, begin, NULL);
  owned rac_signal *signal =
      rac_signal_deliver_on_bounded(created, slow, bound);
  owned rac_disposable *d = listen(signal);
  CHECK_INT(s.next, 2);
  CHECK_INT(s.destroyed, 2);
  rac_dispose(d);
  CHECK_INT(s.destroyed, 3);
  rac_virtual_step_all(slow);
  CHECK_INT(s.turns, 1);
  CHECK_STATUS(rac_subscriber_hold(s.subscriber, slow, NULL,
                                   context_new(&s, &s.destroyed), go_on,
                                   context_destroy),
               RAC_EDONE);
  CHECK_INT(s.destroyed, 4);
  let_subscriber_go(&s);
}

/* In a signal that a flatten runs the places are those below the flatten. */
TEST(an_inner_subscriber_finds_the_places_below) {
  owned rac_scheduler *slow = rac_scheduler_virtual();
  owned rac_bound *bound = rac_bound_create(PLACES, RAC_BOUND_WAIT);
  asker s = {.count = 50, .scheduler = slow};
  owned rac_signal *created = rac_signal_create(&s, begin, NULL);
  owned_value inner = rac_value_signal(created);
  owned rac_signal *one = rac_signal_return(inner);
  owned rac_signal *flat = rac_signal_flatten(one, 0);
  owned rac_signal *signal = rac_signal_deliver_on_bounded(flat, slow, bound);
  owned rac_disposable *d = listen(signal);
  CHECK_INT(s.next, PLACES);
  rac_virtual_step_all(slow);
  CHECK_INT(heard, 50);
  CHECK_INT(disorder, 0);
  CHECK_INT(rac_bound_get(bound, RAC_BOUND_HIGHEST), PLACES);
}

/* A subject is asked about the places that have its bound. */
TEST(a_bounded_subject_holds_its_senders) {
  owned rac_scheduler *slow = rac_scheduler_virtual();
  owned rac_bound *bound = rac_bound_create(2, RAC_BOUND_WAIT);
  owned rac_subject *subject = rac_subject_create_bounded(bound);
  owned rac_signal *signal =
      rac_signal_deliver_on_bounded(as_signal(subject), slow, bound);
  owned rac_disposable *d = listen(signal);
  asker s = {.count = 50, .scheduler = slow};
  s.subscriber = rac_retain(rac_subject_as_subscriber(subject));
  start(&s);
  CHECK_INT(s.next, 2);
  rac_virtual_step_all(slow);
  CHECK_INT(heard, 50);
  CHECK_INT(ends, 1);
  CHECK_INT(rac_bound_get(bound, RAC_BOUND_HIGHEST), 2);
}

TEST(a_subject_without_a_bound_does_not) {
  owned rac_subject *subject = rac_subject_create();
  asker s = {0};
  CHECK_STATUS(rac_subscriber_hold(rac_subject_as_subscriber(subject), NULL,
                                   NULL, context_new(&s, &s.destroyed), go_on,
                                   context_destroy),
               RAC_OK);
  CHECK_INT(s.destroyed, 1);
}

static rac_status ask(rac_subject *subject) {
  return rac_subscriber_hold(rac_subject_as_subscriber(subject), NULL, NULL,
                             NULL, NULL, NULL);
}

/* Without an action it is a question, and nothing waits. */
TEST(a_question_leaves_nothing) {
  owned rac_scheduler *slow = rac_scheduler_virtual();
  owned rac_bound *bound = rac_bound_create(2, RAC_BOUND_WAIT);
  owned rac_subject *subject = rac_subject_create_bounded(bound);
  owned rac_signal *signal =
      rac_signal_deliver_on_bounded(as_signal(subject), slow, bound);
  owned rac_disposable *d = listen(signal);
  uint64_t before = rac_live_objects();
  CHECK_STATUS(ask(subject), RAC_OK);
  rac_subject_send(subject, I(0));
  rac_subject_send(subject, I(1));
  uint64_t full = rac_live_objects();
  for (int i = 0; i < 100; i++) CHECK_STATUS(ask(subject), RAC_PENDING);
  CHECK_INT(rac_live_objects(), full);
  rac_virtual_step_all(slow);
  CHECK_STATUS(ask(subject), RAC_OK);
  CHECK_INT(rac_live_objects(), before);
  asker s = {0};
  CHECK_STATUS(rac_subscriber_hold(rac_subject_as_subscriber(subject), NULL,
                                   NULL, context_new(&s, &s.destroyed), NULL,
                                   context_destroy),
               RAC_OK);
  CHECK_INT(s.destroyed, 1);
}

/* A hold that is taken back leaves nothing, and lets the others wait. */
static void check_taken_back(bool dispose) {
  owned rac_scheduler *slow = rac_scheduler_virtual();
  owned rac_bound *bound = rac_bound_create(2, RAC_BOUND_WAIT);
  asker s = {.count = 100, .scheduler = slow};
  owned rac_signal *created = rac_signal_create(&s, begin, NULL);
  owned rac_signal *signal =
      rac_signal_deliver_on_bounded(created, slow, bound);
  owned rac_disposable *d = listen(signal);
  CHECK_INT(s.next, 2);
  asker other = {0};
  uint64_t before = rac_live_objects();
  for (int i = 0; i < 100; i++) {
    owned rac_disposable *waiting = NULL;
    CHECK_STATUS(rac_subscriber_hold(s.subscriber, slow, &waiting,
                                     context_new(&other, &other.destroyed),
                                     go_on, context_destroy),
                 RAC_PENDING);
    REQUIRE(waiting != NULL);
    CHECK(!rac_is_disposed(waiting));
    if (dispose) rac_dispose(d);
    rac_dispose(waiting);
    rac_dispose(waiting);
    CHECK(rac_is_disposed(waiting));
    CHECK_INT(other.destroyed, i + 1);
    if (dispose) break;
  }
  if (dispose) {
    let_subscriber_go(&s);
  } else {
    /* The subscriber's list has a place for a few that are over. */
    CHECK(rac_live_objects() <= before + 10);
  }
  rac_virtual_step_all(slow);
  CHECK_INT(heard, dispose ? 0 : 100);
  CHECK_INT(disorder, 0);
  CHECK_INT(other.turns, 0);
}

TEST(a_hold_is_taken_back) { check_taken_back(false); }
TEST(a_hold_is_taken_back_after_a_disposal) { check_taken_back(true); }

/* Threads that wait and take it back beside one that goes on. */
typedef struct impatient {
  rac_subscriber *subscriber;
  rac_scheduler *scheduler;
  atomic_bool *is_over;
  atomic_int destroyed;
  int asked;
} impatient;

static void do_nothing(void *context) { (void)context; }

static void *ask_and_leave(void *context) {
  impatient *self = context;
  while (!atomic_load(self->is_over)) {
    owned rac_disposable *waiting = NULL;
    self->asked++;
    rac_subscriber_hold(self->subscriber, self->scheduler, &waiting,
                        context_new(self, &self->destroyed), do_nothing,
                        context_destroy);
    if (waiting != NULL) rac_dispose(waiting);
  }
  return NULL;
}

TEST(holds_are_taken_back_while_others_go_on) {
  owned rac_scheduler *maker = background();
  owned rac_scheduler *taker = background();
  owned rac_bound *bound = rac_bound_create(PLACES, RAC_BOUND_WAIT);
  owned rac_subject *subject = rac_subject_create_bounded(bound);
  owned rac_signal *signal =
      rac_signal_deliver_on_bounded(as_signal(subject), taker, bound);
  owned rac_disposable *d = listen(signal);
  atomic_bool is_over = false;
  impatient others[2];
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) {
    others[i] = (impatient){.subscriber = rac_subject_as_subscriber(subject),
                            .scheduler = maker,
                            .is_over = &is_over};
    pthread_create(&threads[i], NULL, ask_and_leave, &others[i]);
  }
  int64_t many = check_scaled(5000);
  asker s = {.count = many, .scheduler = maker};
  s.subscriber = rac_retain(rac_subject_as_subscriber(subject));
  start(&s);
  WAIT_UNTIL(atomic_load(&ends) == 1);
  atomic_store(&is_over, true);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  rac_settle(10);
  CHECK_INT(heard, many);
  CHECK_INT(disorder, 0);
  for (int i = 0; i < 2; i++)
    WAIT_UNTIL(atomic_load(&others[i].destroyed) == others[i].asked);
}

TEST(its_arguments_are_checked) {
  asker s = {0};
  owned rac_subject *subject = rac_subject_create();
  rac_subscriber *subscriber = rac_subject_as_subscriber(subject);
  rac_disposable *waiting = (void *)subject;
  CHECK_STATUS(rac_subscriber_hold(NULL, NULL, &waiting,
                                   context_new(&s, &s.destroyed), go_on,
                                   context_destroy),
               RAC_ENULL);
  CHECK(waiting == NULL);
  CHECK_STATUS(rac_subscriber_hold(NULL, NULL, NULL,
                                   context_new(&s, &s.destroyed), NULL,
                                   context_destroy),
               RAC_ENULL);
  CHECK_STATUS(rac_subscriber_hold(subscriber, rac_scheduler_immediate(), NULL,
                                   context_new(&s, &s.destroyed), go_on,
                                   context_destroy),
               RAC_EINVAL);
  CHECK_STATUS(rac_subscriber_hold(subscriber, (void *)subject, NULL,
                                   context_new(&s, &s.destroyed), go_on,
                                   context_destroy),
               RAC_EKIND);
  CHECK_INT(s.destroyed, 4);
}
