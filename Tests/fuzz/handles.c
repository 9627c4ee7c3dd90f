/* Pools of handles that all threads share. A pool has a reference to each of
 * its handles, but who uses one takes none: it may be released by another
 * thread at any moment, and is then stale.
 */
#include "fuzz.h"

enum { POOL = 12, STALE = 64, ENDINGS = 1 << 14, DEAREST = 48 };

/* Relaxed throughout: a handle is a number, and what it stands for is the
 * library's to publish. */
static struct {
  _Atomic(void *) handle;
  /* How many signals are in it, about. */
  atomic_uint cost;
} pools[KINDS][POOL];
static _Atomic(void *) stale[STALE];
/* Disposables that nobody has disposed: at the end of the round. */
static _Atomic(void *) endings[ENDINGS];
static atomic_uint ending_count;
/* No place from here on was ever taken, when the pools were last emptied. */
static unsigned untaken;

static void *load(_Atomic(void *) *place) {
  return atomic_load_explicit(place, memory_order_relaxed);
}
static void *swap(_Atomic(void *) *place, void *handle) {
  return atomic_exchange_explicit(place, handle, memory_order_relaxed);
}

/* ---- One to use ---------------------------------------------------------- */

static void *wrong_handle(player *p) {
  void *other;
  switch (fuzz_below(p, 8)) {
  case 0:
  case 1:
    return NULL;
  case 2:
  case 3:
    return load(&stale[fuzz_below(p, STALE)]);
  case 4:
    /* Its number before, or some day. */
    other = load(&pools[fuzz_below(p, KINDS)][fuzz_below(p, POOL)].handle);
    return (void *)((uintptr_t)other ^ (uintptr_t)1 << 27);
  case 5:
    return (void *)(uintptr_t)fuzz_random(p);
  default:
    return load(&pools[fuzz_below(p, KINDS)][fuzz_below(p, POOL)].handle);
  }
}

static void *right_handle(player *p, call *c, kind kind) {
  int from = (int)kind;
  int other = fuzz_also[kind][fuzz_below(p, ALSO)];
  if (other >= 0 && fuzz_percent(p, 60)) from = other;
  size_t place = fuzz_below(p, POOL);
  c->cost +=
      atomic_load_explicit(&pools[from][place].cost, memory_order_relaxed);
  return load(&pools[from][place].handle);
}

void *fuzz_handle(player *p, call *c, kind kind) {
  void *handle =
      fuzz_percent(p, 5) ? wrong_handle(p) : right_handle(p, c, kind);
  rac_scheduler *immediate = rac_scheduler_immediate();
  if (handle == (void *)immediate) c->is_immediate = true;
  rac_release(immediate);
  return handle;
}

void *const *fuzz_handles_(player *p, call *c, kind kind, void **out,
                           size_t *count) {
  if (fuzz_percent(p, 4)) {
    if (fuzz_percent(p, 20)) *count = SIZE_MAX;
    return NULL;
  }
  for (size_t i = 0; i < *count; i++) out[i] = fuzz_handle(p, c, kind);
  return out;
}

/* ---- One's own ----------------------------------------------------------- */

void *fuzz_take_handle(player *p, kind kind) {
  return swap(&pools[kind][fuzz_below(p, POOL)].handle, NULL);
}

static unsigned take_place(void) {
  return atomic_fetch_add_explicit(&ending_count, 1, memory_order_relaxed) %
         ENDINGS;
}

static void end_at(unsigned place, void *disposable) {
  void *before = swap(&endings[place], disposable);
  if (before) {
    rac_dispose(before);
    rac_release(before);
  }
}

static void end_later(void *disposable) { end_at(take_place(), disposable); }

static void dispose(player *p, void *disposable) {
  if (rac_dispose(disposable) == RAC_OK)
    fuzz_note_disposed(p, disposable, false);
}

