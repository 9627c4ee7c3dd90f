/* Demand: sources that can wait stop while a place below them is full, on no
 * thread of their own, and go on when it is half empty. */
#include "demand.h"

enum { PLACES = 8 };

static uint64_t highest(rac_bound *bound) {
  return rac_bound_get(bound, RAC_BOUND_HIGHEST);
}

/* Counts what comes, and whether it comes in order. */
typedef struct tally {
  atomic_llong heard;
  int64_t next, disorder;
  atomic_int ends, destroyed;
} tally;

static void count(void *context, rac_value value) {
  tally *self = context_target(context);
  if (value.bits != self->next++) self->disorder++;
  atomic_fetch_add(&self->heard, 1);
}
static void end_count(void *context) {
  tally *self = context_target(context);
  atomic_fetch_add(&self->ends, 1);
}

/* In whatever order. */
static void count_any(void *context, rac_value value) {
  (void)value;
  tally *self = context_target(context);
  atomic_fetch_add(&self->heard, 1);
}

static rac_disposable *tally_by(rac_signal *signal, tally *self,
                                rac_next_fn next) {
  rac_observer observer = RAC_OBSERVER_INIT;
  observer.context = context_new(self, &self->destroyed);
  observer.next = next;
  observer.completed = end_count;
  observer.destroy = context_destroy;
  return rac_subscribe(signal, &observer);
}

static rac_disposable *tally_of(rac_signal *signal, tally *self) {
  return tally_by(signal, self, count);
}

static void check_whole(tally *self, int64_t count) {
  WAIT_UNTIL(atomic_load(&self->ends) == 1);
  CHECK_INT(self->heard, count);
  CHECK_INT(self->disorder, 0);
  WAIT_UNTIL(atomic_load(&self->destroyed) == 1);
}

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

/* A signal of the value that comes when the scheduler has had its turn. */
static rac_status later(void *scheduler, rac_value value, rac_signal **out) {
  owned rac_signal *one = rac_signal_return(value);
  *out = rac_signal_deliver_on(one, scheduler);
  return RAC_OK;
}

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

/* ---- Places without a bound ---------------------------------------------------- */

/* How many values a sequence of 5,000 sends before it rests, if it does. */
static int64_t sent_to(rac_signal *(*place)(rac_signal *, void *),
                       void *argument) {
  tally made = {0};
  owned rac_signal *source = numbers(5000);
  owned rac_signal *counted = rac_signal_do_next(
      source, context_new(&made, NULL), count_any, context_destroy);
  owned rac_signal *signal = place(counted, argument);
  owned rac_disposable *d = rac_subscribe_next(signal, NULL, NULL, NULL);
  rac_settle(10);
  int64_t sent = made.heard;
  rac_dispose(d);
  rac_settle(10);
  return sent;
}

static rac_signal *one_at_a_time(rac_signal *source, void *subject) {
  owned rac_signal *signals = always(source, as_signal(subject));
  return rac_signal_flatten(signals, 1);
}
static rac_signal *without_a_mark(rac_signal *source, void *subject) {
  owned rac_signal *signals = always(source, as_signal(subject));
  return rac_signal_flatten_bounded(signals, 1, RAC_BOUND_NONE);
}

/* One runs, and 64 wait. */
TEST(a_flatten_has_a_mark) {
  owned rac_subject *blocks = rac_subject_create();
  CHECK_INT(sent_to(one_at_a_time, blocks), 65);
  CHECK_INT(sent_to(without_a_mark, blocks), 5000);
  rac_set_default_marks(false);
  CHECK_INT(sent_to(one_at_a_time, blocks), 5000);
  rac_set_default_marks(true);
}

static rac_signal *elsewhere(rac_signal *source, void *scheduler) {
  return rac_signal_deliver_on(source, scheduler);
}

TEST(a_deliver_on_has_a_mark) {
  owned rac_scheduler *slow = rac_scheduler_virtual();
  int64_t sent = sent_to(elsewhere, slow);
  CHECK(sent >= 1024 && sent < 1024 + 256);
  rac_set_default_marks(false);
  CHECK_INT(sent_to(elsewhere, slow), 5000);
  rac_set_default_marks(true);
  rac_virtual_step_all(slow);
}

