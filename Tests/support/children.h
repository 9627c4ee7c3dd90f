/* Forked children of a test. */
#ifndef RAC_CHILDREN_H
#define RAC_CHILDREN_H

#include <errno.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "rac.h"

/* Leaves the child as programs do; a leak checker would report there what
 * belongs to the parent's other threads. */
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define LEAVE _exit
#endif
#endif
#ifndef LEAVE
#define LEAVE exit
#endif

/* In the child every check that fails makes the exit status differ. */
#define CHILD(condition)                                                       \
  do {                                                                         \
    if (!(condition)) {                                                        \
      fprintf(stderr, "%s:%d: in the child: %s (%s)\n", __FILE__, __LINE__,    \
              #condition, rac_last_error_message());                           \
      _exit(1);                                                                \
    }                                                                          \
  } while (0)

static inline void child_mark(void *context) {
  atomic_store((atomic_bool *)context, true);
}

/* The library gets threads of both kinds: a forked child is then one in which
 * nothing works. */
static inline void start_library_threads(void) {
  rac_scheduler *background = rac_scheduler_background(0, NULL);
  atomic_bool passed = false;
  rac_disposable *d =
      rac_schedule_after(background, 0.001, &passed, child_mark, NULL);
  for (int i = 0; d != NULL && !atomic_load(&passed) && i < 20000; i++)
    poll(NULL, 0, 1);
  CHILD(atomic_load(&passed));
  rac_release(d);
  rac_release(background);
}

/* A child that hangs is a failure, not a wait. So long takes none that is slow. */
enum { CHILD_SECONDS = 120 };

/* How a child ended: its exit status, or minus the signal. */
static inline int await_child(pid_t pid) {
  int status = -1;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

/* Runs the body in a forked child and gives its exit status. */
static inline int in_child(void (*body)(void *), void *argument) {
  fflush(NULL);
  pid_t pid = fork();
  if (pid == 0) {
    alarm(CHILD_SECONDS);
    body(argument);
    LEAVE(0);
  }
  return await_child(pid);
}

#endif
