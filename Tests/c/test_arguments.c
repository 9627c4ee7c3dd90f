/* Arguments outside their documented range: missing callbacks, times that are
 * no times, lists without elements. The context given along is destroyed. */
#include "operator_table.h"

#include <math.h>

static rac_signal *never;
static rac_scheduler *clock_;

static void set_up(void) {
  never = rac_signal_never();
  clock_ = rac_scheduler_virtual();
}

static void tear_down(void) {
  rac_release(never);
  rac_release(clock_);
}

/* A call that must fail with this status and destroy its context once. */
#define REFUSED(code, call)                                                    \
  do {                                                                         \
    atomic_int destroyed = 0;                                                  \
    rac_clear_last_error();                                                    \
    CHECK((call) == NULL);                                                     \
    CHECK_STATUS(rac_last_error_code(), code);                                 \
    CHECK(strlen(rac_last_error_message()) > 0);                               \
    CHECK(strlen(rac_last_error_function()) > 0);                              \
    CHECK_INT(destroyed, 1);                                                   \
  } while (0)
#define CONTEXT context_new(NULL, &destroyed), NULL, context_destroy

/* What each operator is given. */
typedef struct given {
  bool no_callback;
  double seconds;
  atomic_int destroyed;
} given;

#define SIGNAL_OPERATOR(name, result, ...)                                     \
  static rac_signal *call_##name(given *g) {                                   \
    (void)g;                                                                   \
    return rac_signal_##name(__VA_ARGS__);                                     \
  }
#define SOURCE never
#define OTHER never
#define LIST &never, 1
#define CASES &(rac_value){0}, &never, 1, never
#define VALUE(n) I(n)
#define COUNT(n) n
#define SECONDS(n) g->seconds
#define CLOCK clock_
#define ROOM room
#define OR_NULL(f) g->no_callback ? NULL : standard_##f
#define FUNCTION(type, f)                                                      \
  context_new(NULL, &g->destroyed), OR_NULL(f), context_destroy
#define FUNCTIONS(type, f, type2, g2)                                          \
  context_new(NULL, &g->destroyed), OR_NULL(f), OR_NULL(g2), context_destroy
#include "../operators/operators.def"

static rac_signal *(*const calls[])(given *) = {
#define SIGNAL_OPERATOR(name, ...) call_##name,
#include "../operators/operators.def"
};

static void check_operator_refused(int i, given g, rac_status expected) {
  char name[64];
  snprintf(name, sizeof name, "rac_signal_%s", operators[i].name);
  rac_clear_last_error();
  if (calls[i](&g) != NULL) check_fail(__FILE__, __LINE__, name);
  CHECK_STATUS(rac_last_error_code(), expected);
  CHECK(strlen(rac_last_error_message()) > 0);
  CHECK_TEXT(rac_last_error_function(), name);
  CHECK_INT(g.destroyed, operator_takes(i, TAKES_CALLBACK) ? 1 : 0);
}

TEST(callbacks_are_required) {
  set_up();
  REFUSED(RAC_ENULL, rac_signal_create(CONTEXT));
  REFUSED(RAC_ENULL, rac_signal_defer(CONTEXT));
  REFUSED(RAC_ENULL, rac_signal_from_factory(CONTEXT));
  REFUSED(RAC_ENULL,
          rac_signal_using(context_new(NULL, &destroyed), standard_make_value,
                           NULL, NULL, context_destroy));
  REFUSED(RAC_ENULL, rac_signal_start_eagerly(clock_, CONTEXT));
  REFUSED(RAC_ENULL, rac_signal_start_lazily(clock_, CONTEXT));
  REFUSED(RAC_ENULL, rac_schedule(clock_, CONTEXT));
  REFUSED(RAC_ENULL, rac_schedule_after(clock_, 1, CONTEXT));
  REFUSED(RAC_ENULL, rac_schedule_repeating(clock_, 1, 1, 0, CONTEXT));
  REFUSED(RAC_ENULL, rac_schedule_recursive(clock_, CONTEXT));
  tear_down();
}

TEST(callbacks_of_operators_are_required) {
  set_up();
  for (int i = 0; i < OPERATORS; i++)
    if (operator_takes(i, NEEDS_CALLBACK))
      check_operator_refused(i, (given){.no_callback = true, .seconds = 1},
                             RAC_ENULL);
  tear_down();
}

TEST(callbacks_that_may_be_missing) {
  set_up();
  int tried = 0;
  for (int i = 0; i < OPERATORS; i++) {
    if (operator_takes(i, NEEDS_CALLBACK)) continue;
    given g = {.no_callback = true, .seconds = 1};
    rac_signal *made = calls[i](&g);
    CHECK(made != NULL);
    rac_release(made);
    CHECK_INT(g.destroyed, operator_takes(i, TAKES_CALLBACK) ? 1 : 0);
    tried++;
  }
  CHECK(tried > 30);
  tear_down();
}

