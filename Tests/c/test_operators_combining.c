/* Operators over several signals that are there from the start. */
#include "operators.h"

typedef struct pair {
  rac_subject *a, *b;
} pair;

static pair pair_new(void) {
  return (pair){rac_subject_create(), rac_subject_create()};
}

static void pair_release(pair p) {
  CHECK_INT(rac_subject_subscriber_count(p.a), 0);
  CHECK_INT(rac_subject_subscriber_count(p.b), 0);
  rac_release(p.a);
  rac_release(p.b);
}

/* A script for two subjects: a1 b2 a| … */
static void play_pair(pair p, const char *script) {
  while (*script) {
    size_t length = strcspn(script, " ");
    char event[20];
    snprintf(event, sizeof event, "%.*s", (int)(length - 1), script + 1);
    play(*script == 'a' ? p.a : p.b, event);
    script += length + strspn(script + length, " ");
  }
}

typedef rac_signal *(*combine_fn)(rac_signal *, rac_signal *);

static void check_pair(int line, combine_fn combine, const char *script,
                       const char *expected) {
  pair p = pair_new();
  rac_signal *s = combine(as_signal(p.a), as_signal(p.b));
  recorder r = {0};
  record(s, &r);
  play_pair(p, script);
  check_text(__FILE__, line, script, r.text, expected);
  finish(&r);
  rac_release(s);
  pair_release(p);
}
#define CHECK_PAIR(combine, script, expected)                                  \
  check_pair(__LINE__, combine, script, expected)

static void check_array(int line,
                        rac_signal *(*combine)(rac_signal *const *, size_t),
                        const char *const *scripts, size_t count,
                        const char *expected) {
  rac_signal *signals[8];
  for (size_t i = 0; i < count; i++) signals[i] = cold(scripts[i], NULL);
  rac_signal *s = combine(signals, count);
  for (size_t i = 0; i < count; i++) rac_release(signals[i]);
  for (int round = 0; round < 2; round++) {
    recorder r = {0};
    record(s, &r);
    check_text(__FILE__, line, "the result", r.text, expected);
    finish(&r);
  }
  rac_release(s);
}
#define CHECK_ARRAY(combine, expected, ...)                                    \
  do {                                                                         \
    const char *const scripts[] = {__VA_ARGS__};                               \
    check_array(__LINE__, combine, scripts, sizeof scripts / sizeof *scripts,  \
                expected);                                                     \
  } while (0)

/* ---- concat ------------------------------------------------------------- */

TEST(concat_subscribes_to_the_next_when_the_first_completes) {
  CHECK_PAIR(rac_signal_concat, "b0 a1 b0 a| b2 a9 b|", "1 2 |");
  CHECK_PAIR(rac_signal_concat, "a1 a!3 b4", "1 !3");
  CHECK_PAIR(rac_signal_concat, "a| b!3", "!3");
  CHECK_PAIR(rac_signal_concat, "a1", "1");
}

TEST(concat_of_many) {
  CHECK_ARRAY(rac_signal_concat_all, "0 1 2 3 |", "0 |", "|", "1 2 |", "3 |");
  CHECK_ARRAY(rac_signal_concat_all, "0 |", "0 |");
  CHECK_ARRAY(rac_signal_concat_all, "0 1 !5", "0 |", "1 !5", "2 |");
}

TEST(disposing_a_concat_disposes_the_one_that_is_running) {
  source first = {0}, second = {0};
  rac_signal *a = cold("1 |", &first), *b = cold("2", &second);
  rac_signal *s = rac_signal_concat(a, b);
  recorder r = {0};
  record(s, &r);
  CHECK_EVENTS(&r, "1 2");
  CHECK_INT(first.disposed, 1);
  CHECK_INT(second.disposed, 0);
  finish(&r);
  CHECK_INT(second.disposed, 1);
  rac_release(s);
  rac_release(a);
  rac_release(b);
}

TEST(start_with_sends_its_value_before_it_subscribes) {
  source counts = {0};
  rac_signal *s = cold("1 2 |", &counts);
  APPLY(s, start_with, I(0));
  rac_retain(s);
  CHECK_SIGNAL(s, "0 1 2 |");
  APPLY(s, take, 1);
  CHECK_SIGNAL(s, "0 |");
  CHECK_INT(counts.subscribed, 1);
  rac_subject *subject = rac_subject_create();
  s = rac_signal_start_with(as_signal(subject), I(0));
  recorder r = {0};
  record(s, &r);
  CHECK_INT(rac_subject_subscriber_count(subject), 1);
  finish(&r);
  CHECK_INT(rac_subject_subscriber_count(subject), 0);
  rac_release(s);
  rac_release(subject);
}

/* ---- zip ---------------------------------------------------------------- */

TEST(zip_pairs_the_first_with_the_first) {
  CHECK_PAIR(rac_signal_zip_with, "a1 b2 b3 b4 a5 a6", "(1,2) (5,3) (6,4)");
  CHECK_PAIR(rac_signal_zip_with, "anil b1", "(nil,1)");
}

