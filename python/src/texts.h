/* Texts of Python's for the engine; see texts.c.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef LIBRAC_TEXTS_H
#define LIBRAC_TEXTS_H

#include "base.h"

extern PyMethodDef text_functions[];

#endif
