/* Signals inside signals that others send into: each stays where the operator
 * has it while others begin and end, and leaves nothing behind. */
#include "operators.h"
#include "process.h"

#include <sched.h>

enum { MOST = 48 };

typedef struct hot {
  rac_subject *outer, *inner[MOST];
  recorder heard;
  struct place {
    struct hot *self;
    int number;
  } places[MOST];
  int left[MOST], gone;
} hot;

static void note(void *context) {
  struct place *place = context;
  place->self->left[place->self->gone++] = place->number;
}

static rac_status give(void *context, rac_value value, rac_signal **out) {
  hot *self = context_target(context);
  struct place *place = &self->places[value.bits];
  *place = (struct place){self, (int)value.bits};
  self->inner[value.bits] = rac_subject_create();
  *out = rac_signal_do_finally(as_signal(self->inner[value.bits]), place, note,
                               NULL);
  return RAC_OK;
}

static void open_hot(hot *self, size_t limit) {
  self->outer = rac_subject_create();
  owned rac_signal *s = rac_retain(as_signal(self->outer));
  APPLY(s, flatten_map_limited, limit, NULL, CALLBACK_FOR(self, give));
  record(s, &self->heard);
}

static void begin(hot *self, int number) {
  CHECK_STATUS(rac_subject_send(self->outer, I(number)), RAC_OK);
}

static void check_left(const hot *self, const char *expected) {
  char text[4 * MOST] = "";
  for (int i = 0; i < self->gone; i++)
    snprintf(text + strlen(text), 8, "%d ", self->left[i]);
  CHECK_TEXT(text, expected);
}

static void close_hot(hot *self) {
  finish(&self->heard);
  CHECK_INT(self->heard.destroyed, 1);
  for (int i = 0; i < MOST; i++) {
    if (self->inner[i] == NULL) continue;
    CHECK_INT(rac_subject_subscriber_count(self->inner[i]), 0);
    rac_release(self->inner[i]);
  }
  CHECK_INT(rac_subject_subscriber_count(self->outer), 0);
  rac_release(self->outer);
}

/* Those that go on are disposed of from the newest to the oldest, whichever
 * have ended between them. */
TEST(disposed_of_from_the_newest_on) {
  hot self = {0};
  open_hot(&self, 0);
  for (int i = 0; i < 5; i++) begin(&self, i);
  play(self.inner[1], "1 |");
  play(self.inner[4], "4 |");
  begin(&self, 5);
  begin(&self, 6);
  check_left(&self, "1 4 ");
  CHECK_EVENTS(&self.heard, "1 4");
  close_hot(&self);
  check_left(&self, "1 4 6 5 3 2 0 ");
}

static int chance(uint32_t *seed, int limit) {
  *seed = *seed * 1664525u + 1013904223u;
  return (int)((*seed >> 8) % (uint32_t)limit);
}

/* One ends, by an end or because nobody can send into it any more. */
static void end_one(hot *self, int number, int how) {
  if (how == 0) {
    rac_release(self->inner[number]);
    self->inner[number] = NULL;
  } else {
    play(self->inner[number], "|");
  }
}

/* In whatever order they begin and end: with the last of them all has gone that there was of
 * any. */
TEST(nothing_stays_of_those_that_ended) {
  for (uint32_t round = 0; round < 200; round++) {
    hot self = {0};
    uint32_t seed = round;
    int running[MOST], count = 0, next = 0;
    uint64_t empty = 0;
    open_hot(&self, 0);
    while (next < MOST || count > 0) {
      if (next < MOST && (count == 0 || chance(&seed, 5) < 3)) {
        running[count++] = next;
        begin(&self, next++);
      } else {
        int which = chance(&seed, count), number = running[which];
        running[which] = running[--count];
        play(self.inner[number], "1");
        end_one(&self, number, chance(&seed, 3));
        if (self.inner[number] != NULL) rac_release(self.inner[number]);
        self.inner[number] = NULL;
      }
      if (count > 0) continue;
      /* The operator keeps what it has made for the first. */
      if (empty == 0) empty = rac_live_objects();
      CHECK_INT(rac_live_objects(), empty);
    }
    close_hot(&self);
  }
}

/* One of many waits for the one before it, each alone. */
TEST(one_after_another) {
  hot self = {0};
  open_hot(&self, 1);
  for (int i = 0; i < 4; i++) begin(&self, i);
  for (int i = 0; i < 3; i++) {
    play(self.inner[i], "1 |");
    for (int j = 0; j < 4; j++)
      CHECK_INT(rac_subject_subscriber_count(self.inner[j]), j == i + 1);
  }
  check_left(&self, "0 1 2 ");
  close_hot(&self);
  check_left(&self, "0 1 2 3 ");
}

/* ---- Threads ------------------------------------------------------------- */

enum { INNER = 3 };

typedef struct race {
  rac_subject *outer, *inner[INNER];
  rac_disposable *subscription;
  atomic_int destroyed, begun, sum;
  int round;
} race;

static void add_race(void *context, rac_value value) {
  ((race *)context)->sum += (int)value.bits;
}
static void destroy_race(void *context) { ((race *)context)->destroyed++; }

static rac_status give_race(void *context, rac_value value, rac_signal **out) {
  race *self = context;
  *out = rac_signal_take(as_signal(self->inner[value.bits]), 2);
  return RAC_OK;
}

/* Ends one as soon as it has begun, while the next one begins. */
static void *end_them(void *context) {
  race *self = context;
  for (int i = 0; i < INNER; i++) {
    while (rac_subject_subscriber_count(self->inner[i]) == 0 &&
           atomic_load(&self->begun) <= i)
      continue;
    for (int spin = self->round % 13 * 20; spin > 0; spin--)
      atomic_load(&self->sum);
    rac_subject_send(self->inner[i], I(1));
    if ((self->round + i) % 3 == 0) rac_subject_send(self->inner[i], I(1));
    rac_release(self->inner[i]);
  }
  return NULL;
}

static void *dispose_race(void *context) {
  race *self = context;
  for (int spin = self->round % 97 * 20; spin > 0; spin--)
    atomic_load(&self->sum);
  rac_dispose(self->subscription);
  return NULL;
}

TEST(ended_while_the_next_one_begins) {
  int64_t rounds = check_scaled(1500);
  uint64_t before = rac_live_objects();
  for (int round = 0; round < (int)rounds; round++) {
    race self = {.round = round};
    const rac_observer observer = {sizeof observer, &self, add_race, NULL, NULL,
                                   destroy_race};
    bool is_disposed = round % 2 == 1;
    pthread_t other = 0, ender;
    self.outer = rac_subject_create();
    for (int i = 0; i < INNER; i++) self.inner[i] = rac_subject_create();
    rac_signal *s =
        rac_signal_flatten_map(as_signal(self.outer), &self, give_race, NULL);
    self.subscription = rac_subscribe(s, &observer);
    ender = check_spawn(end_them, &self);
    if (is_disposed) other = check_spawn(dispose_race, &self);
    for (int i = 0; i < INNER; i++) {
      rac_subject_send(self.outer, I(i));
      self.begun++;
    }
    check_join(ender);
    if (is_disposed) check_join(other);
    if (!is_disposed) CHECK(self.sum >= INNER && self.sum <= 2 * INNER);
    CHECK_STATUS(rac_dispose_and_wait(self.subscription, -1), RAC_OK);
    CHECK_INT(self.destroyed, 1);
    rac_release(self.subscription);
    rac_release(s);
    rac_release(self.outer);
  }
  CHECK_INT(rac_live_objects(), before);
}
