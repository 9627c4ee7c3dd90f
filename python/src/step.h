/* An operator of one's own; see step.c.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef LIBRAC_STEP_H
#define LIBRAC_STEP_H

#include "base.h"

rac_status call_step(void *context, rac_step *step, rac_value value,
                     rac_value *out);
void clear_step(void *context, void *state);

int make_step(void);

#endif
