/* The call of the engine that is under way on a thread, and what it is to
 * raise: raised.c.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef LIBRAC_THREAD_H
#define LIBRAC_THREAD_H

#include "base.h"

/* A value on its way, and the object that it was made of. */
struct sent {
  PyObject *object;
  rac_value value;
};
enum { NOTHING_SENT = UINT8_MAX }; /* for a kind: no value has it */

/* Calls of the engine are inside each other, and what is said here is of the
 * one that is under way. Greenlets of one thread end theirs in any order,
 * though, and the stack of one lies where that of another was. So calls have
 * numbers: what is not of the call that it was left by is forgotten, and
 * nothing points to a stack: raised.c. */
struct thread {
  uint64_t
      call; /* under way, from Python, whose lock this thread has; 0: none */
  uint64_t calls;             /* the latest; below them is room for flags */
  struct sent sent;           /* who only hands it on gets the object */
  struct Handle *subscribing; /* a root, to whose family subscriptions belong */
  struct raised *raised;      /* what is to come out of calls */
  /* Perhaps the exception that is raised: a handler of a signal raised it. */
  PyObject *interruption;
  unsigned asked; /* how often, whether to go on */
  /* The value that fail() was told last: lent, until the callback ends. */
  PyObject *failed;
  uint64_t reading; /* the call that reads a sequence, and may wait for it */
  uint64_t away;    /* the call that waits in the engine, */
  PyThreadState *sleeper;   /* and what is put aside meanwhile */
  PyGILState_STATE foreign; /* how a thread of Python's came to a callback */
  PyThreadState *own; /* of a thread of the engine's, for as long as it lives */
};
extern __thread struct thread thread;

/* A greenlet was away meanwhile; whoever calls has not brought about what it
 * runs. */
enum { CALL_WAS_AWAY = 1, CALL_RUNS_OTHERS = 2, CALL_STEP = 4 };

/* A call of the engine from Python. Exceptions of callbacks inside wait in
 * `thread.raised` and come out of leave(). */
typedef struct {
  uint64_t call, outer;
} entry;
static inline entry enter(void) {
  entry self = {thread.calls + CALL_STEP, thread.call};
  thread.call = thread.calls = self.call;
  return self;
}
/* The same of a call that runs what others have begun, as jobs of a scheduler:
 * what these raise is reported (unhandled.c). */
static inline entry enter_for_others(void) {
  entry self = enter();
  thread.call = self.call |= CALL_RUNS_OTHERS;
  return self;
}
/* The same of a call that reads a sequence, which may wait for a signal: gil.c
 * sees that it does not where a loop of asyncio is running. */
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
/* leave(), of a call for others. Exceptions that are kept count as raised by it
 * if `has_come`, that is, if the caller has what it waits for. */
int leave_waiting(entry self, int has_come);

/* In a callback, after Python was called: on the way another greenlet may have
 * had its turn, and have left its own call here. */
void come_back(uint64_t call);
static inline void resume(uint64_t call) {
  if (thread.call != call) come_back(call);
}

/* Keeps the exception that is set for the call of the engine that brought this
 * about. `context`, of the callback, says whose it is; it may be NULL. */
void keep_raised(PyObject *context);
/* The same of a handler, which is in nobody's chain: reported where the call is
 * for others. `value` is what it was called with; it may be NULL. */
void tell_raised(PyObject *context, PyObject *value);
PyObject *kept_raised(void); /* lent, or NULL */
/* Reports what is kept for the call that is under way. */
void report_kept(void);
PyObject *take_raised(void);
/* Takes over the reference, and tells sys.unraisablehook. */
void tell_unraisable(PyObject *exception);
/* Whether nobody below may stop it: KeyboardInterrupt and its kind, and
 * exceptions of the handler of a POSIX signal, raised where Python was asked
 * whether to go on. */
int is_interruption(PyObject *exception);
/* Clears the exception that is set, but keeps an interruption for the call:
 * Python runs handlers of signals in str() and repr(), too. */
void forget_raised(void);
void set_raised(PyObject *exception);

/* For an exception that no call can raise: tells librac.on_unhandled.
 * unhandled.c sets it. Takes over the references of the exception and of the
 * chain's name, which may be NULL. */
extern void (*report)(PyObject *exception, PyObject *chain, PyObject *value);
/* The name of the chain that a context of a callback says: new; NULL: it says
 * none. stages.c, which knows contexts, sets it. */
extern PyObject *(*chain_in)(PyObject *context);

#endif
