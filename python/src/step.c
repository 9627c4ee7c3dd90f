/* An operator of one's own: step(make). make() gives, for each subscription, a
 * function f(kind, value, send), which sends what it likes and returns True to
 * complete.
 *
 * SPDX-License-Identifier: MIT
 */
#include "step.h"
#include "callbacks.h"
#include "errors.h"
#include "gil.h"
#include "notes.h"
#include "release.h"
#include "statuses.h"
#include "thread.h"
#include "values.h"

/* The function that sends; it works while a step runs, and not afterwards. */
typedef struct {
  PyObject ob_base;
  rac_step *step;
} Sender;

static PyTypeObject *sender_class;

static PyObject *sender_call(PyObject *self, PyObject *args,
                             PyObject *keywords) {
  PyObject *object;
  rac_value value;
  if (keywords != NULL && PyDict_Size(keywords) > 0)
    return PyErr_Format(PyExc_TypeError, "send() takes no keyword arguments");
  if (!PyArg_ParseTuple(args, "O:send", &object)) return NULL;
  rac_step *step = ((Sender *)self)->step;
  if (step == NULL)
    return PyErr_Format(PyExc_RuntimeError,
                        "send(): the call that it was for is over");
  if (!value_of(object, &value)) return NULL;
  entry outer = enter();
  rac_status status = rac_step_send(step, value);
  int fine = leave(outer);
  drop_value(value);
  if (!fine) return NULL;
  return status < 0 && status != RAC_EDONE ? set_status(status, "send")
                                           : Py_NewRef(Py_None);
}

static PyObject *call_with_sender(PyObject *callable, rac_step *step,
                                  rac_value value) {
  static const char *const kinds[] = {"", "next", "error", "completed"};
  Sender *sender = (Sender *)PyType_GenericAlloc(sender_class, 0);
  PyObject *given =
      step->event == RAC_EVENT_ERROR ? exception_of(value) : object_of(value);
  PyObject *kind = PyUnicode_InternFromString(kinds[step->event]),
           *result = NULL;
  if (sender != NULL && given != NULL && kind != NULL) {
    sender->step = step;
    PyObject *arguments[4] = {NULL, kind, given, (PyObject *)sender};
    result = call_with(callable, arguments + 1, 3);
    sender->step = NULL;
  }
  Py_XDECREF(kind);
  Py_XDECREF(given);
  Py_XDECREF((PyObject *)sender);
  return result;
}

static rac_status step_with(PyObject *make, rac_step *step, rac_value value) {
  PyObject **state = step->state;
  if (*state == NULL && (*state = call_nothing(make)) == NULL) return fail();
  PyObject *function = Py_NewRef(*state),
           *result = call_with_sender(function, step, value);
  int truth = result == NULL ? -1 : PyObject_IsTrue(result);
  Py_XDECREF(result);
  rac_status status = truth < 0 ? fail() : truth ? RAC_STEP_COMPLETE : RAC_OK;
  Py_DECREF(function);
  return status;
}

rac_status call_step(void *context, rac_step *step, rac_value value,
                     rac_value *out) {
  (void)out;
  int attached = begin();
  if (attached < 0) return RAC_ECLOSED;
  rac_status status = step_with(function_of(context), step, value);
  if (status < 0) note_failed(context, &value);
  end(attached);
  return status;
}

void clear_step(void *context, void *state) {
  (void)context;
  drop_context(*(PyObject **)state);
}

static void sender_dealloc(PyObject *self) {
  PyTypeObject *type = Py_TYPE(self);
  PyObject_Free(self);
  Py_DECREF(type);
}

int make_step(void) {
  static PyType_Slot slots[] = {{Py_tp_call, (void *)sender_call},
                                {Py_tp_dealloc, (void *)sender_dealloc},
                                {0, NULL}};
  static PyType_Spec spec = {
      "librac.Sender", sizeof(Sender), 0,
      Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};
  sender_class = (PyTypeObject *)PyType_FromSpec(&spec);
  return sender_class != NULL;
}
