/* What callbacks do: they call any function, themselves and what is around them
 * included, fail now and then, and stop when the round has had enough of them.
 */
#include <pthread.h>

#include "fuzz.h"

enum { DEEPEST = 4 };

void fuzz_act(player *p, void *of) {
  (void)of;
  if (p->depth > DEEPEST || fuzz_is_quiet()) return;
  fuzz_perhaps_close_inside(p);
  while (fuzz_percent(p, 18)) fuzz_call_something(p);
}

/* How a callback that answers with a status does. Quiet ones fail: that ends
 * what would go on for ever. */
rac_status fuzz_status(player *p) {
  if (!fuzz_is_quiet() && !fuzz_percent(p, 6)) return RAC_OK;
  if (fuzz_percent(p, 30) || fuzz_is_left_out("rac_raise")) return -7;
  rac_value error = fuzz_error(p);
  rac_status status = rac_raise(error);
  rac_value_release(error);
  return status < 0 ? status : RAC_EUSER;
}

void fuzz_hear_subscriber(player *p, rac_subscriber *subscriber) {
  if (fuzz_is_quiet()) return;
  while (fuzz_percent(p, 50)) {
    call c = fuzz_begin(p, FUNCTION_RAC_SUBSCRIBER_SEND);
    rac_value value = fuzz_value(p, &c);
    fuzz_note_status(p, &c, rac_subscriber_send(subscriber, value));
    fuzz_end(p, &c);
  }
  if (fuzz_percent(p, 40)) rac_subscriber_send_completed(subscriber);
}

void fuzz_hear_step(player *p, rac_step *step, rac_value value) {
  if (step->size < sizeof *step) fuzz_fail("a step that is too short");
  if (fuzz_is_quiet()) return;
  while (fuzz_percent(p, 30)) {
    call c = fuzz_begin(p, FUNCTION_RAC_STEP_SEND);
    fuzz_note_status(p, &c, rac_step_send(step, value));
    fuzz_end(p, &c);
  }
}

void fuzz_hear_recursion(player *p, rac_recursion *recursion) {
  if (!fuzz_is_quiet() && fuzz_flag(p)) rac_reschedule(recursion);
}

/* ---- Turns: the queue of a host's ---------------------------------------- */

enum { TURNS = 4096 };
static pthread_mutex_t turns_lock = PTHREAD_MUTEX_INITIALIZER;
static rac_scheduler *turns[TURNS];
static int turn_count;

/* rac_enqueue_fn */
void fuzz_hear_scheduler(player *p, rac_scheduler *scheduler) {
  (void)p;
  if (rac_retain(scheduler) == NULL) return;
  pthread_mutex_lock(&turns_lock);
  bool fits = turn_count < TURNS;
  if (fits) turns[turn_count++] = scheduler;
  pthread_mutex_unlock(&turns_lock);
  if (!fits) fuzz_fail("a scheduler asks for thousands of turns");
}

bool fuzz_take_turn(void) {
  rac_scheduler *scheduler = NULL;
  pthread_mutex_lock(&turns_lock);
  if (turn_count > 0) scheduler = turns[--turn_count];
  pthread_mutex_unlock(&turns_lock);
  if (scheduler == NULL) return false;
  rac_scheduler_take_turn(scheduler, 0);
  rac_release(scheduler);
  return true;
}

/* ---- Those with rules of their own --------------------------------------- */

rac_status fuzz_rac_generate_fn(void *of, rac_value state,
                                rac_value *next_state, rac_value *out) {
  player *p = fuzz_enter(of);
  fuzz_hear_value(p, state);
  fuzz_act(p, of);
  rac_status status = fuzz_status(p);
  if (status >= 0 && fuzz_percent(p, 25)) status = RAC_EEMPTY;
  if (status >= 0) {
    *next_state = fuzz_answer(p, state);
    *out = fuzz_answer(p, state);
  }
  fuzz_leave(p, of);
  return status;
}

rac_status fuzz_rac_fold_right_fn(void *of, rac_value value,
                                  const rac_value *rest, rac_value *out) {
  player *p = fuzz_enter(of);
  fuzz_hear_value(p, value);
  if (rest) fuzz_hear_value(p, *rest);
  fuzz_act(p, of);
  rac_status status = fuzz_status(p);
  if (status >= 0 && rest == NULL && fuzz_flag(p)) {
    status = RAC_PENDING;
  } else if (status >= 0) {
    *out = fuzz_answer(p, rest ? *rest : value);
  }
  fuzz_leave(p, of);
  return status;
}

size_t fuzz_rac_locator_fn(void *of, char *buffer, size_t capacity) {
  player *p = fuzz_enter(of);
  fuzz_act(p, of);
  size_t length = fuzz_percent(p, 80) ? 5 : fuzz_flag(p) ? 0 : capacity + 1;
  if (length == 5) memcpy(buffer, "there", length);
  fuzz_leave(p, of);
  return length;
}

/* An execution replays what its signal sends, and goes on when all handles are
 * gone: a leaf, or it could be sent itself, and one that ends. */
rac_status fuzz_rac_execute_fn(void *of, rac_value input, rac_signal **out) {
  player *p = fuzz_enter(of);
  fuzz_hear_value(p, input);
  fuzz_act(p, of);
  rac_status status = fuzz_status(p);
  if (status >= 0 && fuzz_percent(p, 90)) {
    call c = {0};
    *out = fuzz_stopped(p, rac_retain(fuzz_leaf_signal(p, &c)));
  }
  fuzz_leave(p, of);
  return status;
}
