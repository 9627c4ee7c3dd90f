/* The functions that the engine calls, whose context is a callable of Python's or,
 * with a number at the end of the name, a tuple of which it is that element.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef LIBRAC_CALLBACKS_H
#define LIBRAC_CALLBACKS_H

#include "extension.h"

/* The context of an operator of signals: its function, and what a note says of it. With
 * several functions it is a tuple, which has one of these at its end. */
typedef struct {
  PyObject ob_base;
  PyObject *function; /* NULL in a tuple */
  PyObject *chain;  /* of the source, as the engine says it; NULL: not known */
  const char *name; /* NULL: of a subscription, whose whole chain is known */
} Operator;
extern PyTypeObject *operator_class;
PyObject *make_operator(const char *name, rac_signal *source,
                        PyObject *function);
/* For the context of a subscription, what says the name of its chain, around a function or
 * NULL: new; NULL, without an exception, where it has none. */
PyObject *chain_context(rac_signal *source, PyObject *function);
static inline PyObject *function_of(void *context) {
  return Py_IS_TYPE((PyObject *)context, operator_class)
             ? ((Operator *)context)->function
             : context;
}
PyObject *chain_of(rac_signal *signal);
PyObject *chain_of_stages(PyObject *object); /* NULL: it is none */
/* fail() was called for a callback with this context and value, or without one. */
void note_failed(PyObject *context, const rac_value *value);
/* value may be NULL, chain too. */
void add_note(PyObject *exception, const char *name, PyObject *chain,
              PyObject *value);
/* fail(), of an operator that has no function. */
rac_status fail_in(void *context, const rac_value *value);

#define RAC_PY_VALUES_OUT(name)                                                \
  rac_status name(void *context, rac_value value, rac_value *out)
RAC_PY_VALUES_OUT(call_map);
RAC_PY_VALUES_OUT(call_map_0);
RAC_PY_VALUES_OUT(call_map_1);
rac_status call_predicate(void *context, rac_value value, bool *out);
rac_status call_compare(void *context, rac_value value, rac_value other,
                        int32_t *out);
rac_status call_reduce(void *context, rac_value running, rac_value next,
                       rac_value *out);
rac_status call_reduce_1(void *context, rac_value running, rac_value next,
                         rac_value *out);
rac_status call_reduce_index(void *context, rac_value running, rac_value next,
                             size_t index, rac_value *out);
rac_status call_reduce_each(void *context, const rac_value *elements,
                            size_t count, rac_value *out);
rac_status call_factory(void *context, rac_value *out);
rac_status call_factory_0(void *context, rac_value *out);
rac_status call_try(void *context, rac_value value);
rac_status call_try_1(void *context, rac_value value);
rac_status call_signal(void *context, rac_value value, rac_signal **out);
rac_status call_signal_1(void *context, rac_value value, rac_signal **out);
rac_status call_signal_index(void *context, rac_value value, size_t index,
                             rac_signal **out);
rac_status call_bind(void *context, rac_value value, bool *stop,
                     rac_signal **out);
rac_status call_defer(void *context, rac_signal **out);
rac_status call_execute(void *context, rac_value input, rac_signal **out);
rac_status call_sequence(void *context, rac_value value, rac_sequence **out);
rac_status call_sequence_bind(void *context, rac_value value, bool *stop,
                              rac_sequence **out);
rac_status call_sequence_tail_1(void *context, rac_sequence **out);
rac_status call_generate(void *context, rac_value state, rac_value *next_state,
                         rac_value *out);
rac_status call_fold_right(void *context, rac_value value,
                           const rac_value *rest, rac_value *out);
rac_status call_subscribe(void *context, rac_subscriber *subscriber,
                          rac_disposable **out);
rac_status call_start(void *context, rac_subscriber *subscriber);
rac_status call_step(void *context, rac_step *step, rac_value value,
                     rac_value *out);
RAC_PY_VALUES_OUT(call_map_raised);
rac_status call_factory_0_raised(void *context, rac_value *out);
rac_status call_try_1_raised(void *context, rac_value value);
rac_status call_predicate_raised(void *context, rac_value value, bool *out);
rac_status call_reduce_each_raised(void *context, const rac_value *elements,
                                   size_t count, rac_value *out);
/* 0 with an exception set. */
int map_with(PyObject *callable, rac_value value, rac_value *out);
int make_with(PyObject *callable, rac_value *out);
int try_with(PyObject *callable, rac_value value);
int predicate_with(PyObject *callable, rac_value value, bool *out);
int reduce_each_with(PyObject *callable, const rac_value *elements,
                     size_t count, rac_value *out);
void clear_step(void *context, void *state);
void call_next_2(void *context, rac_value value);
void call_error(void *context, rac_value error);
void call_completed(void *context);
void call_action(void *context);
void call_recursive(void *context, rac_recursion *self);
void call_enqueue(void *context, rac_scheduler *scheduler);

#endif
