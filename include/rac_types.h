/* librac: the types of the C interface.
 *
 * Written by hand: the Swift engine imports this file, so both sides share one
 * definition. The functions are in rac.h, which is generated. Include rac.h.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef RAC_TYPES_H
#define RAC_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if UINTPTR_MAX != UINT64_MAX
#error "librac is for systems with pointers of 64 bits"
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* A field, an argument or a result that holds a constant of an enumeration is
 * an int32_t; so is the enumeration where the language can say so. Swift has
 * the constants as Int32, as a rac_status is, and not the names. */
#if defined(__swift__)
#define RAC_NAMED(enumeration) : int32_t
#elif defined(__cplusplus) ||                                                  \
    (defined(__STDC_VERSION__) && __STDC_VERSION__ >= 202311L)
#define RAC_NAMED(enumeration)                                                 \
  enumeration:                                                                 \
  int32_t
#else
#define RAC_NAMED(enumeration) enumeration
#endif

/* RAC_CALLBACK(result, name, parameters): the type of a pointer to a function.
 * Swift sees it as @Sendable, so that a closure in code of the main actor is
 * not isolated to it: the library calls it on any thread, where such a closure
 * would trap. Swift drops the attribute from a pointer's type, and keeps it on
 * the function's. */
#if defined(__swift__)
#define RAC_SENDABLE __attribute__((swift_attr("@Sendable")))
#define RAC_CALLBACK(result, name, parameters)                                 \
  typedef result name##_body parameters RAC_SENDABLE;                          \
  typedef name##_body *name
#else
#define RAC_SENDABLE
#define RAC_CALLBACK(result, name, parameters) typedef result(*name) parameters
#endif

/* ---- Handles ------------------------------------------------------------
 *
 * Opaque; never dereferenced, neither by you nor by the library: a handle
 * names a slot and a generation of a table. NULL, stale, garbage and
 * wrong-kind handles are recognised and answered with an error. A handle is
 * below 2^53, so it survives languages that keep pointers in doubles.
 */
typedef struct rac_signal rac_signal;
/* Is a signal, too, and a subscriber: rac_subject_as_signal() and
 * rac_subject_as_subscriber() give the same handle by another type. */
typedef struct rac_subject rac_subject;
typedef struct rac_subscriber rac_subscriber;
typedef struct rac_disposable rac_disposable;
typedef struct rac_scheduler rac_scheduler;
typedef struct rac_connection rac_connection;
typedef struct rac_recursion rac_recursion;
typedef struct rac_command rac_command;
typedef struct rac_sequence rac_sequence;
typedef struct rac_sequence_iterator rac_sequence_iterator;
/* Is a signal, too: rac_property_as_signal(). */
typedef struct rac_property rac_property;
typedef struct rac_channel rac_channel;
typedef struct rac_bound rac_bound;
typedef struct rac_counter rac_counter;

/* ---- Status -------------------------------------------------------------
 *
 * 0 is success, a positive number is success with a remark, a negative number
 * is a failure. No status is a negated errno, which a callback may return.
 * rac_last_error_message() says more about the latest failure of the calling
 * thread.
 */
typedef int32_t rac_status;

enum RAC_NAMED(rac_status_code) {
  RAC_OK = 0,
  RAC_QUEUED = 1,  /* accepted; comes in its turn, perhaps on another thread */
  RAC_PENDING = 2, /* disposed, but destroy() has not run yet */
  RAC_DROPPED = 3, /* the receiver's bound had no room for the value */

