/* Values that are objects: counted, compared and described by their class. */
#include "refused_values.h"

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

static const rac_object_class counted_class = {sizeof(rac_object_class),
                                               counted_retain,
                                               counted_release,
                                               counted_equal,
                                               counted_hash,
                                               counted_describe};

TEST(objects_are_retained_and_released_evenly) {
  counted object = {1, 5};
  rac_value value = rac_value_object(&object, &counted_class);
  CHECK_INT(object.references, 2);
  rac_subject *subject = rac_replay_subject_create(RAC_REPLAY_UNLIMITED);
  for (int i = 0; i < 10; i++) rac_subject_send(subject, value);
  rac_value_release(value);
  CHECK(object.references > 1);
  rac_release(subject);
  CHECK_INT(object.references, 1);
}

TEST(objects_compare_hash_and_describe_through_their_class) {
  counted a = {1, 5}, b = {1, 5}, c = {1, 6};
  rac_value x = rac_value_object(&a, &counted_class);
  rac_value y = rac_value_object(&b, &counted_class);
  rac_value z = rac_value_object(&c, &counted_class);
  CHECK(rac_value_equal(x, y) && !rac_value_equal(x, z));
  CHECK(rac_value_hash(x) == rac_value_hash(y));
  char text[40];
  rac_value_describe(x, text, sizeof text);
  CHECK_TEXT(text, "counted 5");
  void *out = NULL;
  CHECK_STATUS(rac_value_get_object(x, &counted_class, &out), RAC_OK);
  CHECK(out == &a);
  static const rac_object_class other = RAC_OBJECT_CLASS_INIT;
  CHECK_STATUS(rac_value_get_object(x, &other, &out), RAC_EKIND);
  rac_value_release(x);
  rac_value_release(y);
  rac_value_release(z);
  CHECK_INT(a.references + b.references + c.references, 3);
}

/* Hashes are the classes' own, so that the same pointer may have two of them. */
TEST(objects_of_two_classes_differ) {
  static const rac_object_class bare = RAC_OBJECT_CLASS_INIT;
  counted object = {1, 5};
  rac_value keys[] = {rac_value_object(&object, &counted_class),
                      rac_value_object(&object, &bare)};
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

static rac_status itself(void *context, rac_value value, rac_value *out) {
  (void)context;
  *out = rac_value_retain(value);
  return RAC_OK;
}

/* Whatever is found: it comes back. */
TEST(a_class_whose_hash_and_equality_are_none) {
  static const rac_object_class liar = {
      sizeof(rac_object_class), NULL, NULL, now_and_then, any_of_four, NULL};
  enum { COUNT = 8 };
  counted objects[COUNT] = {{1, 5}};
  rac_value keys[COUNT];
  rac_signal *cases[COUNT], *never = rac_signal_never();
  for (int i = 0; i < COUNT; i++) {
    keys[i] = rac_value_object(&objects[i / 2], &liar);
    cases[i] = never;
  }
  for (int round = 0; round < 300; round++) {
    rac_subject *subject = rac_subject_create();
    rac_signal *signals[] = {
        rac_signal_switch(as_signal(subject), keys, cases, COUNT, never),
        rac_signal_group_by(as_signal(subject), NULL, itself, NULL, NULL)};
    for (int i = 0; i < 2; i++) {
      rac_release(rac_subscribe_next(signals[i], NULL, NULL, NULL));
      rac_release(signals[i]);
    }
    for (int i = 0; i < COUNT; i++) rac_subject_send(subject, keys[i]);
    rac_subject_send_completed(subject);
    rac_release(subject);
  }
  rac_release(never);
  for (int i = 0; i < COUNT; i++) rac_value_release(keys[i]);
}

TEST(a_class_may_leave_everything_out) {
  static const rac_object_class bare = RAC_OBJECT_CLASS_INIT;
  int a = 0, b = 0;
  rac_value x = rac_value_object(&a, &bare), y = rac_value_object(&b, &bare);
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
  static const rac_object_class wordy = {
      sizeof(rac_object_class), NULL, NULL, NULL, NULL, long_describe};
  rac_value value = rac_value_object(NULL, &wordy);
  char text[16];
  CHECK(rac_value_describe(value, text, sizeof text) >= 15);
  CHECK_TEXT(text, "zzzzzzzzzzzzzzz");
  rac_value_release(value);
}

TEST(an_object_needs_a_class) {
  int object = 0;
  check_refused(rac_value_object(&object, NULL), RAC_ENULL, "rac_value_object");
  rac_object_class empty = RAC_OBJECT_CLASS_INIT;
  empty.size = 0;
  check_refused(rac_value_object(&object, &empty), RAC_EINVAL,
                "rac_value_object");
}
