/* Sending many values at once, arrays of numbers by the buffer protocol and
 * lists, and the methods of those that send.
 *
 * SPDX-License-Identifier: MIT
 */
#include "classes.h"
#include "create.h"
#include "objects.h"
#include "statuses.h"
#include "thread.h"

static PyObject *send_buffer(PyObject *self, PyObject *object) {
  void *handle = handle_of(self);
  int subject = is_a(self, CLASS_SUBJECT);
  const char *function = subject ? "Subject.send_array" : "Observer.send_array";
  Py_buffer view;
  if (handle == NULL) return NULL;
  if (!PyObject_CheckBuffer(object))
    return PyErr_Format(PyExc_TypeError,
                        "%s(): array must be a buffer of numbers, not %R",
                        function, (PyObject *)Py_TYPE(object));
  if (PyObject_GetBuffer(object, &view, PyBUF_FORMAT | PyBUF_STRIDES) < 0) {
    PyObject *raised = take_raised();
    PyErr_Format(PyExc_TypeError, "%s(): array must be a buffer of numbers: %S",
                 function, raised);
    Py_DECREF(raised);
    return NULL;
  }
  const char *format = view.format ? view.format : "B";
  if (*format == '@' || *format == '=' || *format == '<') format++;
  int is_double = strcmp(format, "d") == 0 && view.itemsize == 8;
  int is_int64 = (strcmp(format, "q") == 0 || strcmp(format, "l") == 0) &&
                 view.itemsize == 8;
  if (view.ndim != 1 || (!is_double && !is_int64) ||
      (view.shape[0] > 1 && view.strides[0] != 8)) {
    PyErr_Format(PyExc_TypeError,
                 "%s(): array must have one dimension, no gaps, and the type "
                 "int64 or double "
                 "(not '%s' with %d dimensions%s)",
                 function, view.format ? view.format : "B", view.ndim,
                 view.ndim == 1 && view.strides[0] != view.itemsize
                     ? " and strides"
                     : "");
    PyBuffer_Release(&view);
    return NULL;
  }
  size_t count = (size_t)view.shape[0];
  entry outer = enter();
  int32_t type = is_double ? RAC_ARRAY_DOUBLES : RAC_ARRAY_INT64S;
  rac_status status =
      subject ? rac_subject_send_array(handle, type, view.buf, count)
              : rac_subscriber_send_array(handle, type, view.buf, count);
  int fine = leave(outer);
  PyBuffer_Release(&view);
  if (!fine) return NULL;
  return status < 0 && status != RAC_EDONE ? set_status(status, function)
                                           : Py_NewRef(Py_None);
}

/* Arrays of pyarrow, columns of pandas and polars are no buffers, but give an
 * array of numpy that is. */
static PyObject *send_array(PyObject *self, PyObject *object) {
  PyObject *made = PyObject_CheckBuffer(object) || PyType_Check(object)
                       ? NULL
                       : PyObject_GetAttrString(object, "__array__");
  if (made == NULL) {
    PyErr_Clear();
    return send_buffer(self, object);
  }
  Py_SETREF(made, PyObject_CallNoArgs(made));
  PyObject *result = made ? send_buffer(self, made) : NULL;
  Py_XDECREF(made);
  return result;
}

/* Each as send() would: a chunk of several could not be stopped where one
 * raises. */
static PyObject *send_many(PyObject *self, PyObject *object) {
  PyObject *(*send)(PyObject *, PyObject *) =
      is_a(self, CLASS_SUBJECT) ? subject_send : observer_send;
  /* Going through a signal waits for its values, and perhaps for ever. */
  if (is_a(object, CLASS_SIGNAL))
    return PyErr_Format(PyExc_TypeError,
                        "send_many(): values must be an iterable, not %R: "
                        "subscribe_to() sends those of a signal",
                        (PyObject *)Py_TYPE(object));
  /* A handler may change the list. */
  PyObject *values =
      PyList_CheckExact(object) ? PyList_AsTuple(object) : Py_NewRef(object);
  PyObject *iterator = values ? PyObject_GetIter(values) : NULL, *item, *sent;
  Py_XDECREF(values);
  if (iterator == NULL) {
    if (!PyErr_ExceptionMatches(PyExc_TypeError)) return NULL;
    PyErr_Clear();
    return PyErr_Format(PyExc_TypeError,
                        "send_many(): values must be an iterable, not %R",
                        (PyObject *)Py_TYPE(object));
  }
  while ((item = PyIter_Next(iterator)) != NULL) {
    sent = send(self, item);
    Py_DECREF(item);
    if (sent == NULL) break;
    Py_DECREF(sent);
  }
  Py_DECREF(iterator);
  return PyErr_Occurred() ? NULL : Py_NewRef(Py_None);
}

/* ---- What they have beside the table ------------------------------------- */

PyMethodDef observer_by_hand[] = {
    {"send", observer_send, METH_O,
     "send($self, value, /)\n--\n\nSends a value."},
    {"send_many", send_many, METH_O,
     "send_many($self, values, /)\n--\n\nSends each value of an iterable; "
     "it stops at the\nfirst that raises."},
    {"send_array", send_array, METH_O,
     "send_array($self, array, /)\n--\n\nSends the numbers of an array: a "
     "buffer of int64 or "
     "double."},
    {"add_disposable", observer_add_disposable, METH_O,
     "add_disposable($self, disposable, /)\n--\n\nDisposed with the "
     "subscription: a "
     "Disposable or a callable."},
    {"_hold", hold, METH_O, "_hold($self, action, /)\n--\n\nFor room()."},
    {NULL, NULL, 0, NULL}};

PyMethodDef subject_by_hand[] = {
    {"send", subject_send, METH_O,
     "send($self, value, /)\n"
     "--\n\n"
     "Sends a value to all who have subscribed.\n\n"
     "    send(1)     send(2)\n"
     "    1           2\n\n"
     "They have heard it when this returns, unless another thread is sending:\n"
     "then that one delivers it, in order. Exceptions of their functions come\n"
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
     "    array.array, or what makes one by __array__(), as pyarrow and "
     "pandas."},
    {"_hold", hold, METH_O, "_hold($self, action, /)\n--\n\nFor room()."},
    {"_try_send", subject_try_send, METH_O,
     "_try_send($self, value, /)\n--\n\nFor send_async()."},
    {NULL, NULL, 0, NULL}};
