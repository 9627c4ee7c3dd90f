/* What every contestant of the race shares: a contestant is a program that
 * runs workloads when told. See README.md.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef WORKER_H
#define WORKER_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What one run did. A run fills in what applies to it. */
typedef struct outcome {
  size_t n;          /* events, at least as many as were asked for */
  uint64_t ns;       /* what they took, preparation left out */
  int64_t sum;       /* what the callbacks added up: the proof of the work */
  uint64_t overlaps; /* callbacks that began while another was running */
  uint64_t late_ns;  /* how late the latest timer was, half of them, 99 % */
  uint64_t late_median_ns, late_p99_ns;
  uint64_t cpu_ns; /* processor time of the process */
  double bytes;    /* resident memory, each */
  double ratio;    /* of resident memory to what it was */
  double switches; /* of the processor to another thread, an event */
} outcome;

/* One kind of work. `argument` says how much of it there is: subscribers,
 * stages, capacity. `run` starts from the same state each time. */
typedef struct workload {
  const char *name;
  void *(*open)(size_t argument);
  void (*run)(void *state, size_t n, outcome *out);
  void (*close)(void *state);
} workload;

/* A group of workloads, and a list of contestants, end with one without a name;
 * a list of groups ends with NULL. Each program defines `contestants`. */
typedef struct contestant {
  const char *name;
  const workload *const *groups;
} contestant;
extern const contestant contestants[];

/* NULL when the contestant cannot do it. */
const workload *worker_find(const contestant *who, const char *name);

/* Runs a workload: the function whose instructions are counted. */
void worker_measured(const workload *work, void *state, size_t n, outcome *out);

/* ---- For workloads ------------------------------------------------------ */

uint64_t worker_now(void);          /* nanoseconds, monotonic */
uint64_t worker_cpu_time(void);     /* nanoseconds of the whole process */
double worker_resident(void);       /* bytes */
double worker_switches(void);       /* of the whole process's threads, so far */
void *worker_allocate(size_t size); /* zeroed, or the program ends */
void worker_fail(const char *what);
/* Has n things made, which stay, and finds what each weighs. */
void worker_weigh(size_t n, void (*make)(size_t n), outcome *out);

/* The value of event i. The same in every contestant, and small, so that no sum
 * overflows. */
static inline int64_t worker_value(size_t i) { return (int64_t)(i & 1023); }

/* n rounded up to a multiple of step. */
static inline size_t worker_round_up(size_t n, size_t step) {
  return step < 2 ? n : (n + step - 1) / step * step;
}

/* The string of the string workloads. */
#define WORKER_TEXT "a string of 32 bytes, no less..."

/* The leaf of everything: adds to what is behind the context. Called through a
 * pointer that the compiler knows nothing about. */
typedef void (*worker_leaf)(void *context, int64_t value);
extern worker_leaf volatile worker_add;

#ifdef __cplusplus
}
#endif

#endif /* WORKER_H */
