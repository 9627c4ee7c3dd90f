/* How long memory that nobody needs is kept, at times of ours: see patience.c. */
#include "patience.h"

#include "check.h"

static const int64_t second = 1000000000;

/* Waits from a time on until nobody has come, and lets so many slabs go. */
static int64_t wait_in_vain(rac_patience *self, int64_t from, int slabs) {
  int64_t time = rac_patience_wait(self, from);
  for (int i = 0; i < slabs; i++) rac_patience_let_go(self);
  rac_patience_end(self);
  return time;
}

/* As many are needed again. How often it is asked to look at the clock. */
static int need(rac_patience *self, int slabs, int64_t now) {
  int looks = 0;
  for (int i = 0; i < slabs; i++) {
    if (!rac_patience_miss(self)) continue;
    rac_patience_learn(self, now);
    looks++;
  }
  return looks;
}

static rac_patience started(void) {
  rac_patience self;
  rac_patience_start(&self);
  return self;
}

TEST(a_single_burst_is_kept_for_a_second) {
  rac_patience self = started();
  CHECK_INT(wait_in_vain(&self, 100 * second, 1000), 101 * second);
  CHECK_INT(rac_patience_wait(&self, 500 * second), 501 * second);
}

TEST(bursts_that_come_again_are_kept_twice_as_long) {
  rac_patience self = started();
  wait_in_vain(&self, 100 * second, 1000);
  CHECK_INT(need(&self, 1000, 108 * second), 1);
  CHECK_INT(rac_patience_wait(&self, 109 * second), 125 * second);
  /* And as long the next time, when nothing had to go. */
  rac_patience_end(&self);
  CHECK_INT(rac_patience_wait(&self, 130 * second), 146 * second);
}

TEST(what_was_learnt_is_over_when_nobody_comes) {
  rac_patience self = started();
  wait_in_vain(&self, 100 * second, 1000);
  need(&self, 1000, 108 * second);
  CHECK_INT(wait_in_vain(&self, 110 * second, 1000), 126 * second);
  CHECK_INT(rac_patience_wait(&self, 300 * second), 301 * second);
}

TEST(part_of_it_may_go_meanwhile) {
  rac_patience self = started();
  wait_in_vain(&self, 100 * second, 1000);
  need(&self, 1000, 108 * second);
  int64_t time = rac_patience_wait(&self, 110 * second);
  for (int i = 0; i < 10; i++) rac_patience_let_go(&self);
  /* The others are kept, for as long. */
  CHECK_INT(rac_patience_wait(&self, time), time + 16 * second);
}

TEST(only_longer_times_are_learnt) {
  rac_patience self = started();
  wait_in_vain(&self, 100 * second, 1000);
  need(&self, 1000, 110 * second);
  rac_patience_wait(&self, 111 * second);
  rac_patience_let_go(&self);
  CHECK_INT(need(&self, 1, 112 * second), 1);
  CHECK_INT(rac_patience_wait(&self, 120 * second), 140 * second);
}

TEST(half_a_minute_is_too_long) {
  rac_patience self = started();
  wait_in_vain(&self, 100 * second, 1000);
  need(&self, 1000, 131 * second);
  CHECK_INT(rac_patience_wait(&self, 140 * second), 141 * second);
  rac_patience_let_go(&self);
  need(&self, 1000, 170 * second);
  CHECK_INT(rac_patience_wait(&self, 171 * second), 231 * second);
}

TEST(less_than_a_quarter_says_nothing) {
  rac_patience self = started();
  wait_in_vain(&self, 100 * second, 1000);
  CHECK_INT(need(&self, 249, 108 * second), 0);
  CHECK_INT(rac_patience_wait(&self, 109 * second), 110 * second);
  CHECK_INT(need(&self, 1, 109 * second), 1);
  CHECK_INT(rac_patience_wait(&self, 109 * second), 127 * second);
}
