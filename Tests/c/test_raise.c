/* rac_raise: an error that a callback raises is that callback's, and goes with
 * it, used or not. Those of operators, sequences, and callbacks inside others
 * have files of their own. */
#include "properties.h"
#include "raising.h"

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
    rac_signal *s =
        kind == 0   ? rac_signal_create(CALLBACK(subscribed))
        : kind == 1 ? rac_signal_defer(CALLBACK(make_nothing))
        : kind == 2 ? rac_signal_from_factory(CALLBACK(standard_make_value))
        : kind == 3 ? rac_signal_start_eagerly(immediate, CALLBACK(started))
                    : rac_signal_start_lazily(immediate, CALLBACK(started));
    recorder r = {0};
    record(s, &r);
    CHECK_EVENTS(&r, kind == 2 ? "7 |" : "|");
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
  rac_signal *results = rac_lift(arguments, 2, NULL, CALLBACK(standard_sum));
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
  CHECK_STATUS(rac_property_modify(a, CALLBACK(standard_key)), RAC_OK);
  check_gone("modify", both_alive);

  rac_property *mapped = rac_property_map(a, 0, CALLBACK(standard_key));
  CHECK_INT(raised, 1);
  CHECK_STATUS(rac_property_set(a, I(5)), RAC_OK);
  CHECK_INT(number(mapped), 5);
  rac_release(mapped);
  check_gone("map", both_alive);

  rac_property *both[] = {a, b};
  rac_property *combined =
      rac_property_combine_latest(both, 2, 0, CALLBACK(standard_sum));
  CHECK_INT(raised, 1);
  CHECK_STATUS(rac_property_set(b, I(6)), RAC_OK);
  rac_release(combined);
  check_gone("combine_latest", both_alive);

  rac_disposable *tie =
      rac_property_bind_two_way_map(a, b, context_new(NULL, NULL), standard_key,
                                    standard_key, context_destroy);
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
      0, context_new(NULL, NULL), standard_make_value, standard_attempt,
      context_destroy);
  CHECK_INT(raised, 1);
  rac_value value;
  CHECK_STATUS(rac_property_get(adapter, &value), RAC_OK);
  CHECK_INT(raised, 2);
  CHECK_STATUS(rac_property_set(adapter, I(1)), RAC_OK);
  in_callback = NULL;
  rac_release(adapter);
  check_gone("adapter", before);
}

/* ---- Outside of callbacks --------------------------------------------------- */

TEST(outside_of_callbacks_nothing_is_kept) {
  uint64_t before = rac_live_objects();
  raise_for_nothing();
  CHECK_INT(rac_live_objects(), before);
  check_gone("nobody", before);
}

static void *raise_all_the_time(void *stop) {
  owned rac_subject *subject = rac_subject_create();
  owned rac_signal *mapped =
      rac_signal_map(as_signal(subject), CALLBACK(standard_key));
  RECORDER(r, mapped);
  while (!atomic_load((atomic_bool *)stop)) rac_subject_send(subject, I(1));
  CHECK_INT(r.ends, 0);
  return NULL;
}

/* What another thread keeps is no concern of this one's callbacks. */
TEST(threads_do_not_see_each_others) {
  atomic_bool stop = false;
  in_callback = raise_for_nothing;
  pthread_t thread = check_spawn(raise_all_the_time, &stop);
  owned rac_subject *subject = rac_subject_create();
  owned rac_signal *mapped =
      rac_signal_map(as_signal(subject), CALLBACK(times_ten));
  RECORDER(r, mapped);
  for (int i = 0; i < 20000; i++) rac_subject_send(subject, I(i));
  CHECK_INT(r.nexts, 20000);
  for (int i = 0; i < 1000; i++) CHECK(fails_plainly());
  atomic_store(&stop, true);
  check_join(thread);
  in_callback = NULL;
  raised = 0;
}
