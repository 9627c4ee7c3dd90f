/* Demand: sources that can wait stop while a place below them is full, on no
 * thread of their own, and go on when it is half empty. */
#include "demand.h"

/* ---- Law 26 -------------------------------------------------------------------- */

static void check_rest(int32_t policy) {
  owned rac_scheduler *slow = rac_scheduler_virtual();
  owned rac_bound *bound = rac_bound_create(PLACES, policy);
  owned rac_signal *source = numbers(1000);
  owned rac_signal *signal = rac_signal_deliver_on_bounded(source, slow, bound);
  REQUIRE(signal != NULL);
  tally t = {0};
  owned rac_disposable *d = tally_of(signal, &t);
  WAIT_UNTIL(waiting(bound) == PLACES);
  CHECK_STATUS(rac_settle(10), RAC_OK);
  CHECK_INT(waiting(bound), PLACES);
  while (atomic_load(&t.ends) == 0) {
    rac_virtual_step_all(slow);
    rac_settle(10);
  }
  check_whole(&t, 1000);
  CHECK_INT(highest(bound), PLACES);
  CHECK_INT(rac_bound_get(bound, RAC_BOUND_DROPPED), 0);
}

/* Law 26: a full place stops its source, which goes on when half is free. */
TEST(a_full_place_stops_its_source) { check_rest(RAC_BOUND_WAIT); }
TEST(a_place_that_refuses_does_too) { check_rest(RAC_BOUND_REFUSE); }

TEST(between_threads_all_comes_and_no_more_waits) {
  owned rac_scheduler *worker = background();
  owned rac_bound *bound = rac_bound_create(PLACES, RAC_BOUND_WAIT);
  int64_t many = check_scaled(100000);
  owned rac_signal *source = numbers(many);
  owned rac_signal *signal =
      rac_signal_deliver_on_bounded(source, worker, bound);
  tally t = {0};
  owned rac_disposable *d = tally_of(signal, &t);
  check_whole(&t, many);
  CHECK(highest(bound) <= PLACES);
}

/* A reader takes one value after the other: no more are read ahead. */
TEST(a_reader_holds_its_source) {
  owned rac_bound *bound = rac_bound_create(PLACES, RAC_BOUND_WAIT);
  owned rac_signal *source = numbers(1000);
  owned rac_sequence *sequence = rac_sequence_from_signal(source, -1, bound);
  WAIT_UNTIL(waiting(bound) == PLACES);
  owned_value all = rac_value_nil();
  CHECK_STATUS(rac_sequence_to_array(sequence, &all), RAC_OK);
  CHECK_INT(rac_tuple_count(all), 1000);
  CHECK_INT(highest(bound), PLACES);
}

/* Law 29: an end comes behind the values before it, and does not wait for room;
 * a source that is held does not come to its end. */
TEST(ends_do_not_wait_for_room) {
  owned rac_scheduler *slow = rac_scheduler_virtual();
  owned rac_bound *bound = rac_bound_create(2, RAC_BOUND_WAIT);
  owned rac_subject *subject = rac_subject_create();
  owned rac_signal *source = numbers(2);
  owned rac_signal *until = rac_signal_take_until(source, as_signal(subject));
  owned rac_signal *signal = rac_signal_deliver_on_bounded(until, slow, bound);
  RECORDER(r, signal);
  WAIT_UNTIL(waiting(bound) == 2);
  rac_settle(10);
  CHECK_INT(rac_subject_subscriber_count(subject), 1);
  rac_subject_send(subject, I(0));
  CHECK_INT(rac_subject_subscriber_count(subject), 0);
  rac_virtual_step_all(slow);
  CHECK_EVENTS(&r, "0 1 |");
}

