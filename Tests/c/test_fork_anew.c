/* Forked children of a process whose threads are in the library: they begin anew. */
#define _GNU_SOURCE
#include "forked.h"

static int same_number;

typedef struct legacy {
  inherited i;
  rac_scheduler *loop;
  rac_signal *signal;
  rac_value value;
  int destroyed;
} legacy;

/* A worker that waits awake keeps the scheduler that it had a moment longer. */
static bool all_goes(void) {
  for (int tries = 0; rac_live_objects() != 0 && tries < 10000; tries++)
    usleep(1000);
  return rac_live_objects() == 0;
}

static void begin_anew(void *argument) {
  legacy *l = argument;
  int fd = same_number;
  CHILD(rac_subject_create() == NULL);
  CHILD(rac_last_error_code() == RAC_EFORK);
  CHILD(rac_main_fd() == -1);
  CHILD(rac_reinitialize() == RAC_OK);
  CHILD(rac_reinitialize() == RAC_OK);
  CHILD(rac_main_fd() == fd);
  CHILD(!readable());
  CHILD(rac_main_drain(0) == 0);
  CHILD(rac_live_objects() == 0);
  /* The parent's are stale, whatever is made here. */
  rac_subject *many[2000];
  for (int i = 0; i < 2000; i++) {
    many[i] = rac_subject_create();
    CHILD(many[i] != l->i.subject && (void *)many[i] != (void *)l->i.job);
  }
  CHILD(rac_subject_send(l->i.subject, I(1)) == RAC_ESTALE);
  CHILD(rac_release(l->i.subject) == RAC_ESTALE);
  CHILD(rac_dispose(l->i.subscription) == RAC_ESTALE);
  CHILD(rac_value_to_signal(l->value) == NULL);
  rac_subject_send(many[0], l->value);
  CHILD(rac_last_error_code() == RAC_ESTALE);
  rac_value_release(l->value);
  CHILD(l->destroyed == 0 && l->i.runs == 0);
  for (int i = 0; i < 2000; i++) CHILD(rac_release(many[i]) == RAC_OK);
  /* But the schedulers that there is one of. */
  CHILD(rac_scheduler_main() == l->loop);
  use_everything();
  CHILD(all_goes());
}

static void fork_with_threads(void *argument) {
  (void)argument;
  legacy l = {.loop = rac_scheduler_main()};
  start_library_threads();
  same_number = rac_main_fd();
  inherit(&l.i);
  l.signal = rac_signal_map(as_signal(l.i.subject), &l.destroyed, twice, count);
  l.value = rac_value_signal(l.signal);
  CHILD(rac_reinitialize() == RAC_OK); /* where all works it does nothing */
  CHILD(in_child(begin_anew, &l) == 0);
  CHILD(in_child(begin_anew, &l) == 0);
  CHILD(rac_subject_send(l.i.subject, I(1)) == RAC_OK);
  CHILD(rac_main_drain(0) == 1);
  rac_value_release(l.value);
  rac_release(l.signal);
  CHILD(l.destroyed == 1);
}

/* Law 22: a child of a process with threads begins anew. */
TEST(a_child_of_a_process_with_threads_begins_anew) {
  alone(fork_with_threads);
}

static atomic_bool is_in_callback, may_leave;

static void stay(void *context, rac_value value) {
  (void)context, (void)value;
  atomic_store(&is_in_callback, true);
  while (!atomic_load(&may_leave)) usleep(1000);
}
static void *send_one(void *subject) {
  rac_subject_send(subject, I(1));
  return NULL;
}

/* Whoever was inside in the parent is not waited for. */
static void settle_anew(void *argument) {
  (void)argument;
  CHILD(rac_reinitialize() == RAC_OK);
  CHILD(rac_settle(5) == RAC_OK);
  CHILD(rac_close(5) == RAC_OK);
}

static void fork_beside_a_callback(void *argument) {
  (void)argument;
  owned rac_subject *subject = rac_subject_create();
  owned rac_disposable *d =
      rac_subscribe_next(as_signal(subject), NULL, stay, NULL);
  pthread_t thread = check_spawn(send_one, subject);
  while (!atomic_load(&is_in_callback)) usleep(1000);
  CHILD(in_child(settle_anew, NULL) == 0);
  atomic_store(&may_leave, true);
  check_join(thread);
}

TEST(a_child_that_begins_anew_waits_for_nobody_of_the_parents) {
  alone(fork_beside_a_callback);
}

static void begin_anew_again(void *argument) {
  int depth = argument ? *(int *)argument + 1 : 1;
  CHILD(rac_subject_create() == NULL);
  CHILD(rac_reinitialize() == RAC_OK);
  use_everything();
  if (depth < 4) CHILD(in_child(begin_anew_again, &depth) == 0);
  use_everything();
}

static void anew_of_anew(void *argument) {
  (void)argument;
  start_library_threads();
  CHILD(in_child(begin_anew_again, NULL) == 0);
  use_everything();
}

TEST(a_child_that_began_anew_forks_like_any_other) { alone(anew_of_anew); }

static void refuse_inside(void *context, rac_value value) {
  (void)context, (void)value;
  pid_t pid = fork();
  if (pid == 0) {
    alarm(CHILD_SECONDS);
    CHILD(rac_reinitialize() == RAC_EDEADLK);
    CHILD(rac_subject_create() == NULL);
    return; /* and leaves it */
  }
  CHILD(await_child(pid) == 0);
}

