/* -groupBy:transform:. */
#include "stage.h"

enum { GROUPS = 4 };

/* Who has ended, in order: the groups by their keys, and R for the result. */
typedef struct groups {
  stage t;
  int count;
  recorder members[GROUPS];
  int64_t keys[GROUPS];
  char ends[20];
} groups;

/* Two subscribers' ends come one after the other, on one thread. */
static void note_end(recorder *self) {
  groups *g = self->user;
  char mark = 'R';
  for (int i = 0; i < g->count; i++)
    if (self == &g->members[i]) mark = (char)('0' + g->keys[i]);
  g->ends[strlen(g->ends)] = mark;
}

static void join_group(recorder *self, rac_value value) {
  groups *g = self->user;
  REQUIRE(g->count < GROUPS);
  recorder *member = &g->members[g->count];
  member->on_end = note_end;
  member->user = g;
  rac_signal *group = rac_value_to_signal(value);
  rac_value key = rac_value_nil();
  CHECK_STATUS(rac_signal_get_key(group, &key), RAC_OK);
  g->keys[g->count++] = key.bits;
  record(group, member);
  rac_release(group);
}

static rac_status modulo_four(void *context, rac_value value, rac_value *out) {
  (void)context_target(context);
  *out = I(value.bits % GROUPS);
  return RAC_OK;
}

/* The values from 19 down to 0 make the groups 3, 2, 1, 0. */
static void begin(groups *g, rac_map_fn transform) {
  memset(g, 0, sizeof *g);
  stage_open(&g->t);
  g->t.heard.on_next = join_group;
  g->t.heard.on_end = note_end;
  g->t.heard.user = g;
  stage_hear(&g->t,
             rac_signal_group_by(as_signal(g->t.a), context_new(NULL, NULL),
                                 modulo_four, transform, context_destroy));
  for (int i = 19; i >= 0; i--) rac_subject_send(g->t.a, I(i));
}

static void end(groups *g) {
  for (int i = 0; i < g->count; i++) finish(&g->members[i]);
  stage_close(&g->t);
}

/* signal-252, signal-254: every group completes, in the order they were made;
 * the result before them */
TEST(the_completion_completes_every_group) {
  groups g;
  begin(&g, NULL);
  CHECK_INT(g.count, GROUPS);
  CHECK_TEXT(g.ends, "");
  play(g.t.a, "|");
  CHECK_TEXT(g.ends, "R3210");
  CHECK_EVENTS(&g.members[0], "19 15 11 7 3 |");
  CHECK_EVENTS(&g.members[3], "16 12 8 4 0 |");
  end(&g);
}

/* signal-253 */
TEST(an_error_goes_to_every_group) {
  groups g;
  begin(&g, times_ten);
  play(g.t.a, "!7");
  CHECK_TEXT(g.ends, "R3210");
  CHECK_EVENTS(&g.members[0], "190 150 110 70 30 !7");
  CHECK_EVENTS(&g.members[1], "180 140 100 60 20 !7");
  end(&g);
}

/* signal-252: a disposal is no end for the groups: they hear nothing, and are
 * let go as nobody can send to them any more */
TEST(disposing_a_group_by_does_not_complete_its_groups) {
  groups g;
  begin(&g, NULL);
  rac_dispose(g.t.heard.subscription);
  play(g.t.a, "5 |");
  CHECK_TEXT(g.ends, "");
  CHECK_EVENTS(&g.members[0], "19 15 11 7 3");
  for (int i = 0; i < GROUPS; i++)
    CHECK_INT(atomic_load(&g.members[i].destroyed), 1);
  end(&g);
}
