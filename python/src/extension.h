/* What the files of the extension share. Types and functions are made once, when the
 * module is, and never change: one interpreter, one engine (module.c).
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef LIBRAC_EXTENSION_H
#define LIBRAC_EXTENSION_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <rac.h>

#include "limited.h"

/* ---- Objects: objects.c -------------------------------------------------- */

/* An object that holds a reference of the engine's. Every class has this layout, so
 * a Python class may have several of them as bases. */
typedef struct Handle {
  PyObject ob_base;
  void *handle; /* a reference of ours; NULL: none yet, or stages say it */
  PyObject *weakrefs;
  PyObject *stages; /* of a signal: Python's own operators, fused (stages.c) */
  PyObject *source; /* the signal that it is made of */
  /* What it belongs with for the collector: cycles.c. */
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
  CLASS_PROPERTY,
  CLASS_CHANNEL,
  CLASS_COMMAND,
  CLASS_SEQUENCE,
  CLASS_SEQUENCE_ITERATOR,
  CLASS_COUNT
};
extern PyTypeObject *classes[CLASS_COUNT];
extern const char *const class_names[CLASS_COUNT];

int make_classes(PyObject *module);
int is_a(PyObject *object, enum class_number number);
/* A new object that owns `handle`; NULL with the engine's latest failure, told in the
 * name of `function`, when there is no handle. */
PyObject *wrap(PyTypeObject *type, void *handle, const char *function);
/* The handle of an object, without looking at its class; NULL and an exception. */
void *find_handle(PyObject *object);
static inline void *handle_of(PyObject *object) {
  void *handle = ((Handle *)object)->handle;
  return handle != NULL ? handle : find_handle(object);
}
/* For an __init__: takes over the handle, or sets an exception; 0 or -1. */
int set_handle(PyObject *object, void *handle, const char *function);

/* tp_clear: lets go of the handle. */
int handle_clear(PyObject *object);

/* ---- Cycles: cycles.c ---------------------------------------------------- */

Handle *root_of(Handle *self);
void join_family(Handle *self, Handle *root);
/* `made` is made of `source`, and perhaps of others before. */
void descend(Handle *made, Handle *source);
/* The two hold, in the engine, what depends on both. */
void unite(Handle *self, Handle *other);
void leave_family(Handle *self);
/* For tp_traverse: what hangs on the handle, as far as nobody else holds it. */
int visit_contexts(Handle *self, visitproc visit, void *arg);
/* Something that the engine held has been let go of. */
void answers_are_void(void);
/* Whether what is let go of so is an object. */
int is_of_python(rac_destroy_fn destroy);
/* Whether a function of Python's may be called when the handle goes. */
int may_speak(Handle *self);

/* ---- The collector: garbage.c -------------------------------------------- */

extern struct collector {
  int is_collecting;
  int is_partial;        /* the young alone */
  visitproc subtracting; /* what its first pass calls */
} collector;
int prepare_garbage(PyObject *module);
void handle_finalize(PyObject *self); /* tp_finalize */

/* ---- The lock of the interpreter: gil.c ---------------------------------- */

/* A value on its way, and the object that it was made of. */
struct sent {
  PyObject *object;
  rac_value value;
};
enum { NOTHING_SENT = UINT8_MAX }; /* for a kind: no value has it */

/* Calls of the engine are inside each other, and what is said here is of the one that is
 * under way. Greenlets of one thread end theirs in any order, though, and the stack of one
 * lies where that of another was. So calls have numbers: what is not of the call that it
 * was left by is forgotten, and nothing points to a stack: raised.c. */
