/* deliver_on with a bound: what becomes of values that come faster than the
 * scheduler takes them. */
#include "operators.h"

typedef struct line {
  rac_scheduler *scheduler;
  rac_bound *bound;
  rac_subject *subject;
  recorder heard;
} line;

/* A subject whose values go to a virtual scheduler. With WAIT and REFUSE it has
 * the bound as well. */
static void begin(line *self, size_t capacity, int32_t policy) {
  bool holds = policy == RAC_BOUND_WAIT || policy == RAC_BOUND_REFUSE;
  self->scheduler = rac_scheduler_virtual();
  self->bound = rac_bound_create(capacity, policy);
  self->subject =
      holds ? rac_subject_create_bounded(self->bound) : rac_subject_create();
  owned rac_signal *signal = rac_signal_deliver_on_bounded(
      as_signal(self->subject), self->scheduler, self->bound);
  CHECK(signal != NULL);
  record(signal, &self->heard);
}

static void step(line *self) { rac_virtual_step_all(self->scheduler); }

#define CHECK_COUNTS(line, length, highest, dropped)                           \
  do {                                                                         \
    CHECK_INT(rac_bound_get((line)->bound, RAC_BOUND_LENGTH), length);         \
    CHECK_INT(rac_bound_get((line)->bound, RAC_BOUND_HIGHEST), highest);       \
    CHECK_INT(rac_bound_get((line)->bound, RAC_BOUND_DROPPED), dropped);       \
  } while (0)

static void end(line *self) {
  rac_dispose(self->heard.subscription);
  step(self);
  let_go(&self->heard);
  CHECK_INT(atomic_load(&self->heard.destroyed), 1);
  CHECK_INT(rac_bound_get(self->bound, RAC_BOUND_LENGTH), 0);
  rac_release(self->subject);
  rac_release(self->bound);
  rac_release(self->scheduler);
}

TEST(what_fits_is_delivered_and_nothing_is_dropped) {
  line l = {0};
  begin(&l, 3, RAC_BOUND_DROP_OLDEST);
  play(l.subject, "1 2 3");
  CHECK_EVENTS(&l.heard, "");
  CHECK_COUNTS(&l, 3, 3, 0);
  step(&l);
  CHECK_EVENTS(&l.heard, "1 2 3");
  CHECK_COUNTS(&l, 0, 3, 0);
  play(l.subject, "4 |");
  step(&l);
  CHECK_EVENTS(&l.heard, "1 2 3 4 |");
  end(&l);
}

TEST(the_oldest_gives_way) {
  line l = {0};
  begin(&l, 3, RAC_BOUND_DROP_OLDEST);
  play(l.subject, "1 2 3 4 5 |");
  CHECK_COUNTS(&l, 3, 3, 2);
  step(&l);
  CHECK_EVENTS(&l.heard, "3 4 5 |");
  end(&l);
}

TEST(the_newest_is_not_taken) {
  line l = {0};
  begin(&l, 3, RAC_BOUND_DROP_NEWEST);
  play(l.subject, "1 2 3 4 5");
  CHECK_COUNTS(&l, 3, 3, 2);
  step(&l);
  play(l.subject, "6 |");
  step(&l);
  CHECK_EVENTS(&l.heard, "1 2 3 6 |");
  end(&l);
}

TEST(the_latest_alone_waits_whatever_the_capacity) {
  line l = {0};
  begin(&l, 100, RAC_BOUND_LATEST);
  CHECK_INT(rac_bound_get(l.bound, RAC_BOUND_CAPACITY), 1);
  play(l.subject, "1 2 3 4 5");
  CHECK_COUNTS(&l, 1, 1, 4);
  step(&l);
  CHECK_EVENTS(&l.heard, "5");
  play(l.subject, "6 |");
  step(&l);
  CHECK_EVENTS(&l.heard, "5 6 |");
  end(&l);
}

