/* A value's way through a chain of functions.
 *
 * SPDX-License-Identifier: MIT
 */
#include "stage.h"
#include "callbacks.h"
#include "held.h"
#include "notes.h"
#include "thread.h"
#include "values.h"

const char *const stage_names[] = {"map", "filter", "scan", "do_next",
                                   "distinct_until_changed"};

PyObject *chain_until(const Stages *self, const struct stage *stage) {
  PyObject *chain = Py_XNewRef(self->chain);
  for (const struct stage *each = self->stage; each < stage; each++) {
    const char *name = stage_names[each->kind];
    PyObject *longer = chain ? PyUnicode_FromFormat("%U -%s", chain, name)
                             : PyUnicode_FromString(name);
    Py_XSETREF(chain, longer);
  }
  PyErr_Clear();
  return chain;
}

/* On the exception that is set. */
static void note_stage(Stages *self, const struct stage *failed,
                       PyObject *object) {
  PyObject *raised = take_raised(), *chain = chain_until(self, failed);
  add_note(raised, stage_names[failed->kind], chain, object);
  Py_XDECREF(chain);
  set_raised(raised);
}

static inline PyObject *unless_coroutine(PyObject *function, PyObject *result) {
  if (result != NULL && !refuse_coroutine(function, result)) Py_CLEAR(result);
  return result;
}

/* ---- Each kind of stage: what it sends, new; NULL: nothing, or an exception --
 */

static PyObject *mapped(const struct stage *stage, PyObject *object) {
  PyObject *arguments[2] = {NULL, object};
  return unless_coroutine(stage->function,
                          call_with(stage->function, arguments + 1, 1));
}

static PyObject *scanned(const struct stage *stage, PyObject **kept,
                         PyObject *object) {
  PyObject *before = *kept != NULL ? *kept : stage->start;
  PyObject *arguments[3] = {NULL, before, object};
  PyObject *result = unless_coroutine(
      stage->function, call_with(stage->function, arguments + 1, 2));
  if (result != NULL) Py_XSETREF(*kept, Py_NewRef(result));
  return result;
}

static PyObject *if_allowed(const struct stage *stage, PyObject *object) {
  PyObject *arguments[2] = {NULL, object};
  PyObject *result = call_with(stage->function, arguments + 1, 1);
  if (result == NULL) return NULL;
  int truth = stage->kind != STAGE_DO ? truth_of(stage->function, result)
              : refuse_coroutine(stage->function, result) ? 1
                                                          : -1;
  Py_DECREF(result);
  return truth > 0 ? Py_NewRef(object) : NULL;
}

static PyObject *if_changed(const struct stage *stage, PyObject **kept,
                            PyObject *object) {
  PyObject *key = stage->function ? mapped(stage, object) : Py_NewRef(object);
  if (key == NULL) return NULL;
  if (*kept != NULL && are_equal_values(*kept, key)) {
    Py_DECREF(key);
    return NULL;
  }
  Py_XSETREF(*kept, key);
  return Py_NewRef(object);
}

/* ---- All of them --------------------------------------------------------- */

static PyObject *through(const struct stage *stage, PyObject **kept,
                         PyObject *object) {
  switch (stage->kind) {
  case STAGE_MAP:
    return mapped(stage, object);
  case STAGE_SCAN:
    return scanned(stage, kept, object);
  case STAGE_DISTINCT:
    return if_changed(stage, kept, object);
  default:
    return if_allowed(stage, object);
  }
}

PyObject *through_all(Stages *self, PyObject **kept, PyObject *object) {
  for (size_t i = 0; object != NULL && i < self->count; i++) {
    const struct stage *stage = &self->stage[i];
    PyObject *result = through(stage, kept, object);
    if (result == NULL && PyErr_Occurred()) note_stage(self, stage, object);
    Py_DECREF(object);
    object = result;
    kept += has_state(stage->kind);
  }
  return object;
}
