/* The methods of signals beside the table, and the functions of the module.
 *
 * SPDX-License-Identifier: MIT
 */
#include "classes.h"
#include "methods.h"
#include "notes.h"
#include "objects.h"
#include "origins.h"
#include "signals.h"
#include "stages.h"
#include "statuses.h"
#include "subscribing.h"
#include "thread.h"
#include "values.h"

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

/* ---- What they have beside the table ------------------------------------- */

PyMethodDef signal_functions[] = {
    {"set_origins", set_origins, METH_O,
     "set_origins($module, enabled, /)\n--\n\n"
     "Whether a subscription remembers the line that made it: for its repr, "
     "for\nreport_live() and for the notes on what its handlers raise. At "
     "first it does\nnot, and under pytest it does.\n\n"
     "enabled: those that are made from now on."},
    {"set_note_hook", set_note_hook, METH_O,
     "set_note_hook($module, function, /)\n--\n\nWhat adds a note to an "
     "exception: function(error, operator, chain, value)."},
    {"set_signal_converter", set_signal_converter, METH_O,
     "set_signal_converter($module, function, /)\n--\n\nWhat makes a signal of "
     "another "
     "object, wherever one is wanted."},
    FAST("_lift", signal_lift,
         "_lift($module, signals, function)\n--\n\nCalls a function with the "
         "latest values "
         "of several signals."),
    FAST(
        "_lift_arguments", signal_lift_arguments,
        "_lift_arguments($module, arguments, function)\n--\n\nCalls a function "
        "with the "
        "elements of each tuple."),
    {NULL, NULL, 0, NULL}};

PyMethodDef signal_by_hand[] = {
    FAST("map", signal_map,
         "map($self, transform)\n"
         "--\n\n"
         "Sends what a function makes of each value.\n\n"
         "    source --1--2--3--|\n"
         "    x * 2  --2--4--6--|\n\n"
         "transform: gets the value, returns another; what it raises ends the\n"
         "    stream.\n\n"
         "ReactiveCocoa: -map:\n\n"
         "Rx: map, select"),
    FAST("filter", signal_filter,
         "filter($self, predicate)\n"
         "--\n\n"
         "Passes the values for which a function answers true.\n\n"
         "    source --1--2--3--4--|\n"
         "    even   -----2-----4--|\n\n"
         "predicate: gets the value, returns a truth value; what it raises "
         "ends\n"
         "    the stream.\n\n"
         "ReactiveCocoa: -filter:\n\n"
         "Rx: filter, where"),
    FAST("_scan", signal_scan,
         "_scan($self, accumulator, seed)\n"
         "--\n\n"
         "What scan() is with a seed."),
    {"_distinct_until_changed", signal_distinct, METH_NOARGS,
     "_distinct_until_changed($self)\n--\n\n"
     "What distinct_until_changed() is without a key."},
    FAST("_distinct_until_changed_by", signal_distinct_by,
         "_distinct_until_changed_by($self, key)\n"
         "--\n\n"
         "What distinct_until_changed() is with a key."),
    FAST("do_next", signal_do_next,
         "do_next($self, action)\n"
         "--\n\n"
         "Calls a function with each value, and then sends the value on.\n\n"
         "    source   --1--2--|\n"
         "    action   --1--2---\n"
         "    do_next  --1--2--|\n\n"
         "action: gets the value; what it returns does not matter, what it "
         "raises\n"
         "    ends the stream.\n\n"
         "ReactiveCocoa: -doNext:\n\n"
         "Rx: do, tap"),
    FAST("_switch", signal_switch,
         "_switch($self, cases, fallback=None)\n"
         "--\n\n"
         "Goes on with the signal of the case that was sent last.\n\n"
         "    source --a-----b--|\n"
         "    a      -----1----2--\n"
         "    b      ---8-----9--|\n"
         "    switch -----1---9--|\n\n"
         "cases: a dict from keys to signals, each subscribed to while its key "
         "is\n"
         "    the latest.\n"
         "fallback: the signal for every other key; None: NoMatchingCase is "
         "the\n"
         "    error.\n\n"
         "ReactiveCocoa: +switch:cases:default:"),
    {"named", signal_named, METH_O,
     "named($self, name, /)\n--\n\nGives it a name; itself."},
    FAST("subscribe", signal_subscribe,
         "subscribe($self, on_next=None, on_error=None, on_completed=None)\n"
         "--\n\n"
         "Subscribes: calls functions with what is sent from now on.\n\n"
         "    source  --1--2--|\n"
         "    on_next --1--2\n\n"
         "What on_next raises, and an error without an on_error, comes out of "
         "the\n"
         "call that sent it. Functions are called on the thread that sends, "
         "one at\n"
         "a time. The subscription lasts until the end or until it is "
         "disposed;\n"
         "losing what this returns does not end it, `with` does.\n\n"
         "on_next: gets each value.\n"
         "on_error: gets the exception, if the stream ends with one.\n"
         "on_completed: called without arguments, if it ends without.\n\n"
         "ReactiveCocoa: -subscribeNext:error:completed:\n\n"
         "Rx: subscribe"),
    FAST("subscribe_arrays", signal_subscribe_arrays,
         "subscribe_arrays($self, function, count=4096, *, dtype='d', "
         "seconds=None, scheduler=None, on_error=None, on_completed=None)\n"
         "--\n\n"
         "Takes numbers many at a time: function(memoryview), which is valid\n"
         "during the call."),
    FAST(
        "subscribe_lists", signal_subscribe_lists,
        "subscribe_lists($self, function, count, *, seconds=None, "
        "scheduler=None, on_error=None, on_completed=None)\n"
        "--\n\n"
        "Takes values many at a time: the function gets a list.\n\n"
        "    source     --1--2--3------4--5--|\n"
        "    in threes  --------(123)--------(45|)   (a list each)\n\n"
        "function: gets the list.\n"
        "count: how many values at most, 1 or more.\n"
        "seconds: how long a value waits at most; None: until there are "
        "`count`,\n"
        "    or the end.\n"
        "scheduler: where that time passes. None: the one that is current when "
        "a\n"
        "    value arrives; without one, a background scheduler.\n"
        "on_error: gets the exception, if the stream ends with one.\n"
        "on_completed: called without arguments, if it ends without."),
    FAST("iterate", signal_iterate,
         "iterate($self, bound=None, timeout=None)\n--\n\nAn iterator that "
         "waits for each value.\n\n"
         "bound: how many values wait to be read, and what happens to more. "
         "None: "
         "any\n    number.\n"
         "timeout: how many seconds it waits for each value. None: for ever."),
    {NULL, NULL, 0, NULL}};
