/* An error comes out at the other end with the value beneath it, the very one that
 * went in: whatever callback raised it, and whatever it passed. */
#include <math.h>

#include "commands.h"
#include "operator_table.h"
#include "sequences.h"

/* ---- An exception of a host's ---------------------------------------------------- */

static int exception;
static const rac_object_class exceptions = RAC_OBJECT_CLASS_INIT;

static rac_value an_error(void) {
  rac_value beneath =
      rac_object(&exception, rac_object_class_register(&exceptions));
  return rac_value_error_underlying("host", 7, "raised", beneath);
}
static rac_status raise_it(void) {
  owned_value error = an_error();
  rac_status status = rac_raise(error);
  return status;
}
static bool is_it(rac_value error) {
  void *beneath = NULL;
  rac_value_get_object(rac_error_get_underlying(error), 0, &beneath);
  return beneath == &exception && rac_error_get_code(error) == 7 &&
         strcmp(rac_error_get_domain(error), "host") == 0;
}

typedef struct end {
  int errors, wrong;
} end;

static void hear_error(void *context, rac_value error) {
  end *self = context;
  self->errors++;
  if (!is_it(error)) self->wrong++;
}
static end heard(rac_signal *signal) {
  end self = {0};
  rac_observer observer = RAC_OBSERVER_INIT;
  observer.context = &self;
  observer.error = hear_error;
  owned rac_disposable *d = rac_subscribe(signal, &observer);
  if (v != NULL) rac_virtual_step_n(v, 50);
  run_main();
  rac_dispose(d);
  return self;
}
static void check_hears(const char *name, rac_signal *signal) {
  end at_end = heard(signal);
  if (at_end.errors != 1 || at_end.wrong > 0)
    check_fail(__FILE__, __LINE__, name);
  rac_release(signal);
}
#define HEARS(signal) check_hears(#signal, signal)

/* ---- Callbacks that raise --------------------------------------------------------- */

#pragma GCC diagnostic ignored "-Wunused-parameter"
#define FAILS(type, ...)                                                       \
  static rac_status fail_##type(void *context, __VA_ARGS__) {                  \
    return raise_it();                                                         \
  }                                                                            \
  struct fail_##type

FAILS(map, rac_value a, rac_value *out);
FAILS(predicate, rac_value a, bool *out);
FAILS(try, rac_value a);
FAILS(compare, rac_value a, rac_value b, int32_t *out);
FAILS(reduce, rac_value a, rac_value b, rac_value *out);
FAILS(reduce_index, rac_value a, rac_value b, size_t i, rac_value *out);
FAILS(reduce_each, const rac_value *list, size_t count, rac_value *out);
FAILS(factory, rac_value *out);
FAILS(signal, rac_value a, rac_signal **out);
FAILS(signal_index, rac_value a, size_t i, rac_signal **out);
FAILS(bind, rac_value a, bool *stop, rac_signal **out);
FAILS(defer, rac_signal **out);
FAILS(subscribe, rac_subscriber *s, rac_disposable **out);
FAILS(step, rac_step *step, rac_value a, rac_value *out);
FAILS(sequence, rac_value a, rac_sequence **out);
FAILS(sequence_bind, rac_value a, bool *stop, rac_sequence **out);
FAILS(generate, rac_value a, rac_value *next, rac_value *out);

static void fail_action(void *context) { (void)context; }
#define fail_completed fail_action
static void fail_next(void *context, rac_value value) {
  (void)context, (void)value;
}
#define fail_error fail_next
static void fail_clear(void *context, void *state) {
  (void)context, (void)state;
}

/* ---- Every operator whose callback can fail --------------------------------------- */

#define APPLIED(name) failing_##name
#define FUNCTION(type, f) NULL, fail_##type, NULL
#define FUNCTIONS(type, f, type2, g) NULL, fail_##type, fail_##type2, NULL
#include "applied_operators.h"

static const build_fn failing[] = {
#define SIGNAL_OPERATOR(name, ...) failing_##name,
#include "../operators/operators.def"
};

