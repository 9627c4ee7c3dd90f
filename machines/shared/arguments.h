/* Arguments of the public functions: refusals, options, texts, schedulers. */
#ifndef RAC_MACHINES_ARGUMENTS_H
#define RAC_MACHINES_ARGUMENTS_H

#include <rac.h>

/* Keeps the reason for the calling thread; NULL, to be returned. */
void *refuse(const char *function, const char *reason);
/* "" if nothing was refused. */
const char *last_refusal(void);

/* The options as the caller knows them, the rest zero; false for a size that
 * cannot be. */
bool take_options(void *to, size_t size, const void *from);

/* NULL stays NULL; false without memory. */
bool copy_text(const char *from, char **to);

/* Whether descriptors can be waited for there. */
bool can_wait(rac_scheduler *scheduler);

/* A number of chance. */
uint64_t random_bits(void);

/* The next pause before a connection is opened again: from 50 ms to 2 s, each
 * twice as long as the one before; 0 is the first. */
double next_pause(double before);
/* Between a half of it and all of it, so that clients which lost their broker
 * together do not come back together. */
double with_jitter(double pause);

/* Of a value, for messages: "an object". */
const char *kind_name(rac_value value);

/* RAC_BOUND_NONE is no object. */
rac_bound *retain_bound(rac_bound *bound);
void release_bound(rac_bound *bound);

#endif
