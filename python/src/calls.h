/* A function of the engine as the generated table describes it.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef LIBRAC_CALLS_H
#define LIBRAC_CALLS_H

#include "objects.h"

#define MOST_PARAMETERS 8

/* The Python argument of a parameter. */
enum kind {
  KIND_SIGNAL,
  KIND_SCHEDULER,
  KIND_BOUND,
  KIND_SEQUENCE,
  KIND_PROPERTY,
  KIND_DISPOSABLE,
  KIND_SUBJECT,
  KIND_OBSERVER,
  KIND_CALL,
  KIND_SIGNALS,
  KIND_SEQUENCES,
  KIND_PROPERTIES,
  KIND_VALUES,
  KIND_TEXTS,
  KIND_COUNT,
  KIND_COUNT_OR_FOR_EVER,
  KIND_COUNT_OR_ALL,
  KIND_SECONDS,
  KIND_SECONDS_OR_EVER,
  KIND_TIMEOUT,
  KIND_TRUTH,
  KIND_INT,
  KIND_INT64,
  KIND_DESCRIPTOR,
  KIND_ZONE,
  KIND_PRIORITY,
  KIND_POLICY,
  KIND_VALUE,
  KIND_TUPLE, /* what may be one of Python's */
  KIND_ERROR,
  KIND_TEXT,
  KIND_STRING,
  KIND_BYTES
};

/* The result in Python. */
enum result {
  RESULT_HANDLE,
  RESULT_HANDLE_LENT,
  RESULT_HANDLE_OR_NONE,
  RESULT_STATUS,
  RESULT_VALUE_OUT,
  RESULT_TRUTH_OUT,
  RESULT_HASH_OUT,
  RESULT_TRUTH,
  RESULT_SIZE,
  RESULT_NUMBER64,
  RESULT_NUMBER,
  RESULT_COUNT64,
  RESULT_INTEGER64, /* may be negative */
  RESULT_POLICY,
  RESULT_NOTHING
};

struct parameter {
  const char *name;
  enum kind kind;
  bool needed;
  double preset; /* of a number that may be left out */
};

/* An argument as C wants it. `keeper` holds the object that the handle belongs
 * to. */
struct argument {
  union {
    void *handle;
    size_t size;
    double number;
    int64_t integer;
    rac_value value;
    const char *text;
    struct {
      void **items;
      rac_value *values;
      size_t count;
    } list;
  };
  PyObject *keeper;
};

struct call {
  void *self;
  void *context;
  struct argument given[MOST_PARAMETERS];
  struct {
    void *handle;
    rac_status status;
    bool truth;
    size_t size;
    uint64_t number64;
    double real;
    int64_t integer;
    rac_value value;
  } result;
};

/* Whether what functions raise gets a note, and whether self has a chain for
 * it. */
enum operates { OPERATES_NOT, OPERATES, OPERATES_ON_SIGNAL };

struct row {
  const char *name;
  void (*run)(struct call *call);
  const struct parameter *parameters;
  unsigned count;
  unsigned keywords; /* so many at the end have to be named */
  bool variadic;     /* the one parameter is all that is given */
  bool method;
  bool reads;       /* a sequence */
  bool runs_others; /* jobs that others have begun */
  enum operates operates;
  unsigned callbacks; /* with two or more the context is a tuple */
  unsigned order[4];  /* which parameters those are */
  enum result result;
  enum class_number made;
};

/* numbers.c: of what Python has for numbers, and order. */
rac_signal *sum_of(rac_signal *source);
rac_signal *average_of(rac_signal *source);
rac_signal *least_of(rac_signal *source, void *context, rac_compare_fn comparer,
                     rac_destroy_fn destroy);
rac_signal *greatest_of(rac_signal *source, void *context,
                        rac_compare_fn comparer, rac_destroy_fn destroy);
rac_signal *numbers_of(rac_signal *source, const char *operator);
/* Sends tuples as ones of the engine's, for operators that look inside. */
rac_signal *tuples_of(rac_signal *source);
/* The same of its texts and bytes: texts.c. */
rac_signal *texts_of(rac_signal *source);
rac_sequence *sequence_of_tuples(rac_sequence *source);

/* arguments.c */
int convert(const struct row *row, unsigned index, PyObject *object,
            struct argument *out);
int convert_rest(const struct row *row, PyObject *first,
                 PyObject *const *objects, size_t count, struct argument *out);
void let_go(const struct row *row, unsigned index, struct argument *argument);
extern const char *const policy_names[];

#endif
