/* rac_raise: an error that a callback raises is that callback's, and goes with
 * it, used or not. */
#include "operator_table.h"
#include "properties.h"
#include "sequences.h"

/* ---- What a callback that raises nothing fails with ---------------------- */

typedef struct heard {
  char domain[32];
  int64_t code;
} heard;

static void keep_error(void *context, rac_value error) {
  heard *self = context_target(context);
  snprintf(self->domain, sizeof self->domain, "%s",
           rac_error_get_domain(error));
  self->code = rac_error_get_code(error);
}

/* Takes over the signal's reference. */
static heard error_of(rac_signal *signal) {
  heard self = {.domain = "none"};
  rac_observer observer = RAC_OBSERVER_INIT;
  observer.context = context_new(&self, NULL);
  observer.error = keep_error;
  observer.destroy = context_destroy;
  rac_release(rac_subscribe(signal, &observer));
  rac_release(signal);
  return self;
}

static rac_status just_fail(void *context, rac_value value, rac_value *out) {
  (void)context_target(context);
  (void)value;
  (void)out;
  return RAC_EUSER;
}

/* An unrelated callback that fails without having raised anything. */
static bool fails_plainly(void) {
  rac_signal *signal = rac_signal_return(I(1));
  APPLY(signal, map, CALLBACK(just_fail));
  heard error = error_of(signal);
  return strcmp(error.domain, "rac.callback") == 0 && error.code == RAC_EUSER;
}

static rac_status raise_code(int64_t code) {
  rac_value error = test_error(code);
  rac_status status = rac_raise(error);
  rac_value_release(error);
  return status;
}

static int raised;
static void raise_for_nothing(void) {
  raised++;
  CHECK_STATUS(raise_code(99), RAC_EUSER);
}

/* Names what was tried when it fails. */
static void check_gone(const char *what, uint64_t before) {
  char text[200];
  if (raised == 0) {
    snprintf(text, sizeof text, "%s: its callback has not run", what);
    check_fail(__FILE__, __LINE__, text);
  }
  for (int i = 0; i < 1000 && rac_live_objects() != before; i++) check_pause();
  if (rac_live_objects() != before) {
    snprintf(text, sizeof text, "%s: the error is still kept", what);
    check_fail(__FILE__, __LINE__, text);
  }
  if (!fails_plainly()) {
    snprintf(text, sizeof text, "%s: another callback gets the error", what);
    check_fail(__FILE__, __LINE__, text);
  }
  raised = 0;
}

/* ---- Operators ------------------------------------------------------------ */

/* Those whose callbacks return a status. */
static const char *const with_status[] = {"bind",
                                          "map",
                                          "flatten_map",
                                          "filter",
                                          "catch",
                                          "group_by",
                                          "scan",
                                          "scan_with_index",
                                          "aggregate",
                                          "aggregate_with_index",
                                          "aggregate_with_factory",
                                          "combine_previous",
                                          "reduce_each",
                                          "take_until_block",
                                          "take_while_block",
                                          "skip_until_block",
                                          "skip_while_block",
                                          "combine_latest_reduce",
                                          "zip_reduce",
                                          "then",
                                          "try",
                                          "try_map",
                                          "any",
                                          "all",
                                          "throttle_passing_test"};

static bool returns_status(const char *name) {
  for (size_t i = 0; i < sizeof with_status / sizeof *with_status; i++)
    if (strcmp(with_status[i], name) == 0) return true;
  return false;
}

TEST(an_operator_discards_what_a_callback_raised_that_succeeds) {
  size_t tried = 0;
  for (int i = 0; i < OPERATORS; i++) {
    if (!returns_status(operators[i].name)) continue;
    tried++;
    uint64_t before = rac_live_objects();
    v = rac_scheduler_virtual();
    standing = rac_scheduler_virtual();
    bool needs_error = strcmp(operators[i].name, "catch") == 0;
    rac_signal *source_ = cold(needs_error ? "1 #3" : "1 2 3 |", NULL);
    rac_signal *other = cold("4 |", NULL);
    rac_signal *s = operators[i].build(source_, other);
    recorder r = {0};
    in_callback = raise_for_nothing;
    record(s, &r);
    rac_virtual_step_all(v);
    in_callback = NULL;
    finish(&r);
    CHECK(needs_error || strchr(r.text, '#') == NULL);
    rac_release(s);
    rac_release(source_);
    rac_release(other);
    rac_release(v);
    rac_release(standing);
    check_gone(operators[i].name, before);
  }
  CHECK_INT(tried, sizeof with_status / sizeof *with_status);
}

/* ---- Sources, lifting and commands ---------------------------------------- */

