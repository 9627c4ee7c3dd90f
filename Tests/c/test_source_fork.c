/* Sources in a forked child: those opened before end there with an error, new ones
 * work, and the parent's go on. */
#define _GNU_SOURCE
#include "children.h"
#include "descriptors.h"
#include "process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>

static bool run_until_ended(recorder *r) {
  double limit = check_clock() + 10;
  while (r->ends == 0 && check_clock() < limit) rac_main_run_for(0.01);
  return r->ends == 1;
}

static int ends[2];
static recorder lines_heard, signals_heard;
static int host_fd;

static void host_handler(int number) { (void)number; }

static void child_with_sources(void *argument) {
  (void)argument;
  int before = open_descriptors();
  /* What waited before says that it is over; nothing of the parent's is taken. */
  CHILD(lines_heard.ends == 0);
  CHILD(run_until_ended(&lines_heard));
  CHILD(run_until_ended(&signals_heard));
  CHILD(strcmp(lines_heard.text, "1 #-5010") == 0);
  CHILD(strcmp(signals_heard.text, "#-5010") == 0);
  CHILD(open_descriptors() <= before);
  struct sigaction action;
  CHILD(sigaction(SIGUSR1, NULL, &action) == 0);
  CHILD(action.sa_handler == host_handler);
  /* The same signals can be subscribed to again. */
  rac_signal *hangup = rac_signal_posix_signal(SIGUSR1, NULL);
  int mine[2];
  make_pipe(mine);
  rac_signal *lines = rac_signal_lines(mine[0], OWNED, 0, NULL);
  RECORDER(again, hangup);
  RECORDER(read, lines);
  raise(SIGUSR1);
  write_text(mine[1], "mine\n");
  struct pollfd look = {.fd = rac_main_fd(), .events = POLLIN};
  CHILD(rac_main_fd() == host_fd);
  CHILD(poll(&look, 1, 10000) == 1);
  double limit = check_clock() + 10;
  while ((read.nexts == 0 || again.nexts == 0) && check_clock() < limit)
    rac_main_drain(0);
  CHILD(strcmp(read.text, "mine") == 0);
  CHILD(again.nexts == 1);
}

static void parent_with_sources(void *argument) {
  (void)argument;
  struct sigaction action = {.sa_handler = host_handler};
  sigaction(SIGUSR1, &action, NULL);
  host_fd = rac_main_fd();
  make_pipe(ends);
  owned rac_signal *lines = rac_signal_lines(ends[0], OWNED, 0, NULL);
  owned rac_signal *hangup = rac_signal_posix_signal(SIGUSR1, NULL);
  record(lines, &lines_heard);
  record(hangup, &signals_heard);
  write_text(ends[1], "1\n");
  while (lines_heard.nexts == 0) rac_main_drain(0);
  for (int i = 0; i < 2; i++) {
    CHILD(in_child(child_with_sources, NULL) == 0);
  }
  /* Nothing was taken from the parent. */
  CHILD(lines_heard.ends == 0 && signals_heard.ends == 0);
  write_text(ends[1], "2\n");
  raise(SIGUSR1);
  struct pollfd look = {.fd = rac_main_fd(), .events = POLLIN};
  CHILD(poll(&look, 1, 10000) == 1);
  double limit = check_clock() + 10;
  while ((lines_heard.nexts < 2 || signals_heard.nexts < 1) &&
         check_clock() < limit)
    rac_main_drain(0);
  CHILD(strcmp(lines_heard.text, "1 2") == 0);
  CHILD(signals_heard.nexts == 1);
  finish(&lines_heard);
  finish(&signals_heard);
}

/* In a child without threads of the library's. */
TEST(sources_of_the_parent_end_in_the_child) {
  CHECK_INT(in_child(parent_with_sources, NULL), 0);
}

/* ---- Forked inside a callback ------------------------------------------------------ */

static pid_t forked;
static void fork_at_two(recorder *self, rac_value value) {
  (void)value;
  if (self->nexts == 2) forked = fork();
}

static void forking_callback(void *argument) {
  (void)argument;
  make_pipe(ends);
  recorder r = {.on_next = fork_at_two};
  record_of(rac_signal_lines(ends[0], OWNED, 0, NULL), &r);
  write_text(ends[1], "1\n2\n3\n4\n");
  while (r.nexts < 2) rac_main_drain(0);
  if (forked == 0) {
    CHILD(run_until_ended(&r));
    CHILD(strcmp(r.text, "1 2 #-5010") == 0);
    _exit(0);
  }
  int status = -1;
  CHILD(waitpid(forked, &status, 0) == forked);
  CHILD(status == 0);
  CHILD(strcmp(r.text, "1 2 3 4") == 0);
  finish(&r);
  close(ends[1]);
}

TEST(a_fork_inside_a_callback) {
  CHECK_INT(in_child(forking_callback, NULL), 0);
}

/* ---- With threads of the library's -------------------------------------------------- */

static int handed_over[2];
static void child_of_threads(void *argument) {
  int before = *(int *)argument;
  /* Nothing works, and nothing of the parent's sources is open any more. */
  CHILD(rac_signal_posix_signal(SIGUSR1, NULL) == NULL);
  CHILD(rac_last_error_code() == RAC_EFORK);
  CHILD(open_descriptors() <= before);
  struct sigaction action;
  CHILD(sigaction(SIGUSR1, NULL, &action) == 0);
  CHILD(action.sa_handler == SIG_DFL);
  CHILD(fcntl(handed_over[0], F_GETFD) >= 0);
  CHILD(rac_reinitialize() == RAC_OK);
  /* It was the parent's library's to close, and is nobody's here. */
  CHILD(fcntl(handed_over[0], F_GETFD) < 0 && errno == EBADF);
  recorder r = {0};
  int mine[2];
  make_pipe(mine);
  write_text(mine[1], "a\nb");
  close(mine[1]);
  /* ThreadSanitizer lets such a child have no threads. */
  owned rac_scheduler *background =
      IS_THREAD_SANITIZED ? NULL : rac_scheduler_background(0, NULL);
  record_of(rac_signal_lines(mine[0], OWNED, 0, background), &r);
  CHILD(run_until_ended(&r));
  CHILD(strcmp(r.text, "a b |") == 0);
}

TEST(a_child_of_a_process_with_threads) {
  int before = open_descriptors();
  rac_scheduler *background = rac_scheduler_background(0, NULL);
  recorder there = {0}, here = {0};
  int pipes[2];
  make_pipe(pipes);
  make_pipe(handed_over);
  int allowed = before + 4;
  rac_signal *taken = rac_signal_lines(handed_over[0], OWNED, 0, NULL);
  rac_signal *lines = rac_signal_lines(pipes[0], LENT, 0, background);
  rac_signal *hangup = rac_signal_posix_signal(SIGUSR1, NULL);
  record(lines, &there);
  record(hangup, &here);
  CHECK_INT(in_child(child_of_threads, &allowed), 0);
  write_text(pipes[1], "parent\n");
  raise(SIGUSR1);
  RUN_UNTIL(here.nexts == 1);
  WAIT_UNTIL(there.nexts == 1);
  CHECK_EVENTS(&there, "parent");
  finish(&here);
  finish(&there);
  rac_release(lines);
  rac_release(hangup);
  rac_release(background);
  rac_release(taken);
  close(handed_over[1]);
  close(pipes[0]);
  close(pipes[1]);
  WAIT_UNTIL(open_descriptors() == before);
}
