/* A round: some threads call the library, and one of the calls forks. */
#define _GNU_SOURCE
#include "processes.h"

#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

objects of_parent;
atomic_int destroyed;
static atomic_int spots, sent, heard, made;
static int child_index = -1; /* in the child: which one it is */
static _Thread_local int callbacks;
static pthread_barrier_t begin, end;

/* Each call passes here, and so does each callback. */
static void spot(void) {
  if (child_index >= 0 || atomic_fetch_add(&spots, 1) != now.fork_at) return;
  int index = atomic_fetch_add(&round_of->children, 1);
  pid_t pid = fork();
  MUST(pid >= 0);
  /* Both say so: the parent may end before it does. */
  atomic_store(&round_of->child[index].pid, pid > 0 ? pid : getpid());
  if (pid > 0) return;
  child_index = index;
  begin_child(index, callbacks > 0);
}

static void enter(void) {
  callbacks++;
  spot();
  callbacks--;
}

static void hear(void *context, rac_value value) {
  (void)context, (void)value;
  if (child_index < 0) atomic_fetch_add(&heard, 1);
  enter();
}
static void run(void *context) {
  (void)context;
  enter();
}
static void count_destroy(void *context) {
  (void)context;
  atomic_fetch_add(&destroyed, 1);
  enter();
}
static void ignore(void *context, rac_value value) {
  (void)context, (void)value;
  enter();
}

static void *contexts(void) {
  if (child_index < 0) atomic_fetch_add(&made, 1);
  return NULL;
}

void hear_nothing(void *context, rac_value value) { ignore(context, value); }

rac_disposable *listen_to(rac_signal *signal, rac_next_fn next) {
  rac_observer observer = RAC_OBSERVER_INIT;
  observer.next = next;
  observer.error = ignore; /* in the child: opened before */
  observer.destroy = count_destroy;
  observer.context = contexts();
  rac_disposable *subscription = rac_subscribe(signal, &observer);
  if (child_index < 0) MUST(subscription != NULL);
  rac_release(signal);
  return subscription;
}

static void schedule(rac_scheduler *scheduler, double delay) {
  rac_disposable *job =
      delay > 0
          ? rac_schedule_after(scheduler, delay, contexts(), run, count_destroy)
          : rac_schedule(scheduler, contexts(), run, count_destroy);
  if (child_index < 0) MUST(job != NULL);
  rac_release(job);
}

static void step(uint64_t *random, bool is_main) {
  switch (below(random, 8)) {
  case 0:
    /* Before the parent counts it a child may go on behind the call. */
    rac_subject_send(of_parent.subject, rac_value_int64(1));
    if (child_index < 0) atomic_fetch_add(&sent, 1);
    break;
  case 1:
    rac_property_set(of_parent.property,
                     rac_value_int64((int64_t)below(random, 1000)));
    break;
  case 2:
    schedule(rac_scheduler_main(), 0);
    break;
  case 3:
    if (of_parent.background != NULL) schedule(of_parent.background, 0);
    break;
  case 4:
    if (of_parent.background != NULL) schedule(of_parent.background, 0.0005);
    break;
  case 5: {
    rac_signal *changes = rac_property_as_signal(of_parent.property);
    rac_disposable *some =
        rac_subscribe_next(changes, contexts(), ignore, count_destroy);
    rac_dispose(some);
    rac_release(some);
    break;
  }
  case 6:
    use_outside(random);
    break;
  default:
    if (is_main) rac_main_drain(0);
    if (write(of_parent.writing, "line\n", 5) < 0) return;
  }
  spot();
}

static void *act(void *argument) {
  uintptr_t number = (uintptr_t)argument;
  uint64_t random = now.seed + number;
  /* From here on it has called the library. */
  rac_release(rac_subject_create());
  pthread_barrier_wait(&begin);
  for (int i = 0; i < now.steps && child_index < 0; i++)
    step(&random, number == 0);
  if (child_index >= 0) end_child(child_index);
  pthread_barrier_wait(&end);
  return NULL;
}

