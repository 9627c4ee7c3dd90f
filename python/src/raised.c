/* Keeps exceptions of callbacks for the call of the engine that brought them
 * about.
 *
 * Calls are inside each other, each with the number of the one outside of it in
 * its frame. A greenlet that switches away in a callback leaves its call as the
 * one under way, and who runs meanwhile begins and ends others. When it goes on
 * come_back() says whose turn it is again; what else is said of the call there
 * is another's, and forgotten. The call has a mark from then on and so is no
 * longer what its frame says: when it ends, what is outside of it may have
 * ended before, and is forgotten too. So whatever `thread` says is of calls
 * that have not ended, in whatever order they do.
 *
 * A call for others runs what it has not brought about: jobs of a scheduler, or
 * a callback on a thread of the engine's. An exception there is reported
 * (unhandled.c), and the call goes on. A handler's is so at once. Whether an
 * operator's function belongs to a waiting call shows at the end of the job:
 * the call has heard something then, or has not.
 *
 * SPDX-License-Identifier: MIT
 */
#include "thread.h"

__thread struct thread thread = {.sent.value.kind = NOTHING_SENT};

static void report_plainly(PyObject *exception, PyObject *chain,
                           PyObject *value) {
  (void)value;
  Py_XDECREF(chain);
  tell_unraisable(exception);
}
void (*report)(PyObject *exception, PyObject *chain,
               PyObject *value) = report_plainly;

static PyObject *no_chain(PyObject *context) {
  (void)context;
  return NULL;
}
PyObject *(*chain_in)(PyObject *context) = no_chain;

struct raised {
  struct raised *next;
  uint64_t call;
  PyObject *exception;
  PyObject *chain; /* NULL: not known */
};

static uint64_t number_of(uint64_t call) {
  return call & ~(uint64_t)(CALL_STEP - 1);
}
static int runs_others(uint64_t call) { return (call & CALL_RUNS_OTHERS) != 0; }

static void forget_others(void) {
  thread.sent.value.kind = NOTHING_SENT;
  thread.subscribing = NULL;
}

void come_back(uint64_t call) {
  thread.call = call == 0 ? 0 : call | CALL_WAS_AWAY;
  forget_others();
}

/* Where what is kept for a call hangs: NULL there if nothing is. */
static struct raised **place_of(uint64_t call) {
  struct raised **place = &thread.raised;
  while (*place != NULL && (*place)->call != number_of(call))
    place = &(*place)->next;
  return place;
}

/* Without an exception there is none. */
static struct raised take_kept(uint64_t call) {
  struct raised **place = place_of(call), *kept = *place;
  if (kept == NULL) return (struct raised){NULL, 0, NULL, NULL};
  struct raised taken = *kept;
  *place = kept->next;
  PyMem_Free(kept);
  return taken;
}

PyObject *kept_raised(void) {
  struct raised *kept = *place_of(thread.call);
  return kept == NULL ? NULL : kept->exception;
}

void report_kept(void) {
  struct raised kept = take_kept(thread.call);
  if (kept.exception != NULL) report(kept.exception, kept.chain, NULL);
}

int leave_waiting(entry self, int has_come) {
  struct raised kept = take_kept(self.call);
  if (kept.exception != NULL && !has_come && !is_interruption(kept.exception)) {
    report(kept.exception, kept.chain, NULL);
    kept = take_kept(self.call); /* an interruption of who was told */
  }
  if (thread.call == self.call) {
    thread.call = self.outer;
  } else {
    thread.call = 0;
    forget_others();
  }
  if (kept.exception == NULL) return 1;
  /* A call inside raises what is its own: an interruption may wait for the
   * outer one. */
  if (thread.interruption == kept.exception) thread.interruption = NULL;
  Py_XDECREF(kept.chain);
  if (PyErr_Occurred()) report(take_raised(), NULL, NULL);
  set_raised(kept.exception);
  return 0;
}

int leave_slowly(entry self) {
  return leave_waiting(self, !runs_others(self.call));
}

void leave_quietly(entry self) {
  if (!leave(self)) report(take_raised(), NULL, NULL);
}

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

void tell_unraisable(PyObject *exception) {
  set_raised(exception);
  PyErr_WriteUnraisable(NULL);
}

int is_interruption(PyObject *exception) {
  return exception == thread.interruption ||
         !PyErr_GivenExceptionMatches(exception, PyExc_Exception);
}

/* Takes over both references. An exception without a place is reported. */
static void keep(PyObject *exception, PyObject *chain, PyObject *value) {
  struct raised **place = place_of(thread.call), *kept = *place;
  if (kept == NULL && thread.call != 0 &&
      (kept = PyMem_Malloc(sizeof *kept)) != NULL) {
    *kept = (struct raised){NULL, number_of(thread.call), exception, chain};
    *place = kept;
  } else if (kept == NULL) {
    report(exception, chain, value);
  } else if (kept->exception == exception) {
    Py_DECREF(exception);
    Py_XDECREF(chain);
  } else if (is_interruption(exception) && !is_interruption(kept->exception)) {
    struct raised before = *kept;
    kept->exception = exception;
    kept->chain = chain;
    report(before.exception, before.chain, NULL);
  } else {
    report(exception, chain, value);
  }
}

void keep_raised(PyObject *context) {
  PyObject *raised = take_raised();
  if (raised != NULL) keep(raised, chain_in(context), NULL);
}

void tell_raised(PyObject *context, PyObject *value) {
  PyObject *raised = take_raised();
  if (raised == NULL) return;
  if (runs_others(thread.call) && !is_interruption(raised))
    report(raised, chain_in(context), value);
  else
    keep(raised, chain_in(context), value);
}

void forget_raised(void) {
  PyObject *raised = take_raised();
  if (raised == NULL) return;
  int may_forget = !is_interruption(raised) || thread.call == 0;
  set_raised(raised);
  if (may_forget)
    PyErr_Clear();
  else
    keep_raised(NULL);
}