static rac_signal *beside(rac_signal *source, void *subject) {
  return rac_signal_zip_with(source, as_signal(subject));
}
static rac_signal *seldom(rac_signal *source, void *clock) {
  return rac_signal_rate_limit(source, 1e6, 1, SIZE_MAX, clock);
}
static rac_signal *some_seldom(rac_signal *source, void *clock) {
  return rac_signal_rate_limit(source, 1e6, 1, 4000, clock);
}
static rac_signal *paused(rac_signal *source, void *subject) {
  return rac_signal_pausable(source, as_signal(subject), SIZE_MAX);
}
static rac_signal *some_paused(rac_signal *source, void *subject) {
  return rac_signal_pausable(source, as_signal(subject), 4000);
}

/* A capacity is its own answer to too many. */
TEST(operators_whose_values_wait_have_a_mark) {
  owned rac_subject *silent = rac_subject_create();
  owned rac_scheduler *clock = rac_scheduler_virtual();
  for (int marked = 0; marked < 2; marked++) {
    rac_set_default_marks(marked);
    CHECK_INT(sent_to(beside, silent), marked ? 1024 : 5000);
    CHECK_INT(sent_to(seldom, clock), marked ? 1025 : 5000);
    CHECK_INT(sent_to(paused, silent), marked ? 1024 : 5000);
    CHECK_INT(sent_to(some_seldom, clock), 5000);
    CHECK_INT(sent_to(some_paused, silent), 5000);
  }
}

static int64_t pairs_of(rac_signal *a, rac_signal *b) {
  tally t = {0};
  owned rac_signal *signal = rac_signal_zip_with(a, b);
  owned rac_disposable *d = tally_by(signal, &t, count_any);
  WAIT_UNTIL(atomic_load(&t.destroyed) == 1);
  CHECK_INT(t.ends, 1);
  return t.heard;
}

/* Each is ahead at times. */
TEST(both_sides_of_a_zip_go_on) {
  owned rac_scheduler *worker = background();
  int64_t many = check_scaled(50000);
  owned rac_signal *a = numbers(many), *b = numbers(many);
  owned rac_signal *c = numbers(many);
  owned rac_signal *slower = rac_signal_concat_map(b, worker, later, NULL);
  CHECK_INT(pairs_of(a, slower), many);
  CHECK_INT(pairs_of(a, c), many);
}

/* Law 31: one side waits for what the other side's source has yet to send. */
TEST(no_hold_passes_a_share) {
  owned rac_signal *source = numbers(5000);
  owned rac_connection *connection = rac_signal_publish(source);
  owned rac_signal *shared = rac_connection_signal(connection);
  owned rac_signal *last = rac_signal_take_last(shared, 1);
  owned rac_signal *signal = rac_signal_zip_with(shared, last);
  tally t = {0};
  owned rac_disposable *d = tally_by(signal, &t, count_any);
  owned rac_disposable *c = rac_connection_connect(connection);
  check_whole(&t, 1);
}

static void send_truth(void *subject, bool truth) {
  rac_subject_send(subject, rac_value_bool(truth));
}

TEST(what_was_paused_goes_on_in_order) {
  owned rac_subject *running = rac_subject_create();
  owned rac_signal *source = numbers(5000);
  owned rac_signal *signal = paused(source, running);
  tally t = {0};
  owned rac_disposable *d = tally_of(signal, &t);
  rac_settle(10);
  send_truth(running, true);
  check_whole(&t, 5000);
}

TEST(behind_a_mark_all_comes_in_order) {
  owned rac_scheduler *first = background();
  owned rac_scheduler *second = background();
  int64_t many = check_scaled(100000);
  owned rac_signal *source = numbers(many);
  owned rac_signal *a = rac_signal_deliver_on(source, first);
  owned rac_signal *b = rac_signal_deliver_on(a, second);
  owned rac_signal *signal = rac_signal_concat_map(b, second, later, NULL);
  tally t = {0};
  owned rac_disposable *d = tally_of(signal, &t);
  check_whole(&t, many);
}

static void send_to(void *subject, rac_value value) {
  rac_subject_send(subject, value);
}

static rac_status is_late(void *context, rac_value value, bool *out) {
  (void)context;
  *out = value.bits >= 150;
  return RAC_OK;
}

