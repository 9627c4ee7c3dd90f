/* Every function that takes a destroy and a handle: whatever is wrong with the
 * handle, and when the callback is missing, the call fails, says so, and
 * destroys the context once before it returns. */
#include "commands.h"
#include "sequences.h"

static void nothing(void) { CHECK(!"called"); }
static bool has_callback, has_null_context;
static atomic_int destroyed;

static void destroy_null(void *context) {
  CHECK(context == NULL);
  atomic_fetch_add(&destroyed, 1);
}

#define F(type) (has_callback ? (type)nothing : NULL)
#define CONTEXT (has_null_context ? NULL : context_new(NULL, &destroyed))
#define context_destroy (has_null_context ? destroy_null : context_destroy)

static void begin(void) { atomic_store(&destroyed, 0); }
static void refused(int line, const char *what, bool has_failed) {
  if (!has_failed) check_fail(__FILE__, line, what);
  if (rac_last_error_code() >= 0) check_fail(__FILE__, line, what);
  check_int(__FILE__, line, what, atomic_load(&destroyed), 1);
}
#define REFUSED(call) (begin(), refused(line, #call, (call) == NULL))
#define REFUSED_STATUS(call) (begin(), refused(line, #call, (call) < 0))

static void signals(int line, rac_signal *h) {
  REFUSED(rac_signal_scan_with_index(h, I(0), CONTEXT, F(rac_reduce_index_fn),
                                     context_destroy));
  REFUSED(rac_signal_aggregate(h, I(0), CONTEXT, F(rac_reduce_fn),
                               context_destroy));
  REFUSED(rac_signal_aggregate_with_index(
      h, I(0), CONTEXT, F(rac_reduce_index_fn), context_destroy));
  REFUSED(rac_signal_aggregate_with_factory(h, CONTEXT, F(rac_factory_fn),
                                            F(rac_reduce_fn), context_destroy));
  REFUSED(rac_signal_combine_previous(h, I(0), CONTEXT, F(rac_reduce_fn),
                                      context_destroy));
  REFUSED(rac_signal_take_until_block(h, CONTEXT, F(rac_predicate_fn),
                                      context_destroy));
  REFUSED(rac_signal_take_while_block(h, CONTEXT, F(rac_predicate_fn),
                                      context_destroy));
  REFUSED(rac_signal_skip_until_block(h, CONTEXT, F(rac_predicate_fn),
                                      context_destroy));
  REFUSED(rac_signal_skip_while_block(h, CONTEXT, F(rac_predicate_fn),
                                      context_destroy));
  REFUSED(rac_signal_try(h, CONTEXT, F(rac_try_fn), context_destroy));
  REFUSED(rac_signal_try_map(h, CONTEXT, F(rac_map_fn), context_destroy));
  REFUSED(rac_signal_all(h, CONTEXT, F(rac_predicate_fn), context_destroy));
  REFUSED(rac_signal_reduce_each(h, CONTEXT, F(rac_reduce_each_fn),
                                 context_destroy));
  REFUSED(rac_signal_map(h, CONTEXT, F(rac_map_fn), context_destroy));
  REFUSED(rac_signal_filter(h, CONTEXT, F(rac_predicate_fn), context_destroy));
  REFUSED(rac_signal_scan(h, I(0), CONTEXT, F(rac_reduce_fn), context_destroy));
  REFUSED(rac_signal_group_by(h, CONTEXT, F(rac_map_fn), F(rac_map_fn),
                              context_destroy));
  REFUSED(rac_signal_combine_latest_reduce(
      &h, 1, CONTEXT, F(rac_reduce_each_fn), context_destroy));
  REFUSED(rac_signal_zip_reduce(&h, 1, CONTEXT, F(rac_reduce_each_fn),
                                context_destroy));
  REFUSED(rac_signal_then(h, CONTEXT, F(rac_defer_fn), context_destroy));
  REFUSED(rac_signal_bind(h, CONTEXT, F(rac_bind_fn), context_destroy));
  REFUSED(
      rac_signal_flatten_map(h, CONTEXT, F(rac_signal_fn), context_destroy));
  REFUSED(rac_signal_throttle_passing_test(h, 1, CONTEXT, F(rac_predicate_fn),
                                           context_destroy));
  REFUSED(rac_signal_do_next(h, CONTEXT, F(rac_next_fn), context_destroy));
  REFUSED(rac_signal_do_error(h, CONTEXT, F(rac_error_fn), context_destroy));
  REFUSED(rac_signal_do_completed(h, CONTEXT, F(rac_completed_fn),
                                  context_destroy));
  REFUSED(rac_signal_initially(h, CONTEXT, F(rac_action_fn), context_destroy));
  REFUSED(rac_signal_finally(h, CONTEXT, F(rac_action_fn), context_destroy));
  REFUSED(rac_signal_catch(h, CONTEXT, F(rac_signal_fn), context_destroy));
  REFUSED(
      rac_lift(&h, 1, NULL, CONTEXT, F(rac_reduce_each_fn), context_destroy));
  REFUSED(rac_lift_arguments(h, NULL, CONTEXT, F(rac_reduce_each_fn),
                             context_destroy));
}

