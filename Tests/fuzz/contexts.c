/* Contexts, and what the contract says of the callbacks they are passed to:
 * destroy once, after the last callback has returned and never before; the
 * callbacks of a subscription one after another, none after its end, none on
 * the thread that has disposed it.
 */
#include "fuzz.h"

enum { CONTEXTS = 1 << 17, BUDGET = 12000 };
enum { FREE, ALIVE, DESTROYED, REPORTED };

typedef struct context {
  atomic_int state;
  atomic_int inside; /* callbacks that run */
  atomic_int uses;
  atomic_uintptr_t disposer; /* the player that has disposed it */
  _Atomic(void *) disposable;
  role role;
  const char *function;
  uint64_t round;
  /* Not atomic: the library alone keeps these callbacks apart. */
  unsigned heard;
  bool has_ended;
} context;

static context contexts[CONTEXTS];
static atomic_uint next_context;
static atomic_int given, destroyed;
/* NULL is a context like any other. */
static atomic_int nulls_given, nulls_destroyed;
static atomic_int budget;

/* By handle, the last one that had it: to find out whose it is. */
enum { KNOWN = 1 << 12 };
static _Atomic(context *) known[KNOWN];

static _Atomic(context *) *place_of(const void *handle) {
  return &known[(uintptr_t)handle % KNOWN];
}

void fuzz_begin_contexts(bool quiet) {
  atomic_store_explicit(&budget, quiet ? -1000000000 : BUDGET,
                        memory_order_relaxed);
}

bool fuzz_is_quiet(void) {
  return atomic_load_explicit(&budget, memory_order_relaxed) <= 0;
}

int fuzz_contexts_left(void) {
  return atomic_load(&given) - atomic_load(&destroyed) +
         atomic_load(&nulls_given) - atomic_load(&nulls_destroyed);
}

static context *fresh(void) {
  for (;;) {
    unsigned index =
        atomic_fetch_add_explicit(&next_context, 1, memory_order_relaxed);
    context *self = &contexts[index % CONTEXTS];
    /* One that never was destroyed may be some day. */
    int state = atomic_load_explicit(&self->state, memory_order_relaxed);
    if (state == FREE || state == DESTROYED) return self;
  }
}

static context *make(player *p, role role) {
  context *self = fresh();
  atomic_store_explicit(&self->inside, 0, memory_order_relaxed);
  atomic_store_explicit(&self->uses, 12, memory_order_relaxed);
  atomic_store_explicit(&self->disposer, 0, memory_order_relaxed);
  atomic_store_explicit(&self->disposable, NULL, memory_order_relaxed);
  self->role = role;
  self->function = p->function;
  self->round = p->round;
  self->heard = 0;
  self->has_ended = false;
  atomic_store_explicit(&self->state, ALIVE, memory_order_relaxed);
  atomic_fetch_add_explicit(&given, 1, memory_order_relaxed);
  return self;
}

void *fuzz_context(player *p, role role, rac_destroy_fn *destroy) {
  *destroy = fuzz_rac_destroy_fn;
  if (fuzz_percent(p, 3)) {
    if (fuzz_flag(p)) {
      *destroy = NULL;
    } else {
      atomic_fetch_add_explicit(&nulls_given, 1, memory_order_relaxed);
    }
    return NULL;
  }
  return make(p, role);
}

static bool some(player *p) { return fuzz_percent(p, 80); }

void *fuzz_observer(player *p, rac_observer *observer) {
  *observer = (rac_observer)RAC_OBSERVER_INIT;
  if (some(p)) observer->next = fuzz_rac_next_fn;
  if (some(p)) observer->error = fuzz_rac_error_fn;
  if (some(p)) observer->completed = fuzz_rac_completed_fn;
  if (fuzz_percent(p, 1)) {
    /* Not usable: nothing of it is used. */
    observer->size = 3;
    return NULL;
  }
  observer->context = fuzz_context(p, SUBSCRIPTION, &observer->destroy);
  return observer->context;
}

void *fuzz_batch_observer(player *p, rac_batch_observer *observer) {
  *observer = (rac_batch_observer)RAC_BATCH_OBSERVER_INIT;
  size_t which = fuzz_below(p, 16);
  if (which < 8 || which == 15) observer->next_values = fuzz_rac_next_values_fn;
  if (which >= 8 && which < 11) observer->next_int64s = fuzz_rac_next_int64s_fn;
  if (which >= 11 && which < 14)
    observer->next_doubles = fuzz_rac_next_doubles_fn;
  if (which == 15) observer->next_doubles = fuzz_rac_next_doubles_fn;
  if (some(p)) observer->error = fuzz_rac_error_fn;
  if (some(p)) observer->completed = fuzz_rac_completed_fn;
  if (fuzz_percent(p, 1)) {
    observer->size = 3;
    return NULL;
  }
  observer->context = fuzz_context(p, SUBSCRIPTION, &observer->destroy);
  return observer->context;
}

