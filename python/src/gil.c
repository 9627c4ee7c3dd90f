/* Who holds the interpreter's lock.
 *
 * A call of the engine from Python keeps the lock, and says so in `thread.holds`: a
 * callback inside it has nothing to ask. A thread of the engine's takes the lock for
 * a callback and lets go of it afterwards; its thread state is made once and goes
 * with the thread. Where the engine waits it calls a hook, which lets go of the lock.
 *
 * SPDX-License-Identifier: MIT
 */
#include "extension.h"

#include <stdatomic.h>

const struct sent nothing_sent = {NULL, {UINT8_MAX, 0, 0, 0, 0}};
__thread struct thread thread = {.sent = &nothing_sent};

/* Set when the interpreter is about to go: nothing of it is touched any more. Before
 * that the engine is closed, which callbacks that run hear when they call it. */
static atomic_bool gone, closing;

PyObject *take_raised(void) {
#if PY_VERSION_HEX >= 0x030C0000
  return PyErr_GetRaisedException();
#else
  PyObject *type, *exception, *traceback;
  PyErr_Fetch(&type, &exception, &traceback);
  if (type == NULL) return NULL;
  PyErr_NormalizeException(&type, &exception, &traceback);
  if (traceback != NULL) PyException_SetTraceback(exception, traceback);
  Py_XDECREF(traceback);
  Py_DECREF(type);
  return exception;
#endif
}

/* Takes over the reference. */
void set_raised(PyObject *exception) {
#if PY_VERSION_HEX >= 0x030C0000
  PyErr_SetRaisedException(exception);
#else
  if (exception == NULL)
    PyErr_Clear();
  else
    PyErr_Restore(Py_NewRef((PyObject *)Py_TYPE(exception)), exception,
                  PyException_GetTraceback(exception));
#endif
}

static void tell_unraisable(PyObject *exception, PyObject *where) {
  set_raised(exception);
  PyErr_WriteUnraisable(where);
}

int raise_pending(PyObject *pending) {
  /* A call inside raises what is its own: an interruption may wait for the outer one. */
  if (thread.interruption == pending) thread.interruption = NULL;
  if (PyErr_Occurred()) tell_unraisable(take_raised(), NULL);
  set_raised(pending);
  return 0;
}

void leave_quietly(entry outer, PyObject *where) {
  if (!leave(outer)) PyErr_WriteUnraisable(where);
}

int is_interruption(PyObject *exception) {
  return exception == thread.interruption ||
         !PyErr_GivenExceptionMatches(exception, PyExc_Exception);
}

void keep_raised(PyObject *where) {
  PyObject *raised = take_raised();
  if (raised == NULL) return;
  PyObject *pending = thread.pending;
  if (pending == raised) {
    Py_DECREF(raised);
  } else if (pending == NULL) {
    thread.pending = raised;
  } else if (is_interruption(raised) && !is_interruption(pending)) {
    thread.pending = raised;
    tell_unraisable(pending, NULL);
  } else {
    tell_unraisable(raised, where);
  }
}

void forget_raised(void) {
  PyObject *raised = take_raised();
  if (raised == NULL) return;
  int may_forget = !is_interruption(raised) || !thread.holds;
  set_raised(raised);
  if (may_forget)
    PyErr_Clear();
  else
    keep_raised(NULL);
}

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
  thread.holds = 1;
  return how;
}

void detach(int how) {
  PyObject *pending = thread.pending;
  thread.pending = NULL;
  if (pending != NULL && atomic_load(&closing) &&
      PyErr_GivenExceptionMatches(pending, error_closed))
    Py_CLEAR(pending);
  if (pending != NULL) tell_unraisable(pending, NULL);
  thread.holds = 0;
  if (how == 1)
    PyEval_SaveThread();
  else
    PyGILState_Release(thread.foreign);
}

static void before_waiting(void *context) {
  (void)context;
  if (thread.holds) {
    thread.holds = 0;
    thread.sleeper = PyEval_SaveThread();
  }
}

static void after_waiting(void *context) {
  (void)context;
  if (thread.sleeper != NULL) {
    PyThreadState *sleeper = thread.sleeper;
    thread.sleeper = NULL;
    PyEval_RestoreThread(sleeper);
    thread.holds = 1;
  }
}

/* Whether what has no end of its own goes on: not after the handler of a signal has raised,
 * as that of Ctrl-C, nor after a callback has raised what is no Exception. What else a
 * callback raised comes out at the end. */
static rac_status goes_on(void *context) {
  enum { TURN = 256 };
  if (!thread.holds) return RAC_OK;
  /* Between calls of Python's it would ask for nothing: other threads have their turn. */
  if (++thread.asked % TURN == 0) {
    before_waiting(context);
    after_waiting(context);
  }
  if (thread.pending == NULL || !is_interruption(thread.pending)) {
    if (PyErr_CheckSignals() == 0) return RAC_OK;
    thread.interruption = take_raised();
    set_raised(thread.interruption);
    keep_raised(NULL);
  }
  set_raised(Py_NewRef(thread.pending));
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
  return status == RAC_OK;
}

int prepare_threads(void) {
  if (!set_engine_hooks()) {
    set_last_failure("import librac");
    return 0;
  }
  return 1;
}

void close_for_good(void) {
  atomic_store(&closing, true);
  entry outer = enter();
  (void)rac_close(5);
  leave_quietly(outer, NULL);
}

void let_go_of_interpreter(void) { atomic_store(&gone, true); }