/* Law 32: what happens outside in any case is not held. */
TEST(what_happens_anyway_is_never_held) {
  owned rac_scheduler *time = rac_scheduler_virtual();
  owned rac_scheduler *slow = rac_scheduler_virtual();
  owned rac_bound *bound = rac_bound_create(2, RAC_BOUND_WAIT);
  owned rac_signal *ticks = rac_signal_interval(1, time);
  owned rac_signal *signal = rac_signal_deliver_on_bounded(ticks, slow, bound);
  tally t = {0};
  owned rac_disposable *d = tally_of(signal, &t);
  rac_virtual_advance_by(time, 5.5);
  CHECK_INT(waiting(bound), 5);
  rac_dispose(d);
  rac_virtual_step_all(slow);
}

TEST(lines_rest_in_the_file) {
  owned rac_scheduler *reader = background();
  owned rac_scheduler *slow = rac_scheduler_virtual();
  owned rac_bound *bound = rac_bound_create(PLACES, RAC_BOUND_WAIT);
  owned rac_signal *lines = lines_of(5000, reader);
  owned rac_signal *signal = rac_signal_deliver_on_bounded(lines, slow, bound);
  tally t = {0};
  owned rac_disposable *d = tally_of(signal, &t);
  while (atomic_load(&t.ends) == 0) {
    rac_settle(10);
    CHECK(waiting(bound) <= PLACES);
    rac_virtual_step_all(slow);
  }
  check_whole(&t, 5000);
}

/* ---- Several places and several sources ---------------------------------------- */

TEST(signals_that_wait_hold_too) {
  owned rac_scheduler *reader = background();
  owned rac_scheduler *worker = background();
  owned rac_bound *bound = rac_bound_create(PLACES, RAC_BOUND_WAIT);
  int64_t many = check_scaled(20000);
  owned rac_signal *lines = lines_of(many, reader);
  owned rac_signal *signal =
      rac_signal_flatten_map_limited(lines, 1, bound, worker, later, NULL);
  tally t = {0};
  owned rac_disposable *d = tally_of(signal, &t);
  check_whole(&t, many);
  CHECK(highest(bound) <= PLACES);
}

TEST(a_line_that_is_held_rests_itself) {
  owned rac_scheduler *first = background();
  owned rac_scheduler *second = background();
  owned rac_bound *above = rac_bound_create(PLACES, RAC_BOUND_WAIT);
  owned rac_bound *below = rac_bound_create(PLACES, RAC_BOUND_WAIT);
  owned rac_scheduler *slow = rac_scheduler_virtual();
  owned rac_signal *source = numbers(1000);
  owned rac_signal *a = rac_signal_deliver_on_bounded(source, first, above);
  owned rac_signal *b = rac_signal_deliver_on(a, second);
  owned rac_signal *c = rac_signal_deliver_on_bounded(b, slow, below);
  tally t = {0};
  owned rac_disposable *d = tally_of(c, &t);
  WAIT_UNTIL(waiting(below) == PLACES);
  rac_settle(10);
  CHECK_INT(waiting(below), PLACES);
  while (atomic_load(&t.ends) == 0) {
    rac_virtual_step_all(slow);
    rac_settle(10);
  }
  check_whole(&t, 1000);
  CHECK(highest(below) <= PLACES && highest(above) <= PLACES);
}

static void check_merged(int sources, bool nested) {
  owned rac_scheduler *worker = background();
  owned rac_bound *bound = rac_bound_create(PLACES, RAC_BOUND_WAIT);
  int64_t many = check_scaled(30000);
  rac_signal *parts[4];
  for (int i = 0; i < sources; i++) parts[i] = numbers(many);
  owned rac_signal *merged = nested ? rac_signal_merge(parts, 2)
                                    : rac_signal_merge(parts, (size_t)sources);
  owned rac_signal *all =
      nested ? rac_signal_merge_with(merged, parts[2]) : rac_retain(merged);
  for (int i = 0; i < sources; i++) rac_release(parts[i]);
  owned rac_signal *signal = rac_signal_deliver_on_bounded(all, worker, bound);
  tally t = {0};
  owned rac_disposable *d = tally_by(signal, &t, count_any);
  WAIT_UNTIL(atomic_load(&t.ends) == 1);
  CHECK_INT(t.heard, many * sources);
  CHECK(highest(bound) <= (uint64_t)(PLACES + sources - 1));
  WAIT_UNTIL(atomic_load(&t.destroyed) == 1);
}