/* ---- Disposed ------------------------------------------------------------ */

void fuzz_note_subscription(void *of, void *disposable) {
  context *self = of;
  if (self == NULL || disposable == NULL) return;
  atomic_store_explicit(&self->disposable, disposable, memory_order_relaxed);
  atomic_store_explicit(place_of(disposable), self, memory_order_relaxed);
}

void fuzz_note_disposed(player *p, void *disposable, bool is_over) {
  if (disposable == NULL) return;
  context *self =
      atomic_load_explicit(place_of(disposable), memory_order_relaxed);
  if (self == NULL || atomic_load_explicit(&self->disposable,
                                           memory_order_relaxed) != disposable)
    return;
  atomic_store_explicit(&self->disposer, (uintptr_t)p, memory_order_relaxed);
  if (is_over && atomic_load(&self->state) == ALIVE)
    fuzz_fail("rac_dispose_and_wait came back before destroy");
}

/* ---- Called -------------------------------------------------------------- */

player *fuzz_enter_destroy(void *of) {
  context *self = of;
  player *p = fuzz_player();
  atomic_fetch_sub_explicit(&budget, 1, memory_order_relaxed);
  p->depth++;
  if (self == NULL) return p;
  int others =
      atomic_fetch_add_explicit(&self->inside, 1, memory_order_relaxed);
  if (atomic_load_explicit(&self->state, memory_order_relaxed) == DESTROYED)
    fuzz_fail("a callback of %s after destroy", self->function);
  if (self->role == SHARED) return p;
  self->heard++;
  if (self->role == ONCE) {
    if (self->heard > 1) fuzz_fail("%s calls back twice", self->function);
    return p;
  }
  if (others != 0) fuzz_fail("callbacks of one %s overlap", self->function);
  if (self->has_ended)
    fuzz_fail("an event of %s after its end", self->function);
  if (atomic_load_explicit(&self->disposer, memory_order_relaxed) ==
      (uintptr_t)p)
    fuzz_fail("an event of %s after its dispose", self->function);
  return p;
}

player *fuzz_enter(void *of) {
  context *self = of;
  if (fuzz_is_late(fuzz_player(), self ? self->function : NULL))
    fuzz_fail("a callback of %s after rac_close",
              self ? self->function : "somebody");
  return fuzz_enter_destroy(of);
}

void fuzz_leave(player *p, void *of) {
  context *self = of;
  p->depth--;
  if (self == NULL) return;
  atomic_fetch_sub_explicit(&self->inside, 1, memory_order_relaxed);
}

void fuzz_hear_end(void *of) {
  context *self = of;
  if (self && self->role == SUBSCRIPTION) self->has_ended = true;
}

void fuzz_rac_destroy_fn(void *of) {
  context *self = of;
  player *p = fuzz_player();
  if (fuzz.trace) fuzz_show_callback(p, "rac_destroy_fn", of);
  if (self == NULL) {
    atomic_fetch_add(&nulls_destroyed, 1);
    return;
  }
  if (atomic_load_explicit(&self->inside, memory_order_relaxed) != 0)
    fuzz_fail("destroy of %s during a callback", self->function);
  self->heard = 0; /* nobody may be writing there */
  int before =
      atomic_exchange_explicit(&self->state, DESTROYED, memory_order_relaxed);
  if (before != ALIVE) {
    if (before == DESTROYED)
      fuzz_fail("a second destroy of %s", self->function);
    return;
  }
  p->depth++;
  fuzz_act(p, NULL);
  p->depth--;
  atomic_fetch_add(&destroyed, 1);
}

bool fuzz_use_up(void *of) {
  context *self = of;
  if (fuzz_is_quiet()) return false;
  return self == NULL ||
         atomic_fetch_sub_explicit(&self->uses, 1, memory_order_relaxed) > 0;
}

unsigned fuzz_context_number(void *of) {
  return of ? (unsigned)((context *)of - contexts) : 0;
}

/* And counts them no more: later rounds are not to blame. */
void fuzz_print_contexts(void) {
  for (unsigned i = 0; i < CONTEXTS; i++) {
    int alive = ALIVE;
    if (!atomic_compare_exchange_strong(&contexts[i].state, &alive, REPORTED))
      continue;
    atomic_fetch_add(&destroyed, 1);
    fprintf(stderr,
            "  not destroyed: context %u of %s, round %llu, called %u "
            "times\n",
            i, contexts[i].function, (unsigned long long)contexts[i].round,
            contexts[i].heard);
  }
  int nulls = atomic_load(&nulls_given) - atomic_load(&nulls_destroyed);
  if (nulls) fprintf(stderr, "  not destroyed: %d NULL contexts\n", nulls);
  atomic_fetch_add(&nulls_destroyed, nulls);
}
