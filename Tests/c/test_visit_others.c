/* rac_visit_contexts() of what is no operator: sources, connections, properties,
 * sequences, commands. What is visited is what a release lets go of. */
#include "process.h"
#include "standard_callbacks.h"
#include "visiting.h"

static void *fresh(void) { return context_new(NULL, NULL); }
static void hear(void *context, rac_value value) {
  (void)value;
  touched(context);
}
static void listen(rac_signal *signal) {
  rac_release(rac_subscribe_next(signal, fresh(), hear, context_destroy));
}
static rac_signal *mapped(void *source) {
  return rac_signal_map(source, fresh(), standard_times_ten, context_destroy);
}

/* All that there is hangs on these, and goes with them. */
static void check_all(int line, void **handles, size_t count) {
  visit seen;
  int visited = visits(handles, count, &seen);
  /* There the compiler keeps references for longer: what has one more is left out. */
  if (IS_THREAD_SANITIZED ? visited > context_count()
                          : visited != context_count())
    check_fail(__FILE__, line, "not all is visited");
  if (context_count() == 0) check_fail(__FILE__, line, "there is nothing");
  for (size_t i = 0; i < count; i++) rac_release(handles[i]);
  if (context_count() != 0) check_fail(__FILE__, line, "something is left");
}
#define CHECK_ALL(...)                                                         \
  check_all(__LINE__, (void *[]){__VA_ARGS__},                                 \
            sizeof(void *[]){__VA_ARGS__} / sizeof(void *))

/* ---- Sources ------------------------------------------------------------------- */

static rac_subscriber *kept;
static void act(void *context) { touched(context); }
static rac_status keep_subscriber(void *context, rac_subscriber *subscriber,
                                  rac_disposable **out) {
  touched(context);
  kept = rac_retain(subscriber);
  *out = rac_disposable_create(fresh(), act, context_destroy);
  return RAC_OK;
}

TEST(who_keeps_a_subscriber_has_what_is_below) {
  rac_signal *made =
      rac_signal_create(fresh(), keep_subscriber, context_destroy);
  rac_signal *chain = mapped(made);
  listen(chain);
  visit seen;
  CHECK_INT(visits_of(kept, &seen), 2);
  CHECK_ALL(chain, made, kept);
}

static rac_signal *subscribing_in_turn(int which, rac_signal *source) {
  owned rac_signal *one = rac_signal_return(I(1));
  if (which == 0) return rac_signal_retry(source, 0);
  if (which == 1) return rac_signal_repeat(source);
  if (which == 2) return rac_signal_concat(source, one);
  return rac_signal_catch_to(source, one);
}

/* The subscriber keeps the context of what made it. */
TEST(who_keeps_a_subscriber_has_what_subscribes_to_it_in_turn) {
  for (int which = 0; which < 4; which++) {
    rac_signal *made =
        rac_signal_create(fresh(), keep_subscriber, context_destroy);
    rac_signal *chain = subscribing_in_turn(which, made);
    listen(chain);
    CHECK_ALL(chain, made, kept);
  }
}

TEST(a_subscriber_that_two_have_is_not_visited) {
  rac_signal *made =
      rac_signal_create(fresh(), keep_subscriber, context_destroy);
  listen(made);
  rac_retain(kept);
  visit seen;
  CHECK_INT(visits_of(kept, &seen), 0);
  rac_release(kept);
  CHECK_ALL(made, kept);
}

static rac_status make_value(void *context, rac_value *out) {
  touched(context);
  *out = I(1);
  return RAC_OK;
}
static rac_status use_it(void *context, rac_value value, rac_signal **out) {
  (void)value;
  touched(context);
  *out = rac_signal_never();
  return RAC_OK;
}

TEST(sources_with_a_context) {
  rac_signal *made =
      rac_signal_from_factory(fresh(), make_value, context_destroy);
  CHECK_ALL(made);
  made = rac_signal_using(fresh(), make_value, use_it, hear, context_destroy);
  CHECK_ALL(made);
}

/* ---- Connections --------------------------------------------------------------- */

TEST(a_connection_and_what_it_sends_to) {
  rac_subject *subject = rac_subject_create();
  rac_signal *source = mapped(subject);
  rac_connection *connection = rac_signal_publish(source);
  rac_signal *shared = rac_connection_signal(connection);
  listen(shared);
  rac_release(rac_connection_connect(connection));
  CHECK_ALL(shared, connection, source, subject);
}

