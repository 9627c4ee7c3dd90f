/* What was to be heard: of each sender on each way its values once, in order, and
 * without a gap from where the subscription begins to where it ends. */
#include "values.h"

#include <stdarg.h>

typedef struct hearing {
  const sink *sink;
  bool says;
  int wrong;
  int missing;
  int64_t example; /* one that is missing, and its way */
  const lane *lane;
  int last[MOST_LANES][MOST_SENDERS]; /* the last number, and one */
  uint8_t *marks[MOST_LANES]; /* of a way without order, by sender and number */
} hearing;

__attribute__((format(printf, 2, 3))) static void
complain(hearing *self, const char *format, ...) {
  if (self->wrong++ > 2 || !self->says) return;
  va_list arguments;
  va_start(arguments, format);
  fprintf(stderr, "values: seed %llu, round %llu, sink %d: ",
          (unsigned long long)the.seed, (unsigned long long)the.round,
          self->sink->number);
  vfprintf(stderr, format, arguments);
  fprintf(stderr, "\n");
  va_end(arguments);
}

static bool is_taken(rac_status status) {
  return status == RAC_OK || status == RAC_QUEUED || status == RAC_DROPPED;
}

/* What this lane brings, if nothing is lost. Of a bound that makes an error what is
 * dropped comes behind that. */
static bool is_of(const lane *lane, const sent *sent, int serial) {
  const place *place = &the.places[lane->subject];
  if (sent->subject != lane->subject || !passes(lane, serial)) return false;
  if (sent->status == RAC_DROPPED && place->policy == RAC_BOUND_ERROR)
    return false;
  return is_taken(sent->status);
}

/* Whether it had to be heard: sent when the subscription was there, and before
 * whatever ended it. */
static bool is_due(const sink *sink, const lane *lane, const sent *sent) {
  if (lane->open_end || lane->open_front) return false;
  if (atomic_load(&sink->ended) == 2) return false;
  if (!lane->from_start && sent->begin <= sink->end) return false;
  int64_t since = lane->since == INT64_MAX ? the.settled : lane->since;
  if (sent->begin <= since) return false;
  const place *place = &the.places[lane->subject];
  bool has_ended =
      place->end_end != 0 && (lane->is_shared || place->end_end >= sink->begin);
  if (has_ended && sent->end >= place->end_begin) return false;
  int64_t limit = atomic_load(&sink->disposed);
  if (limit == 0) limit = INT64_MAX;
  if (lane->until < limit) limit = lane->until;
  if (limit == INT64_MAX) return true;
  /* A disposal drops values that wait, and those that a replay has still to bring: another
   * thread may be bringing them. */
  return sent->status == RAC_OK && sent->end < limit && !lane->is_late &&
         !lane->from_start;
}

static lane *lane_at(const tree *tree, int64_t way) {
  for (int i = tree->lane_count - 1; i >= 0; i--)
    if (tree->lanes[i].way == way && tree->lanes[i].until != 0)
      return (lane *)&tree->lanes[i];
  return NULL;
}

static void miss(hearing *self, const lane *lane, int sender, int serial) {
  self->missing++;
  self->example = value_of(sender, serial);
  self->lane = lane;
}

static void hear_value(hearing *self, int64_t value, int *epochs) {
  const tree *tree = &self->sink->tree;
  const lane *lane = lane_at(tree, way_of(value));
  int sender = sender_of(value), serial = serial_of(value);
  long long shown = value;
  if (lane == NULL || sender >= MOST_SENDERS) {
    complain(self, "%#llx was never sent", shown);
    return;
  }
  int number = (int)(lane - tree->lanes);
  const struct sender *from = sender_at(sender);
  if (serial >= atomic_load(&from->count) ||
      !is_of(lane, &from->log[serial], serial)) {
    complain(self, "%#llx was not sent there, or not taken", shown);
    return;
  }
  if (lane->switcher >= 0) {
    if (lane->epoch < epochs[lane->switcher] && !lane->is_unordered)
      complain(self, "%#llx of signal %d after one of %d", shown, lane->epoch,
               epochs[lane->switcher]);
    epochs[lane->switcher] = lane->epoch;
  }
  if (!lane->is_shared && !lane->from_start && lane->switcher < 0 &&
      from->log[serial].end < self->sink->begin)
    complain(self, "%#llx was sent before there was a subscription", shown);
  if (lane->is_unordered) {
    if (self->marks[number] == NULL)
      self->marks[number] = calloc(MOST_SENDERS, MOST_SENT);
    uint8_t *mark = &self->marks[number][sender * MOST_SENT + serial];
    if (*mark) complain(self, "%#llx came twice", shown);
    *mark = 1;
    return;
  }
  int *last = &self->last[number][sender];
  if (serial < *last) {
    complain(self, "%#llx came twice or too late: behind %d of sender %d",
             shown, *last - 1, sender);
    return;
  }
  /* From the first that came to the last there is no gap. */
  for (int i = *last; i < serial; i++)
    if (is_of(lane, &from->log[i], i) &&
        (*last > 0 || is_due(self->sink, lane, &from->log[i])))
      miss(self, lane, sender, i);
  *last = serial + 1;
}