/* Law 28: each further source may bring one more. */
TEST(two_sources_through_a_merge_keep_the_bound) { check_merged(2, false); }
TEST(four_do_too) { check_merged(4, false); }
TEST(a_merge_of_a_merge_does_too) { check_merged(3, true); }

static void *send_many(void *subject) {
  int64_t many = check_scaled(30000);
  for (int64_t i = 0; i < many; i++) rac_subject_send(subject, I(i));
  return NULL;
}

/* Law 27: a value that waits in the gate of a merge is on its way to the place,
 * and its sender has not got in twice. */
TEST(threads_through_a_merge_keep_the_bound) {
  enum { THREADS = 3 };
  owned rac_scheduler *worker = background();
  owned rac_bound *bound = rac_bound_create(PLACES, RAC_BOUND_WAIT);
  rac_subject *subjects[THREADS];
  rac_signal *parts[THREADS];
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; i++) {
    subjects[i] = rac_subject_create_bounded(bound);
    parts[i] = as_signal(subjects[i]);
  }
  owned rac_signal *all = rac_signal_merge(parts, THREADS);
  owned rac_signal *signal = rac_signal_deliver_on_bounded(all, worker, bound);
  tally t = {0};
  owned rac_disposable *d = tally_by(signal, &t, count_any);
  for (int i = 0; i < THREADS; i++)
    pthread_create(&threads[i], NULL, send_many, subjects[i]);
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
  for (int i = 0; i < THREADS; i++) {
    rac_subject_send_completed(subjects[i]);
    rac_release(subjects[i]);
  }
  WAIT_UNTIL(atomic_load(&t.ends) == 1);
  CHECK_INT(t.heard, check_scaled(30000) * THREADS);
  CHECK(highest(bound) <= PLACES);
  WAIT_UNTIL(atomic_load(&t.destroyed) == 1);
}

TEST(a_bounded_merge_holds_its_sources) {
  owned rac_bound *bound = rac_bound_create(2, RAC_BOUND_REFUSE);
  int64_t many = check_scaled(30000);
  rac_signal *parts[2] = {numbers(many), numbers(many)};
  owned rac_signal *signal = rac_signal_merge_bounded(parts, 2, bound);
  rac_release(parts[0]);
  rac_release(parts[1]);
  tally t = {0};
  owned rac_disposable *d = tally_by(signal, &t, count_any);
  WAIT_UNTIL(atomic_load(&t.ends) == 1);
  CHECK_INT(t.heard, many * 2);
  CHECK(highest(bound) <= 3);
  WAIT_UNTIL(atomic_load(&t.destroyed) == 1);
}

/* ---- Where no hold passes ------------------------------------------------------ */

static rac_status parity(void *context, rac_value value, rac_value *out) {
  (void)context;
  *out = I(value.bits % 2);
  return RAC_OK;
}

/* Law 31: a group that runs waits for its source; held, both would wait. */
TEST(no_hold_passes_a_group) {
  owned rac_scheduler *reader = background();
  owned rac_bound *bound = rac_bound_create(1, RAC_BOUND_WAIT);
  owned rac_signal *source = numbers(1000);
  owned rac_signal *groups =
      rac_signal_group_by(source, NULL, parity, NULL, NULL);
  owned rac_signal *signal = rac_signal_flatten_bounded(groups, 1, bound);
  tally t = {0};
  owned rac_disposable *d = tally_of(signal, &t);
  WAIT_UNTIL(atomic_load(&t.ends) == 1);
  WAIT_UNTIL(atomic_load(&t.destroyed) == 1);
}