static void schedulers(int line, rac_scheduler *h) {
  REFUSED(
      rac_signal_start_eagerly(h, CONTEXT, F(rac_start_fn), context_destroy));
  REFUSED(
      rac_signal_start_lazily(h, CONTEXT, F(rac_start_fn), context_destroy));
  REFUSED(rac_schedule(h, CONTEXT, F(rac_action_fn), context_destroy));
  REFUSED(rac_schedule_after(h, 1, CONTEXT, F(rac_action_fn), context_destroy));
  REFUSED(rac_schedule_repeating(h, 1, 1, 1, CONTEXT, F(rac_action_fn),
                                 context_destroy));
  REFUSED(
      rac_schedule_recursive(h, CONTEXT, F(rac_recursive_fn), context_destroy));
}

static void properties(int line, rac_property *h) {
  REFUSED_STATUS(
      rac_property_modify(h, CONTEXT, F(rac_map_fn), context_destroy));
  REFUSED(rac_property_map(h, 0, CONTEXT, F(rac_map_fn), context_destroy));
  REFUSED(rac_property_combine_latest(&h, 1, 0, CONTEXT, F(rac_reduce_each_fn),
                                      context_destroy));
  REFUSED(rac_property_bind_two_way_map(h, h, CONTEXT, F(rac_map_fn),
                                        F(rac_map_fn), context_destroy));
}

static void sequences(int line, rac_sequence *h) {
  REFUSED(rac_sequence_map(h, CONTEXT, F(rac_map_fn), context_destroy));
  REFUSED(
      rac_sequence_filter(h, CONTEXT, F(rac_predicate_fn), context_destroy));
  REFUSED(rac_sequence_flatten_map(h, CONTEXT, F(rac_sequence_fn),
                                   context_destroy));
  REFUSED(
      rac_sequence_bind(h, CONTEXT, F(rac_sequence_bind_fn), context_destroy));
  REFUSED(rac_sequence_take_until_block(h, CONTEXT, F(rac_predicate_fn),
                                        context_destroy));
  REFUSED(rac_sequence_take_while_block(h, CONTEXT, F(rac_predicate_fn),
                                        context_destroy));
  REFUSED(rac_sequence_skip_until_block(h, CONTEXT, F(rac_predicate_fn),
                                        context_destroy));
  REFUSED(rac_sequence_skip_while_block(h, CONTEXT, F(rac_predicate_fn),
                                        context_destroy));
  REFUSED(rac_sequence_zip_reduce(&h, 1, CONTEXT, F(rac_reduce_each_fn),
                                  context_destroy));
  REFUSED(rac_sequence_reduce_each(h, CONTEXT, F(rac_reduce_each_fn),
                                   context_destroy));
  REFUSED(
      rac_sequence_scan(h, I(0), CONTEXT, F(rac_reduce_fn), context_destroy));
  REFUSED(rac_sequence_scan_with_index(h, I(0), CONTEXT, F(rac_reduce_index_fn),
                                       context_destroy));
  REFUSED(rac_sequence_combine_previous(h, I(0), CONTEXT, F(rac_reduce_fn),
                                        context_destroy));
}

/* These do without a callback, or without a signal. */
static void lenient(int line, rac_signal *h) {
  REFUSED(rac_subscribe_next(h, CONTEXT, F(rac_next_fn), context_destroy));
  REFUSED(rac_signal_any(h, CONTEXT, F(rac_predicate_fn), context_destroy));
  REFUSED(
      rac_command_create(h, NULL, CONTEXT, F(rac_execute_fn), context_destroy));
}

/* ---- Handles --------------------------------------------------------------- */

