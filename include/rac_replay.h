/* Plays a recording again, for tests: docs/Recording.md.
 *
 *     static void build(rac_replay *r, void *heard) {
 *       rac_subject *keys = rac_replay_subject(r, "keys");
 *       rac_signal *calm =
 *           rac_signal_throttle(rac_subject_as_signal(keys), 0.3, r->clock);
 *       rac_release(rac_subscribe_next(calm, heard, note, NULL));
 *       rac_release(calm);
 *     }
 *
 *     rac_replay r;
 *     if (!rac_replay_open(&r, "run.rac") ||
 *         !rac_replay_run(&r, build, &heard))
 *       puts(r.why);
 *     rac_replay_close(&r);
 *
 * The program's sends into subjects and sets of properties, by their names, and
 * every timer that fired, in the recorded order, go through the graph that
 * `build` makes, on virtual time; an operator that reads the clock finds what it
 * found then. A run that the recording does not determine is refused, `why` is a
 * sentence about it: several threads, values that it does not hold whole, an
 * error, properties set in a batch, subjects that remember, a scheduler that a
 * callback ran, a ring that went round.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef RAC_REPLAY_LIBRARY_H
#define RAC_REPLAY_LIBRARY_H

#include <rac_replay_file.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- What is in it ------------------------------------------------------- */

/* The input of a name; a new one where there is none. NULL: no memory. */
static inline rac_replay_input *rac_replay_input_of(rac_replay *r,
                                                    const char *name) {
  rac_replay_input *input = r->inputs;
  while (input != NULL && strcmp(input->name, name) != 0) input = input->next;
  if (input != NULL) return input;
  input = RAC_REPLAY_AS(rac_replay_input *,
                        calloc(1, sizeof *input + strlen(name) + 1));
  if (input == NULL) return NULL;
  input->name =
      strcpy(RAC_REPLAY_AS(char *, RAC_REPLAY_AS(void *, input + 1)), name);
  input->next = r->inputs;
  return r->inputs = input;
}

/* Of what has that slot; with a refusal where it has no name. */
static inline rac_replay_input *
rac_replay_known_input(rac_replay *r, const rac_replay_raw *raw,
                       const rac_replay_slot *slot, char *name,
                       size_t capacity) {
  rac_replay_input *input;
  name[0] = 0;
  if (slot != NULL) rac_replay_text(r, slot->name, name, capacity);
  if (name[0] == 0) {
    rac_replay_refuse(r, "something without a name was sent into, at %g s",
                      rac_replay_seconds(raw->time));
    return NULL;
  }
  input = rac_replay_input_of(r, name);
  if (input == NULL) {
    rac_replay_refuse(r, "no memory");
  } else if (input->node != 0 && input->node != slot->node) {
    rac_replay_refuse(r, "two are named %s", name);
    return NULL;
  } else {
    input->node = slot->node;
    if (slot->kind == 3 && slot->waiting > 0)
      input->initial = &r->raws[slot->waiting - 1];
  }
  return input;
}

/* Its value is whole, and nothing of the graph's has sent it. */
static inline bool rac_replay_add_send(rac_replay *r, const rac_replay_raw *raw,
                                       const char *name) {
  rac_value value = rac_value_nil();
  unsigned kind = raw->event.stamp & 255;
  if (raw->event.cause != 0 && raw->event.cause == raw->event.node)
    return rac_replay_refuse(
        r, "%s was set in a batch, or while it told of another value", name);
  if (raw->event.cause != 0)
    return rac_replay_refuse(
        r, "%s was sent into by a callback, which may be in the graph", name);
  if (kind == 10)
    return rac_replay_refuse(
        r, "%s was sent what a recording does not hold whole: an error", name);
  if ((kind == 9 || kind == 33) && !rac_replay_value(raw, &value))
    return rac_replay_refuse(
        r, "%s was sent what a recording does not hold whole: a %s", name,
        raw->event.type == RAC_STRING || raw->event.type == RAC_BYTES
            ? "long text"
            : "value that is no plain one");
  rac_value_release(value);
  r->steps[r->step_count++].at = raw;
  return true;
}

