/* Calls that are not generated: rules.py says why. */
#include "fuzz.h"

static kind any_kind(player *p) { return (kind)fuzz_below(p, KINDS); }

static void show(player *p, void *handle) {
  if (!fuzz.trace) return;
  fuzz_show_handle(p, handle);
  fuzz_show_end(p);
}

/* ---- References ---------------------------------------------------------- */

/* A wrong one may be of another kind than its pool: it is only released. */
void fuzz_rac_retain(player *p) {
  call c = fuzz_begin(p, FUNCTION_RAC_RETAIN);
  kind kind = any_kind(p);
  void *handle = fuzz_handle(p, &c, kind);
  show(p, handle);
  void *mine = rac_retain(handle);
  fuzz_note(p, &c, mine != NULL);
  fuzz_keep(p, &c, kind, mine);
  fuzz_end(p, &c);
}

void fuzz_rac_release(player *p) {
  call c = fuzz_begin(p, FUNCTION_RAC_RELEASE);
  kind kind = any_kind(p);
  void *handle = fuzz_take_handle(p, kind);
  show(p, handle);
  fuzz_note(p, &c, handle != NULL);
  fuzz_let_go(p, kind, handle);
  fuzz_end(p, &c);
}

/* Disposables are left to those who dispose them. */
void fuzz_rac_assign(player *p) {
  call c = fuzz_begin(p, FUNCTION_RAC_ASSIGN);
  kind kind = any_kind(p);
  if (kind != KIND_DISPOSABLE) {
    void *variable = fuzz_take_handle(p, kind);
    void *handle = fuzz_take_handle(p, kind);
    show(p, variable);
    rac_assign(&variable, handle);
    fuzz_keep(p, &c, kind, variable);
  }
  fuzz_end(p, &c);
}

static void count_visit(void *context, void *held, rac_destroy_fn destroy) {
  (void)held;
  if (destroy == NULL) fuzz_fail("a visit without a destroy");
  ++*(int *)context;
}

/* Some are held by others, or are visited while somebody is inside. */
void fuzz_rac_visit_contexts(player *p) {
  call c = fuzz_begin(p, FUNCTION_RAC_VISIT_CONTEXTS);
  void *handles[3];
  size_t count = fuzz_below(p, 4);
  int visits = 0;
  for (size_t i = 0; i < count; i++) {
    handles[i] = fuzz_handle(p, &c, any_kind(p));
    show(p, handles[i]);
  }
  fuzz_note_status(p, &c,
                   rac_visit_contexts(handles, count, count_visit, &visits));
  fuzz_end(p, &c);
}

/* ---- Bounds --------------------------------------------------------------- */

/* Nobody waits for ever for room. */
void fuzz_rac_bound_create(player *p) {
  call c = fuzz_begin(p, FUNCTION_RAC_BOUND_CREATE);
  size_t capacity = fuzz_size(p);
  int32_t policy = (int32_t)fuzz_number(p);
  double timeout = fuzz_timeout(p, &c);
  show(p, NULL);
  rac_bound *bound = rac_bound_create(capacity, policy);
  fuzz_note(p, &c, bound != NULL);
  if (bound != NULL) rac_bound_set_timeout(bound, timeout < 0 ? 0 : timeout);
  if (bound != NULL && timeout != timeout) rac_bound_set_timeout(bound, 0);
  fuzz_keep(p, &c, KIND_BOUND, bound);
  fuzz_end(p, &c);
}

/* ---- Disposing ----------------------------------------------------------- */

void fuzz_rac_dispose(player *p) {
  call c = fuzz_begin(p, FUNCTION_RAC_DISPOSE);
  void *handle = fuzz_handle(p, &c, KIND_DISPOSABLE);
  show(p, handle);
  rac_status status = rac_dispose(handle);
  fuzz_note_status(p, &c, status);
  if (status == RAC_OK) fuzz_note_disposed(p, handle, false);
  fuzz_end(p, &c);
}

void fuzz_rac_dispose_and_release(player *p) {
  call c = fuzz_begin(p, FUNCTION_RAC_DISPOSE_AND_RELEASE);
  void *handle = fuzz_take_handle(p, KIND_DISPOSABLE);
  show(p, handle);
  rac_status status = rac_dispose_and_release(handle);
  fuzz_note_status(p, &c, status);
  if (status == RAC_OK) {
    fuzz_note_disposed(p, handle, false);
  } else {
    /* Of another kind: a retain of a wrong handle brought it here. */
    rac_release(handle);
  }
  fuzz_end(p, &c);
}

void fuzz_rac_dispose_and_wait(player *p) {
  call c = fuzz_begin(p, FUNCTION_RAC_DISPOSE_AND_WAIT);
  void *handle = fuzz_handle(p, &c, KIND_DISPOSABLE);
  double timeout = fuzz_timeout(p, &c);
  show(p, handle);
  rac_status status = rac_dispose_and_wait(handle, timeout);
  fuzz_note_status(p, &c, status);
  if (status == RAC_OK) fuzz_note_disposed(p, handle, true);
  fuzz_end(p, &c);
}

/* ---- Threads ------------------------------------------------------------- */

static void stop_main(void *context) {
  (void)context;
  rac_main_stop();
}

/* Stopped by a job, again and again: runs inside runs, and runs of other
 * threads, take a stop for themselves. */
void fuzz_rac_main_run(player *p) {
  call c = fuzz_begin(p, FUNCTION_RAC_MAIN_RUN);
  show(p, NULL);
  rac_scheduler *scheduler = rac_scheduler_main();
  rac_disposable *job =
      rac_schedule_repeating(scheduler, 0, 1e-3, 0, NULL, stop_main, NULL);
  rac_release(scheduler);
  fuzz_note_status(p, &c, rac_main_run());
  rac_dispose(job);
  rac_release(job);
  fuzz_end(p, &c);
}

/* Not inside a callback: a thread of the library would stay attached, and what
 * runs the callback expects to find what it left. */
void fuzz_rac_thread_attach(player *p) {
  if (p->depth > 0 || p->number < 0) return;
  call c = fuzz_begin(p, FUNCTION_RAC_THREAD_ATTACH);
  if (rac_thread_attach() == RAC_OK) p->attached++;
  fuzz_end(p, &c);
}

void fuzz_rac_thread_detach(player *p) {
  if (p->depth > 0 || p->number < 0) return;
  call c = fuzz_begin(p, FUNCTION_RAC_THREAD_DETACH);
  rac_status status = rac_thread_detach();
  fuzz_note_status(p, &c, status);
  if (status == RAC_OK) p->attached--;
  if (p->attached < 0) fuzz_fail("detached more often than attached");
  fuzz_end(p, &c);
}