  RAC_EINVAL = -5001,  /* an argument is outside its documented range */
  RAC_ENULL = -5002,   /* a required argument is NULL */
  RAC_ESTALE = -5003,  /* the handle was released, or never was a handle */
  RAC_EKIND = -5004,   /* a handle or value of another kind is needed here */
  RAC_EDONE = -5005,   /* the stream has ended or was disposed */
  RAC_ENOMEM = -5006,  /* the system has no memory, thread or descriptor left */
  RAC_EUTF8 = -5007,   /* a string is not valid UTF-8: use bytes for it */
  RAC_EDEADLK = -5008, /* blocking here would wait for itself */
  RAC_ETIMEDOUT = -5009, /* the time given has passed */
  RAC_EFORK = -5010,     /* a forked child that needs rac_reinitialize() */
  RAC_ERANGE = -5011,    /* an index or a depth beyond the limit */
  RAC_EBUSY = -5012,     /* another thread runs this scheduler; already bound */
  RAC_EEMPTY = -5013,    /* the signal completed without a value */
  RAC_ESTREAM = -5014,   /* the signal ended with an error */
  RAC_ECLOSED = -5015,   /* rac_close() was called */
  RAC_EAGAIN = -5016,    /* there is no room just now */
  RAC_EUSER = -5100      /* reserved for callbacks; rac_raise() returns it */
};

/* Codes of errors with the domain "rac.signal". */
enum RAC_NAMED(rac_signal_error) {
  RAC_SIGNAL_TIMED_OUT = 1,
  RAC_SIGNAL_NO_MATCHING_CASE = 2,
  RAC_SIGNAL_OVERFLOW = 3
};

/* The domain of the errors that commands make, and their codes. */
#define RAC_COMMAND_ERROR_DOMAIN "rac.command"
enum RAC_NAMED(rac_command_error) {
  RAC_COMMAND_NOT_ENABLED = 1,
  RAC_COMMAND_NO_SIGNAL = 2
};

/* ---- Values -------------------------------------------------------------
 *
 * 16 bytes, passed by value in two registers. All bytes zero is nil.
 * Read `bits` directly for RAC_INT64 and RAC_BOOL if you like; use the
 * rac_value_* functions for everything else.
 */
typedef struct rac_value {
  uint8_t kind;      /* one of the constants RAC_NIL to RAC_SEQUENCE */
  uint8_t flags;     /* private */
  uint16_t reserved; /* private, zero */
  uint32_t length;   /* strings and bytes: length in bytes; else private */
  int64_t bits;      /* the payload */
} rac_value;

enum RAC_NAMED(rac_kind) {
  RAC_NIL = 0,
  RAC_BOOL = 1,
  RAC_INT64 = 2,
  RAC_DOUBLE = 3,
  RAC_STRING = 4, /* UTF-8, may contain NUL */
  RAC_BYTES = 5,
  RAC_POINTER = 6, /* a pointer of yours, with an optional type name */
  RAC_OBJECT = 7,  /* a pointer of yours with a rac_object_class */
  RAC_TUPLE = 8,   /* an immutable list of values, nil included */
  RAC_ERROR = 9,   /* domain, code, message, optional underlying value */
  RAC_SIGNAL = 10, /* a signal as a value of another signal */
  RAC_EVENT = 11,  /* a value, an error, a completion; see rac_event_get_type */
  RAC_UNIT = 12,   /* says no more than that something was sent */
  RAC_SEQUENCE = 13 /* a sequence as a value, for sequences of sequences */
};

/* rac_value_int64() and its like for code that sends a lot: inlined, they need
 * no call into the library. */
static inline rac_value rac_int64(int64_t number) {
  rac_value value = {RAC_INT64, 0, 0, 0, 0};
  value.bits = number;
  return value;
}

static inline rac_value rac_bool(bool flag) {
  rac_value value = {RAC_BOOL, 0, 0, 0, 0};
  value.bits = flag;
  return value;
}

static inline rac_value rac_double(double number) {
  rac_value value = {RAC_DOUBLE, 0, 0, 0, 0};
  memcpy(&value.bits, &number, sizeof number);
  return value;
}

/* rac_value_object() in the same way. The class is looked at when the value is
 * used: sending one of a class that was never registered answers RAC_EKIND. */
