/* Objects that hold a handle of the engine's; see objects.c.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef LIBRAC_OBJECTS_H
#define LIBRAC_OBJECTS_H

#include "thread.h"

/* An object that holds a reference of the engine's. Every class has this
 * layout, so a Python class may have several of them as bases. */
typedef struct Handle {
  PyObject ob_base;
  void *handle; /* a reference of ours; NULL: none yet, or stages say it */
  PyObject *weakrefs;
  PyObject *stages; /* of a signal: Python's own operators, fused (stages.c) */
  PyObject *source; /* the signal that it is made of */
  PyObject *origin; /* of a subscription: where it was made; NULL: not known */
  /* The object that the collector reaches with it: cycles.c. */
  struct Handle *root, *family, *next, *previous;
  struct answer *answer;
  size_t members;
  int is_hub; /* no handle: what several families have in common */
} Handle;

enum class_number {
  CLASS_SIGNAL,
  CLASS_SUBJECT,
  CLASS_BEHAVIOR_SUBJECT,
  CLASS_REPLAY_SUBJECT,
  CLASS_OBSERVER,
  CLASS_DISPOSABLE,
  CLASS_SUBSCRIPTION,
  CLASS_COMPOUND_DISPOSABLE,
  CLASS_SERIAL_DISPOSABLE,
  CLASS_SCOPED_DISPOSABLE,
  CLASS_CONNECTION,
  CLASS_SCHEDULER,
  CLASS_RECURSION,
  CLASS_BOUND,
  CLASS_COUNTER,
  CLASS_PROPERTY,
  CLASS_CHANNEL,
  CLASS_COMMAND,
  CLASS_SEQUENCE,
  CLASS_SEQUENCE_ITERATOR,
  CLASS_COUNT
};
extern PyTypeObject *classes[CLASS_COUNT];
extern const char *const class_names[CLASS_COUNT];

int is_a(PyObject *object, enum class_number number);
/* A new object that owns `handle`; NULL with the engine's latest failure, told
 * in the name of `function`, when there is no handle. */
PyObject *wrap(PyTypeObject *type, void *handle, const char *function);
/* The handle of an object, without looking at its class; NULL and an exception.
 */
void *find_handle(PyObject *object);
static inline void *handle_of(PyObject *object) {
  void *handle = ((Handle *)object)->handle;
  return handle != NULL ? handle : find_handle(object);
}
/* For an __init__: takes over the handle, or sets an exception; 0 or -1. */
int set_handle(PyObject *object, void *handle, const char *function);

/* The handle of a signal whose stages are Python's: stages.c sets it. */
extern void *(*run_stages)(Handle *signal);

/* tp_clear: lets go of the handle. */
int handle_clear(PyObject *object);

/* leave(), and a new object that owns `handle`; or it goes, with the exception.
 */
PyObject *leave_with(entry self, enum class_number number, void *handle,
                     const char *function);

#endif
