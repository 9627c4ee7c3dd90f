/* Observers, which a create function sends to, and disposables.
 *
 * SPDX-License-Identifier: MIT
 */
#include "create.h"
#include "callbacks.h"
#include "objects.h"
#include "parsing.h"
#include "release.h"
#include "sending.h"
#include "statuses.h"
#include "thread.h"

PyObject *observer_of(rac_subscriber *subscriber) {
  return wrap(classes[CLASS_OBSERVER], rac_retain(subscriber), "create");
}

static rac_disposable *of_action(PyObject *action) {
  return rac_disposable_create(Py_XNewRef(action), action ? call_action : NULL,
                               drop_speaking_context);
}

int as_disposable(PyObject *object, rac_disposable **out,
                  const char *function) {
  *out = NULL;
  if (object == Py_None) return 1;
  if (is_a(object, CLASS_DISPOSABLE)) {
    void *handle = handle_of(object);
    *out = handle ? rac_retain(handle) : NULL;
    return handle != NULL;
  }
  if (PyCallable_Check(object)) {
    *out = of_action(object);
    if (*out == NULL) set_last_failure(function);
    return *out != NULL;
  }
  PyErr_Format(PyExc_TypeError,
               "the function given to %s() must return a Disposable, a "
               "callable or None, "
               "not %R",
               function, (PyObject *)Py_TYPE(object));
  return 0;
}

PyObject *observer_send(PyObject *self, PyObject *object) {
  struct sending sending;
  void *handle = begin_sending(&sending, self, object);
  if (handle == NULL) return NULL;
  rac_status status = rac_subscriber_send(handle, sending.value);
  return end_sending(&sending, status, "Observer.send");
}

PyObject *observer_add_disposable(PyObject *self, PyObject *object) {
  void *handle = handle_of(self);
  rac_disposable *disposable;
  if (handle == NULL ||
      !as_disposable(object, &disposable, "Observer.add_disposable"))
    return NULL;
  if (disposable == NULL) return Py_NewRef(Py_None);
  entry outer = enter();
  rac_status status = rac_subscriber_add_disposable(handle, disposable);
  rac_release(disposable);
  if (!leave(outer)) return NULL;
  return status < 0 && status != RAC_EDONE
             ? set_status(status, "Observer.add_disposable")
             : Py_NewRef(Py_None);
}

/* With None, whether it is full. Else None when it is not, or what takes the
 * action back, which is called once when there is room, if the subscription
 * still goes on. After an end it is not full: what is sent goes nowhere.
 */
PyObject *hold(PyObject *self, PyObject *action) {
  static const char *const function = "room";
  bool asks = action == Py_None;
  void *handle = handle_of(self);
  if (handle == NULL || (!asks && !check_callable(action, function, "action")))
    return NULL;
  rac_disposable *waiting = NULL;
  entry outer = enter();
  rac_status status =
      asks ? rac_subscriber_hold(handle, NULL, NULL, NULL, NULL, NULL)
           : rac_subscriber_hold(handle, NULL, &waiting, Py_NewRef(action),
                                 call_action, drop_context);
  if (!leave(outer)) {
    rac_release(waiting);
    return NULL;
  }
  if (status < 0 && status != RAC_EDONE) return set_status(status, function);
  if (asks) return PyBool_FromLong(status == RAC_PENDING);
  return waiting == NULL ? Py_NewRef(Py_None)
                         : wrap(classes[CLASS_DISPOSABLE], waiting, function);
}

/* ---- Disposables --------------------------------------------------------- */

int disposable_init(PyObject *self, PyObject *args, PyObject *keywords) {
  static char *names[] = {"action", NULL};
  PyObject *action = Py_None;
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "|O:Disposable", names,
                                   &action))
    return -1;
  if (action != Py_None && !check_callable(action, "Disposable", "action"))
    return -1;
  return set_handle(self, of_action(action == Py_None ? NULL : action),
                    "Disposable");
}

static PyObject *disposable_enter(PyObject *self, PyObject *nothing) {
  (void)nothing;
  return Py_NewRef(self);
}

static PyObject *disposable_exit(PyObject *self, PyObject *const *args,
                                 Py_ssize_t count, PyObject *keywords) {
  (void)args;
  (void)count;
  (void)keywords;
  void *handle = handle_of(self);
  if (handle == NULL) return NULL;
  entry outer = enter();
  rac_dispose(handle);
  return leave(outer) ? Py_NewRef(Py_None) : NULL;
}

PyMethodDef disposable_by_hand[] = {
    {"__enter__", disposable_enter, METH_NOARGS,
     "Itself; __exit__ disposes it."},
    FAST("__exit__", disposable_exit, "Disposes it."),
    {NULL, NULL, 0, NULL}};
