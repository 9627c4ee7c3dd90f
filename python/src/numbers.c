/* sum, average, min and max, numbers for the rolling ones, and tuples for what
 * opens them.
 *
 * The engine knows scalars alone. A number that is an int or a float in all but
 * its class, as those of numpy and of enums, counts as that here; everything
 * else goes through Python's own operators, so that the result is that of
 * sum(), min() and max(). The interpreter is not needed as long as scalars
 * come.
 *
 * SPDX-License-Identifier: MIT
 */
#include "calls.h"
#include "errors.h"
#include "gil.h"
#include "notes.h"
#include "release.h"
#include "thread.h"
#include "values.h"

#include <math.h>

static int is_integer(rac_value value) {
  return value.kind == RAC_INT64 || value.kind == RAC_BOOL;
}
static int is_scalar(rac_value value) {
  return is_integer(value) || value.kind == RAC_DOUBLE;
}
static double double_of(rac_value value) {
  double number;
  memcpy(&number, &value.bits, sizeof number);
  return number;
}

/* An object that is an int or a float as the engine has them; others stay what
 * they are, arrays of numpy among them, which have the method and refuse the
 * call. Negative with an exception. */
static int simplify(PyObject *object, rac_value *out) {
  if (PyFloat_Check(object)) {
    *out = rac_double(PyFloat_AsDouble(object));
    return 0;
  }
  if (!PyIndex_Check(object)) return 0;
  PyObject *integer = PyNumber_Index(object);
  if (integer == NULL) {
    if (!PyErr_ExceptionMatches(PyExc_TypeError)) return -1;
    PyErr_Clear();
    return 0;
  }
  int overflow;
  long long number = PyLong_AsLongLongAndOverflow(integer, &overflow);
  Py_DECREF(integer);
  if (!overflow) *out = rac_int64(number);
  return 0;
}

/* ---- Adding up ----------------------------------------------------------- */

struct total {
  __int128 integers;
  double high, low; /* of floats, and what that lacks (Neumaier) */
  bool has_floats;
  Py_ssize_t count;
  PyObject *others; /* all so far, once there was something else */
};

static void add_float(struct total *self, double number) {
  double sum = self->high + number, part = sum - self->high;
  double rest = (self->high - (sum - part)) + (number - part);
  self->high = sum;
  self->low = isfinite(sum) ? self->low + rest : 0;
  self->has_floats = true;
}

static double float_of(const struct total *self) {
  struct total all = *self;
  add_float(&all, (double)self->integers);
  return all.high + all.low;
}

static PyObject *integer_of(__int128 number) {
  PyObject *high = PyLong_FromLongLong((long long)(number >> 64));
  PyObject *low = PyLong_FromUnsignedLongLong((unsigned long long)number);
  PyObject *bits = PyLong_FromLong(64), *all = NULL;
  PyObject *shifted = high && bits ? PyNumber_Lshift(high, bits) : NULL;
  if (shifted != NULL && low != NULL) all = PyNumber_Add(shifted, low);
  Py_XDECREF(shifted);
  Py_XDECREF(bits);
  Py_XDECREF(low);
  Py_XDECREF(high);
  return all;
}

static PyObject *object_of_total(const struct total *self) {
  if (self->others != NULL) return Py_NewRef(self->others);
  return self->has_floats ? PyFloat_FromDouble(float_of(self))
                          : integer_of(self->integers);
}

static void add_scalar(struct total *self, rac_value value) {
  if (is_integer(value))
    self->integers += value.kind == RAC_BOOL ? value.bits != 0 : value.bits;
  else
    add_float(self, double_of(value));
}

static int add_object(struct total *self, rac_value value) {
  PyObject *object = object_of(value);
  if (object == NULL) return 0;
  rac_value simple = value;
  int fine = self->others != NULL || simplify(object, &simple) == 0;
  if (fine && self->others == NULL && is_scalar(simple)) {
    add_scalar(self, simple);
  } else if (fine) {
    PyObject *before = object_of_total(self);
    PyObject *sum = before ? PyNumber_Add(before, object) : NULL;
    Py_XDECREF(before);
    fine = sum != NULL;
    if (fine) Py_XSETREF(self->others, sum);
  }
  Py_DECREF(object);
  return fine;
}