static void note_code(void *context, rac_value error) {
  int64_t *code = context;
  *code = rac_error_get_code(error);
  CHECK_TEXT(rac_error_get_domain(error), "rac.signal");
}

/* Law 16: the error is in line behind what was let in. */
TEST(the_stream_ends_with_an_error_behind_what_waits) {
  line l = {0};
  begin(&l, 2, RAC_BOUND_ERROR);
  play(l.subject, "1 2");
  CHECK_INT(rac_subject_subscriber_count(l.subject), 1);
  play(l.subject, "3");
  /* Law 8: upstream at once. */
  CHECK_INT(rac_subject_subscriber_count(l.subject), 0);
  play(l.subject, "4");
  CHECK_COUNTS(&l, 2, 2, 1);
  step(&l);
  CHECK_EVENTS(&l.heard, "1 2 #3");
  end(&l);
}

TEST(the_error_says_what_it_is) {
  owned rac_scheduler *scheduler = rac_scheduler_virtual();
  owned rac_bound *bound = rac_bound_create(1, RAC_BOUND_ERROR);
  owned rac_subject *subject = rac_subject_create();
  owned rac_signal *signal =
      rac_signal_deliver_on_bounded(as_signal(subject), scheduler, bound);
  int64_t code = 0;
  rac_observer observer = RAC_OBSERVER_INIT;
  observer.context = &code;
  observer.error = note_code;
  rac_release(rac_subscribe(signal, &observer));
  play(subject, "1 2");
  rac_virtual_step_all(scheduler);
  CHECK_INT(code, RAC_SIGNAL_OVERFLOW);
}

TEST(a_subject_refuses_what_a_line_below_has_no_room_for) {
  line l = {0};
  begin(&l, 2, RAC_BOUND_REFUSE);
  CHECK_STATUS(rac_subject_send(l.subject, I(1)), RAC_OK);
  CHECK_STATUS(rac_subject_send(l.subject, I(2)), RAC_OK);
  CHECK_STATUS(rac_subject_send(l.subject, I(3)), RAC_EAGAIN);
  CHECK_TEXT(rac_last_error_function(), "rac_subject_send");
  CHECK_COUNTS(&l, 2, 2, 0);
  step(&l);
  CHECK_STATUS(rac_subject_send(l.subject, I(3)), RAC_OK);
  CHECK_STATUS(rac_subject_send_completed(l.subject), RAC_OK);
  step(&l);
  CHECK_EVENTS(&l.heard, "1 2 3 |");
  end(&l);
}

TEST(a_subject_that_waits_for_a_line_below_gives_up_in_time) {
  line l = {0};
  begin(&l, 2, RAC_BOUND_WAIT);
  CHECK_STATUS(rac_bound_set_timeout(l.bound, 0.002), RAC_OK);
  CHECK_STATUS(rac_subject_send(l.subject, I(1)), RAC_OK);
  CHECK_STATUS(rac_subject_send(l.subject, I(2)), RAC_OK);
  CHECK_STATUS(rac_subject_send(l.subject, I(3)), RAC_ETIMEDOUT);
  step(&l);
  CHECK_STATUS(rac_subject_send(l.subject, I(4)), RAC_OK);
  step(&l);
  CHECK_EVENTS(&l.heard, "1 2 4");
  end(&l);
}

