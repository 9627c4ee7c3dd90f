/* rac_replay.h: a recorded run again, in virtual time, equal or refused. */
#include "operators.h"
#include "rac_replay.h"
#include "recording.h"

#include <unistd.h>

/* A program: a graph on a scheduler, and the values sent into it. */
typedef struct program {
  rac_signal *(*graph)(struct program *, rac_subject *, rac_subject *,
                       rac_scheduler *); /* owned */
  void (*play)(struct program *, rac_subject *, rac_subject *);
  uint64_t seed;
  recorder heard;
} program;

static void pass(double seconds) {
  CHECK_STATUS(rac_main_run_for(seconds), RAC_OK);
}

static rac_subject *named_subject(const char *name) {
  rac_subject *made = rac_subject_create();
  CHECK_STATUS(rac_signal_set_name(rac_subject_as_signal(made), name), RAC_OK);
  return made;
}

static void begin_recording(uint32_t options) {
  /* The environment's, when all tests are recorded. */
  rac_record_stop();
  CHECK_STATUS(rac_record_start(recording_path(), options), RAC_OK);
}

static void record_program(program *self) {
  begin_recording(0);
  owned rac_subject *a = named_subject("a"), *b = named_subject("b");
  owned rac_scheduler *main_scheduler = rac_scheduler_main();
  owned rac_signal *signal = self->graph(self, a, b, main_scheduler);
  record(signal, &self->heard);
  self->play(self, a, b);
  CHECK_STATUS(rac_record_stop(), RAC_OK);
  CHECK_STATUS(rac_dispose(self->heard.subscription), RAC_OK);
  pass(0);
  await_end(&self->heard);
}

typedef struct replayed {
  program *program;
  recorder heard;
} replayed;

static void build(rac_replay *r, void *context) {
  replayed *self = context;
  owned rac_signal *signal =
      self->program->graph(self->program, rac_replay_subject(r, "a"),
                           rac_replay_subject(r, "b"), r->clock);
  record(signal, &self->heard);
}

/* Why it was refused, "" when it was not; what was heard is in `self`. */
static const char *replay(replayed *self) {
  static char why[300];
  rac_replay r;
  if (rac_replay_open(&r, recording_path())) {
    bool is_played = rac_replay_run(&r, build, self);
    CHECK_INT(is_played, r.why[0] == 0);
    CHECK_STATUS(rac_dispose(self->heard.subscription), RAC_OK);
    CHECK_STATUS(rac_virtual_step_all(r.clock), RAC_OK);
    await_end(&self->heard);
  }
  snprintf(why, sizeof why, "%s", r.why);
  rac_replay_close(&r);
  unlink(recording_path());
  return why;
}

static void is_refused(program *self, const char *words) {
  record_program(self);
  replayed again = {.program = self};
  const char *why = replay(&again);
  if (strstr(why, words) == NULL) CHECK_TEXT(why, words);
}

/* NULL: whatever the program hears. */
static void is_equal(program *self, const char *events) {
  replayed again = {.program = self};
  record_program(self);
  if (events != NULL) CHECK_EVENTS(&self->heard, events);
  CHECK_TEXT(replay(&again), "");
  CHECK_TEXT(again.heard.text, self->heard.text);
}

/* ---- What is replayed ---------------------------------------------------- */

static rac_signal *calm_merged(program *self, rac_subject *a, rac_subject *b,
                               rac_scheduler *scheduler) {
  (void)self;
  owned rac_signal *calm =
      rac_signal_throttle(rac_subject_as_signal(a), 0.02, scheduler);
  return rac_signal_merge_with(calm, rac_subject_as_signal(b));
}

static void type_twice(program *self, rac_subject *a, rac_subject *b) {
  (void)self;
  for (int i = 1; i <= 3; i++) rac_subject_send(a, I(i));
  rac_subject_send(b, I(4));
  pass(0.06);
  rac_subject_send(a, I(5));
  pass(0.06);
  rac_subject_send_completed(b);
  rac_subject_send_completed(a);
}

TEST(a_throttle_is_replayed) {
  program p = {.graph = calm_merged, .play = type_twice};
  is_equal(&p, "4 3 5 |");
}

