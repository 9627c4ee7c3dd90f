/* The main program of a contestant.
 *
 *     PROGRAM --serve NAME             takes commands from the standard input
 *     PROGRAM --first-event NAME TIME  prints the nanoseconds from TIME on until
 *                                      one event had arrived
 *     PROGRAM --count NAME WORKLOAD ARGUMENT N...
 *                                      one run for each N, and nothing else
 *     PROGRAM --quick --json           a short run of everything
 *
 * The commands are "open WORKLOAD ARGUMENT", "run N" and "close"; each is
 * answered with a line of JSON, or with "-" when there is no such workload.
 *
 * SPDX-License-Identifier: MIT
 */
#include "worker.h"

#include "quick.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

static uint64_t read_clock(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

uint64_t worker_now(void) { return read_clock(CLOCK_MONOTONIC); }
uint64_t worker_cpu_time(void) { return read_clock(CLOCK_PROCESS_CPUTIME_ID); }

double worker_resident(void) {
  long size = 0, resident = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  if (file == NULL) return 0;
  if (fscanf(file, "%ld %ld", &size, &resident) != 2) resident = 0;
  fclose(file);
  return (double)resident * (double)sysconf(_SC_PAGESIZE);
}

double worker_switches(void) {
  struct rusage used;
  getrusage(RUSAGE_SELF, &used);
  return (double)(used.ru_nvcsw + used.ru_nivcsw);
}

void worker_fail(const char *what) {
  fprintf(stderr, "%s\n", what);
  exit(1);
}

void *worker_allocate(size_t size) {
  void *memory = calloc(1, size);
  if (memory == NULL) worker_fail("out of memory");
  return memory;
}

void worker_weigh(size_t n, void (*make)(size_t n), outcome *out) {
  double before;
  uint64_t start;
  make(1);
  before = worker_resident();
  start = worker_now();
  make(n);
  out->ns = worker_now() - start;
  out->bytes = (worker_resident() - before) / (double)n;
  out->n = n;
  out->sum = (int64_t)n;
}

static void add(void *context, int64_t value) { *(int64_t *)context += value; }
worker_leaf volatile worker_add = add;

__attribute__((noinline)) void
worker_measured(const workload *work, void *state, size_t n, outcome *out) {
  work->run(state, n, out);
}

/* A process with one thread is a special case: libc and libstdc++ skip their
 * atomics there. No program that uses signals lives in it. */
static void *park(void *unused) {
  (void)unused;
  for (;;) pause();
  return NULL;
}

const workload *worker_find(const contestant *who, const char *name) {
  const workload *const *group;
  const workload *work;
  for (group = who->groups; *group != NULL; group++)
    for (work = *group; work->name != NULL; work++)
      if (strcmp(work->name, name) == 0) return work;
  return NULL;
}

static const workload *find(const char *who, const char *name) {
  const contestant *c;
  for (c = contestants; c->name != NULL; c++)
    if (strcmp(c->name, who) == 0) return worker_find(c, name);
  return NULL;
}

static void print(const outcome *o) {
  printf("{\"n\": %zu, \"ns\": %" PRIu64 ", \"sum\": %" PRId64
         ", \"overlaps\": %" PRIu64 ", \"late_ns\": %" PRIu64
         ", \"late_median_ns\": %" PRIu64 ", \"late_p99_ns\": %" PRIu64
         ", \"cpu_ns\": %" PRIu64
         ", \"bytes\": %.3f, \"ratio\": %.3f, \"switches\": %.3f}\n",
         o->n, o->ns, o->sum, o->overlaps, o->late_ns, o->late_median_ns,
         o->late_p99_ns, o->cpu_ns, o->bytes, o->ratio, o->switches);
}

static int serve(const char *contestant_name) {
  const workload *work = NULL;
  void *state = NULL;
  char line[128], name[64];
  size_t number;

  while (fgets(line, sizeof line, stdin) != NULL) {
    if (sscanf(line, "open %63s %zu", name, &number) == 2) {
      work = find(contestant_name, name);
      if (work != NULL) state = work->open(number);
      puts(work == NULL ? "-" : "{}");
    } else if (work != NULL && sscanf(line, "run %zu", &number) == 1) {
      outcome out = {0};
      worker_measured(work, state, number, &out);
      print(&out);
    } else if (work != NULL && strncmp(line, "close", 5) == 0) {
      work->close(state);
      work = NULL;
      puts("{}");
    } else {
      fprintf(stderr, "not understood: %s", line);
      return 2;
    }
    fflush(stdout);
  }
  return 0;
}

static int first_event(const char *contestant_name, const char *since) {
  const workload *work = find(contestant_name, "send");
  outcome out = {0};
  void *state;
  if (work == NULL) return 2;
  state = work->open(1);
  work->run(state, 1, &out);
  printf("%" PRIu64 "\n", worker_now() - (uint64_t)strtoull(since, NULL, 10));
  return 0;
}

static int count(char **words, int how_many) {
  const workload *work = find(words[0], words[1]);
  void *state;
  int i;
  if (work == NULL) return 2;
  state = work->open(strtoull(words[2], NULL, 10));
  for (i = 3; i < how_many; i++) {
    outcome out = {0};
    worker_measured(work, state, strtoull(words[i], NULL, 10), &out);
    print(&out);
  }
  work->close(state);
  return 0;
}

int main(int argc, char **argv) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, park, NULL) != 0) return 1;
  if (argc == 3 && strcmp(argv[1], "--serve") == 0) return serve(argv[2]);
  if (argc == 4 && strcmp(argv[1], "--first-event") == 0)
    return first_event(argv[2], argv[3]);
  if (argc > 5 && strcmp(argv[1], "--count") == 0)
    return count(argv + 2, argc - 2);
  if (argc > 1 && strcmp(argv[1], "--quick") == 0) return worker_quick();
  fprintf(stderr, "usage: %s --quick --json | --serve NAME\n", argv[0]);
  return 2;
}
