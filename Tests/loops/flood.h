/* Sources under load in a host's loop: a child writes 100,000 numbered lines a second
 * into a pipe, its exit is waited for, and it raises a POSIX signal now and then.
 * Beside that the host has a child of its own, which it reaps by its own means.
 *
 * Checked: every line comes once and in order, the child's status is heard, each of
 * the signals, the host's child is the host's, timers of both go on, and
 * afterwards there is no object and no descriptor more than before.
 *
 * For a second; RAC_LOOP_SECONDS for another time.
 */
#ifndef FLOOD_H
#define FLOOD_H

#include "../support/children.h"

#include <dirent.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "ticks.h"

enum { FLOOD_RATE = 100000, FLOOD_TICK_MS = 10, FLOOD_CODE = 5 };

static struct {
  pid_t child;
  int64_t expected, heard, wrong, signals;
  ticks host, library;
  bool lines_over, child_over, host_child_over;
  int status;
  rac_disposable *all[4];
  uint64_t objects;
  int descriptors;
  double begin;
} flood;

static double flood_clock(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static int flood_descriptors(void) {
  DIR *folder = opendir("/proc/self/fd");
  int count = 0;
  if (folder == NULL) return 0;
  while (readdir(folder) != NULL) count++;
  closedir(folder);
  return count;
}

static double flood_seconds(void) {
  const char *seconds = getenv("RAC_LOOP_SECONDS");
  return seconds != NULL ? atof(seconds) : 1;
}

/* In the child: a hundredth of the lines each hundredth of a second. */
static void flood_write(int pipe, int64_t count) {
  FILE *out = fdopen(pipe, "w");
  double begin = flood_clock();
  for (int64_t i = 0; i < count; i++) {
    fprintf(out, "line %" PRId64 "\n", i);
    if (i % (FLOOD_RATE / 100) != 0) continue;
    fflush(out);
    double due = begin + (double)i / FLOOD_RATE - flood_clock();
    if (due > 0) {
      struct timespec pause = {(time_t)due, (long)((due - (int)due) * 1e9)};
      nanosleep(&pause, NULL);
    }
    if (i % (FLOOD_RATE / 10) == 0) kill(getppid(), SIGUSR1);
  }
  fclose(out);
  _exit(FLOOD_CODE);
}

static void flood_line(void *context, rac_value line) {
  const char *text = NULL;
  char expected[32];
  (void)context;
  snprintf(expected, sizeof expected, "line %" PRId64, flood.heard++);
  if (rac_value_get_string(line, &text, NULL) != RAC_OK ||
      strcmp(text, expected) != 0)
    flood.wrong++;
}
static void flood_lines_end(void *context) { *(bool *)context = true; }
static void flood_signal(void *context, rac_value number) {
  (void)context, (void)number;
  flood.signals++;
}
static void flood_child(void *context, rac_value status) {
  (void)context;
  flood.status = (int)status.bits;
  flood.child_over = true;
}
static void flood_timer(void *context) {
  (void)context;
  ticks_add(&flood.library);
}

static inline rac_disposable *flood_hear(rac_signal *signal, rac_next_fn next) {
  rac_disposable *subscription = rac_subscribe_next(signal, NULL, next, NULL);
  rac_release(signal);
  if (subscription == NULL) abort();
  return subscription;
}

/* Before the loop is made. */
static inline void flood_before(void) {
  if (rac_main_fd() < 0) abort();
  flood.objects = rac_live_objects();
  flood.descriptors = flood_descriptors();
}

static inline void flood_start(void) {
  int ends[2];
  if (pipe(ends) != 0) abort();
  flood.begin = flood_clock();
  ticks_begin(&flood.host, FLOOD_TICK_MS / 1e3);
  ticks_begin(&flood.library, FLOOD_TICK_MS / 1e3);
  flood.all[0] =
      flood_hear(rac_signal_posix_signal(SIGUSR1, NULL), flood_signal);
  flood.expected = (int64_t)(flood_seconds() * FLOOD_RATE);
  fflush(NULL);
  flood.child = fork();
  if (flood.child == 0) {
    close(ends[0]);
    flood_write(ends[1], flood.expected);
  }
  close(ends[1]);
  rac_observer observer = RAC_OBSERVER_INIT;
  observer.next = flood_line;
  observer.destroy = flood_lines_end;
  observer.context = &flood.lines_over;
  rac_signal *lines = rac_signal_lines(ends[0], RAC_DESCRIPTOR_OWNED, 0, NULL);
  flood.all[1] = rac_subscribe(lines, &observer);
  rac_release(lines);
  flood.all[2] =
      flood_hear(rac_signal_child_exit(flood.child, NULL), flood_child);
  rac_scheduler *here = rac_scheduler_main();
  flood.all[3] =
      rac_schedule_repeating(here, FLOOD_TICK_MS / 1e3, FLOOD_TICK_MS / 1e3, 0,
                             NULL, flood_timer, NULL);
  rac_release(here);
}

static inline bool flood_is_over(void) {
  return (flood.lines_over && flood.child_over && flood.host_child_over) ||
         flood_clock() > flood.begin + flood_seconds() + 30;
}

static inline int flood_check(bool holds, const char *what) {
  if (!holds) fprintf(stderr, "FAILED: %s\n", what);
  return holds ? 0 : 1;
}

/* After the loop has gone: the exit code of the program. */
static inline int flood_end(const char *loop) {
  double seconds = flood_clock() - flood.begin;
  bool is_host_on_time = ticks_kept_up(&flood.host);
  bool is_library_on_time = ticks_kept_up(&flood.library);
  for (int i = 0; i < 4; i++) {
    rac_dispose(flood.all[i]);
    rac_release(flood.all[i]);
  }
  while (rac_main_drain(0) > 0) {
  }
  printf("%s: %" PRId64 " lines in %.2f s, %" PRId64
         " signals, ticks: host %" PRId64 ", library %" PRId64 "\n",
         loop, flood.heard, seconds, flood.signals, flood.host.count,
         flood.library.count);
  return flood_check(flood.heard == flood.expected && flood.wrong == 0,
                     "every line once, in order") |
         flood_check(flood.child_over && WIFEXITED(flood.status) &&
                         WEXITSTATUS(flood.status) == FLOOD_CODE,
                     "the child's status") |
         flood_check(flood.host_child_over, "the host's child is the host's") |
         flood_check(flood.signals >= 1 && flood.signals <= flood.expected,
                     "the signals") |
         flood_check(is_host_on_time, "the host's timer") |
         flood_check(is_library_on_time, "the library's timer") |
         flood_check(rac_live_objects() == flood.objects, "no object is left") |
         flood_check(flood_descriptors() == flood.descriptors,
                     "no descriptor is left");
}

#endif /* FLOOD_H */
