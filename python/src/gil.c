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
  if (PyErr_Occurred()) tell_unraisable(take_raised(), NULL);
  set_raised(pending);
  return 0;
}

void leave_quietly(entry outer, PyObject *where) {
  if (!leave(outer)) PyErr_WriteUnraisable(where);
}

void keep_raised(PyObject *where) {
  PyObject *raised = take_raised();
  if (raised == NULL) return;
  if (thread.pending == NULL)
    thread.pending = raised;
  else if (thread.pending == raised)
    Py_DECREF(raised);
  else
    tell_unraisable(raised, where);
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

int set_engine_hooks(void) {
  /* A cold signal starts at once on any thread, as every other Rx does it. */
  rac_status status = rac_set_subscribe_inline(true);
  if (status == RAC_OK)
    status = rac_set_blocking_hook(NULL, before_waiting, after_waiting, NULL);
  if (status == RAC_OK)
    status = rac_set_thread_hook(NULL, thread_starts, thread_ends, NULL);
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
