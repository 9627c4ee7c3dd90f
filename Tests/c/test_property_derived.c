/* Derived properties and adapters. */
#include "properties.h"
#include "shared_callbacks.h"

static rac_status counting_times_ten(void *context, rac_value value,
                                     rac_value *out) {
  ++*(int *)context_target(context);
  *out = I(value.bits * 10);
  return value.bits == 13 ? -13 : RAC_OK;
}

TEST(a_mapped_property_is_current_without_subscribers) {
  int calls = 0;
  rac_property *p = property(1);
  owned rac_property *ten = rac_property_map(
      p, RAC_PROPERTY_PLAIN, CALLBACK_FOR(&calls, counting_times_ten));
  CHECK_INT(number(ten), 10);
  rac_property_set(p, I(2));
  CHECK_INT(number(ten), 20);
  recorder a = {0}, b = {0};
  record(rac_property_as_signal(ten), &a);
  record(rac_property_as_signal(ten), &b);
  CHECK_INT(calls, 2);
  rac_property_set(p, I(3));
  CHECK_INT(calls, 3);
  CHECK_EVENTS(&a, "20 30");
  CHECK_EVENTS(&b, "20 30");
  /* The source goes: the signal completes, the value stays. */
  rac_release(p);
  CHECK_EVENTS(&a, "20 30 |");
  CHECK_INT(number(ten), 30);
  await_end(&a);
  await_end(&b);
}

TEST(a_derived_property_is_read_only) {
  owned rac_property *p = property(1);
  owned rac_property *ten = rac_property_map(p, 0, CALLBACK(times_ten));
  owned rac_signal *one = rac_signal_return(I(1));
  CHECK_STATUS(rac_property_set(ten, I(5)), RAC_EKIND);
  CHECK_STATUS(rac_property_set(ten, S("x")), RAC_EKIND);
  CHECK_STATUS(rac_property_modify(ten, CALLBACK(times_ten)), RAC_EKIND);
  CHECK_TEXT(rac_last_error_message(), "the property is read-only");
  CHECK(rac_property_bind(ten, one, I(0)) == NULL);
  CHECK_STATUS(rac_last_error_code(), RAC_EKIND);
  CHECK(rac_property_terminal(ten, I(0)) == NULL);
  CHECK(rac_property_bind_two_way(p, ten) == NULL);
  CHECK(rac_property_bind_two_way(ten, p) == NULL);
  CHECK_INT(number(ten), 10);
}

static rac_status join(void *context, const rac_value *elements, size_t count,
                       rac_value *out) {
  ++*(int *)context_target(context);
  *out = rac_value_tuple(elements, count);
  return RAC_OK;
}

TEST(a_combination_runs_once_a_change) {
  int calls = 0;
  rac_property *p[3] = {property(1), property(2), property(3)};
  owned rac_property *all =
      rac_property_combine_latest(p, 3, 0, CALLBACK_FOR(&calls, join));
  CHECK_INT(calls, 1);
  recorder a = {0}, b = {0};
  record(rac_property_as_signal(all), &a);
  record(rac_property_as_signal(all), &b);
  rac_property_set(p[1], I(20));
  rac_property_set(p[0], I(10));
  CHECK_EVENTS(&a, "(1,2,3) (1,20,3) (10,20,3)");
  CHECK_EVENTS(&b, "(1,2,3) (1,20,3) (10,20,3)");
  CHECK_INT(calls, 3);
  for (int i = 0; i < 3; i++) rac_release(p[i]);
  await_end(&a);
  await_end(&b);
}

/* One set is one change, also where it changes two inputs. */
TEST(a_combination_of_what_has_a_common_source) {
  owned rac_property *p = property(1);
  owned rac_property *ten = rac_property_map(p, 0, CALLBACK(times_ten));
  rac_property *both[] = {p, ten};
  int calls = 0;
  owned rac_property *all =
      rac_property_combine_latest(both, 2, 0, CALLBACK_FOR(&calls, join));
  RECORDER(a, rac_property_as_signal(all));
  rac_property_set(p, I(2));
  rac_property_set(p, I(3));
  CHECK_INT(calls, 3);
  CHECK_EVENTS(&a, "(1,10) (2,20) (3,30)");
}

TEST(derived_of_derived_and_distinct) {
  owned rac_property *p = property(1);
  rac_property *even = rac_property_create(I(0), 0);
  rac_release(even);
  rac_property *ten = rac_property_map(p, 0, CALLBACK(times_ten));
  owned rac_property *hundred =
      rac_property_map(ten, RAC_PROPERTY_DISTINCT, CALLBACK(times_ten));
  RECORDER(r, rac_property_as_signal(hundred));
  rac_property_set(p, I(1));
  rac_property_set(p, I(2));
  rac_property_set(p, I(2));
  CHECK_EVENTS(&r, "100 200");
  /* It needs no handle of what it is derived from: but that ends it. */
  rac_release(ten);
  CHECK_EVENTS(&r, "100 200 |");
}

