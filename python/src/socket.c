/* Connections as Python's objects.
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
