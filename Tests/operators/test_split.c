/* Frames: cut by a delimiter, by their length, by a callback; and the reverse. */
#include "check.h"

/* The portions of a text of that size each. */
static rac_signal *portions(const char *bytes, size_t count, size_t size) {
  rac_value values[64];
  size_t used = 0;
  for (size_t at = 0; at < count; at += size) {
    size_t length = count - at < size ? count - at : size;
    values[used++] = rac_value_bytes_view(bytes + at, length);
  }
  return rac_signal_from_values(values, used);
}

static void add_bytes(recorder *self, rac_value value) {
  const void *bytes = NULL;
  size_t length = 0;
  char part[64];
  CHECK_STATUS(rac_value_get_bytes(value, &bytes, &length), RAC_OK);
  snprintf(part, sizeof part, "[%.*s]", (int)length, (const char *)bytes);
  strcat(self->user, part);
}

/* Frames, whatever the portions, and how it ends. */
static void check_frames(int line, rac_signal *source, const char *frames,
                         int64_t code) {
  char text[256] = "";
  recorder r = {.on_next = add_bytes, .user = text};
  owned_value error = rac_value_nil();
  record_of(source, &r);
  CHECK_INT(r.ends, 1);
  check_text(__FILE__, line, "the frames", text, frames);
  char end[16];
  snprintf(end, sizeof end, "#%d", (int)code);
  bool is_ended =
      code == 0 ? strchr(r.text, '|') != NULL : strstr(r.text, end) != NULL;
  if (!is_ended) check_fail(__FILE__, line, r.text);
  finish(&r);
}

static void check_delimited(int line, const char *text, const char *delimiter,
                            size_t longest, const char *frames, int64_t code) {
  for (size_t size = 1; size <= strlen(text) + 1; size++) {
    owned rac_signal *source = portions(text, strlen(text), size);
    check_frames(line,
                 rac_signal_split_by_delimiter(source, S(delimiter), longest),
                 frames, code);
  }
}

TEST(frames_between_delimiters) {
  check_delimited(__LINE__, "ab;c;;d", ";", 0, "[ab][c][][d]", 0);
  check_delimited(__LINE__, "ab;", ";", 2, "[ab]", 0);
  check_delimited(__LINE__, "", ";", 0, "", 0);
  check_delimited(__LINE__, "a\r\nb\rc\r\n\r\r\n", "\r\n", 0, "[a][b\rc][\r]",
                  0);
  check_delimited(__LINE__, "abc--def-", "--", 4, "[abc][def-]", 0);
}

TEST(a_frame_that_is_too_long) {
  check_delimited(__LINE__, "ab;abc;d", ";", 2, "[ab]", RAC_ERANGE);
  check_delimited(__LINE__, "ab;abc", ";", 2, "[ab]", RAC_ERANGE);
  check_delimited(__LINE__, "abc\r\n", "\r\n", 3, "[abc]", 0);
}

static void check_lengths(int line, const char *bytes, size_t count,
                          size_t width, bool little, size_t longest,
                          const char *frames, int64_t code) {
  for (size_t size = 1; size <= count + 1; size++) {
    owned rac_signal *source = portions(bytes, count, size);
    check_frames(line,
                 rac_signal_split_by_length(source, width, little, longest),
                 frames, code);
  }
}

TEST(frames_with_their_length) {
  check_lengths(__LINE__, "\2ab\0\1c", 6, 1, false, 0, "[ab][][c]", 0);
  check_lengths(__LINE__, "\0\2ab\0\1c", 7, 2, false, 0, "[ab][c]", 0);
  check_lengths(__LINE__, "\2\0ab\1\0c", 7, 2, true, 0, "[ab][c]", 0);
  check_lengths(__LINE__, "\0\0\0\2ab", 6, 4, false, 0, "[ab]", 0);
  check_lengths(__LINE__, "\2\0\0\0\0\0\0\0ab", 10, 8, true, 0, "[ab]", 0);
  check_lengths(__LINE__, "\2ab\3abc", 7, 1, false, 2, "[ab]", RAC_ERANGE);
  check_lengths(__LINE__, "\xff\xff\xff\xff\xff\xff\xff\xff", 8, 8, true, 0, "",
                RAC_ERANGE);
  check_lengths(__LINE__, "\2ab\3a", 5, 1, false, 0, "[ab]", RAC_EINVAL);
}

