/* What a round begins with, and the leaves among it: signals and sequences of
 * which values are made.
 *
 * A value that reaches itself could not be let go of: a replay that remembers a
 * signal made of itself, say. So signals and sequences that are values hold
 * nothing that could remember a value: scalars, plain subjects, timers.
 */
#include "fuzz.h"

enum { LEAVES = 8 };

static _Atomic(void *) signals[LEAVES], sequences[LEAVES];

static void set(_Atomic(void *) *place, void *handle) {
  void *old = atomic_exchange_explicit(place, handle, memory_order_relaxed);
  if (old) rac_release(old);
}

rac_signal *fuzz_leaf_signal(player *p, call *c) {
  (void)c;
  return atomic_load_explicit(&signals[fuzz_below(p, LEAVES)],
                              memory_order_relaxed);
}

rac_sequence *fuzz_leaf_sequence(player *p, call *c) {
  (void)c;
  return atomic_load_explicit(&sequences[fuzz_below(p, LEAVES)],
                              memory_order_relaxed);
}

static void keep(player *p, kind kind, void *handle) {
  call c = {0};
  fuzz_keep(p, &c, kind, handle);
}

static void grow_leaves(player *p, rac_scheduler *scheduler) {
  const rac_value values[] = {rac_value_int64(1), rac_value_bool(true),
                              rac_value_nil()};
  set(&signals[0], rac_signal_return(rac_value_int64(1)));
  set(&signals[1], rac_signal_from_values(values, 3));
  set(&signals[2], rac_signal_empty());
  set(&signals[3], rac_signal_error(rac_value_nil()));
  set(&signals[4], rac_signal_never());
  for (int i = 5; i < 7; i++) {
    rac_subject *subject = rac_subject_create();
    set(&signals[i], rac_retain(subject));
    keep(p, KIND_SUBJECT, subject);
  }
  rac_signal *ticks =
      rac_signal_interval(fuzz.threads == 1 ? 1 : 1e-3, scheduler);
  set(&signals[7], fuzz_stopped(p, ticks));
  set(&sequences[0], rac_sequence_range(0, 1, 3));
  set(&sequences[1], rac_sequence_from_values(values, 3));
  set(&sequences[2], rac_sequence_empty());
  set(&sequences[3], rac_sequence_return(rac_value_unit()));
  set(&sequences[4], rac_sequence_from_elements(rac_value_string("text")));
  set(&sequences[5], rac_sequence_concat(sequences[0], sequences[1]));
  set(&sequences[6], rac_sequence_skip(sequences[0], 1));
  set(&sequences[7], rac_sequence_distinct_until_changed(sequences[1]));
}

void fuzz_furnish(player *p) {
  rac_destroy_fn destroy;
  rac_scheduler *clock = rac_scheduler_virtual();
  keep(p, KIND_SCHEDULER, rac_retain(clock));
  keep(p, KIND_SCHEDULER, rac_scheduler_main());
  keep(p, KIND_SCHEDULER, rac_scheduler_immediate());
  void *context = fuzz_context(p, SHARED, &destroy);
  keep(p, KIND_SCHEDULER,
       rac_scheduler_over_queue("fuzz", context, fuzz_rac_enqueue_fn, destroy));
  if (fuzz.threads > 1) {
    keep(p, KIND_SCHEDULER, rac_scheduler_background(0, "fuzz"));
    keep(p, KIND_SCHEDULER, rac_scheduler_background(1, NULL));
  }
  rac_scheduler *timer =
      fuzz.threads > 1 ? rac_scheduler_background(0, NULL) : rac_retain(clock);
  grow_leaves(p, timer);
  rac_release(timer);
  rac_release(clock);
  keep(p, KIND_SUBJECT, rac_replay_subject_create(2));
  keep(p, KIND_SUBJECT, rac_behavior_subject_create(rac_value_nil()));
  keep(p, KIND_PROPERTY, rac_property_create(rac_value_int64(0), 0));
  keep(p, KIND_PROPERTY, rac_property_create(rac_value_int64(0), 1));
  keep(p, KIND_DISPOSABLE, rac_compound_disposable_create());
  keep(p, KIND_DISPOSABLE, rac_serial_disposable_create());
  rac_bound *bound = rac_bound_create(2, RAC_BOUND_WAIT);
  rac_bound_set_timeout(bound, 0);
  keep(p, KIND_BOUND, bound);
  keep(p, KIND_SUBJECT, rac_subject_create_bounded(bound));
  keep(p, KIND_CHANNEL, rac_channel_create());
}

void fuzz_clear_away(player *p) {
  (void)p;
  for (int i = 0; i < LEAVES; i++) {
    set(&signals[i], NULL);
    set(&sequences[i], NULL);
  }
}
