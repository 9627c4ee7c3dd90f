/* Calls whose handle is right and something else is not, and those that have no
 * context: destroy runs once. What is wrong with handles: test_destroyed.c. */
#include "commands.h"
#include "sequences.h"
#include "shared_callbacks.h"

#include "refused.h"

static rac_status fail_to_get(void *context, rac_value *out) {
  (void)context, (void)out;
  return -7;
}

/* Whatever comes after the handle. */
static void try_other_arguments(void) {
  int line = __LINE__;
  owned rac_signal *signal = rac_signal_never();
  rac_property *property = rac_property_create(I(0), 0), *stale = NULL;
  owned rac_property *derived =
      rac_property_map(property, 0, NULL, pass_value, NULL);
  rac_property *pair[] = {property, stale};
  owned rac_scheduler *clock = rac_scheduler_virtual();
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
  rac_release(property);
}

TEST(other_arguments) { try_other_arguments(); }

/* A destroy is asked for whatever the context is: NULL is one. */
TEST(other_arguments_of_a_null_context) {
  has_null_context = true;
  try_other_arguments();
  has_null_context = false;
}

/* ---- All is well ------------------------------------------------------------- */

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
  owned rac_signal *one = rac_signal_return(I(1));
  rac_scheduler *now = rac_scheduler_immediate();
  owned rac_property *p = rac_property_create(I(0), 0);
  owned rac_sequence *numbers = seq("1 2");
  rac_observer observer = RAC_OBSERVER_INIT;
  observer.destroy = destroy_null;
#define NONE NULL
  DESTROYED(rac_signal_map(one, NONE, pass_value, destroy_null));
  DESTROYED(rac_signal_start_eagerly(now, NONE, just_complete, destroy_null));
  DESTROYED(rac_signal_from_factory(NONE, get_one, destroy_null));
  DESTROYED(rac_subscribe(one, &observer));
  DESTROYED(rac_subscribe_next(one, NONE, NULL, destroy_null));
  DESTROYED(rac_disposable_create(NONE, do_nothing, destroy_null));
  DESTROYED(rac_schedule(now, NONE, do_nothing, destroy_null));
  DESTROYED(rac_schedule_after(now, 0, NONE, do_nothing, destroy_null));
  DESTROYED(rac_property_map(p, 0, NONE, pass_value, destroy_null));
  DESTROYED(rac_property_create_adapter(0, NONE, get_one, NULL, destroy_null));
  DESTROYED(rac_sequence_map(numbers, NONE, pass_value, destroy_null));
  DESTROYED(rac_sequence_create(NONE, get_one, NULL, destroy_null));
  begin();
  CHECK_STATUS(rac_property_modify(p, NONE, pass_value, destroy_null), RAC_OK);
  CHECK_INT(destroyed, 1);
  begin();
  rac_set_trace(NONE, NULL, destroy_null);
  rac_set_log(NONE, NULL, destroy_null);
  CHECK_INT(destroyed, 2);
}
