/* What the scenarios share: a clock, a print that shows it, and a subscriber
 * that prints what it hears.
 *
 * The clock is a virtual scheduler, so that a scenario is over at once and
 * prints exact times. Started with --real it is the main scheduler instead,
 * run in real time: the output is the same, only slower.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef STAGE_H
#define STAGE_H

#include <rac.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct {
  rac_scheduler *scheduler;
  bool real;
  double start;     /* of the scene, on the scheduler's clock */
  uint64_t objects; /* alive before the stage was opened */
} stage;

/* Says what failed and why, and gives up. */
static inline void stage_fail(const char *what) {
  const char *why = rac_last_error_message();
  fprintf(stderr, "%s: %s\n", what, why != NULL ? why : "unknown error");
  exit(1);
}

static inline void stage_open(int argc, char **argv) {
  stage.real = argc == 2 && strcmp(argv[1], "--real") == 0;
  if (argc > 1 && !stage.real) {
    fprintf(stderr, "usage: %s [--real]\n", argv[0]);
    exit(2);
  }
  setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
  stage.objects = rac_live_objects();
  stage.scheduler = stage.real ? rac_scheduler_main() : rac_scheduler_virtual();
  if (stage.scheduler == NULL) stage_fail("no scheduler");
  stage.start = rac_scheduler_now(stage.scheduler);
}

/* A new scene: its times count from zero again. */
static inline void stage_scene(const char *title) {
  printf("%s\n", title);
  stage.start = rac_scheduler_now(stage.scheduler);
}

/* Lets everything happen that is due until `seconds` after the start. */
static inline void stage_until(double seconds) {
  double deadline = stage.start + seconds;
  double wait = deadline - rac_scheduler_now(stage.scheduler);
  rac_status status = stage.real
                          ? rac_main_run_for(wait > 0 ? wait : 0)
                          : rac_virtual_advance_to(stage.scheduler, deadline);
  if (status < 0) stage_fail("the clock stopped");
}

static inline void stage_print(const char *format, ...) {
  va_list arguments;
  printf("[%.1f s] ", rac_scheduler_now(stage.scheduler) - stage.start);
  va_start(arguments, format);
  vprintf(format, arguments);
  va_end(arguments);
  putchar('\n');
}

static inline void stage_next(void *name, rac_value value) {
  char text[128];
  rac_value_describe(value, text, sizeof text);
  stage_print("%s: %s", (const char *)name, text);
}

static inline void stage_error(void *name, rac_value error) {
  stage_print("%s: error, %s", (const char *)name,
              rac_error_get_message(error));
}

static inline void stage_completed(void *name) {
  stage_print("%s: completed", (const char *)name);
}

/* An observer that prints every event after `name`, a string literal. */
static inline rac_observer stage_observer(char *name) {
  rac_observer observer = RAC_OBSERVER_INIT;
  observer.context = name;
  observer.next = stage_next;
  observer.error = stage_error;
  observer.completed = stage_completed;
  return observer;
}

/* Subscribes for good: releasing a subscription does not dispose it. */
static inline void stage_subscribe(rac_signal *signal, char *name) {
  rac_observer observer = stage_observer(name);
  rac_disposable *subscription = rac_subscribe(signal, &observer);
  if (subscription == NULL) stage_fail(name);
  rac_release(subscription);
}

/* The program's exit code: a failure when an object was forgotten. */
static inline int stage_close(void) {
  rac_release(stage.scheduler);
  if (rac_live_objects() == stage.objects) return 0;
  fprintf(stderr, "not everything was released\n");
  return 1;
}

#endif /* STAGE_H */