static void with_clocks(void (*body)(void)) {
  v = rac_scheduler_virtual();
  standing = rac_scheduler_virtual();
  body();
  rac_release(v);
  rac_release(standing);
  v = standing = NULL;
}

static void raise_in_each(void) {
  int tried = 0;
  for (int i = 0; i < OPERATORS; i++) {
    if (!operator_takes(i, RETURNS_STATUS)) continue;
    owned rac_signal *source_ =
        cold(operator_takes(i, NEEDS_ERROR) ? "1 #3" : "1 2 |", NULL);
    owned rac_signal *other = cold("4 |", NULL);
    tried++;
    check_hears(operators[i].name, failing[i](source_, other));
  }
  CHECK(tried > 40);
}

TEST(what_a_callback_of_an_operator_raises) { with_clocks(raise_in_each); }

static void pass_through_each(void) {
  int tried = 0;
  for (int i = 0; i < OPERATORS; i++) {
    rac_value error = an_error();
    owned rac_signal *source_ = rac_signal_error(error),
                     *other = rac_signal_never();
    rac_value_release(error);
    owned rac_signal *s = operators[i].build(source_, other);
    end at_end = heard(s);
    if (at_end.wrong > 0) check_fail(__FILE__, __LINE__, operators[i].name);
    tried += at_end.errors;
  }
  CHECK(tried > 80);
}

TEST(what_an_operator_is_sent) { with_clocks(pass_through_each); }

/* ---- Sources, subjects, properties, commands -------------------------------------- */

static rac_status send_error(void *context, rac_subscriber *subscriber,
                             rac_disposable **out) {
  (void)context, (void)out;
  rac_value error = an_error();
  rac_subscriber_send_error(subscriber, error);
  rac_value_release(error);
  return RAC_OK;
}

TEST(what_sources_raise_and_send) {
  HEARS(rac_signal_create(NULL, fail_subscribe, NULL));
  HEARS(rac_signal_create(NULL, send_error, NULL));
  HEARS(rac_signal_defer(NULL, fail_defer, NULL));
  HEARS(rac_signal_from_factory(NULL, fail_factory, NULL));
  HEARS(rac_signal_using(NULL, fail_factory, fail_signal, fail_next, NULL));
  owned rac_subject *replay = rac_replay_subject_create(1);
  rac_value error = an_error(), event = rac_value_event_error(error);
  CHECK(is_it(rac_event_get_error(event)));
  rac_subject_send_error(replay, error);
  HEARS(rac_retain(replay));
  rac_signal *events = rac_signal_return(event);
  HEARS(rac_signal_dematerialize(events));
  rac_release(events);
  owned_value out = rac_value_nil();
  CHECK_STATUS(rac_signal_first(as_signal(replay), 1, &out), RAC_ESTREAM);
  CHECK(is_it(out));
  rac_value_release(event);
  rac_value_release(error);
}

/* Not when the property is made. */
static rac_status fail_later(void *context, rac_value value, rac_value *out) {
  if (value.bits != 1) return raise_it();
  (void)context;
  *out = value;
  return RAC_OK;
}
static rac_status fail_each_later(void *context, const rac_value *list,
                                  size_t count, rac_value *out) {
  return count == 1 ? fail_later(context, list[0], out) : RAC_OK;
}

TEST(what_derives_properties_and_lifted_functions) {
  owned rac_property *one = rac_property_create(I(1), 0);
  rac_property *derived[] = {
      rac_property_map(one, 0, NULL, fail_later, NULL),
      rac_property_combine_latest(&one, 1, 0, NULL, fail_each_later, NULL)};
  rac_property *last = rac_property_map(derived[0], 0, NULL, fail_later, NULL);
  rac_property_set(one, I(2));
  for (int i = 0; i < 2; i++) {
    HEARS(rac_retain(rac_property_as_signal(derived[i])));
    rac_release(derived[i]);
  }
  HEARS(rac_retain(rac_property_as_signal(last)));
  rac_release(last);
  rac_signal *values = rac_property_as_signal(one);
  HEARS(rac_lift(&values, 1, NULL, NULL, fail_each_later, NULL));
}

