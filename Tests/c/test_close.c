/* rac_close(): no callback begins after it, whatever runs beside it, and what is
 * left can be released. Each in a child, for which it is the end. */
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include "closing.h"

/* ---- One thing at a time -------------------------------------------------------- */

static rac_status on_derive(void *context, rac_value value, rac_value *out) {
  (void)context;
  (void)value;
  *out = rac_value_string_copy("a text", 6);
  return RAC_OK;
}

static rac_status on_get(void *context, rac_value *out) {
  (void)context;
  *out = I(3);
  return RAC_OK;
}

static rac_status on_set(void *context, rac_value value) {
  (void)context;
  (void)value;
  return RAC_OK;
}

static void close_what_is_there(void *argument) {
  (void)argument;
  uint64_t objects = rac_live_objects();
  rac_subject *subject = rac_subject_create();
  rac_scheduler *loop = rac_scheduler_main();
  rac_scheduler *background = rac_scheduler_background(0, NULL);
  rac_signal *mapped =
      rac_signal_map(as_signal(subject), MINE, on_map, context_destroy);
  rac_disposable *d = listen(mapped), *e = listen(as_signal(subject));
  rac_disposable *action =
      rac_disposable_create(MINE, on_action, context_destroy);
  rac_property *property = rac_property_create(I(1), 0);
  rac_property *derived = rac_property_map(property, 0, NULL, on_derive, NULL);
  rac_property *adapter =
      rac_property_create_adapter(0, NULL, on_get, on_set, NULL);
  rac_signal *values = rac_property_as_signal(property);
  rac_disposable *p = listen(values);
  rac_disposable *job = rac_schedule(loop, MINE, on_action, context_destroy);
  rac_disposable *later =
      rac_schedule_after(loop, 3600, MINE, on_action, context_destroy);
  rac_disposable *much_later =
      rac_schedule_after(background, 3600, MINE, on_action, context_destroy);
  rac_disposable *often = rac_schedule_repeating(
      background, 3600, 3600, 0, MINE, on_action, context_destroy);
  rac_value text = rac_value_string_copy("a text", 6);
  CHILD(rac_main_fd() >= 0);
  int before = context_count();
  CHILD(before == 9);
  CHILD(rac_close(-1) == RAC_OK);
  atomic_store(&closed, true);
  /* What waits is destroyed there. */
  CHILD(context_count() == before - 4);
  struct pollfd fd = {.fd = rac_main_fd(), .events = POLLIN};
  CHILD(fd.fd == -1);
  CHILD(rac_last_error_code() == RAC_ECLOSED);
  /* Every call answers. */
  CHILD(rac_subject_send(subject, I(1)) == RAC_ECLOSED);
  CHILD(strcmp(rac_status_name(RAC_ECLOSED), "RAC_ECLOSED") == 0);
  CHILD(strcmp(rac_last_error_function(), "rac_subject_send") == 0);
  int64_t numbers[] = {1, 2};
  CHILD(rac_subject_send_array(subject, RAC_ARRAY_INT64S, numbers, 2) ==
        RAC_ECLOSED);
  CHILD(rac_subject_send_completed(subject) == RAC_ECLOSED);
  CHILD(rac_property_set(property, I(2)) == RAC_ECLOSED);
  /* What a property had is there, unless a callback has to say it. */
  rac_value last;
  CHILD(rac_property_get(property, &last) == RAC_OK && last.bits == 1);
  CHILD(rac_property_get(derived, &last) == RAC_OK &&
        rac_value_equal(last, rac_value_string("a text")));
  rac_value_release(last);
  CHILD(rac_property_get(adapter, &last) == RAC_ECLOSED);
  CHILD(last.kind == RAC_NIL);
  CHILD(rac_property_get((rac_property *)subject, &last) == RAC_ECLOSED);
  CHILD(rac_subject_create() == NULL);
  CHILD(rac_last_error_code() == RAC_ECLOSED);
  CHILD(rac_signal_take(mapped, 1) == NULL);
  CHILD(listen(mapped) == NULL);
  CHILD(context_count() == before - 4);
  CHILD(rac_schedule(loop, MINE, on_action, context_destroy) == NULL);
  CHILD(rac_schedule(background, MINE, on_action, context_destroy) == NULL);
  CHILD(rac_signal_map(mapped, MINE, on_map, context_destroy) == NULL);
  CHILD(rac_signal_return(I(1)) == NULL);
  CHILD(rac_retain(subject) == NULL);
  CHILD(rac_signal_first(mapped, 0, NULL) == RAC_ECLOSED);
  CHILD(rac_main_drain(0) == RAC_ECLOSED);
  CHILD(rac_main_drain_for(0) == RAC_ECLOSED);
  CHILD(rac_main_run() == RAC_ECLOSED);
  CHILD(rac_main_run_for(0) == RAC_ECLOSED);
  CHILD(rac_main_run_until(mapped, NULL) == RAC_ECLOSED);
  CHILD(rac_main_stop() == RAC_ECLOSED);
  CHILD(rac_settle(0) == RAC_ECLOSED);
  CHILD(rac_set_settle_at_exit(1) == RAC_ECLOSED);
  CHILD(rac_reinitialize() == RAC_ECLOSED);
  CHILD(context_count() == before - 4);
  /* What was kept for a property that is not made is let go of. */
  rac_value kept = rac_value_pointer(MINE, NULL, context_destroy);
  CHILD(rac_property_create(kept, 0) == NULL);
  rac_value_release(kept);
  CHILD(context_count() == before - 4);
  /* Values work. */
  CHILD(rac_value_equal(text, rac_value_string("a text")));
  rac_value_release(text);
  /* Twice is once. */
  for (int i = 0; i < 200; i++) CHILD(rac_close(0) == RAC_OK);
  /* Release lets go, here and now. */
  CHILD(!rac_is_disposed(d));
  CHILD(rac_dispose(d) == RAC_OK);
  CHILD(context_count() == before - 5);
  CHILD(rac_is_disposed(d) && !rac_is_disposed(e));
  CHILD(!rac_is_disposed((rac_disposable *)subject));
  CHILD(rac_last_error_code() == RAC_EKIND);
  CHILD(rac_dispose(d) == RAC_OK);
  CHILD(rac_dispose(action) == RAC_OK);
  CHILD(context_count() == before - 6);
  CHILD(rac_release(d) == RAC_OK && rac_release(e) == RAC_OK);
  CHILD(!rac_is_disposed(d) && rac_last_error_code() == RAC_ECLOSED);
  CHILD(rac_release(mapped) == RAC_OK);
  CHILD(rac_release(subject) == RAC_OK);
  CHILD(context_count() == before - 8);
  CHILD(rac_release(subject) == RAC_ECLOSED);
  CHILD(rac_release(property) == RAC_OK);
  CHILD(rac_property_get(property, &last) == RAC_ECLOSED);
  CHILD(rac_release(derived) == RAC_OK && rac_release(adapter) == RAC_OK);
  CHILD(rac_release(p) == RAC_OK);
  CHILD(context_count() == before - 9);
  CHILD(rac_release(action) == RAC_OK);
  CHILD(rac_release(job) == RAC_OK && rac_release(later) == RAC_OK);
  CHILD(rac_release(much_later) == RAC_OK && rac_release(often) == RAC_OK);
  CHILD(rac_release(background) == RAC_OK);
  CHILD(rac_release(loop) == RAC_OK);
  CHILD(context_count() == 0);
  CHILD(atomic_load(&late) == 0);
  for (int i = 0; rac_live_objects() > objects && i < 60000; i++) check_pause();
  CHILD(rac_live_objects() == objects);
}

