/* The end of a child: its status, once, and nobody else's children. */
#include "descriptors.h"

#include <errno.h>
#include <signal.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>

static void pause_for(double seconds) {
  struct timespec time = {(time_t)seconds,
                          (long)((seconds - (double)(time_t)seconds) * 1e9)};
  nanosleep(&time, NULL);
}

/* A child that ends with this status after a while. */
static pid_t start_child(double seconds, int code) {
  pid_t pid = fork();
  if (pid != 0) return pid;
  pause_for(seconds);
  _exit(code);
}

static void note_status(recorder *self, rac_value value) {
  *(int64_t *)self->user = value.bits;
}

static int64_t status_of(rac_signal *exit) {
  int64_t status = -1;
  recorder r = {.on_next = note_status, .user = &status};
  record(exit, &r);
  rac_release(exit);
  RUN_UNTIL(r.ends == 1);
  CHECK(strchr(r.text, '|') != NULL);
  CHECK_INT(r.nexts, 1);
  await_end(&r);
  return status;
}

static int code_of(rac_signal *exit) {
  recorder r = {0};
  record(exit, &r);
  rac_release(exit);
  RUN_UNTIL(r.ends == 1);
  CHECK_INT(r.nexts, 0);
  int code = r.text[0] == '#' ? atoi(r.text + 1) : 0;
  await_end(&r);
  return code;
}

TEST(the_status_of_a_child) {
  int before = open_descriptors();
  int status =
      (int)status_of(rac_signal_child_exit(start_child(0.02, 7), NULL));
  CHECK(WIFEXITED(status));
  CHECK_INT(WEXITSTATUS(status), 7);
  CHECK_INT(open_descriptors(), before);
  CHECK_INT(waitpid(-1, &status, WNOHANG), -1);
  CHECK_INT(errno, ECHILD);
}

TEST(a_child_that_is_killed) {
  pid_t pid = start_child(60, 0);
  rac_signal *exit = rac_signal_child_exit(pid, NULL);
  kill(pid, SIGKILL);
  int status = (int)status_of(exit);
  CHECK(WIFSIGNALED(status));
  CHECK_INT(WTERMSIG(status), SIGKILL);
}

TEST(a_child_that_has_ended_already) {
  pid_t pid = start_child(0, 3);
  siginfo_t info;
  CHECK_INT(waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT), 0);
  int status = (int)status_of(rac_signal_child_exit(pid, NULL));
  CHECK_INT(WEXITSTATUS(status), 3);
}

TEST(other_children_are_left_alone) {
  pid_t other = start_child(0, 1);
  pid_t mine = start_child(0.02, 2);
  int status = (int)status_of(rac_signal_child_exit(mine, NULL));
  CHECK_INT(WEXITSTATUS(status), 2);
  CHECK_INT(waitpid(other, &status, 0), other);
  CHECK_INT(WEXITSTATUS(status), 1);
}

TEST(disposed_before_it_reaps_nothing) {
  pid_t pid = start_child(0.02, 5);
  recorder r = {0};
  record_of(rac_signal_child_exit(pid, NULL), &r);
  finish(&r);
  int status = 0;
  CHECK_INT(waitpid(pid, &status, 0), pid);
  CHECK_INT(WEXITSTATUS(status), 5);
}

TEST(no_child_of_ours) {
  CHECK_INT(code_of(rac_signal_child_exit(1, NULL)), ECHILD);
  CHECK_INT(code_of(rac_signal_child_exit(getpid(), NULL)), ECHILD);
  pid_t pid = start_child(0, 0);
  int status = 0;
  CHECK_INT(waitpid(pid, &status, 0), pid);
  CHECK_INT(code_of(rac_signal_child_exit(pid, NULL)), ESRCH);
  CHECK(rac_signal_child_exit(0, NULL) == NULL);
  CHECK_STATUS(rac_last_error_code(), RAC_EINVAL);
  CHECK(rac_signal_child_exit(-1, NULL) == NULL);
  CHECK_STATUS(rac_last_error_code(), RAC_EINVAL);
}

TEST(somebody_else_reaps_it) {
  pid_t pid = start_child(0.02, 0);
  RECORDER_OF(r, rac_signal_child_exit(pid, NULL));
  int status = 0;
  CHECK_INT(waitpid(pid, &status, 0), pid);
  RUN_UNTIL(r.ends == 1);
  CHECK_EVENTS(&r, "#10");
  CHECK_INT(ECHILD, 10);
}

TEST(subscribed_to_twice) {
  rac_signal *exit = rac_signal_child_exit(start_child(0.02, 4), NULL);
  recorder first = {0}, second = {0};
  record(exit, &first);
  record(exit, &second);
  rac_release(exit);
  RUN_UNTIL(first.ends == 1 && second.ends == 1);
  /* One has it. */
  CHECK_INT(first.nexts + second.nexts, 1);
  CHECK(strcmp(first.text, "#10") == 0 || strcmp(second.text, "#10") == 0);
  await_end(&first);
  await_end(&second);
}

TEST(shared_by_replaying) {
  rac_signal *exit = rac_signal_child_exit(start_child(0.02, 4), NULL);
  owned rac_signal *shared = rac_signal_replay(exit);
  rac_release(exit);
  RECORDER(first, shared);
  RECORDER(second, shared);
  RUN_UNTIL(first.ends == 1 && second.ends == 1);
  CHECK_EVENTS(&first, "1024 |");
  CHECK_EVENTS(&second, "1024 |");
}

TEST(many_on_a_background_scheduler) {
  enum { CHILDREN = 20 };
  int before = open_descriptors();
  rac_scheduler *background =
      rac_scheduler_background(RAC_PRIORITY_DEFAULT, NULL);
  recorder heard[CHILDREN] = {{0}};
  for (int i = 0; i < CHILDREN; i++) {
    owned rac_signal *exit =
        rac_signal_child_exit(start_child(0.001 * i, i), background);
    record(exit, &heard[i]);
  }
  for (int i = 0; i < CHILDREN; i++) {
    char expected[32];
    await_end(&heard[i]);
    snprintf(expected, sizeof expected, "%d |", i << 8);
    CHECK_EVENTS(&heard[i], expected);
  }
  rac_release(background);
  WAIT_UNTIL(open_descriptors() == before);
}
