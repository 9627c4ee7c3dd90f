/* The classes: what they have in common, and what each has beside the table.
 *
 * SPDX-License-Identifier: MIT
 */
#include "classes.h"
#include "create.h"
#include "cycles.h"
#include "garbage.h"
#include "gil.h"
#include "methods.h"
#include "objects.h"
#include "thread.h"

#include <stddef.h>
#if PY_VERSION_HEX < 0x030C0000
#include <structmember.h>
#define Py_T_PYSSIZET T_PYSSIZET
#define Py_READONLY READONLY
#endif

/* ---- What all have ------------------------------------------------------- */

static int handle_traverse(PyObject *self, visitproc visit, void *arg) {
  Py_VISIT(Py_TYPE(self));
  Py_VISIT(((Handle *)self)->stages);
  Py_VISIT(((Handle *)self)->source);
  return visit_contexts((Handle *)self, visit, arg);
}

static void handle_dealloc(PyObject *self) {
  PyTypeObject *type = Py_TYPE(self);
  PyObject_GC_UnTrack(self);
  if (((Handle *)self)->weakrefs != NULL) PyObject_ClearWeakRefs(self);
  leave_family((Handle *)self);
  handle_clear(self);
  Py_XDECREF(((Handle *)self)->origin);
  ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
  Py_DECREF(type);
}

static PyObject *handle_repr(PyObject *object) {
  Handle *self = (Handle *)object;
  PyObject *name =
      PyObject_GetAttrString((PyObject *)Py_TYPE(object), "__qualname__");
  PyObject *text = NULL;
  if (name == NULL) return NULL;
  if (PyObject_TypeCheck(object, classes[CLASS_SIGNAL])) {
    PyObject *described = PyObject_GetAttrString(object, "description");
    if (described != NULL && PyObject_IsTrue(described) == 1)
      text = PyUnicode_FromFormat("<librac.%U %U>", name, described);
    Py_XDECREF(described);
    PyErr_Clear();
  }
  if (self->origin != NULL)
    text = PyUnicode_FromFormat("<librac.%U at %U>", name, self->origin);
  else if (text == NULL)
    text = PyUnicode_FromFormat("<librac.%U at %p>", name, self);
  Py_DECREF(name);
  return text;
}

static PyObject *cannot_be_made(PyTypeObject *type, PyObject *args,
                                PyObject *keywords) {
  (void)args;
  (void)keywords;
  PyErr_Format(PyExc_TypeError,
               "cannot create %R: operators and functions make it",
               (PyObject *)type);
  return NULL;
}

static PyMemberDef handle_members[] = {{"__weaklistoffset__", Py_T_PYSSIZET,
                                        offsetof(Handle, weakrefs), Py_READONLY,
                                        NULL},
                                       {NULL, 0, 0, 0, NULL}};

/* ---- What each has ------------------------------------------------------- */

