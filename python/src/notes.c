/* Notes on what a function of an operator raised, and on the errors that the
 * operator itself makes (noted.c): the operator, its chain, the value.
 *
 * SPDX-License-Identifier: MIT
 */
#include "notes.h"
#include "errors.h"
#include "origins.h"
#include "parsing.h"
#include "thread.h"
#include "values.h"

PyTypeObject *operator_class;

static PyObject *adding; /* notes.py */

PyObject *set_note_hook(PyObject *module, PyObject *function) {
  (void)module;
  if (!check_callable(function, "set_note_hook", "function")) return NULL;
  Py_XSETREF(adding, Py_NewRef(function));
  return Py_NewRef(Py_None);
}

/* The engine's description of a signal; NULL, without an exception, where it
 * has none. */
PyObject *chain_of(rac_signal *signal) {
  char text[512];
  size_t length = rac_signal_describe(signal, text, sizeof text);
  if (length == 0) return NULL;
  if (length >= sizeof text) length = sizeof text - 1;
  PyObject *chain = PyUnicode_DecodeUTF8(text, (Py_ssize_t)length, "replace");
  if (chain == NULL) PyErr_Clear();
  return chain;
}

void add_note(PyObject *exception, const char *name, PyObject *chain,
              PyObject *value) {
  if (adding == NULL || exception == NULL ||
      !PyErr_GivenExceptionMatches(exception, PyExc_Exception))
    return;
  PyObject *raised = take_raised();
  uint64_t call = thread.call;
  PyObject *said = chain ? chain : Py_None;
  PyObject *result =
      value != NULL
          ? PyObject_CallFunction(adding, "OsOO", exception, name, said, value)
          : PyObject_CallFunction(adding, "OzO", exception, name, said);
  resume(call);
  Py_XDECREF(result);
  forget_raised();
  set_raised(raised);
}

void add_note_of(PyObject *exception, const char *name, PyObject *chain,
                 const rac_value *value) {
  PyObject *given = NULL;
  if (value != NULL)
    given = value->kind == RAC_ERROR ? exception_of(*value) : object_of(*value);
  if (value != NULL && given == NULL) PyErr_Clear();
  add_note(exception, name, chain, given);
  Py_XDECREF(given);
}

PyObject *make_operator(const char *name, rac_signal *source,
                        PyObject *function) {
  Operator *made = (Operator *)PyType_GenericAlloc(operator_class, 0);
  if (made == NULL) return NULL;
  const char *dot = name ? strchr(name, '.') : NULL;
  made->name = dot ? dot + 1 : name;
  made->function = Py_XNewRef(function);
  made->chain = source ? chain_of(source) : NULL;
  return (PyObject *)made;
}

PyObject *chain_context(PyObject *chain, PyObject *function) {
  PyObject *origin = origin_now();
  if (chain == NULL && origin == NULL) return NULL;
  PyObject *made = make_operator(NULL, NULL, function);
  if (made != NULL) {
    ((Operator *)made)->chain = chain;
    ((Operator *)made)->origin = origin;
  } else {
    Py_XDECREF(chain);
    Py_XDECREF(origin);
  }
  PyErr_Clear();
  return made;
}

PyObject *origin_in(PyObject *context) {
  if (PyTuple_Check(context) && PyTuple_Size(context) > 0)
    context = PyTuple_GetItem(context, PyTuple_Size(context) - 1);
  else if (PyList_Check(context) && PyList_Size(context) > 0)
    context = PyList_GetItem(context, PyList_Size(context) - 1);
  return Py_IS_TYPE(context, operator_class) ? ((Operator *)context)->origin
                                             : NULL;
}

PyObject *origins_that_last(void) {
  PyObject *list = PyList_New(0), *gc = PyImport_ImportModule("gc");
  PyObject *all = gc ? PyObject_CallMethod(gc, "get_objects", NULL) : NULL;
  int fine = list != NULL && all != NULL;
  for (Py_ssize_t i = 0; fine && i < PyList_Size(all); i++) {
    PyObject *origin = NULL, *each = PyList_GetItem(all, i);
    if (Py_IS_TYPE(each, operator_class)) origin = origin_in(each);
    if (origin != NULL) fine = PyList_Append(list, origin) == 0;
  }
  Py_XDECREF(all);
  Py_XDECREF(gc);
  if (!fine) Py_CLEAR(list);
  return list;
}

void tell_of_handler(PyObject *context, PyObject *value) {
  PyObject *origin = context ? origin_in(context) : NULL;
  if (origin != NULL) {
    PyObject *raised = take_raised();
    add_note(raised, NULL, origin, NULL);
    set_raised(raised);
  }
  tell_raised(context, value);
}

/* Takes the value that fail() was told, and the operator that a callback's
 * context is or has; NULL: there is none. */
static Operator *take_failed(PyObject *context, PyObject **failed) {
  *failed = thread.failed;
  thread.failed = NULL;
  if (PyTuple_Check(context) && PyTuple_Size(context) > 0)
    context = PyTuple_GetItem(context, PyTuple_Size(context) - 1);
  return *failed != NULL && Py_IS_TYPE(context, operator_class)
             ? (Operator *)context
             : NULL;
}

void note_failed(PyObject *context, const rac_value *value) {
  PyObject *failed;
  Operator *self = take_failed(context, &failed);
  if (self == NULL) return;
  Py_INCREF(failed);
  add_note_of(failed, self->name, self->chain, value);
  Py_DECREF(failed);
}

void note_failed_each(PyObject *context, const rac_value *elements,
                      size_t count) {
  PyObject *failed;
  Operator *self = take_failed(context, &failed);
  if (self == NULL) return;
  Py_INCREF(failed);
  PyObject *all = PyTuple_New((Py_ssize_t)count), *element;
  for (size_t i = 0; all != NULL && i < count; i++) {
    if ((element = object_of(elements[i])) != NULL)
      PyTuple_SetItem(all, (Py_ssize_t)i, element);
    else
      Py_CLEAR(all);
  }
  PyErr_Clear();
  add_note(failed, self->name, self->chain, all);
  Py_XDECREF(all);
  Py_DECREF(failed);
}

rac_status fail_in(void *context, const rac_value *value) {
  Operator *self = context;
  PyObject *raised = take_raised();
  add_note_of(raised, self->name, self->chain, value);
  set_raised(raised);
  return fail();
}

static int operator_traverse(PyObject *self, visitproc visit, void *arg) {
  Py_VISIT(Py_TYPE(self));
  Py_VISIT(((Operator *)self)->function);
  return 0;
}

static void operator_dealloc(PyObject *self) {
  PyTypeObject *type = Py_TYPE(self);
  PyObject_GC_UnTrack(self);
  Py_XDECREF(((Operator *)self)->function);
  Py_XDECREF(((Operator *)self)->chain);
  Py_XDECREF(((Operator *)self)->origin);
  PyObject_GC_Del(self);
  Py_DECREF(type);
}

int make_notes(void) {
  static PyType_Slot slots[] = {{Py_tp_traverse, (void *)operator_traverse},
                                {Py_tp_dealloc, (void *)operator_dealloc},
                                {0, NULL}};
  static PyType_Spec spec = {"librac.Operator", sizeof(Operator), 0,
                             Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC |
                                 Py_TPFLAGS_DISALLOW_INSTANTIATION,
                             slots};
  operator_class = (PyTypeObject *)PyType_FromSpec(&spec);
  return operator_class != NULL;
}