/* The ties of a property, and with which value it began: fields of its slot
 * that are of no use here. */
enum { RAC_REPLAY_DERIVED = 64, RAC_REPLAY_BOUND = 128 };

static inline void rac_replay_mark_properties(rac_replay *r) {
  size_t i;
  for (i = 0; i < r->slot_count; i++) r->slots[i].waiting = 0;
  for (i = 0; i < r->slot_count; i++) {
    const rac_replay_slot *slot = &r->slots[i];
    rac_replay_slot *property =
        rac_replay_slot_of(r, slot->kind == 7   ? slot->below
                              : slot->kind == 1 ? slot->target
                                                : 0);
    if (property != NULL && property->kind == 3)
      property->flags |=
          slot->kind == 7 ? RAC_REPLAY_DERIVED : RAC_REPLAY_BOUND;
  }
  for (i = r->raw_count; i > 0; i--) {
    const rac_replay_event *event = &r->raws[i - 1].event;
    rac_replay_slot *property =
        (event->stamp & 255) == 32 ? rac_replay_slot_of(r, event->node) : NULL;
    if (property != NULL) property->waiting = RAC_REPLAY_AS(uint32_t, i);
  }
}

/* It changed because of what it is derived from, or bound to. */
static inline bool rac_replay_follows(const rac_replay *r,
                                      const rac_replay_raw *raw) {
  const rac_replay_slot *slot = rac_replay_slot_of(r, raw->event.node);
  const rac_replay_slot *cause = rac_replay_slot_of(r, raw->event.cause);
  if (slot == NULL) return false;
  if (slot->flags & RAC_REPLAY_DERIVED) return true;
  if (raw->event.cause == 0 || raw->event.cause == raw->event.node)
    return false;
  return (slot->flags & RAC_REPLAY_BOUND) ||
         (cause != NULL && cause->kind == 3);
}

static inline bool rac_replay_take_set(rac_replay *r,
                                       const rac_replay_raw *raw) {
  char name[1024];
  if (rac_replay_follows(r, raw)) return true;
  return rac_replay_known_input(r, raw, rac_replay_slot_of(r, raw->event.node),
                                name, sizeof name) != NULL &&
         rac_replay_add_send(r, raw, name);
}

static inline bool rac_replay_take_send(rac_replay *r,
                                        const rac_replay_raw *raw) {
  rac_replay_slot *slot = rac_replay_slot_of(r, raw->event.node);
  char name[1024];
  if (rac_replay_known_input(r, raw, slot, name, sizeof name) == NULL)
    return false;
  if (slot->detail != 1)
    return rac_replay_refuse(
        r, "%s remembers: only plain subjects are replayed", name);
  return rac_replay_add_send(r, raw, name);
}

/* Subjects of before the recording are seen by their subscribers alone. */
static inline bool rac_replay_check_value(rac_replay *r,
                                          const rac_replay_raw *raw) {
  rac_replay_slot *each = rac_replay_slot_of(r, raw->event.node), *source;
  rac_replay_input *input = r->inputs;
  char name[200];
  if (each == NULL || raw->event.cause != 0) return true;
  source = rac_replay_slot_of(r, each->source);
  if (source == NULL) return true;
  rac_replay_text(r, source->name, name, sizeof name);
  while (input != NULL && input->node != source->node) input = input->next;
  if (source->kind == 2 && input == NULL && name[0])
    return rac_replay_refuse(r, "%s was there before the recording began",
                             name);
  return true;
}

static inline int rac_replay_compare_steps(const void *a, const void *b) {
  const rac_replay_raw *one = RAC_REPLAY_AS(const rac_replay_step *, a)->at;
  const rac_replay_raw *two = RAC_REPLAY_AS(const rac_replay_step *, b)->at;
  return (one > two) - (one < two);
}

