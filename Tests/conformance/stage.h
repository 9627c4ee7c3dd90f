/* What the tests of signals set up again and again: four subjects, an operator
 * on some of them, and a recorder that hears what comes out.
 *
 *     stage t;
 *     stage_open(&t);
 *     stage_hear(&t, rac_signal_merge_with(as_signal(t.a), as_signal(t.b)));
 *     play(t.a, "1 |");
 *     CHECK_EVENTS(&t.heard, "1");
 *     stage_close(&t);
 */
#ifndef RAC_STAGE_H
#define RAC_STAGE_H

#include "operators.h"

typedef struct stage {
  rac_subject *a, *b, *c, *d;
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

/* Subscribes, and takes over the signal's reference. What the recorder is to
 * do is set before. */
static inline void stage_hear(stage *self, rac_signal *result) {
  self->result = result;
  record(result, &self->heard);
}

/* Disposes, unless it has ended; then nobody may listen to the subjects. */
static inline void stage_close(stage *self) {
  rac_subject *const all[] = {self->a, self->b, self->c, self->d};
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
