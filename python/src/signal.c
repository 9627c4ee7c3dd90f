/* Signals: what stands for one, and what is written by hand.
 *
 * SPDX-License-Identifier: MIT
 */
#include "callbacks.h"

static PyObject *converter; /* makes signals of other objects */

PyObject *set_signal_converter(PyObject *module, PyObject *function) {
  (void)module;
  if (function != Py_None &&
      !check_callable(function, "set_signal_converter", "function"))
    return NULL;
  Py_XSETREF(converter, function == Py_None ? NULL : Py_NewRef(function));
  return Py_NewRef(Py_None);
}

static rac_signal *no_signal(PyObject *object, const char *function,
                             const char *argument) {
  if (function != NULL)
    PyErr_Format(PyExc_TypeError, "%s(): %s must be a signal, not %R", function,
                 argument, (PyObject *)Py_TYPE(object));
  return NULL;
}

rac_signal *as_signal(PyObject *object, PyObject **keeper, const char *function,
                      const char *argument) {
  *keeper = NULL;
  if (is_a(object, CLASS_SIGNAL)) {
    rac_signal *handle = handle_of(object);
    *keeper = handle ? Py_NewRef(object) : NULL;
    return handle;
  }
  if (is_a(object, CLASS_PROPERTY)) {
    void *property = handle_of(object);
    rac_signal *handle = property ? rac_property_as_signal(property) : NULL;
    if (handle != NULL)
      *keeper = Py_NewRef(object);
    else
      set_last_failure(function ? function : "a property as a signal");
    return handle;
  }
  PyObject *made = converter ? PyObject_CallOneArg(converter, object) : NULL;
  if (made != NULL && is_a(made, CLASS_SIGNAL)) {
    *keeper = made;
    rac_signal *handle = handle_of(made);
    if (handle == NULL) Py_CLEAR(*keeper);
    return handle;
  }
  if (made == NULL && PyErr_Occurred()) return NULL;
  Py_XDECREF(made);
  return no_signal(object, function, argument);
}

/* ---- Names --------------------------------------------------------------------------- */

PyObject *stages_description(PyObject *stages);

PyObject *signal_description(PyObject *self, void *closure) {
  (void)closure;
  Handle *signal = (Handle *)self;
  if (signal->stages != NULL) {
    PyObject *source = signal_description(signal->source, NULL);
    PyObject *stages = source ? stages_description(signal->stages) : NULL;
    PyObject *text =
        stages ? PyUnicode_FromFormat("%U%U", source, stages) : NULL;
    /* Nothing is known of a source that has no name. */
    if (text != NULL && PyUnicode_GetLength(source) == 0)
      Py_SETREF(text, PyUnicode_Substring(text, 1, PY_SSIZE_T_MAX));
    Py_XDECREF(source);
    Py_XDECREF(stages);
    return text;
  }
  char few[256];
  void *handle = handle_of(self);
  if (handle == NULL) return NULL;
  entry outer = enter();
  size_t length = rac_signal_describe(handle, few, sizeof few);
  char *text = length < sizeof few ? few : PyMem_Malloc(length + 1);
  if (text != NULL && text != few)
    length = rac_signal_describe(handle, text, length + 1);
  leave_quietly(outer, self);
  if (text == NULL) return PyErr_NoMemory();
  PyObject *described =
      PyUnicode_DecodeUTF8(text, (Py_ssize_t)length, "replace");
  if (text != few) PyMem_Free(text);
  return described;
}

static PyObject *signal_named(PyObject *self, PyObject *name) {
  void *handle = handle_of(self);
  if (handle == NULL) return NULL;
  if (!PyUnicode_Check(name))
    return PyErr_Format(PyExc_TypeError,
                        "Signal.named(): name must be a str, not %R",
                        (PyObject *)Py_TYPE(name));
  PyObject *bytes =
      PyUnicode_AsEncodedString(name, "utf-8", "backslashreplace");
  char *text;
  if (bytes == NULL) return NULL;
  if (PyBytes_AsStringAndSize(bytes, &text, NULL) < 0) {
    PyErr_Clear();
    Py_DECREF(bytes);
    return PyErr_Format(PyExc_ValueError,
                        "Signal.named(): name must not have a NUL inside: %R",
                        name);
  }
  entry outer = enter();
  rac_status status = rac_signal_set_name(handle, text);
  Py_DECREF(bytes);
  if (!leave(outer)) return NULL;
  return status < 0 ? set_status(status, "Signal.named") : Py_NewRef(self);
}

static PyObject *signal_key(PyObject *self, void *closure) {
  (void)closure;
  void *handle = handle_of(self);
  rac_value key;
  if (handle == NULL) return NULL;
  rac_status status = rac_signal_get_key(handle, &key);
  if (status == RAC_EKIND) {
    PyErr_SetString(PyExc_AttributeError,
                    "key: this signal is no group of group_by()");
    return NULL;
  }
  return status < 0 ? set_status(status, "Signal.key") : object_of(key);
}

PyGetSetDef signal_getters[] = {
    {"description", signal_description, NULL,
     "Its name and its operators; see set_names_enabled().", NULL},
    {"key", signal_key, NULL, "The key of a group that group_by() sent.", NULL},
    {NULL, NULL, NULL, NULL, NULL}};

/* ---- Operators that no table tells ----------------------------------------------------- */

