/* rac_marbles.h, the library for tests of programs: what it plays, what it finds
 * to be the same, and how it tells what is not. */
#include "diagrams.h"
#include "operators.h"

static char told[2000];

/* What is told of it goes into `told`. */
static void open_quietly(rac_marbles *m, double unit) {
  rac_marbles_open(m, unit);
  m->out = tmpfile();
  CHECK(m->out != NULL);
}

static int close_quietly(rac_marbles *m) {
  FILE *out = m->out;
  int failures = rac_marbles_close(m);
  rewind(out);
  told[fread(told, 1, sizeof told - 1, out)] = 0;
  fclose(out);
  return failures;
}

TEST(sources_and_what_comes_of_them) {
  uint64_t live = rac_live_objects();
  rac_marbles m;
  rac_marbles_open(&m, 0.1);
  rac_signal *hot = rac_marbles_hot(&m, "1-^2-(3 4)-5-|");
  rac_signal *cold = rac_marbles_cold(&m, "-a-(b#7)");
  rac_signal *late = rac_signal_delay(hot, 0.2, m.clock);
  RAC_MARBLES_EXPECT(&m, hot, NULL, "-2-(34)-5-|");
  RAC_MARBLES_EXPECT(&m, late, NULL, "---2-(34)-5-|");
  RAC_MARBLES_EXPECT(&m, late, "--^----!", "-----(34)");
  RAC_MARBLES_EXPECT(&m, cold, NULL, "-a-(b#)");
  RAC_MARBLES_EXPECT(&m, cold, "---^", "----a-(b#7)");
  RAC_MARBLES_EXPECT(&m, cold, "--^-!", "---a");
  rac_release(late);
  CHECK_INT(rac_marbles_close(&m), 0);
  CHECK_INT(rac_live_objects(), live);
}

TEST(turns) {
  uint64_t live = rac_live_objects();
  rac_marbles m;
  rac_marbles_open(&m, 1);
  rac_signal *tries[] = {rac_marbles_cold(&m, "-1#"),
                         rac_marbles_cold(&m, "-2--|")};
  rac_signal *turns = rac_marbles_turns(&m, tries, 2);
  rac_signal *again = rac_signal_retry(turns, 0);
  RAC_MARBLES_EXPECT(&m, again, NULL, "-1-2--|");
  RAC_MARBLES_EXPECT(&m, turns, "---^", "----2--|");
  rac_release(again);
  CHECK_INT(rac_marbles_close(&m), 0);
  open_quietly(&m, 1);
  CHECK(rac_marbles_turns(&m, tries, 0) == NULL);
  CHECK_INT(close_quietly(&m), 1);
  CHECK_TEXT(told, "turns of 0 signals\n");
  CHECK_INT(rac_live_objects(), live);
}

TEST(values_by_table) {
  uint64_t live = rac_live_objects();
  rac_marbles m;
  rac_value pair[] = {I(1), S("one")};
  rac_marbles_open(&m, 1);
  rac_marbles_value(&m, 'x', I(5));
  rac_marbles_value(&m, 'x', rac_value_tuple(pair, 2));
  rac_marbles_value(&m, '7', I(70));
  rac_signal *source =
      rac_signal_map(rac_marbles_cold(&m, "17x|"), CALLBACK(times_ten));
  RAC_MARBLES_EXPECT(&m, rac_marbles_cold(&m, "7x|"), NULL, "7x|");
  rac_marbles_value(&m, 'p', I(10));
  rac_marbles_value(&m, 'q', I(700));
  rac_signal *two = rac_signal_take(source, 2);
  RAC_MARBLES_EXPECT(&m, two, NULL, "p(q|)");
  rac_release(two);
  rac_release(source);
  CHECK_INT(rac_marbles_close(&m), 0);
  CHECK_INT(rac_live_objects(), live);
}

