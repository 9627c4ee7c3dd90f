/* Cycles through the engine; see cycles.c.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef LIBRAC_CYCLES_H
#define LIBRAC_CYCLES_H

#include "objects.h"

extern struct collector {
  int is_collecting;
  int is_partial;        /* the young alone */
  visitproc subtracting; /* what its first pass calls */
} collector;

Handle *root_of(Handle *self);
void join_family(Handle *self, Handle *root);
/* `made` is made of `source`, and perhaps of others before. */
void descend(Handle *made, Handle *source);
/* The two hold, in the engine, what depends on both. */
void unite(Handle *self, Handle *other);
void leave_family(Handle *self);
/* For tp_traverse: what hangs on the handle, as far as nobody else holds it. */
int visit_contexts(Handle *self, visitproc visit, void *arg);

/* Whether a function of Python's may be called when the handle goes. */
int may_speak(Handle *self);

#endif