static void all(int line, void *h) {
  signals(line, h);
  schedulers(line, h);
  properties(line, h);
  sequences(line, h);
}

TEST(no_handle) {
  has_callback = true;
  rac_clear_last_error();
  all(__LINE__, NULL);
  /* The error of the call before is there: the chain is broken already. */
  all(__LINE__, NULL);
  has_callback = false;
  all(__LINE__, NULL);
}

TEST(stale_handles) {
  void *released[] = {rac_signal_never(), rac_scheduler_virtual(),
                      rac_property_create(I(0), 0), seq("1")};
  for (int i = 0; i < 4; i++) rac_release(released[i]);
  has_callback = true;
  for (int i = 0; i < 4; i++) {
    all(__LINE__, released[i]);
    lenient(__LINE__, released[i]);
  }
  all(__LINE__, (void *)(uintptr_t)0xdeadbeefdeadbeef);
  all(__LINE__, (void *)(uintptr_t)UINTPTR_MAX);
}

TEST(handles_of_another_kind) {
  void *disposable = rac_disposable_create(NULL, NULL, NULL);
  void *command = rac_command_create(NULL, NULL, NULL, do_work, NULL);
  has_callback = true;
  all(__LINE__, disposable);
  all(__LINE__, command);
  lenient(__LINE__, command);
  rac_release(disposable);
  rac_release(command);
  while (rac_main_drain(0) > 0) {
  }
}

TEST(no_callback) {
  rac_signal *signal = rac_signal_never();
  rac_scheduler *scheduler = rac_scheduler_virtual();
  rac_property *property = rac_property_create(I(0), 0);
  rac_sequence *sequence = seq("1");
  has_callback = false;
  signals(__LINE__, signal);
  schedulers(__LINE__, scheduler);
  properties(__LINE__, property);
  sequences(__LINE__, sequence);
  rac_release(signal);
  rac_release(scheduler);
  rac_release(property);
  rac_release(sequence);
}

/* ---- What comes after the handle ------------------------------------------- */

static rac_status fail_to_get(void *context, rac_value *out) {
  (void)context, (void)out;
  return -7;
}

static rac_status same(void *context, rac_value value, rac_value *out) {
  (void)context;
  *out = value;
  return RAC_OK;
}

static void try_other_arguments(void) {
  int line = __LINE__;
  rac_signal *signal = rac_signal_never();
  rac_property *property = rac_property_create(I(0), 0), *stale = NULL;
  rac_property *derived = rac_property_map(property, 0, NULL, same, NULL);
  rac_property *pair[] = {property, stale};
  rac_scheduler *clock = rac_scheduler_virtual();
  has_callback = true;
#define GET F(rac_factory_fn)
#define MAP F(rac_map_fn)
#define REDUCE F(rac_reduce_each_fn)
#define D context_destroy
  REFUSED(rac_property_create_adapter(9, CONTEXT, GET, NULL, D));
  REFUSED(rac_property_create_adapter(0, CONTEXT, fail_to_get, NULL, D));
  REFUSED(rac_property_create_adapter(0, CONTEXT, NULL, NULL, D));
  REFUSED(rac_property_map(property, 9, CONTEXT, MAP, D));
  REFUSED(rac_property_combine_latest(pair, 2, 0, CONTEXT, REDUCE, D));
  REFUSED(rac_property_combine_latest(pair, 1, 9, CONTEXT, REDUCE, D));
  REFUSED(rac_property_combine_latest(pair, 0, 0, CONTEXT, REDUCE, D));
  REFUSED(rac_property_combine_latest(NULL, 1, 0, CONTEXT, REDUCE, D));
  REFUSED(rac_property_combine_latest(pair, SIZE_MAX, 0, CONTEXT, REDUCE, D));
  REFUSED(rac_property_bind_two_way_map(property, stale, CONTEXT, MAP, MAP, D));
  REFUSED(
      rac_property_bind_two_way_map(property, property, CONTEXT, MAP, MAP, D));
  REFUSED(
      rac_property_bind_two_way_map(property, derived, CONTEXT, MAP, MAP, D));
  REFUSED(
      rac_property_bind_two_way_map(derived, property, CONTEXT, MAP, MAP, D));
  REFUSED_STATUS(rac_property_modify(derived, CONTEXT, MAP, D));
  REFUSED(rac_command_create(signal, (rac_scheduler *)signal, CONTEXT,
                             F(rac_execute_fn), D));
  REFUSED(rac_command_create((rac_signal *)clock, clock, CONTEXT,
                             F(rac_execute_fn), D));
  REFUSED(rac_command_create(signal, clock, CONTEXT, NULL, D));
  REFUSED(rac_lift(NULL, 1, NULL, CONTEXT, REDUCE, D));
  REFUSED(rac_lift(&signal, SIZE_MAX, NULL, CONTEXT, REDUCE, D));
  REFUSED(rac_lift(&signal, 1, NULL, CONTEXT, NULL, D));
  REFUSED(rac_sequence_zip_reduce(NULL, 1, CONTEXT, REDUCE, D));
  REFUSED(rac_sequence_zip_reduce(NULL, SIZE_MAX, CONTEXT, REDUCE, D));
  REFUSED(rac_sequence_generate((rac_value){.kind = 99}, CONTEXT,
                                F(rac_generate_fn), D));
  REFUSED(rac_sequence_generate(I(0), CONTEXT, NULL, D));
  REFUSED(rac_sequence_create(CONTEXT, NULL, NULL, D));
  REFUSED(rac_scheduler_over_queue("q", CONTEXT, NULL, D));
  rac_release(signal);
  rac_release(derived);
  rac_release(property);
  rac_release(clock);
}

