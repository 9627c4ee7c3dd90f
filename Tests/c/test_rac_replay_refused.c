/* rac_replay.h: what a recording does not determine is refused with a sentence,
 * and so are files that are none. */
#include "replayed.h"

static void is_refused(program *self, const char *words) {
  record_program(self);
  replayed again = {.program = self};
  const char *why = replay(&again);
  if (strstr(why, words) == NULL) CHECK_TEXT(why, words);
}

/* ---- What is refused ----------------------------------------------------- */

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

static void nothing(void *context, rac_value value) {
  (void)context, (void)value;
}

static void run_main(void *context, rac_value value) {
  (void)context, (void)value;
  pass(0.002);
}

static void run_in_a_callback(program *self, rac_subject *a, rac_subject *b) {
  owned rac_scheduler *scheduler = rac_scheduler_main();
  owned rac_signal *late =
      rac_signal_delay(rac_subject_as_signal(b), 0.001, scheduler);
  owned rac_disposable *one = rac_subscribe_next(late, NULL, nothing, NULL);
  owned rac_disposable *two =
      rac_subscribe_next(rac_subject_as_signal(b), NULL, run_main, NULL);
  (void)self, (void)a;
  rac_subject_send(b, I(1));
  rac_dispose(one);
  rac_dispose(two);
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
      {run_in_a_callback, "a callback ran a scheduler"},
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

TEST(another_graph_is_refused) {
  program longer = {.graph = another_graph, .play = send_and_wait};
  is_refused(&longer, "a timer fired");
  program none = {.graph = another_graph, .play = send_and_wait, .seed = 2};
  is_refused(&none, "the graph reads the clock more or less often");
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