static const struct {
  enum class_number base; /* itself: none */
  PyMethodDef *methods;
  PyGetSetDef *getters;
  initproc make;
  const char *doc;
} told[CLASS_COUNT] = {
    [CLASS_SIGNAL] = {CLASS_SIGNAL, signal_by_hand, signal_getters, NULL,
                      "A stream of values over time, then perhaps an error or "
                      "a completion."},
    [CLASS_SUBJECT] =
        {CLASS_SIGNAL, subject_by_hand, NULL, subject_init,
         "A signal that you send to.\n\n"
         "bound: how many values wait while one is being heard, and "
         "what happens to more.\n    None: any number."},
    [CLASS_BEHAVIOR_SUBJECT] = {CLASS_SUBJECT, NULL, NULL, NULL,
                                "A subject that sends its latest value to each "
                                "new subscriber."},
    [CLASS_REPLAY_SUBJECT] = {CLASS_SUBJECT, NULL, NULL, NULL,
                              "A subject that sends each new subscriber what "
                              "it has been sent."},
    [CLASS_OBSERVER] = {CLASS_OBSERVER, observer_by_hand, NULL, NULL,
                        "What the function of create() sends to."},
    [CLASS_DISPOSABLE] = {CLASS_DISPOSABLE, disposable_by_hand, NULL,
                          disposable_init, "Stops something, once."},
    [CLASS_SUBSCRIPTION] =
        {CLASS_DISPOSABLE, NULL, NULL, NULL,
         "What subscribe() returns: dispose() ends it, losing it does not."},
    [CLASS_COMPOUND_DISPOSABLE] = {CLASS_DISPOSABLE, NULL, NULL, NULL,
                                   "Disposes all that was added."},
    [CLASS_SERIAL_DISPOSABLE] =
        {CLASS_DISPOSABLE, NULL, NULL, NULL,
         "Holds one; a new one disposes the one before."},
    [CLASS_SCOPED_DISPOSABLE] = {CLASS_DISPOSABLE, NULL, NULL, NULL,
                                 "Disposes another one when it is lost."},
    [CLASS_CONNECTION] =
        {CLASS_CONNECTION, NULL, NULL, NULL,
         "One subscription for many, from when it is connected."},
    [CLASS_SCHEDULER] = {CLASS_SCHEDULER, scheduler_by_hand, NULL, NULL,
                         "Where and when work runs, one job after another."},
    [CLASS_RECURSION] = {CLASS_RECURSION, NULL, NULL, NULL,
                         "Called, it has a recursive job run once more."},
    [CLASS_BOUND] =
        {CLASS_BOUND, NULL, NULL, NULL,
         "How much may wait, and what happens to more.\n\n"
         "capacity: how many values, 1 or more.\n"
         "policy: what happens when there is no room.\n"
         "    \"drop_oldest\": the value goes that has waited longest.\n"
         "    \"drop_newest\": the new value goes.\n"
         "    \"latest\": only the latest waits, whatever the capacity is.\n"
         "    \"error\": the stream ends with Overflow.\n"
         "    \"wait\": the sender waits; inside a callback it gets Deadlock.\n"
         "    \"refuse\": the sender gets WouldBlock, and keeps the value."},
    [CLASS_COUNTER] = {CLASS_COUNTER, NULL, NULL, NULL,
                       "A number with a name, which recordings and rac-scope "
                       "show."},
    [CLASS_PROPERTY] =
        {CLASS_PROPERTY, property_by_hand, property_getters, NULL,
         "A value that can be observed.\n\n"
         "initial: the value at first.\n"
         "distinct: whether setting an equal value is no change.\n"
         "bound: how many calls of modify() wait while a change is "
         "being heard; of the\n    policies \"wait\" or \"refuse\". "
         "None: any number."},
    [CLASS_CHANNEL] =
        {CLASS_CHANNEL, NULL, NULL, NULL,
         "Two subjects, each of which hears what the other is sent."},
    [CLASS_COMMAND] = {CLASS_COMMAND, NULL, NULL, NULL,
                       "An action, and whether it can be done now."},
    [CLASS_SEQUENCE] =
        {CLASS_SEQUENCE, sequence_by_hand, NULL, NULL,
         "Values that are computed when they are read, and kept."},
    [CLASS_SEQUENCE_ITERATOR] =
        {CLASS_SEQUENCE_ITERATOR, sequence_iterator_by_hand, NULL, NULL,
         "Reads a sequence, waiting for what has not come."},
};

/* The methods of the table and those by hand, in one array that stays. */
static void *joined(const void *some, const void *more, size_t size) {
  static const char end[sizeof(PyGetSetDef)];
  size_t first = 0, second = 0;
  while (some != NULL &&
         memcmp((const char *)some + first * size, end, sizeof(char *)))
    first++;
  while (more != NULL &&
         memcmp((const char *)more + second * size, end, sizeof(char *)))
    second++;
  char *all = PyMem_Calloc(first + second + 1, size);
  if (all == NULL) return PyErr_NoMemory();
  if (first > 0) memcpy(all, some, first * size);
  if (second > 0) memcpy(all + first * size, more, second * size);
  return all;
}

/* The text from which inspect.signature() and help() take the signature; NULL
 * and an exception. */
