/* setKeyPath:onObject: with a property in the place of an object and one of its
 * keys. */
#include "streams.h"

static void check_value(int line, rac_property *property,
                        const char *expected) {
  rac_value value = rac_value_nil();
  char text[32];
  check_status(__FILE__, line, "get", rac_property_get(property, &value),
               RAC_OK);
  format_value(value, text, sizeof text);
  check_text(__FILE__, line, "value", text, expected);
  rac_value_release(value);
}

/* Plays the script event by event and compares the property after each one. */
static void check_binding(int line, rac_value initial, rac_value nil_value,
                          const char *const script[],
                          const char *const expected[]) {
  rac_property *property = rac_property_create(initial, RAC_PROPERTY_PLAIN);
  rac_subject *source = rac_subject_create();
  rac_disposable *binding =
      rac_property_bind(property, as_signal(source), nil_value);
  CHECK(binding != NULL);
  check_value(line, property, expected[0]);
  for (int i = 0; script[i]; i++) {
    play(source, script[i]);
    check_value(line, property, expected[i + 1]);
  }
  rac_release(binding);
  rac_release(property);
  CHECK_INT(rac_subject_subscriber_count(source), 0);
  rac_release(source);
}

/* binding-001, binding-002, binding-005, binding-006, signal-117, signal-118,
 * signal-120, signal-121, signal-124: any kind of value, with and without something
 * to stand for nil; binding alone changes nothing */
TEST(a_property_follows_a_signal) {
  const rac_value nil = rac_value_nil();
  const char *const script[] = {"1", "2", "nil", NULL};
  check_binding(__LINE__, nil, nil, script,
                (const char *const[]){"nil", "1", "2", "nil"});
  check_binding(__LINE__, nil, S("foo"), script,
                (const char *const[]){"nil", "1", "2", "foo"});
  check_binding(__LINE__, I(0), I(0), script,
                (const char *const[]){"0", "1", "2", "0"});
  check_binding(__LINE__, I(0), I(42), script,
                (const char *const[]){"0", "1", "2", "42"});
  const char *const to_the_end[] = {"1", "nil", "|", NULL};
  check_binding(__LINE__, I(0), I(5), to_the_end,
                (const char *const[]){"0", "1", "5", "5"});
}

/* binding-003, signal-119 */
TEST(a_property_keeps_its_last_value_after_the_end) {
  const char *const completed[] = {"1", "2", "|", "3", NULL};
  check_binding(__LINE__, I(0), I(0), completed,
                (const char *const[]){"0", "1", "2", "2", "2"});
}

/* signal-122: the binding keeps neither side */
TEST(a_binding_ends_with_its_property) {
  rac_property *property = rac_property_create(I(0), RAC_PROPERTY_PLAIN);
  owned rac_subject *source = rac_subject_create();
  owned rac_disposable *binding =
      rac_property_bind(property, as_signal(source), rac_value_nil());
  play(source, "1");
  check_value(__LINE__, property, "1");
  play(source, "2");
  check_value(__LINE__, property, "2");
  rac_release(property);
  CHECK_INT(rac_subject_subscriber_count(source), 0);
  CHECK(rac_is_disposed(binding));
  play(source, "3");
}

/* signal-123: one at a time, and the next one after its end */
TEST(a_property_may_be_bound_again_after_an_end) {
  owned rac_property *property = rac_property_create(I(0), RAC_PROPERTY_PLAIN);
  owned rac_subject *first = rac_subject_create(),
                    *second = rac_subject_create();
  rac_value nil = rac_value_nil();
  rac_disposable *binding = rac_property_bind(property, as_signal(first), nil);
  play(first, "1");
  CHECK(rac_property_bind(property, as_signal(second), nil) == NULL);
  CHECK_STATUS(rac_last_error_code(), RAC_EBUSY);
  play(first, "|");
  rac_release(binding);
  binding = rac_property_bind(property, as_signal(second), nil);
  CHECK(binding != NULL);
  play(second, "2");
  play(first, "3");
  check_value(__LINE__, property, "2");
  rac_release(binding);
}

typedef struct slow {
  rac_subject *source;
  atomic_bool is_setting, may_set;
} slow;

static void take_time(recorder *self, rac_value value) {
  slow *t = self->user;
  if (value.bits != 7) return;
  atomic_store(&t->is_setting, true);
  WAIT_UNTIL(atomic_load(&t->may_set));
}

static void *send_seven(void *context) {
  slow *t = context;
  play(t->source, "7");
  return NULL;
}

/* signal-125: the last reference to the property goes while a value is being set
 * on another thread. Whoever observes it hears that value, then the end. */
TEST(a_value_that_is_being_set_outlives_its_property) {
  slow t = {.source = rac_subject_create()};
  rac_property *property = rac_property_create(I(0), RAC_PROPERTY_PLAIN);
  rac_disposable *binding =
      rac_property_bind(property, as_signal(t.source), rac_value_nil());
  recorder r = {.on_next = take_time, .user = &t};
  record(rac_property_as_signal(property), &r);
  pthread_t sender = check_spawn(send_seven, &t);
  WAIT_UNTIL(atomic_load(&t.is_setting));
  rac_release(property);
  CHECK_INT(r.destroyed, 0);
  atomic_store(&t.may_set, true);
  check_join(sender);
  await_end(&r);
  CHECK_EVENTS(&r, "0 7 |");
  CHECK_INT(rac_subject_subscriber_count(t.source), 0);
  rac_release(binding);
  rac_release(t.source);
}
