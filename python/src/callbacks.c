/* Callbacks that are given values and give one, a truth or nothing.
 *
 * SPDX-License-Identifier: MIT
 */
#include "callbacks.h"
#include "errors.h"
#include "gil.h"
#include "notes.h"
#include "objects.h"
#include "release.h"
#include "thread.h"
#include "values.h"

#define GONE RAC_ECLOSED

PyTypeObject *coroutine_class;

int prepare_callbacks(void) {
  PyObject *types = PyImport_ImportModule("types");
  coroutine_class =
      types ? (PyTypeObject *)PyObject_GetAttrString(types, "CoroutineType")
            : NULL;
  Py_XDECREF(types);
  return coroutine_class != NULL;
}

int complain_of_coroutine(PyObject *callable, PyObject *result) {
  PyObject *closed = PyObject_CallMethod(result, "close", NULL);
  Py_XDECREF(closed);
  if (closed != NULL)
    PyErr_Format(
        PyExc_TypeError,
        "%R must not be a coroutine function here: nobody awaits what it "
        "returns (flat_map, defer and from_ do)",
        callable);
  return 0;
}

int truth_of(PyObject *callable, PyObject *result) {
  if (PyBool_Check(result)) return result == Py_True;
  if (!refuse_coroutine(callable, result)) return -1;
  if (PyType_GetSlot(Py_TYPE(result), Py_am_await) == NULL)
    return PyObject_IsTrue(result);
  PyErr_Format(PyExc_TypeError,
               "%R must return whether, and not something to await, %R",
               callable, (PyObject *)Py_TYPE(result));
  return -1;
}

PyObject *call_with_new(PyObject *callable, rac_value value) {
  PyObject *arguments[2] = {NULL, make_object_of(value)};
  if (arguments[1] == NULL) return NULL;
  PyObject *result = call_with(callable, arguments + 1, 1);
  Py_DECREF(arguments[1]);
  return result;
}

/* With up to three arguments, the references of which it takes over. */
static PyObject *call_some(PyObject *callable, PyObject *a, PyObject *b,
                           PyObject *c, size_t count) {
  PyObject *arguments[4] = {NULL, a, b, c}, *result = NULL;
  if (a != NULL && b != NULL && (count < 3 || c != NULL))
    result = call_with(callable, arguments + 1, count);
  Py_XDECREF(a);
  Py_XDECREF(b);
  Py_XDECREF(c);
  return result;
}

/* Gives a callback's result to the engine; takes over the reference. This and
 * the next functions answer 0 with an exception set. */
static int give(PyObject *callable, PyObject *result, rac_value *out) {
  if (result == NULL) return 0;
  if (refuse_coroutine(callable, result)) return give_value(result, out);
  Py_DECREF(result);
  return 0;
}

static inline PyObject *element(void *context, Py_ssize_t index) {
  return PyTuple_GetItem(context, index);
}

/* ---- A value ------------------------------------------------------------- */

int map_with(PyObject *callable, rac_value value, rac_value *out) {
  return give(callable, call_one(callable, value), out);
}

int make_with(PyObject *callable, rac_value *out) {
  return give(callable, call_nothing(callable), out);
}

static int reduce_with(PyObject *callable, rac_value running, rac_value next,
                       rac_value *out) {
  PyObject *result =
      call_some(callable, object_of(running), object_of(next), NULL, 2);
  return give(callable, result, out);
}

int try_with(PyObject *callable, rac_value value) {
  PyObject *result = call_one(callable, value);
  int fine = result != NULL && refuse_coroutine(callable, result);
  Py_XDECREF(result);
  return fine;
}

#define WITH_LOCK(given, with, function, ...)                                  \
  int attached = begin();                                                      \
  if (attached < 0) return GONE;                                               \
  PyObject *whole = context;                                                   \
  context = function_of(whole);                                                \
  PyObject *callable = function;                                               \
  rac_status status = with(callable, __VA_ARGS__) ? RAC_OK : fail();           \
  if (status < 0) note_failed(whole, given);                                   \
  end(attached);                                                               \
  return status

