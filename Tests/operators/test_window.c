/* rac_signal_window, _with_time, _with_count and _toggle: signals of parts of a
 * signal. */
#include "stage.h"

enum { WINDOWS = 8 };

typedef struct windows {
  stage t;
  int count;
  recorder members[WINDOWS];
} windows;

static void join_window(recorder *self, rac_value value) {
  windows *w = self->user;
  REQUIRE(w->count < WINDOWS);
  owned rac_signal *window = rac_value_to_signal(value);
  recorder *member = &w->members[w->count++];
  member->clock = w->t.v;
  record(window, member);
}

static stage *windows_open(windows *self) {
  memset(self, 0, sizeof *self);
  stage_open_timed(&self->t);
  self->t.heard.on_next = join_window;
  self->t.heard.user = self;
  return &self->t;
}

static void windows_close(windows *self) {
  stage_close(&self->t);
  for (int i = 0; i < self->count; i++) finish(&self->members[i]);
}

static void check_text_of(int line, recorder *r, const char *script) {
  char expected[512];
  list_marbles(script, expected, sizeof expected);
  check_text(__FILE__, line, script, r->text, expected);
}

/* What a, and then b and c, play, as far as they are not NULL; the last scripts
 * are what is heard of the result, where ? is a window, and of each window. */
#define CHECK_WINDOWS(operator, a_, b_, c_, ...)                               \
  do {                                                                         \
    windows w;                                                                 \
    stage *stage_ = windows_open(&w);                                          \
    rac_signal *a = as_signal(w.t.a), *b = as_signal(w.t.b);                   \
    rac_scheduler *v = w.t.v;                                                  \
    (void)b, (void)v;                                                          \
    stage_hear(stage_, operator);                                              \
    check_windows(__LINE__, &w, (const char *const[]){a_, b_, c_},             \
                  (const char *const[]){__VA_ARGS__, NULL});                   \
  } while (0)

static void check_windows(int line, windows *w, const char *const *played,
                          const char *const *heard) {
  rac_subject *const subjects[] = {w->t.a, w->t.b, w->t.c};
  int count = 0;
  for (int i = 0; i < 3; i++)
    if (played[i]) stage_play(&w->t, subjects[i], played[i]);
  rac_virtual_advance_to(w->t.v, 40);
  check_text(__FILE__, line, heard[0], w->t.heard.text, heard[0]);
  for (; heard[1 + count]; count++)
    if (count < w->count)
      check_text_of(line, &w->members[count], heard[1 + count]);
  CHECK_INT(w->count, count);
  windows_close(w);
}

TEST(a_boundary_closes_one_and_opens_the_next) {
  CHECK_WINDOWS(rac_signal_window(a, b), "-1-2---3|", "----8-9--", NULL,
                "?@0 ?@4 ?@6 |@8", "-1-2|", "------|", "-------3|");
  CHECK_WINDOWS(rac_signal_window(a, b), "-1-#5", NULL, NULL, "?@0 #5@3",
                "-1-#5");
  CHECK_WINDOWS(rac_signal_window(a, b), "-1--3|", "--#5", NULL, "?@0 #5@2",
                "-1#5");
}

TEST(a_boundary_that_completes_opens_no_more) {
  CHECK_WINDOWS(rac_signal_window(a, b), "-1--3|", "--|", NULL, "?@0 |@5",
                "-1--3|");
}

TEST(windows_by_time_may_be_empty) {
  CHECK_WINDOWS(rac_signal_window_with_time(a, 3, v), "-12-------3|", NULL,
                NULL, "?@0 ?@3 ?@6 ?@9 |@11", "-12|", "------|", "---------|",
                "----------3|");
}

TEST(windows_by_count_begin_with_a_value) {
  CHECK_WINDOWS(rac_signal_window_with_count(a, 2, 2), "-123|", NULL, NULL,
                "?@1 ?@3 |@4", "1@1 2@2 |@2", "---3|");
  CHECK_WINDOWS(rac_signal_window_with_count(a, 2, 1), "-123|", NULL, NULL,
                "?@1 ?@2 ?@3 |@4", "1@1 2@2 |@2", "2@2 3@3 |@3", "---3|");
  CHECK_WINDOWS(rac_signal_window_with_count(a, 1, 3), "-12345|", NULL, NULL,
                "?@1 ?@4 |@6", "1@1 |@1", "4@4 |@4");
  CHECK_WINDOWS(rac_signal_window_with_count(a, SIZE_MAX, 1), "-12#3", NULL,
                NULL, "?@1 ?@2 #3@3", "-12#3", "--2#3");
  CHECK_WINDOWS(rac_signal_window_with_count(a, 2, SIZE_MAX), "-1234|", NULL,
                NULL, "?@1 |@5", "1@1 2@2 |@2");
  CHECK_WINDOWS(rac_signal_window_with_count(a, 2, 2), "|", NULL, NULL, "|@0",
                NULL);
}

/* 1 stands for the stage's c, 2 for what never closes, 3 for nothing at all, 4
 * for a failure. */
static rac_status closing(void *context, rac_value value, rac_signal **out) {
  stage *self = context_target(context);
  if (value.bits == 1) *out = rac_retain(as_signal(self->c));
  if (value.bits == 2) *out = rac_signal_never();
  return value.bits == 4 ? -44 : RAC_OK;
}
#define TOGGLE rac_signal_window_toggle(a, b, CALLBACK_FOR(&w.t, closing))

