/* Values that are objects: counted, compared and described by their class. */
#include "refused_values.h"
#include "shared_callbacks.h"

typedef struct counted {
  int references;
  int number;
} counted;

static void counted_retain(void *object) { ((counted *)object)->references++; }
static void counted_release(void *object) { ((counted *)object)->references--; }
static bool counted_equal(void *object, void *other) {
  return ((counted *)object)->number == ((counted *)other)->number;
}
static uint64_t counted_hash(void *object) {
  return (uint64_t)((counted *)object)->number;
}
static size_t counted_describe(void *object, char *buffer, size_t capacity) {
  return (size_t)snprintf(buffer, capacity, "counted %d",
                          ((counted *)object)->number);
}

/* It equals the number that it has. */
static bool counted_equal_to(void *object, rac_value other) {
  return other.kind == RAC_INT64 && other.bits == ((counted *)object)->number;
}

static const rac_object_class counted_class = {.size = sizeof counted_class,
                                               .retain = counted_retain,
                                               .release = counted_release,
                                               .equal = counted_equal,
                                               .hash = counted_hash,
                                               .describe = counted_describe,
                                               .equal_to = counted_equal_to};
static const rac_object_class plain_class = RAC_OBJECT_CLASS_INIT;

static rac_value a_counted(counted *object) {
  return rac_value_object(object, rac_object_class_register(&counted_class));
}

/* With a reference of its own. */
static rac_value a_reference(counted *object) {
  object->references++;
  return rac_value_object_owned(object,
                                rac_object_class_register(&counted_class));
}

TEST(an_object_may_equal_a_value_of_another_kind) {
  counted object = {1, 5};
  rac_value five = a_counted(&object);
  CHECK(rac_value_equal(five, I(5)) && rac_value_equal(I(5), five));
  CHECK(!rac_value_equal(five, I(6)) && !rac_value_equal(I(6), five));
  CHECK(!rac_value_equal(five, rac_value_double(5)));
  rac_value plain =
      rac_object(&object, rac_object_class_register(&plain_class));
  CHECK(!rac_value_equal(plain, I(5)) && !rac_value_equal(plain, five));
  /* Inside of a tuple, too. */
  rac_value some = rac_value_tuple(&five, 1),
            other = rac_value_tuple((rac_value[]){I(5)}, 1);
  CHECK(rac_value_equal(some, other));
  rac_value_release(some);
  rac_value_release(other);
}

static void read_in_place(void *context, rac_value value) {
  uint32_t number = rac_object_class_register(&counted_class);
  CHECK(rac_object_in(value, number) == context);
  CHECK(rac_object_in(value, number + 1) == NULL);
}

static rac_status give_reference(void *context, rac_value value,
                                 rac_value *out) {
  (void)value;
  *out = a_reference(context);
  return RAC_OK;
}

TEST(an_object_that_is_lent_or_just_made_is_read_without_a_call) {
  counted object = {1, 5};
  uint32_t number = rac_object_class_register(&counted_class);
  rac_subject *subject = rac_subject_create();
  rac_signal *mapped = rac_signal_map(rac_subject_as_signal(subject), &object,
                                      give_reference, NULL);
  rac_disposable *first = rac_subscribe_next(rac_subject_as_signal(subject),
                                             &object, read_in_place, NULL);
  rac_disposable *second =
      rac_subscribe_next(mapped, &object, read_in_place, NULL);
  rac_subject_send(subject, rac_object(&object, number));
  /* One that is kept is behind a box; others are no objects. */
  rac_value kept = rac_value_retain(rac_object(&object, number));
  CHECK(rac_object_in(kept, number) == NULL);
  rac_value_release(kept);
  CHECK(rac_object_in(I((intptr_t)&object), number) == NULL);
  CHECK(rac_object_in(rac_value_nil(), 0) == NULL);
  rac_release(first), rac_release(second);
  rac_release(mapped), rac_release(subject);
  CHECK_INT(object.references, 1);
}

TEST(objects_are_retained_and_released_evenly) {
  counted object = {1, 5};
  rac_value lent = a_counted(&object);
  CHECK_INT(object.references, 1);
  rac_subject *subject = rac_replay_subject_create(RAC_REPLAY_UNLIMITED);
  for (int i = 0; i < 10; i++) rac_subject_send(subject, lent);
  CHECK_INT(object.references, 11);
  rac_release(subject);
  CHECK_INT(object.references, 1);
}

