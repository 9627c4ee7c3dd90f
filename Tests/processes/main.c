/* Plays rounds. This process never calls the library, so each round begins as a
 * program does. */
#define _GNU_SOURCE
#include "processes.h"

#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/wait.h>
#include <unistd.h>

plan now;
shared *round_of;
static double patience = 50;

uint64_t below(uint64_t *state, uint64_t limit) {
  uint64_t z = *state += UINT64_C(0x9E3779B97F4A7C15);
  z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
  z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
  return (z ^ z >> 31) % limit;
}

plan plan_round(uint64_t seed, uint64_t number) {
  uint64_t random = seed * UINT64_C(1000003) + number;
  plan p = {.threads = (int)below(&random, MOST_THREADS)};
  p.background = below(&random, 2) == 0;
  p.steps = 4 + (int)below(&random, 40);
  p.fork_at = (int)below(&random, (uint64_t)(p.steps * (p.threads + 1)));
  p.ending = (enum ending)below(&random, ENDINGS);
  p.generations = 1 + (int)below(&random, 4);
  p.exits_in_callback = below(&random, 4) == 0;
  p.lends = below(&random, 2) == 0;
  p.outside = below(&random, 2) == 0;
  p.seed = random;
  return p;
}

void fail(const char *file, int line, const char *what) {
  if (!atomic_exchange(&round_of->has_failed, true)) {
    const char *name = strrchr(file, '/');
    snprintf(round_of->failure, sizeof round_of->failure, "%s:%d: %s (%s)",
             name ? name + 1 : file, line, what, rac_last_error_message());
  }
  _exit(1);
}

static const char *await_round(pid_t pid) {
  int status = 0;
  double limit = seconds() + patience;
  while (waitpid(pid, &status, WNOHANG) == 0) {
    if (seconds() > limit) {
      kill(pid, SIGKILL);
      waitpid(pid, NULL, 0);
      return "the round hangs";
    }
    poll(NULL, 0, 1);
  }
  if (!WIFEXITED(status)) return "the round crashed";
  if (WEXITSTATUS(status) != 0) return "the round failed";
  if (now.exits_in_callback && atomic_load(&round_of->written) != AT_EXIT)
    return "exit() in a callback lost what waited";
  return NULL;
}

static const char *play(uint64_t seed, uint64_t number) {
  memset(round_of, 0, sizeof *round_of);
  now = plan_round(seed, number);
  fflush(NULL);
  pid_t pid = fork();
  if (pid == 0) {
    play_round();
    exit(0);
  }
  const char *failure = await_round(pid);
  const char *childs = watch_children(patience);
  if (atomic_load(&round_of->has_failed)) return round_of->failure;
  return failure ? failure : childs;
}

static void describe(uint64_t seed, uint64_t number, const char *failure) {
  static const char *const endings[] = {"returns", "calls _exit()",
                                        "calls exit()", "begins anew"};
  fprintf(
      stderr,
      "processes: seed %llu round %llu: %s\n"
      "  %d more threads, %s, %s%s, %d steps; forked at %d; the child %s%s\n"
      "  again: --seed %llu --round %llu\n",
      (unsigned long long)seed, (unsigned long long)number, failure,
      now.threads, now.background ? "background" : "no background",
      now.lends ? "lent" : "owned", now.outside ? ", outside" : "", now.steps,
      now.fork_at, endings[now.ending],
      now.exits_in_callback ? "; the parent exits in a callback" : "",
      (unsigned long long)seed, (unsigned long long)number);
}

int main(int argc, char **argv) {
  uint64_t seed = 0, from = 0, rounds = UINT64_MAX, failures = 0, played = 0;
  double last = 5;
  bool keeps_going = false;
  if (getrandom(&seed, 4, 0) < 0) return 2;
  for (int i = 1; i < argc; i++) {
    const char *name = argv[i], *text = i + 1 < argc ? argv[i + 1] : "";
    if (strcmp(name, "--keep-going") == 0) {
      keeps_going = true;
      continue;
    }
    if (strcmp(name, "--seed") == 0) {
      seed = strtoull(text, NULL, 10);
    } else if (strcmp(name, "--round") == 0) {
      from = strtoull(text, NULL, 10);
      rounds = 1;
    } else if (strcmp(name, "--rounds") == 0) {
      rounds = strtoull(text, NULL, 10);
    } else if (strcmp(name, "--seconds") == 0) {
      last = strtod(text, NULL);
    } else if (strcmp(name, "--patience") == 0) {
      patience = strtod(text, NULL);
    } else {
      fputs("usage: fuzz_processes [--seed N] [--round N] [--rounds N] "
            "[--seconds N]\n  [--patience N] [--keep-going]\n",
            stderr);
      return 2;
    }
    i++;
  }
  round_of = mmap(NULL, sizeof *round_of, PROT_READ | PROT_WRITE,
                  MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  /* Children whose parent has ended are this one's to look after. */
  if (round_of == MAP_FAILED || prctl(PR_SET_CHILD_SUBREAPER, 1) != 0) return 2;
  double limit = seconds() + last;
  for (uint64_t i = from; played < rounds; i++, played++) {
    if (rounds == UINT64_MAX && seconds() > limit) break;
    const char *failure = play(seed, i);
    if (failure == NULL) continue;
    failures++;
    describe(seed, i, failure);
    if (!keeps_going) break;
  }
  printf("processes: seed %llu, %llu rounds, %llu failed\n",
         (unsigned long long)seed, (unsigned long long)played,
         (unsigned long long)failures);
  return failures == 0 ? 0 : 1;
}
