/* Values that own something: texts in each of their lifetimes, bytes, pointers
 * with a destroy, signals. */
#include "refused_values.h"

TEST(a_text_may_contain_nul) {
  owned_value value = rac_value_string_copy("a\0b", 3);
  const char *text = NULL;
  size_t length = 0;
  CHECK_STATUS(rac_value_get_string(value, &text, &length), RAC_OK);
  CHECK_INT(length, 3);
  CHECK(memcmp(text, "a\0b", 4) == 0);
  CHECK(!rac_value_equal(value, S("a")));
  rac_value view = rac_value_string_view("a\0b", 3);
  CHECK(rac_value_equal(value, view));
}

TEST(a_view_is_copied_when_it_is_kept_and_ends_with_nul_then) {
  char buffer[] = "first and more";
  owned_value kept = rac_value_retain(rac_value_string_view(buffer, 5));
  memset(buffer, 'x', sizeof buffer - 1);
  const char *text = NULL;
  size_t length = 0;
  CHECK_STATUS(rac_value_get_string(kept, &text, &length), RAC_OK);
  CHECK_TEXT(text, "first");
  CHECK_INT(length, 5);
}

static void check_replayed(rac_subject *subject, const char *expected) {
  RECORDER(r, as_signal(subject));
  CHECK_EVENTS(&r, expected);
}

TEST(a_view_sent_into_the_graph_is_copied) {
  char buffer[] = "original";
  owned rac_subject *subject = rac_replay_subject_create(RAC_REPLAY_UNLIMITED);
  rac_subject_send(subject, rac_value_string(buffer));
  memset(buffer, 'x', sizeof buffer - 1);
  check_replayed(subject, "original");
  owned_value error = rac_value_error(buffer, 3, buffer);
  memset(buffer, 'y', sizeof buffer - 1);
  CHECK_TEXT(rac_error_get_domain(error), "xxxxxxxx");
}

TEST(an_owned_text_is_destroyed_with_its_last_reference) {
  static const char text[] = "owned";
  atomic_int destroyed = 0;
  rac_value value = rac_value_string_owned(
      text, 5, context_new(NULL, &destroyed), context_destroy);
  const char *got = NULL;
  CHECK_STATUS(rac_value_get_string(value, &got, NULL), RAC_OK);
  CHECK(got == text);
  owned rac_subject *subject = rac_replay_subject_create(1);
  rac_subject_send(subject, value);
  rac_value_release(value);
  CHECK_INT(destroyed, 0);
  check_replayed(subject, "owned");
  rac_subject_send(subject, I(1));
  CHECK_INT(destroyed, 1);
}

TEST(a_static_text_is_never_copied) {
  static const char text[] = "static";
  owned_value value = rac_value_retain(rac_value_string_static(text));
  const char *got = NULL;
  CHECK_STATUS(rac_value_get_string(value, &got, NULL), RAC_OK);
  CHECK(got == text);
}

TEST(texts_need_a_pointer) {
  check_refused(rac_value_string(NULL), RAC_ENULL, "rac_value_string");
  check_refused(rac_value_string_view(NULL, 1), RAC_ENULL,
                "rac_value_string_view");
  check_refused(rac_value_string_static(NULL), RAC_ENULL,
                "rac_value_string_static");
  check_refused(rac_value_string_copy(NULL, 1), RAC_ENULL,
                "rac_value_string_copy");
  check_refused(rac_value_bytes_view(NULL, 1), RAC_ENULL,
                "rac_value_bytes_view");
  check_refused(rac_value_bytes_copy(NULL, 1), RAC_ENULL,
                "rac_value_bytes_copy");
  atomic_int destroyed = 0;
  check_refused(rac_value_string_owned(NULL, 1, context_new(NULL, &destroyed),
                                       context_destroy),
                RAC_ENULL, "rac_value_string_owned");
  CHECK_INT(destroyed, 1);
}

TEST(bytes_may_be_anything) {
  unsigned char all[256];
  for (int i = 0; i < 256; i++) all[i] = (unsigned char)i;
  rac_value copy = rac_value_bytes_copy(all, sizeof all);
  CHECK(rac_value_equal(copy, rac_value_bytes_view(all, sizeof all)));
  memset(all, 0, sizeof all);
  const void *bytes = NULL;
  size_t length = 0;
  CHECK_STATUS(rac_value_get_bytes(copy, &bytes, &length), RAC_OK);
  CHECK_INT(length, 256);
  for (int i = 0; i < 256; i++) CHECK(((const unsigned char *)bytes)[i] == i);
  rac_value_release(copy);
  owned_value none = rac_value_bytes_copy(NULL, 0);
  CHECK_INT(none.kind, RAC_BYTES);
  CHECK_STATUS(rac_value_get_bytes(none, &bytes, &length), RAC_OK);
  CHECK_INT(length, 0);
}

