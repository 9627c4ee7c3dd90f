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
         (status = rac_subscriber_hold(self->subscriber, self->scheduler,
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
  CHECK_STATUS(rac_subscriber_hold(s.subscriber, slow,
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
                                   context_new(&s, &s.destroyed), go_on,
                                   context_destroy),
               RAC_OK);
  CHECK_INT(s.destroyed, 1);
}

TEST(its_arguments_are_checked) {
  asker s = {0};
  owned rac_subject *subject = rac_subject_create();
  rac_subscriber *subscriber = rac_subject_as_subscriber(subject);
  CHECK_STATUS(rac_subscriber_hold(NULL, NULL, context_new(&s, &s.destroyed),
                                   go_on, context_destroy),
               RAC_ENULL);
  CHECK_STATUS(rac_subscriber_hold(subscriber, NULL,
                                   context_new(&s, &s.destroyed), NULL,
                                   context_destroy),
               RAC_ENULL);
  CHECK_STATUS(rac_subscriber_hold(subscriber, rac_scheduler_immediate(),
                                   context_new(&s, &s.destroyed), go_on,
                                   context_destroy),
               RAC_EINVAL);
  CHECK_STATUS(rac_subscriber_hold(subscriber, (void *)subject,
                                   context_new(&s, &s.destroyed), go_on,
                                   context_destroy),
               RAC_EKIND);
  CHECK_INT(s.destroyed, 4);
}