TEST(differences_are_shown) {
  static const struct {
    const char *played, *expected, *told;
  } cases[] = {{"-1-2|", "-1--2|",
                "  expected  -1--2|\n  heard     -1-2|\n"
                "  first difference: 2 at 4 expected, 2 at 3 came\n"},
               {"-1-2|", "-1-3|",
                "  expected  -1-3|\n  heard     -1-2|\n"
                "  first difference: 3 at 3 expected, 2 at 3 came\n"},
               {"-1-2|", "-1-2",
                "  expected  -1-2\n  heard     -1-2|\n"
                "  first difference: nothing expected, | at 4 came\n"},
               {"-(12)", "-(12)|",
                "  expected  -(12)|\n  heard     -(12)\n"
                "  first difference: | at 5 expected, nothing came\n"},
               {"-#3", "-#4",
                "  expected  -#4\n  heard     -#3\n"
                "  first difference: #4 at 1 expected, #3 at 1 came\n"},
               {"-", "a",
                "  expected  a\n  heard     -\n"
                "  first difference: a at 0 expected, nothing came\n"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    rac_marbles m;
    open_quietly(&m, 1);
    rac_marbles_expect(&m, rac_marbles_cold(&m, cases[i].played), NULL,
                       cases[i].expected, "it", "file.c", (int)i);
    CHECK_INT(close_quietly(&m), 1);
    char expected[500];
    snprintf(expected, sizeof expected, "file.c:%d: it\n%s", (int)i,
             cases[i].told);
    CHECK_TEXT(told, expected);
  }
}

/* What comes between the units is told with its time. */
TEST(times_between) {
  rac_marbles m;
  open_quietly(&m, 1);
  rac_signal *late = rac_signal_delay(rac_marbles_hot(&m, "-1|"), 0.5, m.clock);
  RAC_MARBLES_EXPECT(&m, late, NULL, "-1|");
  rac_release(late);
  CHECK_INT(close_quietly(&m), 1);
  CHECK(strstr(told, "heard     1@1.5 |@2.5\n") != NULL);
}

TEST(wrong_diagrams_name_the_place) {
  static const struct {
    const char *text, *subscription, *told;
  } cases[] = {
      {"-1-(2", NULL, "character 4: a group without its )\n  -1-(2\n     ^\n"},
      {"-1)", NULL, "character 3: no group is open\n  -1)\n    ^\n"},
      {"((1))", NULL, "character 2: a group in a group\n  ((1))\n   ^\n"},
      {"(1-2)", NULL, "character 3: time inside a group\n  (1-2)\n    ^\n"},
      {"1|2", NULL, "character 3: an event after the end\n  1|2\n    ^\n"},
      {"^1^", NULL, "character 3: a second ^\n  ^1^\n    ^\n"},
      {"-!", NULL, "character 2: this stands for nothing here\n  -!\n   ^\n"},
      {"-\xc3\xa9", NULL, "character 2: this stands for nothing here\n"},
      {"1|", "-^-1", "character 4: only - ^ ! stand here\n  -^-1\n     ^\n"},
      {"1|", "^!!", "character 3: a second !\n  ^!!\n    ^\n"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    uint64_t live = rac_live_objects();
    rac_marbles m;
    open_quietly(&m, 1);
    rac_signal *never = rac_signal_never();
    RAC_MARBLES_EXPECT(&m, never, cases[i].subscription, cases[i].text);
    if (!cases[i].subscription)
      CHECK(rac_marbles_hot(&m, cases[i].text) == NULL);
    rac_release(never);
    CHECK_INT(close_quietly(&m), cases[i].subscription ? 1 : 2);
    CHECK(strstr(told, "a diagram is wrong at ") == told);
    CHECK(strstr(told, cases[i].told) != NULL);
    CHECK_INT(rac_live_objects(), live);
  }
}

TEST(no_signal_and_too_many_diagrams) {
  rac_marbles m;
  open_quietly(&m, 1);
  RAC_MARBLES_EXPECT(&m, rac_signal_take(NULL, 1), NULL, "1");
  for (int i = 0; i < RAC_MARBLES_MOST; i++) rac_marbles_cold(&m, "1");
  CHECK_INT(close_quietly(&m), 2);
  CHECK(strstr(told, ": no signal: ") != NULL);
  CHECK(strstr(told, "more than 32 diagrams\n") != NULL);
}

static void tick(void *context) { ++*(int *)context; }

/* What repeats is no reason for a test to go on. */
TEST(a_job_that_repeats_goes_with_the_clock) {
  uint64_t live = rac_live_objects();
  int ticks = 0;
  rac_marbles m;
  rac_marbles_open(&m, 1);
  rac_release(rac_schedule_repeating(m.clock, 1, 1, 0, &ticks, tick, NULL));
  RAC_MARBLES_EXPECT(&m, rac_marbles_cold(&m, "-1|"), NULL, "-1|");
  CHECK_INT(rac_marbles_close(&m), 0);
  CHECK(ticks > 0);
  CHECK_INT(rac_live_objects(), live);
}

TEST(more_events_than_there_is_room_for_is_a_failure) {
  rac_marbles m;
  open_quietly(&m, 1);
  rac_value ones[RAC_MARBLES_EVENTS + 1];
  for (int i = 0; i <= RAC_MARBLES_EVENTS; i++) ones[i] = I(1);
  rac_sequence *all = rac_sequence_from_values(ones, RAC_MARBLES_EVENTS + 1);
  rac_signal *at_once = rac_sequence_signal(all, m.clock);
  RAC_MARBLES_EXPECT(&m, at_once, NULL, "(11)");
  rac_release(at_once);
  rac_release(all);
  CHECK_INT(close_quietly(&m), 1);
  CHECK(strstr(told, "more than 128 events") != NULL);
}

TEST(a_subscription_that_fails_is_a_failure) {
  rac_marbles m;
  open_quietly(&m, 1);
  owned rac_signal *signal = rac_signal_return(I(1));
  RAC_MARBLES_EXPECT(&m, signal, "--^", "(1|)");
  /* Released beneath the test's feet: nothing can be subscribed to. */
  owned rac_signal *held = m.parts[0]->signal;
  m.parts[0]->signal = NULL;
  CHECK_INT(close_quietly(&m), 1);
  CHECK(strstr(told, "no subscription") != NULL);
}

TEST(a_null_signal_is_a_failure_with_a_reason) {
  rac_marbles m;
  open_quietly(&m, 1);
  RAC_MARBLES_EXPECT(&m, NULL, NULL, "(1|)");
  CHECK_INT(close_quietly(&m), 1);
  CHECK(strstr(told, "no signal: it is NULL, and no call has failed") != NULL);
}