static rac_signal *merged(program *self, rac_subject *a, rac_subject *b,
                          rac_scheduler *scheduler) {
  (void)self, (void)scheduler;
  return rac_signal_merge_with(rac_subject_as_signal(a),
                               rac_subject_as_signal(b));
}

static void send_all_kinds(program *self, rac_subject *a, rac_subject *b) {
  static const char text[] = "123456789 123456789 123456789 123456789 "
                             "123456789 123456789 123456789 123456789 1234";
  (void)self;
  rac_subject_send(a, rac_value_nil());
  rac_subject_send(a, rac_value_bool(true));
  rac_subject_send(b, I(INT64_MIN));
  rac_subject_send(a, rac_value_double(0.1));
  rac_subject_send(a, S(""));
  rac_subject_send(b, rac_value_string_view(text, 12));
  rac_subject_send(b, rac_value_string_view(text, 13));
  rac_subject_send(a, rac_value_string_view(text, 84));
  rac_subject_send(a, rac_value_bytes_view("a\0b", 3));
  rac_subject_send(a, rac_value_unit());
}

TEST(values_of_all_plain_kinds_are_replayed) {
  program p = {.graph = merged, .play = send_all_kinds};
  replayed again = {.program = &p};
  record_program(&p);
  CHECK_TEXT(replay(&again), "");
  CHECK_INT(atomic_load(&again.heard.nexts), 10);
  CHECK_TEXT(again.heard.text, p.heard.text);
}

static rac_signal *delivered(program *self, rac_subject *a, rac_subject *b,
                             rac_scheduler *scheduler) {
  owned rac_signal *both = merged(self, a, b, scheduler);
  return rac_signal_deliver_on(both, scheduler);
}

static void send_in_bursts(program *self, rac_subject *a, rac_subject *b) {
  (void)self;
  rac_subject_send(a, I(1));
  rac_subject_send(b, I(2));
  pass(0.001);
  rac_subject_send(a, I(3));
  rac_subject_send(a, I(4));
  rac_subject_send(b, I(5));
  pass(0.001);
}

TEST(what_waits_for_a_job_is_replayed) {
  program p = {.graph = delivered, .play = send_in_bursts};
  is_equal(&p, "1 2 3 4 5");
}

static void sleep_for(double seconds) {
  double end = check_clock() + seconds;
  while (check_clock() < end) check_pause();
}

static rac_signal *delayed_merged(program *self, rac_subject *a, rac_subject *b,
                                  rac_scheduler *scheduler) {
  (void)self;
  owned rac_signal *late =
      rac_signal_delay(rac_subject_as_signal(a), 0.005, scheduler);
  return rac_signal_merge_with(late, rac_subject_as_signal(b));
}

static void send_before_a_late_timer(program *self, rac_subject *a,
                                     rac_subject *b) {
  (void)self;
  rac_subject_send(a, I(1));
  sleep_for(0.02);
  rac_subject_send(b, I(2));
  pass(0.001);
}

TEST(a_late_timer_comes_as_late_again) {
  program p = {.graph = delayed_merged, .play = send_before_a_late_timer};
  is_equal(&p, "2 1");
}

/* ---- Random runs --------------------------------------------------------- */

static rac_signal *chain(uint64_t *seed, rac_signal *signal,
                         rac_scheduler *scheduler) {
  static const double pauses[] = {0.004, 0.011, 0.023};
  rac_retain(signal);
  for (uint64_t count = check_random(seed) % 3 + 1; count > 0; count--) {
    double pause = pauses[check_random(seed) % 3];
    switch (check_random(seed) % 7) {
    case 0:
      APPLY(signal, throttle, pause, scheduler);
      break;
    case 1:
      APPLY(signal, delay, pause, scheduler);
      break;
    case 2: {
      owned rac_signal *ticks = rac_signal_interval(pause, scheduler);
      APPLY(signal, sample, ticks);
      break;
    }
    case 3:
      APPLY(signal, map, CALLBACK(times_ten));
      break;
    case 4:
      APPLY(signal, filter, CALLBACK(is_even));
      break;
    case 5:
      APPLY0(signal, distinct_until_changed);
      break;
    default:
      APPLY(signal, scan, I(0), CALLBACK(add));
      break;
    }
  }
  return signal;
}