struct thread {
  uint64_t
      call; /* under way, from Python, whose lock this thread has; 0: none */
  uint64_t calls;             /* the latest; below them is room for flags */
  struct sent sent;           /* who only hands it on gets the object */
  struct Handle *subscribing; /* a root, to whose family subscriptions belong */
  struct raised *raised;      /* what is to come out of calls */
  PyObject *
      interruption; /* perhaps what is raised: a handler of a signal raised it */
  unsigned asked;   /* how often, whether to go on */
  PyObject
      *failed; /* what fail() was told last: lent, until the callback ends */
  uint64_t reading; /* the call that reads a sequence, and may wait for it */
  uint64_t away;    /* the call that waits in the engine, */
  PyThreadState *sleeper;   /* and what is put aside meanwhile */
  PyGILState_STATE foreign; /* how a thread of Python's came to a callback */
  PyThreadState *own; /* of a thread of the engine's, for as long as it lives */
};
extern __thread struct thread thread;

/* A greenlet was away meanwhile; whoever calls has not brought about what it runs. */
enum { CALL_WAS_AWAY = 1, CALL_RUNS_OTHERS = 2, CALL_STEP = 4 };

/* A call of the engine from Python. What callbacks raise inside waits in
 * `thread.raised` and comes out of leave(). */
typedef struct {
  uint64_t call, outer;
} entry;
static inline entry enter(void) {
  entry self = {thread.calls + CALL_STEP, thread.call};
  thread.call = thread.calls = self.call;
  return self;
}
/* The same of a call that runs what others have begun, as jobs of a scheduler: what
 * these raise is reported (unhandled.c). */
static inline entry enter_for_others(void) {
  entry self = enter();
  thread.call = self.call |= CALL_RUNS_OTHERS;
  return self;
}
/* The same of a call that reads a sequence, which may wait for a signal: gil.c sees that
 * it does not where a loop of asyncio is running. */
static inline entry enter_reading(void) {
  entry self = enter();
  thread.reading = self.call;
  return self;
}
/* false, and an exception set, when a callback raised. */
int leave_slowly(entry self);
static inline int leave(entry self) {
  if (thread.call != self.call || thread.raised != NULL)
    return leave_slowly(self);
  thread.call = self.outer;
  return 1;
}
/* As leave(), where nothing can be raised: reports it. */
void leave_quietly(entry self);
/* leave(), of a call for others. What is kept counts as raised by it if `has_come`: what
 * the caller waits for. */
int leave_waiting(entry self, int has_come);
/* leave(), and a new object that owns `handle`; or it goes, with the exception. */
PyObject *leave_with(entry self, enum class_number number, void *handle,
                     const char *function);

/* In a callback, after Python was called: on the way another greenlet may have had its
 * turn, and have left its own call here. */
void come_back(uint64_t call);
static inline void resume(uint64_t call) {
  if (thread.call != call) come_back(call);
}

/* A callback of the engine's: has the lock until end(). begin() is negative when the
 * interpreter has gone, and nothing may be touched. */
int attach(void);
void detach(int how);
static inline int begin(void) { return thread.call != 0 ? 0 : attach(); }
static inline void end(int attached) {
  if (attached > 0) detach(attached);
}
/* Keeps the exception that is set for the call of the engine that brought this about.
 * `context`, of the callback, says whose it is; it may be NULL. */
void keep_raised(PyObject *context);
/* The same of a handler, which is in nobody's chain: reported where the call is for
 * others. `value` is what it was called with; it may be NULL. */
void tell_raised(PyObject *context, PyObject *value);
PyObject *kept_raised(void); /* lent, or NULL */
/* Reports what is kept for the call that is under way. */
void report_kept(void);
PyObject *take_raised(void);
/* Takes over the reference, and tells sys.unraisablehook. */
void tell_unraisable(PyObject *exception);
/* What nobody below may stop: KeyboardInterrupt and its kind, and what the handler of a
 * signal raised where Python was asked whether to go on. */
int is_interruption(PyObject *exception);
/* Clears the exception that is set, but keeps an interruption for the call: Python runs
 * handlers of signals in str() and repr(), too. */
void forget_raised(void);
void set_raised(PyObject *exception);