rac_status call_map(void *context, rac_value value, rac_value *out) {
  WITH_LOCK(&value, map_with, context, value, out);
}
rac_status call_map_0(void *context, rac_value value, rac_value *out) {
  WITH_LOCK(&value, map_with, element(context, 0), value, out);
}
rac_status call_map_1(void *context, rac_value value, rac_value *out) {
  WITH_LOCK(&value, map_with, element(context, 1), value, out);
}
rac_status call_reduce(void *context, rac_value running, rac_value next,
                       rac_value *out) {
  WITH_LOCK(&next, reduce_with, context, running, next, out);
}
rac_status call_reduce_1(void *context, rac_value running, rac_value next,
                         rac_value *out) {
  WITH_LOCK(&next, reduce_with, element(context, 1), running, next, out);
}
rac_status call_factory(void *context, rac_value *out) {
  WITH_LOCK(NULL, make_with, context, out);
}
rac_status call_factory_0(void *context, rac_value *out) {
  WITH_LOCK(NULL, make_with, element(context, 0), out);
}
rac_status call_try(void *context, rac_value value) {
  WITH_LOCK(&value, try_with, context, value);
}
rac_status call_try_1(void *context, rac_value value) {
  WITH_LOCK(&value, try_with, element(context, 1), value);
}

/* f(value, other) gives a number, of which the sign counts. */
static int compare_with(PyObject *callable, rac_value value, rac_value other,
                        int32_t *out) {
  PyObject *result =
      call_some(callable, object_of(value), object_of(other), NULL, 2);
  if (result == NULL) return 0;
  PyObject *zero = PyLong_FromLong(0);
  int above = -1, below = -1;
  if (zero != NULL && refuse_coroutine(callable, result) &&
      (above = PyObject_RichCompareBool(result, zero, Py_GT)) >= 0)
    below = PyObject_RichCompareBool(result, zero, Py_LT);
  Py_XDECREF(zero);
  Py_DECREF(result);
  if (below < 0) return 0;
  *out = above - below;
  return 1;
}

rac_status call_compare(void *context, rac_value value, rac_value other,
                        int32_t *out) {
  WITH_LOCK(&value, compare_with, context, value, other, out);
}

static int reduce_index_with(PyObject *callable, rac_value running,
                             rac_value next, size_t index, rac_value *out) {
  PyObject *result = call_some(callable, object_of(running), object_of(next),
                               PyLong_FromSize_t(index), 3);
  return give(callable, result, out);
}

rac_status call_reduce_index(void *context, rac_value running, rac_value next,
                             size_t index, rac_value *out) {
  WITH_LOCK(&next, reduce_index_with, context, running, next, index, out);
}

int reduce_each_with(PyObject *callable, const rac_value *elements,
                     size_t count, rac_value *out) {
  PyObject *few[9], **arguments = few, *result = NULL;
  if (count > 8 &&
      (arguments = PyMem_Malloc((count + 1) * sizeof *few)) == NULL) {
    PyErr_NoMemory();
    return 0;
  }
  size_t made = 0;
  while (made < count &&
         (arguments[made + 1] = object_of(elements[made])) != NULL)
    made++;
  if (made == count) result = call_with(callable, arguments + 1, count);
  while (made > 0) Py_DECREF(arguments[made--]);
  if (arguments != few) PyMem_Free(arguments);
  return give(callable, result, out);
}

rac_status call_reduce_each(void *context, const rac_value *elements,
                            size_t count, rac_value *out) {
  int attached = begin();
  if (attached < 0) return GONE;
  PyObject *callable = function_of(context);
  rac_status status = RAC_OK;
  if (!reduce_each_with(callable, elements, count, out)) {
    status = fail();
    note_failed_each(context, elements, count);
  }
  end(attached);
  return status;
}

int predicate_with(PyObject *callable, rac_value value, bool *out) {
  PyObject *result = call_one(callable, value);
  int truth = result == NULL ? -1 : truth_of(callable, result);
  Py_XDECREF(result);
  *out = truth > 0;
  return truth >= 0;
}

