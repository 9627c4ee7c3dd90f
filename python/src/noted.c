/* Operators that put notes on errors: on those that an operator of the engine's
 * makes itself, and on those of a signal that a function's result was made
 * into.
 *
 * SPDX-License-Identifier: MIT
 */
#include "noted.h"

#include "callbacks.h"
#include "errors.h"

/* ---- Errors of the engine's ---------------------------------------------- */

/* Whether it is the operator's own: the engine has made it, with the code that
 * it uses. */
static int is_own(const Operator *self, rac_value error) {
  const char *domain = rac_error_get_domain(error);
  return domain != NULL && rac_error_get_code(error) == self->code &&
         strcmp(domain, self->code < 0 ? "rac" : "rac.signal") == 0;
}

/* The same error as an exception with a note; 0 with an exception that is set.
 */
static int with_note(Operator *self, rac_value error, rac_value *out) {
  rac_value value = rac_error_get_underlying(error);
  PyObject *exception = exception_of(error);
  if (exception == NULL) return 0;
  add_note_of(exception, self->name, self->chain,
              value.kind != RAC_NIL ? &value : NULL);
  int fine = error_value_of(exception, out, self->name);
  Py_DECREF(exception);
  return fine;
}

static rac_status note_own(void *context, rac_value error, rac_signal **out) {
  int attached = begin();
  if (attached < 0) return RAC_ECLOSED;
  rac_value noted = error;
  rac_status status = RAC_OK;
  if (is_own(context, error) && !with_note(context, error, &noted))
    status = fail();
  if (status == RAC_OK) *out = rac_signal_error(noted);
  if (noted.bits != error.bits) drop_value(noted);
  end(attached);
  return status;
}

rac_signal *with_notes(rac_signal *source, rac_signal *made, const char *name,
                       int32_t code) {
  PyObject *operator= made ? make_operator(name, source, NULL) : NULL;
  if (operator== NULL) return made;
  ((Operator *)operator)->code = code;
  rac_signal *noted = rac_signal_catch(made, operator, note_own, drop_context);
  char said[512];
  size_t length = noted ? rac_signal_describe(made, said, sizeof said) : 0;
  if (length > 0 && length < sizeof said)
    (void)rac_signal_set_name(noted, said);
  rac_release(made);
  return noted;
}

/* ---- Signals that a function has made of something else ------------------ */

/* The context: a tuple of the operator and what its function was given. */
static void note_inner(void *context, rac_value error) {
  int attached = begin();
  if (attached < 0) return;
  Operator *self = (Operator *)PyTuple_GetItem(context, 0);
  PyObject *exception = exception_of(error);
  if (exception != NULL)
    add_note(exception, self->name, self->chain, PyTuple_GetItem(context, 1));
  else
    forget_raised();
  Py_XDECREF(exception);
  end(attached);
}

rac_signal *with_notes_of(PyObject *context, const rac_value *value,
                          rac_signal *inner) {
  if (PyTuple_Check(context) && PyTuple_Size(context) > 0)
    context = PyTuple_GetItem(context, PyTuple_Size(context) - 1);
  if (value == NULL || !Py_IS_TYPE(context, operator_class))
    return rac_retain(inner);
  PyObject *given =
      value->kind == RAC_ERROR ? exception_of(*value) : object_of(*value);
  PyObject *both = given ? PyTuple_Pack(2, context, given) : NULL;
  Py_XDECREF(given);
  if (both == NULL) {
    forget_raised();
    return rac_retain(inner);
  }
  return rac_signal_do_error(inner, both, note_inner, drop_context);
}
