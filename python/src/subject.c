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
  return set_handle(self, rac_subject_create_bounded(limit), "Subject");
}

PyObject *subject_send(PyObject *self, PyObject *object) {
  struct sending sending;
  void *handle = begin_sending(&sending, self, object);
  if (handle == NULL) return NULL;
  rac_status status = rac_subject_send(handle, sending.value);
  return end_sending(&sending, status, "Subject.send");
}

PyMethodDef subject_by_hand[] = {
    {"send", subject_send, METH_O,
     "send($self, value, /)\n"
     "--\n\n"
     "Sends a value to all who have subscribed.\n\n"
     "    send(1)     send(2)\n"
     "    1           2\n\n"
     "They have heard it when this returns, unless another thread is sending:\n"
     "then that one delivers it, in order. What their functions raise comes\n"
     "out here. After the end it goes nowhere.\n\n"
     "ReactiveCocoa: -sendNext:\n\n"
     "Rx: onNext"},
    {"send_many", send_many, METH_O,
     "send_many($self, values, /)\n"
     "--\n\n"
     "Sends each value of an iterable, as send() would; it stops at the\n"
     "first that raises."},
    {"send_array", send_array, METH_O,
     "send_array($self, array, /)\n"
     "--\n\n"
     "Sends the numbers of an array one after the other, from where they "
     "lie.\n\n"
     "array: a C-contiguous buffer of float64 or int64, such as of numpy or\n"
     "    array.array."},
    {NULL, NULL, 0, NULL}};