TEST(other_arguments) { try_other_arguments(); }

/* ---- No context ------------------------------------------------------------- */

/* A destroy is asked for whatever the context is: NULL is one. */
TEST(a_null_context_is_destroyed_when_a_call_fails) {
  rac_signal *signal = rac_signal_never();
  has_null_context = true;
  for (int i = 0; i < 2; i++) {
    has_callback = i == 0;
    rac_clear_last_error();
    all(__LINE__, NULL);
    all(__LINE__, (void *)(uintptr_t)0xdeadbeefdeadbeef);
    has_callback = false;
    signals(__LINE__, signal);
  }
  try_other_arguments();
  has_null_context = false;
  rac_release(signal);
}

static rac_status just_complete(void *context, rac_subscriber *subscriber) {
  (void)context;
  rac_subscriber_send_completed(subscriber);
  return RAC_OK;
}
static rac_status get_one(void *context, rac_value *out) {
  (void)context;
  *out = I(1);
  return RAC_OK;
}
static void do_nothing(void *context) { (void)context; }

#define DESTROYED(call)                                                        \
  do {                                                                         \
    begin();                                                                   \
    rac_release((void *)(call));                                               \
    check_int(__FILE__, __LINE__, #call, destroyed, 1);                        \
  } while (0)

TEST(a_null_context_is_destroyed_when_all_is_well) {
  rac_signal *one = rac_signal_return(I(1));
  rac_scheduler *now = rac_scheduler_immediate();
  rac_property *p = rac_property_create(I(0), 0);
  rac_sequence *numbers = seq("1 2");
  rac_observer observer = RAC_OBSERVER_INIT;
  observer.destroy = destroy_null;
#define NONE NULL
  DESTROYED(rac_signal_map(one, NONE, same, destroy_null));
  DESTROYED(rac_signal_start_eagerly(now, NONE, just_complete, destroy_null));
  DESTROYED(rac_signal_from_factory(NONE, get_one, destroy_null));
  DESTROYED(rac_subscribe(one, &observer));
  DESTROYED(rac_subscribe_next(one, NONE, NULL, destroy_null));
  DESTROYED(rac_disposable_create(NONE, do_nothing, destroy_null));
  DESTROYED(rac_schedule(now, NONE, do_nothing, destroy_null));
  DESTROYED(rac_schedule_after(now, 0, NONE, do_nothing, destroy_null));
  DESTROYED(rac_property_map(p, 0, NONE, same, destroy_null));
  DESTROYED(rac_property_create_adapter(0, NONE, get_one, NULL, destroy_null));
  DESTROYED(rac_sequence_map(numbers, NONE, same, destroy_null));
  DESTROYED(rac_sequence_create(NONE, get_one, NULL, destroy_null));
  begin();
  CHECK_STATUS(rac_property_modify(p, NONE, same, destroy_null), RAC_OK);
  CHECK_INT(destroyed, 1);
  begin();
  rac_set_trace(NONE, NULL, destroy_null);
  rac_set_log(NONE, NULL, destroy_null);
  CHECK_INT(destroyed, 2);
  rac_release(one);
  rac_release(p);
  rac_release(numbers);
}
