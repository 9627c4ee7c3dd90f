/* The one line in which a subject's events stand, seen across its subscribers. */
#include "check.h"

typedef struct line {
  rac_subject *subject;
  char text[100];
} line;

typedef struct place {
  line *line;
  char name;
  bool sends;
} place;

static void note(line *self, const char *what) {
  size_t used = strlen(self->text);
  snprintf(self->text + used, sizeof self->text - used, "%s%s",
           used > 0 ? " " : "", what);
}

static void hear(recorder *self, rac_value value) {
  place *p = self->user;
  char text[20];
  snprintf(text, sizeof text, "%c%d", p->name, (int)value.bits);
  note(p->line, text);
  if (!p->sends || value.bits >= 3) return;
  CHECK_STATUS(rac_subject_send(p->line->subject, I(value.bits + 1)),
               RAC_QUEUED);
  note(p->line, "sent");
}

/* Laws 3 and 4: first everybody hears the current value, then the next one comes,
 * all before the first send returns. */
TEST(what_is_sent_inside_comes_when_everybody_has_heard) {
  line l = {.subject = rac_subject_create()};
  place places[] = {{&l, 'a', true}, {&l, 'b', false}};
  recorder r[2] = {{.on_next = hear, .user = &places[0]},
                   {.on_next = hear, .user = &places[1]}};
  for (int i = 0; i < 2; i++) record(as_signal(l.subject), &r[i]);
  CHECK_STATUS(rac_subject_send(l.subject, I(1)), RAC_OK);
  CHECK_TEXT(l.text, "a1 sent b1 a2 sent b2 a3 b3");
  for (int i = 0; i < 2; i++) finish(&r[i]);
  rac_release(l.subject);
}
