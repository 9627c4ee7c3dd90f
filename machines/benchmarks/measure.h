/* The clocks of the programs that measure, and their end where they cannot. */
#ifndef RAC_MACHINES_MEASURE_H
#define RAC_MACHINES_MEASURE_H

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

static inline void fail(const char *what) {
  fprintf(stderr, "%s\n", what);
  exit(1);
}

static inline double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static inline double cpu(void) {
  struct rusage all;
  getrusage(RUSAGE_SELF, &all);
  return (double)(all.ru_utime.tv_sec + all.ru_stime.tv_sec) +
         (double)(all.ru_utime.tv_usec + all.ru_stime.tv_usec) * 1e-6;
}

#endif