/* What no call can raise: librac.on_unhandled is told (unhandled.c). Takes over the
 * references of the exception and of the chain's name, which may be NULL. */
void report(PyObject *exception, PyObject *chain, PyObject *value);
void hear_unhandled(void *context, const rac_unhandled_error *report);
/* The name of the chain that a context of a callback says: new; NULL: it says none. */
PyObject *chain_in(PyObject *context);
/* The interpreter is about to go. */
int is_closing(void);

int prepare_threads(void);
/* Once more in a forked child that began anew. */
int set_engine_hooks(void);
void close_for_good(void);
void let_go_of_interpreter(void);

/* ---- Values: values.c ---------------------------------------------------- */

/* What an object is in the engine, to be dropped; valid as long as the object is. 0 with
 * an exception. */
int make_value_of(PyObject *object, rac_value *out);
static inline int value_of(PyObject *object, rac_value *out) {
#if !defined(Py_LIMITED_API) && PY_VERSION_HEX < 0x030C0000
  if (Py_TYPE(object) == &PyLong_Type) {
    Py_ssize_t size = Py_SIZE(object); /* one digit, as most have */
    if (size == 1 || size == -1) {
      *out = rac_int64(size * (int64_t)((PyLongObject *)object)->ob_digit[0]);
      return 1;
    }
  }
#endif
  return make_value_of(object, out);
}
/* As the result of a callback: takes over the reference, and gives an owned value. */
int give_value(PyObject *object, rac_value *out);
PyObject *make_object_of(rac_value value);
static inline int is_sent(rac_value value) {
  return value.bits == thread.sent.value.bits &&
         value.kind == thread.sent.value.kind;
}
static inline PyObject *object_of(rac_value value) {
  return is_sent(value) ? Py_NewRef(thread.sent.object) : make_object_of(value);
}
/* With one reference to `value` given up. */
PyObject *object_of_owned(rac_value value);
/* rac_value_release() and rac_release() by whoever has the lock. */
void drop_value(rac_value value);
void drop_handle(void *handle);
extern PyObject *unit;
int make_values(PyObject *module);

/* The class of objects that the engine holds: held.c */
extern uint32_t object_number __attribute__((visibility("hidden")));
int register_objects(void);

/* Events as values: event.c */
int make_event(PyObject *module);
int event_check(PyObject *object);
int value_of_event(PyObject *object, rac_value *out);
PyObject *object_of_event(rac_value value);

/* ---- Errors: errors.c ---------------------------------------------------- */

extern PyObject *error_closed, *error_stale, *error_deadlock, *error_empty,
    *error_would_block, *error_timed_out, *error_overflow, *error_too_deep;
int make_errors(PyObject *module);
/* The exception that is set, as an error of the engine's: owned. Clears it. */
rac_value error_value_of_raised(void);
int error_value_of(PyObject *exception, rac_value *out, const char *function);
/* The exception behind an error, the same object as long as one is. */
PyObject *exception_of(rac_value error);
/* Sets the exception that fits a failing status; returns NULL. */
PyObject *set_status(rac_status status, const char *function);
PyObject *set_last_failure(const char *function);
/* A callback failed with the exception that is set: what it returns. */
rac_status fail(PyObject *where);

/* ---- Callbacks: callbacks.c, callbacks_signals.c ------------------------- */

/* PyObject_Vectorcall(), with room before the arguments and without its checks. */
static inline PyObject *call_directly(PyObject *callable, PyObject **arguments,
                                      size_t count) {
#ifndef Py_LIMITED_API
  PyTypeObject *type = Py_TYPE(callable);
  if (PyType_HasFeature(type, Py_TPFLAGS_HAVE_VECTORCALL)) {
    vectorcallfunc function;
    memcpy(&function, (char *)callable + type->tp_vectorcall_offset,
           sizeof function);
    if (function != NULL)
      return function(callable, arguments,
                      count | PY_VECTORCALL_ARGUMENTS_OFFSET, NULL);
  }
#endif
  return PyObject_Vectorcall(callable, arguments,
                             count | PY_VECTORCALL_ARGUMENTS_OFFSET, NULL);
}

