/* What a sink is subscribed to: a tree of operators over subjects and hubs. What
 * each of them may do to the values that come through is noted at their lanes. */
#include "values.h"

#include <stdarg.h>

static rac_signal *grow(tree *self, numbers *random, int depth);

__attribute__((format(printf, 2, 3))) static void
note(tree *self, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  size_t room = sizeof self->text - self->text_size;
  int length = vsnprintf(self->text + self->text_size, room, format, arguments);
  va_end(arguments);
  self->text_size += (size_t)length < room ? (size_t)length : room - 1;
}

/* Takes the source's reference over. */
static rac_signal *instead(rac_signal *source, rac_signal *made) {
  if (made == NULL) {
    fprintf(stderr, "values: %s: %s\n", rac_last_error_function(),
            rac_last_error_message());
    abort();
  }
  rac_release(source);
  return made;
}

static rac_status add_tag(void *context, rac_value value, rac_value *out) {
  const lane *lane = context_lane(context);
  if (lane != NULL && atomic_load(&lane->is_over))
    atomic_store(&the.is_stale, true);
  *out = rac_value_int64((int64_t)value.bits + context_number(context));
  return RAC_OK;
}

/* `lane`: of what is switched to. */
static rac_signal *tagged(rac_signal *source, int64_t tag, lane *lane) {
  if (tag == 0) return source;
  return instead(source, rac_signal_map(source, context_of_lane(tag, lane),
                                        add_tag, destroy_context));
}

/* What drops is one more that may have dropped what is missing. */
static void add_bound(tree *self, rac_bound *bound, int policy) {
  if (policy == RAC_BOUND_ERROR) self->may_fail = true;
  if (!drops(policy)) return;
  if (self->bound_count == MOST_BOUNDS) abort();
  self->bounds[self->bound_count++] = rac_retain(bound);
}

/* ---- Leaves ------------------------------------------------------------------ */

static lane *add_lane(tree *self, lane new) {
  if (self->lane_count == MOST_LANES) return NULL;
  if (new.switcher < 0 || new.epoch == 0) new.home = self->lane_count;
  self->lanes[self->lane_count] = new;
  return &self->lanes[self->lane_count++];
}

static lane lane_of(int subject, int64_t way) {
  return (lane){.way = way,
                .subject = subject,
                .from_start = the.places[subject].is_replay,
                .switcher = -1,
                .until = INT64_MAX};
}

static rac_signal *subject_leaf(tree *self, numbers *random) {
  int subject = below(random, the.place_count);
  place *place = &the.places[subject];
  int way = self->way_count++;
  int64_t tag = self->is_hub ? tag_hub(way) : tag_lane(way);
  add_lane(self, lane_of(subject, way_of(tag)));
  if (place->bound != NULL) add_bound(self, place->bound, place->policy);
  note(self, "s%d", subject);
  return tagged(rac_retain(rac_subject_as_signal(place->subject)), tag, NULL);
}

static rac_signal *hub_leaf(tree *self, numbers *random) {
  int number = below(random, the.hub_count);
  hub *hub = &the.hubs[number];
  tree *below_it = &hub->tree;
  int first = self->lane_count, way = self->way_count++;
  for (int i = 0; i < below_it->lane_count; i++) {
    lane lane = below_it->lanes[i];
    lane.way |= way_of(tag_lane(way));
    lane.is_shared = true;
    lane.is_late = true; /* behind who subscribes there */
    lane.from_start = hub->is_replay;
    if (below_it->may_fail) lane.open_front = lane.open_end = true;
    add_lane(self, lane);
  }
  for (int i = 0; i < below_it->take_count; i++)
    for (int j = below_it->takes[i].first; j < below_it->takes[i].end; j++)
      self->lanes[first + j].open_end = true;
  for (int i = 0; i < below_it->bound_count; i++)
    add_bound(self, below_it->bounds[i], RAC_BOUND_LATEST);
  self->may_fail |= below_it->may_fail;
  self->may_complete |= below_it->may_complete;
  self->is_inexact |= below_it->is_inexact;
  note(self, "hub%d", number);
  return tagged(rac_retain(hub->signal), tag_lane(way), NULL);
}