static rac_status make_nothing(void *context, rac_signal **out) {
  (void)out;
  touched(context);
  return RAC_OK;
}
static rac_status subscribed(void *context, rac_subscriber *subscriber,
                             rac_disposable **out) {
  (void)out;
  touched(context);
  rac_subscriber_send_completed(subscriber);
  return RAC_OK;
}
static rac_status started(void *context, rac_subscriber *subscriber) {
  touched(context);
  rac_subscriber_send_completed(subscriber);
  return RAC_OK;
}

TEST(a_source_discards_it) {
  rac_scheduler *immediate = rac_scheduler_immediate();
  for (int kind = 0; kind < 5; kind++) {
    static const char *const names[] = {"create", "defer", "from_factory",
                                        "start_eagerly", "start_lazily"};
    uint64_t before = rac_live_objects();
    in_callback = raise_for_nothing;
    rac_signal *s = kind == 0   ? rac_signal_create(CALLBACK(subscribed))
                    : kind == 1 ? rac_signal_defer(CALLBACK(make_nothing))
                    : kind == 2 ? rac_signal_from_factory(CALLBACK(nothing))
                    : kind == 3
                        ? rac_signal_start_eagerly(immediate, CALLBACK(started))
                        : rac_signal_start_lazily(immediate, CALLBACK(started));
    recorder r = {0};
    record(s, &r);
    CHECK_EVENTS(&r, kind == 2 ? "nil |" : "|");
    in_callback = NULL;
    await_end(&r);
    rac_release(s);
    check_gone(names[kind], before);
  }
}

TEST(a_lifted_function_discards_it) {
  uint64_t before = rac_live_objects();
  in_callback = raise_for_nothing;
  rac_signal *arguments[] = {rac_signal_return(I(1)), rac_signal_return(I(2))};
  rac_signal *results = rac_lift(arguments, 2, NULL, CALLBACK(first_of));
  in_callback = NULL;
  rac_release(arguments[0]);
  rac_release(arguments[1]);
  rac_release(results);
  check_gone("lift", before);
}

static rac_status execute(void *context, rac_value input, rac_signal **out) {
  touched(context);
  *out = rac_signal_return(input);
  return RAC_OK;
}

TEST(a_command_discards_it) {
  uint64_t before = rac_live_objects();
  rac_scheduler *immediate = rac_scheduler_immediate();
  rac_command *command = rac_command_create(
      NULL, immediate, context_new(NULL, NULL), execute, context_destroy);
  in_callback = raise_for_nothing;
  rac_release(rac_command_execute(command, I(1)));
  in_callback = NULL;
  rac_release(command);
  check_gone("command", before);
}

/* ---- Properties ----------------------------------------------------------- */

TEST(a_property_discards_it) {
  uint64_t before = rac_live_objects();
  rac_property *a = property(1), *b = property(2);
  uint64_t both_alive = rac_live_objects();

  in_callback = raise_for_nothing;
  CHECK_STATUS(rac_property_modify(a, CALLBACK(same)), RAC_OK);
  check_gone("modify", both_alive);

  rac_property *mapped = rac_property_map(a, 0, CALLBACK(same));
  CHECK_INT(raised, 1);
  CHECK_STATUS(rac_property_set(a, I(5)), RAC_OK);
  CHECK_INT(number(mapped), 5);
  rac_release(mapped);
  check_gone("map", both_alive);

  rac_property *both[] = {a, b};
  rac_property *combined =
      rac_property_combine_latest(both, 2, 0, CALLBACK(first_of));
  CHECK_INT(raised, 1);
  CHECK_STATUS(rac_property_set(b, I(6)), RAC_OK);
  rac_release(combined);
  check_gone("combine_latest", both_alive);

  rac_disposable *tie = rac_property_bind_two_way_map(
      a, b, context_new(NULL, NULL), same, same, context_destroy);
  CHECK_STATUS(rac_property_set(b, I(7)), RAC_OK);
  CHECK_INT(number(a), 7);
  rac_dispose(tie);
  rac_release(tie);
  check_gone("bind_two_way_map", both_alive);

  in_callback = NULL;
  rac_release(a);
  rac_release(b);
  CHECK_INT(rac_live_objects(), before);
}

TEST(an_adapter_discards_it) {
  uint64_t before = rac_live_objects();
  in_callback = raise_for_nothing;
  rac_property *adapter = rac_property_create_adapter(
      0, context_new(NULL, NULL), nothing, accept, context_destroy);
  CHECK_INT(raised, 1);
  rac_value value;
  CHECK_STATUS(rac_property_get(adapter, &value), RAC_OK);
  CHECK_INT(raised, 2);
  CHECK_STATUS(rac_property_set(adapter, I(1)), RAC_OK);
  in_callback = NULL;
  rac_release(adapter);
  check_gone("adapter", before);
}