TEST(sizes_beyond_memory_are_refused) {
  size_t sizes[] = {SIZE_MAX, SIZE_MAX / 2, (size_t)1 << 48};
  for (int i = 0; i < 3; i++) {
    rac_value value = rac_value_nil();
    check_refused(rac_value_bytes_view("x", sizes[i]), RAC_ERANGE,
                  "rac_value_bytes_view");
    check_refused(rac_value_bytes_copy("x", sizes[i]), RAC_ERANGE,
                  "rac_value_bytes_copy");
    check_refused(rac_value_string_view("x", sizes[i]), RAC_ERANGE,
                  "rac_value_string_view");
    check_refused(rac_value_string_copy("x", sizes[i]), RAC_ERANGE,
                  "rac_value_string_copy");
    check_refused(rac_value_tuple(&value, sizes[i]), RAC_ENOMEM,
                  "rac_value_tuple");
  }
}

static void count_destroy(void *pointer) { ++*(int *)pointer; }

TEST(pointers_carry_a_type_that_is_checked) {
  int number = 0;
  void *out = NULL;
  rac_value value = rac_value_pointer(&number, "number", NULL);
  CHECK_STATUS(rac_value_get_pointer(value, "number", &out), RAC_OK);
  CHECK(out == &number);
  out = NULL;
  CHECK_STATUS(rac_value_get_pointer(value, NULL, &out), RAC_OK);
  CHECK(out == &number);
  /* The same name at another address. */
  char name[] = "number";
  CHECK_STATUS(rac_value_get_pointer(value, name, &out), RAC_OK);
  CHECK_STATUS(rac_value_get_pointer(value, "other", &out), RAC_EKIND);
  rac_value_release(value);
  value = rac_value_pointer(&number, NULL, NULL);
  CHECK_STATUS(rac_value_get_pointer(value, "number", &out), RAC_EKIND);
  CHECK_STATUS(rac_value_get_pointer(value, NULL, &out), RAC_OK);
  rac_value_release(value);
  value = rac_value_pointer(NULL, "number", NULL);
  CHECK_INT(value.kind, RAC_POINTER);
  CHECK_STATUS(rac_value_get_pointer(value, "number", &out), RAC_OK);
  CHECK(out == NULL);
  rac_value_release(value);
}

TEST(an_owned_pointer_is_destroyed_with_its_last_reference) {
  int destroyed = 0;
  rac_value value = rac_value_pointer(&destroyed, "number", count_destroy);
  rac_value tuple = rac_value_tuple(&value, 1);
  rac_value again = rac_value_retain(value);
  CHECK(rac_value_equal(value, again));
  rac_value_release(value);
  rac_value_release(again);
  CHECK_INT(destroyed, 0);
  rac_value_release(tuple);
  CHECK_INT(destroyed, 1);
}

static void keep_value(recorder *self, rac_value value) {
  *(rac_value *)self->user = rac_value_retain(value);
}

TEST(a_value_kept_by_a_callback_outlives_the_stream) {
  owned_value kept = rac_value_nil();
  recorder r = {.on_next = keep_value, .user = &kept};
  rac_value parts[] = {S("inside"), I(2)};
  rac_value tuple = rac_value_tuple(parts, 2);
  rac_subject *subject = rac_subject_create();
  record(as_signal(subject), &r);
  rac_subject_send(subject, tuple);
  rac_value_release(tuple);
  finish(&r);
  rac_release(subject);
  char text[40];
  format_value(kept, text, sizeof text);
  CHECK_TEXT(text, "(inside,2)");
}

TEST(a_view_kept_by_a_callback_is_copied) {
  owned_value kept = rac_value_nil();
  recorder r = {.on_next = keep_value, .user = &kept};
  char buffer[] = "seen";
  rac_subject *subject = rac_subject_create();
  record(as_signal(subject), &r);
  rac_subject_send(subject, rac_value_string(buffer));
  memset(buffer, 'x', sizeof buffer - 1);
  finish(&r);
  rac_release(subject);
  const char *text = NULL;
  CHECK_STATUS(rac_value_get_string(kept, &text, NULL), RAC_OK);
  CHECK_TEXT(text, "seen");
}

TEST(a_signal_travels_as_a_value) {
  rac_signal *inner = cold("1 2 |", NULL);
  rac_value value = rac_value_signal(inner);
  rac_release(inner);
  CHECK_INT(value.kind, RAC_SIGNAL);
  owned rac_signal *outer = rac_signal_return(value);
  rac_value_release(value);
  CHECK_SIGNAL(rac_signal_flatten(outer, 0), "1 2 |");
}