static void clear_and_fail(void *context) {
  if (context == NULL)
    rac_clear_last_error();
  else
    rac_retain(NULL);
}
static rac_status no_batch(void *context) {
  (void)context;
  return RAC_OK;
}

static void close_before_destroys_that_call(void *argument) {
  (void)argument;
  rac_property *property = rac_property_create(I(1), 0);
  close_and_watch();
  for (int i = 0; i < 2; i++) {
    void *context = i == 0 ? NULL : &i;
    CHILD(rac_property_modify(property, context, on_map, clear_and_fail) ==
          RAC_ECLOSED);
    CHILD(rac_property_batch(context, no_batch, clear_and_fail) == RAC_ECLOSED);
    CHILD(rac_signal_map(NULL, context, on_map, clear_and_fail) == NULL);
    CHILD(rac_last_error_code() == RAC_ECLOSED);
  }
  CHILD(rac_release(property) == RAC_OK);
}

/* A destroy that calls the library does not change the answer. */
TEST(after_it_a_destroy_changes_no_answer) {
  alone(close_before_destroys_that_call);
}

/* Laws 5 and 9: release still works, and destroy runs there, once. */
TEST(after_it_nothing_works_but_letting_go) { alone(close_what_is_there); }

static int descriptors(void) {
  int count = 0;
  for (int fd = 0; fd < 1024; fd++) count += fcntl(fd, F_GETFD) >= 0;
  return count;
}