TEST(each_subscription_has_its_own_room_and_the_counts_are_summed) {
  line l = {0};
  begin(&l, 2, RAC_BOUND_DROP_OLDEST);
  rac_bound *wide = rac_bound_create(2, RAC_BOUND_DROP_NEWEST);
  rac_signal *signal =
      rac_signal_deliver_on_bounded(as_signal(l.subject), l.scheduler, wide);
  recorder a = {0}, b = {0};
  record(signal, &a);
  record(signal, &b);
  play(l.subject, "1 2 3");
  CHECK_INT(rac_bound_get(wide, RAC_BOUND_LENGTH), 4);
  CHECK_INT(rac_bound_get(wide, RAC_BOUND_HIGHEST), 4);
  CHECK_INT(rac_bound_get(wide, RAC_BOUND_DROPPED), 2);
  step(&l);
  CHECK_EVENTS(&a, "1 2");
  CHECK_EVENTS(&b, "1 2");
  CHECK_EVENTS(&l.heard, "2 3");
  rac_dispose(a.subscription);
  rac_dispose(b.subscription);
  step(&l);
  let_go(&a);
  let_go(&b);
  rac_release(signal);
  rac_release(wide);
  end(&l);
}

/* Two lines of one bound: the fuller one counts. */
TEST(a_sender_is_held_back_by_the_fullest_of_all_lines) {
  line l = {0};
  begin(&l, 2, RAC_BOUND_REFUSE);
  rac_scheduler *slow = rac_scheduler_virtual();
  rac_signal *other =
      rac_signal_deliver_on_bounded(as_signal(l.subject), slow, l.bound);
  recorder r = {0};
  record(other, &r);
  CHECK_STATUS(rac_subject_send(l.subject, I(1)), RAC_OK);
  CHECK_STATUS(rac_subject_send(l.subject, I(2)), RAC_OK);
  CHECK_INT(rac_bound_get(l.bound, RAC_BOUND_LENGTH), 4);
  step(&l);
  CHECK_STATUS(rac_subject_send(l.subject, I(3)), RAC_EAGAIN);
  /* Law 7: a disposal makes room at once, whatever its scheduler does. */
  rac_dispose(r.subscription);
  CHECK_INT(rac_bound_get(l.bound, RAC_BOUND_LENGTH), 0);
  CHECK_STATUS(rac_subject_send(l.subject, I(3)), RAC_OK);
  rac_virtual_step_all(slow);
  let_go(&r);
  CHECK_EVENTS(&r, "");
  rac_release(other);
  rac_release(slow);
  step(&l);
  CHECK_EVENTS(&l.heard, "1 2 3");
  end(&l);
}

/* Law 21. */
TEST(what_gives_way_is_released) {
  atomic_int destroyed = 0;
  line l = {0};
  begin(&l, 2, RAC_BOUND_DROP_OLDEST);
  for (int i = 0; i < 5; i++) {
    owned_value value =
        rac_value_pointer(context_new(NULL, &destroyed), NULL, context_destroy);
    rac_subject_send(l.subject, value);
  }
  CHECK_INT(destroyed, 3);
  rac_dispose(l.heard.subscription);
  CHECK_INT(destroyed, 5);
  end(&l);
}

TEST(sources_that_come_from_elsewhere_are_taken_when_nobody_can_be_held_back) {
  line l = {0};
  begin(&l, 1, RAC_BOUND_REFUSE);
  rac_subject *other = rac_subject_create();
  rac_signal *both =
      rac_signal_merge_with(as_signal(l.subject), as_signal(other));
  rac_signal *signal =
      rac_signal_deliver_on_bounded(both, l.scheduler, l.bound);
  recorder r = {0};
  record(signal, &r);
  CHECK_STATUS(rac_subject_send(other, I(1)), RAC_OK);
  CHECK_STATUS(rac_subject_send(other, I(2)), RAC_OK);
  CHECK_STATUS(rac_subject_send(l.subject, I(3)), RAC_EAGAIN);
  CHECK_INT(rac_bound_get(l.bound, RAC_BOUND_LENGTH), 2);
  step(&l);
  CHECK_EVENTS(&r, "1 2");
  rac_dispose(r.subscription);
  step(&l);
  let_go(&r);
  rac_release(signal);
  rac_release(both);
  rac_release(other);
  end(&l);
}

