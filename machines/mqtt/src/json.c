#include "json.h"

#include <errno.h>
#include <locale.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>

enum { DEPTH = 64 };

/* ---- Numbers, whatever the host's locale writes for a point --------------- */

static locale_t plain;
static void make_plain(void) { plain = newlocale(LC_ALL_MASK, "C", NULL); }

/* (locale_t)0 without memory: then the host's is as good as any. */
static locale_t enter_plain(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, make_plain);
  return plain == (locale_t)0 ? (locale_t)0 : uselocale(plain);
}
static void leave_plain(locale_t before) {
  if (before != (locale_t)0) uselocale(before);
}

/* The shortest text that is read as the same number. */
static int write_double(char *text, size_t size, double number) {
  locale_t before = enter_plain();
  int length = 0;
  for (int digits = 15; digits <= 17; digits++) {
    length = snprintf(text, size, "%.*g", digits, number);
    if (strtod(text, NULL) == number) break;
  }
  leave_plain(before);
  return length;
}

static double read_double(const char *text) {
  locale_t before = enter_plain();
  double number = strtod(text, NULL);
  leave_plain(before);
  return number;
}

/* ---- Writing ------------------------------------------------------------- */

static bool add_text(buffer *out, const char *text) {
  return buffer_add(out, text, strlen(text));
}

static rac_status add_string(buffer *out, const char *text, size_t length) {
  if (!buffer_reserve(out, length + 2)) return RAC_ENOMEM;
  if (!add_text(out, "\"")) return RAC_ENOMEM;
  for (size_t i = 0; i < length; i++) {
    unsigned char each = (unsigned char)text[i];
    char escape[8] = {(char)each, 0};
    if (each == '"' || each == '\\')
      snprintf(escape, sizeof escape, "\\%c", each);
    else if (each < 0x20)
      snprintf(escape, sizeof escape, "\\u%04x", each);
    if (!buffer_add(out, escape, strlen(escape))) return RAC_ENOMEM;
  }
  return add_text(out, "\"") ? RAC_OK : RAC_ENOMEM;
}

static rac_status add_value(buffer *out, rac_value value, int depth);

static rac_status add_array(buffer *out, rac_value tuple, int depth) {
  size_t count = rac_tuple_count(tuple);
  if (!add_text(out, "[")) return RAC_ENOMEM;
  for (size_t i = 0; i < count; i++) {
    if (i > 0 && !add_text(out, ",")) return RAC_ENOMEM;
    rac_status status = add_value(out, rac_tuple_get(tuple, i), depth);
    if (status != RAC_OK) return status;
  }
  return add_text(out, "]") ? RAC_OK : RAC_ENOMEM;
}

static rac_status add_value(buffer *out, rac_value value, int depth) {
  char number[40];
  const char *text = NULL;
  size_t length = 0;
  double real;
  if (depth == DEPTH) return RAC_ERANGE;
  switch (value.kind) {
  case RAC_NIL:
  case RAC_UNIT:
    return add_text(out, "null") ? RAC_OK : RAC_ENOMEM;
  case RAC_BOOL:
    return add_text(out, value.bits ? "true" : "false") ? RAC_OK : RAC_ENOMEM;
  case RAC_INT64:
    snprintf(number, sizeof number, "%lld", (long long)value.bits);
    return add_text(out, number) ? RAC_OK : RAC_ENOMEM;
  case RAC_DOUBLE:
    memcpy(&real, &value.bits, sizeof real);
    if (!isfinite(real)) return RAC_EKIND;
    write_double(number, sizeof number, real);
    return add_text(out, number) ? RAC_OK : RAC_ENOMEM;
  case RAC_STRING: {
    rac_status status = rac_value_get_string(value, &text, &length);
    return status == RAC_OK ? add_string(out, text, length) : status;
  }
  case RAC_TUPLE:
    return add_array(out, value, depth + 1);
  default:
    return RAC_EKIND;
  }
}

rac_status json_encode(buffer *out, const char *field, rac_value value) {
  if (field == NULL) return add_value(out, value, 0);
  if (!add_text(out, "{")) return RAC_ENOMEM;
  rac_status status = add_string(out, field, strlen(field));
  if (status == RAC_OK && !add_text(out, ":")) status = RAC_ENOMEM;
  if (status == RAC_OK) status = add_value(out, value, 1);
  if (status == RAC_OK && !add_text(out, "}")) status = RAC_ENOMEM;
  return status;
}

/* ---- Reading ------------------------------------------------------------- */

typedef struct input {
  const char *next, *end;
} input;

static void skip_space(input *in) {
  while (in->next < in->end && strchr(" \t\r\n", *in->next) && *in->next != 0)
    in->next++;
}

static bool take(input *in, char expected) {
  skip_space(in);
  if (in->next == in->end || *in->next != expected) return false;
  in->next++;
  return true;
}