TEST(zip_completes_when_nothing_can_follow) {
  CHECK_PAIR(rac_signal_zip_with, "a1 b1 a2 a|", "(1,1)");
  CHECK_PAIR(rac_signal_zip_with, "a1 b1 a2 a| b2", "(1,1) (2,2) |");
  CHECK_PAIR(rac_signal_zip_with, "b|", "|");
  CHECK_PAIR(rac_signal_zip_with, "a1 b|", "|");
  CHECK_PAIR(rac_signal_zip_with, "a1 a2 a| b3 b4 b5", "(1,3) (2,4) |");
}

TEST(zip_fails_at_once_and_drops_what_waits) {
  CHECK_PAIR(rac_signal_zip_with, "a1 a2 a!7 b1", "!7");
  CHECK_PAIR(rac_signal_zip_with, "b1 b2 b| a1 a!7", "(1,1) !7");
}

TEST(zip_of_many) {
  CHECK_ARRAY(rac_signal_zip, "(1,10,100) (2,20,200) |", "1 2 |", "10 20 |",
              "100 200 300 |");
  CHECK_ARRAY(rac_signal_zip, "(1) (2) |", "1 2 |");
  CHECK_ARRAY(rac_signal_zip, "!4", "1 2 |", "!4");
  rac_signal *s = cold("1 2 |", NULL);
  rac_signal *same[] = {s, s, s};
  CHECK_SIGNAL(rac_signal_zip(same, 3), "(1,1,1) (2,2,2) |");
  rac_release(s);
}

/* ---- merge -------------------------------------------------------------- */

TEST(merge_passes_on_as_it_comes) {
  CHECK_PAIR(rac_signal_merge_with, "a1 b2 b3 a4 b| a5 a|", "1 2 3 4 5 |");
  CHECK_PAIR(rac_signal_merge_with, "a1 b!2 a3", "1 !2");
  CHECK_PAIR(rac_signal_merge_with, "a|", "");
}

TEST(merge_of_many) {
  CHECK_ARRAY(rac_signal_merge, "1 2 3 4 |", "1 2 |", "|", "3 |", "4 |");
  CHECK_ARRAY(rac_signal_merge, "1 !2", "1 !2", "3 |");
}

TEST(an_early_error_keeps_merge_from_subscribing_to_the_rest) {
  source counts = {0};
  rac_signal *parts[] = {cold("!1", NULL), cold("2 |", &counts)};
  rac_signal *s = rac_signal_merge(parts, 2);
  CHECK_SIGNAL(s, "!1");
  CHECK_INT(counts.subscribed, 0);
  rac_release(parts[0]);
  rac_release(parts[1]);
}

/* ---- combineLatest ------------------------------------------------------ */

TEST(combine_latest_waits_for_all_and_follows_each) {
  CHECK_PAIR(rac_signal_combine_latest_with, "a1 a2", "");
  CHECK_PAIR(rac_signal_combine_latest_with, "a1 b2 a3 b4",
             "(1,2) (3,2) (3,4)");
  CHECK_PAIR(rac_signal_combine_latest_with, "anil bnil", "(nil,nil)");
}

TEST(combine_latest_completes_when_all_have) {
  CHECK_PAIR(rac_signal_combine_latest_with, "a1 b2 a| b3 b|", "(1,2) (1,3) |");
  CHECK_PAIR(rac_signal_combine_latest_with, "a| b1", "");
  CHECK_PAIR(rac_signal_combine_latest_with, "a| b|", "|");
  CHECK_PAIR(rac_signal_combine_latest_with, "a1 b!6", "!6");
}

TEST(combine_latest_of_many) {
  CHECK_ARRAY(rac_signal_combine_latest, "(2,20,100) (2,20,200) |", "1 2 |",
              "10 20 |", "100 200 |");
  CHECK_ARRAY(rac_signal_combine_latest, "(1) (2) |", "1 2 |");
}

/* As in RAC there is a tuple for each input that changes, also where one value
 * changes both: docs/Operators.md says what to do where that must not be. */
TEST(combining_what_has_a_common_source) {
  rac_subject *subject = rac_subject_create();
  rac_signal *ten = rac_signal_map(as_signal(subject), CALLBACK(times_ten));
  rac_signal *both = rac_signal_combine_latest_with(as_signal(subject), ten);
  rac_signal *zipped = rac_signal_zip_with(as_signal(subject), ten);
  rac_signal *settled = rac_signal_sample(both, as_signal(subject));
  recorder a = {0}, b = {0}, c = {0};
  record(both, &a);
  record(zipped, &b);
  record(settled, &c);
  play(subject, "1 2 3");
  CHECK_EVENTS(&a, "(1,10) (2,10) (2,20) (3,20) (3,30)");
  CHECK_EVENTS(&b, "(1,10) (2,20) (3,30)");
  CHECK_EVENTS(&c, "(1,10) (2,20) (3,30)");
  finish(&a);
  finish(&b);
  finish(&c);
  rac_release(settled);
  rac_release(zipped);
  rac_release(both);
  rac_release(ten);
  rac_release(subject);
}

/* ---- All of them -------------------------------------------------------- */

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
