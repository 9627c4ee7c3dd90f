/* The engine's hooks: letting go of the interpreter's lock while it waits, and
 * asking whether to go on.
 *
 * SPDX-License-Identifier: MIT
 */
#include "hooks.h"
#include "errors.h"
#include "gil.h"
#include "loops.h"
#include "origins.h"
#include "statuses.h"
#include "thread.h"
#include "unhandled.h"

/* The exception that is set comes out of the call under way, and ends a call
 * without end. */
static void interrupt(void) {
  thread.interruption = take_raised();
  set_raised(thread.interruption);
  keep_raised(NULL);
}

/* The engine sleeps all the same, but not long: goes_on() hears of it. */
static void refuse_to_read(void) {
  if (kept_raised() != NULL ||
      may_wait("Sequence", "async for value in signal"))
    return;
  interrupt();
}

static void before_waiting(void *context) {
  (void)context;
  if (thread.call == 0) return;
  if (thread.reading == thread.call) refuse_to_read();
  thread.away = thread.call;
  thread.call = 0;
  thread.sleeper = PyEval_SaveThread();
}

static void after_waiting(void *context) {
  (void)context;
  if (thread.sleeper != NULL) {
    PyThreadState *sleeper = thread.sleeper;
    thread.sleeper = NULL;
    PyEval_RestoreThread(sleeper);
    thread.call = thread.away;
  }
}

/* Code that does nothing: before it runs, the interpreter looks whether other
 * threads ask for their turn. To let go of the lock unasked would wake them in
 * vain, over and over, and a woken thread begins to wait anew before it asks.
 */
static struct {
  PyObject *code, *names;
} nothing;

static int prepare_nothing(void) {
  nothing.code = Py_CompileString("None", "librac", Py_eval_input);
  nothing.names = PyDict_New();
  return nothing.code != NULL && nothing.names != NULL;
}

/* Runs the handlers of POSIX signals, as PyErr_CheckSignals() does. */
static int let_others_run(void) {
  PyObject *none = PyEval_EvalCode(nothing.code, nothing.names, nothing.names);
  Py_XDECREF(none);
  return none == NULL ? -1 : PyErr_CheckSignals();
}

/* Whether what has no end of its own goes on: not after the handler of a signal
 * has raised, as that of Ctrl-C, nor after a callback has raised something else
 * than an Exception. Other exceptions of a callback come out at the end. */
static rac_status goes_on(void *context) {
  enum { TURN = 64 };
  (void)context;
  if (thread.call == 0) return RAC_OK;
  if (kept_raised() == NULL || !is_interruption(kept_raised())) {
    bool is_turn = ++thread.asked % TURN == 0;
    if ((is_turn ? let_others_run() : PyErr_CheckSignals()) == 0) return RAC_OK;
    interrupt();
  }
  if (kept_raised() == NULL) return RAC_ENOMEM; /* to keep it */
  set_raised(Py_NewRef(kept_raised()));
  return fail();
}

/* Where the program subscribes, for a recording. */
static size_t locate(void *context, char *buffer, size_t capacity) {
  (void)context;
  int attached = begin();
  if (attached < 0) return 0;
  size_t length = place_of_program(buffer, capacity);
  end(attached);
  return length;
}

int set_engine_hooks(void) {
  /* A cold signal starts at once on any thread, as every other Rx does it. */
  rac_status status = rac_set_subscribe_inline(true);
  if (status == RAC_OK)
    status = rac_set_blocking_hook(NULL, before_waiting, after_waiting, NULL);
  if (status == RAC_OK)
    status = rac_set_thread_hook(NULL, thread_starts, thread_ends, NULL);
  if (status == RAC_OK) status = rac_set_interruption_hook(NULL, goes_on, NULL);
  if (status == RAC_OK)
    status = rac_set_unhandled_error(NULL, hear_unhandled, NULL);
  if (status == RAC_OK) status = rac_record_set_locator(NULL, locate, NULL);
  return status == RAC_OK;
}

int prepare_threads(void) {
  if (!prepare_nothing()) return 0;
  if (!set_engine_hooks()) {
    set_last_failure("import librac");
    return 0;
  }
  return 1;
}