static void hear_value(void *context, rac_value value) {
  hear_error(context, value);
}

TEST(what_a_command_raises) {
  rac_command *command =
      rac_command_create(NULL, NULL, NULL, fail_signal, NULL);
  run_main();
  end errors = {0};
  rac_signal *of_command = rac_command_errors(command);
  rac_disposable *d = rac_subscribe_next(of_command, &errors, hear_value, NULL);
  HEARS(rac_command_execute(command, I(1)));
  run_main();
  CHECK(errors.errors == 1 && errors.wrong == 0);
  rac_dispose(d);
  rac_release(d);
  rac_release(of_command);
  drop_command(command);
}

/* ---- What an operator cannot take --------------------------------------------------- */

static void count_if_below(void *context, rac_value error) {
  void *beneath = NULL;
  rac_value_get_object(rac_error_get_underlying(error), 0, &beneath);
  if (beneath == &exception && rac_error_get_code(error) == RAC_EKIND)
    ++*(int *)context;
}

TEST(what_an_operator_was_sent_instead_is_beneath_its_error) {
  owned rac_signal *one = rac_signal_return(
      rac_object(&exception, rac_object_class_register(&exceptions)));
  owned rac_signal *never = rac_signal_never();
  rac_signal *failing[] = {
      rac_signal_flatten(one, 0),
      rac_signal_switch_to_latest(one),
      rac_signal_not(one),
      rac_signal_and(one),
      rac_signal_or(one),
      rac_signal_if(one, never, never),
      rac_signal_pausable(never, one, 1),
      rac_signal_dematerialize(one),
      rac_signal_reduce_each(one, NULL, fail_each_later, NULL),
      rac_signal_sum(one),
      rac_signal_max(one, NULL, NULL, NULL),
      rac_signal_rolling(one, RAC_ROLLING_MEAN, 2, INFINITY, NULL),
      rac_signal_rolling(one, RAC_ROLLING_MEAN, SIZE_MAX, 2, NULL)};
  enum { FAILING = sizeof failing / sizeof *failing };
  int beneath = 0;
  rac_observer observer = {
      .size = sizeof observer, .context = &beneath, .error = count_if_below};
  for (int i = 0; i < FAILING; i++) {
    rac_release(rac_subscribe(failing[i], &observer));
    rac_release(failing[i]);
  }
  CHECK_INT(beneath, FAILING);
}

/* ---- Sequences --------------------------------------------------------------------- */

static void check_fails(const char *name, rac_sequence *sequence) {
  check_hears(name, rac_sequence_signal(sequence, rac_scheduler_immediate()));
  rac_value out = rac_value_nil();
  CHECK_STATUS(rac_sequence_to_array(sequence, &out), RAC_ESTREAM);
  CHECK(is_it(out));
  rac_value_release(out);
  rac_release(sequence);
}
#define FAILS_AS_SEQUENCE(sequence) check_fails(#sequence, sequence)

TEST(what_sequences_raise) {
  owned rac_sequence *s = seq("1 2");
  FAILS_AS_SEQUENCE(rac_sequence_map(s, NULL, fail_map, NULL));
  FAILS_AS_SEQUENCE(rac_sequence_filter(s, NULL, fail_predicate, NULL));
  FAILS_AS_SEQUENCE(rac_sequence_flatten_map(s, NULL, fail_sequence, NULL));
  FAILS_AS_SEQUENCE(rac_sequence_bind(s, NULL, fail_sequence_bind, NULL));
  FAILS_AS_SEQUENCE(rac_sequence_scan(s, I(0), NULL, fail_reduce, NULL));
  FAILS_AS_SEQUENCE(rac_sequence_generate(I(1), NULL, fail_generate, NULL));
  owned rac_signal *failing_ = rac_signal_create(NULL, fail_subscribe, NULL);
  FAILS_AS_SEQUENCE(rac_sequence_from_signal(failing_, 1, NULL));
}
