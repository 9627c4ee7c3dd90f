/* Law 22, from inside: what the child promises where it was forked, and what it
 * does then. */
#define _GNU_SOURCE
#include "processes.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int destroyed_at_fork;

static void nothing(void *context) { (void)context; }
static void count_own(void *count) { ++*(int *)count; }

/* Whether a child of the parent finds nothing as it should be. Those threads
 * live, and have called. */
static bool is_promised_to_be_over(void) {
  return now.threads > 0 || now.background;
}

/* How many descriptors are of the pipe's; all of them where that is 0. */
static int descriptors(ino_t inode) {
  int count = 0;
  for (int fd = 0; fd < 256; fd++) {
    struct stat status;
    if (fstat(fd, &status) != 0) continue;
    count += inode == 0 || (S_ISFIFO(status.st_mode) && status.st_ino == inode);
  }
  return count;
}

static void check_values(void) {
  rac_value text = rac_value_string_copy("of the child", 12);
  MUST(text.kind == RAC_STRING);
  rac_value_release(text);
}

static void refuses_all(void) {
  rac_value out;
  int own = 0;
  MUST(rac_subject_send(of_parent.subject, rac_value_int64(1)) == RAC_EFORK);
  MUST(rac_property_set(of_parent.property, rac_value_int64(1)) == RAC_EFORK);
  MUST(rac_property_get(of_parent.property, &out) == RAC_EFORK);
  MUST(rac_subject_create() == NULL && rac_last_error_code() == RAC_EFORK);
  /* Law 9: what the child gives is destroyed, what the parent gave is not. */
  MUST(rac_schedule(rac_scheduler_main(), &own, nothing, count_own) == NULL);
  MUST(rac_last_error_code() == RAC_EFORK && own == 1);
  MUST(rac_main_drain(0) == RAC_EFORK);
  MUST(rac_main_run_for(0) == RAC_EFORK);
  MUST(rac_settle(0) == RAC_EFORK);
  MUST(rac_release(of_parent.subject) == RAC_OK);
  MUST(rac_dispose(of_parent.subscription) == RAC_OK);
  struct pollfd look = {.fd = of_parent.main_fd, .events = POLLIN};
  MUST(poll(&look, 1, 0) == 1);
  MUST(atomic_load(&destroyed) == destroyed_at_fork);
}

static void works_on(void) {
  rac_value out;
  rac_status sent = rac_subject_send(of_parent.subject, rac_value_int64(1));
  MUST(sent == RAC_OK || sent == RAC_QUEUED);
  MUST(rac_property_get(of_parent.property, &out) == RAC_OK);
  rac_subject *mine = rac_subject_create();
  MUST(mine != NULL && rac_release(mine) == RAC_OK);
  MUST(rac_main_fd() == of_parent.main_fd);
}

void begin_child(int index, bool in_callback) {
  alarm(120);
  destroyed_at_fork = atomic_load(&destroyed);
  bool is_over = is_promised_to_be_over();
  round_of->child[index].is_over = is_over;
  check_values();
  if (is_over) {
    refuses_all();
    if (in_callback) MUST(rac_reinitialize() == RAC_EDEADLK);
  } else {
    works_on();
    MUST(rac_reinitialize() == RAC_OK);
  }
  if (now.ending == LEAVES) _exit(0);
  if (now.ending == EXITS) exit(0);
  /* Of a callback of a worker nobody hears again. */
  if (in_callback && is_over) atomic_store(&round_of->child[index].rests, true);
}

/* ---- Anew ------------------------------------------------------------------------ */

static atomic_int counted;
static void count(void *context) {
  (void)context;
  atomic_fetch_add(&counted, 1);
}
static void count_value(void *context, rac_value value) {
  (void)value;
  count(context);
}