void switch_on(tree *self, switcher *switcher, numbers *random) {
  if (self->lane_count == MOST_LANES || switcher->epoch == 100) return;
  int subject = below(random, the.place_count);
  place *place = &the.places[subject];
  int epoch = ++switcher->epoch;
  int64_t tag = tag_lane(switcher->first) + tag_epoch(epoch);
  lane new = lane_of(subject, way_of(tag));
  new.switcher = (int)(switcher - self->switchers);
  new.epoch = epoch;
  /* The switch may be busy with a value of the last one: it has begun when all has
   * stood still. */
  new.since = INT64_MAX;
  /* What it drops is missing once, on whichever way it would have come. */
  if (place->bound != NULL && !switcher->known[subject])
    add_bound(self, place->bound, place->policy);
  switcher->known[subject] = true;
  /* Of the switch: filters above it and the like. */
  for (int i = 0; i < self->lane_count; i++) {
    lane *other = &self->lanes[i];
    if (other->switcher != new.switcher) continue;
    new.home = other->home;
    new.is_late = other->is_late, new.is_unordered = other->is_unordered;
    new.open_end = other->open_end, new.open_front = other->open_front;
    new.filters = other->filters;
    memcpy(new.filter, other->filter, sizeof new.filter);
    if (other->until == INT64_MAX) other->until = now();
  }
  rac_signal *next = rac_retain(rac_subject_as_signal(place->subject));
  next = tagged(next, tag, add_lane(self, new));
  rac_value value = rac_value_signal(next);
  rac_subject_send(switcher->control, value);
  rac_value_release(value);
  rac_release(next);
}

void end_switched(tree *self) {
  for (int i = 0; i < self->lane_count; i++) {
    lane *lane = &self->lanes[i];
    if (lane->epoch > 0 && lane->epoch < self->switchers[lane->switcher].epoch)
      atomic_store(&lane->is_over, true);
  }
}

static rac_signal *switch_leaf(tree *self) {
  switcher *switcher = &self->switchers[self->switcher_count];
  switcher->control = rac_subject_create();
  switcher->first = self->way_count++;
  /* For what operators say of it; nothing has this way. */
  lane none = lane_of(0, way_of(tag_lane(switcher->first)));
  none.switcher = self->switcher_count++;
  none.until = 0;
  add_lane(self, none);
  self->is_inexact = true;
  note(self, "switch");
  return rac_signal_switch_to_latest(rac_subject_as_signal(switcher->control));
}

static rac_signal *leaf(tree *self, numbers *random) {
  if (!self->is_hub && the.hub_count > 0 && percent(random, 35))
    return hub_leaf(self, random);
  if (!self->is_hub && self->switcher_count < 2 && percent(random, 12))
    return switch_leaf(self);
  return subject_leaf(self, random);
}

/* ---- Operators ----------------------------------------------------------------- */

static rac_status same(void *context, rac_value value, rac_value *out) {
  if (context_number(context) < 0) return RAC_EINVAL;
  *out = rac_value_int64((int64_t)value.bits);
  return RAC_OK;
}

static rac_status is_kept(void *context, rac_value value, bool *out) {
  lane rule = {.filters = 1, .filter = {(int)context_number(context)}};
  *out = passes(&rule, serial_of((int64_t)value.bits));
  return RAC_OK;
}

/* Of what drops, or leaves out, below a take nobody knows when that is over. */
static void make_uncertain(tree *self, int first) {
  for (int i = 0; i < self->take_count; i++)
    if (self->takes[i].first >= first) self->takes[i].is_uncertain = true;
}

static rac_signal *filtered(tree *self, numbers *random, int first,
                            rac_signal *source) {
  for (int i = first; i < self->lane_count; i++)
    if (self->lanes[i].filters == 4) return source;
  int salt = below(random, 3);
  for (int i = first; i < self->lane_count; i++)
    self->lanes[i].filter[self->lanes[i].filters++] = salt;
  if (self->bound_count > 0) self->is_inexact = true;
  make_uncertain(self, first);
  note(self, ".filter");
  return instead(source, rac_signal_filter(source, counted_context(salt),
                                           is_kept, destroy_context));
}

static rac_signal *taken(tree *self, int first, rac_signal *source, int most) {
  if (self->take_count == MOST_PARTS) return source;
  self->takes[self->take_count++] =
      (take){.first = first, .end = self->lane_count, .most = most};
  self->may_complete = true;
  note(self, ".take(%d)", most);
  return instead(source, rac_signal_take(source, (size_t)most));
}

static rac_signal *delivered(tree *self, numbers *random, int first,
                             rac_signal *source) {
  rac_scheduler *where = percent(random, 50)   ? the.worker
                         : percent(random, 50) ? the.other
                                               : rac_scheduler_main();
  for (int i = first; i < self->lane_count; i++) self->lanes[i].is_late = true;
  rac_signal *made = NULL;
  if (percent(random, 50)) {
    int policy;
    rac_bound *bound = choose_bound(random, true, &policy);
    made = rac_signal_deliver_on_bounded(source, where, bound);
    if (made != NULL) {
      add_bound(self, bound, policy);
      make_uncertain(self, first);
      note(self, ".deliver_on[%d]", policy);
    }
    rac_release(bound);
  }
  if (made == NULL) {
    made = rac_signal_deliver_on(source, where);
    note(self, ".deliver_on");
  }
  return instead(source, made);
}