static inline rac_value rac_object(void *object, uint32_t number) {
  rac_value value = {RAC_OBJECT, 2, 0, 0, 0};
  value.length = number;
  intptr_t bits;
  memcpy(&bits, &object, sizeof bits);
  value.bits = bits;
  return value;
}

/* The object in a value, as rac_value_get_object() gives it, in the same way:
 * for values as a send or a callback has just made them. NULL: ask
 * rac_value_get_object(). */
static inline void *rac_object_in(rac_value value, uint32_t number) {
  void *object = NULL;
  /* Lent, or a reference that a callback gave: no box is between. */
  bool is_plain = value.flags == 2 || value.flags == 9;
  if (value.kind == RAC_OBJECT && is_plain &&
      (value.length & 0xffff) == number) {
    intptr_t bits = (intptr_t)value.bits;
    memcpy(&object, &bits, sizeof object);
  }
  return object;
}

/* The answers of rac_event_get_type(); 0 stands for no event. */
enum RAC_NAMED(rac_event_type) {
  RAC_EVENT_NEXT = 1,
  RAC_EVENT_ERROR = 2,
  RAC_EVENT_COMPLETED = 3
};

/* How the library handles an object of yours. `size` is sizeof the struct. Any
 * function may be NULL: without `equal` objects are equal when their pointers
 * are, without `describe` they print as <object 0x…>. `describe` writes at most
 * `capacity` bytes, NUL included, and returns the length it wanted to write.
 * `equal_to` compares with a value of another kind, such as a tuple that the
 * object stands for; then `hash` is that of the value, rac_value_hash(). The
 * struct must live as long as the process: rac_object_class_register() gives it
 * a number, and a value is an object and that number. The library calls
 * `retain` when it first keeps a lent object, and not again. */
typedef struct rac_object_class {
  size_t size;
  void (*retain)(void *object) RAC_SENDABLE;
  void (*release)(void *object) RAC_SENDABLE;
  bool (*equal)(void *object, void *other) RAC_SENDABLE;
  uint64_t (*hash)(void *object) RAC_SENDABLE;
  size_t (*describe)(void *object, char *buffer, size_t capacity) RAC_SENDABLE;
  bool (*equal_to)(void *object, rac_value other) RAC_SENDABLE;
} rac_object_class;

#define RAC_OBJECT_CLASS_INIT                                                  \
  {sizeof(rac_object_class), NULL, NULL, NULL, NULL, NULL, NULL}

/* ---- Callbacks ----------------------------------------------------------
 *
 * The first parameter is always your context. Values and handles a callback
 * receives are lent for the call: retain what you keep. Values and handles a
 * callback writes to `*out` are transferred to the library.
 *
 * A callback with a status returns RAC_OK, or a negative number to end the
 * stream with an error. `return rac_raise_error("printer", 5, "jam");` makes
 * the error, rac_raise_errno() makes one of the system's, rac_raise() takes one
 * that exists. Any other number makes an error of domain "rac.callback" with
 * that code; its message has the name of the status, or the system's text for a
 * negated errno. A callback must return: no longjmp, no C++ exception, no
 * pthread_exit.
 */
RAC_CALLBACK(void, rac_next_fn, (void *context, rac_value value));
RAC_CALLBACK(void, rac_error_fn, (void *context, rac_value error));
RAC_CALLBACK(void, rac_completed_fn, (void *context));
RAC_CALLBACK(void, rac_action_fn, (void *context));
/* RAC_OK to go on. */
RAC_CALLBACK(rac_status, rac_interruption_fn, (void *context));

/* Runs exactly once for every registering call, also for one that fails and for
 * a NULL context, after the last callback with that context has returned, on
 * any thread, with no lock held. Free the context here
 * and nowhere else. */
RAC_CALLBACK(void, rac_destroy_fn, (void *context));

RAC_CALLBACK(rac_status, rac_map_fn,
             (void *context, rac_value value, rac_value *out));
