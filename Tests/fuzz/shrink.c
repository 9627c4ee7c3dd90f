/* A smaller round that fails, too: calls are left out, half of them, a quarter,
 * and so on, as long as a process that plays the rest fails. Of several threads
 * a round is tried several times, because it fails only now and then.
 */
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fuzz.h"

static char path[64];

static void write_skipped(const uint8_t *skipped) {
  FILE *file = fopen(path, "wb");
  if (file == NULL ||
      fwrite(skipped, 1, MOST_CALLS / 8, file) != MOST_CALLS / 8)
    abort();
  fclose(file);
}

/* Whether a process that leaves those calls out fails. */
static bool fails(const char *program, const uint8_t *skipped, bool traces) {
  extern char **environ;
  char seed[32], round[32], threads[16], per_round[16], patience[16];
  write_skipped(skipped);
  snprintf(seed, sizeof seed, "%llu", (unsigned long long)fuzz.seed);
  snprintf(round, sizeof round, "%llu", (unsigned long long)fuzz.first_round);
  snprintf(threads, sizeof threads, "%d", fuzz.threads);
  snprintf(per_round, sizeof per_round, "%d", fuzz.per_round);
  snprintf(patience, sizeof patience, "%d", fuzz.patience);
  const char *arguments[32] = {program,
                               "--seed",
                               seed,
                               "--round",
                               round,
                               "--rounds",
                               "1",
                               "--threads",
                               threads,
                               "--per-round",
                               per_round,
                               "--patience",
                               patience,
                               "--skip",
                               path,
                               "--without",
                               fuzz.without ? fuzz.without : "",
                               "--only",
                               fuzz.only ? fuzz.only : "rac_"};
  int count = 19;
  if (fuzz.closes) arguments[count++] = "--close";
  if (traces) arguments[count] = "--trace";
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  if (!traces) {
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", 1,
                                     0);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", 1,
                                     0);
  }
  pid_t child;
  int status = 0;
  if (posix_spawnp(&child, program, &actions, NULL, (char **)arguments,
                   environ) != 0)
    abort();
  posix_spawn_file_actions_destroy(&actions);
  waitpid(child, &status, 0);
  return !WIFEXITED(status) || WEXITSTATUS(status) != 0;
}

static bool fails_at_last(const char *program, const uint8_t *skipped) {
  uint64_t tries = fuzz.rounds ? fuzz.rounds : fuzz.threads > 1 ? 50 : 1;
  for (uint64_t i = 0; i < tries; i++)
    if (fails(program, skipped, false)) return true;
  return false;
}

int fuzz_shrink(const char *program) {
  snprintf(path, sizeof path, "/tmp/rac-fuzz-%d", (int)getpid());
  if (!fails_at_last(program, fuzz.skipped)) {
    printf("fuzz: the round does not fail\n");
    return EXIT_FAILURE;
  }
  int calls[MOST_CALLS], count = 0;
  for (int i = 0; i < fuzz.per_round; i++)
    if (!(fuzz.skipped[i / 8] >> (i % 8) & 1)) calls[count++] = i;
  for (int chunk = count / 2; chunk > 0;) {
    bool has_shrunk = false;
    for (int start = 0; start < count;) {
      uint8_t tried[MOST_CALLS / 8];
      memcpy(tried, fuzz.skipped, sizeof tried);
      int end = start + chunk < count ? start + chunk : count;
      for (int i = start; i < end; i++)
        tried[calls[i] / 8] |= (uint8_t)(1u << (calls[i] % 8));
      if (fails_at_last(program, tried)) {
        memcpy(fuzz.skipped, tried, sizeof tried);
        memmove(calls + start, calls + end,
                (size_t)(count - end) * sizeof *calls);
        count -= end - start;
        has_shrunk = true;
      } else {
        start = end;
      }
    }
    fprintf(stderr, "fuzz: %d calls, by %d\n", count, chunk);
    if (chunk > 1 || !has_shrunk) chunk /= 2;
  }
  printf("fuzz: it fails with %d calls:", count);
  for (int i = 0; i < count; i++) printf(" %d", calls[i]);
  printf("\n");
  fflush(stdout);
  while (!fails(program, fuzz.skipped, true)) continue;
  printf("fuzz: again with --skip %s\n", path);
  return EXIT_SUCCESS;
}