static rac_value heard;
static void keep(void *context, rac_value value) {
  (void)context;
  rac_value_release(heard);
  heard = rac_value_retain(value);
}

/* Who keeps it first retains the object; the others share that. */
TEST(an_object_is_retained_once_for_all_who_keep_it) {
  counted object = {1, 5};
  rac_value kept = rac_value_retain(a_counted(&object));
  CHECK_INT(object.references, 2);
  rac_subject *subject = rac_replay_subject_create(RAC_REPLAY_UNLIMITED);
  for (int i = 0; i < 10; i++) rac_subject_send(subject, kept);
  rac_value again = rac_value_retain(kept);
  CHECK_INT(object.references, 2);
  rac_value_release(kept);
  rac_release(subject);
  CHECK_INT(object.references, 2);
  void *out = NULL;
  CHECK_STATUS(rac_value_get_object(again, 0, &out), RAC_OK);
  CHECK(out == &object);
  rac_value_release(again);
  CHECK_INT(object.references, 1);
}

static rac_status give_running(void *context, rac_value running, rac_value next,
                               rac_value *out) {
  (void)running;
  return give_reference(context, next, out);
}
static rac_status give_view(void *context, rac_value value, rac_value *out) {
  (void)value;
  *out = a_counted(context);
  return RAC_OK;
}

/* Whatever hears it, keeps it, and reads it elsewhere: it is let go of. */
static void go_through(rac_map_fn give, counted *object) {
  rac_subject *subject = rac_subject_create();
  rac_signal *made = rac_signal_map(as_signal(subject), object, give, NULL);
  rac_signal *paths[] = {
      rac_signal_scan(made, a_counted(object), object, give_running, NULL),
      rac_signal_distinct_until_changed(made),
      rac_signal_skip(made, 1),
      rac_signal_take_last(made, 2),
      rac_signal_collect(made),
      rac_signal_materialize(made),
      rac_signal_delay(made, 0.001, rac_scheduler_main())};
  enum { PATHS = sizeof paths / sizeof *paths };
  rac_disposable *heard_by[PATHS];
  for (int i = 0; i < PATHS; i++)
    heard_by[i] = rac_subscribe_next(paths[i], NULL, keep, NULL);
  rac_property *property = rac_property_create(rac_value_nil(), 0);
  rac_disposable *bound = rac_property_bind(property, made, I(0));
  for (int i = 0; i < 5; i++) rac_subject_send(subject, I(i));
  rac_value current;
  CHECK_STATUS(rac_property_get(property, &current), RAC_OK);
  void *out = NULL;
  CHECK_STATUS(rac_value_get_object(current, 0, &out), RAC_OK);
  CHECK(out == object);
  rac_value_release(current);
  rac_subject_send_completed(subject);
  rac_main_run_for(0.01);
  rac_release(subject);
  rac_release(made);
  rac_release(bound);
  rac_release(property);
  for (int i = 0; i < PATHS; i++) {
    rac_release(paths[i]);
    rac_release(heard_by[i]);
  }
  rac_value_release(heard);
  heard = rac_value_nil();
}

TEST(objects_that_callbacks_make_are_let_go_of) {
  counted object = {1, 5};
  go_through(give_reference, &object);
  CHECK_INT(object.references, 1);
  go_through(give_view, &object);
  CHECK_INT(object.references, 1);
}

/* A derived property is read by any thread: it keeps what all can share. */
TEST(an_object_as_a_derived_property) {
  counted object = {1, 5};
  rac_property *base = rac_property_create(I(1), 0);
  rac_property *derived =
      rac_property_map(base, 0, &object, give_reference, NULL);
  for (int i = 0; i < 3; i++) {
    rac_property_set(base, I(i));
    rac_value a, b;
    CHECK_STATUS(rac_property_get(derived, &a), RAC_OK);
    CHECK_STATUS(rac_property_get(derived, &b), RAC_OK);
    CHECK(rac_value_equal(a, b));
    rac_value_release(a);
    rac_value_release(b);
  }
  CHECK(rac_property_modify(base, &object, give_reference, NULL) >= RAC_OK);
  rac_release(derived);
  rac_release(base);
  CHECK_INT(object.references, 1);
}

