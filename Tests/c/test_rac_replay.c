/* rac_replay.h: a recorded run again, in virtual time, equal. */
#include "replayed.h"

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

static rac_signal *read_times(program *self, rac_subject *a, rac_subject *b,
                              rac_scheduler *scheduler) {
  (void)self, (void)b;
  owned rac_signal *times =
      rac_signal_timestamp(rac_subject_as_signal(a), scheduler);
  return rac_signal_time_interval(times, scheduler);
}

static void send_three(program *self, rac_subject *a, rac_subject *b) {
  for (int i = 0; i < 3; i++) send_and_wait(self, a, b);
}

TEST(what_reads_the_clock_finds_the_same_again) {
  program p = {.graph = read_times, .play = send_three};
  is_equal(&p, NULL);
}

/* ---- Random runs --------------------------------------------------------- */

static rac_signal *chain(uint64_t *seed, rac_signal *signal,
                         rac_scheduler *scheduler) {
  static const double pauses[] = {0.004, 0.011, 0.023};
  rac_retain(signal);
  for (uint64_t count = check_random(seed) % 3 + 1; count > 0; count--) {
    double pause = pauses[check_random(seed) % 3];
    switch (check_random(seed) % 10) {
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
    case 6:
      APPLY(signal, throttle_first, pause, scheduler);
      break;
    case 7:
      APPLY(signal, rate_limit, pause, 2, 8, scheduler);
      break;
    case 8:
      APPLY(signal, idle_timeout, 0.03, scheduler);
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
