/* The lines of a log, for the job: what a program writes about its requests.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef LOGS_H
#define LOGS_H

#include "worker.h"

#ifdef __cplusplus
extern "C" {
#endif

/* LOGS_LINES lines in portions that end where they like, again and again:
 *
 *     2026-11-28T12:00:07.123 service-05 INFO request 4711 took 42 ms
 *
 * One in four is of DEBUG. The values of one service, LOGS_WINDOW of them or
 * what is left at the end, are counted together. */
enum { LOGS_LINES = 4096, LOGS_PORTIONS = 17, LOGS_SERVICES = 16 };
enum { LOGS_WINDOW = 64 };

typedef struct logs_portion {
  const char *text;
  size_t size;
} logs_portion;

/* The first of LOGS_PORTIONS, which stay. */
const logs_portion *logs_portions(void);

/* Whether a line is not of DEBUG; and its service's name, `*size` bytes. */
int logs_is_wanted(const char *line, size_t length);
const char *logs_service(const char *line, size_t length, size_t *size);

/* How often all lines come, at least n of them. */
static inline size_t logs_rounds(size_t n) {
  return worker_round_up(n, LOGS_LINES) / LOGS_LINES;
}

#ifdef __cplusplus
}
#endif

#endif /* LOGS_H */