TEST(an_object_inside_other_values) {
  counted object = {1, 5};
  rac_value one = a_reference(&object);
  rac_value two[] = {one, a_counted(&object)};
  rac_value all[] = {rac_value_tuple(two, 2), rac_value_event_next(one),
                     rac_value_error_underlying("test", 1, "", two[1])};
  CHECK_INT(object.references, 6);
  rac_value_release(one);
  CHECK(rac_value_equal(rac_tuple_get(all[0], 0), rac_event_get_value(all[1])));
  CHECK(rac_value_equal(rac_tuple_get(all[0], 1),
                        rac_error_get_underlying(all[2])));
  for (int i = 0; i < 3; i++) rac_value_release(all[i]);
  CHECK_INT(object.references, 1);
}

TEST(objects_compare_hash_and_describe_through_their_class) {
  counted a = {1, 5}, b = {1, 5}, c = {1, 6};
  rac_value x = a_counted(&a);
  rac_value y = a_reference(&b);
  rac_value z = rac_value_retain(a_counted(&c));
  CHECK(rac_value_equal(x, y) && !rac_value_equal(x, z));
  CHECK(rac_value_hash(x) == rac_value_hash(y));
  char text[40];
  rac_value_describe(x, text, sizeof text);
  CHECK_TEXT(text, "counted 5");
  void *out = NULL;
  CHECK_STATUS(
      rac_value_get_object(x, rac_object_class_register(&counted_class), &out),
      RAC_OK);
  CHECK(out == &a);
  static const rac_object_class other = RAC_OBJECT_CLASS_INIT;
  CHECK_STATUS(rac_value_get_object(x, rac_object_class_register(&other), &out),
               RAC_EKIND);
  rac_value_release(x);
  rac_value_release(y);
  rac_value_release(z);
  CHECK_INT(a.references + b.references + c.references, 3);
}

/* Hashes are the classes' own, so that the same pointer may have two of them. */
TEST(objects_of_two_classes_differ) {
  static const rac_object_class bare = RAC_OBJECT_CLASS_INIT;
  counted object = {1, 5};
  rac_value keys[] = {
      a_counted(&object),
      rac_value_object(&object, rac_object_class_register(&bare))};
  CHECK(!rac_value_equal(keys[0], keys[1]));
  CHECK(!rac_value_equal(keys[1], keys[0]));
  for (int i = 0; i < 2; i++) rac_value_release(keys[i]);
}

static uint64_t any_of_four(void *object) {
  static uint64_t state;
  (void)object;
  return check_random(&state) % 4;
}

static bool now_and_then(void *object, void *other) {
  static uint64_t state;
  (void)object;
  (void)other;
  return check_random(&state) % 2;
}

/* Whatever is found: it comes back. */
TEST(a_class_whose_hash_and_equality_are_none) {
  static const rac_object_class liar = {
      .size = sizeof liar, .equal = now_and_then, .hash = any_of_four};
  enum { COUNT = 8 };
  counted objects[COUNT] = {{1, 5}};
  rac_value keys[COUNT];
  rac_signal *cases[COUNT], *never = rac_signal_never();
  for (int i = 0; i < COUNT; i++) {
    keys[i] = rac_object(&objects[i / 2], rac_object_class_register(&liar));
    cases[i] = never;
  }
  for (int round = 0; round < 300; round++) {
    owned rac_subject *subject = rac_subject_create();
    rac_signal *signals[] = {
        rac_signal_switch(as_signal(subject), keys, cases, COUNT, never),
        rac_signal_group_by(as_signal(subject), NULL, copy_value, NULL, NULL)};
    for (int i = 0; i < 2; i++) {
      rac_release(rac_subscribe_next(signals[i], NULL, NULL, NULL));
      rac_release(signals[i]);
    }
    for (int i = 0; i < COUNT; i++) rac_subject_send(subject, keys[i]);
    rac_subject_send_completed(subject);
  }
  rac_release(never);
  for (int i = 0; i < COUNT; i++) rac_value_release(keys[i]);
}

TEST(a_class_may_leave_everything_out) {
  static const rac_object_class bare = RAC_OBJECT_CLASS_INIT;
  int a = 0, b = 0;
  uint32_t number = rac_object_class_register(&bare);
  rac_value x = rac_object(&a, number), y = rac_object(&b, number);
  CHECK(rac_value_equal(x, x) && !rac_value_equal(x, y));
  rac_value_hash(x);
  char text[40];
  CHECK(rac_value_describe(x, text, sizeof text) > 0);
  CHECK(strncmp(text, "<object 0x", 10) == 0);
  rac_value_release(x);
  rac_value_release(y);
}