static void anew_inside(void *argument) {
  (void)argument;
  start_library_threads();
  pid_t me = getpid();
  rac_subject *subject = rac_subject_create();
  rac_disposable *d =
      rac_subscribe_next(as_signal(subject), NULL, refuse_inside, NULL);
  rac_subject_send(subject, I(1));
  if (getpid() != me) {
    CHILD(rac_subject_send(subject, I(1)) == RAC_EFORK);
    CHILD(rac_reinitialize() == RAC_OK);
    use_everything();
    return;
  }
  rac_release(d);
  rac_release(subject);
}

TEST(not_inside_a_callback_but_after_it) { alone(anew_inside); }

/* ---- Callbacks that fork, and what is above them on the stack ---------------- */

static pid_t parent;

static void fork_here(void *context, rac_value value) {
  (void)context, (void)value;
  if (getpid() != parent) return;
  pid_t pid = fork();
  if (pid != 0) {
    CHILD(await_child(pid) == 0);
    return;
  }
  alarm(CHILD_SECONDS);
}
static void fork_at_the_end(void *context) { fork_here(context, I(0)); }

typedef struct leaving {
  rac_subject *subject;
  rac_disposable *leaver, *forker;
  int destroyed;
} leaving;

/* What waits then is the value on which the other one forks, and this removal. */
static void leave_behind_a_value(void *context, rac_value value) {
  leaving *l = context;
  if (value.bits != 1) return;
  CHILD(rac_subject_send(l->subject, I(2)) == RAC_QUEUED);
  CHILD(rac_dispose(l->leaver) == RAC_OK);
}
static void fork_on_two(void *context, rac_value value) {
  if (value.bits == 2) fork_here(context, value);
}
static void never_hears(void *context, rac_value value) {
  (void)context;
  CHILD(value.bits == 1);
}

static rac_disposable *with_end(rac_signal *signal, void *context,
                                rac_next_fn next, rac_completed_fn completed,
                                rac_destroy_fn destroy) {
  rac_observer observer = RAC_OBSERVER_INIT;
  observer.context = context;
  observer.next = next;
  observer.completed = completed;
  observer.destroy = destroy;
  return rac_subscribe(signal, &observer);
}

static void count_leaving(void *context) { ++((leaving *)context)->destroyed; }

/* After all frames of the parent's are gone; in the parent that is nothing. */
static void end_in_child(int destroyed) {
  if (getpid() == parent) return;
  CHILD(destroyed == 0);
  CHILD(rac_subject_create() == NULL);
  CHILD(rac_last_error_code() == RAC_EFORK);
  CHILD(rac_reinitialize() == RAC_OK);
  use_everything();
  CHILD(destroyed == 0);
  LEAVE(0);
}

/* Subscribed to `subject` directly, or to what is made of it. */
static void leave_while_forking(rac_subject *subject, rac_signal *signal) {
  leaving l = {.subject = subject};
  rac_disposable *sender =
      rac_subscribe_next(as_signal(subject), &l, leave_behind_a_value, NULL);
  l.forker = rac_subscribe_next(as_signal(subject), &l, fork_on_two, NULL);
  l.leaver = with_end(signal, &l, never_hears, NULL, count_leaving);
  rac_subject_send(subject, I(1));
  end_in_child(l.destroyed);
  CHILD(l.destroyed == 1);
  rac_release(sender);
  rac_release(l.forker);
  rac_release(l.leaver);
}

static void end_while_forking(rac_subject *subject, rac_signal *signal) {
  leaving l = {.subject = subject};
  l.leaver = with_end(signal, &l, NULL, fork_at_the_end, count_leaving);
  rac_subject_send_completed(subject);
  end_in_child(l.destroyed);
  CHILD(l.destroyed == 1);
  rac_release(l.leaver);
}

static void destroy_while_forking(void *argument) {
  (void)argument;
  start_library_threads();
  parent = getpid();
  for (int i = 0; i < 2; i++) {
    owned rac_subject *subject = rac_subject_create();
    owned rac_signal *doubled =
        rac_signal_map(as_signal(subject), NULL, twice, NULL);
    rac_signal *signal = i ? doubled : as_signal(subject);
    leave_while_forking(subject, signal);
    end_while_forking(subject, signal);
  }
}

/* Law 22: frames that a child has inherited destroy nothing of the parent's. */
TEST(a_callback_that_forks_leaves_no_destroy_to_the_child) {
  alone(destroy_while_forking);
}

static void act(void *context) { (void)context; }
static rac_status create(void *context, rac_subscriber *to,
                         rac_disposable **out) {
  (void)context, (void)to, (void)out;
  return RAC_OK;
}

static void give_contexts(void *argument) {
  inherited *i = argument;
  int destroyed = 0;
  CHILD(!rac_signal_create(&destroyed, create, count));
  CHILD(!rac_signal_map(as_signal(i->subject), &destroyed, twice, count));
  CHILD(!rac_disposable_create(&destroyed, act, count));
  CHILD(!with_end(as_signal(i->subject), &destroyed, NULL, NULL, count));
  rac_scheduler *loop = rac_scheduler_main();
  CHILD(!rac_schedule(loop, &destroyed, act, count));
  CHILD(!rac_schedule_repeating(loop, 1, 1, 1, &destroyed, act, count));
  CHILD(destroyed == 6);
  CHILD(rac_last_error_code() == RAC_EFORK);
}

static void give_contexts_to_a_child(void *argument) {
  (void)argument;
  start_library_threads();
  inherited i = {0};
  inherit(&i);
  CHILD(in_child(give_contexts, &i) == 0);
}

/* Law 9: what the child gives is its own, though nothing is made of it. */
TEST(what_a_child_gives_is_destroyed) { alone(give_contexts_to_a_child); }
