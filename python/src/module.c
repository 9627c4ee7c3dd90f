/* The module: one for the process. The engine is one, too, so a second
 * interpreter cannot have it.
 *
 * SPDX-License-Identifier: MIT
 */
#include "bridged.h"
#include "callbacks.h"
#include "classes.h"
#include "errors.h"
#include "garbage.h"
#include "held.h"
#include "hooks.h"
#include "loops.h"
#include "main_loop.h"
#include "methods.h"
#include "notes.h"
#include "socket.h"
#include "stages.h"
#include "statuses.h"
#include "step.h"
#include "texts.h"
#include "unhandled.h"
#include "values.h"

static int add_functions(PyObject *module) {
  return PyModule_AddFunctions(module, module_calls) == 0 &&
         PyModule_AddFunctions(module, signal_functions) == 0 &&
         PyModule_AddFunctions(module, waiting_functions) == 0 &&
         PyModule_AddFunctions(module, main_functions) == 0 &&
         PyModule_AddFunctions(module, loop_functions) == 0 &&
         PyModule_AddFunctions(module, unhandled_functions) == 0 &&
         PyModule_AddFunctions(module, process_functions) == 0 &&
         PyModule_AddFunctions(module, text_functions) == 0;
}

static int exec_module(PyObject *module) {
  static int made;
  if (made) {
    PyErr_SetString(
        PyExc_ImportError,
        "librac cannot be imported a second time in one process, nor in a "
        "second interpreter: the engine is one for all");
    return -1;
  }
  prepare_errors();
  prepare_unhandled();
  if (!make_errors(module) || !register_objects() || !make_values(module) ||
      !make_socket(module) || !make_event(module) || !make_stages() ||
      !make_notes() || !make_step() || !make_waiting() ||
      !make_arrays(module) || !make_classes(module) || !add_functions(module) ||
      !prepare_callbacks() || !prepare_threads() || !prepare_process(module) ||
      !prepare_garbage(module) || !make_bridge(module))
    return -1;
  made = 1;
  return 0;
}

PyMODINIT_FUNC PyInit__librac(void);
PyMODINIT_FUNC PyInit__librac(void) {
  static PyModuleDef_Slot slots[] = {
      {Py_mod_exec, (void *)exec_module},
#if PY_VERSION_HEX >= 0x030C0000
      {Py_mod_multiple_interpreters,
       Py_MOD_MULTIPLE_INTERPRETERS_NOT_SUPPORTED},
#endif
      {0, NULL}};
  static PyModuleDef definition = {
      PyModuleDef_HEAD_INIT,
      "librac._librac",
      "The C extension under librac: the classes and functions of the engine.",
      0,
      NULL,
      slots,
      NULL,
      NULL,
      NULL};
  return PyModuleDef_Init(&definition);
}
