// Bytes, text, and the end of the process: the C library, for Embedded Swift,
// which has no overlay of it.
//
// SPDX-License-Identifier: MIT
#ifndef _XOPEN_SOURCE
#define _XOPEN_SOURCE 700
#endif
#include "CRACText.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Noreturn void rac_shim_fatal(const char *message) {
  fprintf(stderr, "librac: %s\n", message);
  abort();
}

const char *rac_shim_environment(const char *name) { return getenv(name); }

// ---- Bytes ------------------------------------------------------------------

void rac_shim_copy(void *to, const void *from, size_t size) {
  if (size > 0) memcpy(to, from, size);
}

void rac_shim_move(void *to, const void *from, size_t size) {
  memmove(to, from, size);
}

int rac_shim_compare(const void *a, const void *b, size_t size) {
  return size > 0 ? memcmp(a, b, size) : 0;
}

size_t rac_shim_length(const char *string) { return strlen(string); }

size_t rac_shim_find_newline(const void *bytes, size_t size) {
  const char *found = memchr(bytes, '\n', size);
  return found != NULL ? (size_t)(found - (const char *)bytes) : size;
}

size_t rac_shim_count_ascii(const void *bytes, size_t size) {
  enum { AT_ONCE = 64 };
  const unsigned char *text = bytes;
  size_t count = 0;
  while (size - count >= AT_ONCE) {
    unsigned char all = 0;
    for (int i = 0; i < AT_ONCE; i++) all |= text[count + (size_t)i];
    if (all >= 0x80) break;
    count += AT_ONCE;
  }
  while (count < size && text[count] < 0x80) count++;
  return count;
}

size_t rac_shim_find(const void *bytes, size_t size, const void *wanted,
                     size_t length) {
  const char *at = bytes, *end = at + size, *first = wanted;
  if (length == 1) {
    at = memchr(bytes, *first, size);
    return at != NULL ? (size_t)(at - (const char *)bytes) : size;
  }
  while ((size_t)(end - at) >= length &&
         (at = memchr(at, *first, (size_t)(end - at) - length + 1)) != NULL) {
    if (memcmp(at, wanted, length) == 0) return size - (size_t)(end - at);
    at++;
  }
  return size;
}

// ---- Text -------------------------------------------------------------------

static size_t printed(int length) { return length < 0 ? 0 : (size_t)length; }

size_t rac_shim_print_int(char *buffer, size_t capacity, int64_t value) {
  return printed(snprintf(buffer, capacity, "%" PRId64, value));
}

// The shortest form that reads back as the same number.
size_t rac_shim_print_double(char *buffer, size_t capacity, double value) {
  char text[40];
  for (int digits = 15; digits <= 17; digits++) {
    snprintf(text, sizeof text, "%.*g", digits, value);
    if (strtod(text, NULL) == value) break;
  }
  return printed(snprintf(buffer, capacity, "%s", text));
}

size_t rac_shim_print_pointer(char *buffer, size_t capacity,
                              const void *value) {
  return printed(snprintf(buffer, capacity, "0x%" PRIxPTR, (uintptr_t)value));
}

void rac_shim_write_error(const char *line) { fprintf(stderr, "%s\n", line); }

size_t rac_shim_print_system_error(char *buffer, size_t capacity,
                                   const char *operation, int error) {
  char text[80];
  if (strerror_r(error, text, sizeof text) != 0) {
    snprintf(text, sizeof text, "error %d", error);
  }
  return printed(snprintf(buffer, capacity, "%s%s%s",
                          operation ? operation : "", operation ? ": " : "",
                          text));
}