static void runs_jobs(rac_scheduler *scheduler) {
  int before = atomic_load(&counted);
  rac_disposable *job =
      rac_schedule_after(scheduler, 0.0005, NULL, count, count);
  MUST(job != NULL);
  double limit = seconds() + 60;
  while (atomic_load(&counted) < before + 2 && seconds() < limit)
    MUST(rac_main_run_for(0.001) >= RAC_OK);
  MUST(atomic_load(&counted) == before + 2);
  rac_release(job);
}

/* Subjects, threads, a pipe of its own; all of it is let go of. The parent's pipe
 * is the next one's. */
static void works_anew(void) {
  rac_subject *subject = rac_subject_create();
  MUST(subject != NULL);
  int before = atomic_load(&counted), ends[2];
  rac_disposable *heard = rac_subscribe_next(rac_subject_as_signal(subject),
                                             NULL, count_value, count);
  MUST(rac_subject_send(subject, rac_value_int64(1)) == RAC_OK);
  MUST(atomic_load(&counted) == before + 1);
  rac_dispose(heard);
  MUST(atomic_load(&counted) == before + 2);
  rac_release(heard);
  rac_release(subject);
  runs_jobs(rac_scheduler_main());
  rac_scheduler *background = rac_scheduler_background(0, NULL);
  runs_jobs(background);
  rac_release(background);
  MUST(pipe(ends) == 0);
  MUST(write(ends[1], "mine\n", 5) == 5);
  struct stat status;
  MUST(fstat(ends[0], &status) == 0);
  of_parent.lines = rac_signal_lines(ends[0], ownership(), 0, NULL);
  before = atomic_load(&counted);
  of_parent.reading =
      rac_subscribe_next(of_parent.lines, NULL, count_value, NULL);
  double limit = seconds() + 60;
  while (atomic_load(&counted) == before && seconds() < limit)
    rac_main_run_for(0.001);
  MUST(atomic_load(&counted) == before + 1);
  of_parent.pipe = status.st_ino;
  of_parent.writing = ends[1];
  of_parent.owned = ends[0];
}

static void begin_anew(int index, int generation) {
  bool was_over = round_of->child[index].is_over;
  rac_subject *old = of_parent.subject;
  MUST(rac_reinitialize() == RAC_OK);
  MUST(rac_main_fd() == of_parent.main_fd);
  if (was_over) {
    MUST(rac_subject_send(old, rac_value_int64(1)) == RAC_ESTALE);
    MUST(atomic_load(&destroyed) == destroyed_at_fork);
    /* Nothing of the parent's reads it any more: the side that writes is left,
     * and what was lent. */
    MUST(descriptors(of_parent.pipe) == (now.lends ? 2 : 1));
    MUST(sockets() == 0);
    if (now.lends) close(of_parent.owned);
    close(of_parent.writing);
    works_anew();
  } else {
    rac_dispose(of_parent.subscription);
    runs_jobs(rac_scheduler_main());
    return;
  }
  static int first_count;
  int opened = descriptors(0);
  if (generation == 1) first_count = opened;
  /* Two come and go with threads: of one for each generation there are three. */
  MUST(generation < 4 || opened <= first_count + 2);
}

static void fork_again(int generation) {
  if (generation >= now.generations) return;
  int index = atomic_fetch_add(&round_of->children, 1);
  if (index >= MOST_CHILDREN) return;
  pid_t pid = fork();
  MUST(pid >= 0);
  atomic_store(&round_of->child[index].pid, pid > 0 ? pid : getpid());
  if (pid > 0) return;
  /* Its parent's threads may have ended meanwhile: then all works here. */
  destroyed_at_fork = atomic_load(&destroyed);
  rac_subject *probe = rac_subject_create();
  MUST(probe != NULL || rac_last_error_code() == RAC_EFORK);
  round_of->child[index].is_over = probe == NULL;
  rac_release(probe);
  begin_anew(index, generation + 1);
  fork_again(generation + 1);
  exit(0);
}

void end_child(int index) {
  if (now.ending == BEGINS_ANEW) {
    begin_anew(index, 1);
    fork_again(1);
    exit(0);
  }
  atomic_store(&round_of->child[index].rests, true);
  for (;;) pause();
}