TEST(connections_that_connect_themselves) {
  rac_subject *subject = rac_subject_create();
  rac_connection *connection = rac_signal_publish(as_signal(subject));
  rac_signal *once = rac_connection_autoconnect(connection);
  rac_signal *replayed = rac_signal_replay(as_signal(subject));
  rac_signal *lazily = rac_signal_replay_lazily(as_signal(subject));
  listen(once), listen(once), listen(replayed), listen(lazily);
  rac_subject_send(subject, I(1));
  CHECK_ALL(once, connection, replayed, lazily, subject);
}

/* ---- Properties ---------------------------------------------------------------- */

TEST(an_adapter) {
  rac_property *adapter = rac_property_create_adapter(0, fresh(), make_value,
                                                      NULL, context_destroy);
  CHECK_INT(context_count(), 1);
  visit seen;
  CHECK_INT(visits_of(adapter, &seen), 1);
  rac_release(adapter);
  CHECK_INT(context_count(), 0);
}

static rac_status add_all(void *context, const rac_value *list, size_t count,
                          rac_value *out) {
  touched(context);
  (void)list;
  *out = I((int64_t)count);
  return RAC_OK;
}

TEST(properties_that_are_derived) {
  rac_property *one = rac_property_create(I(1), 0);
  rac_property *other = rac_property_create(I(2), 0);
  rac_property *ten =
      rac_property_map(one, 0, fresh(), standard_times_ten, context_destroy);
  rac_property *list[] = {ten, other};
  rac_property *both = rac_property_combine_latest(list, 2, 0, fresh(), add_all,
                                                   context_destroy);
  rac_signal *values = mapped(both);
  listen(values);
  listen(rac_property_as_signal(one));
  rac_property_set(one, I(3));
  void *handles[] = {one, other, ten, both, values};
  visit seen;
  CHECK_INT(visits(handles, 5, &seen), context_count());
  rac_retain(ten);
  CHECK(visits(handles, 5, &seen) < context_count());
  rac_release(ten);
  for (int i = 0; i < 5; i++) rac_release(handles[i]);
  WAIT_UNTIL(context_count() <= 1);
}

TEST(a_terminal_has_no_part_in_who_else_hears) {
  rac_property *property = rac_property_create(I(1), 0);
  rac_subject *terminal = rac_property_terminal(property, I(0));
  listen(rac_property_as_signal(property));
  listen(as_signal(terminal));
  visit seen;
  CHECK_INT(visits_of(terminal, &seen), 0);
  void *both[] = {terminal, property};
  CHECK_INT(visits(both, 2, &seen), 1);
  rac_release(terminal);
  CHECK_INT(context_count(), 2);
  rac_release(property);
  CHECK_INT(context_count(), 0);
}

/* ---- Sequences ----------------------------------------------------------------- */

static rac_status count_up(void *context, rac_value state, rac_value *next,
                           rac_value *out) {
  touched(context);
  *out = state;
  *next = I(state.bits + 1);
  return RAC_OK;
}

TEST(sequences_visit_what_computes_them) {
  rac_sequence *numbers =
      rac_sequence_generate(I(0), fresh(), count_up, context_destroy);
  rac_sequence *times =
      rac_sequence_map(numbers, fresh(), standard_times_ten, context_destroy);
  rac_sequence *list[] = {times, numbers};
  rac_sequence *pairs = rac_sequence_zip(list, 2);
  rac_sequence *all[] = {pairs, times};
  rac_sequence *joined = rac_sequence_concat_all(all, 2);
  rac_value value;
  CHECK_STATUS(rac_sequence_head(joined, &value), RAC_OK);
  rac_value_release(value);
  CHECK_ALL(numbers, times, pairs, joined);
}

static void *send_many(void *argument) {
  int64_t rounds = check_scaled(2000);
  for (int64_t i = 0; i < rounds; i++) rac_subject_send(argument, I(i));
  rac_subject_send_completed(argument);
  return NULL;
}

TEST(a_sequence_of_a_signal_that_is_sending) {
  owned rac_subject *subject = rac_subject_create();
  rac_sequence *values = rac_sequence_from_signal(as_signal(subject), -1, NULL);
  pthread_t sender = check_spawn(send_many, subject);
  /* Read behind it: the last one that is there is about to be filled. */
  for (;;) {
    visit seen;
    CHECK_INT(visits_of(values, &seen), 0);
    rac_sequence *rest;
    rac_status status = rac_sequence_tail(values, &rest);
    rac_release(values);
    if (status != RAC_OK) break;
    values = rest;
  }
  check_join(sender);
}

TEST(a_signal_of_a_sequence) {
  rac_sequence *numbers =
      rac_sequence_generate(I(0), fresh(), count_up, context_destroy);
  rac_signal *signal = rac_sequence_signal(numbers, rac_scheduler_immediate());
  CHECK_ALL(signal, numbers);
}

