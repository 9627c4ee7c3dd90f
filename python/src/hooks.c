/* The engine's hooks: letting go of the interpreter's lock while it waits, and
 * asking whether to go on.
 *
 * SPDX-License-Identifier: MIT
 */
#include "hooks.h"
#include "errors.h"
#include "gil.h"
#include "loops.h"
#include "statuses.h"
#include "thread.h"
#include "unhandled.h"

#include <stdio.h>

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
static PyObject *named; /* "__name__" */

static int prepare_nothing(void) {
  nothing.code = Py_CompileString("None", "librac", Py_eval_input);
  nothing.names = PyDict_New();
  named = PyUnicode_InternFromString("__name__");
  return nothing.code != NULL && nothing.names != NULL && named != NULL;
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

/* Whether a frame is the program's, and not of this package. */
static bool is_of_program(PyObject *frame) {
  PyObject *globals = PyObject_GetAttrString(frame, "f_globals");
  PyObject *name = globals ? PyObject_GetItem(globals, named) : NULL;
  const char *text = name ? PyUnicode_AsUTF8AndSize(name, NULL) : NULL;
  bool is_ours = text != NULL && strncmp(text, "librac", 6) == 0 &&
                 (text[6] == 0 || text[6] == '.');
  Py_XDECREF(name);
  Py_XDECREF(globals);
  PyErr_Clear();
  return !is_ours;
}

static size_t describe(PyObject *frame, char *buffer, size_t capacity) {
  PyObject *code = PyObject_GetAttrString(frame, "f_code");
  PyObject *file = code ? PyObject_GetAttrString(code, "co_filename") : NULL;
  PyObject *name = code ? PyObject_GetAttrString(code, "co_name") : NULL;
  const char *path = file ? PyUnicode_AsUTF8AndSize(file, NULL) : NULL;
  const char *function = name ? PyUnicode_AsUTF8AndSize(name, NULL) : NULL;
  int length = 0;
  if (path != NULL && function != NULL) {
    length = snprintf(buffer, capacity, "%s:%d %s", path,
                      PyFrame_GetLineNumber((PyFrameObject *)frame), function);
  }
  Py_XDECREF(file);
  Py_XDECREF(name);
  Py_XDECREF(code);
  if (length < 0 || (size_t)length >= capacity) return 0;
  return (size_t)length;
}

/* Where the program subscribes, for a recording: the latest frame of its own. */
static size_t locate(void *context, char *buffer, size_t capacity) {
  (void)context;
  int attached = begin();
  if (attached < 0) return 0;
  PyObject *type, *value, *traceback;
  PyErr_Fetch(&type, &value, &traceback);
  PyObject *frame = Py_XNewRef((PyObject *)PyEval_GetFrame());
  while (frame != NULL && frame != Py_None && !is_of_program(frame))
    Py_SETREF(frame, PyObject_GetAttrString(frame, "f_back"));
  size_t length =
      frame == NULL || frame == Py_None ? 0 : describe(frame, buffer, capacity);
  Py_XDECREF(frame);
  PyErr_Restore(type, value, traceback);
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
