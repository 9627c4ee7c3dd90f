/* Sequences as iterables: what is read one value at a time.
 *
 * SPDX-License-Identifier: MIT
 */
#include "callbacks.h"
#include "cycles.h"
#include "errors.h"
#include "loops.h"
#include "main_loop.h"
#include "methods.h"
#include "objects.h"
#include "parsing.h"
#include "release.h"
#include "statuses.h"
#include "thread.h"
#include "values.h"

#include <math.h>

PyObject *sequence_iter(PyObject *self) {
  void *handle = handle_of(self);
  if (handle == NULL) return NULL;
  PyObject *made = wrap(classes[CLASS_SEQUENCE_ITERATOR],
                        rac_sequence_iterate(handle), "Sequence.__iter__");
  if (made != NULL) descend((Handle *)made, (Handle *)self);
  return made;
}

/* NULL without an exception: the end. */
static PyObject *answer(rac_status status, rac_value value,
                        const char *function) {
  if (status == RAC_OK) return object_of_owned(value);
  if (status == RAC_EEMPTY) return NULL;
  if (status != RAC_ESTREAM) return set_status(status, function);
  PyObject *exception = exception_of(value);
  drop_value(value);
  if (exception != NULL) set_raised(exception);
  return NULL;
}

struct reading {
  void *handle;
  rac_status status;
  rac_value value;
};

static int read_within(struct reading *self, double seconds) {
  entry outer = enter();
  self->status = rac_sequence_next_for(self->handle, seconds, &self->value);
  if (leave(outer)) return 1;
  if (self->status == RAC_OK || self->status == RAC_ESTREAM)
    drop_value(self->value);
  return 0;
}

static int has_come(void *context) {
  struct reading *self = context;
  if (self->status == RAC_ETIMEDOUT && !read_within(self, 0)) {
    self->status = RAC_EUSER;
    keep_raised(NULL);
  }
  return self->status != RAC_ETIMEDOUT;
}

/* Waits in slices, for Ctrl-C and for the main scheduler: but not where a loop
 * is running, unless what is wanted is there. */
static PyObject *next_within(PyObject *object, double seconds,
                             const char *function) {
  const double slice = 0.02;
  struct reading self = {handle_of(object), RAC_ETIMEDOUT, {0}};
  if (self.handle == NULL) return NULL;
  for (int is_first = 1;; is_first = 0) {
    double now = is_first ? 0 : seconds < slice ? seconds : slice;
    if (!read_within(&self, now)) return NULL;
    if (self.status == RAC_ETIMEDOUT && is_main_thread() &&
        !drain_main(function, has_come, &self)) {
      if (self.status == RAC_OK || self.status == RAC_ESTREAM)
        drop_value(self.value);
      return NULL;
    }
    seconds -= now;
    if (self.status != RAC_ETIMEDOUT || seconds <= 0)
      return answer(self.status, self.value, function);
    if (is_first && !may_wait(function, "async for value in signal"))
      return NULL;
    if (PyErr_CheckSignals() < 0) return NULL;
  }
}

PyObject *sequence_iterator_next(PyObject *self) {
  return next_within(self, INFINITY, "SequenceIterator.__next__");
}

static PyObject *or_stop(PyObject *object) {
  if (object == NULL && !PyErr_Occurred()) PyErr_SetNone(PyExc_StopIteration);
  return object;
}

static PyObject *iterator_next_for(PyObject *self, PyObject *object) {
  double seconds;
  if (!as_seconds(object, &seconds, "SequenceIterator.next_for", "seconds"))
    return NULL;
  if (seconds < 0)
    return PyErr_Format(
        PyExc_ValueError,
        "SequenceIterator.next_for(): seconds must not be negative");
  return or_stop(next_within(self, seconds, "SequenceIterator.next_for"));
}

static PyObject *iterator_try_next(PyObject *self, PyObject *nothing) {
  (void)nothing;
  void *handle = handle_of(self);
  rac_value value = {0};
  if (handle == NULL) return NULL;
  entry outer = enter();
  rac_status status = rac_sequence_next_for(handle, 0, &value);
  if (!leave(outer)) {
    if (status == RAC_OK || status == RAC_ESTREAM) drop_value(value);
    return NULL;
  }
  if (status == RAC_ETIMEDOUT) status = RAC_EAGAIN; /* nothing was waited for */
  return or_stop(answer(status, value, "SequenceIterator.try_next"));
}

PyMethodDef sequence_iterator_by_hand[] = {
    {"next_for", iterator_next_for, METH_O,
     "next_for($self, seconds, /)\n"
     "--\n\n"
     "The next value, if it comes in time; raises TimedOut if it does not, "
     "and\n"
     "StopIteration at the end.\n\n"
     "seconds: how long to wait, 0 or more."},
    {"try_next", iterator_try_next, METH_NOARGS,
     "try_next($self, /)\n--\n\nThe next value if it is there; WouldBlock, "
     "StopIteration."},
    {NULL, NULL, 0, NULL}};

