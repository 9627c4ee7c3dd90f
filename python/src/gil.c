/* Who holds the interpreter's lock.
 *
 * A call of the engine from Python keeps the lock, and gives it a number, in `thread.call`:
 * a callback inside it has nothing to ask. A thread of the engine's takes the lock for
 * a callback and lets go of it afterwards; its thread state is made once and goes
 * with the thread. Where the engine waits it calls a hook, which lets go of the lock.
 *
 * SPDX-License-Identifier: MIT
 */
#include "extension.h"

#include <stdatomic.h>

__thread struct thread thread = {.sent.value.kind = NOTHING_SENT};

/* Set when the interpreter is about to go: nothing of it is touched any more. Before
 * that the engine is closed, which callbacks that run hear when they call it. */
static atomic_bool gone, closing;

/* ---- Threads of the engine ------------------------------------------------- */

/* Its state is made before its first callback, and goes with the hook: at close. */
static void thread_starts(void *context) {
  (void)context;
  if (atomic_load(&gone)) return;
  PyGILState_Ensure();
  thread.own = PyThreadState_Get();
  PyEval_SaveThread();
}

static void thread_ends(void *context) {
  (void)context;
  if (thread.own == NULL || atomic_load(&gone)) return;
  PyEval_RestoreThread(thread.own);
  thread.own = NULL;
  PyGILState_Release(PyGILState_UNLOCKED);
}

/* 1: with the state of a thread of the engine's; 2: on one of Python's, or of somebody
 * else's; -1: the interpreter has gone. */
int attach(void) {
  if (atomic_load_explicit(&gone, memory_order_relaxed)) return -1;
  int how = thread.own != NULL ? 1 : 2;
  if (how == 1)
    PyEval_RestoreThread(thread.own);
  else
    thread.foreign = PyGILState_Ensure();
  (void)enter_for_others();
  return how;
}

void detach(int how) {
  if (thread.raised != NULL) report_kept();
  if (thread.raised != NULL) report_kept(); /* of the first one's report */
  thread.call = 0;
  if (how == 1)
    PyEval_SaveThread();
  else
    PyGILState_Release(thread.foreign);
}

/* What is set now comes out of the call that is under way, and ends what has no end. */
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

/* What the interpreter runs for other threads to have their turn: nothing, but before that
 * it looks whether they ask for it. To let go of the lock unasked would wake them in vain,
 * over and over, and who is woken begins to wait anew before it asks. */
static struct {
  PyObject *code, *names;
} nothing;

static int prepare_nothing(void) {
  nothing.code = Py_CompileString("None", "librac", Py_eval_input);
  nothing.names = PyDict_New();
  return nothing.code != NULL && nothing.names != NULL;
}

/* What the handlers of signals say, as PyErr_CheckSignals(). */
static int let_others_run(void) {
  PyObject *none = PyEval_EvalCode(nothing.code, nothing.names, nothing.names);
  Py_XDECREF(none);
  return none == NULL ? -1 : PyErr_CheckSignals();
}

/* Whether what has no end of its own goes on: not after the handler of a signal has raised,
 * as that of Ctrl-C, nor after a callback has raised what is no Exception. What else a
 * callback raised comes out at the end. */
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
  return fail(NULL);
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

int is_closing(void) { return atomic_load(&closing); }

void close_for_good(void) {
  atomic_store(&closing, true);
  entry outer = enter();
  (void)rac_close(5);
  leave_quietly(outer);
}

void let_go_of_interpreter(void) { atomic_store(&gone, true); }
