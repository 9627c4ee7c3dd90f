/* The usual set-up of a test of signals: four subjects, an operator on some of
 * them, and a recorder of its events; on virtual time, if wanted.
 *
 *     STAGE(t);
 *     stage_hear(&t, rac_signal_merge_with(as_signal(t.a), as_signal(t.b)));
 *     play(t.a, "1 |");
 *     CHECK_EVENTS(&t.heard, "1");
 */
#ifndef RAC_STAGE_H
#define RAC_STAGE_H

#include "marbles.h"
#include "operators.h"

typedef struct stage {
  rac_subject *a, *b, *c, *d;
  rac_scheduler *v; /* NULL when time does not matter */
  rac_signal *result;
  recorder heard;
} stage;

static inline void stage_open(stage *self) {
  memset(self, 0, sizeof *self);
  self->a = rac_subject_create();
  self->b = rac_subject_create();
  self->c = rac_subject_create();
  self->d = rac_subject_create();
}

/* On virtual time: the recorder writes each event with its time. */
static inline void stage_open_timed(stage *self) {
  stage_open(self);
  self->v = rac_scheduler_virtual();
  self->heard.clock = self->v;
}

/* Subscribes, and takes over the signal's reference. Set the recorder up
 * before. */
static inline void stage_hear(stage *self, rac_signal *result) {
  self->result = result;
  record(result, &self->heard);
}

/* A subject plays the timed script. The letters a, b and c in it stand for
 * those subjects, sent as values. */
static inline void stage_play(stage *self, rac_subject *subject,
                              const char *script) {
  rac_subject *const signals[] = {self->a, self->b, self->c};
  play_marbles_with(self->v, subject, script, signals);
}

enum { STAGE_END = 100 }; /* seconds: later than all that is timed */

/* Disposes, unless it has ended; then nobody may listen to the subjects. */
static inline void stage_close(stage *self) {
  rac_subject *const all[] = {self->a, self->b, self->c, self->d};
  if (self->v) rac_virtual_advance_to(self->v, STAGE_END);
  if (atomic_load(&self->heard.ends) == 0) {
    finish(&self->heard);
  } else {
    await_end(&self->heard);
  }
  rac_release(self->result);
  for (int i = 0; i < 4; i++) {
    CHECK_INT(rac_subject_subscriber_count(all[i]), 0);
    rac_release(all[i]);
  }
  rac_release(self->v);
}

/* Declares one that is closed at the end of the block; the macros open it, too. */
#define closed_stage __attribute__((cleanup(stage_close))) stage
#define STAGE(name)                                                            \
  closed_stage name;                                                           \
  stage_open(&(name))
#define TIMED_STAGE(name)                                                      \
  closed_stage name;                                                           \
  stage_open_timed(&(name))

/* Marbles: compares the operator's events with the last script, while a, and
 * then b, c and d, play the others. In the operator's call a, b, c and d are
 * signals, and v is the scheduler:
 *
 *     CHECK_MARBLES(rac_signal_merge_with(a, b), "-1-3-|",
 *                                                "--2|",
 *                                                "-123-|");
 */
#define CHECK_MARBLES(operator, ...)                                           \
  do {                                                                         \
    stage marbles;                                                             \
    stage_open_timed(&marbles);                                                \
    rac_signal *a = as_signal(marbles.a), *b = as_signal(marbles.b);           \
    rac_signal *c = as_signal(marbles.c), *d = as_signal(marbles.d);           \
    rac_scheduler *v = marbles.v;                                              \
    (void)a, (void)b, (void)c, (void)d, (void)v;                               \
    stage_hear(&marbles, operator);                                            \
    stage_check(&marbles, __FILE__, __LINE__,                                  \
                #operator,(const char *const[]){__VA_ARGS__, NULL});           \
  } while (0)

static inline void stage_check(stage *self, const char *file, int line,
                               const char *what, const char *const *scripts) {
  rac_subject *const subjects[] = {self->a, self->b, self->c, self->d};
  char expected[512];
  for (int i = 0; scripts[1]; i++, scripts++)
    stage_play(self, subjects[i], *scripts);
  rac_virtual_advance_to(self->v, STAGE_END);
  list_marbles(*scripts, expected, sizeof expected);
  check_text(file, line, what, self->heard.text, expected);
  stage_close(self);
}

/* Sends a signal, or subject, as a value. */
static inline void send_signal(rac_subject *subject, void *signal) {
  rac_value value = rac_value_signal(signal);
  CHECK(rac_subject_send(subject, value) >= RAC_OK);
  rac_value_release(value);
}

/* The same, with the reference. */
static inline void give_signal(rac_subject *subject, rac_signal *signal) {
  send_signal(subject, signal);
  rac_release(signal);
}

#define LISTENERS(subject) rac_subject_subscriber_count(subject)

/* Runs the main scheduler, job by job, until something is so. */
#define RUN_MAIN_UNTIL(condition)                                              \
  WAIT_UNTIL((rac_main_drain(0) >= 0) && (condition))

#endif