static PyObject *mean_of(const struct total *self) {
  if (self->others == NULL)
    return PyFloat_FromDouble(float_of(self) / (double)self->count);
  PyObject *count = PyLong_FromSsize_t(self->count);
  PyObject *mean = count ? PyNumber_TrueDivide(self->others, count) : NULL;
  Py_XDECREF(count);
  return mean;
}

static int send_total(const struct total *self, int divides, rac_value *out) {
  if (divides && self->count == 0) return 1;
  PyObject *result = divides ? mean_of(self) : object_of_total(self);
  return result != NULL && give_value(result, out);
}

static inline rac_status add(void *context, rac_step *step, rac_value value,
                             int divides, rac_value *out) {
  struct total *total = step->state;
  if (step->event == RAC_EVENT_ERROR) return RAC_OK;
  int is_next = step->event == RAC_EVENT_NEXT;
  if (is_next && total->others == NULL && is_scalar(value)) {
    add_scalar(total, value);
    total->count++;
    return RAC_OK;
  }
  int attached = begin();
  if (attached < 0) return RAC_ECLOSED;
  total->count += is_next;
  int fine =
      is_next ? add_object(total, value) : send_total(total, divides, out);
  rac_status status = fine ? RAC_OK : fail_in(context, is_next ? &value : NULL);
  end(attached);
  return status;
}

static void clear_total(void *context, void *state) {
  (void)context;
  PyObject *others = ((struct total *)state)->others;
  if (others != NULL) drop_context(others);
}

static rac_status add_up(void *context, rac_step *step, rac_value value,
                         rac_value *out) {
  return add(context, step, value, 0, out);
}
static rac_status add_and_divide(void *context, rac_step *step, rac_value value,
                                 rac_value *out) {
  return add(context, step, value, 1, out);
}

static rac_signal *total_of(rac_signal *source, const char *name,
                            rac_step_fn step) {
  PyObject *operator= make_operator(name, source, NULL);
  if (operator== NULL) return NULL;
  return rac_signal_step(source, sizeof(struct total), operator, step,
                         clear_total, drop_context);
}

rac_signal *sum_of(rac_signal *source) {
  return total_of(source, "sum", add_up);
}

rac_signal *average_of(rac_signal *source) {
  return total_of(source, "average", add_and_divide);
}

/* ---- Order --------------------------------------------------------------- */

static long double exactly(rac_value value) {
  if (value.kind == RAC_BOOL) return value.bits != 0;
  return value.kind == RAC_INT64 ? (long double)value.bits : double_of(value);
}

/* `side` is how what is better compares. A NaN stays, and takes every place. */
static int32_t compare_scalars(rac_value value, rac_value best, int32_t side) {
  long double one = exactly(value), other = exactly(best);
  if (isnan(other)) return 0;
  return isnan(one) ? side : (one > other) - (one < other);
}

static rac_status compare(void *context, rac_value value, rac_value best,
                          int32_t side, int32_t *out) {
  if (is_scalar(value) && is_scalar(best)) {
    *out = compare_scalars(value, best, side);
    return RAC_OK;
  }
  int attached = begin();
  if (attached < 0) return RAC_ECLOSED;
  PyObject *one = object_of(value), *other = object_of(best);
  int is_better =
      one && other
          ? PyObject_RichCompareBool(one, other, side < 0 ? Py_LT : Py_GT)
          : -1;
  Py_XDECREF(one);
  Py_XDECREF(other);
  *out = is_better > 0 ? side : 0;
  rac_status status = RAC_OK;
  if (is_better < 0) status = fail_in(context, &value);
  end(attached);
  return status;
}