/* ---- Folding ------------------------------------------------------------- */

static PyObject *fold(PyObject *self, PyObject *const *args, Py_ssize_t count,
                      PyObject *keywords, int from_right,
                      const char *function) {
  static const char *const names[] = {"accumulator", "seed"};
  PyObject *given[2];
  rac_value start, out = {0};
  void *handle = handle_of(self);
  if (handle == NULL ||
      !take_arguments(function, names, 2, 2, args, count, keywords, given) ||
      !check_callable(given[0], function, "accumulator") ||
      !value_of(given[1], &start))
    return NULL;
  entry outer = enter_reading();
  rac_status status =
      from_right
          ? rac_sequence_fold_right(handle, start, given[0], call_fold_right,
                                    &out)
          : rac_sequence_fold_left(handle, start, given[0], call_reduce, &out);
  drop_value(start);
  if (!leave(outer)) {
    drop_value(out);
    return NULL;
  }
  return answer(status, out, function);
}

static PyObject *sequence_fold_left(PyObject *self, PyObject *const *args,
                                    Py_ssize_t count, PyObject *keywords) {
  return fold(self, args, count, keywords, 0, "Sequence.fold_left");
}

static PyObject *sequence_fold_right(PyObject *self, PyObject *const *args,
                                     Py_ssize_t count, PyObject *keywords) {
  return fold(self, args, count, keywords, 1, "Sequence.fold_right");
}

static PyObject *sequence_tail(PyObject *self, PyObject *nothing) {
  (void)nothing;
  void *handle = handle_of(self);
  rac_sequence *rest = NULL;
  if (handle == NULL) return NULL;
  entry outer = enter_reading();
  rac_status status = rac_sequence_tail(handle, &rest);
  if (!leave(outer)) {
    rac_release(rest);
    return NULL;
  }
  if (status == RAC_EEMPTY || (status == RAC_OK && rest == NULL))
    return Py_NewRef(Py_None);
  if (status < 0) return set_status(status, "Sequence.tail");
  PyObject *made = wrap(classes[CLASS_SEQUENCE], rest, "Sequence.tail");
  if (made != NULL) descend((Handle *)made, (Handle *)self);
  return made;
}

PyMethodDef sequence_by_hand[] = {
    FAST("fold_left", sequence_fold_left,
         "fold_left($self, accumulator, seed)\n--\n\naccumulator(running, "
         "value) over all values."),
    FAST("fold_right", sequence_fold_right,
         "fold_right($self, accumulator, seed)\n--\n\naccumulator(value, rest) "
         "from the last to the first."),
    {"tail", sequence_tail, METH_NOARGS,
     "tail($self, /)\n--\n\nAll but the first value; None when there is none."},
    {NULL, NULL, 0, NULL}};

/* ---- Signals as iterables ------------------------------------------------ */

PyObject *signal_iterate(PyObject *self, PyObject *const *args,
                         Py_ssize_t count, PyObject *keywords) {
  static const char *const names[] = {"bound", "timeout"};
  PyObject *given[2];
  double timeout = -1;
  void *handle = handle_of(self), *bound = NULL;
  if (handle == NULL ||
      !take_arguments("Signal.iterate", names, 2, 0, args, count, keywords,
                      given) ||
      !may_wait("Signal.iterate", "async for value in signal"))
    return NULL;
  if (given[1] != NULL && given[1] != Py_None &&
      !as_seconds(given[1], &timeout, "Signal.iterate", "timeout"))
    return NULL;
  if (given[0] != NULL && given[0] != Py_None) {
    if (!is_a(given[0], CLASS_BOUND))
      return PyErr_Format(
          PyExc_TypeError,
          "Signal.iterate(): bound must be a librac.Bound, not %R",
          (PyObject *)Py_TYPE(given[0]));
    if ((bound = handle_of(given[0])) == NULL) return NULL;
  }
  entry outer = enter();
  rac_sequence *values = rac_sequence_from_signal(handle, timeout, bound);
  rac_sequence_iterator *iterator =
      values ? rac_sequence_iterate(values) : NULL;
  rac_release(values);
  if (!leave(outer)) {
    rac_release(iterator);
    return NULL;
  }
  return wrap(classes[CLASS_SEQUENCE_ITERATOR], iterator, "Signal.iterate");
}

PyObject *signal_iter(PyObject *self) {
  if (!may_wait("Signal.__iter__", "async for value in signal")) return NULL;
  return signal_iterate(self, NULL, 0, NULL);
}
