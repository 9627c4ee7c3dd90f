/* Subjects: what sends by hand.
 *
 * SPDX-License-Identifier: MIT
 */
#include "extension.h"

int subject_init(PyObject *self, PyObject *args, PyObject *keywords) {
  static char *names[] = {"bound", NULL};
  PyObject *bound = Py_None;
  if ((PyTuple_Size(args) > 0 || keywords != NULL) &&
      !PyArg_ParseTupleAndKeywords(args, keywords, "|O:Subject", names, &bound))
    return -1;
  if (bound != Py_None && !is_a(bound, CLASS_BOUND)) {
    PyErr_Format(PyExc_TypeError,
                 "Subject(): bound must be a librac.Bound, not %R",
                 (PyObject *)Py_TYPE(bound));
    return -1;
  }
  void *limit = bound == Py_None ? NULL : handle_of(bound);
  if (bound != Py_None && limit == NULL) return -1;
  return set_handle(
      self, limit ? rac_subject_create_bounded(limit) : rac_subject_create(),
      "Subject");
}

static PyObject *subject_send(PyObject *self, PyObject *object) {
  void *handle = handle_of(self);
  rac_value value;
  if (handle == NULL || !value_of(object, &value)) return NULL;
  /* Who only hands a number on gets the same object, and none is made. */
  PyObject *outer_sent = thread.sent;
  rac_value outer_value = thread.sent_value;
  int is_number = value.kind == RAC_INT64 || value.kind == RAC_DOUBLE;
  thread.sent = is_number ? object : NULL;
  thread.sent_value = value;
  entry outer = enter();
  rac_status status = rac_subject_send(handle, value);
  thread.sent = outer_sent;
  thread.sent_value = outer_value;
  int fine = leave(outer);
  drop_value(value);
  if (!fine) return NULL;
  if (status < 0 && status != RAC_EDONE)
    return set_status(status, "Subject.send");
  return Py_NewRef(Py_None);
}

PyMethodDef subject_by_hand[] = {
    {"send", subject_send, METH_O,
     "send($self, value, /)\n--\n\nSends a value to all who have subscribed. "
     "What their "
     "functions raise comes out here."},
    {"send_many", send_many, METH_O,
     "send_many($self, values, /)\n--\n\nSends each value of an iterable."},
    {"send_array", send_array, METH_O,
     "send_array($self, array, /)\n--\n\nSends the numbers of an array: a "
     "buffer of int64 or "
     "double."},
    {NULL, NULL, 0, NULL}};
