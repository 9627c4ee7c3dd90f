/* Python, the engine, and what all files need of both. Types and functions are
 * made once, when the module is, and never change: one interpreter, one engine
 * (module.c).
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef LIBRAC_BASE_H
#define LIBRAC_BASE_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <rac.h>

#include "limited.h"

#define FAST(name, function, doc)                                              \
  {name, (PyCFunction)(void (*)(void))(function),                              \
   METH_FASTCALL | METH_KEYWORDS, doc}

#endif
