/* Subjects: what sends by hand.
 *
 * SPDX-License-Identifier: MIT
 */
#include "create.h"
#include "objects.h"
#include "sending.h"
#include "thread.h"

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

/* False when there is no room: what handlers raise may be of the class that
 * send() has for that. */
PyObject *subject_try_send(PyObject *self, PyObject *object) {
  struct sending sending;
  void *handle = begin_sending(&sending, self, object);
  if (handle == NULL) return NULL;
  rac_status status = rac_subject_send(handle, sending.value);
  int is_full = status == RAC_EAGAIN || status == RAC_EDEADLK;
  PyObject *sent =
      end_sending(&sending, is_full ? RAC_OK : status, "Subject.send_async");
  if (sent == NULL) return NULL;
  Py_DECREF(sent);
  return PyBool_FromLong(!is_full);
}
