/* rac_signal_deliver_on: events on another scheduler. */
#include "operators.h"

TEST(deliver_on_sends_on_the_scheduler_in_order) {
  owned rac_scheduler *v = rac_scheduler_virtual();
  owned rac_signal *s = cold("1 2 3 |", NULL);
  APPLY(s, deliver_on, v);
  recorder r = {0};
  record(s, &r);
  CHECK_EVENTS(&r, "");
  rac_virtual_step_all(v);
  CHECK_EVENTS(&r, "1 2 3 |");
  await_end(&r);
  RAC_ASSIGN(s, cold("1 #2", NULL));
  APPLY(s, deliver_on, v);
  RECORDER(failing, s);
  rac_virtual_step_all(v);
  CHECK_EVENTS(&failing, "1 #2");
}

TEST(what_waits_in_deliver_on_is_dropped_by_a_disposal) {
  owned rac_scheduler *v = rac_scheduler_virtual();
  owned rac_subject *subject = rac_subject_create();
  owned rac_signal *s = rac_signal_deliver_on(as_signal(subject), v);
  recorder r = {0};
  record(s, &r);
  play(subject, "1 2");
  rac_virtual_step(v);
  rac_dispose(r.subscription);
  play(subject, "3");
  rac_virtual_step_all(v);
  CHECK(strcmp(r.text, "1") == 0 || strcmp(r.text, "1 2") == 0);
  await_end(&r);
}

static void check_let_go(int line, rac_signal *late, const source *counts,
                         rac_scheduler *v) {
  recorder r = {0};
  record(late, &r);
  check_int(__FILE__, line, "disposed", counts->disposed, 1);
  if (v != NULL) {
    rac_virtual_step_all(v);
    CHECK_EVENTS(&r, "1 2 |");
  }
  finish(&r);
  rac_release(late);
}

static rac_signal *two_of(source *counts) {
  rac_signal *s = cold("1 2 3", counts);
  APPLY(s, take, 2);
  return s;
}

TEST(a_source_is_disposed_before_its_end_is_delivered) {
  owned rac_scheduler *v = rac_scheduler_virtual();
  source delivered = {0}, delayed = {0};
  rac_signal *s = two_of(&delivered);
  APPLY(s, deliver_on, v);
  check_let_go(__LINE__, s, &delivered, v);
  s = two_of(&delayed);
  APPLY(s, delay, 60, NULL);
  check_let_go(__LINE__, s, &delayed, NULL);
  /* Otherwise this would subscribe for ever. */
  s = cold("1 2 |", NULL);
  APPLY0(s, repeat);
  APPLY(s, take, 2);
  APPLY(s, deliver_on, v);
  source none = {.disposed = 1};
  check_let_go(__LINE__, s, &none, v);
}

typedef struct place {
  pthread_t thread;
  int wrong;
} place;

static void check_place(recorder *self, rac_value value) {
  (void)value;
  place *p = self->user;
  if (!pthread_equal(pthread_self(), p->thread)) p->wrong++;
}
static void check_end_place(recorder *self) {
  place *p = self->user;
  if (!pthread_equal(pthread_self(), p->thread)) p->wrong++;
}

static void *send_a_thousand(void *subject) {
  for (int i = 0; i < 1000; i++) rac_subject_send(subject, I(i));
  rac_subject_send_completed(subject);
  return NULL;
}

TEST(deliver_on_the_main_scheduler_from_another_thread) {
  rac_scheduler *main_scheduler = rac_scheduler_main();
  owned rac_subject *subject = rac_subject_create();
  owned rac_signal *s =
      rac_signal_deliver_on(as_signal(subject), main_scheduler);
  place p = {.thread = pthread_self()};
  recorder r = {.on_next = check_place,
                .on_end = check_end_place,
                .on_destroy = check_end_place,
                .user = &p};
  record(s, &r);
  pthread_t sender = check_spawn(send_a_thousand, subject);
  while (atomic_load(&r.destroyed) == 0) rac_main_run_for(0.01);
  check_join(sender);
  CHECK_INT(r.nexts, 1000);
  CHECK_INT(p.wrong, 0);
  await_end(&r);
}

TEST(deliver_on_a_background_scheduler_keeps_the_order) {
  owned rac_scheduler *background = rac_scheduler_background(0, "line");
  owned rac_subject *subject = rac_subject_create();
  owned rac_signal *s = rac_signal_deliver_on(as_signal(subject), background);
  int64_t count = check_scaled(50000);
  APPLY(s, take, (size_t)count);
  APPLY0(s, collect);
  recorder r = {0};
  record(s, &r);
  for (int64_t i = 0; i < count; i++) rac_subject_send(subject, I(i));
  WAIT_UNTIL(atomic_load(&r.ends) == 1);
  await_end(&r);
  CHECK(strncmp(r.text, "(0,1,2,3,4,5,", 13) == 0 || count < 6);
}

TEST(a_scheduler_may_go_while_its_jobs_wait) {
  rac_scheduler *v = rac_scheduler_virtual();
  rac_subject *subject = rac_subject_create();
  rac_signal *s = rac_signal_deliver_on(as_signal(subject), v);
  rac_release(v);
  recorder r = {0};
  record(s, &r);
  play(subject, "1 2 |");
  /* Nobody can step it any more: what waits goes when all of it goes. */
  rac_release(s);
  rac_release(subject);
  finish(&r);
  CHECK_EVENTS(&r, "");
}
