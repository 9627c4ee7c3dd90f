/* Whom a thread waits for that reads what another one computes, while that one
 * waits for a signal or for the end of a subscription. */
#include "sequences.h"
#include "shared_callbacks.h"

typedef struct flow {
  rac_signal *signal;
  recorder recorder;
  rac_sequence *waiting, *joining;
  pthread_t thread;
  rac_status waited;
  rac_status read;
  atomic_bool joins, reads;
  const rac_object_class *released;
} flow;

/* What a sequence lets go of while it is computed, in no callback of a send's or
 * a job's. */
static void retain_nothing(void *object) { (void)object; }
static void wait_for_end(void *object) {
  flow *self = object;
  self->waited = rac_dispose_and_wait(self->recorder.subscription, 5);
}
static void wait_for_value(void *object) {
  flow *self = object;
  self->waited = rac_signal_first(self->signal, 5, NULL);
}
static void run_main(void *object) {
  flow *self = object;
  /* It is busy while somebody looks whether it is. */
  while ((self->waited = rac_main_run_for(5)) == RAC_EBUSY) check_pause();
}
static const rac_object_class running = {.size = sizeof(rac_object_class),
                                         .retain = retain_nothing,
                                         .release = run_main};
static const rac_object_class ending = {.size = sizeof(rac_object_class),
                                        .retain = retain_nothing,
                                        .release = wait_for_end};
static const rac_object_class sending = {.size = sizeof(rac_object_class),
                                         .retain = retain_nothing,
                                         .release = wait_for_value};

static rac_status is_integer(void *context, rac_value value, bool *out) {
  (void)context;
  *out = value.kind == RAC_INT64;
  return RAC_OK;
}

static rac_status generate(void *context, rac_value state,
                           rac_value *next_state, rac_value *out) {
  flow *self = context;
  *next_state = I(state.bits + 1);
  *out = state.bits > 0 ? I(1)
                        : rac_object(self, rac_object_class_register(
                                               self->released ? self->released
                                               : self->signal ? &sending
                                                              : &ending));
  return RAC_OK;
}

/* Its head waits. */
static rac_sequence *waiting(flow *self) {
  rac_sequence *s = rac_sequence_generate(I(0), self, generate, NULL);
  SEQ(s, filter, CALLBACK(is_integer));
  return s;
}

/* ---- The end of a subscription ------------------------------------------ */

static void read_what_waits_for_me(recorder *r, rac_value value) {
  (void)value;
  flow *self = r->user;
  self->thread = check_spawn(read_head, self->waiting);
  WAIT_UNTIL(rac_is_disposed(r->subscription));
  self->read = rac_sequence_head(self->waiting, NULL);
}

TEST(a_callback_does_not_wait_for_who_waits_for_its_end) {
  owned rac_subject *subject = rac_subject_create();
  flow self = {.recorder = {.on_next = read_what_waits_for_me}, .waited = 1};
  self.recorder.user = &self;
  self.waiting = waiting(&self);
  record(as_signal(subject), &self.recorder);
  rac_subject_send(subject, I(1));
  check_join(self.thread);
  CHECK_STATUS(self.read, RAC_EDEADLK);
  CHECK_STATUS(self.waited, RAC_OK);
  rac_release(self.waiting);
  let_go(&self.recorder);
}

static void read_what_runs_main(recorder *r, rac_value value) {
  (void)value;
  flow *self = r->user;
  self->thread = check_spawn(read_head, self->waiting);
  WAIT_UNTIL(rac_main_drain(0) == RAC_EBUSY);
  self->read = rac_sequence_head(self->waiting, NULL);
  rac_main_stop();
}

/* A run of the main scheduler goes on until somebody stops it. */
TEST(a_callback_does_not_wait_for_who_runs_the_main_scheduler) {
  owned rac_subject *subject = rac_subject_create();
  flow self = {.recorder = {.on_next = read_what_runs_main},
               .released = &running,
               .waited = 1};
  self.recorder.user = &self;
  self.waiting = waiting(&self);
  record(as_signal(subject), &self.recorder);
  rac_subject_send(subject, I(1));
  check_join(self.thread);
  CHECK_STATUS(self.read, RAC_EDEADLK);
  CHECK_STATUS(self.waited, RAC_OK);
  rac_release(self.waiting);
  rac_dispose(self.recorder.subscription);
  let_go(&self.recorder);
}