/* The same as a callback does it. */
static inline PyObject *call_with(PyObject *callable, PyObject **arguments,
                                  size_t count) {
  uint64_t call = thread.call;
  PyObject *result = call_directly(callable, arguments, count);
  resume(call);
  return result;
}
static inline PyObject *call_nothing(PyObject *callable) {
  PyObject *arguments[1] = {NULL};
  return call_with(callable, arguments + 1, 0);
}
static inline PyObject *call_object(PyObject *callable, PyObject *argument) {
  PyObject *arguments[2] = {NULL, argument};
  return call_with(callable, arguments + 1, 1);
}

PyObject *call_with_new(PyObject *callable, rac_value value);
static inline PyObject *call_sent(PyObject *callable) {
  /* The sender keeps the object meanwhile. */
  return call_object(callable, thread.sent.object);
}
static inline PyObject *call_one(PyObject *callable, rac_value value) {
  return is_sent(value) ? call_sent(callable) : call_with_new(callable, value);
}
int prepare_callbacks(void);
/* What a callback returned whose result nobody wants, to be dropped. 0: it raised. */
int drop_result(PyObject *callable, PyObject *result);
/* The same of a handler; what it raised is told (tell_raised()). */
void finish(PyObject *context, PyObject *callable, PyObject *result,
            PyObject *value);
/* 0 and an exception when a coroutine is returned where nobody awaits it. */
extern PyTypeObject *coroutine_class;
int complain_of_coroutine(PyObject *callable, PyObject *result);
static inline int refuse_coroutine(PyObject *callable, PyObject *result) {
  return Py_TYPE(result) != coroutine_class ||
         complain_of_coroutine(callable, result);
}
/* What a predicate answers, or -1 and an exception. What can be awaited, as a signal
 * or a task, would always be true. */
int truth_of(PyObject *callable, PyObject *result);
void drop_context(void *context);
/* The same of what is called when it is let go of, or just before. */
void drop_speaking_context(void *context);

/* ---- Signals ------------------------------------------------------------- */

/* The signal that an object stands for: lent, and alive as long as *keeper, which is
 * a new reference. NULL with an exception that names `function` and `argument`. */
rac_signal *as_signal(PyObject *object, PyObject **keeper, const char *function,
                      const char *argument);
PyObject *set_signal_converter(PyObject *module, PyObject *converter);
PyObject *signal_description(PyObject *self, void *closure);
rac_signal *
run_stages(Handle *signal); /* stages.c: the handle of a fused chain */
int make_step(void);
/* The same, ending in a function that hears the values; owned. */
rac_signal *pipeline_into(Handle *signal, PyObject *next);
int make_stages(void);
int make_notes(void); /* notes.c */
/* Subscribing with functions of Python's: subscribing.c */
PyObject *signal_subscribe(PyObject *, PyObject *const *, Py_ssize_t,
                           PyObject *);
PyObject *property_subscribe(PyObject *, PyObject *const *, Py_ssize_t,
                             PyObject *);
/* Ends one that nobody can have, as what raised did so while it was made; takes it over,
 * or NULL, and leaves the exception that is set. */
void end_subscription(rac_disposable *made);

/* Observers of the kinds of a create function's: create.c */
PyObject *observer_of(rac_subscriber *subscriber);
/* A Disposable, a callable or None as a disposable, owned. 0 with an exception. */
int as_disposable(PyObject *object, rac_disposable **out, const char *function);

/* Parsing: parsing.c. Every keyword is optional unless among the first `needed`. */
int take_arguments(const char *function, const char *const *names, size_t count,
                   size_t needed, PyObject *const *given, Py_ssize_t positional,
                   PyObject *keywords, PyObject **out);
