/* Notes on what a function of an operator raised; see notes.c.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef LIBRAC_NOTES_H
#define LIBRAC_NOTES_H

#include "base.h"

/* The context of an operator of signals: its function, and what a note says of
 * it. With several functions it is a tuple, which has one of these at its end.
 */
typedef struct {
  PyObject ob_base;
  PyObject *function; /* NULL in a tuple */
  PyObject *chain;  /* of the source, as the engine says it; NULL: not known */
  PyObject *origin; /* of a subscription; NULL: not known */
  const char *name; /* NULL: of a subscription, whose whole chain is known */
  int32_t code;     /* of the errors that it makes itself */
} Operator;
extern PyTypeObject *operator_class;
PyObject *make_operator(const char *name, rac_signal *source,
                        PyObject *function);
/* For the context of a subscription, what says the name of its chain and where
 * it was made, around a function or NULL: new; NULL, without an exception, where
 * neither is known. The reference to `chain` is taken over; it may be NULL. */
PyObject *chain_context(PyObject *chain, PyObject *function);
/* Of all subscriptions that last and remember it: a new list. */
PyObject *origins_that_last(void);
/* Lent; NULL: the context of a callback says none. */
PyObject *origin_in(PyObject *context);
static inline PyObject *function_of(void *context) {
  return Py_IS_TYPE((PyObject *)context, operator_class)
             ? ((Operator *)context)->function
             : context;
}
PyObject *chain_of(rac_signal *signal);
/* fail() was called for a callback with this context and value, or without one.
 */
void note_failed(PyObject *context, const rac_value *value);
void note_failed_each(PyObject *context, const rac_value *elements,
                      size_t count);
/* value may be NULL, chain too. Without a name the chain is an origin. */
void add_note(PyObject *exception, const char *name, PyObject *chain,
              PyObject *value);
void add_note_of(PyObject *exception, const char *name, PyObject *chain,
                 const rac_value *value);
/* tell_raised(), of a handler: with a note where its subscription was made, if
 * the context says it. */
void tell_of_handler(PyObject *context, PyObject *value);
/* fail(), of an operator that has no function. */
rac_status fail_in(void *context, const rac_value *value);

PyObject *set_note_hook(PyObject *module, PyObject *function);
int make_notes(void);

#endif