static int heard_of(const sink *sink, int first, int end) {
  int count = atomic_load(&sink->count), found = 0;
  for (int i = 0; i < count; i++) {
    const lane *lane = lane_at(&sink->tree, way_of(sink->heard[i]));
    if (lane == NULL) continue;
    found += lane->home >= first && lane->home < end;
  }
  return found;
}

/* Takes that are over leave their ways open. */
static void close_takes(hearing *self, sink *sink) {
  tree *tree = &sink->tree;
  for (int i = 0; i < tree->take_count; i++) {
    take *take = &tree->takes[i];
    int found = heard_of(sink, take->first, take->end);
    if (found > take->most)
      complain(self, "%d values of a take of %d", found, take->most);
    if (found < take->most && !take->is_uncertain) continue;
    for (int j = 0; j < tree->lane_count; j++) {
      lane *lane = &tree->lanes[j];
      if (lane->home >= take->first && lane->home < take->end)
        lane->open_end = true;
    }
  }
}

/* Whether the take before it was over when all stood still. */
static bool has_begun(const sink *sink, const sequel *sequel) {
  const take *take = &sink->tree.takes[sequel->take];
  int count = atomic_load(&sink->count), found = 0;
  for (int i = 0; i < count; i++) {
    int64_t value = sink->heard[i];
    const lane *lane = lane_at(&sink->tree, way_of(value));
    if (lane == NULL || lane->home < take->first || lane->home >= take->end)
      continue;
    const sender *from = sender_at(sender_of(value));
    found += from->log[serial_of(value)].begin < the.settled;
  }
  return found >= take->most && !take->is_uncertain;
}

/* What follows such a take hears what comes then. */
static void open_sequels(sink *sink) {
  tree *tree = &sink->tree;
  bool begun[MOST_LANES] = {false}, waits[MOST_LANES] = {false};
  for (int i = 0; i < tree->sequel_count; i++) {
    const sequel *sequel = &tree->sequels[i];
    bool *all = has_begun(sink, sequel) ? begun : waits;
    for (int j = sequel->first; j < sequel->end; j++) all[j] = true;
  }
  for (int i = 0; i < tree->lane_count; i++) {
    lane *lane = &tree->lanes[i];
    if (!begun[i] || waits[i] || lane->is_shared) continue;
    lane->open_front = false;
    if (lane->since < the.settled) lane->since = the.settled;
  }
}

/* What came last on a way, and what has not come at all. */
static void look_behind(hearing *self) {
  const tree *tree = &self->sink->tree;
  for (int number = 0; number < tree->lane_count; number++) {
    const lane *lane = &tree->lanes[number];
    if (lane->until == 0) continue;
    for (int sender = 0; sender < MOST_THREADS + the.sink_count; sender++) {
      const struct sender *from = sender_at(sender);
      int count = atomic_load(&from->count);
      const uint8_t *marks = self->marks[number];
      int first = lane->is_unordered ? 0 : self->last[number][sender];
      for (int i = first; i < count; i++) {
        if (marks != NULL && marks[sender * MOST_SENT + i]) continue;
        if (is_of(lane, &from->log[i], i) &&
            is_due(self->sink, lane, &from->log[i]))
          miss(self, lane, sender, i);
      }
    }
  }
}

/* All of its ways have ended, or none has been opened. */
static bool is_at_end(const tree *tree) {
  for (int i = 0; i < tree->lane_count; i++)
    if (the.places[tree->lanes[i].subject].end_end == 0) return false;
  return tree->switcher_count == 0;
}

