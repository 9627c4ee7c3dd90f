/* rac_close() beside callbacks that are no subscriber's: hooks around waits, traces,
 * lines of the log, what is done at the end of a subscription. Each in a child, for
 * which it is the end. */
#include "closing.h"

/* ---- Who waits --------------------------------------------------------------- */

static rac_subject *subject;
static atomic_int asleep;

static void on_sleep(void *context) {
  on_action(context);
  atomic_fetch_add(&asleep, 1);
}
static rac_status on_question(void *context) {
  on_action(context);
  return RAC_OK;
}

static void settles(void) { CHILD(rac_settle(-1) == RAC_ECLOSED); }
static void sleeps(void) {
  rac_release(rac_schedule_after(rac_scheduler_immediate(), 1000, MINE,
                                 on_action, context_destroy));
}
static void reads(void) {
  CHILD(rac_signal_first(as_signal(subject), -1, NULL) == RAC_ECLOSED);
}
static void reads_to_the_end(void) {
  CHILD(rac_signal_wait_until_completed(as_signal(subject), 1000, NULL) ==
        RAC_ECLOSED);
}
static void reads_a_sequence(void) {
  owned rac_sequence *s =
      rac_sequence_from_signal(as_signal(subject), -1, NULL);
  CHILD(rac_sequence_head(s, NULL) == RAC_ECLOSED);
}
static void runs_main(void) { CHILD(rac_main_run() == RAC_ECLOSED); }

static void (*const shapes[])(void) = {
    settles, sleeps, reads, reads_to_the_end, reads_a_sequence, runs_main};
enum { SHAPES = sizeof shapes / sizeof *shapes };

static void *wait_as(void *argument) {
  (*(void (*const *)(void))argument)();
  return NULL;
}

static void close_beside_one_who_waits(void *argument) {
  void *shape = argument;
  subject = rac_subject_create();
  CHILD(rac_set_blocking_hook(MINE, on_sleep, on_action, context_destroy) ==
        RAC_OK);
  CHILD(rac_set_interruption_hook(MINE, on_question, context_destroy) ==
        RAC_OK);
  /* Nobody runs it, so that there is something to wait for. */
  rac_release(
      rac_schedule(rac_scheduler_main(), MINE, on_action, context_destroy));
  pthread_t thread = check_spawn(wait_as, shape);
  while (atomic_load(&asleep) == 0) check_pause();
  close_and_watch();
  check_join(thread);
  CHILD(atomic_load(&late) == 0);
  CHILD(rac_set_blocking_hook(NULL, NULL, NULL, NULL) == RAC_OK);
  CHILD(rac_set_interruption_hook(NULL, NULL, NULL) == RAC_OK);
  CHILD(rac_release(subject) == RAC_OK);
  CHILD(context_count() == 0);
}

/* Law 5. */
TEST(no_hook_is_called_where_somebody_has_waited) {
  for (int64_t i = check_scaled(20); i > 0; i--)
    for (int shape = 0; shape < SHAPES; shape++)
      CHECK_INT(in_child(close_beside_one_who_waits, (void *)&shapes[shape]),
                0);
}

/* ---- What is told of ----------------------------------------------------------- */

static atomic_bool hold, holding;
static rac_status answer;

static void stay(void) {
  atomic_store(&holding, true);
  while (atomic_load(&hold)) check_pause();
  called();
}

static void on_trace(void *context, const rac_trace_event *event) {
  (void)context_target(context);
  if (event->type == RAC_TRACE_DISPOSE) stay();
}
static void on_line(void *context, const char *line) {
  (void)context_target(context), (void)line;
  stay();
}
static void on_unhandled(void *context, const rac_unhandled_error *report) {
  (void)context_target(context), (void)report;
  stay();
}
static void on_end(void *context) {
  (void)context_target(context);
  stay();
}
static void on_resource(void *context, rac_value resource) {
  (void)resource;
  on_end(context);
}

