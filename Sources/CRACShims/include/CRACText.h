// Bytes, text, and the end of the process; see text.c.
//
// SPDX-License-Identifier: MIT
#ifndef CRAC_TEXT_H
#define CRAC_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

_Noreturn void rac_shim_fatal(const char *message);
const char *rac_shim_environment(const char *name);

void rac_shim_copy(void *to, const void *from, size_t size);
void rac_shim_move(void *to, const void *from, size_t size);
// The same without a call where it is 16 to 32 bytes, as many texts are.
static inline void rac_shim_copy_text(void *to, const void *from, size_t size) {
  enum { HALF = 16 };
  if (size - HALF > HALF) {
    rac_shim_copy(to, from, size);
    return;
  }
  char first[HALF], last[HALF];
  memcpy(first, from, HALF);
  memcpy(last, (const char *)from + size - HALF, HALF);
  memcpy(to, first, HALF);
  memcpy((char *)to + size - HALF, last, HALF);
}
int rac_shim_compare(const void *a, const void *b, size_t size);
size_t rac_shim_length(const char *string);
// How far the next newline is, or `size`.
size_t rac_shim_find_newline(const void *bytes, size_t size);
// How many bytes come before the first that is not ASCII.
size_t rac_shim_count_ascii(const void *bytes, size_t size);
// Like rac_shim_find_newline() of some bytes, at least one.
size_t rac_shim_find(const void *bytes, size_t size, const void *wanted,
                     size_t length);

// Of a number that an int64_t can hold, the digits before the point.
static inline int64_t rac_shim_whole(double number) { return (int64_t)number; }

size_t rac_shim_print_int(char *buffer, size_t capacity, int64_t value);
size_t rac_shim_print_double(char *buffer, size_t capacity, double value);
size_t rac_shim_print_pointer(char *buffer, size_t capacity, const void *value);
size_t rac_shim_print_system_error(char *buffer, size_t capacity,
                                   const char *operation, int error);
void rac_shim_write_error(const char *line);

#endif
