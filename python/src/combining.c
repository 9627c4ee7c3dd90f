/* Signals made of several others, which no table tells.
 *
 * SPDX-License-Identifier: MIT
 */
#include "callbacks.h"
#include "calls.h"
#include "cycles.h"
#include "methods.h"
#include "noted.h"
#include "objects.h"
#include "parsing.h"
#include "release.h"
#include "signals.h"
#include "thread.h"
#include "values.h"

/* switch(cases, fallback=None): a dict from keys to signals. */
PyObject *signal_switch(PyObject *self, PyObject *const *args, Py_ssize_t count,
                        PyObject *keywords) {
  static const char *const names[] = {"cases", "fallback"};
  PyObject *given[2], *key, *value, *keeper = NULL, *made = NULL;
  void *handle = handle_of(self);
  if (handle == NULL || !take_arguments("Signal.switch", names, 2, 1, args,
                                        count, keywords, given))
    return NULL;
  if (!PyDict_Check(given[0]))
    return PyErr_Format(PyExc_TypeError,
                        "Signal.switch(): cases must be a dict, not %R",
                        (PyObject *)Py_TYPE(given[0]));
  size_t all = (size_t)PyDict_Size(given[0]), done = 0;
  rac_value *keys = PyMem_Calloc(all + 1, sizeof *keys);
  rac_signal **cases = PyMem_Calloc(all + 1, sizeof *cases), *fallback = NULL;
  PyObject **keepers = PyMem_Calloc(all + 1, sizeof *keepers);
  Py_ssize_t position = 0;
  int fine = keys != NULL && cases != NULL && keepers != NULL;
  if (!fine) PyErr_NoMemory();
  while (fine && done < all && PyDict_Next(given[0], &position, &key, &value)) {
    fine = value_of(key, &keys[done]);
    if (fine && (cases[done] = as_signal(value, &keepers[done], "Signal.switch",
                                         "each of cases")) == NULL) {
      drop_value(keys[done]);
      fine = 0;
    }
    done += (size_t)fine;
  }
  if (fine && given[1] != NULL && given[1] != Py_None)
    fine = (fallback = as_signal(given[1], &keeper, "Signal.switch",
                                 "fallback")) != NULL;
  if (fine) {
    entry outer = enter();
    rac_signal *signal = with_notes(
        handle, rac_signal_switch(handle, keys, cases, done, fallback),
        "switch", RAC_SIGNAL_NO_MATCHING_CASE);
    made = leave_with(outer, CLASS_SIGNAL, signal, "Signal.switch");
  }
  if (made != NULL) descend((Handle *)made, (Handle *)self);
  if (made != NULL && keeper != NULL) descend((Handle *)made, (Handle *)keeper);
  while (done > 0) {
    drop_value(keys[--done]);
    if (made != NULL) descend((Handle *)made, (Handle *)keepers[done]);
    Py_DECREF(keepers[done]);
  }
  Py_XDECREF(keeper);
  PyMem_Free(keys);
  PyMem_Free(cases);
  PyMem_Free(keepers);
  return made;
}

/* lift(signals, function): calls it with the latest values of all. */
PyObject *signal_lift(PyObject *module, PyObject *const *args, Py_ssize_t count,
                      PyObject *keywords) {
  (void)module;
  static const char *const names[] = {"signals", "function"};
  PyObject *given[2], *listed, *made = NULL;
  if (!take_arguments("lift", names, 2, 2, args, count, keywords, given) ||
      !check_callable(given[1], "lift", "function"))
    return NULL;
  /* Going through a signal waits for its values, and perhaps for ever. */
  if (is_a(given[0], CLASS_SIGNAL))
    return PyErr_Format(PyExc_TypeError,
                        "lift(): signals must be a list, not %R",
                        (PyObject *)Py_TYPE(given[0]));
  if ((listed = PySequence_List(given[0])) == NULL) return NULL;
  Py_ssize_t all = PyList_Size(listed), done = 0;
  PyObject *keepers = PyTuple_New(all), *keeper;
  rac_signal **signals = PyMem_Calloc((size_t)all + 1, sizeof *signals);
  while (keepers != NULL && signals != NULL && done < all &&
         (signals[done] = as_signal(PyList_GetItem(listed, done), &keeper,
                                    "lift", "each of signals")) != NULL)
    PyTuple_SetItem(keepers, done++, keeper);
  if (keepers != NULL && signals != NULL && done == all) {
    PyObject *function = make_operator("lift", NULL, given[1]);
    entry outer = enter();
    rac_signal *signal = function
                             ? rac_lift(signals, (size_t)all, NULL, function,
                                        call_reduce_each, drop_context)
                             : NULL;
    made = leave_with(outer, CLASS_SIGNAL, signal, "lift");
  }
  for (Py_ssize_t i = 0; made != NULL && i < all; i++)
    descend((Handle *)made, (Handle *)PyTuple_GetItem(keepers, i));
  PyMem_Free(signals);
  Py_XDECREF(keepers);
  Py_DECREF(listed);
  return made;
}

PyObject *signal_lift_arguments(PyObject *module, PyObject *const *args,
                                Py_ssize_t count, PyObject *keywords) {
  (void)module;
  static const char *const names[] = {"arguments", "function"};
  PyObject *given[2], *keeper;
  if (!take_arguments("lift_arguments", names, 2, 2, args, count, keywords,
                      given) ||
      !check_callable(given[1], "lift_arguments", "function"))
    return NULL;
  rac_signal *tuples =
      as_signal(given[0], &keeper, "lift_arguments", "arguments");
  if (tuples == NULL) return NULL;
  PyObject *function = make_operator("lift_arguments", tuples, given[1]);
  entry outer = enter();
  rac_signal *opened = tuples_of(tuples);
  rac_signal *signal = function
                           ? rac_lift_arguments(opened, NULL, function,
                                                call_reduce_each, drop_context)
                           : NULL;
  rac_release(opened);
  PyObject *made = leave_with(outer, CLASS_SIGNAL, signal, "lift_arguments");
  if (made != NULL) descend((Handle *)made, (Handle *)keeper);
  Py_DECREF(keeper);
  return made;
}
