/* Where the program subscribes: for recordings, and, where that is wanted, for
 * notes on what its handlers raise.
 *
 * SPDX-License-Identifier: MIT
 */
#include "origins.h"
#include "thread.h"

#include <stdio.h>

static int are_wanted;

int are_origins_wanted(void) { return are_wanted; }

PyObject *set_origins(PyObject *module, PyObject *enabled) {
  (void)module;
  int truth = PyObject_IsTrue(enabled);
  if (truth < 0) return NULL;
  are_wanted = truth;
  return Py_NewRef(Py_None);
}

/* Whether a frame is the program's, and not of this package. */
static bool is_of_program(PyObject *frame) {
  PyObject *globals = PyObject_GetAttrString(frame, "f_globals");
  PyObject *name =
      globals ? PyMapping_GetItemString(globals, "__name__") : NULL;
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

/* Leaves the exception that is set. */
size_t place_of_program(char *buffer, size_t capacity) {
  PyObject *raised = take_raised();
  PyObject *frame = Py_XNewRef((PyObject *)PyEval_GetFrame());
  while (frame != NULL && frame != Py_None && !is_of_program(frame))
    Py_SETREF(frame, PyObject_GetAttrString(frame, "f_back"));
  size_t length =
      frame == NULL || frame == Py_None ? 0 : describe(frame, buffer, capacity);
  Py_XDECREF(frame);
  set_raised(raised);
  return length;
}

PyObject *origin_now(void) {
  char place[512];
  if (!are_wanted) return NULL;
  size_t length = place_of_program(place, sizeof place);
  PyObject *origin =
      length ? PyUnicode_DecodeUTF8(place, (Py_ssize_t)length, "replace")
             : NULL;
  PyErr_Clear();
  return origin;
}