/* A signal of the one value, at once or later. */
static rac_status one_of(void *context, rac_value value, rac_signal **out) {
  int64_t kind = context_number(context);
  *out = rac_signal_return(value);
  if (kind == 1) RAC_ASSIGN(*out, rac_signal_deliver_on(*out, the.worker));
  return *out != NULL ? RAC_OK : RAC_ENOMEM;
}

static rac_signal *flattened(tree *self, numbers *random, int first,
                             rac_signal *source) {
  size_t limit = (size_t)below(random, 4);
  bool is_late = percent(random, 30);
  for (int i = first; i < self->lane_count; i++) {
    self->lanes[i].is_late = true;
    /* A thread without a scheduler has one subscribe to the signals. */
    if (limit != 1) self->lanes[i].is_unordered = true;
  }
  rac_signal *made = NULL;
  if (percent(random, 40)) {
    int policy;
    rac_bound *bound = choose_bound(random, true, &policy);
    made = rac_signal_flatten_map_limited(source, limit, bound,
                                          counted_context(is_late), one_of,
                                          destroy_context);
    if (made != NULL) {
      add_bound(self, bound, policy);
      make_uncertain(self, first);
      note(self, ".flatten_map[%d](%d%s)", policy, (int)limit,
           is_late ? ", later" : "");
    }
    rac_release(bound);
  }
  if (made == NULL) {
    made = rac_signal_flatten_map_limited(
        source, limit, NULL, counted_context(is_late), one_of, destroy_context);
    note(self, ".flatten_map(%d%s)", (int)limit, is_late ? ", later" : "");
  }
  return instead(source, made);
}

static rac_signal *merged(tree *self, numbers *random, int depth) {
  int first = self->lane_count, count = 2 + below(random, 2);
  rac_signal *parts[3], *made = NULL;
  note(self, "merge(");
  for (int i = 0; i < count; i++) {
    if (i > 0) note(self, ", ");
    parts[i] = grow(self, random, depth - 1);
  }
  note(self, ")");
  /* Behind a value of another signal one waits, whatever its send has answered. */
  for (int i = first; i < self->lane_count; i++) self->lanes[i].is_late = true;
  if (percent(random, 40)) {
    int policy;
    rac_bound *bound = choose_bound(random, true, &policy);
    made = rac_signal_merge_bounded(parts, (size_t)count, bound);
    if (made != NULL) {
      add_bound(self, bound, policy);
      make_uncertain(self, first);
      note(self, "[%d]", policy);
    }
    rac_release(bound);
  }
  if (made == NULL) made = rac_signal_merge(parts, (size_t)count);
  for (int i = 1; i < count; i++) rac_release(parts[i]);
  return instead(parts[0], made);
}

static rac_signal *one_after_the_other(tree *self, numbers *random, int depth) {
  int first = self->lane_count;
  note(self, "concat(");
  rac_signal *a = grow(self, random, depth - 1);
  int take = self->take_count;
  a = taken(self, first, a, 1 + below(random, 60));
  note(self, ", ");
  int begin = self->lane_count;
  rac_signal *b = grow(self, random, depth - 1);
  note(self, ")");
  for (int i = begin; i < self->lane_count; i++)
    self->lanes[i].open_front = true;
  if (take < self->take_count && self->sequel_count < MOST_PARTS)
    self->sequels[self->sequel_count++] =
        (sequel){take, begin, self->lane_count};
  rac_signal *made = rac_signal_concat(a, b);
  rac_release(b);
  return instead(a, made);
}

static rac_signal *grow(tree *self, numbers *random, int depth) {
  int first = self->lane_count;
  if (depth <= 0 || percent(random, 20) || self->lane_count > 12)
    return leaf(self, random);
  int kind = below(random, 20);
  if (kind < 5) return merged(self, random, depth);
  if (kind < 7) return one_after_the_other(self, random, depth);
  rac_signal *source = grow(self, random, depth - 1);
  if (kind < 9) return filtered(self, random, first, source);
  if (kind < 11) return taken(self, first, source, 1 + below(random, 200));
  if (kind < 14) return delivered(self, random, first, source);
  if (kind < 18) return flattened(self, random, first, source);
  note(self, ".map");
  return instead(source, rac_signal_map(source, counted_context(1), same,
                                        destroy_context));
}

rac_signal *grow_tree(tree *self, numbers *random) {
  return grow(self, random, below(random, 5));
}

void release_tree(tree *self) {
  for (int i = 0; i < self->bound_count; i++) rac_release(self->bounds[i]);
  for (int i = 0; i < self->switcher_count; i++)
    rac_release(self->switchers[i].control);
}
