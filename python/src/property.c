/* Properties: their value, as an attribute too.
 *
 * SPDX-License-Identifier: MIT
 */
#include "classes.h"
#include "objects.h"
#include "release.h"
#include "sending.h"
#include "statuses.h"
#include "subscribing.h"
#include "thread.h"
#include "values.h"

static PyObject *property_get(PyObject *self, PyObject *nothing) {
  (void)nothing;
  void *handle = handle_of(self);
  rac_value value;
  if (handle == NULL) return NULL;
  entry outer = enter();
  rac_status status = rac_property_get(handle, &value);
  if (!leave(outer)) {
    if (status == RAC_OK) drop_value(value);
    return NULL;
  }
  return status < 0 ? set_status(status, "Property.get")
                    : object_of_owned(value);
}

static PyObject *property_set(PyObject *self, PyObject *object) {
  struct sending sending;
  void *handle = begin_sending(&sending, self, object);
  if (handle == NULL) return NULL;
  rac_status status = rac_property_set(handle, sending.value);
  return end_sending(&sending, status, "Property.set");
}

static PyObject *read_value(PyObject *self, void *closure) {
  (void)closure;
  return property_get(self, NULL);
}

static int write_value(PyObject *self, PyObject *object, void *closure) {
  (void)closure;
  if (object == NULL) {
    PyErr_SetString(PyExc_AttributeError,
                    "the value of a property cannot be deleted");
    return -1;
  }
  PyObject *none = property_set(self, object);
  Py_XDECREF(none);
  return none == NULL ? -1 : 0;
}

PyMethodDef property_by_hand[] = {
    {"get", property_get, METH_NOARGS,
     "get($self, /)\n--\n\nIts value. Waits for nobody."},
    {"set", property_set, METH_O,
     "set($self, value, /)\n--\n\nSets it, and tells all who have subscribed."},
    FAST("subscribe", property_subscribe,
         "subscribe($self, on_next=None, on_error=None, on_completed=None)\n"
         "--\n\n"
         "Its value now, then every change: signal.subscribe() in short.\n\n"
         "    set    --2--3---\n"
         "    heard  1-2--3---   (the value was 1)\n\n"
         "on_completed is called when the property goes."),
    {NULL, NULL, 0, NULL}};

PyGetSetDef property_getters[] = {
    {"value", read_value, write_value, "Its value, to be read and set.", NULL},
    {NULL, NULL, NULL, NULL, NULL}};
