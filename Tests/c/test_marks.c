/* Marks: places without a bound hold their sources, too, and say so. */
#include "demand.h"

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
