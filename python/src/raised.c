/* What callbacks raise is kept for the call of the engine that brought it about.
 *
 * Calls are inside each other, each with the number of the one outside of it in its frame.
 * A greenlet that switches away in a callback leaves its call as the one under way, and who
 * runs meanwhile begins and ends others. When it goes on come_back() says whose turn it is
 * again; what else is said of the call there is another's, and forgotten. The call is odd
 * from then on and so no longer what its frame says: when it ends, what is outside of it may
 * have ended before, and is forgotten too. So whatever `thread` says is of calls that have
 * not ended, in whatever order they do.
 *
 * SPDX-License-Identifier: MIT
 */
#include "extension.h"

struct raised {
  struct raised *next;
  uint64_t call;
  PyObject *exception;
};

static uint64_t number_of(uint64_t call) { return call & ~(uint64_t)1; }

static void forget_others(void) {
  thread.sent.value.kind = NOTHING_SENT;
  thread.subscribing = NULL;
}

void come_back(uint64_t call) {
  thread.call = call == 0 ? 0 : call | 1;
  forget_others();
}

/* Where what is kept for a call hangs: NULL there if nothing is. */
static struct raised **place_of(uint64_t call) {
  struct raised **place = &thread.raised;
  while (*place != NULL && (*place)->call != number_of(call))
    place = &(*place)->next;
  return place;
}

static PyObject *take_kept_for(uint64_t call) {
  struct raised **place = place_of(call), *kept = *place;
  if (kept == NULL) return NULL;
  PyObject *exception = kept->exception;
  *place = kept->next;
  PyMem_Free(kept);
  return exception;
}

PyObject *take_kept(void) { return take_kept_for(thread.call); }

PyObject *kept_raised(void) {
  struct raised *kept = *place_of(thread.call);
  return kept == NULL ? NULL : kept->exception;
}

int leave_slowly(entry self) {
  PyObject *raised = take_kept_for(self.call);
  if (thread.call == self.call) {
    thread.call = self.outer;
  } else {
    thread.call = 0;
    forget_others();
  }
  if (raised == NULL) return 1;
  /* A call inside raises what is its own: an interruption may wait for the outer one. */
  if (thread.interruption == raised) thread.interruption = NULL;
  if (PyErr_Occurred()) tell_unraisable(take_raised(), NULL);
  set_raised(raised);
  return 0;
}

void leave_quietly(entry self, PyObject *where) {
  if (!leave(self)) PyErr_WriteUnraisable(where);
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

void tell_unraisable(PyObject *exception, PyObject *where) {
  set_raised(exception);
  PyErr_WriteUnraisable(where);
}

int is_interruption(PyObject *exception) {
  return exception == thread.interruption ||
         !PyErr_GivenExceptionMatches(exception, PyExc_Exception);
}

void keep_raised(PyObject *where) {
  PyObject *raised = take_raised();
  if (raised == NULL) return;
  struct raised **place = place_of(thread.call), *kept = *place;
  if (kept == NULL) {
    kept = thread.call == 0 ? NULL : PyMem_Malloc(sizeof *kept);
    if (kept == NULL) {
      tell_unraisable(raised, where);
    } else {
      *kept = (struct raised){NULL, number_of(thread.call), raised};
      *place = kept;
    }
  } else if (kept->exception == raised) {
    Py_DECREF(raised);
  } else if (is_interruption(raised) && !is_interruption(kept->exception)) {
    PyObject *before = kept->exception;
    kept->exception = raised;
    tell_unraisable(before, NULL);
  } else {
    tell_unraisable(raised, where);
  }
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