static inline int rac_replay_compare_times(const void *a, const void *b) {
  int64_t one = *RAC_REPLAY_AS(const int64_t *, a);
  int64_t two = *RAC_REPLAY_AS(const int64_t *, b);
  return (one > two) - (one < two);
}

/* An event of a subscription that had waited for a scheduler. */
static inline bool rac_replay_was_behind_queue(const rac_replay *r,
                                               const rac_replay_raw *raw) {
  unsigned kind = raw->event.stamp & 255;
  const rac_replay_slot *slot;
  if (kind < 3 || kind > 5 || raw->event.depth != 0) return false;
  slot = rac_replay_slot_of(r, raw->event.node);
  return slot != NULL && (slot->detail & 1) != 0;
}

static inline bool rac_replay_load_times(rac_replay *r) {
  size_t i;
  r->delivered =
      RAC_REPLAY_AS(int64_t *, calloc(r->raw_count + 1, sizeof *r->delivered));
  if (r->delivered == NULL) return rac_replay_refuse(r, "no memory");
  for (i = 0; i < r->raw_count; i++)
    if (rac_replay_was_behind_queue(r, &r->raws[i]))
      r->delivered[r->delivered_count++] = r->raws[i].time;
  qsort(r->delivered, r->delivered_count, sizeof *r->delivered,
        rac_replay_compare_times);
  return true;
}

/* Jobs one after another, and not inside of what they would be played behind. */
static inline bool rac_replay_check_jobs(rac_replay *r) {
  int64_t end = -1;
  size_t i;
  for (i = 0; i < r->step_count; i++) {
    const rac_replay_step *step = &r->steps[i];
    if (step->job == NULL) continue;
    if (step->at->event.depth > 0 || step->at->time < end)
      return rac_replay_refuse(
          r, "a callback ran a scheduler, at %g s: what it ran is inside of it",
          rac_replay_seconds(step->at->time));
    end = step->job->end;
  }
  return true;
}

/* How many of the times are before this one. */
static inline size_t rac_replay_count_before(const int64_t *times, size_t count,
                                             int64_t time) {
  size_t low = 0;
  while (low < count) {
    size_t middle = low + (count - low) / 2;
    if (times[middle] < time)
      low = middle + 1;
    else
      count = middle;
  }
  return low;
}

/* Finds what is to be played, or why it cannot be. */
static inline bool rac_replay_load_steps(rac_replay *r) {
  size_t *buckets = RAC_REPLAY_AS(size_t *, calloc(65536, sizeof *buckets)), i;
  bool has_events = false, is_sound = true;
  r->jobs = RAC_REPLAY_AS(rac_replay_job *,
                          calloc(r->raw_count + 1, sizeof *r->jobs));
  r->steps = RAC_REPLAY_AS(rac_replay_step *,
                           calloc(r->raw_count + 1, sizeof *r->steps));
  if (buckets == NULL || r->jobs == NULL || r->steps == NULL) {
    free(buckets);
    return rac_replay_refuse(r, "no memory");
  }
  for (i = 0; i < r->raw_count && is_sound; i++) {
    unsigned kind = r->raws[i].event.stamp & 255;
    has_events = has_events || (kind >= 2 && kind <= 11) || kind == 33;
    if (kind >= 17 && kind <= 22) rac_replay_take_job(r, buckets, &r->raws[i]);
    if (kind == 18 || (kind >= 9 && kind <= 11) || kind == 33) {
      if (r->thread != 0 && r->thread != r->raws[i].thread)
        is_sound = rac_replay_refuse(
            r, "several threads took part, in an order that is not recorded");
      r->thread = r->raws[i].thread;
    }
  }
  free(buckets);
  rac_replay_mark_properties(r);
  if (is_sound && !has_events)
    is_sound =
        rac_replay_refuse(r, "the recording has counters alone, and no events");
  for (i = 0; i < r->raw_count && is_sound; i++) {
    unsigned kind = r->raws[i].event.stamp & 255;
    if (kind >= 9 && kind <= 11)
      is_sound = rac_replay_take_send(r, &r->raws[i]);
    if (kind == 33) is_sound = rac_replay_take_set(r, &r->raws[i]);
  }
  for (i = 0; i < r->raw_count && is_sound; i++)
    if ((r->raws[i].event.stamp & 255) == 3)
      is_sound = rac_replay_check_value(r, &r->raws[i]);
  qsort(r->steps, r->step_count, sizeof *r->steps, rac_replay_compare_steps);
  return is_sound && rac_replay_check_jobs(r) && rac_replay_load_times(r);
}