static rac_status compare_least(void *context, rac_value value, rac_value best,
                                int32_t *out) {
  return compare(context, value, best, -1, out);
}

static rac_status compare_greatest(void *context, rac_value value,
                                   rac_value best, int32_t *out) {
  return compare(context, value, best, 1, out);
}

rac_signal *least_of(rac_signal *source, void *context, rac_compare_fn comparer,
                     rac_destroy_fn destroy) {
  if (comparer != NULL)
    return rac_signal_min(source, context, comparer, destroy);
  PyObject *operator= make_operator("min", source, NULL);
  if (operator== NULL) return NULL;
  return rac_signal_min(source, operator, compare_least, drop_context);
}

rac_signal *greatest_of(rac_signal *source, void *context,
                        rac_compare_fn comparer, rac_destroy_fn destroy) {
  if (comparer != NULL)
    return rac_signal_max(source, context, comparer, destroy);
  PyObject *operator= make_operator("max", source, NULL);
  if (operator== NULL) return NULL;
  return rac_signal_max(source, operator, compare_greatest, drop_context);
}

/* ---- Numbers ------------------------------------------------------------- */

static int number_with(rac_value value, rac_value *out) {
  PyObject *object = object_of(value), *number = NULL;
  if (object == NULL) return 0;
  rac_value found = value;
  int fine = simplify(object, &found) == 0;
  if (fine && !is_scalar(found)) {
    /* float() would read a text, too. */
    if (PyUnicode_Check(object) || PyBytes_Check(object) ||
        PyByteArray_Check(object))
      PyErr_Format(PyExc_TypeError, "a number was expected, not %R",
                   (PyObject *)Py_TYPE(object));
    else
      number = PyNumber_Float(object);
    fine = number != NULL;
    if (fine) found = rac_double(PyFloat_AsDouble(number));
    Py_XDECREF(number);
  }
  if (fine) *out = found;
  Py_DECREF(object);
  return fine;
}

static rac_status number_of(void *context, rac_value value, rac_value *out) {
  if (is_scalar(value)) {
    *out = value;
    return RAC_OK;
  }
  int attached = begin();
  if (attached < 0) return RAC_ECLOSED;
  rac_status status =
      number_with(value, out) ? RAC_OK : fail_in(context, &value);
  end(attached);
  return status;
}

/* By the name of the source: the operator has its own. */
static rac_signal *mapped(rac_signal *source, void *context,
                          rac_map_fn function, rac_destroy_fn destroy) {
  rac_signal *made = rac_signal_map(source, context, function, destroy);
  char said[256];
  size_t length = made ? rac_signal_describe(source, said, sizeof said) : 0;
  if (length > 0 && length < sizeof said) (void)rac_signal_set_name(made, said);
  return made;
}

rac_signal *numbers_of(rac_signal *source, const char *name) {
  PyObject *operator= make_operator(name, source, NULL);
  if (operator== NULL) return NULL;
  return mapped(source, operator, number_of, drop_context);
}

/* ---- Tuples -------------------------------------------------------------- */

static rac_status opened(void *context, rac_value value, rac_value *out) {
  (void)context;
  if (value.kind != RAC_OBJECT) {
    *out = rac_value_retain(value);
    return RAC_OK;
  }
  int attached = begin();
  if (attached < 0) return RAC_ECLOSED;
  PyObject *object = object_of(value);
  int fine = object != NULL;
  if (fine && Py_IS_TYPE(object, &PyTuple_Type))
    fine = open_tuple(object, out);
  else if (fine)
    fine = give_value(Py_NewRef(object), out);
  Py_XDECREF(object);
  rac_status status = fine ? RAC_OK : fail();
  end(attached);
  return status;
}

rac_signal *tuples_of(rac_signal *source) {
  return mapped(source, NULL, opened, NULL);
}

rac_sequence *sequence_of_tuples(rac_sequence *source) {
  return rac_sequence_map(source, NULL, opened, NULL);
}
