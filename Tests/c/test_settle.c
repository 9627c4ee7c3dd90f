/* rac_settle(), settling at the exit, and running until a signal says so. */
#include "children.h"
#include "shared_callbacks.h"

#include "check.h"
#include "rerun.h"

enum { SENDERS = 4, SENDS = 30000 };

typedef struct heard {
  rac_subject *subject;
  atomic_int count;
  volatile int spins;
} heard;

static void hear_slowly(void *context, rac_value value) {
  heard *h = context;
  (void)value;
  for (h->spins = 0; h->spins < 200; h->spins++) continue;
  atomic_fetch_add(&h->count, 1);
}

static void *send_all(void *argument) {
  heard *h = argument;
  int count = (int)check_scaled(SENDS);
  for (int i = 0; i < count; i++)
    CHECK(rac_subject_send(h->subject, I(i)) >= 0);
  return NULL;
}

static void send_from_all(heard *h) {
  pthread_t threads[SENDERS];
  for (int i = 0; i < SENDERS; i++) threads[i] = check_spawn(send_all, h);
  for (int i = 0; i < SENDERS; i++) check_join(threads[i]);
}

/* Law 4: joined and settled, all is there. */
TEST(what_contended_senders_left_is_delivered) {
  heard h = {.subject = rac_subject_create()};
  rac_disposable *d =
      rac_subscribe_next(as_signal(h.subject), &h, hear_slowly, NULL);
  for (int round = 1; round <= 3; round++) {
    send_from_all(&h);
    CHECK_STATUS(rac_settle(30), RAC_OK);
    CHECK_INT(h.count, round * SENDERS * check_scaled(SENDS));
  }
  rac_dispose(d);
  rac_release(d);
  rac_release(h.subject);
}

/* Through schedulers, gates and the main one again. */
TEST(a_long_way_over_schedulers) {
  heard h = {.subject = rac_subject_create()};
  owned rac_scheduler *a = rac_scheduler_background(0, NULL);
  owned rac_scheduler *b = rac_scheduler_background(RAC_PRIORITY_LOW, NULL);
  owned rac_scheduler *loop = rac_scheduler_main();
  owned rac_signal *s = rac_signal_deliver_on(as_signal(h.subject), a);
  rac_assign((void **)&s, rac_signal_map(s, NULL, pass_value, NULL));
  rac_assign((void **)&s, rac_signal_deliver_on(s, b));
  rac_subject *middle = rac_subject_create();
  rac_disposable *m = rac_subscribe_subscriber(s, (rac_subscriber *)middle);
  rac_signal *last = rac_signal_deliver_on(as_signal(middle), loop);
  rac_disposable *d = rac_subscribe_next(last, &h, hear_slowly, NULL);
  for (int round = 1; round <= 20; round++) {
    for (int i = 0; i < 500; i++) rac_subject_send(h.subject, I(i));
    CHECK_STATUS(rac_settle(30), RAC_OK);
    CHECK_INT(h.count, round * 500);
  }
  rac_dispose(d);
  rac_dispose(m);
  CHECK_STATUS(rac_settle(30), RAC_OK);
  rac_release(d);
  rac_release(m);
  rac_release(last);
  rac_release(middle);
  rac_release(h.subject);
}

static void *settle_elsewhere(void *argument) {
  *(rac_status *)argument = rac_settle(0.05);
  return NULL;
}

/* Another thread does not run the main scheduler, but waits for it. */
TEST(elsewhere_it_waits_for_whoever_runs_the_main_scheduler) {
  heard h = {.subject = rac_subject_create()};
  owned rac_scheduler *loop = rac_scheduler_main();
  rac_signal *s = rac_signal_deliver_on(as_signal(h.subject), loop);
  rac_disposable *d = rac_subscribe_next(s, &h, hear_slowly, NULL);
  rac_status answer = RAC_OK;
  rac_subject_send(h.subject, I(1));
  check_join(check_spawn(settle_elsewhere, &answer));
  CHECK_STATUS(answer, RAC_ETIMEDOUT);
  CHECK_INT(h.count, 0);
  CHECK_STATUS(rac_settle(0), RAC_OK);
  CHECK_INT(h.count, 1);
  check_join(check_spawn(settle_elsewhere, &answer));
  CHECK_STATUS(answer, RAC_OK);
  rac_dispose(d);
  rac_main_drain(0);
  rac_release(d);
  rac_release(s);
  rac_release(h.subject);
}

