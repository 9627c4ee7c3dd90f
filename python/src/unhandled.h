/* Errors that nobody handles; see unhandled.c.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef LIBRAC_UNHANDLED_H
#define LIBRAC_UNHANDLED_H

#include "base.h"

void hear_unhandled(void *context, const rac_unhandled_error *report);
void prepare_unhandled(void);
extern PyMethodDef unhandled_functions[];

#endif
