/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "placing.h"

#include <dirent.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

static cpu_set_t usable; /* what the process could use at first */

static void remember_usable(void) {
  if (CPU_COUNT(&usable) != 0) return;
  if (sched_getaffinity(0, sizeof usable, &usable) != 0)
    worker_fail("no processors");
}

/* The one with that number among the usable ones, or the first. */
static cpu_set_t single(int number) {
  cpu_set_t set;
  int processor, first = -1, chosen = -1;
  for (processor = 0; processor < CPU_SETSIZE; processor++) {
    if (!CPU_ISSET(processor, &usable)) continue;
    if (first < 0) first = processor;
    if (number-- == 0) chosen = processor;
  }
  CPU_ZERO(&set);
  CPU_SET(chosen < 0 ? first : chosen, &set);
  return set;
}

static void place(const cpu_set_t *mine, const cpu_set_t *others) {
  DIR *threads = opendir("/proc/self/task");
  const struct dirent *entry;
  pid_t me = (pid_t)syscall(SYS_gettid);
  if (threads == NULL) worker_fail("no list of threads");
  while ((entry = readdir(threads)) != NULL) {
    pid_t thread = (pid_t)atoi(entry->d_name);
    /* One that has just ended needs no place. */
    if (thread > 0)
      (void)sched_setaffinity(thread, sizeof *mine,
                              thread == me ? mine : others);
  }
  closedir(threads);
}

void placing_on(size_t processors) {
  cpu_set_t first, other;
  remember_usable();
  first = single(0);
  other = single(processors == 2 ? 1 : 0);
  place(&first, &other);
}

void placing_anywhere(void) {
  remember_usable();
  place(&usable, &usable);
}
