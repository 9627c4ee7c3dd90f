/* Children in which the library works, and what they have from their parents. */
#ifndef RAC_FORKED_H
#define RAC_FORKED_H

#include <poll.h>

#include "check.h"
#include "children.h"

/* Runs one in a child of this process that has no threads of the library's, so
 * that the order of the tests does not matter. */
static inline void alone(void (*body)(void *)) {
  CHECK_INT(in_child(body, NULL), 0);
}

static inline bool readable(void) {
  struct pollfd fd = {.fd = rac_main_fd(), .events = POLLIN};
  return poll(&fd, 1, 0) == 1 && (fd.revents & POLLIN);
}

static inline void wait_readable(void) {
  struct pollfd fd = {.fd = rac_main_fd(), .events = POLLIN};
  CHILD(poll(&fd, 1, 10000) == 1);
}

static inline void add(void *context, rac_value value) {
  *(int64_t *)context += value.bits;
}
static inline void count(void *context) { ++*(int *)context; }
static inline rac_status twice(void *context, rac_value value, rac_value *out) {
  (void)context;
  *out = rac_value_int64(value.bits * 2);
  return RAC_OK;
}

/* A bit of everything, on the calling thread and on the library's. */
static inline void use_everything(void) {
  int64_t sum = 0;
  int destroyed = 0;
  rac_subject *subject = rac_subject_create();
  CHILD(subject != NULL);
  rac_signal *doubled = rac_signal_map(as_signal(subject), NULL, twice, NULL);
  rac_disposable *d = rac_subscribe_next(doubled, &sum, add, NULL);
  CHILD(d != NULL);
  CHILD(rac_subject_send(subject, I(21)) == RAC_OK);
  CHILD(sum == 42);
  rac_release(d);
  rac_release(doubled);
  rac_release(subject);

  rac_scheduler *loop = rac_scheduler_main();
  CHILD(rac_main_fd() >= 0);
  rac_disposable *job =
      rac_schedule_after(loop, 0.001, &destroyed, count, count);
  CHILD(job != NULL);
  CHILD(rac_main_run_for(0.02) == RAC_OK);
  CHILD(destroyed == 2);
  rac_release(job);
  rac_release(loop);

  /* Threads of the child's own. */
  rac_scheduler *background = rac_scheduler_background(0, NULL);
  rac_signal *late = rac_signal_return(I(7));
  rac_signal *delivered = rac_signal_deliver_on(late, background);
  rac_value out;
  CHILD(rac_signal_first(delivered, 5, &out) == RAC_OK);
  CHILD(out.bits == 7);
  start_library_threads();
  rac_release(delivered);
  rac_release(late);
  rac_release(background);
}

typedef struct inherited {
  rac_subject *subject;
  rac_disposable *subscription, *job;
  int64_t sum;
  int runs;
} inherited;

static inline void inherit(inherited *self) {
  rac_scheduler *loop = rac_scheduler_main();
  self->subject = rac_subject_create();
  self->subscription =
      rac_subscribe_next(as_signal(self->subject), &self->sum, add, NULL);
  self->job = rac_schedule(loop, &self->runs, count, NULL);
  rac_release(loop);
}

static inline void use_inherited(void *argument) {
  inherited *i = argument;
  CHILD(rac_subject_send(i->subject, I(3)) == RAC_OK);
  CHILD(i->sum == 4);
  CHILD(readable());
  CHILD(rac_main_drain(0) >= 1); /* a parent's parent's, too */
  CHILD(i->runs == 1);
  CHILD(!readable());
  CHILD(rac_dispose(i->subscription) == RAC_OK);
  CHILD(rac_subject_send(i->subject, I(3)) == RAC_OK);
  CHILD(i->sum == 4);
  rac_release(i->subscription);
  rac_release(i->job);
  rac_release(i->subject);
  CHILD(rac_subject_send(i->subject, I(3)) == RAC_ESTALE);
  use_everything();
}

#endif