/* What nobody sends to any more goes with its last handle. */
static void begin_trace(void) {
  CHILD(rac_set_trace(MINE, on_trace, context_destroy) == RAC_OK);
  subject = rac_subject_create();
  rac_release(listen(as_signal(subject)));
}
static void begin_finally(void) {
  subject = rac_subject_create();
  owned rac_signal *signal =
      rac_signal_do_finally(as_signal(subject), MINE, on_end, context_destroy);
  rac_release(listen(signal));
}
static rac_status give_resource(void *context, rac_value *out) {
  (void)context_target(context);
  *out = I(1);
  return RAC_OK;
}
static rac_status give_subject(void *context, rac_value resource,
                               rac_signal **out) {
  (void)context_target(context), (void)resource;
  *out = rac_retain(as_signal(subject));
  return RAC_OK;
}
static void begin_using(void) {
  subject = rac_subject_create();
  owned rac_signal *signal = rac_signal_using(MINE, give_resource, give_subject,
                                              on_resource, context_destroy);
  rac_release(listen(signal));
}
static void begin_scoped(void) {
  owned rac_disposable *inner =
      rac_disposable_create(MINE, on_end, context_destroy);
  subject = (rac_subject *)rac_scoped_disposable_create(inner);
}
static void begin_error(void) {
  CHILD(rac_set_unhandled_error(MINE, on_unhandled, context_destroy) == RAC_OK);
  subject = rac_subject_create();
  rac_release(rac_subscribe_next(as_signal(subject), NULL, NULL, NULL));
}
static void begin_batch(void) {
  CHILD(rac_set_log(MINE, on_line, context_destroy) == RAC_OK);
}

typedef struct end {
  void (*begin)(void);
  void *(*end)(void *);
} end;

static void *release_subject(void *unused) {
  (void)unused;
  CHILD(rac_release(subject) == RAC_OK);
  return NULL;
}
static void *send_error(void *unused) {
  rac_subject_send_error(subject, rac_value_nil());
  return release_subject(unused);
}
/* A batch that is never ended. */
static void *leave_batch(void *unused) {
  (void)unused;
  owned rac_property *property = rac_property_create(I(1), 0);
  CHILD(rac_property_batch_begin() == RAC_OK);
  return NULL;
}

static const end ends[] = {
    {begin_trace, release_subject}, {begin_finally, release_subject},
    {begin_using, release_subject}, {begin_scoped, release_subject},
    {begin_error, send_error},      {begin_batch, leave_batch}};
enum { ENDS = sizeof ends / sizeof *ends };

/* Nobody has a handle in hand where it runs. */
static void close_beside_one_that_runs(void *argument) {
  const end *self = argument;
  self->begin();
  atomic_store(&hold, true);
  pthread_t thread = check_spawn(self->end, NULL);
  for (int i = 0; !atomic_load(&holding) && i < 20000; i++) check_pause();
  CHILD(atomic_load(&holding));
  CHILD(rac_close(0.02) == RAC_ETIMEDOUT);
  atomic_store(&hold, false);
  close_and_watch();
  check_join(thread);
  CHILD(atomic_load(&calls) == 1 && atomic_load(&late) == 0);
}

TEST(what_runs_already_is_waited_for) {
  for (int i = 0; i < ENDS; i++)
    CHECK_INT(in_child(close_beside_one_that_runs, (void *)&ends[i]), 0);
}

static void close_before_the_end(void *argument) {
  const end *self = argument;
  self->begin();
  close_and_watch();
  if (self->end != leave_batch) self->end(NULL);
  CHILD(atomic_load(&calls) == 0);
  /* The hook, if it is one. */
  rac_set_trace(NULL, NULL, NULL);
  rac_set_log(NULL, NULL, NULL);
  rac_set_unhandled_error(NULL, NULL, NULL);
  CHILD(context_count() == 0);
}

TEST(what_would_run_at_an_end_does_not) {
  for (int i = 0; i < ENDS; i++)
    CHECK_INT(in_child(close_before_the_end, (void *)&ends[i]), 0);
}

/* ---- From inside ----------------------------------------------------------------- */

static void close_in_trace(void *context, const rac_trace_event *event) {
  (void)context, (void)event;
  answer = rac_close(-1);
}
static void close_in_line(void *context, const char *line) {
  (void)context, (void)line;
  answer = rac_close(-1);
}
static void close_in_action(void *context) {
  (void)context;
  answer = rac_close(-1);
}