TEST(releasing_a_derived_property_leaves_its_source) {
  int calls = 0;
  owned rac_property *p = property(1);
  rac_property *ten =
      rac_property_map(p, 0, CALLBACK_FOR(&calls, counting_times_ten));
  recorder r = {0};
  record(rac_property_as_signal(ten), &r);
  rac_release(ten);
  CHECK_EVENTS(&r, "10 |");
  await_end(&r);
  rac_property_set(p, I(2));
  CHECK_INT(calls, 1);
}

TEST(a_transform_that_fails) {
  int calls = 0;
  owned rac_property *p = property(13);
  rac_clear_last_error();
  CHECK(rac_property_map(p, 0, CALLBACK_FOR(&calls, counting_times_ten)) ==
        NULL);
  CHECK_STATUS(rac_last_error_code(), -13);
  rac_property_set(p, I(1));
  owned rac_property *ten =
      rac_property_map(p, 0, CALLBACK_FOR(&calls, counting_times_ten));
  RECORDER(r, rac_property_as_signal(ten));
  rac_property_set(p, I(13));
  CHECK_EVENTS(&r, "10 #-13");
  rac_property_set(p, I(2));
  CHECK_INT(number(ten), 10);
  CHECK_INT(calls, 3);
  RECORDER(late, rac_property_as_signal(ten));
  CHECK_EVENTS(&late, "#-13");
}

typedef struct newcomer {
  rac_property *to;
  recorder heard;
} newcomer;

/* Of odd numbers a text. A set to 2 makes a newcomer while it is derived from,
 * a negative one fails. */
static rac_status derive_beside_newcomer(void *context, rac_value value,
                                         rac_value *out) {
  newcomer *self = context_target(context);
  if (value.bits == 2) {
    owned rac_signal *changes = rac_property_changes(self->to);
    record(changes, &self->heard);
  }
  *out = value.bits & 1 ? rac_value_string_copy("odd", 3) : I(value.bits);
  return value.bits < 0 ? -13 : RAC_OK;
}

/* One derived property alone, whose values are counted or not, and of which
 * nothing is derived in turn. */
TEST(a_derived_property_alone_knows_the_value_before) {
  newcomer n = {0};
  owned rac_property *p = property(1);
  n.to = rac_property_map(p, RAC_PROPERTY_DISTINCT,
                          CALLBACK_FOR(&n, derive_beside_newcomer));
  rac_property_set(p, I(3));
  rac_property_set(p, I(2));
  RECORDER(r, rac_property_as_signal(n.to));
  rac_property_set(p, I(4));
  rac_property_set(p, I(5));
  rac_property_set(p, I(7));
  rac_property_set(p, I(6));
  CHECK_EVENTS(&r, "2 4 odd 6");
  CHECK_EVENTS(&n.heard, "(odd,2) (2,4) (4,odd) (odd,6)");
  rac_property_set(p, I(-2));
  CHECK_EVENTS(&r, "2 4 odd 6 #-13");
  CHECK_INT(number(n.to), 6);
  rac_release(n.to);
  await_end(&n.heard);
}

static rac_status write_nonsense(void *context, rac_value value,
                                 rac_value *out) {
  (void)context_target(context);
  *out = value.bits == 1 ? I(1) : (rac_value){.kind = 200};
  return RAC_OK;
}

TEST(a_transform_that_writes_nonsense) {
  owned rac_property *p = property(1);
  owned rac_property *q = rac_property_map(p, 0, CALLBACK(write_nonsense));
  recorder r = {0};
  record(rac_property_as_signal(q), &r);
  rac_property_set(p, I(2));
  CHECK_EVENTS(&r, "1 #-5004");
  await_end(&r);
  CHECK(rac_property_map(p, 0, CALLBACK(write_nonsense)) == NULL);
  CHECK_STATUS(rac_last_error_code(), RAC_EKIND);
}

