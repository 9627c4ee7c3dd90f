/* What a host does when the library's threads begin to call it, and when that is
 * over: rac_set_thread_hook(). */
#include "children.h"

#include "operators.h"

typedef struct hook {
  atomic_int started, ended, destroyed;
  atomic_bool began_late, ended_twice;
} hook;

static _Thread_local int states;

static void starts(void *context) {
  hook *self = context_target(context);
  if (states++ != 0) atomic_store(&self->ended_twice, true);
  atomic_fetch_add(&self->started, 1);
}

static void ends(void *context) {
  hook *self = context_target(context);
  if (--states != 0) atomic_store(&self->ended_twice, true);
  atomic_fetch_add(&self->ended, 1);
}

static void set_hook(hook *self) {
  CHECK_STATUS(rac_set_thread_hook(context_new(self, &self->destroyed), starts,
                                   ends, context_destroy),
               RAC_OK);
}

/* Whoever has called `started` calls `ended`, also in its sleep. */
static void unset_hook(hook *self) {
  CHECK_STATUS(rac_set_thread_hook(NULL, NULL, NULL, NULL), RAC_OK);
  WAIT_UNTIL(atomic_load(&self->destroyed) == 1);
  CHECK_INT(atomic_load(&self->started), atomic_load(&self->ended));
  CHECK(!atomic_load(&self->began_late) && !atomic_load(&self->ended_twice));
}

typedef struct job {
  hook *hook;
  atomic_int ran;
} job;

static void run(void *context) {
  job *self = context;
  if (states != 1) atomic_store(&self->hook->began_late, true);
  atomic_fetch_add(&self->ran, 1);
}
static void run_value(void *context, rac_value value) {
  (void)value;
  run(context);
}

/* On workers, for a time, for a descriptor. */
static void call_on_all(hook *h) {
  job j = {.hook = h};
  owned rac_scheduler *one = rac_scheduler_background(0, NULL);
  owned rac_scheduler *other = rac_scheduler_background(0, NULL);
  rac_release(rac_schedule(one, &j, run, NULL));
  rac_release(rac_schedule_after(other, 0.001, &j, run, NULL));
  owned rac_signal *never = rac_signal_never();
  owned rac_signal *late = rac_signal_timeout(never, 0.001, other);
  rac_observer observer = RAC_OBSERVER_INIT;
  observer.context = &j;
  observer.error = run_value;
  rac_release(rac_subscribe(late, &observer));
  WAIT_UNTIL(atomic_load(&j.ran) == 3);
}

static void close_it(void *context) {
  hook *h = context;
  set_hook(h);
  call_on_all(h);
  CHILD(atomic_load(&h->started) > 0);
  CHILD(rac_close(-1) == RAC_OK);
  CHILD(atomic_load(&h->ended) == atomic_load(&h->started));
  CHILD(atomic_load(&h->destroyed) == 1);
}

/* The first one: a child that has no threads yet works as its parent. */
TEST(closing_waits_until_all_have_ended) {
  hook h = {0};
  CHECK_INT(in_child(close_it, &h), 0);
}

TEST(each_thread_starts_before_its_first_callback_and_ends_once) {
  for (int i = 0; i < 3; i++) {
    hook h = {0};
    set_hook(&h);
    call_on_all(&h);
    CHECK(atomic_load(&h.started) > 0);
    CHECK_INT(atomic_load(&h.ended), 0);
    /* They are there now, and asleep. */
    check_pause();
    unset_hook(&h);
  }
}

TEST(a_hook_is_followed_by_the_next_one) {
  hook first = {0}, second = {0};
  set_hook(&first);
  call_on_all(&first);
  set_hook(&second);
  WAIT_UNTIL(atomic_load(&first.destroyed) == 1);
  CHECK_INT(atomic_load(&first.started), atomic_load(&first.ended));
  call_on_all(&second);
  unset_hook(&second);
  CHECK(!atomic_load(&first.ended_twice));
}

static void change_hook(void *context) {
  hook *self = context;
  set_hook(self);
  CHECK_STATUS(rac_set_thread_hook(NULL, NULL, NULL, NULL), RAC_OK);
  set_hook(self);
}

/* It may be changed on one of the threads that it is for. */
TEST(a_hook_is_changed_inside_a_job) {
  hook h = {0};
  owned rac_scheduler *one = rac_scheduler_background(0, NULL);
  rac_release(rac_schedule(one, &h, change_hook, NULL));
  WAIT_UNTIL(atomic_load(&h.destroyed) == 1);
  call_on_all(&h);
  CHECK_STATUS(rac_set_thread_hook(NULL, NULL, NULL, NULL), RAC_OK);
  WAIT_UNTIL(atomic_load(&h.destroyed) == 2);
  CHECK_INT(atomic_load(&h.started), atomic_load(&h.ended));
}

TEST(functions_that_are_null_are_not_called) {
  hook h = {0};
  CHECK_STATUS(rac_set_thread_hook(context_new(&h, &h.destroyed), NULL, NULL,
                                   context_destroy),
               RAC_OK);
  CHECK_INT(atomic_load(&h.destroyed), 1);
  CHECK_STATUS(rac_set_thread_hook(context_new(&h, &h.destroyed), NULL, ends,
                                   context_destroy),
               RAC_OK);
  CHECK_STATUS(rac_set_thread_hook(NULL, NULL, NULL, NULL), RAC_OK);
  WAIT_UNTIL(atomic_load(&h.destroyed) == 2);
  states = 0;
}