/* ---- The run ------------------------------------------------------------- */

/* A time of the recording, as the clock has it. */
static inline int64_t rac_replay_clock_time(const rac_replay *r, int64_t time) {
  return RAC_REPLAY_AS(int64_t, r->head.start + RAC_REPLAY_AS(uint64_t, time));
}

/* What is read of the clock until step `next`. */
static inline bool rac_replay_plan_readings(rac_replay *r, size_t next) {
  const rac_replay_raw *end =
      next < r->step_count ? r->steps[next].at : r->raws + r->raw_count;
  for (; r->next_read < RAC_REPLAY_AS(size_t, end - r->raws); r->next_read++) {
    const rac_replay_raw *raw = &r->raws[r->next_read];
    if ((raw->event.stamp & 255) != 34) continue;
    if (r->thread != 0 && raw->thread != r->thread) continue;
    if (rac_virtual_plan_reading(
            r->clock, rac_replay_clock_time(
                          r, RAC_REPLAY_AS(int64_t, raw->event.bits))) < 0)
      return rac_replay_refuse(r, "no memory");
  }
  return true;
}

/* A step begins, or (at the end) none does. */
static inline bool rac_replay_set_time(rac_replay *r, int64_t time) {
  return rac_virtual_set_time(r->clock, rac_replay_clock_time(r, time)) ==
             RAC_OK ||
         rac_replay_refuse(r,
                           "before %g s the graph reads the clock more or less "
                           "often than the program did: it is another graph",
                           rac_replay_seconds(time));
}

/* Values gathered by rac_signal_deliver_on() are one job, here a step each. */
static inline size_t rac_replay_count_steps(const rac_replay *r,
                                            const rac_replay_job *job) {
  size_t count;
  if (job->due >= 0) return 1;
  count =
      rac_replay_count_before(r->delivered, r->delivered_count, job->end + 1) -
      rac_replay_count_before(r->delivered, r->delivered_count,
                              job->begin->time);
  return count > 0 ? count : 1;
}

static inline bool rac_replay_play_job(rac_replay *r,
                                       const rac_replay_job *job) {
  size_t count = rac_replay_count_steps(r, job);
  int64_t due = job->due < 0 ? -1 : rac_replay_clock_time(r, job->due);
  for (; count > 0; count--)
    if (rac_virtual_step_due(r->clock, due) != RAC_OK)
      return rac_replay_refuse(
          r,
          "a %s at %g s that the graph has not asked for: it is another "
          "graph, or another part of the program asked for it",
          due < 0 ? "job ran" : "timer fired",
          rac_replay_seconds(job->begin->time));
  return true;
}

static inline void rac_replay_play_send(rac_replay *r,
                                        const rac_replay_raw *raw) {
  rac_replay_input *input = r->inputs;
  rac_value value;
  while (input->node != raw->event.node) input = input->next;
  /* The graph may do without it. */
  if (input->subject == NULL && input->property == NULL) return;
  if ((raw->event.stamp & 255) == 11) {
    rac_subject_send_completed(input->subject);
    return;
  }
  rac_replay_value(raw, &value);
  if (input->property != NULL)
    rac_property_set(input->property, value);
  else
    rac_subject_send(input->subject, value);
  rac_value_release(value);
}