TEST(bad_derivations) {
  owned rac_property *p = property(1);
  rac_property *list[2] = {p, NULL};
  int calls = 0;
  CHECK(rac_property_map(NULL, 0, CALLBACK(times_ten)) == NULL);
  CHECK(rac_property_map(p, 9, CALLBACK(times_ten)) == NULL);
  CHECK_STATUS(rac_last_error_code(), RAC_EINVAL);
  CHECK(rac_property_map(p, 0, context_new(NULL, NULL), NULL,
                         context_destroy) == NULL);
  CHECK_STATUS(rac_last_error_code(), RAC_ENULL);
  CHECK(rac_property_combine_latest(list, 0, 0, CALLBACK_FOR(&calls, join)) ==
        NULL);
  CHECK_STATUS(rac_last_error_code(), RAC_EINVAL);
  CHECK(rac_property_combine_latest(NULL, 1, 0, CALLBACK_FOR(&calls, join)) ==
        NULL);
  CHECK(rac_property_combine_latest(list, SIZE_MAX, 0,
                                    CALLBACK_FOR(&calls, join)) == NULL);
  CHECK_STATUS(rac_last_error_code(), RAC_ENOMEM);
  rac_clear_last_error();
  CHECK(rac_property_combine_latest(list, 2, 0, CALLBACK_FOR(&calls, join)) ==
        NULL);
  CHECK_STATUS(rac_last_error_code(), RAC_ENULL);
  CHECK_INT(calls, 0);
}

/* ---- Adapters ------------------------------------------------------------- */

/* A field of the caller's, which holds 0 to 100. */
typedef struct volume {
  int level;
  int sets;
  bool is_broken;
} volume;

static rac_status get_level(void *context, rac_value *out) {
  volume *self = context_target(context);
  *out = I(self->level);
  return self->is_broken ? -1 : RAC_OK;
}

static rac_status set_level(void *context, rac_value value) {
  volume *self = context_target(context);
  if (value.kind != RAC_INT64) return RAC_EKIND;
  self->level = (int)(value.bits > 100 ? 100 : value.bits);
  self->sets++;
  return RAC_OK;
}

static rac_property *adapter(volume *self, uint32_t options) {
  return rac_property_create_adapter(options, context_new(self, NULL),
                                     get_level, set_level, context_destroy);
}

TEST(an_adapter_shows_and_changes_the_field) {
  volume volume = {.level = 5};
  rac_property *p = adapter(&volume, 0);
  recorder r = {0};
  record(rac_property_as_signal(p), &r);
  rac_property_set(p, I(7));
  CHECK_INT(volume.level, 7);
  /* What the program does itself is seen by reads, and not announced. */
  volume.level = 8;
  CHECK_INT(number(p), 8);
  /* The field decides what the value is. */
  rac_property_set(p, I(200));
  CHECK_EVENTS(&r, "5 7 100");
  CHECK_STATUS(rac_property_set(p, S("loud")), RAC_EKIND);
  CHECK_EVENTS(&r, "5 7 100");
  CHECK_STATUS(rac_property_modify(p, CALLBACK(times_ten)), RAC_OK);
  CHECK_EVENTS(&r, "5 7 100 100");
  rac_release(p);
  await_end(&r);
}

TEST(an_adapter_in_a_binding_and_derived) {
  volume volume = {.level = 5};
  owned rac_property *p = adapter(&volume, RAC_PROPERTY_DISTINCT);
  owned rac_property *q = property(50);
  owned rac_property *ten = rac_property_map(p, 0, CALLBACK(times_ten));
  owned rac_disposable *binding = rac_property_bind_two_way(p, q);
  CHECK_INT(volume.level, 50);
  rac_property_set(q, I(60));
  CHECK_INT(volume.level, 60);
  rac_property_set(p, I(70));
  CHECK_INT(number(q), 70);
  CHECK_INT(number(ten), 700);
  /* The other side hears what became of it only if it changes again. */
  rac_property_set(p, I(70));
  CHECK_INT(volume.sets, 4);
}

TEST(adapters_that_fail) {
  volume volume = {.is_broken = true};
  CHECK(adapter(&volume, 0) == NULL);
  CHECK_STATUS(rac_last_error_code(), RAC_EUSER);
  volume.is_broken = false;
  rac_property *p = adapter(&volume, 0);
  /* What `set` refuses with says nothing about the property. */
  CHECK_STATUS(rac_property_set(p, S("loud")), RAC_EKIND);
  CHECK_TEXT(rac_last_error_message(), "the property's set callback failed");
  volume.is_broken = true;
  rac_value value = I(1);
  CHECK_STATUS(rac_property_get(p, &value), RAC_EUSER);
  CHECK_INT(value.kind, RAC_NIL);
  CHECK_STATUS(rac_property_modify(p, CALLBACK(times_ten)), RAC_EUSER);
  rac_release(p);
  /* Without set it is read-only. */
  volume.is_broken = false;
  p = rac_property_create_adapter(0, context_new(&volume, NULL), get_level,
                                  NULL, context_destroy);
  CHECK_STATUS(rac_property_set(p, I(1)), RAC_EKIND);
  CHECK_TEXT(rac_last_error_message(), "the property is read-only");
  CHECK_INT(number(p), 0);
  rac_release(p);
  CHECK(rac_property_create_adapter(0, context_new(NULL, NULL), NULL, set_level,
                                    context_destroy) == NULL);
  CHECK_STATUS(rac_last_error_code(), RAC_ENULL);
  CHECK(adapter(&volume, 4) == NULL);
  CHECK_STATUS(rac_last_error_code(), RAC_EINVAL);
}

