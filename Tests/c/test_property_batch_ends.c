/* Where a batch may be begun and ended, and what becomes of one that is not. */
#include "properties.h"

/* ---- Ended wrongly ---------------------------------------------------------------- */

TEST(an_end_without_a_beginning) {
  CHECK_STATUS(rac_property_batch_end(), RAC_EINVAL);
  CHECK_TEXT(rac_last_error_message(),
             "no batch was begun here that could be ended");
  CHECK_STATUS(rac_property_batch_cancel(), RAC_EINVAL);
  rac_property_batch_begin();
  CHECK_STATUS(rac_property_batch_end(), RAC_OK);
  CHECK_STATUS(rac_property_batch_end(), RAC_EINVAL);
}

static void *end_here(void *a) {
  CHECK_STATUS(rac_property_batch_end(), RAC_EINVAL);
  CHECK_INT(number(a), 1);
  return NULL;
}

TEST(a_batch_cannot_be_ended_on_another_thread) {
  owned rac_property *a = property(1);
  rac_property_batch_begin();
  rac_property_set(a, I(2));
  check_join(check_spawn(end_here, a));
  CHECK_STATUS(rac_property_batch_end(), RAC_OK);
  CHECK_INT(number(a), 2);
}

static atomic_int never_ended;

static void write_log(void *context, const char *line) {
  (void)context;
  if (strcmp(line, "rac: a batch was never ended; nothing of it is set") == 0)
    never_ended++;
}

static void *begin_here(void *argument) {
  rac_property_batch_begin();
  rac_property_set(argument, I(2));
  return NULL;
}

TEST(one_that_a_thread_never_ends_sets_nothing_and_the_log_says_so) {
  owned rac_property *a = property(1);
  never_ended = 0;
  rac_set_log(context_new(NULL, NULL), write_log, context_destroy);
  check_join(check_spawn(begin_here, a));
  CHECK_INT(number(a), 1);
  CHECK_INT(never_ended, 1);
  rac_set_log(NULL, NULL, NULL);
}

static void begin_and_forget(void *context) {
  begin_here(context_target(context));
}

TEST(one_that_a_job_never_ends_takes_in_nothing_of_the_next) {
  owned rac_property *a = property(1), *b = property(1);
  never_ended = 0;
  rac_set_log(context_new(NULL, NULL), write_log, context_destroy);
  rac_release(
      rac_schedule(rac_scheduler_main(), CALLBACK_FOR(a, begin_and_forget)));
  rac_main_drain(0);
  CHECK_INT(never_ended, 1);
  CHECK_STATUS(rac_property_set(b, I(2)), RAC_OK);
  CHECK_INT(number(a), 1);
  rac_set_log(NULL, NULL, NULL);
}

/* Nobody looks when a callback returns that is no job: there it is refused, and
 * what comes afterwards is set as ever. */
static void try_to_begin(void) {
  CHECK_STATUS(rac_property_batch_begin(), RAC_EDEADLK);
  CHECK_STATUS(rac_property_batch_end(), RAC_EINVAL);
  CHECK_STATUS(rac_property_batch_cancel(), RAC_EINVAL);
}

static rac_status begin_inside(void *context, rac_value value, rac_value *out) {
  (void)context;
  try_to_begin();
  *out = value;
  return RAC_OK;
}
static void begin_when_told(recorder *self, rac_value value) {
  (void)self, (void)value;
  try_to_begin();
}
static void begin_when_disposed(void *context) {
  (void)context;
  try_to_begin();
}

TEST(a_callback_that_is_no_job_begins_none) {
  owned rac_property *a = property(1), *b = property(1);
  owned rac_subject *subject = rac_subject_create();
  finished recorder ra = {.on_next = begin_when_told},
                    rs = {.on_next = begin_when_told};
  owned rac_property *same = rac_property_map(a, 0, CALLBACK(begin_inside));
  record(rac_property_as_signal(a), &ra);
  record(rac_subject_as_signal(subject), &rs);
  CHECK_STATUS(rac_property_set(a, I(2)), RAC_OK);
  rac_subject_send(subject, I(1));
  CHECK_STATUS(rac_property_modify(a, CALLBACK(begin_inside)), RAC_OK);
  rac_disposable *disposable = rac_disposable_create(
      context_new(NULL, NULL), begin_when_disposed, context_destroy);
  rac_dispose(disposable);
  rac_release(disposable);
  CHECK_STATUS(rac_property_set(b, I(2)), RAC_OK);
  CHECK_INT(number(b), 2);
}

/* Several values come in one job there. */
TEST(a_callback_behind_a_scheduler_begins_none) {
  owned rac_scheduler *loop = rac_scheduler_main();
  owned rac_bound *bound = rac_bound_create(9, RAC_BOUND_DROP_OLDEST);
  owned rac_subject *subject = rac_subject_create();
  rac_signal *signals[] = {
      rac_signal_deliver_on(as_signal(subject), loop),
      rac_signal_deliver_on_bounded(as_signal(subject), loop, bound)};
  recorder r[2] = {{.on_next = begin_when_told}, {.on_next = begin_when_told}};
  for (int i = 0; i < 2; i++) record(signals[i], &r[i]);
  for (int i = 0; i < 2; i++) rac_subject_send(subject, I(i));
  CHECK_INT(rac_main_drain(0), 4);
  for (int i = 0; i < 2; i++) {
    rac_dispose(r[i].subscription);
    rac_release(signals[i]);
  }
  rac_main_drain(0);
  for (int i = 0; i < 2; i++) await_end(&r[i]);
}

/* Inside a batch of the caller's, too. */
TEST(a_callback_inside_a_batch_cannot_end_it) {
  owned rac_property *a = property(1), *b = property(1);
  rac_property_batch_begin();
  rac_property_set(b, I(2));
  owned rac_property *same = rac_property_map(a, 0, CALLBACK(begin_inside));
  CHECK_STATUS(rac_property_batch_end(), RAC_OK);
  CHECK_INT(number(b), 2);
}