static void close_in_report(void *context, const char *kind, const char *name,
                            size_t references, size_t subscribers) {
  (void)kind, (void)name, (void)references, (void)subscribers;
  close_in_action(context);
}
static rac_status pass(void *context, rac_step *step, rac_value value,
                       rac_value *out) {
  (void)context, (void)step;
  *out = value;
  return RAC_OK;
}
static void close_in_clear(void *context, void *state) {
  (void)state;
  close_in_action(context);
}

/* Also where a call keeps nothing of what it was given. */
static void close_from_what_frees(void *argument) {
  (void)argument;
  rac_disposable *none = rac_schedule(NULL, NULL, NULL, close_in_action);
  CHILD(none == NULL && answer == RAC_EDEADLK);
  answer = RAC_OK;
  rac_value_release(rac_value_pointer(&answer, NULL, close_in_action));
  CHILD(answer == RAC_EDEADLK);
  answer = RAC_OK;
  subject = rac_subject_create();
  rac_signal *passed =
      rac_signal_step(as_signal(subject), 8, NULL, pass, close_in_clear, NULL);
  rac_release(listen(passed));
  rac_release(passed);
  rac_release(subject);
  CHILD(answer == RAC_EDEADLK);
  answer = RAC_OK;
  subject = rac_subject_create();
  CHILD(rac_report_live_handles(NULL, close_in_report) == 1);
  CHILD(answer == RAC_EDEADLK);
  CHILD(rac_release(subject) == RAC_OK);
}

/* Law 6. */
TEST(inside_what_frees_nothing_is_closed) { alone(close_from_what_frees); }

static void close_from_the_rest(void *argument) {
  (void)argument;
  CHILD(rac_set_trace(NULL, close_in_trace, NULL) == RAC_OK);
  subject = rac_subject_create();
  rac_disposable *d = listen(as_signal(subject));
  CHILD(answer == RAC_EDEADLK);
  answer = RAC_OK;
  rac_dispose(d);
  rac_release(d);
  CHILD(answer == RAC_EDEADLK);
  rac_release(listen(as_signal(subject)));
  answer = RAC_OK;
  rac_release(subject);
  CHILD(answer == RAC_EDEADLK);
  answer = RAC_OK;
  rac_set_trace(NULL, NULL, NULL);
  rac_set_log(NULL, close_in_line, NULL);
  check_join(check_spawn(leave_batch, NULL));
  CHILD(answer == RAC_EDEADLK);
  answer = RAC_OK;
  rac_set_log(NULL, NULL, NULL);
  rac_set_blocking_hook(NULL, close_in_action, NULL, NULL);
  CHILD(rac_main_run_for(0.001) == RAC_OK);
  CHILD(answer == RAC_EDEADLK);
  rac_set_blocking_hook(NULL, NULL, NULL, NULL);
  rac_subject *still = rac_subject_create();
  CHILD(rac_release(still) == RAC_OK);
}

/* Law 6. */
TEST(inside_any_of_them_nothing_is_closed) { alone(close_from_the_rest); }

/* ---- Afterwards ------------------------------------------------------------------ */

/* There is a worker, which would call it. */
static void set_hooks_at_last(void *argument) {
  (void)argument;
  start_library_threads();
  close_and_watch();
  CHILD(rac_set_thread_hook(MINE, on_action, on_action, context_destroy) ==
        RAC_ECLOSED);
  CHILD(rac_set_blocking_hook(MINE, on_action, on_action, context_destroy) ==
        RAC_ECLOSED);
  CHILD(rac_set_interruption_hook(MINE, on_question, context_destroy) ==
        RAC_ECLOSED);
  CHILD(rac_set_trace(MINE, on_trace, context_destroy) == RAC_ECLOSED);
  CHILD(rac_set_log(MINE, on_line, context_destroy) == RAC_ECLOSED);
  CHILD(rac_set_unhandled_error(MINE, on_unhandled, context_destroy) ==
        RAC_ECLOSED);
  CHILD(rac_report_unhandled_error(NULL, rac_value_nil(), NULL) == RAC_ECLOSED);
  CHILD(context_count() == 0);
  poll(NULL, 0, 20);
  CHILD(atomic_load(&calls) == 0);
  CHILD(rac_set_thread_hook(NULL, NULL, NULL, NULL) == RAC_OK);
}

TEST(no_hook_is_set_any_more) { alone(set_hooks_at_last); }