/* Says what an argument must be; 0. */
int wrong(const char *function, const char *argument, const char *wanted,
          PyObject *object);
int as_seconds(PyObject *object, double *out, const char *function,
               const char *argument);
int as_count(PyObject *object, size_t *out, const char *function,
             const char *argument);
int check_callable(PyObject *object, const char *function,
                   const char *argument);

/* ---- What the classes have beside the table ------------------------------ */

extern PyMethodDef signal_by_hand[], subject_by_hand[], observer_by_hand[],
    disposable_by_hand[], property_by_hand[], sequence_by_hand[],
    sequence_iterator_by_hand[], scheduler_by_hand[];
extern PyGetSetDef signal_getters[], property_getters[];
int subject_init(PyObject *self, PyObject *args, PyObject *keywords);
int disposable_init(PyObject *self, PyObject *args, PyObject *keywords);
PyObject *sequence_iter(PyObject *self);
PyObject *sequence_iterator_next(PyObject *self);
PyObject *signal_iter(PyObject *self);
PyObject *recursion_call(PyObject *self, PyObject *args, PyObject *keywords);

/* From the description of the ABI: calls.c, which includes what is generated. */
extern PyMethodDef *const methods_of_class[CLASS_COUNT];
extern PyGetSetDef *const getters_of_class[CLASS_COUNT];
extern const initproc init_of_class[CLASS_COUNT];
extern const char *const signature_of_class[CLASS_COUNT];
extern PyMethodDef *const module_calls;

/* ---- Waiting, the main loop, the process --------------------------------- */

extern PyMethodDef signal_functions[], waiting_functions[], main_functions[],
    process_functions[], loop_functions[], unhandled_functions[];
/* Has the asyncio loop of this thread run the main scheduler: loops.c */
int serve_loop(void);
/* 0 with Deadlock where a loop is running on this thread, which waiting would stop. */
int may_wait(const char *function, const char *instead);
int prepare_process(PyObject *module);
int make_arrays(PyObject *module);
int make_waiting(void);
/* Running the main scheduler, and sleeping: main_loop.c */
int is_main_thread(void);
/* Whether waiting is refused: inside a callback that others wait for. */
int in_callback(void);
double seconds_now(void); /* of a clock that nobody sets */
/* Without the lock; 0 with an exception when the handler of a signal raised. */
int sleep_here(double seconds);
/* The same until a descriptor is readable, unless that is negative, or the main scheduler
 * has something to do; at most so long. */
int sleep_for(int descriptor, int with_main, double seconds);
/* Runs what is ready on the main scheduler; 0 with an exception. With `has_come` it does
 * so job by job until that answers that what the caller waits for has come: what was raised
 * in the same job is then the caller's. */
int drain_main(const char *function, int (*has_come)(void *), void *context);

PyObject *signal_subscribe_arrays(PyObject *, PyObject *const *, Py_ssize_t,
                                  PyObject *);
PyObject *signal_subscribe_lists(PyObject *, PyObject *const *, Py_ssize_t,
                                 PyObject *);
PyObject *send_array(PyObject *self, PyObject *array);
PyObject *send_many(PyObject *self, PyObject *values);
PyObject *subject_send(PyObject *self, PyObject *value);
PyObject *observer_send(PyObject *self, PyObject *value);
PyObject *signal_wait(PyObject *, PyObject *const *, Py_ssize_t, PyObject *);
PyObject *signal_blocking_first(PyObject *, PyObject *const *, Py_ssize_t,
                                PyObject *);
PyObject *signal_blocking_list(PyObject *, PyObject *const *, Py_ssize_t,
                               PyObject *);

#define FAST(name, function, doc)                                              \
  {name, (PyCFunction)(void (*)(void))(function),                              \
   METH_FASTCALL | METH_KEYWORDS, doc}

#endif