static char *text_of_class(enum class_number number) {
  const char *signature = signature_of_class[number];
  if (number == CLASS_SUBJECT) signature = "(bound=None)";
  if (number == CLASS_DISPOSABLE) signature = "(action=None)";
  size_t size = 256 + strlen(told[number].doc);
  char *text = PyMem_Malloc(size);
  if (text == NULL) return (void *)PyErr_NoMemory();
  PyOS_snprintf(text, size, "%s%s\n--\n\n%s", class_names[number],
                signature ? signature : "()", told[number].doc);
  return text;
}

static PyObject *made_class(enum class_number number) {
  static PyMethodDef generic[] = {
      {"__class_getitem__", Py_GenericAlias, METH_O | METH_CLASS,
       "Signal[int] and the like, for annotations."},
      {NULL, NULL, 0, NULL}};
  PyMethodDef *methods = joined(methods_of_class[number], told[number].methods,
                                sizeof(PyMethodDef));
  if (methods != NULL && told[number].base == number)
    methods = joined(methods, generic, sizeof(PyMethodDef));
  PyGetSetDef *getters = joined(getters_of_class[number], told[number].getters,
                                sizeof(PyGetSetDef));
  if (methods == NULL || getters == NULL) return NULL;
  initproc make = told[number].make ? told[number].make : init_of_class[number];
  char *text = text_of_class(number);
  if (text == NULL) return NULL;
  PyType_Slot slots[16] = {
      {Py_tp_doc, text},
      {Py_tp_new, make ? (void *)PyType_GenericNew : (void *)cannot_be_made},
      {Py_tp_methods, methods},
      {Py_tp_getset, getters}};
  size_t used = 4;
  if (make != NULL) slots[used++] = (PyType_Slot){Py_tp_init, (void *)make};
  if (told[number].base == number) {
    slots[used++] = (PyType_Slot){Py_tp_members, handle_members};
    slots[used++] = (PyType_Slot){Py_tp_repr, (void *)handle_repr};
  }
  slots[used++] = (PyType_Slot){Py_tp_traverse, (void *)handle_traverse};
  slots[used++] = (PyType_Slot){Py_tp_clear, (void *)handle_clear};
  slots[used++] = (PyType_Slot){Py_tp_finalize, (void *)handle_finalize};
  slots[used++] = (PyType_Slot){Py_tp_dealloc, (void *)handle_dealloc};
  if (number == CLASS_SIGNAL)
    slots[used++] = (PyType_Slot){Py_tp_iter, (void *)signal_iter};
  if (number == CLASS_SEQUENCE)
    slots[used++] = (PyType_Slot){Py_tp_iter, (void *)sequence_iter};
  if (number == CLASS_SEQUENCE_ITERATOR) {
    slots[used++] = (PyType_Slot){Py_tp_iter, (void *)PyObject_SelfIter};
    slots[used++] =
        (PyType_Slot){Py_tp_iternext, (void *)sequence_iterator_next};
  }
  if (number == CLASS_RECURSION)
    slots[used++] = (PyType_Slot){Py_tp_call, (void *)recursion_call};
  slots[used] = (PyType_Slot){0, NULL};
  char *name = PyMem_Malloc(64); /* older Pythons keep the pointer */
  if (name == NULL) return PyErr_NoMemory();
  PyOS_snprintf(name, 64, "librac.%s", class_names[number]);
  PyType_Spec spec = {
      name, sizeof(Handle), 0,
      Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC, slots};
  PyObject *base = told[number].base == number
                       ? NULL
                       : (PyObject *)classes[told[number].base];
  PyObject *made =
      base ? PyType_FromSpecWithBases(&spec, base) : PyType_FromSpec(&spec);
  PyMem_Free(text);
  return made;
}

int make_classes(PyObject *module) {
  for (int number = 0; number < CLASS_COUNT; number++) {
    PyObject *made = made_class(number);
    if (made == NULL ||
        PyModule_AddObjectRef(module, class_names[number], made) < 0)
      return 0;
    classes[number] = (PyTypeObject *)made;
  }
  return 1;
}