static bool take_word(input *in, const char *word) {
  size_t length = strlen(word);
  if ((size_t)(in->end - in->next) < length ||
      memcmp(in->next, word, length) != 0)
    return false;
  in->next += length;
  return true;
}

static bool take_digits(input *in) {
  const char *first = in->next;
  while (in->next < in->end && *in->next >= '0' && *in->next <= '9') in->next++;
  return in->next > first;
}

/* Integers of 64 bits, and doubles. */
static rac_status take_number(input *in, rac_value *out) {
  char text[400];
  const char *first = in->next;
  bool is_real = false;
  if (in->next < in->end && *in->next == '-') in->next++;
  const char *digits = in->next;
  if (!take_digits(in) || (*digits == '0' && in->next - digits > 1))
    return RAC_EINVAL;
  if (in->next < in->end && *in->next == '.') {
    is_real = true;
    in->next++;
    if (!take_digits(in)) return RAC_EINVAL;
  }
  if (in->next < in->end && (*in->next == 'e' || *in->next == 'E')) {
    is_real = true;
    in->next++;
    if (in->next < in->end && (*in->next == '+' || *in->next == '-'))
      in->next++;
    if (!take_digits(in)) return RAC_EINVAL;
  }
  size_t length = (size_t)(in->next - first);
  if (length >= sizeof text) return RAC_ERANGE;
  memcpy(text, first, length);
  text[length] = 0;
  errno = 0;
  long long integer = is_real ? 0 : strtoll(text, NULL, 10);
  if (is_real || errno == ERANGE)
    *out = rac_double(read_double(text));
  else
    *out = rac_int64(integer);
  return RAC_OK;
}

static bool take_hex(input *in, unsigned *out) {
  *out = 0;
  if (in->end - in->next < 4) return false;
  for (int i = 0; i < 4; i++) {
    char each = *in->next++;
    unsigned digit = each >= '0' && each <= '9'   ? (unsigned)(each - '0')
                     : each >= 'a' && each <= 'f' ? (unsigned)(each - 'a') + 10
                     : each >= 'A' && each <= 'F' ? (unsigned)(each - 'A') + 10
                                                  : 16;
    if (digit == 16) return false;
    *out = *out << 4 | digit;
  }
  return true;
}

static size_t put_utf8(char *to, unsigned code) {
  if (code < 0x80) {
    to[0] = (char)code;
    return 1;
  }
  if (code < 0x800) {
    to[0] = (char)(0xc0 | code >> 6);
    to[1] = (char)(0x80 | (code & 63));
    return 2;
  }
  if (code < 0x10000) {
    to[0] = (char)(0xe0 | code >> 12);
    to[1] = (char)(0x80 | (code >> 6 & 63));
    to[2] = (char)(0x80 | (code & 63));
    return 3;
  }
  to[0] = (char)(0xf0 | code >> 18);
  to[1] = (char)(0x80 | (code >> 12 & 63));
  to[2] = (char)(0x80 | (code >> 6 & 63));
  to[3] = (char)(0x80 | (code & 63));
  return 4;
}

/* The character behind a backslash. */
static rac_status take_escape(input *in, buffer *out) {
  static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
  char bytes[4];
  unsigned code, low;
  if (in->next == in->end) return RAC_EINVAL;
  char each = *in->next++;
  if (each != 'u') {
    const char *found = each == 0 ? NULL : strchr(from, each);
    if (found == NULL) return RAC_EINVAL;
    return buffer_add(out, &to[found - from], 1) ? RAC_OK : RAC_ENOMEM;
  }
  if (!take_hex(in, &code)) return RAC_EINVAL;
  if (code >= 0xd800 && code < 0xe000) {
    /* Two of them are one character. */
    if (code >= 0xdc00 || !take_word(in, "\\u") || !take_hex(in, &low) ||
        low < 0xdc00 || low > 0xdfff)
      return RAC_EINVAL;
    code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
  }
  return buffer_add(out, bytes, put_utf8(bytes, code)) ? RAC_OK : RAC_ENOMEM;
}

/* Behind the first quotation mark. */
static rac_status take_characters(input *in, buffer *out) {
  for (;;) {
    const char *first = in->next;
    while (in->next < in->end && *in->next != '"' && *in->next != '\\' &&
           (unsigned char)*in->next >= 0x20)
      in->next++;
    if (!buffer_add(out, first, (size_t)(in->next - first))) return RAC_ENOMEM;
    if (in->next == in->end) return RAC_EINVAL;
    char each = *in->next++;
    if (each == '"') return RAC_OK;
    if (each != '\\') return RAC_EINVAL;
    rac_status status = take_escape(in, out);
    if (status != RAC_OK) return status;
  }
}

static rac_status take_string(input *in, rac_value *out) {
  buffer text = {0};
  rac_status status = take_characters(in, &text);
  if (status == RAC_OK) {
    const char *bytes = text.length > 0 ? (const char *)text.bytes : "";
    *out = rac_value_string_copy(bytes, text.length);
    if (out->kind == RAC_NIL) status = rac_last_error_code();
  }
  buffer_free(&text);
  return status;
}