static rac_signal *random_graph(program *self, rac_subject *a, rac_subject *b,
                                rac_scheduler *scheduler) {
  uint64_t seed = self->seed;
  owned rac_signal *one = chain(&seed, rac_subject_as_signal(a), scheduler);
  owned rac_signal *two = chain(&seed, rac_subject_as_signal(b), scheduler);
  owned rac_signal *both = rac_signal_merge_with(one, two);
  return chain(&seed, both, scheduler);
}

static void play_random(program *self, rac_subject *a, rac_subject *b) {
  static const double pauses[] = {0, 0.001, 0.003, 0.007};
  uint64_t seed = self->seed + 1;
  for (uint64_t count = check_random(&seed) % 10 + 3; count > 0; count--) {
    rac_subject *to = check_random(&seed) % 2 ? a : b;
    rac_subject_send(to, I((int64_t)(check_random(&seed) % 6)));
    pass(pauses[check_random(&seed) % 4]);
  }
  pass(0.03);
}

TEST(random_runs_are_equal) {
  uint64_t seeds = (uint64_t)getpid();
  for (int i = 0; i < 20; i++) {
    program p = {random_graph, play_random, check_random(&seeds), {0}};
    printf("seed %llu\n", (unsigned long long)p.seed);
    is_equal(&p, NULL);
  }
}

static rac_status square(void *context, rac_value value, rac_value *out) {
  (void)context;
  *out = I(value.bits * value.bits);
  return RAC_OK;
}

static void hear_squares(rac_property *side, recorder *heard) {
  owned rac_signal *area =
      rac_signal_map(rac_property_as_signal(side), NULL, square, NULL);
  record(area, heard);
}

static void build_squares(rac_replay *r, void *heard) {
  hear_squares(rac_replay_property(r, "side"), heard);
}

TEST(properties_are_set_as_they_were) {
  recorder heard = {0}, again = {0};
  begin_recording(0);
  {
    owned rac_property *side = rac_property_create(I(2), RAC_PROPERTY_PLAIN);
    rac_signal_set_name(rac_property_as_signal(side), "side");
    hear_squares(side, &heard);
    rac_property_set(side, I(3));
    rac_property_set(side, I(4));
    rac_property_set(side, I(5));
    rac_record_stop();
  }
  rac_replay r;
  CHECK(rac_replay_open(&r, recording_path()));
  CHECK(rac_replay_run(&r, build_squares, &again));
  CHECK_TEXT(r.why, "");
  rac_replay_close(&r);
  unlink(recording_path());
  CHECK_EVENTS(&heard, "4 9 16 25 |");
  CHECK_EVENTS(&again, "4 9 16 25 |");
  finish(&heard);
  finish(&again);
}

/* ---- What is refused ----------------------------------------------------- */

static void send_one(program *self, rac_subject *a, rac_subject *b) {
  (void)self, (void)b;
  rac_subject_send(a, I(1));
}

static void send_a_tuple(program *self, rac_subject *a, rac_subject *b) {
  rac_value parts[] = {I(1), I(2)};
  owned_value pair = rac_value_tuple(parts, 2);
  (void)self, (void)b;
  rac_subject_send(a, pair);
}

static void send_a_long_text(program *self, rac_subject *a, rac_subject *b) {
  char text[86];
  (void)self, (void)b;
  memset(text, 'x', sizeof text);
  rac_subject_send(a, rac_value_string_view(text, 85));
}

static void send_an_error(program *self, rac_subject *a, rac_subject *b) {
  owned_value error = test_error(3);
  (void)self, (void)b;
  rac_subject_send_error(a, error);
}

static void *send_there(void *subject) {
  rac_subject_send(subject, I(1));
  return NULL;
}

static void send_from_a_thread(program *self, rac_subject *a, rac_subject *b) {
  (void)self;
  check_join(check_spawn(send_there, a));
  rac_subject_send(b, I(1));
}

static void forward(void *subject, rac_value value) {
  rac_subject_send(subject, value);
}

static void send_from_a_callback(program *self, rac_subject *a,
                                 rac_subject *b) {
  owned rac_disposable *d =
      rac_subscribe_next(rac_subject_as_signal(b), a, forward, NULL);
  (void)self;
  rac_subject_send(b, I(1));
  rac_dispose(d);
}

