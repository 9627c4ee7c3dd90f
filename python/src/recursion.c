/* The argument of a recursive job: called, it has the job run once more.
 *
 * SPDX-License-Identifier: MIT
 */
#include "classes.h"
#include "objects.h"
#include "statuses.h"
#include "thread.h"

PyObject *recursion_call(PyObject *self, PyObject *args, PyObject *keywords) {
  if (PyTuple_Size(args) > 0 || (keywords != NULL && PyDict_Size(keywords) > 0))
    return PyErr_Format(PyExc_TypeError, "again() takes no arguments");
  void *handle = handle_of(self);
  if (handle == NULL) return NULL;
  entry outer = enter();
  rac_status status = rac_reschedule(handle);
  if (!leave(outer)) return NULL;
  return status < 0 && status != RAC_EDONE ? set_status(status, "again")
                                           : Py_NewRef(Py_None);
}