void fuzz_let_go(player *p, kind kind, void *handle) {
  if (handle == NULL) return;
  swap(&stale[fuzz_below(p, STALE)], handle);
  if (kind == KIND_DISPOSABLE && !fuzz_is_quiet() && fuzz_flag(p)) {
    end_later(handle);
    return;
  }
  if (kind == KIND_DISPOSABLE) dispose(p, handle);
  if (kind == KIND_SUBJECT && fuzz_percent(p, 20))
    rac_subject_send_completed(handle);
  rac_release(handle);
}

void fuzz_keep(player *p, call *c, kind kind, void *handle) {
  if (handle == NULL) return;
  if (c->cost >= DEAREST || fuzz_is_quiet()) {
    fuzz_let_go(p, kind, handle);
    return;
  }
  size_t place = fuzz_below(p, POOL);
  void *old = swap(&pools[kind][place].handle, handle);
  atomic_store_explicit(&pools[kind][place].cost, c->cost + 1,
                        memory_order_relaxed);
  fuzz_let_go(p, kind, old);
}

void fuzz_keep_lent(player *p, call *c, kind kind, void *handle) {
  if (handle && fuzz_percent(p, 30)) fuzz_keep(p, c, kind, rac_retain(handle));
}

void fuzz_hear_handle(player *p, kind kind, void *handle) {
  call c = {0};
  if (!fuzz_is_quiet() && fuzz_percent(p, 25))
    fuzz_keep(p, &c, kind, rac_retain(handle));
}

/* ---- Given away by callbacks --------------------------------------------- */

/* Anything may be below what the callback belongs to, and so feed itself: until it
 * is stopped, which nobody is once the library is closed. */
rac_signal *fuzz_give_signal(player *p) {
  if (fuzz_is_quiet() || fuzz_percent(p, 10)) return NULL;
  call c = {0};
  rac_signal *signal = p->depth < 3 && !fuzz.closes && fuzz_flag(p)
                           ? fuzz_brake(p, fuzz_handle(p, &c, KIND_SIGNAL))
                           : rac_retain(fuzz_leaf_signal(p, &c));
  if (fuzz.trace) fuzz_show_handle(p, signal), fuzz_show_end(p);
  return signal;
}

rac_sequence *fuzz_give_sequence(player *p) {
  if (fuzz_is_quiet() || fuzz_percent(p, 10)) return NULL;
  call c = {0};
  return rac_retain(fuzz_leaf_sequence(p, &c));
}

rac_disposable *fuzz_give_disposable(player *p) {
  if (fuzz_is_quiet() || fuzz_flag(p)) return NULL;
  rac_destroy_fn destroy;
  void *context = fuzz_context(p, ONCE, &destroy);
  return rac_disposable_create(context, fuzz_rac_action_fn, destroy);
}

/* ---- The end of a round -------------------------------------------------- */

/* A thread of the library's may have taken a place and put nothing there yet: so
 * those taken before are looked at, too. */
static void end_all(player *p) {
  unsigned count =
      atomic_exchange_explicit(&ending_count, 0, memory_order_relaxed);
  if (count > ENDINGS) count = ENDINGS;
  if (count > untaken) untaken = count;
  for (unsigned i = 0; i < untaken; i++) {
    if (load(&endings[i]) == NULL) continue;
    void *disposable = swap(&endings[i], NULL);
    dispose(p, disposable);
    rac_release(disposable);
  }
}

void fuzz_empty_pools(player *p) {
  for (int kind = 0; kind < KINDS; kind++) {
    for (int i = 0; i < POOL; i++) {
      void *handle = swap(&pools[kind][i].handle, NULL);
      atomic_store_explicit(&pools[kind][i].cost, 0, memory_order_relaxed);
      fuzz_let_go(p, (enum kind)kind, handle);
    }
  }
  for (int i = 0; i < STALE; i++) swap(&stale[i], NULL);
  end_all(p);
}
