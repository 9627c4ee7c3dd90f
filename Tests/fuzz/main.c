/* The fuzzer: see fuzz.h.
 *
 *     fuzz --seconds 3                     one thread, a new seed
 *     fuzz --threads 3 --calls 100000000   until so many calls were made
 *     fuzz --seed 7 --round 12 --rounds 1 --trace      one round again
 *     fuzz --seed 7 --round 12 --shrink    a smaller round that fails, too
 *     fuzz --without rac_set_trace,rac_set_log …
 *     fuzz --only rac_property_,rac_subscribe …   all that begin so
 *     fuzz --set batches         a narrow set, or `each` in turn: sets.c
 *     fuzz --threads 3 --close   each round closes the library: closing.c
 *
 * With one thread a round does the same each time; with several only what is
 * asked for is the same.
 */
#include <sys/personality.h>
#include <time.h>
#include <unistd.h>

#include "fuzz.h"

options fuzz = {.threads = 1, .per_round = 1500, .patience = 20};

static const struct {
  const char *name;
  bool *flag;
} flags[] = {
    {"--trace", &fuzz.trace},   {"--keep-going", &fuzz.keeps_going},
    {"--counts", &fuzz.counts}, {"--shrink", &fuzz.shrinks},
    {"--close", &fuzz.closes},
};
static const struct {
  const char *name;
  uint64_t *number;
} wide[] = {
    {"--seed", &fuzz.seed},
    {"--round", &fuzz.first_round},
    {"--rounds", &fuzz.rounds},
    {"--calls", &fuzz.calls},
};
static const struct {
  const char *name;
  int *number;
} narrow[] = {
    {"--threads", &fuzz.threads},
    {"--per-round", &fuzz.per_round},
    {"--patience", &fuzz.patience},
};

#define COUNT(array) (sizeof(array) / sizeof *(array))

static void usage(void) {
  fprintf(stderr,
          "usage: fuzz [--seed N] [--round N] [--rounds N] [--calls N] "
          "[--seconds N]\n  [--threads N] [--per-round N] [--patience N] "
          "[--without NAME,…] [--only PREFIX,…]\n  [--set NAME] [--skip FILE] "
          "[--trace] [--keep-going] [--counts] [--shrink] [--close]\n");
  exit(2);
}

static void read_skipped(const char *path) {
  FILE *file = fopen(path, "rb");
  if (file == NULL ||
      fread(fuzz.skipped, 1, sizeof fuzz.skipped, file) != sizeof fuzz.skipped)
    usage();
  fclose(file);
}

static bool read_flag(const char *argument) {
  for (size_t i = 0; i < COUNT(flags); i++)
    if (strcmp(argument, flags[i].name) == 0) return *flags[i].flag = true;
  return false;
}

static void read_option(const char *name, const char *text) {
  for (size_t i = 0; i < COUNT(wide); i++)
    if (strcmp(name, wide[i].name) == 0) {
      *wide[i].number = strtoull(text, NULL, 10);
      return;
    }
  for (size_t i = 0; i < COUNT(narrow); i++)
    if (strcmp(name, narrow[i].name) == 0) {
      *narrow[i].number = (int)strtol(text, NULL, 10);
      return;
    }
  if (strcmp(name, "--seconds") == 0) {
    fuzz.seconds = strtod(text, NULL);
  } else if (strcmp(name, "--without") == 0) {
    fuzz.without = text;
  } else if (strcmp(name, "--only") == 0) {
    fuzz.only = text;
  } else if (strcmp(name, "--set") == 0) {
    if (!fuzz_choose_set(text)) usage();
  } else if (strcmp(name, "--skip") == 0) {
    read_skipped(text);
  } else {
    usage();
  }
}

static void read_arguments(int argc, char **argv) {
  bool is_seeded = false;
  for (int i = 1; i < argc; i++) {
    if (read_flag(argv[i])) continue;
    if (i + 1 == argc) usage();
    is_seeded |= strcmp(argv[i], "--seed") == 0;
    read_option(argv[i], argv[i + 1]);
    i++;
  }
  if (fuzz.threads < 1 || fuzz.threads > MOST_THREADS ||
      fuzz.per_round > MOST_CALLS || fuzz.patience < 1)
    usage();
  struct timespec time;
  clock_gettime(CLOCK_REALTIME, &time);
  if (!is_seeded)
    fuzz.seed = fuzz_mix((uint64_t)time.tv_nsec, (uint64_t)time.tv_sec,
                         (uint64_t)getpid()) %
                1000000000;
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/* Once more, with the same addresses each time: what a table of hashes does
 * depends on them. */
static void fix_addresses(char **argv) {
  int now = personality(0xffffffff);
  if (now == -1 || (now & ADDR_NO_RANDOMIZE)) return;
  if (personality((unsigned long)now | ADDR_NO_RANDOMIZE) == -1) return;
  execv("/proc/self/exe", argv);
}

int main(int argc, char **argv) {
  read_arguments(argc, argv);
  if (fuzz.threads == 1) fix_addresses(argv);
  fuzz_turn_to_set(fuzz.first_round);
  if (fuzz.shrinks) return fuzz_shrink(argv[0]);
  fuzz_set_up_calls();
  /* Whoever forks has no other threads. */
  if (!fuzz.closes) fuzz_watch();
  double start = now();
  uint64_t round = fuzz.first_round;
  int failed = 0;
  for (;; round++) {
    if (fuzz.rounds && round - fuzz.first_round >= fuzz.rounds) break;
    if (fuzz.calls && fuzz_calls_made() >= fuzz.calls) break;
    if (fuzz.seconds > 0 && now() - start >= fuzz.seconds) break;
    if (!fuzz.rounds && !fuzz.calls && fuzz.seconds <= 0 && now() - start >= 3)
      break;
    fuzz_watch_round(round);
    fuzz_turn_to_set(round);
    bool is_good =
        fuzz.closes ? fuzz_play_in_child(round) : fuzz_play_round(round);
    if (!is_good) failed++;
    if (failed && !fuzz.keeps_going) break;
  }
  fuzz_watch_no_more();
  double seconds = now() - start;
  if (fuzz.counts) fuzz_print_counts();
  printf("fuzz: seed %llu, %d threads, rounds %llu to %llu: %llu calls in %.1f "
         "s, %.0f a second; %d rounds failed\n",
         (unsigned long long)fuzz.seed, fuzz.threads,
         (unsigned long long)fuzz.first_round, (unsigned long long)round,
         (unsigned long long)fuzz_calls_made(), seconds,
         (double)fuzz_calls_made() / seconds, failed);
  return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