/* ---- What a set answers ---------------------------------------------------- */

/* RAC_OK says that the last one has the value. */
static void set_through(int length) {
  rac_property **chain = calloc((size_t)length + 1, sizeof *chain);
  chain[0] = property(0);
  for (int i = 0; i < length; i++)
    chain[i + 1] = rac_property_map(chain[i], 0, NULL, one_more, NULL);
  rac_status status = rac_property_set(chain[0], I(1000000));
  int64_t last = number(chain[length]);
  CHECK_STATUS(status, RAC_OK);
  CHECK_INT(last, 1000000 + length);
  CHECK_STATUS(rac_property_modify(chain[0], NULL, one_more, NULL), RAC_OK);
  CHECK_INT(number(chain[length]), 1000001 + length);
  for (int i = length; i >= 0; i--) rac_release(chain[i]);
  free(chain);
}

TEST(a_set_through_a_hundred_has_been_heard_by_the_last) { set_through(100); }
TEST(a_set_through_ten_thousand_has_been_heard_by_the_last) {
  set_through(10000);
}

typedef struct holder {
  atomic_int is_inside;
  atomic_int may_leave;
} holder;

static void hold(void *context, rac_value value) {
  holder *self = context;
  if (value.bits != -1) return;
  atomic_store(&self->is_inside, 1);
  WAIT_UNTIL(atomic_load(&self->may_leave));
}

static void *set_to_hold(void *property) {
  rac_property_set(property, I(-1));
  return NULL;
}

/* Another thread is delivering in what is derived from both, or bound. */
static void set_beside(rac_property *p, rac_property *held, rac_property *q) {
  holder h = {0, 0};
  owned rac_disposable *holding =
      rac_subscribe_next(rac_property_as_signal(held), &h, hold, NULL);
  pthread_t thread = check_spawn(set_to_hold, q);
  WAIT_UNTIL(atomic_load(&h.is_inside));
  CHECK_STATUS(rac_property_set(p, I(7)), RAC_QUEUED);
  CHECK_INT(number(p), 7);
  CHECK_INT(number(held), -1);
  atomic_store(&h.may_leave, 1);
  check_join(thread);
  CHECK_INT(number(held), 7);
  CHECK_STATUS(rac_property_set(p, I(8)), RAC_OK);
  CHECK_INT(number(held), 8);
  rac_dispose_and_wait(holding, -1);
}

static rac_status latest(void *context, const rac_value *elements, size_t count,
                         rac_value *out) {
  (void)count;
  int64_t *before = context;
  int which = elements[0].bits != before[0] ? 0 : 1;
  *out = elements[which];
  before[0] = elements[0].bits, before[1] = elements[1].bits;
  return RAC_OK;
}

TEST(a_set_says_when_a_derived_property_is_busy_on_another_thread) {
  int64_t before[2] = {0, 0};
  rac_property *both[] = {property(0), property(0)};
  rac_property *held =
      rac_property_combine_latest(both, 2, 0, before, latest, NULL);
  rac_property *further = rac_property_map(both[0], 0, NULL, one_more, NULL);
  set_beside(both[0], held, both[1]);
  rac_release(further);
  rac_release(held);
  rac_release(both[0]);
  rac_release(both[1]);
}

TEST(a_set_says_when_a_bound_property_is_busy_on_another_thread) {
  owned rac_property *p = property(0), *middle = property(0), *q = property(0);
  rac_release(rac_property_bind_two_way(p, middle));
  rac_release(rac_property_bind_two_way(middle, q));
  /* q holds, and what comes to p goes through the middle. */
  holder h = {0, 0};
  owned rac_disposable *holding =
      rac_subscribe_next(rac_property_as_signal(q), &h, hold, NULL);
  owned rac_property *first = property(0);
  owned rac_disposable *binding =
      rac_property_bind(q, rac_property_as_signal(first), rac_value_nil());
  pthread_t thread = check_spawn(set_to_hold, first);
  WAIT_UNTIL(atomic_load(&h.is_inside));
  CHECK_STATUS(rac_property_set(p, I(7)), RAC_QUEUED);
  CHECK_INT(number(p), 7);
  CHECK_INT(number(middle), 7);
  CHECK_INT(number(q), -1);
  atomic_store(&h.may_leave, 1);
  check_join(thread);
  CHECK_INT(number(q), 7);
  CHECK_STATUS(rac_property_set(p, I(8)), RAC_OK);
  CHECK_INT(number(q), 8);
  rac_dispose_and_wait(holding, -1);
}