RAC_CALLBACK(rac_status, rac_predicate_fn,
             (void *context, rac_value value, bool *out));
/* Writes a negative number, 0 or a positive one to *out, where `value` is less
 * than `other`, equal, or greater: as strcmp() and memcmp() do. */
RAC_CALLBACK(rac_status, rac_compare_fn,
             (void *context, rac_value value, rac_value other, int32_t *out));
RAC_CALLBACK(rac_status, rac_reduce_fn,
             (void *context, rac_value running, rac_value next,
              rac_value *out));
/* `index` is 0 for the first value. */
RAC_CALLBACK(rac_status, rac_reduce_index_fn,
             (void *context, rac_value running, rac_value next, size_t index,
              rac_value *out));
/* The elements of a tuple. The array and the values are lent. */
RAC_CALLBACK(rac_status, rac_reduce_each_fn,
             (void *context, const rac_value *elements, size_t count,
              rac_value *out));
RAC_CALLBACK(rac_status, rac_factory_fn, (void *context, rac_value *out));
/* With a failure nothing is set: rac_property_batch(). */
RAC_CALLBACK(rac_status, rac_property_batch_fn, (void *context));
/* A failure ends the stream with an error. */
RAC_CALLBACK(rac_status, rac_try_fn, (void *context, rac_value value));
/* Leaving *out NULL means an empty signal. */
RAC_CALLBACK(rac_status, rac_signal_fn,
             (void *context, rac_value value, rac_signal **out));
/* `index` is 0 for the first call of a subscription. */
RAC_CALLBACK(rac_status, rac_signal_index_fn,
             (void *context, rac_value value, size_t index, rac_signal **out));
/* Setting *stop ends the binding after this value's signal. */
RAC_CALLBACK(rac_status, rac_bind_fn,
             (void *context, rac_value value, bool *stop, rac_signal **out));
RAC_CALLBACK(rac_status, rac_defer_fn, (void *context, rac_signal **out));
/* `subscriber` is lent: rac_retain it to send after returning. *out may be left
 * NULL; a disposable written there is transferred and disposed with the
 * subscription. */
RAC_CALLBACK(rac_status, rac_subscribe_fn,
             (void *context, rac_subscriber *subscriber, rac_disposable **out));
RAC_CALLBACK(rac_status, rac_start_fn,
             (void *context, rac_subscriber *subscriber));
/* Leaving *out NULL means an empty sequence. */
RAC_CALLBACK(rac_status, rac_sequence_fn,
             (void *context, rac_value value, rac_sequence **out));
/* Setting *stop ends the binding after this value's sequence; so does leaving
 * *out NULL. */
RAC_CALLBACK(rac_status, rac_sequence_bind_fn,
             (void *context, rac_value value, bool *stop, rac_sequence **out));
/* Leaving *out NULL means that nothing follows. */
RAC_CALLBACK(rac_status, rac_sequence_tail_fn,
             (void *context, rac_sequence **out));
/* Writes a value to *out, and the state of the next call to *next_state (nil if
 * left alone), or returns RAC_EEMPTY to end the sequence. */
RAC_CALLBACK(rac_status, rac_generate_fn,
             (void *context, rac_value state, rac_value *next_state,
              rac_value *out));
/* `rest` is the result for the values after `value`. It is NULL at first:
 * return RAC_PENDING, with nothing in *out, to be called again with it. */
RAC_CALLBACK(rac_status, rac_fold_right_fn,
             (void *context, rac_value value, const rac_value *rest,
              rac_value *out));
/* One event on its way through an operator of your own, rac_signal_step(). Lent
 * for the call. `size` is sizeof the struct in the library; a field that a
 * later version adds is there if it lies within. */
typedef struct rac_step {
  size_t size;
  void *state;   /* yours, this subscription's: all zero at first */
  int32_t event; /* RAC_EVENT_NEXT, RAC_EVENT_ERROR or RAC_EVENT_COMPLETED */
} rac_step;

