/* A loop that calls functions of the program from a shared library, as librac
 * does: the addresses lie so far apart that processors take longer to foresee
 * such calls.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef FLOOR_DELIVER_H
#define FLOOR_DELIVER_H

#include "../floor.h"

void floor_deliver(const floor_call *calls, size_t count, floor_value value);

#endif /* FLOOR_DELIVER_H */
