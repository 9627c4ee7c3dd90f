/* A random tree of operators that keep all values, and their order. */
#include "holds.h"

static rac_bound *add_place(int sources) {
  place *self = &now.places[now.place_count++];
  self->capacity = 1 + below(16);
  self->sources = sources;
  self->bound = rac_bound_create((size_t)self->capacity,
                                 below(2) ? RAC_BOUND_WAIT : RAC_BOUND_REFUSE);
  return self->bound;
}

rac_signal *behind_place(rac_signal *source, rac_scheduler *scheduler,
                         int sources) {
  rac_bound *bound = add_place(sources);
  say(".deliver_on[%d]", now.places[now.place_count - 1].capacity);
  return rac_signal_deliver_on_bounded(source, scheduler, bound);
}

/* A value that comes when a worker has had its turn. */
static rac_status later(void *worker, rac_value value, rac_signal **out) {
  rac_signal *one = rac_signal_return(value);
  *out = rac_signal_deliver_on(one, worker);
  rac_release(one);
  return RAC_OK;
}

static rac_signal *one_after_the_other(rac_signal *source, int *sources) {
  bool has_bound = below(2);
  rac_bound *bound = has_bound ? add_place(*sources) : NULL;
  say(".concat_map[%d]",
      has_bound ? now.places[now.place_count - 1].capacity : 64);
  *sources = 1;
  return rac_signal_flatten_map_limited(source, 1, bound, any_worker(), later,
                                        NULL);
}

static rac_status left_of(void *context, rac_value row, rac_value *out) {
  (void)context;
  *out = rac_value_retain(rac_tuple_get(row, 0));
  return RAC_OK;
}

/* Beside a sequence that is never over first. */
static rac_signal *zipped(rac_signal *source, int *sources) {
  rac_sequence *range = rac_sequence_range(0, 1, 1 << 20);
  rac_signal *other = rac_sequence_signal(range, any_worker());
  rac_signal *rows = rac_signal_zip_with(source, other);
  rac_signal *left = rac_signal_map(rows, NULL, left_of, NULL);
  say(".zip");
  rac_release(range);
  rac_release(other);
  rac_release(rows);
  *sources += 1;
  return left;
}

static rac_signal *with_stage(rac_signal *source, int depth, int *sources) {
  rac_signal *other, *both;
  int more = 0;
  switch (below(6)) {
  case 0:
    say(".deliver_on");
    *sources = 1;
    return rac_signal_deliver_on(source, any_worker());
  case 1:
    both = behind_place(source, any_worker(), *sources);
    *sources = 1;
    return both;
  case 2:
    return one_after_the_other(source, sources);
  case 3:
    return zipped(source, sources);
  default:
    if (now.source_count + 4 > MOST_SOURCES) return rac_retain(source);
    say(".merge(");
    other = grow(depth - 1, &more);
    say(")");
    both = rac_signal_merge_with(source, other);
    rac_release(other);
    *sources += more;
    return both;
  }
}

rac_signal *grow(int depth, int *sources) {
  rac_signal *signal = make_source();
  *sources = 1;
  for (int i = depth > 0 ? below(depth + 1) : 0; i > 0; i--) {
    rac_signal *above = signal;
    signal = with_stage(above, depth, sources);
    rac_release(above);
  }
  return signal;
}