/* Called for each event: `value` is the value or the error, nil for a
 * completion. Sends the value that it writes to *out, if any; rac_step_send()
 * sends more. After RAC_OK the stream goes on, or ends as `event` says; after
 * RAC_STEP_COMPLETE it completes. */
RAC_CALLBACK(rac_status, rac_step_fn,
             (void *context, rac_step *step, rac_value value, rac_value *out));
enum RAC_NAMED(rac_step_answer) {
  RAC_STEP_COMPLETE = 100 /* complete now */
};
/* Frees what `state` holds, not `state` itself. */
RAC_CALLBACK(void, rac_clear_fn, (void *context, void *state));
/* `self` is lent: pass it to rac_reschedule(), or retain it for later. */
RAC_CALLBACK(void, rac_recursive_fn, (void *context, rac_recursion *self));

/* Has a queue of yours call rac_scheduler_take_turn(scheduler, …) once.
 * `scheduler` is lent: retain it until then. */
RAC_CALLBACK(void, rac_enqueue_fn, (void *context, rac_scheduler *scheduler));
/* The work of a command: writes a signal, transferred, to *out. The
 * execution fails with a failure, and when *out is left NULL. */
RAC_CALLBACK(rac_status, rac_execute_fn,
             (void *context, rac_value input, rac_signal **out));

/* The callbacks of a subscriber, which never overlap. `size` is sizeof the
 * struct; every function may be NULL. rac_subscribe() copies it, so it may live
 * on the stack. */
typedef struct rac_observer {
  size_t size;
  void *context;
  rac_next_fn next;
  rac_error_fn error;
  rac_completed_fn completed;
  rac_destroy_fn destroy;
} rac_observer;

#define RAC_OBSERVER_INIT {sizeof(rac_observer), NULL, NULL, NULL, NULL, NULL}

/* The elements of an array that is sent: rac_subject_send_array(). */
enum RAC_NAMED(rac_array_type) {
  RAC_ARRAY_VALUES = 1, /* of rac_value */
  RAC_ARRAY_INT64S = 2, /* of int64_t */
  RAC_ARRAY_DOUBLES = 3 /* of double */
};

/* Many values at once. The array and the values are lent for the call. */
RAC_CALLBACK(void, rac_next_values_fn,
             (void *context, const rac_value *values, size_t count));
RAC_CALLBACK(void, rac_next_int64s_fn,
             (void *context, const int64_t *numbers, size_t count));
RAC_CALLBACK(void, rac_next_doubles_fn,
             (void *context, const double *numbers, size_t count));

/* The callbacks of a subscriber that takes its values in arrays. `size` is
 * sizeof the struct; every function may be NULL, and at most one of the three
 * for values may be set. Copied by rac_subscribe_batches(). */
typedef struct rac_batch_observer {
  size_t size;
  void *context;
  rac_next_values_fn next_values;
  rac_next_int64s_fn next_int64s;
  rac_next_doubles_fn next_doubles;
  rac_error_fn error;
  rac_completed_fn completed;
  rac_destroy_fn destroy;
} rac_batch_observer;

#define RAC_BATCH_OBSERVER_INIT                                                \
  {sizeof(rac_batch_observer), NULL, NULL, NULL, NULL, NULL, NULL, NULL}

#define RAC_BATCH_UNLIMITED SIZE_MAX

/* For garbage collectors, rac_visit_contexts(): one reference that the library
 * holds, to a context that was given with `destroy`, or to an object, whose
 * class gives it back with `destroy`. Called with locks held: it must not call
 * the library. */
RAC_CALLBACK(void, rac_visit_fn,
             (void *context, void *held, rac_destroy_fn destroy));

/* ---- Schedulers --------------------------------------------------------- */

