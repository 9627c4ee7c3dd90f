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

typedef struct appointment {
  rac_subject *subject, *sent;
  char event[24];
} appointment;

static void keep_appointment(void *context) {
  appointment *self = context_target(context);
  if (!self->sent) {
    play(self->subject, self->event);
    return;
  }
  rac_value value = rac_value_signal(as_signal(self->sent));
  rac_subject_send(self->subject, value);
  rac_value_release(value);
}

static void appointment_destroy(void *context) {
  appointment *self = context_target(context);
  rac_release(self->subject);
  rac_release(self->sent);
  free(self);
  context_destroy(context);
}

void play_marbles(rac_scheduler *scheduler, rac_subject *subject,
                  const char *script, rac_subject *const *signals,
                  size_t count) {
  char list[512];
  list_marbles(script, list, sizeof list);
  for (const char *at = list; *at; at += strspn(at, " ")) {
    size_t length = strcspn(at, "@");
    appointment *self = calloc(1, sizeof *self);
    if (!self) abort();
    self->subject = rac_retain(subject);
    snprintf(self->event, sizeof self->event, "%.*s", (int)length, at);
    size_t letter = (size_t)(*at - 'a');
    if (length == 1 && letter < count) self->sent = rac_retain(signals[letter]);
    rac_release(rac_schedule_after(scheduler, strtod(at + length + 1, NULL),
                                   context_new(self, NULL), keep_appointment,
                                   appointment_destroy));
    at += strcspn(at, " ");
  }
}
