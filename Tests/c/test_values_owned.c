/* Values that own something: texts in each of their lifetimes, bytes, pointers
 * with a destroy, signals. */
#include "refused_values.h"

static const char *const invalid_utf8[] = {
    "\x80",             /* a continuation byte alone */
    "ok\xff",           /* never a byte of UTF-8 */
    "\xc3",             /* cut off */
    "\xe2\x82",         /* cut off */
    "\xc0\xaf",         /* overlong */
    "\xe0\x80\x80",     /* overlong */
    "\xed\xa0\x80",     /* a surrogate */
    "\xf4\x90\x80\x80", /* above U+10FFFF */
    "\xf8\x88\x80\x80\x80",
};
enum { INVALID = sizeof invalid_utf8 / sizeof *invalid_utf8 };

static rac_status never_reduce(void *context, rac_value running, rac_value next,
                               rac_value *out) {
  (void)context, (void)running, (void)next, (void)out;
  return RAC_EINVAL;
}

/* What keeps a value, or passes it on, looks at it first. */
static void check_views_refused(rac_value view) {
  rac_subject *subject = rac_replay_subject_create(1);
  CHECK_STATUS(rac_subject_send(subject, view), RAC_EUTF8);
  CHECK_STATUS(rac_subscriber_send(rac_subject_as_subscriber(subject), view),
               RAC_EUTF8);
  check_refused(rac_value_retain(view), RAC_EUTF8, "rac_value_retain");
  check_refused(rac_value_tuple(&view, 1), RAC_EUTF8, "rac_value_tuple");
  check_refused(rac_value_error_underlying("", 1, "", view), RAC_EUTF8,
                "rac_value_error_underlying");
  rac_signal *never = rac_signal_never();
#define REFUSED(call)                                                          \
  do {                                                                         \
    rac_clear_last_error();                                                    \
    CHECK((call) == NULL);                                                     \
    CHECK_STATUS(rac_last_error_code(), RAC_EUTF8);                            \
  } while (0)
  REFUSED(rac_signal_return(view));
  REFUSED(rac_signal_from_values(&view, 1));
  REFUSED(rac_signal_start_with(never, view));
  REFUSED(rac_signal_map_replace(never, view));
  REFUSED(rac_signal_scan(never, view, NULL, never_reduce, NULL));
  REFUSED((rac_signal *)rac_behavior_subject_create(view));
#undef REFUSED
  recorder r = {0};
  record(as_signal(subject), &r);
  CHECK_EVENTS(&r, "");
  finish(&r);
  rac_release(never);
  rac_release(subject);
}

TEST(invalid_utf8_is_refused_wherever_a_text_enters) {
  rac_signal *signal = rac_signal_never();
  for (int i = 0; i < INVALID; i++) {
    const char *text = invalid_utf8[i];
    size_t length = strlen(text);
    check_views_refused(rac_value_string(text));
    check_views_refused(rac_value_string_view(text, length));
    check_views_refused(rac_value_string_static(text));
    check_refused(rac_value_string_copy(text, length), RAC_EUTF8,
                  "rac_value_string_copy");
    atomic_int destroyed = 0;
    check_refused(rac_value_string_owned(text, length,
                                         context_new(NULL, &destroyed),
                                         context_destroy),
                  RAC_EUTF8, "rac_value_string_owned");
    CHECK_INT(destroyed, 1);
    check_refused(rac_value_error(text, 1, "message"), RAC_EUTF8,
                  "rac_value_error");
    check_refused(rac_value_error("domain", 1, text), RAC_EUTF8,
                  "rac_value_error");
    check_refused(rac_value_error_underlying(text, 1, "", rac_value_nil()),
                  RAC_EUTF8, "rac_value_error_underlying");
    CHECK_STATUS(rac_signal_set_name(signal, text), RAC_EUTF8);
  }
  rac_release(signal);
}

static rac_status write_invalid(void *context, rac_value value,
                                rac_value *out) {
  (void)context_target(context);
  (void)value;
  *out = rac_value_string_static("\xff");
  return RAC_OK;
}

TEST(invalid_utf8_from_a_callback_fails_the_stream) {
  rac_signal *signal = cold("1 |", NULL);
  rac_assign((void **)&signal, rac_signal_map(signal, context_new(NULL, NULL),
                                              write_invalid, context_destroy));
  CHECK_SIGNAL(signal, "#-7");
}

TEST(valid_utf8_of_every_length_comes_back) {
  const char *texts[] = {"",
                         "a",
                         "\x7f",
                         "\xc2\x80",
                         "\xdf\xbf",
                         "\xe0\xa0\x80",
                         "\xed\x9f\xbf",
                         "\xef\xbf\xbf",
                         "\xf0\x90\x80\x80",
                         "\xf4\x8f\xbf\xbf"};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    rac_value value = rac_value_string_copy(texts[i], strlen(texts[i]));
    const char *text = NULL;
    size_t length = 99;
    CHECK_STATUS(rac_value_get_string(value, &text, &length), RAC_OK);
    CHECK_TEXT(text, texts[i]);
    CHECK_INT(length, strlen(texts[i]));
    rac_value_release(value);
  }
}

