/* Cycles through the engine:
 * `self.subject.map(self.double).subscribe(self.hear)`.
 *
 * Python's collector asks each object what it refers to. A subject refers to
 * what hangs on its handle and on nothing else, which rac_visit_contexts()
 * tells. Of a subscription or an operator's signal that is kept, too, nothing
 * hangs on one handle alone: they are its kin, and asked about together with
 * it.
 *
 *   what hangs on the handle of a relative alone     is its own
 *   what hangs on those of the whole family          is the root's
 *
 * A root is alive as long as a signal made of it, which holds it. A
 * subscription does not hold it, and need not: when the root goes nobody sends
 * to it any more. A signal of several, as merge(a, b) is, unites their
 * families: each old root holds the new one, a hub, which has no handle and is
 * alive as long as any of them.
 *
 * The collector asks several times and needs one answer, while threads of the
 * engine go on: the first time in a collection, when it subtracts references,
 * the whole family is asked about, and later the answer is repeated. An answer
 * is void when anything that it may name has been let go of.
 *
 * SPDX-License-Identifier: MIT
 */
#include "cycles.h"
#include "objects.h"
#include "release.h"
#include "thread.h"
#include "values.h"

#include <stdlib.h>

struct answer {
  unsigned long long epoch;
  /* While references were subtracted: the next time is another pass. */
  int was_given;
  int speaks; /* one of them is called when it is let go of */
  size_t count, room;
  PyObject *held[1]; /* borrowed from the engine */
};

struct collector collector;

/* So many belong together that only a whole collection asks about them: the
 * young are collected often, and one of them would have all looked at each
 * time. */
enum { CROWD = 500 };

/* ---- Kin ----------------------------------------------------------------- */

Handle *root_of(Handle *self) {
  while (self->source != NULL) self = (Handle *)self->source;
  return self;
}

void join_family(Handle *self, Handle *root) {
  if (root == self || self->root == root) return;
  self->root = root;
  self->next = root->family;
  self->previous = NULL;
  if (root->family != NULL) root->family->previous = self;
  root->family = self;
  root->members++;
}

static void leave_root(Handle *self) {
  if (self->root == NULL) return;
  if (self->previous != NULL)
    self->previous->next = self->next;
  else
    self->root->family = self->next;
  if (self->next != NULL) self->next->previous = self->previous;
  self->root->members--;
  self->root = self->next = self->previous = NULL;
}

/* All that belong with `root` belong with `hub` from now on. */
static void hand_over(Handle *root, Handle *hub) {
  while (root->family != NULL) {
    Handle *one = root->family;
    leave_root(one);
    join_family(one, hub);
  }
  root->source = Py_NewRef((PyObject *)hub);
  join_family(root, hub);
}

/* Without memory they stay apart, and what hangs on both is taken for alive. */
void unite(Handle *self, Handle *other) {
  self = root_of(self);
  other = root_of(other);
  if (self == other) return;
  if (self->is_hub) {
    hand_over(other, self);
  } else if (other->is_hub) {
    hand_over(self, other);
  } else {
    Handle *hub = (Handle *)PyType_GenericAlloc(classes[CLASS_DISPOSABLE], 0);
    if (hub == NULL) {
      PyErr_Clear();
      return;
    }
    hub->is_hub = 1;
    hand_over(self, hub);
    hand_over(other, hub);
    Py_DECREF(hub);
  }
}

void descend(Handle *made, Handle *source) {
  if (made == source) return;
  if (made->source != NULL || made->root != NULL || made->family != NULL) {
    unite(made, source);
    return;
  }
  Handle *root = root_of(source);
  made->source = Py_NewRef((PyObject *)root);
  join_family(made, root);
}

void leave_family(Handle *self) {
  leave_root(self);
  while (self->family != NULL) leave_root(self->family); /* on its own now */
  PyMem_Free(self->answer);
  self->answer = NULL;
}

/* ---- Asking -------------------------------------------------------------- */

struct asking {
  struct answer *answer;
  int failed;
};

/* NULL: there is no memory. */
static struct answer *with_room(struct answer *answer, size_t room) {
  struct answer *more =
      PyMem_Realloc(answer, sizeof *more + room * sizeof(PyObject *));
  if (more == NULL) return NULL;
  if (answer == NULL) more->count = 0;
  more->room = room;
  return more;
}

