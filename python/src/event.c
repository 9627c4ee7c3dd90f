/* Events as values: what materialize sends and dematerialize takes.
 *
 * SPDX-License-Identifier: MIT
 */
#include "errors.h"
#include "release.h"
#include "thread.h"
#include "values.h"

typedef struct {
  PyObject ob_base;
  int type; /* RAC_EVENT_NEXT, RAC_EVENT_ERROR or RAC_EVENT_COMPLETED */
  PyObject *content; /* the value or the exception; None */
} Event;

static PyTypeObject *event_class;
static const char *const kinds[] = {NULL, "next", "error", "completed"};

static int event_check(PyObject *object) {
  return Py_IS_TYPE(object, event_class);
}

static PyObject *new_event(int type, PyObject *content) {
  Event *event = content ? (Event *)PyType_GenericAlloc(event_class, 0) : NULL;
  if (event == NULL) {
    Py_XDECREF(content);
    return NULL;
  }
  event->type = type;
  event->content = content;
  return (PyObject *)event;
}

static int value_of_event(PyObject *object, rac_value *out) {
  Event *event = (Event *)object;
  rac_value content;
  if (event->type == RAC_EVENT_COMPLETED) {
    *out = rac_value_event_completed();
    return 1;
  }
  if (event->type == RAC_EVENT_NEXT) {
    if (!value_of(event->content, &content)) return 0;
    entry outer = enter();
    *out = rac_value_event_next(content);
    leave(outer);
  } else {
    if (!error_value_of(event->content, &content, "Event.error")) return 0;
    entry outer = enter();
    *out = rac_value_event_error(content);
    leave(outer);
  }
  drop_value(content);
  if (out->kind == RAC_EVENT) return 1;
  PyErr_NoMemory();
  return 0;
}

static PyObject *object_of_event(rac_value value) {
  int type = rac_event_get_type(value);
  if (type == RAC_EVENT_NEXT)
    return new_event(type, object_of(rac_event_get_value(value)));
  if (type == RAC_EVENT_ERROR)
    return new_event(type, exception_of(rac_event_get_error(value)));
  return new_event(type, Py_NewRef(Py_None));
}

/* ---- The class ----------------------------------------------------------- */

static PyObject *event_next(PyObject *type, PyObject *value) {
  (void)type;
  return new_event(RAC_EVENT_NEXT, Py_NewRef(value));
}

static PyObject *event_error(PyObject *type, PyObject *exception) {
  (void)type;
  if (!PyExceptionInstance_Check(exception)) {
    PyErr_Format(PyExc_TypeError,
                 "Event.error(): exception must be an exception, not %R",
                 Py_TYPE(exception));
    return NULL;
  }
  return new_event(RAC_EVENT_ERROR, Py_NewRef(exception));
}

static PyObject *event_completed(PyObject *type, PyObject *nothing) {
  (void)type;
  (void)nothing;
  return new_event(RAC_EVENT_COMPLETED, Py_NewRef(Py_None));
}

static PyObject *event_kind(PyObject *self, void *closure) {
  (void)closure;
  return PyUnicode_FromString(kinds[((Event *)self)->type]);
}

static PyObject *event_content(PyObject *self, void *type) {
  Event *event = (Event *)self;
  return Py_NewRef(event->type == (int)(intptr_t)type ? event->content
                                                      : Py_None);
}

static PyObject *event_repr(PyObject *self) {
  Event *event = (Event *)self;
  if (event->type == RAC_EVENT_COMPLETED)
    return PyUnicode_FromString("Event.completed()");
  return PyUnicode_FromFormat("Event.%s(%R)", kinds[event->type],
                              event->content);
}

static PyObject *event_compare(PyObject *self, PyObject *other, int how) {
  if (!event_check(other) || (how != Py_EQ && how != Py_NE))
    Py_RETURN_NOTIMPLEMENTED;
  Event *a = (Event *)self, *b = (Event *)other;
  int equal = a->type == b->type;
  if (equal) equal = PyObject_RichCompareBool(a->content, b->content, Py_EQ);
  if (equal < 0) return NULL;
  return PyBool_FromLong(equal == (how == Py_EQ));
}

static Py_hash_t event_hash(PyObject *self) {
  Event *event = (Event *)self;
  Py_hash_t hash = PyObject_Hash(event->content);
  return hash == -1 ? -1 : hash ^ event->type;
}

static int event_traverse(PyObject *self, visitproc visit, void *arg) {
  Py_VISIT(Py_TYPE(self));
  Py_VISIT(((Event *)self)->content);
  return 0;
}

static int event_clear(PyObject *self) {
  Py_CLEAR(((Event *)self)->content);
  return 0;
}

static void event_dealloc(PyObject *self) {
  PyTypeObject *type = Py_TYPE(self);
  PyObject_GC_UnTrack(self);
  event_clear(self);
  PyObject_GC_Del(self);
  Py_DECREF(type);
}

int make_event(PyObject *module) {
  static PyMethodDef methods[] = {
      {"next", event_next, METH_O | METH_CLASS,
       "next($type, value, /)\n--\n\nA value."},
      {"error", event_error, METH_O | METH_CLASS,
       "error($type, exception, /)\n--\n\nA failure."},
      {"completed", event_completed, METH_NOARGS | METH_CLASS,
       "completed($type, /)\n--\n\nA completion."},
      {NULL, NULL, 0, NULL}};
  static PyGetSetDef getters[] = {
      {"kind", event_kind, NULL, "\"next\", \"error\" or \"completed\".", NULL},
      {"value", event_content, NULL, "The value; None for an end.",
       (void *)RAC_EVENT_NEXT},
      {"exception", event_content, NULL,
       "The exception; None for another event.", (void *)RAC_EVENT_ERROR},
      {NULL, NULL, NULL, NULL, NULL}};
  static PyType_Slot slots[] = {
      {Py_tp_doc, "Event()\n--\n\nA value, a failure or a completion, as a "
                  "value of its own."},
      {Py_tp_methods, methods},
      {Py_tp_getset, getters},
      {Py_tp_repr, event_repr},
      {Py_tp_richcompare, event_compare},
      {Py_tp_hash, event_hash},
      {Py_tp_traverse, event_traverse},
      {Py_tp_clear, event_clear},
      {Py_tp_dealloc, event_dealloc},
      {0, NULL}};
  static PyType_Spec spec = {"librac.Event", sizeof(Event), 0,
                             Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC |
                                 Py_TPFLAGS_DISALLOW_INSTANTIATION,
                             slots};
  event_class = (PyTypeObject *)PyType_FromSpec(&spec);
  convert_events(event_class, value_of_event, object_of_event);
  return event_class != NULL &&
         PyModule_AddObjectRef(module, "Event", (PyObject *)event_class) == 0;
}