static void send_without_a_name(program *self, rac_subject *a, rac_subject *b) {
  owned rac_subject *other = rac_subject_create();
  (void)self, (void)a, (void)b;
  rac_subject_send(other, I(1));
}

static void send_to_two_of_a_name(program *self, rac_subject *a,
                                  rac_subject *b) {
  owned rac_subject *other = named_subject("a");
  send_one(self, a, b);
  rac_subject_send(other, I(1));
}

static void send_to_what_remembers(program *self, rac_subject *a,
                                   rac_subject *b) {
  owned rac_subject *other = rac_replay_subject_create(2);
  (void)self, (void)a, (void)b;
  rac_signal_set_name(rac_subject_as_signal(other), "other");
  rac_subject_send(other, I(1));
}

static void set_two_properties(program *self, rac_subject *a, rac_subject *b) {
  owned rac_property *one = rac_property_create(I(1), RAC_PROPERTY_PLAIN);
  owned rac_property *two = rac_property_create(I(1), RAC_PROPERTY_PLAIN);
  (void)self, (void)a, (void)b;
  rac_signal_set_name(rac_property_as_signal(one), "one");
  rac_signal_set_name(rac_property_as_signal(two), "two");
  rac_property_batch_begin();
  rac_property_set(one, I(2));
  rac_property_set(two, I(2));
  rac_property_batch_end();
}

static void send_too_much(program *self, rac_subject *a, rac_subject *b) {
  (void)self, (void)b;
  for (int i = 0; i < 70000; i++) rac_subject_send(a, I(i));
}