static rac_status take_value(input *in, int depth, rac_value *out);

typedef struct list {
  rac_value *values;
  size_t count, capacity;
} list;

static bool list_grow(list *self) {
  if (self->count < self->capacity) return true;
  size_t capacity = self->capacity == 0 ? 8 : self->capacity * 2;
  rac_value *values = realloc(self->values, capacity * sizeof *values);
  if (values == NULL) return false;
  self->values = values;
  self->capacity = capacity;
  return true;
}

static rac_status take_array(input *in, int depth, rac_value *out) {
  list all = {0};
  rac_status status = RAC_OK;
  bool is_first = true;
  while (status == RAC_OK && !take(in, ']')) {
    if (!is_first && !take(in, ',')) status = RAC_EINVAL;
    is_first = false;
    if (status == RAC_OK && !list_grow(&all)) status = RAC_ENOMEM;
    if (status == RAC_OK)
      status = take_value(in, depth, &all.values[all.count]);
    if (status == RAC_OK) all.count++;
  }
  if (status == RAC_OK) {
    *out = rac_value_tuple(all.values, all.count);
    if (out->kind == RAC_NIL) status = rac_last_error_code();
  }
  for (size_t i = 0; i < all.count; i++) rac_value_release(all.values[i]);
  free(all.values);
  return status;
}

/* Objects inside of what is passed over are allowed. */
static rac_status take_object(input *in, int depth, const char *field,
                              rac_value *out);

static rac_status pass_over(input *in, int depth) {
  rac_value passed = {0};
  skip_space(in);
  rac_status status;
  if (depth < DEPTH && in->next < in->end && *in->next == '{') {
    in->next++;
    status = take_object(in, depth + 1, NULL, &passed);
  } else if (depth < DEPTH && in->next < in->end && *in->next == '[') {
    bool is_first = true;
    in->next++;
    status = RAC_OK;
    while (status == RAC_OK && !take(in, ']')) {
      if (!is_first && !take(in, ',')) status = RAC_EINVAL;
      is_first = false;
      if (status == RAC_OK) status = pass_over(in, depth + 1);
    }
  } else
    status = take_value(in, depth, &passed);
  rac_value_release(passed);
  return status;
}

/* Of several members with the name the last counts. */
static rac_status take_object(input *in, int depth, const char *field,
                              rac_value *out) {
  rac_status status = RAC_OK;
  bool is_first = true, is_found = false;
  while (status == RAC_OK && !take(in, '}')) {
    buffer name = {0};
    if (!is_first && !take(in, ',')) status = RAC_EINVAL;
    is_first = false;
    if (status == RAC_OK && !take(in, '"')) status = RAC_EINVAL;
    if (status == RAC_OK) status = take_characters(in, &name);
    if (status == RAC_OK && !take(in, ':')) status = RAC_EINVAL;
    bool is_it =
        field != NULL && name.length == strlen(field) &&
        (name.length == 0 || memcmp(name.bytes, field, name.length) == 0);
    buffer_free(&name);
    if (status != RAC_OK) break;
    if (!is_it) {
      status = pass_over(in, depth);
      continue;
    }
    rac_value_release(*out);
    is_found = true;
    status = take_value(in, depth, out);
  }
  return status == RAC_OK && field != NULL && !is_found ? RAC_EKIND : status;
}

static rac_status take_value(input *in, int depth, rac_value *out) {
  *out = (rac_value){0};
  skip_space(in);
  if (depth == DEPTH) return RAC_ERANGE;
  if (in->next == in->end) return RAC_EINVAL;
  switch (*in->next) {
  case '{':
    return RAC_EKIND;
  case '[':
    in->next++;
    return take_array(in, depth + 1, out);
  case '"':
    in->next++;
    return take_string(in, out);
  case 't':
    *out = rac_bool(true);
    return take_word(in, "true") ? RAC_OK : RAC_EINVAL;
  case 'f':
    *out = rac_bool(false);
    return take_word(in, "false") ? RAC_OK : RAC_EINVAL;
  case 'n':
    return take_word(in, "null") ? RAC_OK : RAC_EINVAL;
  default:
    return take_number(in, out);
  }
}

rac_status json_decode(const char *text, size_t length, const char *field,
                       rac_value *out) {
  input in = {text, text + length};
  *out = (rac_value){0};
  rac_status status;
  if (field == NULL)
    status = take_value(&in, 0, out);
  else
    status = take(&in, '{') ? take_object(&in, 1, field, out) : RAC_EKIND;
  skip_space(&in);
  if (status == RAC_OK && in.next < in.end) status = RAC_EINVAL;
  if (status == RAC_OK) return RAC_OK;
  rac_value_release(*out);
  *out = (rac_value){0};
  return status;
}
