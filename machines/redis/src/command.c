#include "command.h"

/* The digits of a number, at the end of `text`. printf takes longer for them
 * than all the rest of a command. */
static char *digits_of(uint64_t number, char text[20]) {
  char *first = text + 20;
  do *--first = (char)('0' + number % 10);
  while ((number /= 10) > 0);
  return first;
}

/* A sign, a number and the end of the line. */
static bool add_line(buffer *out, char sign, uint64_t number) {
  char text[20];
  const char *first = digits_of(number, text);
  size_t count = (size_t)(text + 20 - first);
  if (!buffer_reserve(out, count + 3)) return false;
  unsigned char *place = out->bytes + out->length;
  *place++ = (unsigned char)sign;
  memcpy(place, first, count);
  memcpy(place + count, "\r\n", 2);
  out->length += count + 3;
  return true;
}

bool command_begin(buffer *out, size_t words) {
  return add_line(out, '*', words);
}

bool command_add(buffer *out, const void *bytes, size_t length) {
  return add_line(out, '$', length) && buffer_add(out, bytes, length) &&
         buffer_add(out, "\r\n", 2);
}

bool command_add_text(buffer *out, const char *text) {
  return command_add(out, text, strlen(text));
}

bool command_add_number(buffer *out, uint64_t number) {
  char text[20];
  const char *first = digits_of(number, text);
  return command_add(out, first, (size_t)(text + 20 - first));
}