/* Nobody has their disposables any more, and nobody waits for them. */
static void close_with_sources(void *argument) {
  int ends[2], before, contexts = context_count();
  (void)argument;
  CHILD(pipe(ends) == 0);
  before = descriptors();
  rac_scheduler *worker = rac_scheduler_background(0, NULL);
  rac_signal *sources[] = {
      rac_signal_chunks(ends[0], 0, 4096, NULL),
      rac_signal_lines(ends[0], 0, 4096, worker),
      rac_signal_posix_signal(SIGHUP, NULL),
  };
  for (int i = 0; i < 3; i++) {
    CHILD(sources[i] != NULL);
    rac_release(listen(sources[i]));
    rac_release(sources[i]);
  }
  rac_release(worker);
  CHILD(descriptors() > before);
  CHILD(rac_close(5) == RAC_OK);
  CHILD(context_count() == contexts);
  /* The thread that watched for the worker closes its own. */
  for (int i = 0; i < 20000 && descriptors() != before; i++) check_pause();
  CHILD(descriptors() == before);
}

TEST(sources_that_are_open_go) { alone(close_with_sources); }

static void close_inside(recorder *self, rac_value value) {
  (void)value;
  *(rac_status *)self->user = rac_close(1);
}
static void close_here(void *context) {
  *(rac_status *)context = rac_close(-1);
}
static void close_in_turn(void *context, rac_scheduler *scheduler) {
  (void)scheduler;
  *(rac_status *)context = rac_close(-1);
}

static void close_from_callbacks(void *argument) {
  (void)argument;
  rac_status answer = RAC_OK;
  rac_scheduler *loop = rac_scheduler_main();
  rac_scheduler *now = rac_scheduler_immediate();
  rac_subject *subject = rac_subject_create();
  recorder r = {.on_next = close_inside, .user = &answer};
  record(as_signal(subject), &r);
  rac_subject_send(subject, I(1));
  CHILD(answer == RAC_EDEADLK);
  answer = RAC_OK;
  rac_release(rac_schedule(loop, &answer, close_here, NULL));
  CHILD(rac_main_drain(0) == 1);
  CHILD(answer == RAC_EDEADLK);
  answer = RAC_OK;
  rac_release(rac_schedule(now, &answer, close_here, NULL));
  CHILD(answer == RAC_EDEADLK);
  answer = RAC_OK;
  rac_disposable *d = rac_disposable_create(&answer, close_here, NULL);
  rac_dispose(d);
  rac_release(d);
  CHILD(answer == RAC_EDEADLK);
  answer = RAC_OK;
  rac_release(rac_disposable_create(&answer, NULL, close_here));
  CHILD(answer == RAC_EDEADLK);
  answer = RAC_OK;
  rac_scheduler *queue =
      rac_scheduler_over_queue(NULL, &answer, close_in_turn, NULL);
  rac_release(rac_schedule(queue, NULL, close_here, NULL));
  CHILD(answer == RAC_EDEADLK);
  /* And nothing was closed. */
  CHILD(rac_subject_send(subject, I(1)) == RAC_OK);
  CHILD(r.nexts == 2);
  CHILD(rac_close(0.0 / 0.0) == RAC_EINVAL);
  CHILD(rac_subject_send(subject, I(1)) == RAC_OK);
}

/* Law 6. */
TEST(inside_a_callback_nothing_is_closed) { alone(close_from_callbacks); }

static atomic_bool hold, holding;
static void take_long(void *context) {
  (void)context_target(context);
  atomic_store(&holding, true);
  while (atomic_load(&hold)) check_pause();
  /* What it sends now nobody hears. */
  called();
}

static void close_beside_a_long_job(void *argument) {
  (void)argument;
  rac_scheduler *background = rac_scheduler_background(0, NULL);
  atomic_store(&hold, true);
  rac_release(rac_schedule(background, MINE, take_long, context_destroy));
  rac_disposable *next =
      rac_schedule(background, MINE, on_action, context_destroy);
  while (!atomic_load(&holding)) check_pause();
  CHILD(rac_close(0.02) == RAC_ETIMEDOUT);
  CHILD(rac_close(0) == RAC_ETIMEDOUT);
  CHILD(rac_subject_create() == NULL);
  atomic_store(&hold, false);
  CHILD(rac_close(10) == RAC_OK);
  CHILD(atomic_load(&calls) == 1);
  CHILD(context_count() == 0);
  CHILD(rac_release(next) == RAC_OK);
  CHILD(rac_release(background) == RAC_OK);
}

