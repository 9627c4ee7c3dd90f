/* The harness: takes the workloads in turn, several rounds of them, and prints
 * the median of each with its ratio to a plain C loop of the same rounds.
 *
 *     bench [--json] [--rounds N] [--quick] [NAME...]
 *
 * SPDX-License-Identifier: MIT
 */
#include "bench.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { MAX_WORKLOADS = 64, MAX_ROUNDS = 99 };

typedef struct entry {
  const workload *work;
  void *state;
  size_t n;
  double samples[MAX_ROUNDS];
  double median;
} entry;

static entry entries[MAX_WORKLOADS];
static size_t entry_count;

uint64_t bench_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

void *bench_handle(void *handle) {
  if (handle == NULL) {
    fprintf(stderr, "bench: %s: %s\n", rac_last_error_function(),
            rac_last_error_message());
    exit(1);
  }
  return handle;
}

void bench_status(rac_status status) {
  if (status < 0) bench_handle(NULL);
}

void bench_add(void *context, rac_value value) {
  *(int64_t *)context += value.bits;
}

rac_next_fn bench_opaque(rac_next_fn function) {
  rac_next_fn volatile hidden = function;
  return hidden;
}

void bench_listen(rac_signal *signal, int64_t *sum) {
  rac_release(bench_handle(rac_subscribe_next(signal, sum, bench_add, NULL)));
}

/* A process with one thread is a special case: libc skips its atomics there.
 * No program that uses signals lives in it, so one thread is parked. */
static void *park(void *unused) {
  (void)unused;
  for (;;) pause();
  return NULL;
}

static int wanted(const char *name, char **names, int count) {
  int i;
  for (i = 0; i < count; i++)
    if (strstr(name, names[i]) != NULL) return 1;
  return count == 0;
}

static void collect(const workload *list, char **names, int count, int all) {
  for (; list->name != NULL; list++) {
    if (!all && !wanted(list->name, names, count)) continue;
    if (entry_count == MAX_WORKLOADS) {
      fputs("bench: too many workloads\n", stderr);
      exit(1);
    }
    entries[entry_count++].work = list;
  }
}

/* Doubles n until a run takes long enough for the clock. */
static void calibrate(entry *e, uint64_t target) {
  e->n = 64;
  while (e->work->run(e->state, e->n) < target) {
    if (e->work->most != 0 && e->n * 2 > e->work->most) break;
    if (e->n >= (size_t)1 << 28) break;
    e->n *= 2;
  }
}

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static const entry *find(const char *name) {
  size_t i;
  for (i = 0; i < entry_count; i++)
    if (strcmp(entries[i].work->name, name) == 0) return &entries[i];
  fprintf(stderr, "bench: no floor called %s\n", name);
  exit(1);
}

static void print_table(double bytes) {
  size_t i;
  printf("%-42s %10s %10s %7s\n", "", "ns", "C loop ns", "ratio");
  for (i = 0; i < entry_count; i++) {
    const entry *e = &entries[i];
    printf("%-42s %10.1f", e->work->name, e->median);
    if (e->work->floor != NULL) {
      double under = find(e->work->floor)->median;
      printf(" %10.1f %7.1f", under, e->median / under);
    }
    putchar('\n');
  }
  printf("%-42s %10.0f bytes\n", "a live subscription, of 1,000,000", bytes);
}

static void print_json(double bytes, int rounds) {
  size_t i;
  printf("{\n  \"version\": \"%s\",\n  \"rounds\": %d,\n", rac_version_string(),
         rounds);
  printf("  \"bytes_a_subscription\": %.1f,\n  \"workloads\": [", bytes);
  for (i = 0; i < entry_count; i++) {
    const entry *e = &entries[i];
    printf("%s\n    {\"name\": \"%s\", \"ns\": %.3f", i == 0 ? "" : ",",
           e->work->name, e->median);
    if (e->work->floor != NULL)
      printf(", \"floor\": \"%s\", \"ratio\": %.3f", e->work->floor,
             e->median / find(e->work->floor)->median);
    putchar('}');
  }
  puts("\n  ]\n}");
}

int main(int argc, char **argv) {
  int json = 0, rounds = 9, round, first = 1;
  uint64_t target = 10000000;
  double bytes;
  size_t i;
  pthread_t thread;

  for (; first < argc && argv[first][0] == '-'; first++) {
    if (strcmp(argv[first], "--json") == 0) {
      json = 1;
    } else if (strcmp(argv[first], "--quick") == 0) {
      rounds = 3;
      target = 500000;
    } else if (strcmp(argv[first], "--rounds") == 0 && first + 1 < argc &&
               (rounds = atoi(argv[first + 1])) > 0 && rounds <= MAX_ROUNDS) {
      first++;
    } else {
      fputs("usage: bench [--json] [--rounds N] [--quick] [NAME...]\n", stderr);
      return 2;
    }
  }
  if (pthread_create(&thread, NULL, park, NULL) != 0) return 1;

  /* First, while the heap is small: it is read from the resident size. */
  bytes = bench_bytes_a_subscription();
  collect(floor_workloads, NULL, 0, 1);
  collect(hot_workloads, argv + first, argc - first, 0);
  collect(operator_workloads, argv + first, argc - first, 0);
  collect(cold_workloads, argv + first, argc - first, 0);
  for (i = 0; i < entry_count; i++) {
    entries[i].state = entries[i].work->open();
    calibrate(&entries[i], target);
  }
  for (round = 0; round < rounds; round++)
    for (i = 0; i < entry_count; i++) {
      entry *e = &entries[i];
      e->samples[round] = (double)e->work->run(e->state, e->n) / (double)e->n;
    }
  for (i = 0; i < entry_count; i++) {
    entry *e = &entries[i];
    qsort(e->samples, (size_t)rounds, sizeof e->samples[0], ascending);
    e->median = e->samples[rounds / 2];
  }
  if (json)
    print_json(bytes, rounds);
  else
    print_table(bytes);
  for (i = 0; i < entry_count; i++) entries[i].work->close(entries[i].state);
  return 0;
}
