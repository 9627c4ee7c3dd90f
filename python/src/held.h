/* Objects of Python's that the engine holds; see held.c.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef LIBRAC_HELD_H
#define LIBRAC_HELD_H

#include "base.h"

int register_objects(void);

#endif