/* Law 31: a trigger is never held. */
TEST(no_hold_passes_a_trigger) {
  owned rac_scheduler *slow = rac_scheduler_virtual();
  owned rac_bound *bound = rac_bound_create(1, RAC_BOUND_WAIT);
  owned rac_signal *trigger = numbers(5);
  owned rac_signal *last = rac_signal_take_last(trigger, 1);
  owned rac_signal *source = numbers(1000);
  owned rac_signal *until = rac_signal_take_until(source, last);
  owned rac_signal *signal = rac_signal_deliver_on_bounded(until, slow, bound);
  tally t = {0};
  owned rac_disposable *d = tally_of(signal, &t);
  rac_settle(10);
  while (atomic_load(&t.ends) == 0) {
    rac_virtual_step_all(slow);
    rac_settle(10);
  }
  WAIT_UNTIL(atomic_load(&t.destroyed) == 1);
}

/* ---- Ends ---------------------------------------------------------------------- */

static void check_disposed(rac_signal *source) {
  owned rac_scheduler *slow = rac_scheduler_virtual();
  owned rac_scheduler *worker = background();
  owned rac_bound *bound = rac_bound_create(PLACES, RAC_BOUND_WAIT);
  owned rac_signal *line = rac_signal_deliver_on(source, worker);
  rac_release(source);
  owned rac_signal *signal = rac_signal_deliver_on_bounded(line, slow, bound);
  tally t = {0};
  owned rac_disposable *d = tally_of(signal, &t);
  WAIT_UNTIL(waiting(bound) == PLACES);
  rac_settle(10);
  rac_dispose(d);
  CHECK_INT(waiting(bound), 0);
  rac_settle(10);
  rac_virtual_step_all(slow);
  WAIT_UNTIL(atomic_load(&t.destroyed) == 1);
  CHECK_INT(t.ends, 0);
}

/* Law 30: a disposal ends a hold at once. */
TEST(a_disposal_ends_the_hold_of_a_sequence) { check_disposed(numbers(1000)); }
TEST(a_disposal_ends_the_hold_of_lines) {
  owned rac_scheduler *reader = background();
  int before = open_descriptors();
  check_disposed(lines_of(10000, reader));
  WAIT_UNTIL(open_descriptors() <= before);
}

/* An end below is a disposal. */
TEST(an_end_below_ends_a_hold) {
  owned rac_scheduler *worker = background();
  owned rac_bound *bound = rac_bound_create(2, RAC_BOUND_WAIT);
  owned rac_signal *source = numbers(100000);
  owned rac_signal *line = rac_signal_deliver_on_bounded(source, worker, bound);
  owned rac_signal *signal = rac_signal_take(line, 100);
  tally t = {0};
  owned rac_disposable *d = tally_of(signal, &t);
  check_whole(&t, 100);
}

/* Nobody sends any more to the signal that those behind it wait for: a disposal
 * lets go of the source that is held. */
TEST(a_source_that_waits_for_nobody_goes_with_its_subscription) {
  rac_subject *gone = rac_subject_create();
  owned rac_signal *one = rac_signal_return(I(0));
  owned rac_signal *first = always(one, as_signal(gone));
  owned rac_bound *bound = rac_bound_create(2, RAC_BOUND_WAIT);
  owned rac_scheduler *worker = background();
  owned rac_signal *rest = numbers(100);
  owned rac_signal *others = always(rest, as_signal(gone));
  owned rac_signal *all = rac_signal_concat(first, others);
  owned rac_signal *signals = rac_signal_deliver_on(all, worker);
  owned rac_signal *signal = rac_signal_flatten_bounded(signals, 1, bound);
  tally t = {0};
  owned rac_disposable *d = tally_of(signal, &t);
  WAIT_UNTIL(waiting(bound) == 2);
  rac_release(gone);
  rac_settle(10);
  rac_dispose(d);
  WAIT_UNTIL(atomic_load(&t.destroyed) == 1);
}
