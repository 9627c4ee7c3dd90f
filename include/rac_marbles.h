/* Marble diagrams for tests, on virtual time.
 *
 *     rac_marbles m;
 *     rac_marbles_open(&m, 1);
 *     rac_signal *source = rac_marbles_hot(&m, "-1-2--3|");
 *     rac_signal *late = rac_signal_delay(source, 2, m.clock);
 *     RAC_MARBLES_EXPECT(&m, late, NULL, "---1-2--3|");
 *     return rac_marbles_close(&m) == 0 ? 0 : 1;
 *
 * In a diagram each character is a unit of time:
 *
 *     -        nothing happens
 *     1        a digit is that integer
 *     a        a letter is the value that the table has for it, else its text
 *     |        the completion
 *     # #3     an error: of any code; of the code 3, which takes the time of "#"
 *     (ab|)    all at once, at the time of the parenthesis; time goes on as the
 *              text does
 *     ^        where the time is 0, or where one subscribes; what a hot signal
 *              sends before is left out
 *     !        where one disposes, in a diagram of a subscription
 *
 * Blanks count for nothing. A diagram that is wrong is a failure, which says
 * where, and so is a difference, which shows what was heard below what was
 * expected. All of it runs inside rac_marbles_close(), on the calling thread.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef RAC_MARBLES_LIBRARY_H
#define RAC_MARBLES_LIBRARY_H

#include <rac.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A cast, in each language's own way; not for programs. */
#ifdef __cplusplus
#define RAC_MARBLES_AS(type, value) static_cast<type>(value)
extern "C" {
#else
#define RAC_MARBLES_AS(type, value) ((type)(value))
#endif

enum { RAC_MARBLES_MOST = 32, RAC_MARBLES_EVENTS = 128 };

typedef struct rac_marbles rac_marbles;

/* An event of a diagram, or one that was heard. */
typedef struct rac_marble {
  double time; /* in units */
  char sign;   /* ' ' for a value, '|', '#' */
  char name;   /* of a value in the diagram */
  bool has_code;
  int64_t code;
  rac_value value; /* owned */
} rac_marble;

typedef struct rac_marbles_line {
  rac_marbles *owner;
  const char *text;
  size_t count;
  rac_marble events[RAC_MARBLES_EVENTS];
  double begin, end; /* of the subscription; end < 0: it goes on */
  double length;
} rac_marbles_line;

/* A source with its diagram, or what is expected of a signal, and what came. */
typedef struct rac_marbles_part {
  rac_marbles *owner;
  rac_marbles_line plan, heard, subscription;
  rac_subject *subject; /* of a hot signal */
  rac_signal *signal;
  rac_disposable *disposable;
  const char *file, *what;
  int line;
  bool is_beyond; /* more events came than there is room for */
} rac_marbles_part;

/* A test: `clock` is for the operators. The rest is private. */
struct rac_marbles {
  rac_scheduler *clock;
  double unit; /* seconds for each character */
  rac_value table[128];
  bool has[128];
  size_t count;
  rac_marbles_part *parts[RAC_MARBLES_MOST];
  int failures;
  double longest;
  FILE *out; /* where failures are told: stderr */
};

/* ---- Diagrams ------------------------------------------------------------ */

static inline void rac_marbles_wrong(rac_marbles *m, const char *text,
                                     size_t place, const char *what) {
  m->failures++;
  fprintf(m->out, "a diagram is wrong at character %zu: %s\n  %s\n  %*s^\n",
          place + 1, what, text, RAC_MARBLES_AS(int, place), "");
}

/* The value that a character stands for; owned. */
static inline rac_value rac_marbles_value_of(rac_marbles *m, char name) {
  if (m->has[RAC_MARBLES_AS(unsigned char, name) & 127])
    return rac_value_retain(
        m->table[RAC_MARBLES_AS(unsigned char, name) & 127]);
  if (name >= '0' && name <= '9') return rac_value_int64(name - '0');
  return rac_value_string_copy(&name, 1);
}

/* Reads a diagram; false, and told, when it is wrong. `marks`: whether "^" and
 * "!" may stand in it, and nothing else, or "^" alone among events. */
static inline bool rac_marbles_read(rac_marbles *m, const char *text,
                                    bool is_subscription,
                                    rac_marbles_line *line) {
  double now = 0, zero = 0, group = -1;
  size_t group_at = 0, ends = 0, i;
  bool has_zero = false;
  line->owner = m;
  line->text = text;
  line->end = -1;
  for (i = 0; text[i]; i++) {
    char c = text[i];
    bool is_event = c == '|' || c == '#' || (c >= '0' && c <= '9') ||
                    (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    if (c == ' ') continue;
    if (c == '-') {
      if (group >= 0) goto group_time;
    } else if (c == '(') {
      if (group >= 0)
        return rac_marbles_wrong(m, text, i, "a group in a group"), false;
      group = now, group_at = i;
    } else if (c == ')') {
      if (group < 0)
        return rac_marbles_wrong(m, text, i, "no group is open"), false;
      group = -1;
    } else if (c == '^') {
      if (has_zero) return rac_marbles_wrong(m, text, i, "a second ^"), false;
      if (group >= 0) goto group_time;
      has_zero = true, zero = now;
    } else if (c == '!' && is_subscription) {
      if (line->end >= 0)
        return rac_marbles_wrong(m, text, i, "a second !"), false;
      line->end = now;
    } else if (is_event && !is_subscription) {
      rac_marble *event;
      if (ends > 0)
        return rac_marbles_wrong(m, text, i, "an event after the end"), false;
      if (line->count == RAC_MARBLES_EVENTS)
        return rac_marbles_wrong(m, text, i, "too many events"), false;
      event = &line->events[line->count++];
      memset(event, 0, sizeof *event);
      event->time = group >= 0 ? group : now;
      event->sign = c == '|' || c == '#' ? c : ' ';
      event->name = c;
      if (event->sign == ' ')
        event->value = rac_marbles_value_of(m, c);
      else
        ends++;
      if (c == '#' &&
          (text[i + 1] == '-' ? text[i + 2] >= '0' && text[i + 2] <= '9'
                              : text[i + 1] >= '0' && text[i + 1] <= '9')) {
        char *end;
        event->code = strtoll(text + i + 1, &end, 10);
        event->has_code = true;
        i = RAC_MARBLES_AS(size_t, end - text) - 1;
      }
    } else {
      return rac_marbles_wrong(m, text, i,
                               is_subscription
                                   ? "only - ^ ! stand here"
                                   : "this stands for nothing here"),
             false;
    }
    now++;
  }
  if (group >= 0)
    return rac_marbles_wrong(m, text, group_at, "a group without its )"), false;
  for (i = 0; i < line->count; i++) line->events[i].time -= zero;
  line->begin = is_subscription ? zero : 0;
  line->length = now - (is_subscription ? 0 : zero);
  if (line->length > m->longest) m->longest = line->length;
  return true;
group_time:
  return rac_marbles_wrong(m, text, i, "time inside a group"), false;
}

static inline void rac_marbles_forget(rac_marbles_line *line) {
  for (size_t i = 0; i < line->count; i++)
    rac_value_release(line->events[i].value);
}

/* ---- The test ------------------------------------------------------------ */

/* unit: seconds for each character of a diagram, more than 0. */
static inline void rac_marbles_open(rac_marbles *m, double unit) {
  memset(m, 0, sizeof *m);
  m->clock = rac_scheduler_virtual();
  m->unit = unit;
  m->out = stderr;
}

/* Gives a letter or digit its value from here on. value: given. */
static inline void rac_marbles_value(rac_marbles *m, char name,
                                     rac_value value) {
  size_t place = RAC_MARBLES_AS(unsigned char, name) & 127;
  if (m->has[place]) rac_value_release(m->table[place]);
  m->table[place] = value;
  m->has[place] = true;
}

static inline rac_marbles_part *rac_marbles_part_new(rac_marbles *m) {
  rac_marbles_part *part;
  if (m->count == RAC_MARBLES_MOST) {
    m->failures++;
    fprintf(m->out, "more than %d diagrams\n", RAC_MARBLES_MOST);
    return NULL;
  }
  part = RAC_MARBLES_AS(rac_marbles_part *, calloc(1, sizeof *part));
  if (part == NULL) abort();
  part->owner = m;
  return m->parts[m->count++] = part;
}

/* The context of one job: an event on its way to somebody. */
typedef struct rac_marbles_job {
  const rac_marble *event;
  rac_subject *subject;
  rac_subscriber *subscriber;
} rac_marbles_job;

static inline void rac_marbles_send(void *context) {
  rac_marbles_job *job = RAC_MARBLES_AS(rac_marbles_job *, context);
  const rac_marble *event = job->event;
  rac_value error;
  if (event->sign == ' ') {
    if (job->subject) rac_subject_send(job->subject, event->value);
    if (job->subscriber) rac_subscriber_send(job->subscriber, event->value);
  } else if (event->sign == '|') {
    if (job->subject) rac_subject_send_completed(job->subject);
    if (job->subscriber) rac_subscriber_send_completed(job->subscriber);
  } else {
    error = rac_value_error("marbles", event->has_code ? event->code : 1, "#");
    if (job->subject) rac_subject_send_error(job->subject, error);
    if (job->subscriber) rac_subscriber_send_error(job->subscriber, error);
    rac_value_release(error);
  }
}

static inline void rac_marbles_job_free(void *context) {
  rac_marbles_job *job = RAC_MARBLES_AS(rac_marbles_job *, context);
  rac_release(job->subject);
  rac_release(job->subscriber);
  free(job);
}

/* Schedules what a diagram has from now on; the jobs, to be disposed. */
static inline rac_disposable *rac_marbles_play(rac_marbles_part *part,
                                               rac_subject *subject,
                                               rac_subscriber *subscriber) {
  rac_disposable *all = rac_compound_disposable_create();
  for (size_t i = 0; i < part->plan.count; i++) {
    const rac_marble *event = &part->plan.events[i];
    rac_marbles_job *job;
    rac_disposable *one;
    if (event->time < 0) continue;
    job = RAC_MARBLES_AS(rac_marbles_job *, calloc(1, sizeof *job));
    if (job == NULL) abort();
    job->event = event;
    job->subject = RAC_MARBLES_AS(rac_subject *, rac_retain(subject));
    job->subscriber = RAC_MARBLES_AS(rac_subscriber *, rac_retain(subscriber));
    one =
        rac_schedule_after(part->owner->clock, event->time * part->owner->unit,
                           job, rac_marbles_send, rac_marbles_job_free);
    rac_compound_disposable_add(all, one);
    rac_release(one);
  }
  return all;
}

static inline rac_status rac_marbles_start(void *context,
                                           rac_subscriber *subscriber,
                                           rac_disposable **out) {
  *out = rac_marbles_play(RAC_MARBLES_AS(rac_marbles_part *, context), NULL,
                          subscriber);
  return RAC_OK;
}

/* A signal that plays the diagram to each subscriber, from when it subscribes;
 * lent: it goes with the test. NULL when the diagram is wrong. */
static inline rac_signal *rac_marbles_cold(rac_marbles *m, const char *text) {
  rac_marbles_part *part = rac_marbles_part_new(m);
  if (part == NULL || !rac_marbles_read(m, text, false, &part->plan))
    return NULL;
  return part->signal = rac_signal_create(part, rac_marbles_start, NULL);
}

/* A signal that plays the diagram once, from the beginning of the test; lent. */
static inline rac_signal *rac_marbles_hot(rac_marbles *m, const char *text) {
  rac_marbles_part *part = rac_marbles_part_new(m);
  if (part == NULL || !rac_marbles_read(m, text, false, &part->plan))
    return NULL;
  part->subject = rac_subject_create();
  part->disposable = rac_marbles_play(part, part->subject, NULL);
  return rac_subject_as_signal(part->subject);
}

typedef struct rac_marbles_taking_turns {
  size_t next, count;
  rac_signal *signals[RAC_MARBLES_MOST];
} rac_marbles_taking_turns;

static inline rac_status rac_marbles_turn(void *context, rac_signal **out) {
  rac_marbles_taking_turns *turns =
      RAC_MARBLES_AS(rac_marbles_taking_turns *, context);
  *out = RAC_MARBLES_AS(rac_signal *, rac_retain(turns->signals[turns->next]));
  if (turns->next + 1 < turns->count) turns->next++;
  return RAC_OK;
}

static inline void rac_marbles_turns_free(void *context) {
  rac_marbles_taking_turns *turns =
      RAC_MARBLES_AS(rac_marbles_taking_turns *, context);
  for (size_t i = 0; i < turns->count; i++) rac_release(turns->signals[i]);
  free(turns);
}

/* A signal that is another one for each subscriber, and the last one for all
 * that come later; lent. It stands for a connection that is tried again:
 *
 *     rac_signal *tries[] = {rac_marbles_cold(&m, "--#"),
 *                            rac_marbles_cold(&m, "-c")};
 *     rac_signal *connection = rac_marbles_turns(&m, tries, 2);
 *
 * signals: borrowed, retained; 1 to RAC_MARBLES_MOST. */
static inline rac_signal *
rac_marbles_turns(rac_marbles *m, rac_signal *const *signals, size_t count) {
  rac_marbles_part *part = rac_marbles_part_new(m);
  rac_marbles_taking_turns *turns;
  if (part == NULL) return NULL;
  if (count == 0 || count > RAC_MARBLES_MOST) {
    m->failures++;
    fprintf(m->out, "turns of %zu signals\n", count);
    return NULL;
  }
  turns = RAC_MARBLES_AS(rac_marbles_taking_turns *, calloc(1, sizeof *turns));
  if (turns == NULL) abort();
  turns->count = count;
  for (size_t i = 0; i < count; i++)
    turns->signals[i] = RAC_MARBLES_AS(rac_signal *, rac_retain(signals[i]));
  part->signal =
      rac_signal_defer(turns, rac_marbles_turn, rac_marbles_turns_free);
  return part->signal;
}

/* ---- Hearing ------------------------------------------------------------ */

static inline void rac_marbles_hear(rac_marbles_part *part, char sign,
                                    rac_value value) {
  rac_marbles_line *heard = &part->heard;
  rac_marble *event;
  double nearest;
  if (heard->count == RAC_MARBLES_EVENTS) {
    part->is_beyond = true;
    return;
  }
  event = &heard->events[heard->count++];
  memset(event, 0, sizeof *event);
  event->time = rac_scheduler_now(part->owner->clock) / part->owner->unit;
  /* Sums of fractions are a little off. */
  nearest = RAC_MARBLES_AS(double, RAC_MARBLES_AS(int64_t, event->time + 0.5));
  if (event->time - nearest < 1e-6 && nearest - event->time < 1e-6)
    event->time = nearest;
  event->sign = sign;
  event->value = rac_value_retain(value);
  if (sign == '#') event->code = rac_error_get_code(value);
}

static inline void rac_marbles_next(void *context, rac_value value) {
  rac_marbles_hear(RAC_MARBLES_AS(rac_marbles_part *, context), ' ', value);
}
static inline void rac_marbles_error(void *context, rac_value error) {
  rac_marbles_hear(RAC_MARBLES_AS(rac_marbles_part *, context), '#', error);
}
static inline void rac_marbles_completed(void *context) {
  rac_marbles_hear(RAC_MARBLES_AS(rac_marbles_part *, context), '|',
                   rac_value_nil());
}

static inline void rac_marbles_subscribe(void *context) {
  rac_marbles_part *part = RAC_MARBLES_AS(rac_marbles_part *, context);
  rac_observer observer = rac_observer_init(
      part, rac_marbles_next, rac_marbles_error, rac_marbles_completed, NULL);
  part->disposable = rac_subscribe(part->signal, &observer);
  if (part->disposable == NULL) {
    part->owner->failures++;
    fprintf(part->owner->out, "%s:%d: %s: no subscription: %s\n", part->file,
            part->line, part->what, rac_last_error_message());
  }
}
static inline void rac_marbles_dispose(void *context) {
  rac_dispose(RAC_MARBLES_AS(rac_marbles_part *, context)->disposable);
}

/* Says what a signal has to send. Use RAC_MARBLES_EXPECT.
 *
 * signal: borrowed.
 * subscription: "--^---!": when it is subscribed to and disposed of; NULL: at 0,
 * for good. */
static inline void rac_marbles_expect(rac_marbles *m, rac_signal *signal,
                                      const char *subscription,
                                      const char *expected, const char *what,
                                      const char *file, int line) {
  rac_marbles_part *part = rac_marbles_part_new(m);
  if (part == NULL || !rac_marbles_read(m, expected, false, &part->plan) ||
      !rac_marbles_read(m, subscription ? subscription : "^", true,
                        &part->subscription))
    return;
  part->what = what, part->file = file, part->line = line;
  part->signal = RAC_MARBLES_AS(rac_signal *, rac_retain(signal));
  if (part->signal == NULL) {
    const char *reason = rac_last_error_message();
    m->failures++;
    fprintf(m->out, "%s:%d: %s: no signal: %s\n", file, line, what,
            *reason ? reason : "it is NULL, and no call has failed");
    part->what = NULL;
    return;
  }
  rac_release(rac_schedule_after(m->clock, part->subscription.begin * m->unit,
                                 part, rac_marbles_subscribe, NULL));
  if (part->subscription.end >= 0)
    rac_release(rac_schedule_after(m->clock, part->subscription.end * m->unit,
                                   part, rac_marbles_dispose, NULL));
}

#define RAC_MARBLES_EXPECT(m, signal, subscription, expected)                  \
  rac_marbles_expect(m, signal, subscription, expected, #signal, __FILE__,     \
                     __LINE__)

static inline bool rac_marbles_same(const rac_marble *plan,
                                    const rac_marble *heard) {
  if (plan->time != heard->time || plan->sign != heard->sign) return false;
  if (plan->sign == '#') return !plan->has_code || plan->code == heard->code;
  return plan->sign == '|' || rac_value_equal(plan->value, heard->value);
}

/* How an event is written: by its name, if a value has one. */
static inline void rac_marbles_name(rac_marbles_part *part,
                                    const rac_marble *event, char *text,
                                    size_t capacity) {
  if (event->sign == '|') {
    snprintf(text, capacity, "|");
  } else if (event->sign == '#') {
    snprintf(text, capacity, "#%lld", RAC_MARBLES_AS(long long, event->code));
  } else {
    static const char names[] =
        "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    for (const char *name = names; *name; name++) {
      rac_value known = rac_marbles_value_of(part->owner, *name);
      bool is_it = rac_value_equal(known, event->value);
      rac_value_release(known);
      if (is_it) {
        snprintf(text, capacity, "%c", *name);
        return;
      }
    }
    rac_value_describe(event->value, text, capacity);
  }
}

/* Writes what came: a diagram where that can be, else a list with times. */
static inline void rac_marbles_draw(rac_marbles_part *part,
                                    const rac_marbles_line *line) {
  FILE *out = part->owner->out;
  bool fits = true;
  char name[64];
  long column = 0;
  for (size_t i = 0; i < line->count; i++) {
    rac_marbles_name(part, &line->events[i], name, sizeof name);
    double time = line->events[i].time;
    fits = fits && time >= 0 &&
           RAC_MARBLES_AS(double, RAC_MARBLES_AS(int64_t, time)) == time &&
           (name[1] == 0 || *name == '#');
  }
  if (line->count == 0) fputs("-", out);
  for (size_t i = 0; i < line->count; i++) {
    const rac_marble *event = &line->events[i];
    bool joins = i > 0 && line->events[i - 1].time == event->time;
    bool opens = !joins && i + 1 < line->count &&
                 line->events[i + 1].time == event->time;
    rac_marbles_name(part, event, name, sizeof name);
    if (!fits) {
      fprintf(out, "%s%s@%g", i ? " " : "", name, event->time);
      continue;
    }
    for (; !joins && column < RAC_MARBLES_AS(long, event->time); column++)
      fputc('-', out);
    column += opens ? 2 : 1;
    fprintf(out, "%s%s", opens ? "(" : "", name);
    if (joins &&
        (i + 1 == line->count || line->events[i + 1].time != event->time)) {
      fputc(')', out);
      column++;
    }
  }
  fputc('\n', out);
}

static inline void rac_marbles_compare(rac_marbles_part *part) {
  const rac_marbles_line *plan = &part->plan, *heard = &part->heard;
  FILE *out = part->owner->out;
  char name[64];
  size_t i = 0;
  while (i < plan->count && i < heard->count &&
         rac_marbles_same(&plan->events[i], &heard->events[i]))
    i++;
  if (part->is_beyond) {
    part->owner->failures++;
    fprintf(out, "%s:%d: %s\n  expected  %s\n  heard more than %d events\n",
            part->file, part->line, part->what, plan->text, RAC_MARBLES_EVENTS);
    return;
  }
  if (i == plan->count && i == heard->count) return;
  part->owner->failures++;
  fprintf(out, "%s:%d: %s\n  expected  %s\n  heard     ", part->file,
          part->line, part->what, plan->text);
  rac_marbles_draw(part, heard);
  fputs("  first difference: ", out);
  for (int side = 0; side < 2; side++) {
    const rac_marbles_line *line = side ? heard : plan;
    if (i < line->count) {
      rac_marbles_name(part, &line->events[i], name, sizeof name);
      fprintf(out, "%s at %g%s", name, line->events[i].time,
              side ? " came\n" : " expected, ");
    } else {
      fputs(side ? "nothing came\n" : "nothing expected, ", out);
    }
  }
}

/* Runs the test, tells its failures and frees all it has; how many there were.
 * Time goes on for ten units after the longest diagram. */
static inline int rac_marbles_close(rac_marbles *m) {
  if (m->failures == 0)
    rac_virtual_advance_to(m->clock, 2 * (m->longest + 5) * m->unit);
  for (size_t i = 0; i < m->count; i++) {
    rac_marbles_part *part = m->parts[i];
    rac_dispose(part->disposable);
    if (part->what && part->disposable) rac_marbles_compare(part);
  }
  /* What the disposals left behind is due now. A job that repeats goes on for
   * ever, and goes with the clock. */
  rac_virtual_advance_by(m->clock, 0);
  for (size_t i = 0; i < m->count; i++) {
    rac_marbles_part *part = m->parts[i];
    rac_release(part->disposable);
    rac_release(part->signal);
    rac_release(part->subject);
    rac_marbles_forget(&part->plan);
    rac_marbles_forget(&part->heard);
    free(part);
  }
  for (size_t i = 0; i < 128; i++)
    if (m->has[i]) rac_value_release(m->table[i]);
  rac_release(m->clock);
  return m->failures;
}

#ifdef __cplusplus
}
#endif

#endif /* RAC_MARBLES_LIBRARY_H */