static atomic_bool hold, holding;
static void hold_on(void *context) {
  (void)context;
  atomic_store(&holding, true);
  while (atomic_load(&hold)) check_pause();
}
static void settle_inside(void *context) {
  *(rac_status *)context = rac_settle(1);
}
static void nothing(void *context) { (void)context; }

TEST(times_and_places_that_are_wrong) {
  owned rac_scheduler *background = rac_scheduler_background(0, NULL);
  owned rac_scheduler *loop = rac_scheduler_main();
  rac_status answer = RAC_OK;
  CHECK_STATUS(rac_settle(0.0 / 0.0), RAC_EINVAL);
  CHECK_STATUS(rac_set_settle_at_exit(0.0 / 0.0), RAC_EINVAL);
  CHECK_STATUS(rac_settle(1.0 / 0.0), RAC_OK);
  CHECK_STATUS(rac_settle(-1.0 / 0.0), RAC_OK);
  CHECK_STATUS(rac_settle(-1), RAC_OK);
  rac_release(rac_schedule(loop, &answer, settle_inside, NULL));
  CHECK_STATUS(rac_settle(5), RAC_OK);
  CHECK_STATUS(answer, RAC_EDEADLK);
  CHECK_STATUS(rac_last_error_code(), RAC_EDEADLK);
  atomic_store(&hold, true);
  rac_release(rac_schedule(background, NULL, hold_on, NULL));
  WAIT_UNTIL(atomic_load(&holding));
  CHECK_STATUS(rac_settle(0.01), RAC_ETIMEDOUT);
  CHECK_STATUS(rac_settle(0), RAC_ETIMEDOUT);
  atomic_store(&hold, false);
  CHECK_STATUS(rac_settle(5), RAC_OK);
  /* What waits for its time is not waited for. */
  owned rac_disposable *d =
      rac_schedule_after(background, 3600, NULL, nothing, NULL);
  CHECK_STATUS(rac_settle(5), RAC_OK);
  rac_dispose(d);
}

/* ---- At the exit --------------------------------------------------------------- */

/* What is not waited for takes far longer than an exit does, even one that
   looks for leaks first. */
enum { SAID_SOON_MS = 30, SAID_LATE_MS = 5000 };

static void say(void *context) {
  poll(NULL, 0, *(const int *)context);
  fputs("said", stderr);
}

static void exit_soon(const char *how) {
  static int pause;
  pause = strcmp(how, "waits") == 0 ? SAID_SOON_MS : SAID_LATE_MS;
  rac_scheduler *background = rac_scheduler_background(0, NULL);
  if (strcmp(how, "not") != 0) CHECK_STATUS(rac_set_settle_at_exit(10), RAC_OK);
  if (strcmp(how, "again") == 0)
    CHECK_STATUS(rac_set_settle_at_exit(0), RAC_OK);
  rac_release(rac_schedule(background, &pause, say, NULL));
  exit(0);
}

/* Law 4: nothing is waited for at the exit unless a time was set. */
TEST(the_exit_waits_if_it_was_told_to) {
  const char *how = getenv("RAC_TEST_EXIT");
  char text[200];
  if (how) exit_soon(how);
  CHECK_INT(rerun("the_exit_waits", "RAC_TEST_EXIT", "waits", text, 200), 0);
  CHECK(strstr(text, "said") != NULL);
  CHECK_INT(rerun("the_exit_waits", "RAC_TEST_EXIT", "not", text, 200), 0);
  CHECK(strstr(text, "said") == NULL);
  CHECK_INT(rerun("the_exit_waits", "RAC_TEST_EXIT", "again", text, 200), 0);
  CHECK(strstr(text, "said") == NULL);
}

/* ---- At an exit() in a callback --------------------------------------------------- */

enum { WRITTEN = 20 };

static void write_one(void *context, rac_value value) {
  (void)context, (void)value;
  poll(NULL, 0, 1);
  fputs("+", stderr);
}

static void leave(void *context) {
  (void)context;
  exit(0);
}

static void leave_on_value(void *context, rac_value value) {
  (void)value;
  leave(context);
}