rac_status call_predicate(void *context, rac_value value, bool *out) {
  WITH_LOCK(&value, predicate_with, context, value, out);
}

/* f(state) gives (value, next state), or None at the end. */
static rac_status generate_with(PyObject *callable, rac_value state,
                                rac_value *next_state, rac_value *out) {
  PyObject *result = call_one(callable, state);
  if (result == Py_None) {
    Py_DECREF(result);
    return RAC_EEMPTY;
  }
  if (result != NULL && !(PyTuple_Check(result) && PyTuple_Size(result) == 2)) {
    PyErr_Format(
        PyExc_TypeError,
        "the function of generate() must return (value, next state) or None, "
        "not %R",
        (PyObject *)Py_TYPE(result));
    Py_CLEAR(result);
  }
  if (result == NULL) return fail();
  rac_value value;
  int fine = give_value(Py_NewRef(PyTuple_GetItem(result, 0)), &value);
  if (fine &&
      !(fine = give_value(Py_NewRef(PyTuple_GetItem(result, 1)), next_state)))
    drop_value(value);
  Py_DECREF(result);
  if (!fine) return fail();
  *out = value;
  return RAC_OK;
}

rac_status call_generate(void *context, rac_value state, rac_value *next_state,
                         rac_value *out) {
  int attached = begin();
  if (attached < 0) return GONE;
  rac_status status =
      generate_with(function_of(context), state, next_state, out);
  if (status == RAC_EUSER) note_failed(context, &state);
  end(attached);
  return status;
}

static int fold_right_with(PyObject *callable, rac_value value,
                           const rac_value *rest, rac_value *out) {
  PyObject *result =
      call_some(callable, object_of(value), object_of(*rest), NULL, 2);
  return give(callable, result, out);
}

/* The rest is always wanted: Python has no lazy arguments. */
rac_status call_fold_right(void *context, rac_value value,
                           const rac_value *rest, rac_value *out) {
  if (rest == NULL) return RAC_PENDING;
  WITH_LOCK(&value, fold_right_with, context, value, rest, out);
}

/* ---- Nothing: what they raise comes out of the call that brought this about  */

void finish(PyObject *context, PyObject *callable, PyObject *result,
            PyObject *value) {
  if (!drop_result(callable, result)) tell_of_handler(context, value);
}

int drop_result(PyObject *callable, PyObject *result) {
  int is_fine = result != NULL && refuse_coroutine(callable, result);
  Py_XDECREF(result);
  return is_fine;
}

#define TELL(callable, result)                                                 \
  int attached = begin();                                                      \
  if (attached < 0) return;                                                    \
  PyObject *whole = context;                                                   \
  context = function_of(whole);                                                \
  if (!drop_result(callable, result)) keep_raised(whole);                      \
  end(attached)

void call_next_2(void *context, rac_value value) {
  TELL(element(context, 2), call_one(element(context, 2), value));
}
void call_completed(void *context) { TELL(context, call_nothing(context)); }
void call_action(void *context) { TELL(context, call_nothing(context)); }

static PyObject *call_with_exception(PyObject *callable, rac_value error) {
  PyObject *exception = exception_of(error);
  if (exception == NULL) return NULL;
  PyObject *result = call_object(callable, exception);
  Py_DECREF(exception);
  return result;
}

void call_error(void *context, rac_value error) {
  TELL(context, call_with_exception(context, error));
}

/* With a handle that is lent for the call. */
static PyObject *call_with_handle(PyObject *callable, void *handle,
                                  enum class_number number) {
  PyObject *object = wrap(classes[number], rac_retain(handle), "a callback");
  if (object == NULL) return NULL;
  PyObject *result = call_object(callable, object);
  Py_DECREF(object);
  return result;
}

void call_recursive(void *context, rac_recursion *self) {
  TELL(context, call_with_handle(context, self, CLASS_RECURSION));
}
void call_enqueue(void *context, rac_scheduler *scheduler) {
  TELL(context, call_with_handle(context, scheduler, CLASS_SCHEDULER));
}
