/* setKeyPath:onObject: as plain C has it: an object whose field is set by the
 * observer of a subscription, which ends with the object. */
#include "streams.h"

/* The object owns its bindings: they end with it, and do not keep it. */
typedef struct object {
  rac_value field;
  rac_disposable *bindings;
  rac_value nil_value; /* what the field gets in place of a nil */
  atomic_int sets;
  /* For a setter that takes its time. */
  atomic_bool is_slow, is_setting, may_set;
  int64_t number_at_the_end;
} object;

static void set_field(void *context, rac_value value) {
  object *self = context_target(context);
  atomic_store(&self->is_setting, true);
  if (atomic_load(&self->is_slow)) WAIT_UNTIL(atomic_load(&self->may_set));
  rac_value_release(self->field);
  self->field =
      rac_value_retain(value.kind == RAC_NIL ? self->nil_value : value);
  atomic_fetch_add(&self->sets, 1);
}

/* What would free the object if the binding owned it: the field's last
 * value. */
static void note_the_end(void *context) {
  object *self = context_target(context);
  self->number_at_the_end = self->field.bits;
  context_destroy(context);
}

static void object_begin(object *self, rac_value initial, rac_value nil_value) {
  *self = (object){.field = initial, .nil_value = nil_value};
  self->bindings = rac_compound_disposable_create();
}
static void object_end(object *self) {
  rac_dispose(self->bindings);
  rac_release(self->bindings);
  rac_value_release(self->field);
  self->field = rac_value_nil();
}

/* One reference to the binding. */
static rac_disposable *bind_to(object *self, rac_subject *source) {
  rac_disposable *binding = rac_subscribe_next(
      as_signal(source), context_new(self, NULL), set_field, note_the_end);
  rac_compound_disposable_add(self->bindings, binding);
  return binding;
}

static void check_field(int line, const object *self, const char *expected) {
  char text[32];
  format_value(self->field, text, sizeof text);
  check_text(__FILE__, line, "field", text, expected);
}

/* Plays the script event by event and compares the field after each one with
 * the words of `expected`. */
static void check_binding(int line, rac_value initial, rac_value nil_value,
                          const char *const script[],
                          const char *const expected[]) {
  object it;
  object_begin(&it, initial, nil_value);
  rac_subject *source = rac_subject_create();
  rac_release(bind_to(&it, source));
  check_field(line, &it, expected[0]);
  for (int i = 0; script[i]; i++) {
    play(source, script[i]);
    check_field(line, &it, expected[i + 1]);
  }
  object_end(&it);
  CHECK_INT(rac_subject_subscriber_count(source), 0);
  rac_release(source);
}

/* signal-117, signal-118, signal-120, signal-121, signal-124: a field of any
 * kind, with and without something to stand for nil; binding alone changes
 * nothing */
TEST(a_field_follows_a_signal) {
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

/* signal-119: also after an error, which in RAC was the program's */
TEST(the_last_value_stays_after_an_end) {
  const char *const completed[] = {"1", "2", "|", "3", NULL};
  const char *const failed[] = {"1", "2", "#4", "3", NULL};
  const char *const expected[] = {"0", "1", "2", "2", "2"};
  check_binding(__LINE__, I(0), I(0), completed, expected);
  check_binding(__LINE__, I(0), I(0), failed, expected);
}

/* signal-122: what is sent when the object is gone does no harm */
TEST(a_binding_ends_with_its_object) {
  object it;
  object_begin(&it, I(0), I(0));
  owned rac_subject *source = rac_subject_create();
  owned rac_disposable *binding = bind_to(&it, source);
  play(source, "1");
  check_field(__LINE__, &it, "1");
  play(source, "2");
  check_field(__LINE__, &it, "2");
  object_end(&it);
  CHECK(rac_is_disposed(binding));
  CHECK_INT(it.number_at_the_end, 2);
  play(source, "3");
  CHECK_INT(it.sets, 2);
}

/* signal-123: the end of the first one makes room for a second one */
TEST(a_field_may_be_bound_again_after_an_end) {
  object it;
  object_begin(&it, I(0), I(0));
  owned rac_subject *first = rac_subject_create(),
                    *second = rac_subject_create();
  rac_disposable *binding = bind_to(&it, first);
  play(first, "1");
  CHECK(!rac_is_disposed(binding));
  play(first, "|");
  CHECK(rac_is_disposed(binding));
  rac_release(binding);
  rac_release(bind_to(&it, second));
  play(second, "2");
  check_field(__LINE__, &it, "2");
  play(first, "3");
  check_field(__LINE__, &it, "2");
  object_end(&it);
}

static void *send_seven(void *context) {
  play(context, "7");
  return NULL;
}

/* signal-125: the object goes while its setter runs on another thread. What the
 * setter works with is destroyed when it has returned, and has seen its value. */
TEST(a_slow_setter_finishes_before_its_context_goes) {
  object it;
  object_begin(&it, I(0), I(0));
  owned rac_subject *source = rac_subject_create();
  rac_disposable *binding = bind_to(&it, source);
  atomic_store(&it.is_slow, true);
  pthread_t sender = check_spawn(send_seven, source);
  WAIT_UNTIL(atomic_load(&it.is_setting));
  rac_dispose(it.bindings);
  CHECK_INT(context_count(), 1);
  CHECK_STATUS(rac_dispose_and_wait(binding, 0), RAC_ETIMEDOUT);
  CHECK_INT(it.sets, 0);
  atomic_store(&it.may_set, true);
  CHECK_STATUS(rac_dispose_and_wait(binding, -1), RAC_OK);
  CHECK_INT(it.number_at_the_end, 7);
  check_field(__LINE__, &it, "7");
  check_join(sender);
  rac_release(binding);
  object_end(&it);
}
