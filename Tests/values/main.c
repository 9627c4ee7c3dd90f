/* The fuzzer of values: see values.h.
 *
 *     fuzz_values --seconds 5                  a new seed
 *     fuzz_values --seed 7 --round 12          one round again, and those behind it
 *     fuzz_values --seed 7 --round 12 --repeat 1000      that round, so often
 *     fuzz_values --threads 3 --keep-going …   always three that send
 *
 * What is made and sent is the same each time; when, is the system's. */
#include "values.h"

#include <unistd.h>

typedef struct options {
  uint64_t seed, round, rounds, repeat;
  double seconds;
  int threads, patience;
  bool is_seeded, keeps_going;
} options;

static void usage(void) {
  fprintf(stderr, "usage: fuzz_values [--seed N] [--round N] [--rounds N] "
                  "[--repeat N]\n  [--seconds N] [--threads 1-3] "
                  "[--patience SECONDS] [--keep-going]\n");
  exit(2);
}

static options read_arguments(int count, char **arguments) {
  options all = {.seconds = 3, .patience = 20};
  for (int i = 1; i < count; i++) {
    const char *name = arguments[i];
    if (strcmp(name, "--keep-going") == 0) {
      all.keeps_going = true;
      continue;
    }
    if (++i == count) usage();
    unsigned long long number = strtoull(arguments[i], NULL, 10);
    if (strcmp(name, "--seed") == 0)
      all.seed = number, all.is_seeded = true;
    else if (strcmp(name, "--round") == 0)
      all.round = number;
    else if (strcmp(name, "--rounds") == 0)
      all.rounds = number;
    else if (strcmp(name, "--repeat") == 0)
      all.repeat = number;
    else if (strcmp(name, "--seconds") == 0)
      all.seconds = strtod(arguments[i], NULL);
    else if (strcmp(name, "--threads") == 0)
      all.threads = (int)number;
    else if (strcmp(name, "--patience") == 0)
      all.patience = (int)number;
    else
      usage();
  }
  if (all.threads < 0 || all.threads > MOST_THREADS || all.patience < 1)
    usage();
  if (!all.is_seeded)
    all.seed = (uint64_t)(now() ^ (int64_t)getpid() << 32) % 1000000000;
  return all;
}

int main(int count, char **arguments) {
  options all = read_arguments(count, arguments);
  watch_hangs(all.patience);
  int64_t start = now();
  uint64_t played = 0;
  int failed = 0;
  while (failed == 0 || all.keeps_going) {
    double seconds = (double)(now() - start) / 1e9;
    uint64_t most = all.repeat ? all.repeat : all.rounds;
    if (most ? played == most : seconds >= all.seconds) break;
    watch_round();
    uint64_t round = all.round + (all.repeat ? 0 : played);
    if (!play_round(all.seed, round, all.threads)) {
      failed++;
      fprintf(stderr,
              "again: %s --seed %llu --round %llu --threads %d "
              "--repeat 1000\n",
              arguments[0], (unsigned long long)all.seed,
              (unsigned long long)round, all.threads);
    }
    played++;
  }
  for (int i = 0; i < MOST_SINKS; i++) free(the.sinks[i].heard);
  printf("values: seed %llu, %llu rounds: %llu values sent, %llu heard in %.1f "
         "s; %d rounds failed\n",
         (unsigned long long)all.seed, (unsigned long long)played,
         (unsigned long long)values_sent, (unsigned long long)values_heard,
         (double)(now() - start) / 1e9, failed);
  return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
