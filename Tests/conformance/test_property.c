/* What RAC's specs demand of observed key paths, for properties; and of a signal
 * that is bound to one. */
#include "properties.h"

/* ---- Observing -------------------------------------------------------------- */

/* property-001: the current value once at the subscription */
TEST(the_current_value_comes_first) {
  owned rac_property *p = property(0);
  CHECK_SIGNAL(rac_retain(rac_property_as_signal(p)), "0");
}

/* property-004: nothing after the observer went; here that is a disposal, or the
 * release of a scoped one */
TEST(nothing_after_the_observer_is_gone) {
  owned rac_property *p = property(0);
  finished recorder r = {0};
  rac_disposable *scoped =
      rac_scoped_disposable_create(record(rac_property_as_signal(p), &r));
  rac_property_set(p, I(1));
  rac_release(scoped);
  rac_property_set(p, I(2));
  CHECK_EVENTS(&r, "0 1");
}

/* property-006: a signal derived from it is let go with the target */
TEST(a_mapped_signal_goes_with_the_property) {
  atomic_int destroyed = 0;
  rac_property *p = property(1);
  RECORDER_OF(r, rac_signal_map(rac_property_as_signal(p),
                                context_new(NULL, &destroyed), times_ten,
                                context_destroy));
  CHECK_INT(atomic_load(&destroyed), 0);
  rac_release(p);
  CHECK_EVENTS(&r, "10 |");
  CHECK_INT(atomic_load(&destroyed), 1);
}

static void *set_two(void *property) {
  rac_property_set(property, I(2));
  return NULL;
}

/* property-007: a change on another thread arrives there */
TEST(a_change_on_another_thread) {
  owned rac_property *p = property(1);
  RECORDER(r, rac_property_as_signal(p));
  check_join(check_spawn(set_two, p));
  CHECK_EVENTS(&r, "1 2");
}

/* Makes a longer, a shorter or another tuple of a tuple. */
static rac_status mutate(void *context, rac_value tuple, rac_value *out) {
  const char *what = context_target(context);
  rac_value elements[4];
  size_t count = rac_tuple_count(tuple);
  for (size_t i = 0; i < count; i++) elements[i] = rac_tuple_get(tuple, i);
  if (*what == '+') elements[count++] = I(3);
  if (*what == '-') count--;
  if (*what == '=') elements[0] = I(9);
  *out = rac_value_tuple(elements, count);
  return RAC_OK;
}

/* property-008, property-009, property-010: an insertion, a removal and a
 * replacement send the new collection. A collection here is a tuple, which does
 * not change: modify() makes another. */
TEST(mutations_send_the_new_collection) {
  rac_value start = rac_value_tuple((rac_value[]){I(1), I(2)}, 2);
  owned rac_property *p = rac_property_create(start, RAC_PROPERTY_PLAIN);
  rac_value_release(start);
  RECORDER(r, rac_property_as_signal(p));
  rac_property_modify(p, CALLBACK_FOR("+", mutate));
  rac_property_modify(p, CALLBACK_FOR("-", mutate));
  rac_property_modify(p, CALLBACK_FOR("=", mutate));
  CHECK_EVENTS(&r, "(1,2) (1,2,3) (1,2) (9,2)");
}

/* property-011: a signal of what is gone completes at once */
TEST(a_signal_of_what_is_gone) {
  rac_property *p = property(1);
  rac_signal *changes = rac_property_changes(p);
  rac_signal *values = rac_retain(rac_property_as_signal(p));
  rac_release(p);
  /* The handle was retained once more: it is still there. */
  rac_property_set(p, I(2));
  APPLY(values, skip, 0);
  CHECK_SIGNAL(changes, "|");
  CHECK_SIGNAL(values, "|");
}

/* ---- Binding ---------------------------------------------------------------- */

typedef struct target {
  rac_property *property;
  atomic_int entered, released, last;
} target;

static rac_status get_last(void *context, rac_value *out) {
  target *self = context_target(context);
  *out = I(atomic_load(&self->last));
  return RAC_OK;
}

/* Waits in the setter until the last reference to the property is gone. */
static rac_status set_slowly(void *context, rac_value value) {
  target *self = context_target(context);
  atomic_store(&self->entered, 1);
  WAIT_UNTIL(atomic_load(&self->released));
  atomic_store(&self->last, (int)value.bits);
  return RAC_OK;
}

static void *release_meanwhile(void *argument) {
  target *self = argument;
  WAIT_UNTIL(atomic_load(&self->entered));
  rac_release(self->property);
  atomic_store(&self->released, 1);
  return NULL;
}

/* signal-125: the target lives while its setter runs, whoever lets go of it;
 * destroy then sees what was set */
TEST(the_target_lives_while_its_setter_runs) {
  atomic_int destroyed = 0;
  target target = {0};
  target.property = rac_property_create_adapter(
      RAC_PROPERTY_PLAIN, context_new(&target, &destroyed), get_last,
      set_slowly, context_destroy);
  rac_subject *s = rac_subject_create();
  rac_release(rac_property_bind(target.property, as_signal(s), I(0)));
  pthread_t other = check_spawn(release_meanwhile, &target);
  rac_subject_send(s, I(7));
  check_join(other);
  rac_release(s);
  WAIT_UNTIL(atomic_load(&destroyed) == 1);
  CHECK_INT(atomic_load(&target.last), 7);
}