enum RAC_NAMED(rac_priority) {
  RAC_PRIORITY_HIGH = 2,
  RAC_PRIORITY_DEFAULT = 0,
  RAC_PRIORITY_LOW = -2,
  RAC_PRIORITY_BACKGROUND = -32768
};

/* ---- Properties --------------------------------------------------------- */

/* Options of rac_property_create(): with RAC_PROPERTY_DISTINCT a set to a value
 * equal to the current one changes nothing and sends nothing. */
enum RAC_NAMED(rac_property_option) {
  RAC_PROPERTY_PLAIN = 0,
  RAC_PROPERTY_DISTINCT = 1
};

/* ---- Bounds ------------------------------------------------------------- */

/* In place of a bound: no bound. NULL stands for the default of the place,
 * today no bound either. Its bits are 2^53, which no handle has. */
#define RAC_BOUND_NONE ((rac_bound *)0x20000000000000)

/* The fate of a value for which a bound has no room. */
enum RAC_NAMED(rac_bound_policy) {
  RAC_BOUND_DROP_OLDEST = 1, /* the one that has waited longest gives way */
  RAC_BOUND_DROP_NEWEST = 2, /* the one that comes is not taken */
  RAC_BOUND_LATEST = 3,      /* only the latest waits: a capacity of 1 */
  RAC_BOUND_ERROR = 4,       /* the stream ends with RAC_SIGNAL_OVERFLOW */
  RAC_BOUND_WAIT = 5,        /* the sender waits */
  RAC_BOUND_REFUSE = 6       /* the send answers RAC_EAGAIN */
};

/* The numbers of a bound: rac_bound_get(). */
enum RAC_NAMED(rac_bound_number) {
  RAC_BOUND_CAPACITY = 1,
  RAC_BOUND_POLICY = 2,
  RAC_BOUND_LENGTH = 3,
  RAC_BOUND_HIGHEST = 4,
  RAC_BOUND_DROPPED = 5
};

/* ---- Statistics --------------------------------------------------------- */

/* The statistics of rac_signal_rolling(). */
enum RAC_NAMED(rac_statistic) {
  RAC_ROLLING_MEAN = 1,
  RAC_ROLLING_VARIANCE = 2,
  RAC_ROLLING_MIN = 3,
  RAC_ROLLING_MAX = 4
};

/* ---- Replay ------------------------------------------------------------- */

#define RAC_REPLAY_UNLIMITED SIZE_MAX

/* ---- Sources ------------------------------------------------------------ */

/* The owner of a source's descriptor: you, or the library, which closes it. */
enum RAC_NAMED(rac_ownership) {
  RAC_DESCRIPTOR_LENT = 0,
  RAC_DESCRIPTOR_OWNED = 1
};

/* The clock by which rac_signal_at_times() counts. */
enum RAC_NAMED(rac_clock_zone) { RAC_CLOCK_UTC = 0, RAC_CLOCK_LOCAL = 1 };

/* Where rac_signal_tail() starts, unless at an offset. */
enum RAC_NAMED(rac_tail_start) { RAC_TAIL_END = -1, RAC_TAIL_BEGINNING = 0 };

/* What a child has of this process: rac_signal_spawn(). */
enum RAC_NAMED(rac_spawn_option) {
  RAC_SPAWN_OUTPUT = 1, /* its standard output comes as events */
  RAC_SPAWN_ERRORS = 2, /* so does its standard error */
  RAC_SPAWN_BYTES = 4,  /* as bytes, not lines */
  RAC_SPAWN_GROUP = 8   /* it has a process group of its own */
};

/* What comes of a child. */
enum RAC_NAMED(rac_child_event) {
  RAC_CHILD_STARTED = 1, /* the number of the process */
  RAC_CHILD_OUTPUT = 2,  /* a line of its standard output */
  RAC_CHILD_ERRORS = 3,  /* a line of its standard error */
  RAC_CHILD_ENDED = 4    /* its status, as waitpid() gives it */
};

