/* What the workloads and the harness share. See README.md.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef BENCH_H
#define BENCH_H

#include <rac.h>
#include <stddef.h>
#include <stdint.h>

/* Something whose time is taken. `run` does the work n times and returns the
 * nanoseconds it took, without those it needed to prepare. */
typedef struct workload {
  const char *name;
  const char *floor; /* the C loop it is compared with; NULL: it is one */
  void *(*open)(void);
  uint64_t (*run)(void *state, size_t n);
  void (*close)(void *state);
  size_t most; /* never more than this n in one run; 0 for any */
} workload;

/* Each list ends with a workload without a name. */
extern const workload floor_workloads[];
extern const workload hot_workloads[];
extern const workload operator_workloads[];
extern const workload cold_workloads[];

/* Bytes of resident memory for each of a million subscriptions of a subject. */
double bench_bytes_a_subscription(void);

uint64_t bench_now(void);

/* Ends the program if the library answered with a failure: a benchmark of
 * errors is none. `handle` for what returns one, `status` for the rest. */
void *bench_handle(void *handle);
void bench_status(rac_status status);

/* The leaf of every chain: adds the value to the int64_t behind the context. */
void bench_add(void *context, rac_value value);
/* Hides from the compiler where a function pointer comes from. */
rac_next_fn bench_opaque(rac_next_fn function);

/* Subscribes bench_add to the signal and keeps no handle. */
void bench_listen(rac_signal *signal, int64_t *sum);

#endif /* BENCH_H */
