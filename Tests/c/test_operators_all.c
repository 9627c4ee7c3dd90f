/* What every operator must stand: each line of the table goes through the same
 * list of abuses. */
#include "marbles.h"
#include "operator_table.h"
#include "shared_callbacks.h"

static int current_operator;
static void set_up(int i) {
  current_operator = i;
  v = rac_scheduler_virtual();
  standing = rac_scheduler_virtual();
  rac_set_log(NULL, ignore_line, NULL);
}
/* Runs what waits on the clock and on the main scheduler. */
static void step_all(void) {
  rac_virtual_step_all(v);
  rac_main_drain(0);
}
static void tear_down(void) {
  step_all();
  rac_release(v);
  rac_release(standing);
  rac_set_log(NULL, NULL, NULL);
}

/* A failure says which operator it was. */
#define CHECK_OPERATOR(condition)                                              \
  do {                                                                         \
    if (!(condition)) {                                                        \
      char text[200];                                                          \
      snprintf(text, sizeof text, "%s: %s", operators[current_operator].name,  \
               #condition);                                                    \
      check_fail(__FILE__, __LINE__, text);                                    \
    }                                                                          \
  } while (0)

TEST(never_subscribed_to) {
  for (int i = 0; i < OPERATORS; i++) {
    set_up(i);
    source counts = {0};
    int contexts = context_count();
    rac_signal *source_ = cold("1", &counts), *other = rac_signal_never();
    rac_signal *s = operators[i].build(source_, other);
    CHECK_OPERATOR(s != NULL);
    rac_release(source_);
    rac_release(other);
    rac_release(s);
    CHECK_OPERATOR(counts.subscribed == 0);
    CHECK_OPERATOR(context_count() == contexts);
    tear_down();
  }
}

TEST(disposal_reaches_the_source) {
  for (int i = 0; i < OPERATORS; i++) {
    set_up(i);
    source counts = {0};
    rac_signal *source_ = cold("1", &counts), *other = rac_signal_never();
    rac_signal *s = operators[i].build(source_, other);
    recorder r = {0};
    record(s, &r);
    step_all();
    rac_release(source_);
    rac_release(other);
    rac_release(s);
    CHECK_OPERATOR(counts.subscribed == 1);
    CHECK_OPERATOR(counts.disposed == 0);
    rac_dispose(r.subscription);
    rac_dispose(r.subscription);
    CHECK_OPERATOR(counts.disposed == 1);
    CHECK_OPERATOR(r.ends == 0);
    /* Where events wait on a scheduler the subscriber is let go there. */
    step_all();
    await_end(&r);
    tear_down();
  }
}

TEST(each_subscription_is_one_of_its_own) {
  for (int i = 0; i < OPERATORS; i++) {
    set_up(i);
    source counts = {0};
    rac_signal *source_ = cold("1 2", &counts), *other = cold("", NULL);
    rac_signal *s = operators[i].build(source_, other);
    recorder a = {0}, b = {0};
    record(s, &a);
    record(s, &b);
    step_all();
    CHECK_OPERATOR(counts.subscribed == 2);
    CHECK_OPERATOR(strcmp(a.text, b.text) == 0);
    rac_dispose(a.subscription);
    CHECK_OPERATOR(counts.disposed == 1);
    rac_dispose(b.subscription);
    CHECK_OPERATOR(counts.disposed == 2);
    step_all();
    await_end(&a);
    await_end(&b);
    rac_release(source_);
    rac_release(other);
    rac_release(s);
    tear_down();
  }
}

TEST(an_error_goes_through_and_disposes_the_source) {
  for (int i = 0; i < OPERATORS; i++) {
    if (!(operators[i].traits & ERROR_ENDS)) continue;
    set_up(i);
    source counts = {0}, others = {0};
    rac_signal *source_ = cold("1 #5", &counts), *other = cold("", &others);
    rac_signal *s = operators[i].build(source_, other);
    recorder r = {0};
    record(s, &r);
    step_all();
    CHECK_OPERATOR(r.ends == 1);
    size_t length = strlen(r.text);
    CHECK_OPERATOR(length >= 2 && strcmp(r.text + length - 2, "#5") == 0);
    CHECK_OPERATOR(counts.disposed == counts.subscribed);
    CHECK_OPERATOR(others.disposed == others.subscribed);
    await_end(&r);
    rac_release(source_);
    rac_release(other);
    rac_release(s);
    tear_down();
  }
}

TEST(disposal_inside_next) {
  for (int i = 0; i < OPERATORS; i++) {
    set_up(i);
    rac_subject *subject = rac_subject_create();
    rac_signal *other = rac_signal_never();
    rac_signal *s = operators[i].build(as_signal(subject), other);
    recorder r = {.on_next = dispose_self};
    record(s, &r);
    step_all();
    play_marbles(v, subject, "-(123)");
    step_all();
    /* startWith sends its value before there is a subscription to dispose. */
    CHECK_OPERATOR(r.nexts <= 1 || operators[i].build == build_start_with);
    CHECK_OPERATOR(r.ends == 0);
    rac_dispose(r.subscription);
    CHECK_OPERATOR(rac_subject_subscriber_count(subject) == 0);
    step_all();
    await_end(&r);
    rac_release(s);
    rac_release(other);
    rac_release(subject);
    tear_down();
  }
}

/* ---- What the operators' callbacks may do -------------------------------- */

static rac_subject *abused;
static rac_disposable *abused_subscription;
static int abuses;

static void dispose_from_callback(void) {
  abuses++;
  rac_dispose(abused_subscription);
}
static void send_from_callback(void) {
  if (abuses++ < 3) rac_subject_send(abused, I(abuses + 10));
}
static void complete_from_callback(void) {
  abuses++;
  rac_subject_send_completed(abused);
}
static void fail_from_callback(void) {
  abuses++;
  owned_value error = test_error(7);
  rac_subject_send_error(abused, error);
}
static void release_from_callback(void) {
  if (abuses++ == 0) rac_release(abused);
}

/* Every operator with a callback hears three values, and an end. */
static void abuse(void (*body)(void), recorder *heard, int i) {
  set_up(i);
  abused = rac_subject_create();
  abuses = 0;
  rac_retain(abused);
  rac_signal *other = rac_signal_never();
  rac_signal *s = operators[i].build(as_signal(abused), other);
  abused_subscription = record(s, heard);
  in_callback = body;
  play_marbles(v, abused, "-(123|)");
  step_all();
  in_callback = NULL;
  /* repeat would wait for more. */
  rac_dispose(abused_subscription);
  CHECK_OPERATOR(rac_subject_subscriber_count(abused) == 0);
  step_all();
  await_end(heard);
  CHECK_OPERATOR(heard->ends <= 1);
  rac_release(s);
  rac_release(other);
  if (body != release_from_callback || abuses == 0) rac_release(abused);
  rac_release(abused);
  tear_down();
}

TEST(a_callback_may_dispose_its_subscription) {
  int disposed = 0;
  for (int i = 0; i < OPERATORS; i++) {
    recorder r = {0};
    abuse(dispose_from_callback, &r, i);
    if (abuses == 0) continue;
    disposed++;
    /* What was called before the subscription was known may have sent, and
     * finally is called once more only by an end that came. */
    /* do_finally is called when the end has been heard. */
    if (operators[i].build == build_do_finally) continue;
    CHECK_OPERATOR(r.ends == 0);
    CHECK_OPERATOR(abuses == 1);
  }
  CHECK(disposed > 20);
}

TEST(a_callback_may_send_into_its_source) {
  for (int i = 0; i < OPERATORS; i++) {
    recorder r = {0};
    abuse(send_from_callback, &r, i);
  }
}

TEST(a_callback_may_end_its_source) {
  for (int i = 0; i < OPERATORS; i++) {
    recorder r = {0}, failed = {0};
    abuse(complete_from_callback, &r, i);
    abuse(fail_from_callback, &failed, i);
  }
}

TEST(a_callback_may_let_go_of_its_source) {
  for (int i = 0; i < OPERATORS; i++) {
    recorder r = {0};
    abuse(release_from_callback, &r, i);
  }
}

/* ---- Many -------------------------------------------------------------- */

TEST(many_subscriptions_leave_nothing_behind) {
  for (int i = 0; i < OPERATORS; i++) {
    set_up(i);
    rac_subject *subject = rac_subject_create();
    rac_signal *other = rac_signal_never();
    rac_signal *s = operators[i].build(as_signal(subject), other);
    uint64_t before = rac_live_objects();
    for (int64_t round = check_scaled(30000); round > 0; round--) {
      rac_observer observer = RAC_OBSERVER_INIT;
      rac_disposable *d = rac_subscribe(s, &observer);
      rac_dispose(d);
      rac_release(d);
      if (round % 1000 == 0) step_all();
    }
    step_all();
    CHECK_OPERATOR(rac_live_objects() == before);
    CHECK_OPERATOR(rac_subject_subscriber_count(subject) == 0);
    rac_release(s);
    rac_release(other);
    rac_release(subject);
    tear_down();
  }
}

TEST(the_subject_may_go_first) {
  for (int i = 0; i < OPERATORS; i++) {
    set_up(i);
    rac_subject *subject = rac_subject_create();
    rac_signal *other = rac_signal_never();
    rac_signal *s = operators[i].build(as_signal(subject), other);
    recorder r = {0};
    record(s, &r);
    step_all();
    rac_release(s);
    rac_release(other);
    CHECK_STATUS(rac_release(subject), RAC_OK);
    CHECK_OPERATOR(r.ends == 0);
    rac_dispose(r.subscription);
    step_all();
    await_end(&r);
    tear_down();
  }
}

static void *send_many(void *subject) {
  for (int64_t i = check_scaled(5000); i > 0; i--)
    rac_subject_send(subject, I(i));
  return NULL;
}

TEST(disposal_while_another_thread_sends) {
  for (int i = 0; i < OPERATORS; i++) {
    set_up(i);
    rac_subject *subject = rac_subject_create();
    rac_signal *other = rac_signal_never();
    rac_signal *s = operators[i].build(as_signal(subject), other);
    pthread_t sender = check_spawn(send_many, subject);
    for (int64_t round = check_scaled(100); round > 0; round--) {
      recorder r = {0};
      record(s, &r);
      step_all();
      rac_dispose(r.subscription);
      WAIT_UNTIL((step_all(), atomic_load(&r.destroyed) == 1));
      let_go(&r);
    }
    check_join(sender);
    rac_release(s);
    rac_release(other);
    rac_release(subject);
    tear_down();
  }
}