/* A job of the clock, which is the current scheduler of the graph so. */
static inline void rac_replay_play(void *context) {
  rac_replay *r = RAC_REPLAY_AS(rac_replay *, context);
  size_t i;
  r->build(r, r->context);
  for (i = 0; i < r->step_count; i++) {
    const rac_replay_step *step = &r->steps[i];
    if (!rac_replay_set_time(r, step->at->time) ||
        !rac_replay_plan_readings(r, i + 1))
      return;
    if (step->job == NULL)
      rac_replay_play_send(r, step->at);
    else if (!rac_replay_play_job(r, step->job))
      return;
  }
  if (r->raw_count > 0) rac_replay_set_time(r, r->raws[r->raw_count - 1].time);
}

/* ---- For programs -------------------------------------------------------- */

/* Reads a recording; false where it cannot be replayed, and `why` says why.
 * Close it in either case. */
static inline bool rac_replay_open(rac_replay *r, const char *path) {
  memset(r, 0, sizeof *r);
  r->clock = rac_scheduler_virtual();
  return rac_replay_load_file(r, path) && rac_replay_load_nodes(r) &&
         rac_replay_load_events(r) && rac_replay_load_steps(r);
}

/* The subject of that name; borrowed. NULL: no memory. */
static inline rac_subject *rac_replay_subject(rac_replay *r, const char *name) {
  rac_replay_input *input = rac_replay_input_of(r, name);
  if (input == NULL) return NULL;
  if (input->subject == NULL) input->subject = rac_subject_create();
  return input->subject;
}

/* The property of that name, with the value that it began with; borrowed.
 * NULL: no memory. */
static inline rac_property *rac_replay_property(rac_replay *r,
                                                const char *name) {
  rac_replay_input *input = rac_replay_input_of(r, name);
  rac_value value = rac_value_nil();
  if (input == NULL) return NULL;
  if (input->property == NULL) {
    if (input->initial != NULL) rac_replay_value(input->initial, &value);
    input->property = rac_property_create(value, RAC_PROPERTY_PLAIN);
    rac_value_release(value);
  }
  return input->property;
}

/* Plays it once, on the calling thread; false where that went another way than
 * the recording, and `why` says how. `build` is called once, at the time when
 * the program first subscribed; what it subscribes stays the caller's. */
static inline bool rac_replay_run(rac_replay *r, rac_replay_build_fn build,
                                  void *context) {
  int64_t start = r->step_count > 0 ? r->steps[0].at->time : INT64_MAX;
  rac_disposable *job;
  size_t i;
  if (r->why[0] == 0 && r->build != NULL)
    rac_replay_refuse(r, "it has been played");
  if (r->why[0] != 0) return false;
  for (i = 0; i < r->slot_count; i++)
    if (r->slots[i].kind == 1 &&
        RAC_REPLAY_AS(int64_t, r->slots[i].made) < start)
      start = RAC_REPLAY_AS(int64_t, r->slots[i].made);
  for (i = 0; i < r->raw_count; i++)
    if ((r->raws[i].event.stamp & 255) == 2 && r->raws[i].time < start)
      start = r->raws[i].time;
  if (start == INT64_MAX) start = 0;
  r->build = build, r->context = context;
  if (!rac_replay_set_time(r, start) || !rac_replay_plan_readings(r, 0))
    return false;
  job = rac_schedule(r->clock, r, rac_replay_play, NULL);
  if (job == NULL || rac_virtual_step(r->clock) != RAC_OK)
    rac_replay_refuse(r, "%s", rac_last_error_message());
  rac_release(job);
  return r->why[0] == 0;
}

static inline void rac_replay_close(rac_replay *r) {
  while (r->inputs != NULL) {
    rac_replay_input *input = r->inputs;
    r->inputs = input->next;
    rac_release(input->subject);
    rac_release(input->property);
    free(input);
  }
  rac_release(r->clock);
  free(r->bytes), free(r->slots), free(r->definitions), free(r->raws);
  free(r->jobs), free(r->steps), free(r->delivered);
}

#ifdef __cplusplus
}
#endif

#endif /* RAC_REPLAY_LIBRARY_H */
