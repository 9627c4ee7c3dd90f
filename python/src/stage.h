/* A chain of map, filter, scan, do_next and distinct_until_changed, and a value's
 * way through it; see stage.c.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef LIBRAC_STAGE_H
#define LIBRAC_STAGE_H

#include "base.h"

#include <stddef.h>

enum stage_kind {
  STAGE_MAP,
  STAGE_FILTER,
  STAGE_SCAN,
  STAGE_DO,
  STAGE_DISTINCT
};
extern const char *const stage_names[];

struct stage {
  enum stage_kind kind;
  PyObject *function; /* NULL: of a distinct_until_changed without a key */
  PyObject *start;    /* of a scan */
};

/* Whether a subscription keeps an object for it: what came of the values before,
 * or the key of the last one. */
static inline int has_state(enum stage_kind kind) {
  return kind == STAGE_SCAN || kind == STAGE_DISTINCT;
}

typedef struct {
  PyVarObject ob_base;
  PyObject *chain; /* of the source, once it is known: NULL if it has no name */
  size_t count, states;
  struct stage stage[1];
} Stages;

/* The chain before a stage; NULL, without an exception, where nothing is known.
 */
PyObject *chain_until(const Stages *self, const struct stage *stage);

/* What comes of an object: new. NULL and no exception: it was dropped on the
 * way. The reference to `object` is taken over; it may be NULL. `kept` has the
 * objects of the subscription. */
PyObject *through_all(Stages *self, PyObject **kept, PyObject *object);

#endif