TEST(openings_and_closings_may_overlap) {
  CHECK_WINDOWS(TOGGLE, "-1-2-3-4|", "--1-2", "------7", "?@2 ?@4 |@8",
                "---2-3|", "-----3-4|");
  CHECK_WINDOWS(TOGGLE, "-1-2-3-4|", "--1|", "------|", "?@2 |@8", "---2-3|");
  CHECK_WINDOWS(TOGGLE, "-1-2|", "-3", NULL, "?@1 |@4", "-|");
}

TEST(an_error_is_everybodys) {
  CHECK_WINDOWS(TOGGLE, "-1-2-3-4|", "--122", "-----#9", "?@2 ?@3 ?@4 #9@5",
                "2@3 3@5 #9@5", "3@5 #9@5", "3@5 #9@5");
  CHECK_WINDOWS(TOGGLE, "-1-2-3-4|", "--1-4", NULL, "?@2 #-44@4", "---2#-44");
  CHECK_WINDOWS(TOGGLE, "-1-2-3-4|", "--2-#5", NULL, "?@2 #5@4", "---2#5");
}

/* ---- Late, and never ------------------------------------------------------- */

static void keep_window(recorder *self, rac_value value) {
  rac_signal **kept = self->user;
  rac_release(*kept);
  *kept = rac_value_to_signal(value);
}

TEST(who_comes_late_hears_the_rest_and_the_end) {
  owned rac_subject *subject = rac_subject_create();
  owned rac_signal *kept = NULL;
  recorder r = {.on_next = keep_window, .user = &kept};
  owned rac_signal *s = rac_signal_window_with_count(as_signal(subject), 3, 3);
  record(s, &r);
  play(subject, "1");
  RECORDER(open, kept);
  play(subject, "2 3");
  RECORDER(over, kept);
  CHECK_EVENTS(&open, "2 3 |");
  CHECK_EVENTS(&over, "|");
  play(subject, "|");
  await_end(&r);
}

/* Law 11: nobody can send to it any more. */
TEST(a_disposal_lets_go_of_the_windows) {
  windows w;
  stage *t = windows_open(&w);
  stage_hear(t, rac_signal_window(as_signal(t->a), as_signal(t->b)));
  play(t->a, "1");
  rac_dispose(t->heard.subscription);
  play(t->a, "2");
  CHECK_EVENTS(&w.members[0], "1@0");
  CHECK_INT(atomic_load(&w.members[0].destroyed), 1);
  windows_close(&w);
}

static void dispose_result(recorder *self, rac_value value) {
  (void)value;
  windows *w = self->user;
  rac_dispose(w->t.heard.subscription);
}
TEST(a_window_may_dispose_them_all) {
  windows w;
  stage *t = windows_open(&w);
  w.members[0].on_next = dispose_result;
  w.members[0].user = &w;
  stage_hear(t, rac_signal_window_with_count(as_signal(t->a), 4, 2));
  play(t->a, "1 2 3 4 5 |");
  CHECK_EVENTS(&w.members[0], "1@0");
  CHECK_INT(LISTENERS(t->a), 0);
  windows_close(&w);
}

/* Windows one after the other are what they were made of. */
TEST(windows_flatten_to_the_source) {
  owned rac_signal *source = cold("1 2 3 4 5 |", NULL);
  for (size_t limit = 0; limit < 2; limit++)
    for (size_t count = 1; count < 7; count++) {
      rac_signal *s = rac_signal_window_with_count(source, count, count);
      APPLY(s, flatten, limit);
      CHECK_SIGNAL(s, "1 2 3 4 5 |");
    }
}

static void *send_boundaries(void *subject) {
  for (int64_t i = check_scaled(5000); i > 0; i--)
    rac_subject_send(subject, I(i));
  return NULL;
}
static rac_status as_they_are(void *context, rac_value value,
                              rac_signal **out) {
  (void)context_target(context);
  *out = rac_value_to_signal(value);
  return RAC_OK;
}
/* Every value is in one window, however the threads meet. */
TEST(values_race_boundaries) {
  owned rac_subject *subject = rac_subject_create(),
                    *edge = rac_subject_create();
  owned rac_signal *s = rac_signal_window(as_signal(subject), as_signal(edge));
  APPLY(s, flatten_map, CALLBACK(as_they_are));
  APPLY0(s, count);
  recorder r = {0};
  record(s, &r);
  pthread_t a = check_spawn(send_boundaries, subject);
  pthread_t b = check_spawn(send_boundaries, edge);
  check_join(a);
  check_join(b);
  rac_subject_send_completed(subject);
  await_end(&r);
  char expected[40];
  snprintf(expected, sizeof expected, "%d |", (int)check_scaled(5000));
  CHECK_EVENTS(&r, expected);
}

TEST(windows_of_nothing_are_refused) {
  owned rac_signal *never = rac_signal_never();
  const double bad[] = {0, -1, 0.0 / 0.0, -1.0 / 0.0, 1e-12, 5e-324};
  for (int i = 0; i < 6; i++) {
    CHECK(rac_signal_window_with_time(never, bad[i], NULL) == NULL);
    CHECK_STATUS(rac_last_error_code(), RAC_EINVAL);
  }
  CHECK(rac_signal_window_with_count(never, 0, 1) == NULL);
  CHECK_STATUS(rac_last_error_code(), RAC_EINVAL);
  CHECK(rac_signal_window_with_count(never, 1, 0) == NULL);
  CHECK_STATUS(rac_last_error_code(), RAC_EINVAL);
}
