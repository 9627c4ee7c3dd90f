/* What concat, zip, merge and combineLatest have in common: inputs that end, or
 * send on several threads, or feed each other. */
#include "pairs.h"

static const combine_fn all[] = {rac_signal_concat, rac_signal_zip_with,
                                 rac_signal_merge_with,
                                 rac_signal_combine_latest_with};

static void complete_both(recorder *self, rac_value value) {
  (void)value;
  pair *p = self->user;
  rac_subject_send_completed(p->a);
  rac_subject_send_completed(p->b);
}

TEST(a_sources_end_may_be_sent_while_a_tuple_is_delivered) {
  for (int i = 1; i < 4; i++) {
    pair p = pair_new();
    rac_signal *s = all[i](as_signal(p.a), as_signal(p.b));
    recorder r = {.on_next = complete_both, .user = &p};
    record(s, &r);
    play_pair(p, "a1 b2");
    CHECK_INT(r.ends, 1);
    await_end(&r);
    rac_release(s);
    pair_release(p);
  }
}

typedef struct half {
  rac_subject *subject;
  int64_t name;
} half;

static void *send_half(void *argument) {
  half *self = argument;
  for (int64_t i = 0; i < check_scaled(20000); i++)
    rac_subject_send(self->subject, I(self->name << 32 | i));
  rac_subject_send_completed(self->subject);
  return NULL;
}

/* Nothing is lost, doubled or overlapped when both inputs send at once. */
TEST(inputs_that_send_from_two_threads) {
  int64_t count = check_scaled(20000);
  for (int i = 1; i < 4; i++) {
    for (int round = 0; round < 5; round++) {
      pair p = pair_new();
      rac_signal *s = all[i](as_signal(p.a), as_signal(p.b));
      recorder r = {0};
      record(s, &r);
      half first = {p.a, 0}, second = {p.b, 1};
      pthread_t x = check_spawn(send_half, &first);
      pthread_t y = check_spawn(send_half, &second);
      check_join(x);
      check_join(y);
      await_end(&r);
      if (all[i] == rac_signal_zip_with) CHECK_INT(r.nexts, count);
      if (all[i] == rac_signal_merge_with) CHECK_INT(r.nexts, 2 * count);
      if (all[i] == rac_signal_combine_latest_with)
        CHECK(r.nexts >= count && r.nexts < 2 * count);
      rac_release(s);
      pair_release(p);
    }
  }
}

/* Two signals that feed each other from two threads: no lock, no deadlock. */
typedef struct crossing {
  rac_subject *mine, *other;
} crossing;

static void pass_across(recorder *self, rac_value value) {
  if (value.bits > 0) rac_subject_send(self->user, I(value.bits - 1));
}

static void *send_down(void *argument) {
  crossing *self = argument;
  for (int64_t i = check_scaled(20000); i > 0; i--)
    rac_subject_send(self->mine, I(3));
  return NULL;
}

TEST(signals_that_feed_each_other_do_not_deadlock) {
  pair p = pair_new();
  recorder a = {.on_next = pass_across, .user = p.b};
  recorder b = {.on_next = pass_across, .user = p.a};
  record(as_signal(p.a), &a);
  record(as_signal(p.b), &b);
  crossing x = {p.a, p.b}, y = {p.b, p.a};
  pthread_t one = check_spawn(send_down, &x), two = check_spawn(send_down, &y);
  check_join(one);
  check_join(two);
  /* Each 3 makes four deliveries, whoever made them. */
  WAIT_UNTIL(atomic_load(&a.nexts) + atomic_load(&b.nexts) ==
             8 * check_scaled(20000));
  finish(&a);
  finish(&b);
  pair_release(p);
}
