/* Whether this thread holds the interpreter's lock.
 *
 * A call of the engine from Python keeps the lock, and gives it a number, in
 * `thread.call`: a callback inside it has nothing to ask. A thread of the
 * engine's takes the lock for a callback and lets go of it afterwards; its
 * thread state is made once and goes with the thread. Where the engine waits it
 * calls a hook: hooks.c.
 *
 * SPDX-License-Identifier: MIT
 */
#include "gil.h"
#include "thread.h"

#include <stdatomic.h>

/* Set when the interpreter is about to go: nothing of it is touched any more.
 * Before that the engine is closed, which callbacks that run hear when they
 * call it. */
static atomic_bool gone, closing;

/* ---- Threads of the engine -------------------------------------------------
 */

/* Its state is made before its first callback, and goes with the hook: at
 * close. */
void thread_starts(void *context) {
  (void)context;
  if (atomic_load(&gone)) return;
  PyGILState_Ensure();
  thread.own = PyThreadState_Get();
  PyEval_SaveThread();
}

void thread_ends(void *context) {
  (void)context;
  if (thread.own == NULL || atomic_load(&gone)) return;
  PyEval_RestoreThread(thread.own);
  thread.own = NULL;
  PyGILState_Release(PyGILState_UNLOCKED);
}

/* 1: with the state of a thread of the engine's; 2: on one of Python's, or of
 * somebody else's; -1: the interpreter has gone. */
int attach(void) {
  if (atomic_load_explicit(&gone, memory_order_relaxed)) return -1;
  int how = thread.own != NULL ? 1 : 2;
  if (how == 1)
    PyEval_RestoreThread(thread.own);
  else
    thread.foreign = PyGILState_Ensure();
  (void)enter_for_others();
  return how;
}

void detach(int how) {
  if (thread.raised != NULL) report_kept();
  if (thread.raised != NULL) report_kept(); /* of the first one's report */
  thread.call = 0;
  if (how == 1)
    PyEval_SaveThread();
  else
    PyGILState_Release(thread.foreign);
}

void close_for_good(void) {
  atomic_store(&closing, true);
  entry outer = enter();
  (void)rac_close(5);
  leave_quietly(outer);
}

void let_go_of_interpreter(void) { atomic_store(&gone, true); }

int is_closing(void) { return atomic_load(&closing); }