TEST(a_text_may_contain_nul) {
  rac_value value = rac_value_string_copy("a\0b", 3);
  const char *text = NULL;
  size_t length = 0;
  CHECK_STATUS(rac_value_get_string(value, &text, &length), RAC_OK);
  CHECK_INT(length, 3);
  CHECK(memcmp(text, "a\0b", 4) == 0);
  CHECK(!rac_value_equal(value, S("a")));
  rac_value view = rac_value_string_view("a\0b", 3);
  CHECK(rac_value_equal(value, view));
  rac_value_release(value);
}

TEST(a_view_is_copied_when_it_is_kept_and_ends_with_nul_then) {
  char buffer[] = "first and more";
  rac_value kept = rac_value_retain(rac_value_string_view(buffer, 5));
  memset(buffer, 'x', sizeof buffer - 1);
  const char *text = NULL;
  size_t length = 0;
  CHECK_STATUS(rac_value_get_string(kept, &text, &length), RAC_OK);
  CHECK_TEXT(text, "first");
  CHECK_INT(length, 5);
  rac_value_release(kept);
}

static void check_replayed(rac_subject *subject, const char *expected) {
  recorder r = {0};
  record(as_signal(subject), &r);
  CHECK_EVENTS(&r, expected);
  finish(&r);
}

TEST(a_view_sent_into_the_graph_is_copied) {
  char buffer[] = "original";
  rac_subject *subject = rac_replay_subject_create(RAC_REPLAY_UNLIMITED);
  rac_subject_send(subject, rac_value_string(buffer));
  memset(buffer, 'x', sizeof buffer - 1);
  check_replayed(subject, "original");
  rac_value error = rac_value_error(buffer, 3, buffer);
  memset(buffer, 'y', sizeof buffer - 1);
  CHECK_TEXT(rac_error_get_domain(error), "xxxxxxxx");
  rac_value_release(error);
  rac_release(subject);
}

TEST(an_owned_text_is_destroyed_with_its_last_reference) {
  static const char text[] = "owned";
  atomic_int destroyed = 0;
  rac_value value = rac_value_string_owned(
      text, 5, context_new(NULL, &destroyed), context_destroy);
  const char *got = NULL;
  CHECK_STATUS(rac_value_get_string(value, &got, NULL), RAC_OK);
  CHECK(got == text);
  rac_subject *subject = rac_replay_subject_create(1);
  rac_subject_send(subject, value);
  rac_value_release(value);
  CHECK_INT(destroyed, 0);
  check_replayed(subject, "owned");
  rac_subject_send(subject, I(1));
  CHECK_INT(destroyed, 1);
  rac_release(subject);
}

TEST(a_static_text_is_never_copied) {
  static const char text[] = "static";
  rac_value value = rac_value_retain(rac_value_string_static(text));
  const char *got = NULL;
  CHECK_STATUS(rac_value_get_string(value, &got, NULL), RAC_OK);
  CHECK(got == text);
  rac_value_release(value);
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
  rac_value none = rac_value_bytes_copy(NULL, 0);
  CHECK_INT(none.kind, RAC_BYTES);
  CHECK_STATUS(rac_value_get_bytes(none, &bytes, &length), RAC_OK);
  CHECK_INT(length, 0);
  rac_value_release(none);
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
  rac_value value = rac_value_pointer(&number, "number");
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
  value = rac_value_pointer(&number, NULL);
  CHECK_STATUS(rac_value_get_pointer(value, "number", &out), RAC_EKIND);
  CHECK_STATUS(rac_value_get_pointer(value, NULL, &out), RAC_OK);
  rac_value_release(value);
  value = rac_value_pointer(NULL, "number");
  CHECK_INT(value.kind, RAC_POINTER);
  CHECK_STATUS(rac_value_get_pointer(value, "number", &out), RAC_OK);
  CHECK(out == NULL);
  rac_value_release(value);
}

TEST(an_owned_pointer_is_destroyed_with_its_last_reference) {
  int destroyed = 0;
  rac_value value =
      rac_value_pointer_owned(&destroyed, "number", count_destroy);
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
  rac_value kept = rac_value_nil();
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
  rac_value_release(kept);
}

TEST(a_view_kept_by_a_callback_is_copied) {
  rac_value kept = rac_value_nil();
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
  rac_value_release(kept);
}

TEST(a_signal_travels_as_a_value) {
  rac_signal *inner = cold("1 2 |", NULL);
  rac_value value = rac_value_signal(inner);
  rac_release(inner);
  CHECK_INT(value.kind, RAC_SIGNAL);
  rac_signal *outer = rac_signal_return(value);
  rac_value_release(value);
  CHECK_SIGNAL(rac_signal_flatten(outer, 0), "1 2 |");
  rac_release(outer);
}