/* What waits at the exit: values on a background scheduler, and on the main one. */
static void exit_inside(const char *where) {
  rac_scheduler *background = rac_scheduler_background(0, NULL);
  rac_scheduler *loop = rac_scheduler_main();
  rac_subject *subject = rac_subject_create();
  CHECK_STATUS(rac_set_settle_at_exit(20), RAC_OK);
  rac_scheduler *there[] = {background, loop};
  for (int i = 0; i < 2; i++) {
    owned rac_signal *s = rac_signal_deliver_on(as_signal(subject), there[i]);
    rac_release(rac_subscribe_next(s, NULL, write_one, NULL));
  }
  if (strcmp(where, "main") == 0)
    rac_release(rac_schedule(loop, NULL, leave, NULL));
  for (int i = 0; i < WRITTEN; i++) rac_subject_send(subject, I(i));
  if (strcmp(where, "main") == 0) {
    rac_main_run_for(20);
  } else if (strcmp(where, "send") == 0) {
    rac_release(
        rac_subscribe_next(as_signal(subject), NULL, leave_on_value, NULL));
    rac_subject_send(subject, I(0));
  } else {
    rac_scheduler *other = rac_scheduler_background(0, NULL);
    rac_release(rac_schedule(other, NULL, leave, NULL));
    rac_main_run_for(20);
  }
  abort();
}

/* Law 4: the frame that exits stays, and all else is delivered. */
TEST(an_exit_in_a_callback_waits_too) {
  const char *where = getenv("RAC_TEST_EXIT");
  const char *const places[] = {"main", "send", "job"};
  if (where) exit_inside(where);
  for (int i = 0; i < 3; i++) {
    char text[400];
    CHECK_INT(
        rerun("an_exit_in_a_callback", "RAC_TEST_EXIT", places[i], text, 400),
        0);
    int written = 0;
    for (const char *at = text; (at = strchr(at, '+')) != NULL; at++) written++;
    CHECK_INT(written, 2 * WRITTEN + (i == 1 ? 2 : 0));
    CHECK((strstr(text, "what its scheduler has left") != NULL) == (i == 2));
  }
}

/* ---- Running until a signal says so ---------------------------------------------- */

static void send_one(void *context) { rac_subject_send(context, I(1)); }
static void complete(void *context) { rac_subject_send_completed(context); }
static void fail(void *context) {
  owned_value error = test_error(7);
  rac_subject_send_error(context, error);
}
static void stop(void *context) {
  (void)context;
  rac_main_stop();
}

static rac_status run_until(rac_action_fn what, rac_value *error) {
  owned rac_scheduler *loop = rac_scheduler_main();
  owned rac_subject *subject = rac_subject_create();
  rac_release(rac_schedule_after(loop, 0.01, subject, what, NULL));
  rac_status status = rac_main_run_until(as_signal(subject), error);
  return status;
}

TEST(a_run_ends_with_the_first_event) {
  rac_value error = I(1);
  CHECK_STATUS(run_until(send_one, &error), RAC_OK);
  CHECK_INT(error.kind, RAC_NIL);
  CHECK_STATUS(run_until(complete, NULL), RAC_OK);
  CHECK_STATUS(run_until(fail, NULL), RAC_ESTREAM);
  CHECK_STATUS(run_until(fail, &error), RAC_ESTREAM);
  CHECK_INT(rac_error_get_code(error), 7);
  rac_value_release(error);
  CHECK_STATUS(run_until(stop, NULL), RAC_PENDING);
  rac_signal *now = rac_signal_return(I(1));
  CHECK_STATUS(rac_main_run_until(now, NULL), RAC_OK);
  rac_release(now);
  CHECK_STATUS(rac_main_run_until(NULL, NULL), RAC_ENULL);
}

static void run_inside(void *context) {
  owned rac_signal *now = rac_signal_return(I(1));
  *(rac_status *)context = rac_main_run_until(now, NULL);
}
static void *run_elsewhere(void *argument) {
  owned rac_signal *never = rac_signal_never();
  *(rac_status *)argument = rac_main_run_until(never, NULL);
  return NULL;
}
static void let_another_run(void *context) {
  check_join(check_spawn(run_elsewhere, context));
}

TEST(a_run_inside_a_job_or_beside_another_is_refused) {
  owned rac_scheduler *loop = rac_scheduler_main();
  rac_status answer = RAC_OK;
  rac_release(rac_schedule(loop, &answer, run_inside, NULL));
  rac_main_drain(0);
  CHECK_STATUS(answer, RAC_EDEADLK);
  rac_release(rac_schedule(loop, &answer, let_another_run, NULL));
  rac_main_drain(0);
  CHECK_STATUS(answer, RAC_EBUSY);
}