static void note(void *context, void *held, rac_destroy_fn destroy) {
  struct asking *asking = context;
  struct answer *answer = asking->answer;
  if (held == NULL || !is_of_python(destroy) || asking->failed) return;
  if (answer->count == answer->room) {
    struct answer *more = with_room(answer, answer->room * 2 + 4);
    if (more == NULL) {
      asking->failed = 1;
      return;
    }
    asking->answer = answer = more;
  }
  answer->held[answer->count++] = held;
  answer->speaks |= destroy == drop_speaking_context;
}

/* `before` is memory to be used again. */
static struct answer *ask(struct answer *before, void **handles, size_t count) {
  /* One that is empty is an answer, too: or each of many would ask for all
   * again. */
  struct asking asking = {before ? before : with_room(NULL, 0), 0};
  if (asking.answer == NULL) return NULL;
  asking.answer->count = 0;
  asking.answer->speaks = 0;
  rac_visit_contexts(handles, count, note, &asking);
  if (asking.failed) asking.answer->count = 0;
  asking.answer->epoch = answers_epoch;
  asking.answer->was_given = 0;
  return asking.answer;
}

static int by_address(const void *a, const void *b) {
  PyObject *one = *(PyObject *const *)a, *other = *(PyObject *const *)b;
  return (one > other) - (one < other);
}

/* Takes what is a relative's own out of what is the family's. */
static void subtract(struct answer *all, const struct answer *own) {
  for (size_t i = 0; i < own->count; i++) {
    PyObject **found = bsearch(&own->held[i], all->held, all->count,
                               sizeof(PyObject *), by_address);
    if (found == NULL) continue;
    all->count--;
    memmove(found, found + 1,
            (size_t)(all->held + all->count - found) * sizeof *found);
  }
}

static void ask_family(Handle *root) {
  size_t count = root->handle != NULL;
  for (Handle *one = root->family; one != NULL; one = one->next)
    count += one->handle != NULL;
  void **handles = PyMem_Malloc((count + 1) * sizeof *handles);
  size_t used = 0;
  if (handles != NULL && root->handle != NULL) handles[used++] = root->handle;
  for (Handle *one = root->family; one != NULL; one = one->next) {
    if (one->handle == NULL) continue;
    one->answer = ask(one->answer, &one->handle, handles != NULL);
    if (handles != NULL) handles[used++] = one->handle;
  }
  root->answer = ask(root->answer, handles, used);
  PyMem_Free(handles);
  if (root->answer == NULL || root->family == NULL) return;
  qsort(root->answer->held, root->answer->count, sizeof(PyObject *),
        by_address);
  for (Handle *one = root->family; one != NULL; one = one->next)
    if (one->answer != NULL) subtract(root->answer, one->answer);
}

int visit_contexts(Handle *self, visitproc visit, void *arg) {
  struct answer *answer = self->answer;
  if (self->handle == NULL && !self->is_hub) return 0;
  if (visit == collector.subtracting) {
    Handle *root = self->root ? self->root : self;
    if (collector.is_partial && root->members > CROWD) return 0;
    if (answer == NULL || answer->epoch != answers_epoch || answer->was_given)
      ask_family(root);
    answer = self->answer;
    if (answer != NULL) answer->was_given = 1;
  }
  if (answer == NULL || answer->epoch != answers_epoch) return 0;
  for (size_t i = 0; i < answer->count; i++) Py_VISIT(answer->held[i]);
  return 0;
}

/* The last handle of a property and of a command ends it, and who hears that
 * may be anybody. */
int may_speak(Handle *self) {
  Handle *root = self->root ? self->root : self;
  struct answer *own = self->answer, *all = root->answer;
  if (self->handle == NULL) return 0;
  if (own == NULL || own->epoch != answers_epoch || all == NULL ||
      all->epoch != answers_epoch)
    return 1; /* nobody knows */
  if (is_a((PyObject *)self, CLASS_PROPERTY) ||
      is_a((PyObject *)self, CLASS_COMMAND))
    return own->count + all->count > 0;
  return own->speaks || all->speaks;
}