/* The domain of the errors that the system makes: their code is an errno. */
#define RAC_SYSTEM_ERROR_DOMAIN "rac.system"

/* ---- Tracing ------------------------------------------------------------ */

enum RAC_NAMED(rac_trace_type) {
  RAC_TRACE_SUBSCRIBE = 1,
  RAC_TRACE_NEXT = 2,
  RAC_TRACE_ERROR = 3,
  RAC_TRACE_COMPLETED = 4,
  RAC_TRACE_DISPOSE = 5, /* the subscription went away without an end */
  RAC_TRACE_DROPPED = 6, /* the last reference to a subscriber was released
                            before it sent an end */
  RAC_TRACE_LOST = 7     /* a bound below had no room for values: how many */
};

/* One event of one subscription to one signal. `size` is sizeof the struct in
 * the library; a field that a later version adds is there if it lies within. */
typedef struct rac_trace_event {
  size_t size;
  int32_t type; /* RAC_TRACE_... */
  /* Each subscription has a number of its own, counted from 1 in the process
   * and never used again. A subscription to a chain is one for each of its
   * signals. */
  uint64_t subscription;
  /* The system's number of the thread that the event passes on, as gdb (LWP),
   * top -H, gettid() and Python's threading.get_native_id() show it. */
  uint64_t thread;
  const char *name; /* of the signal; lent; "" for a nameless one */
  rac_value value;  /* lent: the value, the error, or nil */
  uint64_t below;   /* the subscription that this one was made for, or 0 */
  /* The subscription whose event this thread was delivering; 0: the program did
   * it, or a scheduler. */
  uint64_t cause;
  int64_t time; /* nanoseconds of CLOCK_MONOTONIC */
} rac_trace_event;

/* Options of rac_record_start(). */
enum RAC_NAMED(rac_record_option) {
  RAC_RECORDS_COUNTERS = 1 /* no events, until a tool asks for them */
};

/* An error that nobody handles. `size` is sizeof the struct in the library; a
 * field that a later version adds is there if it lies within. */
typedef struct rac_unhandled_error {
  size_t size;
  rac_value error; /* lent; an error, or nil */
  /* The name of the signal that was subscribed to, lent; "" for a nameless one.
   * While names are recorded it is that of the chain, such as
   * "[[clock] -filter] -map". */
  const char *chain;
  /* Lent: the value that was being delivered, or NULL. Only the binding of a
   * language knows it: see rac_report_unhandled_error(). */
  const rac_value *value;
} rac_unhandled_error;

/* The event is lent for the call. */
RAC_CALLBACK(void, rac_trace_fn, (void *context, const rac_trace_event *event));
/* Writes at most `capacity` bytes and returns their number. */
RAC_CALLBACK(size_t, rac_locator_fn,
             (void *context, char *buffer, size_t capacity));
/* One line without its newline; lent. */
RAC_CALLBACK(void, rac_log_fn, (void *context, const char *line));
/* The report is lent for the call. */
RAC_CALLBACK(void, rac_unhandled_error_fn,
             (void *context, const rac_unhandled_error *report));
RAC_CALLBACK(void, rac_live_fn,
             (void *context, const char *kind, const char *name,
              size_t references, size_t subscribers));

/* ---- Version ------------------------------------------------------------ */

#define RAC_VERSION_MAJOR 0
#define RAC_VERSION_MINOR 1
#define RAC_VERSION_PATCH 0
/* major * 1000000 + minor * 1000 + patch, as rac_version() gives it. */
#define RAC_VERSION 1000

#if defined(__swift__)
/* Swift has a size_t as Int. */
#undef RAC_BATCH_UNLIMITED
#undef RAC_REPLAY_UNLIMITED
#define RAC_BATCH_UNLIMITED INTPTR_MAX
#define RAC_REPLAY_UNLIMITED INTPTR_MAX
#endif

#ifdef __cplusplus
}
#endif

#endif /* RAC_TYPES_H */
