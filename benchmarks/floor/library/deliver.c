/* The loop under a delivery, in a shared library.
 *
 * SPDX-License-Identifier: MIT
 */
#include "deliver.h"

void floor_deliver(const floor_call *calls, size_t count, floor_value value) {
  size_t i;
  for (i = 0; i < count; i++) calls[i].function(calls[i].context, value);
}