/* ---- Somebody between --------------------------------------------------- */

/* Comes to what waits when the send has come to this. */
static rac_status join_later(void *context, rac_value value, bool *out) {
  flow *self = context;
  *out = value.bits == 1;
  if (*out) return RAC_OK;
  atomic_store(&self->joins, true);
  WAIT_UNTIL(atomic_load(&self->reads));
  for (int i = 0; i < 20; i++) check_pause();
  return RAC_OK;
}

static rac_status read_what_joins(void *context, rac_value value,
                                  rac_value *out) {
  flow *self = context;
  atomic_store(&self->reads, true);
  self->read = rac_sequence_head(self->joining, NULL);
  *out = value;
  return RAC_OK;
}

TEST(nor_for_who_waits_for_that_one_since) {
  owned rac_subject *subject = rac_subject_create();
  flow self = {.waited = 1};
  self.signal =
      rac_signal_map(as_signal(subject), &self, read_what_joins, NULL);
  self.waiting = waiting(&self);
  rac_sequence *first = seq("0");
  self.joining = rac_sequence_concat(first, self.waiting);
  SEQ(self.joining, filter, &self, join_later, NULL);
  pthread_t one = check_spawn(read_head, self.waiting);
  WAIT_UNTIL(rac_subject_subscriber_count(subject) == 1);
  pthread_t other = check_spawn(read_head, self.joining);
  WAIT_UNTIL(atomic_load(&self.joins));
  rac_subject_send(subject, I(1));
  check_join(one);
  check_join(other);
  CHECK_STATUS(self.read, RAC_EDEADLK);
  CHECK_STATUS(self.waited, RAC_OK);
  rac_release(self.joining);
  rac_release(first);
  rac_release(self.waiting);
  rac_release(self.signal);
}

/* ---- At work meanwhile -------------------------------------------------- */

typedef struct work {
  rac_subject *subject;
  rac_sequence *sequence;
  atomic_bool computes, reads, is_over;
  rac_status computed, read;
} work;

static rac_status compute_slowly(void *context, rac_value value,
                                 rac_value *out) {
  work *self = context;
  atomic_store(&self->computes, true);
  WAIT_UNTIL(atomic_load(&self->reads));
  for (int i = 0; i < 20; i++) check_pause();
  *out = value;
  return RAC_OK;
}

static void compute(void *context) {
  work *self = context;
  self->computed = rac_sequence_head(self->sequence, NULL);
}

static void read_it_too(void *context) {
  work *self = context;
  WAIT_UNTIL(atomic_load(&self->computes));
  atomic_store(&self->reads, true);
  self->read = rac_sequence_head(self->sequence, NULL);
  rac_subject_send(self->subject, I(1));
  atomic_store(&self->is_over, true);
}

TEST(who_computes_while_it_waits_for_a_signal_is_waited_for) {
  work self = {.subject = rac_subject_create(), .sequence = seq("1")};
  SEQ(self.sequence, map, &self, compute_slowly, NULL);
  rac_scheduler *main = rac_scheduler_main();
  rac_scheduler *background = rac_scheduler_background(0, NULL);
  rac_release(rac_schedule(main, &self, compute, NULL));
  rac_release(rac_schedule(background, &self, read_it_too, NULL));
  rac_value out, error;
  CHECK_STATUS(rac_signal_asynchronous_first_or_default(as_signal(self.subject),
                                                        5, I(0), &out, &error),
               RAC_OK);
  WAIT_UNTIL(atomic_load(&self.is_over));
  CHECK_STATUS(self.computed, RAC_OK);
  CHECK_STATUS(self.read, RAC_OK);
  rac_release(main);
  rac_release(background);
  rac_release(self.sequence);
  rac_release(self.subject);
}