/* ---- Commands ------------------------------------------------------------------ */

static rac_status do_nothing(void *context, rac_value input, rac_signal **out) {
  touched(context);
  *out = input.bits == 0 ? rac_signal_empty() : rac_signal_never();
  return RAC_OK;
}

/* Its signals, released with it by who says what hangs on them. */
enum { SIGNALS = 3 };
static rac_command *command_of(rac_signal *enabled, void **handles) {
  rac_command *command =
      rac_command_create(enabled, NULL, fresh(), do_nothing, context_destroy);
  handles[0] = command;
  handles[1] = rac_command_errors(command);
  handles[2] = rac_command_executing(command);
  handles[3] = rac_command_enabled(command);
  rac_main_run_for(0.001);
  return command;
}
static void release_all(void **handles) {
  for (int i = 0; i <= SIGNALS; i++) rac_release(handles[i]);
  rac_main_run_for(0.001);
  CHECK_INT(context_count(), 0);
}

TEST(who_hears_a_command_goes_with_it) {
  visit seen;
  void *handles[SIGNALS + 1];
  owned rac_property *online = rac_property_create(rac_value_bool(true), 0);
  rac_signal *enabled = rac_property_as_signal(online);
  rac_command *command = command_of(enabled, handles);
  for (int i = 1; i <= SIGNALS; i++) {
    listen(handles[i]);
    owned rac_signal *times = mapped(handles[i]);
    listen(times);
  }
  rac_main_run_for(0.001);
  if (!IS_THREAD_SANITIZED)
    CHECK_INT(visits(handles, SIGNALS + 1, &seen), 1 + 3 * SIGNALS);
  /* Somebody else has the signal: the command alone is not all. */
  CHECK(visits_of(command, &seen) < 1 + 3 * SIGNALS);
  release_all(handles);
}

/* It ends when its last handle goes, and who goes on then is not visited. */
TEST(who_outlives_a_command_is_not_visited) {
  visit seen;
  void *handles[SIGNALS + 1];
  rac_command *command = command_of(NULL, handles);
  rac_signal *never = rac_signal_never();
  rac_signal *both = rac_signal_concat(handles[1], never);
  rac_disposable *d = rac_subscribe_next(both, fresh(), hear, context_destroy);
  CHECK_INT(visits(handles, SIGNALS + 1, &seen), 1);
  rac_dispose(d);
  rac_release(d);
  rac_release(both);
  rac_release(never);
  listen(handles[1]);
  if (!IS_THREAD_SANITIZED) CHECK_INT(visits(handles, SIGNALS + 1, &seen), 2);
  /* What is executing may still fail. */
  rac_signal *execution = rac_command_execute(command, I(1));
  rac_main_run_for(0.001);
  CHECK_INT(visits(handles, SIGNALS + 1, &seen), 1);
  rac_release(execution);
  rac_main_run_for(0.001);
  release_all(handles);
}

/* ---- Disposables, recursion ----------------------------------------------------- */

TEST(disposables_visit_what_is_in_them) {
  rac_disposable *inner = rac_disposable_create(fresh(), act, context_destroy);
  rac_disposable *serial = rac_serial_disposable_create();
  rac_release(rac_serial_disposable_swap(serial, inner));
  rac_disposable *compound = rac_compound_disposable_create();
  rac_compound_disposable_add(compound, serial);
  rac_release(inner);
  rac_release(serial);
  visit seen;
  CHECK_INT(visits_of(compound, &seen), 1);
  rac_disposable *scoped = rac_scoped_disposable_create(compound);
  CHECK_INT(visits_of(scoped, &seen), 0);
  CHECK_ALL(compound, scoped);
}

static rac_recursion *recursion;
static void keep_recursion(void *context, rac_recursion *self) {
  touched(context);
  recursion = rac_retain(self);
}

TEST(a_recursive_job_that_is_kept) {
  rac_release(rac_schedule_recursive(rac_scheduler_immediate(), fresh(),
                                     keep_recursion, context_destroy));
  CHECK_ALL(recursion);
}

/* ---- Much ---------------------------------------------------------------------- */

TEST(thousands_of_operators_with_several_inputs) {
  rac_subject *one = rac_subject_create(), *other = rac_subject_create();
  for (int i = 0; i < 2000; i++) {
    rac_signal *both[] = {as_signal(one), as_signal(other)};
    owned rac_signal *merged = rac_signal_merge(both, 2);
    owned rac_signal *shared = rac_signal_share(merged);
    listen(shared);
  }
  CHECK_ALL(one, other);
}
