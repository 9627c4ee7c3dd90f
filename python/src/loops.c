/* The asyncio loop that runs where somebody subscribes.
 *
 * Operators of time wait on the main scheduler, and somebody has to run that.
 * Where a loop of asyncio is running on the main thread it does, from the first
 * subscription on. Whoever waits on the thread of a loop stops it, and is
 * refused.
 *
 * SPDX-License-Identifier: MIT
 */
#include "loops.h"
#include "main_loop.h"
#include "parsing.h"

/* Functions that tell the running loop and have a loop run the main scheduler,
 * and the loop that was told so last: kept, so that no other is mistaken for
 * it. */
static PyObject *running_loop, *serve, *served;
static PyObject
    *refuse; /* raises where a loop is running that waiting would stop */

static PyObject *set_loop_hook(PyObject *module, PyObject *const *args,
                               Py_ssize_t count) {
  (void)module;
  if (count != 3 || !check_callable(args[0], "set_loop_hook", "running") ||
      !check_callable(args[1], "set_loop_hook", "serve") ||
      !check_callable(args[2], "set_loop_hook", "refuse")) {
    if (!PyErr_Occurred())
      PyErr_SetString(PyExc_TypeError,
                      "set_loop_hook(): takes three functions");
    return NULL;
  }
  Py_XSETREF(running_loop, Py_NewRef(args[0]));
  Py_XSETREF(serve, Py_NewRef(args[1]));
  Py_XSETREF(refuse, Py_NewRef(args[2]));
  return Py_NewRef(Py_None);
}

static int is_on_main_thread(void) {
  static _Thread_local int known = -1;
  if (known < 0) known = is_main_thread();
  return known;
}

int serve_loop(void) {
  if (running_loop == NULL || !is_on_main_thread()) return 1;
  PyObject *loop = PyObject_CallNoArgs(running_loop);
  if (loop == NULL) return 0;
  int is_served = 1;
  if (loop != Py_None && loop != served) {
    PyObject *result = PyObject_CallOneArg(serve, loop);
    is_served = result != NULL;
    Py_XDECREF(result);
    if (is_served) Py_XSETREF(served, Py_NewRef(loop));
  }
  Py_DECREF(loop);
  return is_served;
}

int may_wait(const char *function, const char *instead) {
  PyObject *loop = refuse ? PyObject_CallNoArgs(running_loop) : NULL;
  if (loop == NULL) return refuse == NULL;
  int is_running = loop != Py_None;
  Py_DECREF(loop);
  if (!is_running) return 1;
  PyObject *result = PyObject_CallFunction(refuse, "ss", function, instead);
  Py_XDECREF(result);
  return result != NULL;
}

PyMethodDef loop_functions[] = {
    {"set_loop_hook", (PyCFunction)(void (*)(void))set_loop_hook, METH_FASTCALL,
     "set_loop_hook($module, running, serve, refuse, /)\n--\n\nWhat tells "
     "which asyncio loop is running, what has it run the main scheduler, and "
     "what raises where waiting would stop it."},
    {NULL, NULL, 0, NULL}};