/* switch(cases, fallback=None): a dict from keys to signals. */
static PyObject *signal_switch(PyObject *self, PyObject *const *args,
                               Py_ssize_t count, PyObject *keywords) {
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
    rac_signal *signal = rac_signal_switch(handle, keys, cases, done, fallback);
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
static PyObject *signal_lift(PyObject *module, PyObject *const *args,
                             Py_ssize_t count, PyObject *keywords) {
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
    entry outer = enter();
    rac_signal *signal =
        rac_lift(signals, (size_t)all, NULL, Py_NewRef(given[1]),
                 call_reduce_each, drop_context);
    made = leave_with(outer, CLASS_SIGNAL, signal, "lift");
  }
  for (Py_ssize_t i = 0; made != NULL && i < all; i++)
    descend((Handle *)made, (Handle *)PyTuple_GetItem(keepers, i));
  PyMem_Free(signals);
  Py_XDECREF(keepers);
  Py_DECREF(listed);
  return made;
}

static PyObject *signal_lift_arguments(PyObject *module, PyObject *const *args,
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
  entry outer = enter();
  rac_signal *signal = rac_lift_arguments(tuples, NULL, Py_NewRef(given[1]),
                                          call_reduce_each, drop_context);
  PyObject *made = leave_with(outer, CLASS_SIGNAL, signal, "lift_arguments");
  if (made != NULL) descend((Handle *)made, (Handle *)keeper);
  Py_DECREF(keeper);
  return made;
}

PyObject *signal_map(PyObject *, PyObject *const *, Py_ssize_t, PyObject *);
PyObject *signal_filter(PyObject *, PyObject *const *, Py_ssize_t, PyObject *);
PyObject *signal_scan(PyObject *, PyObject *const *, Py_ssize_t, PyObject *);
PyObject *signal_do_next(PyObject *, PyObject *const *, Py_ssize_t, PyObject *);
PyObject *signal_iterate(PyObject *, PyObject *const *, Py_ssize_t, PyObject *);

/* For sources that are written in Python: what a handler raised while they go on. */
static PyObject *keep_exception(PyObject *module, PyObject *error) {
  (void)module;
  if (!PyExceptionInstance_Check(error))
    return PyErr_Format(PyExc_TypeError,
                        "keep_exception(): error must be an exception, not %R",
                        (PyObject *)Py_TYPE(error));
  set_raised(Py_NewRef(error));
  if (thread.call != 0)
    keep_raised(NULL);
  else
    PyErr_WriteUnraisable(NULL);
  return Py_NewRef(Py_None);
}

PyMethodDef signal_functions[] = {
    {"keep_exception", keep_exception, METH_O,
     "keep_exception($module, error, /)\n--\n\nRaises it when the call ends "
     "that brought this about; sys.unraisablehook is told of all but the "
     "first."},
    {"set_signal_converter", set_signal_converter, METH_O,
     "set_signal_converter($module, function, /)\n--\n\nWhat makes a signal of "
     "another "
     "object, wherever one is wanted."},
    FAST("lift", signal_lift,
         "lift($module, signals, function)\n--\n\nCalls a function with the "
         "latest values "
         "of several signals."),
    FAST("lift_arguments", signal_lift_arguments,
         "lift_arguments($module, arguments, function)\n--\n\nCalls a function "
         "with the "
         "elements of each tuple."),
    {NULL, NULL, 0, NULL}};

PyMethodDef signal_by_hand[] = {
    FAST("map", signal_map,
         "map($self, transform)\n--\n\nWhat a function makes of each value.\n\n"
         "    source --1--2--3--|\n    x * 10 --10-20-30-|"),
    FAST("filter", signal_filter,
         "filter($self, predicate)\n--\n\nThe values for which a function "
         "answers true.\n\n"
         "    source --1--2--3--|\n    odd    --1-----3--|"),
    FAST("scan", signal_scan,
         "scan($self, start, reduce)\n--\n\nEach value together with what came "
         "before: "
         "reduce(running, value).\n\n    source --1--2--3--|\n    sums   "
         "--1--3--6--|"),
    FAST("do_next", signal_do_next,
         "do_next($self, action)\n--\n\nCalls a function with each value, and "
         "sends it on."),
    FAST("switch", signal_switch,
         "switch($self, cases, fallback=None)\n--\n\nGoes on with the signal "
         "of the case "
         "that was sent last: a dict from keys to signals."),
    {"named", signal_named, METH_O,
     "named($self, name, /)\n--\n\nGives it a name; itself."},
    FAST("subscribe", signal_subscribe,
         "subscribe($self, on_next=None, on_error=None, "
         "on_completed=None)\n--\n\n"
         "Subscribes. What on_next raises, and an error without an on_error, "
         "comes out of "
         "the call that sent it."),
    FAST("subscribe_arrays", signal_subscribe_arrays,
         "subscribe_arrays($self, function, count=4096, *, dtype='d', "
         "seconds=None, "
         "scheduler=None, on_error=None, on_completed=None)\n--\n\nTakes "
         "numbers many at a "
         "time: function(memoryview)."),
    FAST(
        "subscribe_lists", signal_subscribe_lists,
        "subscribe_lists($self, function, count, *, seconds=None, "
        "scheduler=None, "
        "on_error=None, on_completed=None)\n--\n\nTakes values many at a time: "
        "function(list)."),
    FAST("blocking_first", signal_blocking_first,
         "blocking_first($self, timeout=None)\n--\n\nWaits for the first "
         "value. On the main "
         "thread the main scheduler runs meanwhile."),
    FAST("blocking_list", signal_blocking_list,
         "blocking_list($self, timeout=None)\n--\n\nWaits for the end: all "
         "values."),
    FAST("wait_until_completed", signal_wait,
         "wait_until_completed($self, timeout=None)\n--\n\nWaits for the end."),
    FAST("iterate", signal_iterate,
         "iterate($self, bound=None, timeout=None)\n--\n\nAn iterator that "
         "waits for each "
         "value."),
    {NULL, NULL, 0, NULL}};
