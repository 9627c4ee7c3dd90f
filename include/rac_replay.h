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
 * `build` makes, on virtual time. A run that the recording does not determine is
 * refused, `why` is a sentence about it: several threads, values that it does not
 * hold whole, an error, properties set in a batch, subjects that remember, a ring
 * that went round, operators that read the clock, timers whose order is not
 * certain.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef RAC_REPLAY_LIBRARY_H
#define RAC_REPLAY_LIBRARY_H

#include <rac_replay_file.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Nanoseconds: what a virtual clock can tell apart; between reading the clock
 * and writing down what a timer was asked for; a step that took long. */
enum {
  RAC_REPLAY_CLOSE = 1000,
  RAC_REPLAY_ASKING = 100000,
  RAC_REPLAY_BUSY = 1000000
};

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
  r->steps[r->step_count].time = raw->time;
  r->steps[r->step_count++].send = raw;
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

/* Operators that ask what time it is, which is not recorded. */
static inline bool rac_replay_check_operator(rac_replay *r, uint64_t place) {
  static const char *const clocks[] = {"throttleFirst", "timestamp",
                                       "timeInterval", "rateLimit"};
  char name[64];
  size_t i;
  rac_replay_operator(r, place, name, sizeof name);
  for (i = 0; i < sizeof clocks / sizeof *clocks; i++)
    if (strcmp(name, clocks[i]) == 0)
      return rac_replay_refuse(r, "%s reads the clock, which is not recorded",
                               name);
  return true;
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
  const rac_replay_step *one = RAC_REPLAY_AS(const rac_replay_step *, a);
  const rac_replay_step *two = RAC_REPLAY_AS(const rac_replay_step *, b);
  if (one->time != two->time) return one->time < two->time ? -1 : 1;
  if (one->send != NULL && two->send != NULL)
    return (one->send > two->send) - (one->send < two->send);
  if (one->job != NULL && two->job != NULL)
    return (one->job > two->job) - (one->job < two->job);
  return one->send != NULL ? -1 : 1;
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
  r->asked =
      RAC_REPLAY_AS(int64_t *, calloc(r->job_count + 1, sizeof *r->asked));
  r->delivered =
      RAC_REPLAY_AS(int64_t *, calloc(r->raw_count + 1, sizeof *r->delivered));
  if (r->asked == NULL || r->delivered == NULL)
    return rac_replay_refuse(r, "no memory");
  for (i = 1; i <= r->job_count; i++)
    if (r->jobs[i].due >= 0 && r->jobs[i].asked >= 0)
      r->asked[r->asked_count++] = r->jobs[i].asked;
  for (i = 0; i < r->raw_count; i++)
    if (rac_replay_was_behind_queue(r, &r->raws[i]))
      r->delivered[r->delivered_count++] = r->raws[i].time;
  qsort(r->asked, r->asked_count, sizeof *r->asked, rac_replay_compare_times);
  qsort(r->delivered, r->delivered_count, sizeof *r->delivered,
        rac_replay_compare_times);
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
  uint32_t thread = 0;
  r->jobs = RAC_REPLAY_AS(rac_replay_job *,
                          calloc(r->raw_count + 1, sizeof *r->jobs));
  r->steps = RAC_REPLAY_AS(rac_replay_step *,
                           calloc(r->raw_count + 1, sizeof *r->steps));
  r->moments = RAC_REPLAY_AS(rac_replay_moment *,
                             calloc(r->raw_count + 2, sizeof *r->moments));
  if (buckets == NULL || r->jobs == NULL || r->steps == NULL ||
      r->moments == NULL) {
    free(buckets);
    return rac_replay_refuse(r, "no memory");
  }
  for (i = 0; i < r->slot_count && is_sound; i++)
    if (r->slots[i].kind == 1)
      is_sound = rac_replay_check_operator(r, r->slots[i].place);
  for (i = 0; i < r->raw_count && is_sound; i++) {
    unsigned kind = r->raws[i].event.stamp & 255;
    has_events = has_events || (kind >= 2 && kind <= 11) || kind == 33;
    if (kind == 2)
      is_sound = rac_replay_check_operator(r, r->raws[i].event.bits >> 32);
    if (kind >= 17 && kind <= 22) rac_replay_take_job(r, buckets, &r->raws[i]);
    if (kind == 18 || (kind >= 9 && kind <= 11) || kind == 33) {
      if (thread != 0 && thread != r->raws[i].thread)
        is_sound = rac_replay_refuse(
            r, "several threads took part, in an order that is not recorded");
      thread = r->raws[i].thread;
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
  return is_sound && rac_replay_load_times(r);
}

/* ---- The run ------------------------------------------------------------- */

static inline int64_t rac_replay_nanoseconds(double seconds) {
  return RAC_REPLAY_AS(int64_t, seconds * 1e9 + 0.5);
}

static inline int64_t rac_replay_now(rac_replay *r) {
  return rac_replay_nanoseconds(rac_scheduler_now(r->clock));
}

static inline void rac_replay_note(rac_replay *r, int64_t recorded,
                                   int64_t played) {
  rac_replay_moment moment = {recorded, played};
  r->moments[r->moment_count++] = moment;
}

/* The step in which something happened. */
static inline const rac_replay_moment *rac_replay_moment_of(const rac_replay *r,
                                                            int64_t time) {
  size_t low = 0, high = r->moment_count;
  while (low + 1 < high) {
    size_t middle = low + (high - low) / 2;
    if (r->moments[middle].recorded <= time)
      low = middle;
    else
      high = middle;
  }
  return &r->moments[low];
}

/* From when to when the virtual clock may have a timer due: it was asked for
 * while a step was played, which takes no time there. */
static inline rac_replay_window rac_replay_expect(const rac_replay *r,
                                                  const rac_replay_job *job) {
  const rac_replay_moment *moment = rac_replay_moment_of(r, job->asked);
  const rac_replay_job *before = &r->jobs[job->again];
  rac_replay_window window = {moment->played + job->due - job->asked,
                              moment->played + job->due - moment->recorded};
  if (job->again != 0 && before->earliest >= 0) {
    /* Perhaps from one time to the next, however late that was. */
    int64_t first = before->earliest + job->due - before->due;
    int64_t last = before->latest + job->due - before->due;
    if (first < window.first) window.first = first;
    if (last > window.last) window.last = last;
  }
  return window;
}

static inline bool rac_replay_is_pending(const rac_replay_job *other,
                                         const rac_replay_job *job) {
  int64_t until = other->begin >= 0 ? other->begin : other->end;
  return other != job && other->asked >= 0 && other->asked < job->begin &&
         (until < 0 || until > job->begin);
}

/* Asked for in the same step, and later, for as long or longer: what is due at
 * one time fires in that order. A step that took long says too little. */
static inline bool rac_replay_comes_after(const rac_replay *r,
                                          const rac_replay_job *other,
                                          const rac_replay_job *job) {
  const rac_replay_moment *moment = rac_replay_moment_of(r, job->asked);
  if (moment != rac_replay_moment_of(r, other->asked)) return false;
  if (other->asked - moment->recorded > RAC_REPLAY_BUSY) return false;
  return other->due - other->asked >=
             job->due - job->asked - RAC_REPLAY_ASKING &&
         other->asked > job->asked && other->due >= job->due;
}

/* Refuses where it is not certain that the clock fires this timer next. `due`:
 * -1 if the clock is past it. */
static inline bool rac_replay_check_order(rac_replay *r, rac_replay_job *job,
                                          int64_t due) {
  rac_replay_window window = rac_replay_expect(r, job);
  size_t i;
  bool is_near = due < 0 ? rac_replay_now(r) >= window.first - RAC_REPLAY_CLOSE
                         : due >= window.first - RAC_REPLAY_CLOSE &&
                               due <= window.last + RAC_REPLAY_CLOSE;
  job->earliest = due < 0 ? window.first : due;
  job->latest = due < 0 ? window.last : due;
  if (!is_near)
    return rac_replay_refuse(
        r,
        "a timer was due at %g s, and in the graph at another time: it is "
        "another graph, or something took its time from a clock",
        rac_replay_seconds(job->due));
  for (i = 1; i <= r->job_count; i++) {
    const rac_replay_job *other = &r->jobs[i];
    if (!rac_replay_is_pending(other, job)) continue;
    if (other->due < 0) {
      if (due >= 0) continue;
      return rac_replay_refuse(
          r, "a timer came at %g s before a job that was ready",
          rac_replay_seconds(job->begin));
    }
    if (rac_replay_expect(r, other).first > job->latest + RAC_REPLAY_CLOSE)
      continue;
    if (!rac_replay_comes_after(r, other, job))
      return rac_replay_refuse(
          r,
          "two timers at %g s were closer than the time that it took to "
          "ask for them: their order is not certain",
          rac_replay_seconds(job->latest));
  }
  return true;
}

/* When a step that begins then first asked for a timer, so that this one is due
 * as in the recording; else its beginning. */
static inline int64_t rac_replay_time_of(const rac_replay *r, int64_t time,
                                         int64_t after) {
  size_t at = rac_replay_count_before(r->asked, r->asked_count, time);
  return at < r->asked_count && r->asked[at] < after ? r->asked[at] : time;
}

/* Timers that are due by then were late in the recording, too. */
static inline void rac_replay_advance(rac_replay *r, int64_t time) {
  int64_t now = rac_replay_now(r);
  if (time > now) rac_virtual_sleep(r->clock, rac_replay_seconds(time - now));
}

/* Values gathered by rac_signal_deliver_on() are one job, here a step each. */
static inline size_t rac_replay_count_steps(const rac_replay *r,
                                            const rac_replay_job *job) {
  size_t count;
  if (job->due >= 0) return 1;
  count =
      rac_replay_count_before(r->delivered, r->delivered_count, job->end + 1) -
      rac_replay_count_before(r->delivered, r->delivered_count, job->begin);
  return count > 0 ? count : 1;
}

static inline bool rac_replay_play_job(rac_replay *r, rac_replay_job *job,
                                       int64_t after) {
  double wait = rac_scheduler_next_deadline(r->clock);
  int64_t due = rac_replay_now(r) + rac_replay_nanoseconds(wait);
  int64_t time = rac_replay_time_of(r, job->begin, after);
  size_t count = rac_replay_count_steps(r, job);
  if (wait < 0)
    return rac_replay_refuse(
        r,
        "a job ran at %g s that the graph has not asked for: it is another "
        "graph, or another part of the program asked for it",
        rac_replay_seconds(job->begin));
  if (job->due >= 0 && job->asked >= 0 &&
      !rac_replay_check_order(r, job, wait > 0 ? due : -1))
    return false;
  rac_replay_advance(r, time > due ? time : due);
  rac_replay_note(r, job->begin, rac_replay_now(r));
  for (; count > 0; count--) {
    if (rac_scheduler_next_deadline(r->clock) != 0)
      return rac_replay_refuse(r,
                               "a job at %g s sent more: it is another graph",
                               rac_replay_seconds(job->begin));
    rac_virtual_step(r->clock);
  }
  return true;
}

static inline void
rac_replay_play_send(rac_replay *r, const rac_replay_raw *raw, int64_t after) {
  rac_replay_input *input = r->inputs;
  rac_value value;
  rac_replay_advance(r, rac_replay_time_of(r, raw->time, after));
  rac_replay_note(r, raw->time, rac_replay_now(r));
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
  for (i = 0; i < r->step_count && r->why[0] == 0; i++) {
    int64_t after = i + 1 < r->step_count ? r->steps[i + 1].time : INT64_MAX;
    if (r->steps[i].send != NULL)
      rac_replay_play_send(r, r->steps[i].send, after);
    else
      rac_replay_play_job(r, r->steps[i].job, after);
  }
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
  int64_t start = r->step_count > 0 ? r->steps[0].time : INT64_MAX;
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
  r->build = build, r->context = context;
  rac_virtual_advance_to(
      r->clock,
      rac_replay_seconds(rac_replay_time_of(
          r, start, r->step_count > 0 ? r->steps[0].time : INT64_MAX)));
  rac_replay_note(r, start, rac_replay_now(r));
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
  free(r->jobs), free(r->steps), free(r->moments);
  free(r->asked), free(r->delivered);
}

#ifdef __cplusplus
}
#endif

#endif /* RAC_REPLAY_LIBRARY_H */
