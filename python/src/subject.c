/* Subjects: what sends by hand.
 *
 * SPDX-License-Identifier: MIT
 */
#include "sending.h"

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
  struct sending sending;
  void *handle = begin_sending(&sending, self, object);
  if (handle == NULL) return NULL;
  rac_status status = rac_subject_send(handle, sending.value);
  return end_sending(&sending, status, "Subject.send");
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