static rac_status wait_for_a_later_one(void *subject, rac_value value,
                                       rac_signal **out) {
  (void)value;
  owned rac_signal *late =
      rac_signal_filter(as_signal(subject), NULL, is_late, NULL);
  *out = rac_signal_take(late, 1);
  return RAC_OK;
}

/* A circle that callbacks close: the first signal waits for a value of the source
 * that is behind the mark. Law 31. */
TEST(a_circle_needs_a_place_without_a_mark) {
  for (int marked = 0; marked < 2; marked++) {
    owned rac_subject *numbered = rac_subject_create();
    owned rac_signal *source = numbers(1000);
    owned rac_signal *told =
        rac_signal_do_next(source, numbered, send_to, NULL);
    owned rac_signal *signal =
        rac_signal_flatten_map_limited(told, 1, marked ? NULL : RAC_BOUND_NONE,
                                       numbered, wait_for_a_later_one, NULL);
    tally t = {0};
    owned rac_disposable *d = tally_of(signal, &t);
    rac_settle(10);
    CHECK(marked ? t.heard == 0 : t.heard > 0);
    rac_dispose(d);
    rac_settle(10);
  }
}

/* ---- What is held is told ------------------------------------------------------ */

static void note_line(void *context, const char *line) {
  tally *self = context_target(context);
  if (strstr(line, "rac_sequence_signal is held by flatten: where 64 wait"))
    atomic_fetch_add(&self->heard, 1);
  else
    atomic_fetch_add(&self->ends, 1);
}

/* Once; a bound is not told of, since its program wants it to hold. */
TEST(a_mark_that_holds_for_a_second_is_logged) {
  tally lines = {0};
  rac_set_log(context_new(&lines, &lines.destroyed), note_line,
              context_destroy);
  owned rac_subject *blocks = rac_subject_create();
  owned rac_signal *source = numbers(1000);
  owned rac_signal *marked = one_at_a_time(source, blocks);
  owned rac_scheduler *slow = rac_scheduler_virtual();
  owned rac_bound *bound = rac_bound_create(1, RAC_BOUND_WAIT);
  owned rac_signal *bounded =
      rac_signal_deliver_on_bounded(source, slow, bound);
  owned rac_disposable *a = rac_subscribe_next(marked, NULL, NULL, NULL);
  owned rac_disposable *b = rac_subscribe_next(bounded, NULL, NULL, NULL);
  WAIT_UNTIL(atomic_load(&lines.heard) == 1);
  double start = check_clock();
  WAIT_UNTIL(check_clock() > start + 2);
  CHECK_INT(lines.heard, 1);
  CHECK_INT(lines.ends, 0);
  rac_dispose(a);
  rac_dispose(b);
  rac_virtual_step_all(slow);
  rac_set_log(NULL, NULL, NULL);
  WAIT_UNTIL(atomic_load(&lines.destroyed) == 1);
}

static void note_held(void *context, const char *kind, const char *name,
                      size_t references, size_t waiting) {
  char *text = context;
  (void)references;
  if (strcmp(kind, "held source") == 0)
    sprintf(text + strlen(text), "%s (%zu)\n", name, waiting);
}

/* A deliver_on that is held itself is not what holds. */
TEST(the_report_names_the_place_that_holds) {
  owned rac_subject *blocks = rac_subject_create();
  owned rac_scheduler *worker = background();
  owned rac_signal *source = numbers(5000);
  owned rac_signal *line = rac_signal_deliver_on(source, worker);
  owned rac_signal *signal = one_at_a_time(line, blocks);
  owned rac_disposable *d = rac_subscribe_next(signal, NULL, NULL, NULL);
  rac_settle(10);
  char text[400] = "";
  rac_report_live_handles(text, note_held);
  const char *by = " is held by flatten: where 64 wait (64)\n";
  CHECK_INT(strlen(text),
            strlen("rac_sequence_signaldeliverOn:") + 2 * strlen(by));
  CHECK(strstr(text, "rac_sequence_signal is held") != NULL);
  CHECK(strstr(text, "deliverOn: is held") != NULL);
  CHECK(strstr(strstr(text, by) + 1, by) != NULL);
  rac_dispose(d);
  rac_settle(10);
  text[0] = '\0';
  rac_report_live_handles(text, note_held);
  CHECK_TEXT(text, "");
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
