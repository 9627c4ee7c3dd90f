/* Connections as Python's objects, and Python's texts as the engine's, for what
 * writes and frames them.
 *
 * SPDX-License-Identifier: MIT
 */
#include "socket.h"

#include "errors.h"
#include "gil.h"
#include "release.h"
#include "thread.h"
#include "values.h"

typedef struct {
  PyObject ob_base;
  rac_value value; /* keeps the descriptor open */
} Socket;

static PyTypeObject *socket_class;

static PyObject *object_of_socket(rac_value value) {
  Socket *self = (Socket *)PyType_GenericAlloc(socket_class, 0);
  if (self != NULL) self->value = rac_value_retain(value);
  return (PyObject *)self;
}

static void socket_dealloc(PyObject *self) {
  PyTypeObject *type = Py_TYPE(self);
  drop_value(((Socket *)self)->value);
  PyObject_Free(self);
  Py_DECREF(type);
}

static PyObject *socket_fileno(PyObject *self, PyObject *none) {
  (void)none;
  return PyLong_FromLong(rac_socket_descriptor(((Socket *)self)->value));
}

static PyObject *socket_peer(PyObject *self, void *none) {
  (void)none;
  const char *peer = rac_socket_peer(((Socket *)self)->value);
  return PyUnicode_DecodeFSDefault(peer);
}

static PyObject *socket_repr(PyObject *self) {
  return PyUnicode_FromFormat("<librac.Socket %d of %s>",
                              rac_socket_descriptor(((Socket *)self)->value),
                              rac_socket_peer(((Socket *)self)->value));
}

int make_socket(PyObject *module) {
  static PyMethodDef methods[] = {
      {"fileno", socket_fileno, METH_NOARGS,
       "fileno($self)\n--\n\nThe descriptor, which is open as long as this "
       "object,\nand as the signals that it was handed over to."},
      {NULL, NULL, 0, NULL}};
  static PyGetSetDef attributes[] = {
      {"peer", socket_peer, NULL, "The address of the other side.", NULL},
      {NULL, NULL, NULL, NULL, NULL}};
  static PyType_Slot slots[] = {
      {Py_tp_doc, "A connection that connect() or listen() has sent."},
      {Py_tp_dealloc, socket_dealloc},
      {Py_tp_methods, methods},
      {Py_tp_getset, attributes},
      {Py_tp_repr, socket_repr},
      {0, NULL}};
  static PyType_Spec spec = {
      "librac.Socket", sizeof(Socket), 0,
      Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};
  socket_class = (PyTypeObject *)PyType_FromSpec(&spec);
  convert_sockets(object_of_socket);
  return socket_class != NULL &&
         PyModule_AddObjectRef(module, "Socket", (PyObject *)socket_class) == 0;
}

/* ---- Texts --------------------------------------------------------------- */

/* A str or bytes; else as it is: the engine refuses it. */
static int text_of(PyObject *object, rac_value *out) {
  char *characters = NULL;
  Py_ssize_t length = 0;
  PyObject *bytes = NULL;
  if (PyUnicode_Check(object)) {
    bytes = PyUnicode_AsUTF8String(object);
  } else if (PyObject_CheckBuffer(object)) {
    bytes = PyBytes_FromObject(object);
  } else {
    return give_value(Py_NewRef(object), out);
  }
  if (bytes == NULL ||
      PyBytes_AsStringAndSize(bytes, &characters, &length) < 0) {
    Py_XDECREF(bytes);
    return 0;
  }
  *out = rac_value_bytes_copy(characters, (size_t)length);
  Py_DECREF(bytes);
  if (out->kind == RAC_BYTES) return 1;
  PyErr_NoMemory();
  return 0;
}

static int texts_in(PyObject *tuple, rac_value *out) {
  Py_ssize_t count = PyTuple_Size(tuple), done = 0;
  rac_value *values = PyMem_Malloc((size_t)(count + 1) * sizeof *values);
  if (values == NULL) {
    PyErr_NoMemory();
    return 0;
  }
  while (done < count && text_of(PyTuple_GetItem(tuple, done), &values[done]))
    done++;
  int fine = done == count;
  if (fine) {
    *out = rac_value_tuple(values, (size_t)count);
    fine = out->kind == RAC_TUPLE;
    if (!fine) PyErr_NoMemory();
  }
  while (done > 0) drop_value(values[--done]);
  PyMem_Free(values);
  return fine;
}

static rac_status texts(void *context, rac_value value, rac_value *out) {
  (void)context;
  if (value.kind != RAC_OBJECT && value.kind != RAC_TUPLE) {
    *out = rac_value_retain(value);
    return RAC_OK;
  }
  int attached = begin();
  if (attached < 0) return RAC_ECLOSED;
  PyObject *object = object_of(value);
  int fine = object != NULL && (PyTuple_Check(object) ? texts_in(object, out)
                                                      : text_of(object, out));
  Py_XDECREF(object);
  rac_status status = fine ? RAC_OK : fail();
  end(attached);
  return status;
}

rac_signal *texts_of(rac_signal *source) {
  return rac_signal_map(source, NULL, texts, NULL);
}
