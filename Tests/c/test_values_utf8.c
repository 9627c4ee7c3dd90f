/* Texts are UTF-8, wherever one enters. */
#include "refused_values.h"

#include <stdlib.h>

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
  owned rac_subject *subject = rac_replay_subject_create(1);
  CHECK_STATUS(rac_subject_send(subject, view), RAC_EUTF8);
  CHECK_STATUS(rac_subscriber_send(rac_subject_as_subscriber(subject), view),
               RAC_EUTF8);
  check_refused(rac_value_retain(view), RAC_EUTF8, "rac_value_retain");
  check_refused(rac_value_tuple(&view, 1), RAC_EUTF8, "rac_value_tuple");
  check_refused(rac_value_error_underlying("", 1, "", view), RAC_EUTF8,
                "rac_value_error_underlying");
  owned rac_signal *never = rac_signal_never();
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
  RECORDER(r, as_signal(subject));
  CHECK_EVENTS(&r, "");
}

TEST(invalid_utf8_is_refused_wherever_a_text_enters) {
  owned rac_signal *signal = rac_signal_never();
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
  RAC_ASSIGN(signal, rac_signal_map(signal, context_new(NULL, NULL),
                                    write_invalid, context_destroy));
  CHECK_SIGNAL(signal, "#-5007");
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
    owned_value value = rac_value_string_copy(texts[i], strlen(texts[i]));
    const char *text = NULL;
    size_t length = 99;
    CHECK_STATUS(rac_value_get_string(value, &text, &length), RAC_OK);
    CHECK_TEXT(text, texts[i]);
    CHECK_INT(length, strlen(texts[i]));
  }
}

/* All ways of a text into a subject. */
static void check_sends(const char *text, size_t length, rac_status wanted) {
  owned rac_subject *subject = rac_subject_create();
  CHECK_STATUS(rac_subject_send(subject, rac_value_string_view(text, length)),
               wanted);
  CHECK_STATUS(rac_subject_send(subject, rac_value_string(text)), wanted);
  CHECK_STATUS(rac_subject_send(subject, rac_value_string_static(text)),
               wanted);
  owned_value copy = rac_value_string_copy(text, length);
  CHECK_STATUS(rac_last_error_code(), wanted);
  CHECK_INT(copy.kind, wanted == RAC_OK ? RAC_STRING : RAC_NIL);
  CHECK_STATUS(rac_subject_send(subject, copy), RAC_OK);
}

/* Words at a time are looked at: a letter of two bytes, and half of one, at each
 * place of texts of each length. */
TEST(each_byte_of_a_text_is_looked_at) {
  for (size_t length = 1; length <= 80; length++) {
    /* As long as the text, for AddressSanitizer. */
    char *text = malloc(length + 1);
    text[length] = '\0';
    for (size_t at = 0; at < length; at++) {
      memset(text, 'a', length);
      text[at] = '\xc3';
      check_sends(text, length, RAC_EUTF8);
      if (at + 1 == length) continue;
      text[at + 1] = '\xa4';
      rac_clear_last_error();
      check_sends(text, length, RAC_OK);
    }
    free(text);
  }
}
