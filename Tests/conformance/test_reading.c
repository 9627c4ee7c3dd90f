/* Reading a signal's first value or end where one stands: blocking, and running
 * the main scheduler meanwhile. */
#include "stage.h"
#include "streams.h"

/* Longer than any of this takes. */
static const double PATIENCE = 60;

/* ---- Blocking reads ----------------------------------------------------- */

typedef struct answer {
  rac_status status;
  rac_value value, error;
} answer;

static answer read_first(rac_signal *signal, rac_value fallback) {
  answer self = {0};
  self.status = rac_signal_first_or_default(signal, PATIENCE, fallback,
                                            &self.value, &self.error);
  return self;
}

static void check_answer(int line, answer it, rac_status status,
                         const char *value, const char *error) {
  char text[64];
  check_status(__FILE__, line, "status", it.status, status);
  format_value(it.value, text, sizeof text);
  check_text(__FILE__, line, "value", text, value);
  format_value(it.error, text, sizeof text);
  check_text(__FILE__, line, "error", text, error);
  rac_value_release(it.value);
  rac_value_release(it.error);
}

/* signal-084, signal-085: the first of several; the default of none, which is
 * no failure. An error gives the default too, and is one. */
TEST(first_or_default_answers) {
  static const struct {
    const char *script;
    rac_status status;
    const char *value, *error;
  } cases[] = {{"1 2 3 |", RAC_OK, "1", "nil"},
               {"nil 2 |", RAC_OK, "nil", "nil"},
               {"|", RAC_OK, "5", "nil"},
               {"#4", RAC_ESTREAM, "5", "#4"},
               {"1 #4", RAC_OK, "1", "nil"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    owned rac_signal *s = cold(cases[i].script, NULL);
    check_answer(__LINE__, read_first(s, I(5)), cases[i].status, cases[i].value,
                 cases[i].error);
  }
}

/* The form without a default tells the three ends apart. */
TEST(first_answers) {
  static const struct {
    const char *script;
    rac_status status;
    const char *value;
  } cases[] = {{"1 2", RAC_OK, "1"},
               {"|", RAC_EEMPTY, "nil"},
               {"#4", RAC_ESTREAM, "#4"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    source counts = {0};
    owned rac_signal *s = cold(cases[i].script, &counts);
    answer it = {.value = I(9)};
    it.status = rac_signal_first(s, PATIENCE, &it.value);
    CHECK_INT(counts.disposed, 1);
    check_answer(__LINE__, it, cases[i].status, cases[i].value, "nil");
  }
}

/* signal-088: the value is enough, and the source is disposed by then */
TEST(first_disposes_what_it_read_from) {
  source counts = {0};
  owned rac_signal *s = cold("7", &counts);
  check_answer(__LINE__, read_first(s, I(5)), RAC_OK, "7", "nil");
  CHECK_INT(counts.subscribed, 1);
  CHECK_INT(counts.disposed, 1);
}

/* signal-089: values do not matter. An error does. */
TEST(wait_until_completed_answers) {
  rac_value error = rac_value_nil();
  rac_signal *s = cold("1 |", NULL);
  CHECK_STATUS(rac_signal_wait_until_completed(s, PATIENCE, &error), RAC_OK);
  CHECK_INT(error.kind, RAC_NIL);
  rac_release(s);
  s = cold("1 #4", NULL);
  CHECK_STATUS(rac_signal_wait_until_completed(s, PATIENCE, &error),
               RAC_ESTREAM);
  CHECK_INT(rac_error_get_code(error), 4);
  rac_value_release(error);
  CHECK_STATUS(rac_signal_wait_until_completed(s, PATIENCE, NULL), RAC_ESTREAM);
  rac_release(s);
}

/* Subscribes to another signal on a background scheduler. */
static rac_signal *in_the_background(rac_signal *signal) {
  owned rac_scheduler *background = rac_scheduler_background(0, "conformance");
  APPLY(signal, subscribe_on, background);
  return signal;
}

/* An event of another thread wakes the one that waits. */
TEST(a_read_waits_for_what_comes_from_elsewhere) {
  rac_signal *s = in_the_background(cold("#4", NULL));
  check_answer(__LINE__, read_first(s, rac_value_nil()), RAC_ESTREAM, "nil",
               "#4");
  rac_release(s);
  s = in_the_background(cold("7 |", NULL));
  check_answer(__LINE__, read_first(s, I(5)), RAC_OK, "7", "nil");
  CHECK_STATUS(rac_signal_wait_until_completed(s, PATIENCE, NULL), RAC_OK);
  rac_release(s);
}

static void *read_elsewhere(void *context) {
  answer *self = malloc(sizeof *self);
  if (!self) abort();
  *self = read_first(context, I(5));
  return self;
}

/* From a thread without a scheduler, where the work goes on in the
 * background. */
TEST(any_thread_may_wait) {
  source counts = {0};
  owned rac_signal *s = cold("7", &counts);
  pthread_t thread = check_spawn(read_elsewhere, s);
  void *result = NULL;
  pthread_join(thread, &result);
  check_answer(__LINE__, *(answer *)result, RAC_OK, "7", "nil");
  free(result);
  WAIT_UNTIL(counts.disposed == 1);
}

/* ---- All values ---------------------------------------------------------- */

static void check_array(const char *script, rac_status status,
                        const char *expected) {
  rac_signal *s = cold(script, NULL);
  rac_value out = rac_value_nil();
  char text[100];
  CHECK_STATUS(rac_signal_to_array(s, 5, &out), status);
  format_value(out, text, sizeof text);
  CHECK_TEXT(text, expected);
  rac_value_release(out);
  rac_release(s);
}

/* signal-261: nil keeps its place; signal-262: instead of nothing there is the
 * error, even if values came before it */
TEST(to_array_gives_all_values_or_the_error) {
  check_array("nil 1 nil |", RAC_OK, "(nil,1,nil)");
  check_array("|", RAC_OK, "()");
  check_array("#7", RAC_ESTREAM, "#7");
  check_array("1 2 #7", RAC_ESTREAM, "#7");
}

static void *complete_later(void *subject) {
  WAIT_UNTIL(LISTENERS(subject) == 1);
  play(subject, "1 2 |");
  return NULL;
}

/* signal-261: it waits for what another thread sends */
TEST(to_array_blocks_until_the_completion) {
  owned rac_subject *subject = rac_subject_create();
  pthread_t thread = check_spawn(complete_later, subject);
  rac_value out = rac_value_nil();
  CHECK_STATUS(rac_signal_to_array(as_signal(subject), -1, &out), RAC_OK);
  CHECK_INT(rac_tuple_count(out), 2);
  CHECK_INT(LISTENERS(subject), 0);
  rac_value_release(out);
  check_join(thread);
}

/* ---- Reads that run the main scheduler ---------------------------------- */

static void set_true(void *context) { *(bool *)context_target(context) = true; }

/* A job that waits on the main scheduler, as everything did before the read. */
static void schedule_on_main(bool *has_run) {
  owned rac_scheduler *main = rac_scheduler_main();
  rac_release(rac_schedule(main, context_new(has_run, NULL), set_true,
                           context_destroy));
}

static answer read_running_main(rac_signal *signal, rac_value fallback) {
  answer self = {0};
  self.status = rac_signal_asynchronous_first_or_default(
      signal, PATIENCE, fallback, &self.value, &self.error);
  return self;
}

/* signal-091, signal-092: a value that comes through the main scheduler; and an
 * error, which comes at once: the main scheduler runs all the same */
TEST(asynchronous_first_or_default_runs_the_main_scheduler) {
  bool has_run = false;
  schedule_on_main(&has_run);
  CHECK(!has_run);
  rac_signal *s = rac_signal_return(I(7));
  APPLY(s, delay, 0, NULL);
  check_answer(__LINE__, read_running_main(s, I(5)), RAC_OK, "7", "nil");
  CHECK(has_run);
  rac_release(s);
  has_run = false;
  schedule_on_main(&has_run);
  s = cold("#4", NULL);
  APPLY(s, delay, 0, NULL);
  check_answer(__LINE__, read_running_main(s, I(7)), RAC_ESTREAM, "7", "#4");
  CHECK(has_run);
  rac_release(s);
}

TEST(asynchronous_first_or_default_of_an_empty_signal) {
  owned rac_signal *s = rac_signal_empty();
  APPLY(s, delay, 0, NULL);
  check_answer(__LINE__, read_running_main(s, I(5)), RAC_OK, "5", "nil");
}

/* signal-093: made elsewhere, delivered on the main scheduler */
TEST(asynchronous_first_or_default_of_an_error_from_elsewhere) {
  uint64_t before = rac_live_objects();
  rac_scheduler *main = rac_scheduler_main();
  rac_signal *s = in_the_background(cold("#4", NULL));
  APPLY(s, deliver_on, main);
  check_answer(__LINE__, read_running_main(s, rac_value_nil()), RAC_ESTREAM,
               "nil", "#4");
  rac_release(s);
  rac_release(main);
  /* What is below deliver_on is let go there, when the source lets go of it. */
  WAIT_UNTIL((rac_main_run_for(0), rac_live_objects() == before));
}

/* signal-094: the source, which stays open, is disposed */
TEST(asynchronous_first_or_default_of_a_value_from_elsewhere) {
  source counts = {0};
  owned rac_signal *s = in_the_background(cold("7", &counts));
  check_answer(__LINE__, read_running_main(s, I(5)), RAC_OK, "7", "nil");
  WAIT_UNTIL(counts.disposed == 1);
  CHECK_INT(counts.subscribed, 1);
}

/* signal-095: and what an error gives */
TEST(asynchronously_wait_until_completed_runs_the_main_scheduler) {
  const char *const scripts[] = {"7 |", "7 #4"};
  for (int i = 0; i < 2; i++) {
    bool has_run = false;
    owned_value error = rac_value_nil();
    schedule_on_main(&has_run);
    owned rac_signal *s = cold(scripts[i], NULL);
    APPLY(s, delay, 0, NULL);
    CHECK_STATUS(
        rac_signal_asynchronously_wait_until_completed(s, PATIENCE, &error),
        i == 0 ? RAC_OK : RAC_ESTREAM);
    CHECK(has_run);
    CHECK_INT(rac_error_get_code(error), i == 0 ? 0 : 4);
  }
}
