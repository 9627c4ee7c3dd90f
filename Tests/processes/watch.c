/* A child from outside: that it ends, or stands still on one thread. */
#define _GNU_SOURCE
#include "processes.h"

#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>

double seconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static int64_t processor_time(pid_t pid) {
  clockid_t clock;
  struct timespec time;
  if (clock_getcpuclockid(pid, &clock) != 0 || clock_gettime(clock, &time) != 0)
    return -1;
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static int threads_of(pid_t pid) {
  char path[64], line[128];
  int count = -1;
  snprintf(path, sizeof path, "/proc/%d/status", (int)pid);
  FILE *file = fopen(path, "r");
  while (file != NULL && fgets(line, sizeof line, file) != NULL)
    if (sscanf(line, "Threads: %d", &count) == 1) break;
  if (file != NULL) fclose(file);
  return count;
}

/* Five looks in a row find that it has used no time since the one before. One that
 * works uses some in each, unless it does not get the processor. */
static bool stands_still(pid_t pid, double limit) {
  int64_t before = processor_time(pid);
  int quiet = 0;
  while (quiet < 5 && seconds() < limit) {
    poll(NULL, 0, 10);
    int64_t after = processor_time(pid);
    quiet = after == before ? quiet + 1 : 0;
    before = after;
  }
  return quiet == 5;
}

/* One that ends by itself did so rightly: with 0. */
static const char *watch(int index, double limit) {
  /* The parent may have ended just before it forked. */
  for (int i = 0; i < 1000 && round_of->child[index].pid == 0; i++)
    poll(NULL, 0, 1);
  pid_t pid = round_of->child[index].pid;
  if (pid == 0) return NULL;
  for (int status = 0; seconds() < limit; poll(NULL, 0, 1)) {
    if (waitpid(pid, &status, WNOHANG) == pid) {
      round_of->child[index].pid = 0;
      if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return NULL;
      return WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM
                 ? "a child hangs"
                 : "a child crashed";
    }
    if (!atomic_load(&round_of->child[index].rests)) continue;
    if (!stands_still(pid, limit)) return "a child burns the processor";
    if (round_of->child[index].is_over && threads_of(pid) > 1)
      return "a child starts threads";
    return NULL;
  }
  return "a child hangs";
}

static int counted(void) {
  int count = atomic_load(&round_of->children);
  return count < MOST_CHILDREN ? count : MOST_CHILDREN;
}

const char *watch_children(double patience) {
  const char *failure = NULL;
  double limit = seconds() + patience;
  /* One that forks again counts that before it ends. */
  for (int i = 0; i < counted() && failure == NULL; i++)
    failure = watch(i, limit);
  for (int i = 0; i < counted(); i++) {
    if (round_of->child[i].pid <= 0) continue;
    kill(round_of->child[i].pid, SIGKILL);
    waitpid(round_of->child[i].pid, NULL, 0);
  }
  return failure;
}
