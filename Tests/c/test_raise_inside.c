/* What runs inside a callback that has raised an error leaves that alone. */
#include "properties.h"
#include "raising.h"
#include "sequences.h"

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
               {just_fail, "#-5100"}};
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
  rac_property *derived = rac_property_map(asked, 0, CALLBACK(standard_key));
  CHECK(derived != NULL);
  rac_release(derived);
  rac_sequence *values = rac_sequence_return(I(1));
  SEQ(values, map, CALLBACK(standard_key));
  CHECK_RESULT(rac_sequence_head(values, &out), "1");
  rac_release(values);
  in_callback = NULL;
  return status;
}

TEST(what_is_asked_inside_a_callback_leaves_its_error_alone) {
  uint64_t before = rac_live_objects();
  rac_property *adapter = rac_property_create_adapter(
      0, context_new(NULL, NULL), standard_make_value, standard_attempt,
      context_destroy);
  rac_subject *subject = rac_subject_create();
  rac_signal *mapped =
      rac_signal_map(as_signal(subject), CALLBACK_FOR(adapter, raise_and_ask));
  recorder r = {0};
  record(mapped, &r);
  rac_subject_send(subject, I(7));
  CHECK_EVENTS(&r, "#7");
  CHECK_INT(raised, 5);
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
