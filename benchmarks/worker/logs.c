/* SPDX-License-Identifier: MIT */
#include "logs.h"

#include <stdio.h>
#include <string.h>

enum { LONGEST = 96 };

const logs_portion *logs_portions(void) {
  static const char *const levels[] = {"DEBUG", "INFO", "WARN", "INFO"};
  static char text[LOGS_LINES * LONGEST];
  static logs_portion portions[LOGS_PORTIONS];
  size_t size = 0, each, i;
  if (portions[0].text != NULL) return portions;
  for (i = 0; i < LOGS_LINES; i++) {
    int length =
        snprintf(text + size, LONGEST,
                 "2026-11-28T12:%02d:%02d.%03d service-%02d %s request "
                 "%d took %d ms\n",
                 (int)(i / 600 % 60), (int)(i / 10 % 60), (int)(i * 97 % 1000),
                 (int)(i / 4 % LOGS_SERVICES), levels[i % 4],
                 (int)(i * 7919 % 10000), (int)(i * 31 % 200));
    size += (size_t)length;
  }
  each = size / LOGS_PORTIONS;
  for (i = 0; i < LOGS_PORTIONS; i++) {
    portions[i].text = text + i * each;
    portions[i].size = i + 1 < LOGS_PORTIONS ? each : size - i * each;
  }
  return portions;
}

/* The word behind the nth blank. */
static const char *word(const char *line, size_t length, int n, size_t *size) {
  const char *end = line + length, *behind;
  for (; n > 0; n--) {
    const char *blank = memchr(line, ' ', (size_t)(end - line));
    if (blank == NULL) return *size = 0, end;
    line = blank + 1;
  }
  behind = memchr(line, ' ', (size_t)(end - line));
  *size = (size_t)((behind != NULL ? behind : end) - line);
  return line;
}

int logs_is_wanted(const char *line, size_t length) {
  size_t size;
  const char *level = word(line, length, 2, &size);
  return size != 5 || memcmp(level, "DEBUG", 5) != 0;
}

const char *logs_service(const char *line, size_t length, size_t *size) {
  return word(line, length, 1, size);
}