TEST(what_a_recording_does_not_determine_is_refused) {
  static const struct {
    void (*play)(program *, rac_subject *, rac_subject *);
    const char *words;
  } cases[] = {
      {send_a_tuple,
       "a was sent what a recording does not hold whole: a value"},
      {send_a_long_text, "does not hold whole: a long text"},
      {send_an_error, "does not hold whole: an error"},
      {send_from_a_thread, "several threads took part"},
      {send_from_a_callback, "a was sent into by a callback"},
      {send_without_a_name, "something without a name was sent into"},
      {send_to_two_of_a_name, "two are named a"},
      {send_to_what_remembers, "other remembers"},
      {set_two_properties, "one was set in a batch"},
      {send_too_much, "were written over"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    program p = {.graph = merged, .play = cases[i].play};
    is_refused(&p, cases[i].words);
  }
}

/* Another one in the replay: without a timer, or with a longer one. */
static rac_signal *another_graph(program *self, rac_subject *a, rac_subject *b,
                                 rac_scheduler *scheduler) {
  double pause = self->seed & 1 ? 0.02 : 0.01;
  bool has_timer = self->seed != 3;
  self->seed++;
  return has_timer
             ? rac_signal_delay(rac_subject_as_signal(a), pause, scheduler)
             : merged(self, a, b, scheduler);
}

static void send_and_wait(program *self, rac_subject *a, rac_subject *b) {
  send_one(self, a, b);
  pass(0.04);
}

TEST(another_graph_is_refused) {
  program longer = {.graph = another_graph, .play = send_and_wait};
  is_refused(&longer, "a timer fired");
  program none = {.graph = another_graph, .play = send_and_wait, .seed = 2};
  is_refused(&none, "the graph reads the clock more or less often");
}

static rac_signal *delays(program *self, rac_subject *a, rac_subject *b,
                          rac_scheduler *scheduler) {
  (void)self;
  owned rac_signal *one =
      rac_signal_delay(rac_subject_as_signal(a), 0.005, scheduler);
  owned rac_signal *two =
      rac_signal_delay(rac_subject_as_signal(a), 0.015, scheduler);
  owned rac_signal *three =
      rac_signal_delay(rac_subject_as_signal(b), 0.001, scheduler);
  owned rac_signal *both = rac_signal_merge_with(one, two);
  return rac_signal_merge_with(both, three);
}

static void run_late(program *self, rac_subject *a, rac_subject *b) {
  (void)self;
  rac_subject_send(a, I(1));
  sleep_for(0.03);
  rac_subject_send(b, I(2));
  pass(0.02);
}

TEST(what_is_asked_for_while_a_timer_is_late_comes_behind_it) {
  program p = {.graph = delays, .play = run_late};
  is_equal(&p, "1 1 2");
}

static rac_status slow(void *context, rac_value value, rac_value *out) {
  (void)context_target(context);
  sleep_for(0.002);
  *out = rac_value_retain(value);
  return RAC_OK;
}

static rac_signal *slowly(program *self, rac_subject *a, rac_subject *b,
                          rac_scheduler *scheduler) {
  (void)self, (void)b;
  owned rac_signal *one =
      rac_signal_delay(rac_subject_as_signal(a), 0.01, scheduler);
  owned rac_signal *mapped =
      rac_signal_map(rac_subject_as_signal(a), CALLBACK(slow));
  owned rac_signal *two = rac_signal_delay(mapped, 0.01, scheduler);
  return rac_signal_merge_with(one, two);
}

TEST(timers_close_to_each_other_are_replayed) {
  program p = {.graph = slowly, .play = send_and_wait};
  is_equal(&p, "1 1");
}

TEST(a_subject_of_before_is_refused) {
  owned rac_subject *keys = named_subject("keys");
  recorder r = {0};
  replayed none = {0};
  begin_recording(0);
  record(rac_subject_as_signal(keys), &r);
  rac_subject_send(keys, I(1));
  CHECK_STATUS(rac_record_stop(), RAC_OK);
  finish(&r);
  CHECK_TEXT(replay(&none), "keys was there before the recording began");
}

TEST(counters_alone_are_refused) {
  replayed none = {0};
  begin_recording(RAC_RECORDS_COUNTERS);
  owned rac_subject *keys = named_subject("keys");
  rac_subject_send(keys, I(1));
  CHECK_STATUS(rac_record_stop(), RAC_OK);
  CHECK_TEXT(replay(&none), "the recording has counters alone, and no events");
}

TEST(a_recording_is_played_once) {
  program p = {.graph = merged, .play = send_one};
  replayed again = {.program = &p};
  rac_replay r;
  record_program(&p);
  CHECK(rac_replay_open(&r, recording_path()));
  CHECK(rac_replay_run(&r, build, &again));
  CHECK(!rac_replay_run(&r, build, &again));
  CHECK_TEXT(r.why, "it has been played");
  finish(&again.heard);
  rac_replay_close(&r);
  unlink(recording_path());
}

/* ---- Files --------------------------------------------------------------- */

/* Writes 4 bytes into the recording, or cuts it there. */
static void spoil(long at, uint32_t number, bool cuts) {
  FILE *file = fopen(recording_path(), "r+b");
  REQUIRE(file != NULL);
  fseek(file, at, SEEK_SET);
  if (!cuts) fwrite(&number, sizeof number, 1, file);
  fclose(file);
  if (cuts) CHECK_INT(truncate(recording_path(), at), 0);
}

TEST(files_that_are_no_recordings_are_refused) {
  static const struct {
    long at;
    bool cuts;
    const char *words;
  } cases[] = {
      {0, false, "this is no recording of librac"},
      {8, false, "version 7 of the format; this reads 1"},
      {12, false, "another byte order"},
      {0, true, "this is no recording"},
      {100, true, "this is no recording"},
      {5000, true, "the file was cut"},
      {4000000, true, "the file was cut"},
  };
  replayed none = {0};
  CHECK(strstr(replay(&none), "cannot be read") != NULL);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    program p = {.graph = merged, .play = send_one};
    record_program(&p);
    spoil(cases[i].at, 7, cases[i].cuts);
    const char *why = replay(&none);
    if (strstr(why, cases[i].words) == NULL) CHECK_TEXT(why, cases[i].words);
  }
}

/* Whatever the file says, it is played or refused. */
TEST(damaged_files_do_no_harm) {
  uint64_t seed = 1;
  for (int i = 0; i < 200; i++) {
    program p = {.graph = merged, .play = send_one};
    replayed again = {.program = &p};
    record_program(&p);
    for (int field = 0; field < 3; field++)
      spoil((long)(16 + check_random(&seed) % 34 * 4),
            (uint32_t)(check_random(&seed) >> check_random(&seed) % 32), false);
    replay(&again);
  }
}