static void action(void *context) { (void)context_target(context); }

TEST(times_are_neither_negative_nor_nan) {
  set_up();
  double bad[] = {-1, -1e-9, -INFINITY, NAN, -NAN};
  rac_disposable *none = rac_disposable_create(NULL, NULL, NULL);
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    for (int k = 0; k < OPERATORS; k++)
      if (operator_takes(k, TAKES_SECONDS))
        check_operator_refused(k, (given){.seconds = bad[i]}, RAC_EINVAL);
    rac_clear_last_error();
    CHECK(rac_signal_interval(bad[i], clock_) == NULL);
    CHECK_STATUS(rac_last_error_code(), RAC_EINVAL);
    CHECK_TEXT(rac_last_error_function(), "rac_signal_interval");
    CHECK(rac_signal_interval_with_leeway(bad[i], 0, clock_) == NULL);
    CHECK_TEXT(rac_last_error_function(), "rac_signal_interval_with_leeway");
    CHECK(rac_signal_interval_with_leeway(1, bad[i], clock_) == NULL);
#define ACTION context_new(NULL, &destroyed), action, context_destroy
    REFUSED(RAC_EINVAL, rac_schedule_after(clock_, bad[i], ACTION));
    REFUSED(RAC_EINVAL, rac_schedule_repeating(clock_, bad[i], 1, 0, ACTION));
    REFUSED(RAC_EINVAL, rac_schedule_repeating(clock_, 1, bad[i], 0, ACTION));
    REFUSED(RAC_EINVAL, rac_schedule_repeating(clock_, 1, 1, bad[i], ACTION));
    CHECK_STATUS(rac_virtual_advance_by(clock_, bad[i]), RAC_EINVAL);
    CHECK_STATUS(rac_virtual_sleep(clock_, bad[i]), RAC_EINVAL);
  }
  CHECK_STATUS(rac_virtual_advance_to(clock_, NAN), RAC_EINVAL);
  CHECK_STATUS(rac_main_run_for(NAN), RAC_EINVAL);
  CHECK_STATUS(rac_dispose_and_wait(none, NAN), RAC_EINVAL);
  rac_value out;
  CHECK_STATUS(rac_signal_first(never, NAN, &out), RAC_EINVAL);
  CHECK_STATUS(rac_signal_wait_until_completed(never, NAN, &out), RAC_EINVAL);
  CHECK_STATUS(rac_signal_to_array(never, NAN, &out), RAC_EINVAL);
  rac_release(none);
  tear_down();
}

TEST(repeating_needs_an_interval) {
  set_up();
  REFUSED(RAC_EINVAL, rac_schedule_repeating(clock_, 1, 0, 0, ACTION));
  rac_clear_last_error();
  CHECK(rac_signal_interval(0, clock_) == NULL);
  CHECK_STATUS(rac_last_error_code(), RAC_EINVAL);
  tear_down();
}

TEST(the_immediate_scheduler_does_not_repeat) {
  rac_scheduler *immediate = rac_scheduler_immediate();
  REFUSED(RAC_EINVAL, rac_schedule_repeating(immediate, 1, 1, 0, ACTION));
  CHECK(rac_signal_interval(1, immediate) == NULL);
  CHECK_STATUS(rac_last_error_code(), RAC_EINVAL);
}

TEST(an_endless_time_is_a_long_time) {
  set_up();
  atomic_int destroyed = 0;
  double times[] = {1e9, 1e18, 1e300, INFINITY};
  rac_disposable *jobs[4];
  for (int i = 0; i < 4; i++) {
    jobs[i] = rac_schedule_after(clock_, times[i], ACTION);
    CHECK(jobs[i] != NULL);
  }
  CHECK_STATUS(rac_virtual_advance_by(clock_, 1e8), RAC_OK);
  CHECK_INT(destroyed, 0);
  for (int i = 0; i < 4; i++) {
    rac_dispose(jobs[i]);
    rac_release(jobs[i]);
    CHECK_INT(destroyed, i + 1);
  }
  tear_down();
}

TEST(lists_have_elements) {
  rac_clear_last_error();
  CHECK(rac_signal_zip(NULL, 1) == NULL);
  CHECK_STATUS(rac_last_error_code(), RAC_ENULL);
  CHECK_TEXT(rac_last_error_function(), "rac_signal_zip");
  CHECK(rac_signal_merge(NULL, 1) == NULL);
  CHECK(rac_signal_combine_latest(NULL, 1) == NULL);
  CHECK(rac_signal_concat_all(NULL, 1) == NULL);
  rac_clear_last_error();
  CHECK(rac_signal_from_values(NULL, 1) == NULL);
  CHECK_STATUS(rac_last_error_code(), RAC_ENULL);
  CHECK_TEXT(rac_last_error_function(), "rac_signal_from_values");
}

