/* Arguments of Python's; see parsing.c.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef LIBRAC_PARSING_H
#define LIBRAC_PARSING_H

#include "base.h"

/* Every keyword is optional unless among the first `needed`. */
int take_arguments(const char *function, const char *const *names, size_t count,
                   size_t needed, PyObject *const *given, Py_ssize_t positional,
                   PyObject *keywords, PyObject **out);
/* Says what an argument must be; 0. */
int wrong(const char *function, const char *argument, const char *wanted,
          PyObject *object);
int as_seconds(PyObject *object, double *out, const char *function,
               const char *argument);
int as_count(PyObject *object, size_t *out, const char *function,
             const char *argument);
int check_callable(PyObject *object, const char *function,
                   const char *argument);

#endif
