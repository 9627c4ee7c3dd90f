/* Reads one string field of a JSON object: json_string(). It walks the whole
 * object, so that a name inside a nested value or a string is not mistaken for
 * the field; it is not a validator of what it walks over.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef JSON_STRING_H
#define JSON_STRING_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static inline const char *json_blank(const char *at) {
  return at + strspn(at, " \t\r\n");
}

/* The four digits at `at`, or -1. */
static inline int32_t json_hex(const char *at) {
  int32_t value = 0;
  for (int i = 0; i < 4; i++) {
    const char *digits = "0123456789abcdef0123456789ABCDEF";
    const char *digit = at[i] != '\0' ? strchr(digits, at[i]) : NULL;
    if (digit == NULL) return -1;
    value = value * 16 + (int32_t)((digit - digits) % 16);
  }
  return value;
}

static inline char *json_utf8(char *out, int32_t point) {
  if (point < 0x80) {
    *out++ = (char)point;
  } else if (point < 0x800) {
    *out++ = (char)(0xC0 | point >> 6);
    *out++ = (char)(0x80 | (point & 0x3F));
  } else if (point < 0x10000) {
    *out++ = (char)(0xE0 | point >> 12);
    *out++ = (char)(0x80 | (point >> 6 & 0x3F));
    *out++ = (char)(0x80 | (point & 0x3F));
  } else {
    *out++ = (char)(0xF0 | point >> 18);
    *out++ = (char)(0x80 | (point >> 12 & 0x3F));
    *out++ = (char)(0x80 | (point >> 6 & 0x3F));
    *out++ = (char)(0x80 | (point & 0x3F));
  }
  return out;
}

/* Decodes the escape behind a backslash, a surrogate pair as one character.
 * NULL when it is none, or half a pair. */
static inline const char *json_escape(const char *at, char **out) {
  const char *names = "\"\\/bfnrt";
  const char *name = *at != '\0' ? strchr(names, *at) : NULL;
  if (name != NULL) {
    *(*out)++ = "\"\\/\b\f\n\r\t"[name - names];
    return at + 1;
  }
  int32_t point = *at == 'u' ? json_hex(at + 1) : -1;
  if (point < 0) return NULL;
  at += 5;
  if (point >= 0xD800 && point < 0xDC00) {
    int32_t low = at[0] == '\\' && at[1] == 'u' ? json_hex(at + 2) : -1;
    if (low < 0xDC00 || low > 0xDFFF) return NULL;
    point = 0x10000 + ((point - 0xD800) << 10) + (low - 0xDC00);
    at += 6;
  } else if (point >= 0xDC00 && point <= 0xDFFF) {
    return NULL;
  }
  *out = json_utf8(*out, point);
  return at;
}

/* Decodes the string that begins at the quote `at` into `out`, which never
 * needs more room than the text itself; returns what follows it, or NULL. */
static inline const char *json_decode(const char *at, char *out,
                                      size_t *length) {
  char *start = out;
  for (at++; *at != '"';) {
    if ((unsigned char)*at < 0x20)
      return NULL; /* the end, or a raw control character */
    if (*at != '\\') {
      *out++ = *at++;
      continue;
    }
    at = json_escape(at + 1, &out);
    if (at == NULL) return NULL;
  }
  *out = '\0';
  *length = (size_t)(out - start);
  return at + 1;
}

/* What follows the value at `at`: the next comma or closing bracket that is
 * neither inside a string nor inside a deeper bracket. */
static inline const char *json_skip(const char *at) {
  for (size_t depth = 0; *at != '\0'; at++) {
    if (*at == '"') {
      for (at++; *at != '"'; at++)
        if (*at == '\0' || (*at == '\\' && *++at == '\0')) return NULL;
    } else if (*at == '{' || *at == '[') {
      depth++;
    } else if (depth == 0 && strchr(",}]", *at) != NULL) {
      return at;
    } else if (*at == '}' || *at == ']') {
      depth--;
    }
  }
  return NULL;
}

/* The string field `name` of the object `json`, NUL-terminated and yours to
 * free; NULL when there is none, or it is not a string. */
static inline char *json_string(const char *json, const char *name,
                                size_t *length) {
  char *text = malloc(strlen(json) + 1);
  const char *at = json_blank(json);
  if (text == NULL || *at != '{') goto none;
  do {
    at = json_blank(at + 1); /* behind the brace or the comma */
    if (*at != '"' || (at = json_decode(at, text, length)) == NULL) goto none;
    bool found = strcmp(text, name) == 0 && strlen(text) == *length;
    at = json_blank(at);
    if (*at != ':') goto none;
    at = json_blank(at + 1);
    if (found) {
      if (*at == '"' && json_decode(at, text, length) != NULL) return text;
      goto none;
    }
    at = json_skip(at);
  } while (at != NULL && *at == ',');
none:
  free(text);
  return NULL;
}

#endif /* JSON_STRING_H */