TEST(empty_lists_make_empty_signals) {
  CHECK_SIGNAL(rac_signal_zip(NULL, 0), "|");
  CHECK_SIGNAL(rac_signal_merge(NULL, 0), "|");
  CHECK_SIGNAL(rac_signal_combine_latest(NULL, 0), "|");
  CHECK_SIGNAL(rac_signal_concat_all(NULL, 0), "|");
  CHECK_SIGNAL(rac_signal_from_values(NULL, 0), "|");
}

TEST(lists_beyond_memory_are_refused) {
  set_up();
  size_t sizes[] = {SIZE_MAX, SIZE_MAX / 8};
  rac_value value = rac_value_nil();
  for (int i = 0; i < 2; i++) {
    rac_clear_last_error();
    CHECK(rac_signal_zip(&never, sizes[i]) == NULL);
    CHECK_STATUS(rac_last_error_code(), RAC_ENOMEM);
    CHECK(rac_signal_merge(&never, sizes[i]) == NULL);
    CHECK(rac_signal_combine_latest(&never, sizes[i]) == NULL);
    CHECK(rac_signal_concat_all(&never, sizes[i]) == NULL);
    CHECK(rac_signal_from_values(&value, sizes[i]) == NULL);
    CHECK_STATUS(rac_last_error_code(), RAC_ENOMEM);
  }
  tear_down();
}

TEST(an_observer_says_its_size) {
  set_up();
  rac_clear_last_error();
  CHECK(rac_subscribe(never, NULL) == NULL);
  CHECK_STATUS(rac_last_error_code(), RAC_ENULL);
  atomic_int destroyed = 0;
  rac_observer observer = RAC_OBSERVER_INIT;
  observer.context = context_new(NULL, &destroyed);
  observer.destroy = context_destroy;
  observer.size = 0;
  rac_clear_last_error();
  CHECK(rac_subscribe(never, &observer) == NULL);
  CHECK_STATUS(rac_last_error_code(), RAC_EINVAL);
  /* Too small to have said where destroy is. */
  CHECK_INT(destroyed, 0);
  context_destroy(observer.context);
  tear_down();
}

TEST(results_need_not_be_taken) {
  rac_signal *one = rac_signal_return(I(1));
  CHECK_STATUS(rac_signal_first(one, 0, NULL), RAC_OK);
  CHECK_STATUS(rac_signal_to_array(one, 0, NULL), RAC_OK);
  CHECK_STATUS(rac_signal_wait_until_completed(one, 0, NULL), RAC_OK);
  RAC_ASSIGN(one, rac_signal_error(rac_value_nil()));
  CHECK_STATUS(rac_signal_first(one, 0, NULL), RAC_ESTREAM);
  CHECK_STATUS(rac_signal_to_array(one, 0, NULL), RAC_ESTREAM);
  rac_release(one);
  rac_clear_last_error();
  CHECK(rac_assign(NULL, NULL) == NULL);
}

TEST(a_name_is_required) {
  set_up();
  CHECK_STATUS(rac_signal_set_name(never, NULL), RAC_ENULL);
  tear_down();
}

static rac_status refuse_to_answer(void *context, rac_value value,
                                   rac_value *out) {
  (void)value;
  (void)out;
  (void)context_target(context);
  return RAC_OK;
}

TEST(a_callback_that_writes_nothing_gave_nil) {
  rac_signal *signal = cold("1 2 |", NULL);
  RAC_ASSIGN(signal, rac_signal_map(signal, context_new(NULL, NULL),
                                    refuse_to_answer, context_destroy));
  CHECK_SIGNAL(signal, "nil nil |");
}

TEST(counts_of_zero_are_legal) {
  set_up();
  rac_signal *source = cold("1 2 |", NULL);
  CHECK_SIGNAL(rac_signal_take(source, 0), "|");
  CHECK_SIGNAL(rac_signal_skip(source, 0), "1 2 |");
  CHECK_SIGNAL(rac_signal_skip(source, SIZE_MAX), "|");
  CHECK_SIGNAL(rac_signal_take(source, SIZE_MAX), "1 2 |");
  CHECK_SIGNAL(rac_signal_take(never, 0), "|");
  CHECK_STATUS(rac_virtual_step_n(clock_, 0), RAC_OK);
  rac_release(source);
  tear_down();
}
