/* Python's collector: which pass it is in, and what it must not let go of by
 * itself.
 *
 * It takes garbage apart object by object, in any order. A handle that goes
 * meanwhile may have the engine call a function: on_completed where a property
 * ends, do_finally(), what a create function returned. That function would be
 * half taken apart. So a handle of that kind is put aside when finalisers are
 * called, which come first: what hangs on it is then whole, and alive. When the
 * collection is over the handle goes, the functions are called, and the rest
 * goes with it.
 *
 * SPDX-License-Identifier: MIT
 */
#include "garbage.h"
#include "cycles.h"
#include "objects.h"
#include "release.h"
#include "thread.h"

static PyObject *put_aside; /* a list */

void handle_finalize(PyObject *self) {
  if (!collector.is_collecting || !may_speak((Handle *)self)) return;
  PyObject *raised = take_raised();
  if (PyList_Append(put_aside, self) < 0) PyErr_Clear();
  set_raised(raised);
}

/* Nobody else had them when they were put aside. */
static void let_go(void) {
  PyObject *gone = put_aside, *fresh = PyList_New(0);
  if (fresh == NULL) {
    PyErr_Clear();
    return; /* next time */
  }
  put_aside = fresh;
  for (Py_ssize_t i = 0; i < PyList_Size(gone); i++)
    handle_clear(PyList_GetItem(gone, i));
  Py_DECREF(gone);
}

static PyObject *collection(PyObject *module, PyObject *args) {
  (void)module;
  PyObject *phase = PyTuple_Size(args) == 2 ? PyTuple_GetItem(args, 0) : NULL;
  PyObject *info = phase ? PyTuple_GetItem(args, 1) : NULL;
  PyObject *which = info ? PyDict_GetItemString(info, "generation") : NULL;
  collector.is_collecting =
      phase != NULL && PyUnicode_Check(phase) &&
      PyUnicode_CompareWithASCIIString(phase, "start") == 0;
  collector.is_partial = which != NULL && PyLong_AsLong(which) < 2;
  answers_are_void();
  if (!collector.is_collecting && PyList_Size(put_aside) > 0) let_go();
  return Py_NewRef(Py_None);
}

/* ---- Which function it calls first --------------------------------------- */

static int probe_traverse(PyObject *self, visitproc visit, void *arg) {
  Py_VISIT(Py_TYPE(self));
  if (collector.subtracting == NULL) collector.subtracting = visit;
  return 0;
}

static void probe_dealloc(PyObject *self) {
  PyTypeObject *type = Py_TYPE(self);
  PyObject_GC_UnTrack(self);
  PyObject_GC_Del(self);
  Py_DECREF(type);
}

/* A collection of the youngest shows it. */
int prepare_garbage(PyObject *module) {
  static PyMethodDef hears = {"_collection", collection, METH_VARARGS, NULL};
  static PyType_Slot slots[] = {{Py_tp_traverse, (void *)probe_traverse},
                                {Py_tp_dealloc, (void *)probe_dealloc},
                                {0, NULL}};
  static PyType_Spec spec = {"librac.Probe", 0, 0,
                             Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC |
                                 Py_TPFLAGS_DISALLOW_INSTANTIATION,
                             slots};
  put_aside = PyList_New(0);
  PyObject *type = PyType_FromSpec(&spec);
  PyObject *probe = type ? PyType_GenericAlloc((PyTypeObject *)type, 0) : NULL;
  PyObject *gc = PyImport_ImportModule("gc");
  PyObject *callbacks = gc ? PyObject_GetAttrString(gc, "callbacks") : NULL;
  PyObject *function = PyCFunction_NewEx(&hears, module, NULL);
  PyObject *collected =
      probe && gc ? PyObject_CallMethod(gc, "collect", "i", 0) : NULL;
  int fine = put_aside != NULL && collected != NULL && callbacks != NULL &&
             function != NULL && PyList_Append(callbacks, function) == 0;
  Py_XDECREF(collected);
  Py_XDECREF(function);
  Py_XDECREF(callbacks);
  Py_XDECREF(gc);
  Py_XDECREF(probe);
  Py_XDECREF(type);
  return fine;
}
