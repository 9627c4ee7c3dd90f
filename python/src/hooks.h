/* The engine's hooks; see hooks.c.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef LIBRAC_HOOKS_H
#define LIBRAC_HOOKS_H

#include "base.h"

int prepare_threads(void);
/* Once more in a forked child that began anew. */
int set_engine_hooks(void);

#endif