TEST(a_bound_that_drops_serves_one_signal) {
  line l = {0};
  begin(&l, 1, RAC_BOUND_DROP_OLDEST);
  CHECK(rac_signal_deliver_on_bounded(as_signal(l.subject), l.scheduler,
                                      l.bound) == NULL);
  CHECK_STATUS(rac_last_error_code(), RAC_EBUSY);
  CHECK_TEXT(rac_last_error_function(), "rac_signal_deliver_on_bounded");
  CHECK(rac_subject_create_bounded(l.bound) == NULL);
  CHECK_STATUS(rac_last_error_code(), RAC_EBUSY);
  end(&l);
}

/* Law 27: the senders of a subject that does not have the bound cannot be held
 * back. */
TEST(what_cannot_be_held_is_taken) {
  owned rac_scheduler *scheduler = rac_scheduler_virtual();
  owned rac_bound *bound = rac_bound_create(1, RAC_BOUND_WAIT);
  owned rac_subject *subject = rac_subject_create();
  owned rac_signal *signal =
      rac_signal_deliver_on_bounded(as_signal(subject), scheduler, bound);
  RECORDER(r, signal);
  play(subject, "1 2 3 |");
  CHECK_INT(rac_bound_get(bound, RAC_BOUND_LENGTH), 3);
  rac_virtual_step_all(scheduler);
  CHECK_EVENTS(&r, "1 2 3 |");
}

TEST(a_call_that_fails_leaves_the_bound_free) {
  owned rac_scheduler *scheduler = rac_scheduler_virtual();
  owned rac_bound *bound = rac_bound_create(1, RAC_BOUND_DROP_NEWEST);
  CHECK(rac_signal_deliver_on_bounded(NULL, scheduler, bound) == NULL);
  CHECK(rac_signal_deliver_on_bounded(as_signal(bound), scheduler, bound) ==
        NULL);
  CHECK_STATUS(rac_last_error_code(), RAC_EKIND);
  owned rac_signal *never = rac_signal_never();
  CHECK(rac_signal_deliver_on_bounded(never, scheduler, (void *)never) == NULL);
  CHECK_STATUS(rac_last_error_code(), RAC_EKIND);
  owned rac_signal *signal =
      rac_signal_deliver_on_bounded(never, scheduler, bound);
  CHECK(signal != NULL);
}

/* As rac_signal_deliver_on(): a slice is bounded by values. */
TEST(a_drain_of_the_main_scheduler_counts_its_values) {
  owned rac_scheduler *main = rac_scheduler_main();
  owned rac_bound *bound = rac_bound_create(10, RAC_BOUND_DROP_OLDEST);
  owned rac_subject *subject = rac_subject_create();
  owned rac_signal *signal =
      rac_signal_deliver_on_bounded(as_signal(subject), main, bound);
  RECORDER(r, signal);
  play(subject, "1 2 3 4 5 |");
  CHECK_INT(rac_main_drain(2), 2);
  CHECK_EVENTS(&r, "1 2");
  CHECK_INT(rac_bound_get(bound, RAC_BOUND_LENGTH), 3);
  CHECK_INT(rac_main_drain(2), 2);
  CHECK_EVENTS(&r, "1 2 3 4");
  rac_main_drain(0);
  CHECK_EVENTS(&r, "1 2 3 4 5 |");
  while (rac_main_drain(0) > 0) {
  }
}

TEST(on_the_immediate_scheduler_nothing_waits) {
  owned rac_scheduler *immediate = rac_scheduler_immediate();
  owned rac_bound *bound = rac_bound_create(1, RAC_BOUND_DROP_NEWEST);
  owned rac_subject *subject = rac_subject_create();
  owned rac_signal *signal =
      rac_signal_deliver_on_bounded(as_signal(subject), immediate, bound);
  RECORDER(r, signal);
  play(subject, "1 2 3 |");
  CHECK_EVENTS(&r, "1 2 3 |");
  CHECK_INT(rac_bound_get(bound, RAC_BOUND_DROPPED), 0);
}
