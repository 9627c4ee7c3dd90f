/* The capsule for extensions of other machines: bridge.c.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef LIBRAC_BRIDGED_H
#define LIBRAC_BRIDGED_H

#include "base.h"

int make_bridge(PyObject *module);

#endif
