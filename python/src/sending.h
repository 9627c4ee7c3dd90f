/* Sending one object. Below a send, who only hands it on gets the same object,
 * and none is made: object_of() looks for it.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef LIBRAC_SENDING_H
#define LIBRAC_SENDING_H

#include "objects.h"
#include "release.h"
#include "statuses.h"
#include "values.h"

/* Values go to the engine between begin_sending() and end_sending(). */
struct sending {
  rac_value value;
  struct sent others; /* of an outer call, if there is one */
  entry call;
};

/* The handle of who sends; NULL and an exception when it cannot be. */
static inline void *begin_sending(struct sending *self, PyObject *sender,
                                  PyObject *object) {
  void *handle = handle_of(sender);
  if (handle == NULL || !value_of(object, &self->value)) return NULL;
  self->call = enter();
  if (self->call.outer != 0) self->others = thread.sent;
  thread.sent = (struct sent){object, self->value};
  return handle;
}

/* None; NULL with what callbacks raised, or with what `status` means. */
static inline PyObject *end_sending(struct sending *self, rac_status status,
                                    const char *function) {
  if (self->call.outer != 0)
    thread.sent = self->others;
  else
    thread.sent.value.kind = NOTHING_SENT;
  int fine = leave(self->call);
  /* Objects are views. */
  if (self->value.kind > RAC_DOUBLE && self->value.kind != RAC_OBJECT)
    drop_value(self->value);
  if (!fine) return NULL;
  return status < 0 && status != RAC_EDONE ? set_status(status, function)
                                           : Py_NewRef(Py_None);
}

#endif