/* ---- Sequences ------------------------------------------------------------ */

static rac_status inner_sequence(void *context, rac_value value,
                                 rac_sequence **out) {
  touched(context);
  *out = rac_sequence_return(value);
  return RAC_OK;
}
static rac_status bound_sequence(void *context, rac_value value, bool *stop,
                                 rac_sequence **out) {
  (void)stop;
  return inner_sequence(context, value, out);
}
static rac_status no_tail(void *context, rac_sequence **out) {
  (void)out;
  touched(context);
  return RAC_OK;
}
static rac_status up_to_three(void *context, rac_value state,
                              rac_value *next_state, rac_value *out) {
  touched(context);
  if (state.bits > 3) return RAC_EEMPTY;
  *out = state;
  *next_state = I(state.bits + 1);
  return RAC_OK;
}
static rac_status last_or_rest(void *context, rac_value value,
                               const rac_value *rest, rac_value *out) {
  (void)value;
  touched(context);
  if (rest == NULL) return RAC_PENDING;
  *out = rac_value_retain(*rest);
  return RAC_OK;
}

TEST(a_sequence_discards_it) {
  for (int kind = 0; kind < 10; kind++) {
    uint64_t before = rac_live_objects();
    rac_sequence *values = seq("1 2 3"), *s = NULL;
    char text[64], name[32];
    in_callback = raise_for_nothing;
    switch (kind) {
    case 0:
      s = rac_sequence_map(values, CALLBACK(same));
      break;
    case 1:
      s = rac_sequence_filter(values, CALLBACK(always));
      break;
    case 2:
      s = rac_sequence_flatten_map(values, CALLBACK(inner_sequence));
      break;
    case 3:
      s = rac_sequence_bind(values, CALLBACK(bound_sequence));
      break;
    case 4:
      s = rac_sequence_scan(values, I(0), CALLBACK(last_of));
      break;
    case 5:
      s = rac_sequence_zip_reduce(&values, 1, CALLBACK(first_of));
      break;
    case 6:
      s = rac_sequence_take_while_block(values, CALLBACK(always));
      break;
    case 7:
      s = rac_sequence_skip_while_block(values, CALLBACK(no));
      break;
    case 8:
      s = rac_sequence_create(context_new(NULL, NULL), nothing, no_tail,
                              context_destroy);
      break;
    default:
      s = rac_sequence_generate(I(1), CALLBACK(up_to_three));
    }
    sequence_text(s, text, sizeof text);
    CHECK_TEXT(text, kind == 8 ? "nil" : "1 2 3");
    in_callback = NULL;
    rac_release(s);
    rac_release(values);
    snprintf(name, sizeof name, "sequence %d", kind);
    check_gone(name, before);
  }
}

TEST(a_reading_discards_it) {
  uint64_t before = rac_live_objects();
  rac_sequence *values = seq("1 2 3");
  uint64_t values_alive = rac_live_objects();
  void *context = context_new(NULL, NULL); /* it is not handed over here */
  bool yes = false;
  in_callback = raise_for_nothing;
  CHECK_STATUS(rac_sequence_all(values, context, always, &yes), RAC_OK);
  check_gone("all", values_alive);
  CHECK_STATUS(rac_sequence_any(values, context, no, &yes), RAC_OK);
  check_gone("any", values_alive);
  CHECK_RESULT(rac_sequence_fold_left(values, I(0), context, last_of, &out),
               "3");
  check_gone("fold_left", values_alive);
  CHECK_RESULT(
      rac_sequence_fold_right(values, I(9), context, last_or_rest, &out), "9");
  in_callback = NULL;
  context_destroy(context);
  rac_release(values);
  check_gone("fold_right", before);
}

/* ---- Callbacks inside callbacks -------------------------------------------- */

static rac_subject *within;

static rac_status raise_and_send(void *context, rac_value value,
                                 rac_value *out) {
  (void)context_target(context);
  (void)out;
  rac_status status = raise_code(value.bits);
  rac_subject_send(within, value);
  return status;
}

static rac_status raise_and_succeed(void *context, rac_value value,
                                    rac_value *out) {
  (void)context_target(context);
  raise_code(value.bits + 100);
  *out = value;
  return RAC_OK;
}
static rac_status raise_and_fail(void *context, rac_value value,
                                 rac_value *out) {
  (void)context_target(context);
  (void)out;
  return raise_code(value.bits + 100);
}