TEST(it_waits_for_what_runs_and_may_be_called_again) {
  alone(close_beside_a_long_job);
}

/* ---- Those who wait ---------------------------------------------------------------- */

static atomic_int woken;

static void *wait_first(void *argument) {
  CHILD(rac_signal_first(argument, -1, NULL) == RAC_ECLOSED);
  atomic_fetch_add(&woken, 1);
  return NULL;
}
static void *wait_completed(void *argument) {
  CHILD(rac_signal_wait_until_completed(argument, 1000, NULL) == RAC_ECLOSED);
  atomic_fetch_add(&woken, 1);
  return NULL;
}
static void *wait_main(void *argument) {
  (void)argument;
  CHILD(rac_main_run() == RAC_ECLOSED);
  atomic_fetch_add(&woken, 1);
  return NULL;
}
static void *wait_sequence(void *argument) {
  CHILD(rac_sequence_head(argument, NULL) == RAC_ECLOSED);
  CHILD(rac_release(argument) == RAC_OK);
  atomic_fetch_add(&woken, 1);
  return NULL;
}
static void *wait_immediate(void *argument) {
  (void)argument;
  rac_release(rac_schedule_after(rac_scheduler_immediate(), 1000, MINE,
                                 on_action, context_destroy));
  atomic_fetch_add(&woken, 1);
  return NULL;
}
static void *wait_settled(void *argument) {
  (void)argument;
  rac_status status = rac_settle(-1);
  CHILD(status == RAC_ECLOSED);
  atomic_fetch_add(&woken, 1);
  return NULL;
}

static void close_beside_sleepers(void *argument) {
  (void)argument;
  rac_subject *subject = rac_subject_create();
  rac_scheduler *background = rac_scheduler_background(0, NULL);
  rac_sequence *sequence =
      rac_sequence_from_signal(as_signal(subject), -1, NULL);
  CHILD(sequence != NULL);
  atomic_store(&hold, true);
  rac_release(rac_schedule(background, MINE, take_long, context_destroy));
  while (!atomic_load(&holding)) check_pause();
  pthread_t threads[] = {
      check_spawn(wait_first, subject),  check_spawn(wait_completed, subject),
      check_spawn(wait_main, NULL),      check_spawn(wait_sequence, sequence),
      check_spawn(wait_immediate, NULL), check_spawn(wait_settled, NULL)};
  poll(NULL, 0, 50); /* most of them sleep; all get the same answer */
  CHILD(rac_close(0.05) == RAC_ETIMEDOUT); /* because of the job */
  for (int i = 0; i < 6; i++) check_join(threads[i]);
  atomic_store(&hold, false);
  close_and_watch();
  CHILD(atomic_load(&woken) == 6);
  CHILD(rac_release(subject) == RAC_OK);
  CHILD(rac_release(background) == RAC_OK);
  CHILD(context_count() == 0);
}

/* Law 5: what blocks answers RAC_ECLOSED. */
TEST(whoever_waits_is_woken) { alone(close_beside_sleepers); }

/* ---- A batch ------------------------------------------------------------------- */

static void close_in_a_batch(void *argument) {
  (void)argument;
  rac_property *property = rac_property_create(I(1), 0);
  uint64_t before = rac_live_objects();
  rac_value value = rac_value_nil();
  CHILD(rac_property_batch_begin() == RAC_OK);
  CHILD(rac_property_batch_begin() == RAC_OK);
  CHILD(rac_property_set(property, I(2)) == RAC_QUEUED);
  CHILD(rac_live_objects() > before);
  close_and_watch();
  CHILD(rac_property_batch_cancel() == RAC_OK);
  CHILD(rac_property_batch_end() == RAC_ECLOSED);
  CHILD(rac_property_batch_cancel() == RAC_EINVAL);
  CHILD(rac_live_objects() == before);
  CHILD(rac_property_get(property, &value) == RAC_OK && value.bits == 1);
  CHILD(rac_release(property) == RAC_OK);
}

/* Law 5: an open batch is taken back, whichever way it is ended. */
TEST(an_open_batch_sets_nothing) { alone(close_in_a_batch); }
