#include "marbles.h"

/* ---- Diagrams ------------------------------------------------------------ */

/* The length of the event that the diagram has here: one character, and behind
 * # a code. */
static size_t event_length(const char *diagram) {
  if (*diagram != '#') return 1;
  size_t sign = diagram[1] == '-' ? 1 : 0;
  size_t digits = strspn(diagram + 1 + sign, "0123456789");
  return digits > 0 ? 1 + sign + digits : 1;
}

void list_marbles(const char *script, char *list, size_t capacity) {
  *list = 0;
  if (strchr(script, '@')) {
    snprintf(list, capacity, "%s", script);
    return;
  }
  size_t used = 0;
  const char *group = NULL;
  for (const char *at = script; *at; at++) {
    if (*at == '(') group = at;
    if (*at == ')') group = NULL;
    if (strchr("-() ", *at)) continue;
    size_t length = event_length(at);
    long time = (group ? group : at) - script;
    if (used < capacity)
      used += (size_t)snprintf(list + used, capacity - used, "%s%.*s@%ld",
                               used > 0 ? " " : "", (int)length, at, time);
    at += length - 1;
  }
}

/* ---- Playing ------------------------------------------------------------- */

enum { SIGNALS = 3 };

/* The events of one time. */
typedef struct appointment {
  rac_subject *subject, *signals[SIGNALS];
  char events[128];
} appointment;

static void keep_appointment(void *context) {
  appointment *self = context_target(context);
  char event[32];
  for (const char *at = self->events; *at; at += strspn(at, " ")) {
    size_t length = strcspn(at, " "), letter = (size_t)(*at - 'a');
    if (length == 1 && letter < SIGNALS && self->signals[letter]) {
      rac_value value = rac_value_signal(as_signal(self->signals[letter]));
      rac_subject_send(self->subject, value);
      rac_value_release(value);
    } else {
      snprintf(event, sizeof event, "%.*s", (int)length, at);
      play(self->subject, event);
    }
    at += length;
  }
}

static void appointment_destroy(void *context) {
  appointment *self = context_target(context);
  rac_release(self->subject);
  for (int i = 0; i < SIGNALS; i++) rac_release(self->signals[i]);
  free(self);
  context_destroy(context);
}

/* Takes the events of one time off the list. */
static const char *next_time(const char *list, char *events, size_t capacity,
                             double *time) {
  size_t used = 0;
  *events = 0;
  while (*list) {
    size_t length = strcspn(list, "@");
    char *end;
    double at = strtod(list + length + 1, &end);
    if (used > 0 && at != *time) break;
    *time = at;
    if (used + length + 2 > capacity) abort();
    used += (size_t)snprintf(events + used, capacity - used, "%s%.*s",
                             used > 0 ? " " : "", (int)length, list);
    list = end + strspn(end, " ");
  }
  return list;
}

void play_marbles_with(rac_scheduler *scheduler, rac_subject *subject,
                       const char *script, rac_subject *const *signals) {
  char list[512];
  list_marbles(script, list, sizeof list);
  for (const char *at = list; *at;) {
    double time = 0;
    appointment *self = calloc(1, sizeof *self);
    if (!self) abort();
    self->subject = rac_retain(subject);
    for (int i = 0; signals && i < SIGNALS; i++)
      self->signals[i] = rac_retain(signals[i]);
    at = next_time(at, self->events, sizeof self->events, &time);
    rac_release(rac_schedule_after(scheduler, time, context_new(self, NULL),
                                   keep_appointment, appointment_destroy));
  }
}

void play_marbles(rac_scheduler *scheduler, rac_subject *subject,
                  const char *script) {
  play_marbles_with(scheduler, subject, script, NULL);
}