int32_t ownership(void) {
  return now.lends ? RAC_DESCRIPTOR_LENT : RAC_DESCRIPTOR_OWNED;
}

static void set_up(void) {
  int ends[2];
  struct stat status;
  MUST(pipe(ends) == 0 && fstat(ends[0], &status) == 0);
  of_parent.main_fd = rac_main_fd();
  of_parent.owned = ends[0];
  of_parent.writing = ends[1];
  of_parent.pipe = status.st_ino;
  of_parent.subject = rac_subject_create();
  of_parent.property = rac_property_create(rac_value_int64(0), 0);
  of_parent.subscription =
      rac_subscribe_next(rac_subject_as_signal(of_parent.subject), contexts(),
                         hear, count_destroy);
  of_parent.lines = rac_signal_lines(ends[0], ownership(), 0, NULL);
  of_parent.reading = listen_to(rac_retain(of_parent.lines), ignore);
  MUST(of_parent.reading != NULL && of_parent.subscription != NULL);
  begin_outside();
  if (!now.background) return;
  of_parent.background = rac_scheduler_background(0, NULL);
  int before = atomic_load(&destroyed);
  schedule(of_parent.background, 0.0005);
  while (atomic_load(&destroyed) == before && child_index < 0) poll(NULL, 0, 1);
}

/* Law 2: all that was sent is heard in the parent, and each context is destroyed
 * once. */
static void tear_down(void) {
  double limit = seconds() + 60;
  rac_dispose(of_parent.reading);
  while (!end_outside() && seconds() < limit) rac_main_run_for(0.001);
  if (child_index < 0) MUST(end_outside());
  while (atomic_load(&heard) < atomic_load(&sent) && seconds() < limit)
    rac_main_run_for(0.001);
  MUST(atomic_load(&heard) == atomic_load(&sent));
  rac_dispose(of_parent.subscription);
  while (atomic_load(&destroyed) < atomic_load(&made) && seconds() < limit)
    rac_main_run_for(0.001);
  MUST(atomic_load(&destroyed) == atomic_load(&made));
  rac_release(of_parent.reading);
  rac_release(of_parent.subscription);
  rac_release(of_parent.lines);
  rac_release(of_parent.subject);
  rac_release(of_parent.property);
}

static void write_down(void *context, rac_value value) {
  (void)context, (void)value;
  poll(NULL, 0, 1);
  atomic_fetch_add(&round_of->written, 1);
}
static void leave(void *context) {
  (void)context;
  exit(0);
}

/* What waits on a background scheduler is written before the process ends. */
static void exit_in_callback(void) {
  rac_scheduler *background = rac_scheduler_background(0, NULL);
  rac_subject *subject = rac_subject_create();
  rac_signal *there =
      rac_signal_deliver_on(rac_subject_as_signal(subject), background);
  rac_release(rac_subscribe_next(there, NULL, write_down, NULL));
  MUST(rac_set_settle_at_exit(60) == RAC_OK);
  for (int i = 0; i < AT_EXIT; i++)
    rac_subject_send(subject, rac_value_int64(i));
  rac_release(rac_schedule(rac_scheduler_main(), NULL, leave, NULL));
  rac_main_run_for(60);
  fail(__FILE__, __LINE__, "exit() in a callback came back");
}

void play_round(void) {
  pthread_t threads[MOST_THREADS];
  pthread_barrier_init(&begin, NULL, (unsigned)now.threads + 1);
  pthread_barrier_init(&end, NULL, (unsigned)now.threads + 1);
  set_up();
  if (child_index >= 0) end_child(child_index);
  for (int i = 0; i < now.threads; i++)
    MUST(pthread_create(&threads[i], NULL, act, (void *)(uintptr_t)(i + 1)) ==
         0);
  act(NULL);
  for (int i = 0; i < now.threads; i++) pthread_join(threads[i], NULL);
  tear_down();
  if (child_index >= 0) end_child(child_index);
  if (now.exits_in_callback) exit_in_callback();
}
