/* Programs that are recorded, and their recordings played by rac_replay.h. */
#ifndef RAC_TEST_REPLAYED_H
#define RAC_TEST_REPLAYED_H

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

static inline void pass(double seconds) {
  CHECK_STATUS(rac_main_run_for(seconds), RAC_OK);
}

static inline rac_subject *named_subject(const char *name) {
  rac_subject *made = rac_subject_create();
  CHECK_STATUS(rac_signal_set_name(rac_subject_as_signal(made), name), RAC_OK);
  return made;
}

static inline void begin_recording(uint32_t options) {
  /* The environment's, when all tests are recorded. */
  rac_record_stop();
  CHECK_STATUS(rac_record_start(recording_path(), options), RAC_OK);
}

static inline void record_program(program *self) {
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

static inline void build(rac_replay *r, void *context) {
  replayed *self = context;
  owned rac_signal *signal =
      self->program->graph(self->program, rac_replay_subject(r, "a"),
                           rac_replay_subject(r, "b"), r->clock);
  record(signal, &self->heard);
}

/* Why it was refused, "" when it was not; what was heard is in `self`. */
static inline const char *replay(replayed *self) {
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

/* NULL: whatever the program hears. */
static inline void is_equal(program *self, const char *events) {
  replayed again = {.program = self};
  record_program(self);
  if (events != NULL) CHECK_EVENTS(&self->heard, events);
  CHECK_TEXT(replay(&again), "");
  CHECK_TEXT(again.heard.text, self->heard.text);
}

static inline rac_signal *merged(program *self, rac_subject *a, rac_subject *b,
                                 rac_scheduler *scheduler) {
  (void)self, (void)scheduler;
  return rac_signal_merge_with(rac_subject_as_signal(a),
                               rac_subject_as_signal(b));
}

static inline void send_one(program *self, rac_subject *a, rac_subject *b) {
  (void)self, (void)b;
  rac_subject_send(a, I(1));
}

static inline void send_and_wait(program *self, rac_subject *a,
                                 rac_subject *b) {
  send_one(self, a, b);
  pass(0.04);
}

#endif
