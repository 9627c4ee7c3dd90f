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
  CHILD(rac_live_objects() == 0);
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
  rac_subject *subject = rac_subject_create();
  rac_disposable *d = rac_subscribe_next(as_signal(subject), NULL, stay, NULL);
  pthread_t thread = check_spawn(send_one, subject);
  while (!atomic_load(&is_in_callback)) usleep(1000);
  CHILD(in_child(settle_anew, NULL) == 0);
  atomic_store(&may_leave, true);
  check_join(thread);
  rac_release(d);
  rac_release(subject);
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
    alarm(20);
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