static size_t long_describe(void *object, char *buffer, size_t capacity) {
  (void)object;
  if (capacity > 0) {
    memset(buffer, 'z', capacity - 1);
    buffer[capacity - 1] = 0;
  }
  return 100000;
}

TEST(a_long_description_is_cut_not_overrun) {
  static const rac_object_class wordy = {.size = sizeof(rac_object_class),
                                         .describe = long_describe};
  int object = 0;
  owned_value value = rac_object(&object, rac_object_class_register(&wordy));
  char text[16];
  CHECK(rac_value_describe(value, text, sizeof text) >= 15);
  CHECK_TEXT(text, "zzzzzzzzzzzzzzz");
}

TEST(a_class_has_one_number) {
  static const rac_object_class one = RAC_OBJECT_CLASS_INIT;
  static const rac_object_class other = RAC_OBJECT_CLASS_INIT;
  uint32_t number = rac_object_class_register(&one);
  CHECK(number != 0);
  CHECK(rac_object_class_register(&other) != number);
  CHECK_INT(rac_object_class_register(&one), number);
}

enum { REGISTRARS = 4, CLASSES = 100 };
static rac_object_class many[CLASSES];
static uint32_t numbers[REGISTRARS][CLASSES];

static void *register_many(void *context) {
  uint32_t *mine = context;
  for (int i = 0; i < CLASSES; i++)
    mine[i] = rac_object_class_register(&many[i]);
  return NULL;
}

TEST(classes_are_registered_by_several_threads_at_once) {
  for (int i = 0; i < CLASSES; i++) many[i].size = sizeof *many;
  pthread_t threads[REGISTRARS];
  for (int i = 0; i < REGISTRARS; i++)
    pthread_create(&threads[i], NULL, register_many, numbers[i]);
  for (int i = 0; i < REGISTRARS; i++) pthread_join(threads[i], NULL);
  for (int i = 0; i < CLASSES; i++) {
    for (int j = 1; j < REGISTRARS; j++)
      CHECK_INT(numbers[j][i], numbers[0][i]);
    for (int j = 0; j < i; j++) CHECK(numbers[0][j] != numbers[0][i]);
  }
}

static rac_status give_unknown(void *context, rac_value value, rac_value *out) {
  (void)value;
  *out = rac_object(context, 65000);
  return RAC_OK;
}

/* Nothing is called for it, and a stream that makes one fails. */
TEST(an_object_needs_a_class_that_is_registered) {
  int object = 0;
  check_refused(rac_value_object(&object, 0), RAC_EKIND, "rac_value_object");
  const uint32_t unknown[] = {0, 65000, 65535, 65536, UINT32_MAX};
  owned rac_subject *subject = rac_subject_create();
  for (int i = 0; i < 5; i++) {
    check_refused(rac_value_object(&object, unknown[i]), RAC_EKIND,
                  "rac_value_object");
    check_refused(rac_value_object_owned(&object, unknown[i]), RAC_EKIND,
                  "rac_value_object_owned");
    owned_value made = rac_object(&object, unknown[i]);
    CHECK_STATUS(rac_subject_send(subject, made), RAC_EKIND);
    check_refused(rac_value_retain(made), RAC_EKIND, "rac_value_retain");
    check_refused(rac_value_tuple(&made, 1), RAC_EKIND, "rac_value_tuple");
  }
  owned rac_signal *bad =
      rac_signal_map(as_signal(subject), &object, give_unknown, NULL);
  RECORDER(r, bad);
  rac_subject_send(subject, I(1));
  CHECK_TEXT(r.text, "#-5004");
}

TEST(an_object_is_not_null) {
  uint32_t number = rac_object_class_register(&counted_class);
  check_refused(rac_value_object(NULL, number), RAC_ENULL, "rac_value_object");
  check_refused(rac_value_object_owned(NULL, number), RAC_ENULL,
                "rac_value_object_owned");
  check_refused(rac_value_retain(rac_object(NULL, number)), RAC_EKIND,
                "rac_value_retain");
}

TEST(a_class_is_refused_that_is_none) {
  CHECK_INT(rac_object_class_register(NULL), 0);
  CHECK_STATUS(rac_last_error_code(), RAC_ENULL);
  static rac_object_class empty = RAC_OBJECT_CLASS_INIT;
  empty.size = 0;
  CHECK_INT(rac_object_class_register(&empty), 0);
  CHECK_STATUS(rac_last_error_code(), RAC_EINVAL);
}