TEST(what_runs_inside_a_callback_leaves_its_error_alone) {
  static const struct {
    rac_map_fn inner;
    const char *heard_inside;
  } cases[] = {{times_ten, "70"},
               {raise_and_succeed, "7"},
               {raise_and_fail, "#107"},
               {just_fail, "#-100"}};
  for (int i = 0; i < 4; i++) {
    uint64_t before = rac_live_objects();
    within = rac_subject_create();
    rac_subject *outer = rac_subject_create();
    rac_signal *inner =
        rac_signal_map(as_signal(within), CALLBACK(cases[i].inner));
    rac_signal *mapped =
        rac_signal_map(as_signal(outer), CALLBACK(raise_and_send));
    recorder inside = {0}, r = {0};
    record(inner, &inside);
    record(mapped, &r);
    rac_subject_send(outer, I(7));
    CHECK_EVENTS(&inside, cases[i].heard_inside);
    CHECK_EVENTS(&r, "#7");
    finish(&inside);
    finish(&r);
    rac_release(inner);
    rac_release(mapped);
    rac_release(outer);
    rac_release(within);
    CHECK_INT(rac_live_objects(), before);
  }
}

/* The same where no gate is entered: an adapter's value is read, a property
 * derived, a command executed, a sequence computed. */
static rac_status raise_and_ask(void *context, rac_value value,
                                rac_value *out) {
  void *asked = context_target(context);
  rac_value got = rac_value_nil();
  (void)out;
  rac_status status = raise_code(value.bits);
  in_callback = raise_for_nothing;
  CHECK_STATUS(rac_property_get(asked, &got), RAC_OK);
  rac_property *derived = rac_property_map(asked, 0, CALLBACK(same));
  CHECK(derived != NULL);
  rac_release(derived);
  rac_sequence *values = rac_sequence_return(I(1));
  SEQ(values, map, CALLBACK(same));
  CHECK_RESULT(rac_sequence_head(values, &out), "1");
  rac_release(values);
  in_callback = NULL;
  return status;
}

TEST(what_is_asked_inside_a_callback_leaves_its_error_alone) {
  uint64_t before = rac_live_objects();
  rac_property *adapter = rac_property_create_adapter(
      0, context_new(NULL, NULL), nothing, accept, context_destroy);
  rac_subject *subject = rac_subject_create();
  rac_signal *mapped =
      rac_signal_map(as_signal(subject), CALLBACK_FOR(adapter, raise_and_ask));
  recorder r = {0};
  record(mapped, &r);
  rac_subject_send(subject, I(7));
  CHECK_EVENTS(&r, "#7");
  CHECK_INT(raised, 4);
  finish(&r);
  rac_release(mapped);
  rac_release(subject);
  rac_release(adapter);
  check_gone("what was asked", before);
}

TEST(the_latest_of_several_counts) {
  uint64_t before = rac_live_objects();
  raised = 1;
  rac_signal *signal = rac_signal_return(I(7));
  APPLY(signal, map, CALLBACK(raise_and_fail));
  in_callback = raise_for_nothing;
  heard error = error_of(signal);
  in_callback = NULL;
  CHECK_INT(error.code, 107);
  check_gone("several", before);
}

/* ---- Outside of callbacks --------------------------------------------------- */

TEST(outside_of_callbacks_nothing_is_kept) {
  uint64_t before = rac_live_objects();
  raise_for_nothing();
  CHECK_INT(rac_live_objects(), before);
  check_gone("nobody", before);
}

static void *raise_all_the_time(void *stop) {
  rac_subject *subject = rac_subject_create();
  rac_signal *mapped = rac_signal_map(as_signal(subject), CALLBACK(same));
  recorder r = {0};
  record(mapped, &r);
  while (!atomic_load((atomic_bool *)stop)) rac_subject_send(subject, I(1));
  CHECK_INT(r.ends, 0);
  finish(&r);
  rac_release(mapped);
  rac_release(subject);
  return NULL;
}

/* What another thread keeps is no concern of this one's callbacks. */
TEST(threads_do_not_see_each_others) {
  atomic_bool stop = false;
  in_callback = raise_for_nothing;
  pthread_t thread = check_spawn(raise_all_the_time, &stop);
  rac_subject *subject = rac_subject_create();
  rac_signal *mapped = rac_signal_map(as_signal(subject), CALLBACK(times_ten));
  recorder r = {0};
  record(mapped, &r);
  for (int i = 0; i < 20000; i++) rac_subject_send(subject, I(i));
  CHECK_INT(r.nexts, 20000);
  for (int i = 0; i < 1000; i++) CHECK(fails_plainly());
  atomic_store(&stop, true);
  check_join(thread);
  in_callback = NULL;
  raised = 0;
  finish(&r);
  rac_release(mapped);
  rac_release(subject);
}
