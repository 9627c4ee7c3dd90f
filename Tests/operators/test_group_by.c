/* rac_signal_group_by: a signal for each key. */
#include "stage.h"

static rac_status parity(void *context, rac_value value, rac_value *out) {
  (void)context_target(context);
  if (value.bits == 8) return -88;
  *out = value.bits % 2 ? rac_value_string_copy("odd", 3)
                        : rac_value_string_static("even");
  return RAC_OK;
}

typedef struct groups {
  int count;
  recorder r[4];
  char keys[4][16];
} groups;

static void join_group(recorder *self, rac_value value) {
  groups *g = self->user;
  owned rac_signal *group = rac_value_to_signal(value);
  rac_value key = rac_value_nil();
  CHECK_STATUS(rac_signal_get_key(group, &key), RAC_OK);
  format_value(key, g->keys[g->count], sizeof g->keys[0]);
  record(group, &g->r[g->count++]);
}

static void check_groups(const char *script, rac_map_fn transform,
                         const char *odd, const char *even,
                         const char *result) {
  groups g;
  memset(&g, 0, sizeof g);
  rac_signal *s = cold(script, NULL);
  APPLY(s, group_by, context_new(NULL, NULL), parity, transform,
        context_destroy);
  recorder r = {.on_next = join_group, .user = &g};
  record(s, &r);
  CHECK_INT(g.count, 2);
  CHECK_TEXT(g.keys[0], "odd");
  CHECK_TEXT(g.keys[1], "even");
  CHECK_EVENTS(&g.r[0], odd);
  CHECK_EVENTS(&g.r[1], even);
  CHECK_EVENTS(&r, result);
  for (int i = 0; i < g.count; i++) finish(&g.r[i]);
  finish(&r);
  rac_release(s);
}

TEST(group_by_sends_a_signal_for_each_key) {
  check_groups("1 2 3 4 5 |", NULL, "1 3 5 |", "2 4 |", "? ? |");
  check_groups("1 2 3 |", times_ten, "10 30 |", "20 |", "? ? |");
  check_groups("1 2 3 #6", NULL, "1 3 #6", "2 #6", "? ? #6");
}

TEST(a_failing_key_ends_the_groups_too) {
  check_groups("1 2 8", NULL, "1 #-88", "2 #-88", "? ? #-88");
}

TEST(a_failing_transform_ends_the_groups_too) {
  check_groups("1 4 2 3", map_not_two, "1 #-22", "4 #-22", "? ? #-22");
}

TEST(who_subscribes_to_a_group_later_misses_its_first_value) {
  owned rac_subject *subject = rac_subject_create();
  owned rac_signal *s =
      rac_signal_group_by(as_signal(subject), context_new(NULL, NULL), parity,
                          NULL, context_destroy);
  owned rac_subject *kept = rac_replay_subject_create(RAC_REPLAY_UNLIMITED);
  rac_release(rac_subscribe_subscriber(s, rac_subject_as_subscriber(kept)));
  play(subject, "1");
  rac_value group = rac_value_nil();
  CHECK_STATUS(rac_signal_first(as_signal(kept), 0, &group), RAC_OK);
  owned rac_signal *signal = rac_value_to_signal(group);
  rac_value_release(group);
  RECORDER(r, signal);
  play(subject, "3 4 5 |");
  CHECK_EVENTS(&r, "3 5 |");
}

static rac_status nil_key(void *context, rac_value value, rac_value *out) {
  (void)context_target(context);
  (void)value;
  *out = rac_value_nil();
  return RAC_OK;
}

TEST(nil_is_a_key) {
  rac_signal *s = cold("1 2 |", NULL);
  APPLY(s, group_by, context_new(NULL, NULL), nil_key, NULL, context_destroy);
  APPLY(s, flatten, 0);
  CHECK_SIGNAL(s, "1 2 |");
}

/* ---- What RAC's specs demand --------------------------------------------- */

enum { GROUPS = 4 };

/* Who has ended, in order: the groups by their keys, and R for the result. */
typedef struct four_groups {
  stage t;
  int count;
  recorder members[GROUPS];
  int64_t keys[GROUPS];
  char ends[20];
} four_groups;

/* Two subscribers' ends come one after the other, on one thread. */
static void note_end(recorder *self) {
  four_groups *g = self->user;
  char mark = 'R';
  for (int i = 0; i < g->count; i++)
    if (self == &g->members[i]) mark = (char)('0' + g->keys[i]);
  g->ends[strlen(g->ends)] = mark;
}

static void follow_group(recorder *self, rac_value value) {
  four_groups *g = self->user;
  REQUIRE(g->count < GROUPS);
  recorder *member = &g->members[g->count];
  member->on_end = note_end;
  member->user = g;
  owned rac_signal *group = rac_value_to_signal(value);
  rac_value key = rac_value_nil();
  CHECK_STATUS(rac_signal_get_key(group, &key), RAC_OK);
  g->keys[g->count++] = key.bits;
  record(group, member);
}

static rac_status modulo_four(void *context, rac_value value, rac_value *out) {
  (void)context_target(context);
  *out = I(value.bits % GROUPS);
  return RAC_OK;
}

/* The values from 19 down to 0 make the groups 3, 2, 1, 0. */
static void begin(four_groups *g, rac_map_fn transform) {
  memset(g, 0, sizeof *g);
  stage_open(&g->t);
  g->t.heard.on_next = follow_group;
  g->t.heard.on_end = note_end;
  g->t.heard.user = g;
  stage_hear(&g->t,
             rac_signal_group_by(as_signal(g->t.a), context_new(NULL, NULL),
                                 modulo_four, transform, context_destroy));
  for (int i = 19; i >= 0; i--) rac_subject_send(g->t.a, I(i));
}

static void end(four_groups *g) {
  for (int i = 0; i < g->count; i++) finish(&g->members[i]);
  stage_close(&g->t);
}

/* signal-252, signal-254: every group completes, in the order they were made;
 * the result before them */
TEST(the_completion_completes_every_group) {
  four_groups g;
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
  four_groups g;
  begin(&g, times_ten);
  play(g.t.a, "#7");
  CHECK_TEXT(g.ends, "R3210");
  CHECK_EVENTS(&g.members[0], "190 150 110 70 30 #7");
  CHECK_EVENTS(&g.members[1], "180 140 100 60 20 #7");
  end(&g);
}

/* signal-252: a disposal is no end for the groups: they hear nothing, and are
 * let go as nobody can send to them any more */
TEST(disposing_a_group_by_does_not_complete_its_groups) {
  four_groups g;
  begin(&g, NULL);
  rac_dispose(g.t.heard.subscription);
  play(g.t.a, "5 |");
  CHECK_TEXT(g.ends, "");
  CHECK_EVENTS(&g.members[0], "19 15 11 7 3");
  for (int i = 0; i < GROUPS; i++)
    CHECK_INT(atomic_load(&g.members[i].destroyed), 1);
  end(&g);
}
