/* Letting go of values, handles and contexts; see release.c.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef LIBRAC_RELEASE_H
#define LIBRAC_RELEASE_H

#include "base.h"

/* rac_value_release() and rac_release() by a thread that has the lock. */
void drop_value(rac_value value);
void drop_handle(void *handle);
void drop_context(void *context);
/* The same of a function that is called when it is let go of, or just before.
 */
void drop_speaking_context(void *context);
/* Something that the engine held has been let go of: answers of an earlier
 * number are void, see cycles.c. */
extern unsigned long long answers_epoch;
void answers_are_void(void);

#endif