/* A digit says how many bytes come with it. */
static rac_status measure(void *context, rac_value value, rac_value *out) {
  const void *bytes = NULL;
  size_t length = 0;
  (void)context;
  rac_value_get_bytes(value, &bytes, &length);
  int first = *(const char *)bytes;
  if (first == '!') return RAC_EINVAL;
  if (first != '0') *out = I(first - '0');
  return RAC_OK;
}

static void check_measured(int line, const char *text, size_t longest,
                           const char *frames, int64_t code) {
  for (size_t size = 1; size <= strlen(text) + 1; size++) {
    atomic_int destroyed = 0;
    owned rac_signal *source = portions(text, strlen(text), size);
    check_frames(line,
                 rac_signal_split_by(source, context_new(NULL, &destroyed),
                                     measure, longest, context_destroy),
                 frames, code);
    CHECK_INT(destroyed, 1);
  }
}

TEST(frames_that_a_callback_measures) {
  check_measured(__LINE__, "3ab12x", 0, "[3ab][1][2x]", 0);
  check_measured(__LINE__, "3ab9", 5, "[3ab]", RAC_ERANGE);
  check_measured(__LINE__, "1000", 2, "[1]", RAC_ERANGE);
  check_measured(__LINE__, "3a", 0, "", RAC_EINVAL);
  check_measured(__LINE__, "1!", 0, "[1]", RAC_EINVAL);
}

TEST(the_reverse) {
  for (size_t width = 1; width <= 8; width *= 2) {
    for (int little = 0; little < 2; little++) {
      rac_value words[] = {S("one"), S(""), S("three")};
      owned rac_signal *source = rac_signal_from_values(words, 3);
      owned rac_signal *framed =
          rac_signal_add_length(source, width, little, 0);
      check_frames(__LINE__,
                   rac_signal_split_by_length(framed, width, little, 0),
                   "[one][][three]", 0);
    }
  }
  rac_value words[] = {S("one"), S("two")};
  owned rac_signal *source = rac_signal_from_values(words, 2);
  check_frames(__LINE__, rac_signal_add_delimiter(source, S("\r\n"), 0),
               "[one\r\n][two\r\n]", 0);
  check_frames(__LINE__, rac_signal_add_delimiter(source, S("."), 2), "",
               RAC_ERANGE);
  static char long_text[300];
  memset(long_text, 'x', sizeof long_text - 1);
  owned rac_signal *one = rac_signal_return(S(long_text));
  check_frames(__LINE__, rac_signal_add_length(one, 1, false, 0), "",
               RAC_ERANGE);
}

static void dispose_me(recorder *self, rac_value value) {
  (void)value;
  rac_dispose(self->subscription);
}

TEST(a_disposal_inside_stops_the_cutting) {
  owned rac_subject *source = rac_subject_create();
  recorder r = {.on_next = dispose_me};
  record_of(
      rac_signal_split_by_delimiter(rac_subject_as_signal(source), S(";"), 0),
      &r);
  rac_subject_send(source, S("a;b;c"));
  CHECK_INT(r.nexts, 1);
  finish(&r);
}

TEST(what_is_refused) {
  owned rac_signal *source = rac_signal_return(I(7));
  check_frames(__LINE__, rac_signal_split_by_length(source, 1, false, 0), "",
               RAC_EKIND);
  check_frames(__LINE__, rac_signal_add_delimiter(source, S("."), 0), "",
               RAC_EKIND);
  CHECK(rac_signal_split_by_length(source, 3, false, 0) == NULL);
  CHECK_STATUS(rac_last_error_code(), RAC_EINVAL);
  CHECK(rac_signal_split_by_delimiter(source, S(""), 0) == NULL);
  CHECK_STATUS(rac_last_error_code(), RAC_EKIND);
  CHECK(rac_signal_split_by_delimiter(source, I(1), 0) == NULL);
  CHECK_STATUS(rac_last_error_code(), RAC_EKIND);
  CHECK(rac_signal_add_length(source, 1, false, (size_t)1 << 31) == NULL);
  CHECK_STATUS(rac_last_error_code(), RAC_EINVAL);
}