static bool is_exact(const sink *sink) {
  const tree *tree = &sink->tree;
  if (tree->is_inexact || tree->may_fail || tree->take_count > 0) return false;
  if (atomic_load(&sink->disposed) != 0 || atomic_load(&sink->ended) != 0)
    return false;
  for (int i = 0; i < tree->lane_count; i++) {
    const lane *lane = &tree->lanes[i];
    const place *place = &the.places[lane->subject];
    if (lane->open_end || lane->open_front || place->end_end != 0) return false;
  }
  /* There before the first value was sent. */
  for (int i = 0; i < MOST_THREADS + the.sink_count; i++)
    if (atomic_load(&sender_at(i)->count) > 0 &&
        sender_at(i)->log[0].begin <= sink->end)
      return false;
  return true;
}

static void show_example(const hearing *self) {
  const lane *lane = self->lane;
  int serial = serial_of(self->example), sender = sender_of(self->example);
  const sent *sent = &sender_at(sender)->log[serial];
  fprintf(
      stderr,
      "  number %d of sender %d, to s%d, answered %s, after %lld to %lld ns; "
      "subscribed from %lld to %lld, disposed at %lld",
      serial, sender, lane->subject, rac_status_name(sent->status),
      (long long)(sent->begin - the.start), (long long)(sent->end - the.start),
      (long long)(self->sink->begin - the.start),
      (long long)(self->sink->end - the.start),
      (long long)(atomic_load(&self->sink->disposed) - the.start));
  if (lane->switcher >= 0)
    fprintf(stderr, "; signal %d from %lld to %lld", lane->epoch,
            (long long)(lane->since - the.start),
            (long long)(lane->until - the.start));
  fprintf(stderr, "\n");
}

static void check_sink(hearing *self, sink *sink) {
  tree *tree = &sink->tree;
  int epochs[2] = {0};
  int count = atomic_load_explicit(&sink->count, memory_order_acquire);
  close_takes(self, sink);
  open_sequels(sink);
  for (int i = 0; i < count; i++) hear_value(self, sink->heard[i], epochs);
  look_behind(self);
  uint64_t dropped = 0;
  for (int i = 0; i < tree->bound_count; i++)
    dropped += rac_bound_get(tree->bounds[i], RAC_BOUND_DROPPED);
  if ((uint64_t)self->missing > dropped) {
    complain(self, "%d values are missing, %llu were dropped", self->missing,
             (unsigned long long)dropped);
    if (self->says) show_example(self);
  }
  if ((uint64_t)self->missing < dropped && is_exact(sink))
    complain(self, "%d values are missing, though %llu were dropped",
             self->missing, (unsigned long long)dropped);
  int ended = atomic_load(&sink->ended);
  if (ended == 2 && !tree->may_fail && tree->switcher_count == 0)
    complain(self, "an error that nothing made");
  if (ended == 1 && !tree->may_complete && !is_at_end(tree))
    complain(self, "completed before its end");
  if (atomic_load(&sink->broken) != 0)
    complain(self, "a callback broke the rule of line %d of sink.c",
             atomic_load(&sink->broken));
}

int check_sinks(bool says) {
  static hearing hearing;
  int wrong = 0;
  for (int i = 0; i < the.sink_count; i++) {
    memset(&hearing, 0, sizeof hearing);
    hearing.sink = &the.sinks[i];
    hearing.says = says;
    check_sink(&hearing, &the.sinks[i]);
    for (int j = 0; j < MOST_LANES; j++) free(hearing.marks[j]);
    if (hearing.wrong == 0) continue;
    wrong++;
    if (says)
      fprintf(stderr, "  %s, %d heard, ended %d%s\n", the.sinks[i].tree.text,
              atomic_load(&the.sinks[i].count),
              atomic_load(&the.sinks[i].ended),
              atomic_load(&the.sinks[i].disposed) ? ", disposed" : "");
  }
  for (int i = 0; says && wrong > 0 && i < the.hub_count; i++)
    fprintf(stderr, "  hub%d: %s\n", i, the.hubs[i].tree.text);
  for (int i = 0; says && wrong > 0 && i < the.place_count; i++)
    fprintf(stderr, "  s%d: policy %d%s%s\n", i, the.places[i].policy,
            the.places[i].is_replay ? ", replays" : "",
            the.places[i].end_end ? ", ended" : "");
  return wrong;
}
