// Starting a process of Linux: vfork() and exec, with pipes.
//
// SPDX-License-Identifier: MIT
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "CRACPlatform.h"

#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

// ---- In the child, whose memory is the parent's until it is another program -----

typedef struct starting {
  const rac_program *program;
  const char *path;
  int given[3];  // -1: the parent's
  bool has_group;
  volatile int error;
} starting;

// As handlers of the parent's may not run there. Those that are ignored stay so,
// but for SIGPIPE, which libraries ignore for themselves.
static void reset_signals(void) {
  uintptr_t action[4];
  uint64_t none = 0;
  for (long number = 1; number < _NSIG; number++) {
    if (syscall(SYS_rt_sigaction, number, NULL, action, sizeof none) != 0)
      continue;
    if (action[0] <= (uintptr_t)SIG_IGN && number != SIGPIPE) continue;
    memset(action, 0, sizeof action);
    syscall(SYS_rt_sigaction, number, action, NULL, sizeof none);
  }
  syscall(SYS_rt_sigprocmask, (long)SIG_SETMASK, &none, NULL, sizeof none);
}

// As execvp(), without memory.
static void execute(const char *name, const starting *self) {
  char *const *arguments = (char *const *)self->program->arguments;
  char *const *variables = (char *const *)self->program->environment;
  if (variables == NULL) variables = environ;
  if (strchr(name, '/') != NULL) {
    execve(name, arguments, variables);
    return;
  }
  char file[PATH_MAX];
  size_t length = strlen(name);
  int error = ENOENT;
  for (const char *at = self->path; at != NULL;) {
    const char *end = strchrnul(at, ':');
    size_t folder = (size_t)(end - at);
    if (folder + length + 2 <= sizeof file) {
      memcpy(file, at, folder);
      if (folder > 0) file[folder++] = '/';
      memcpy(file + folder, name, length + 1);
      execve(file, arguments, variables);
      if (errno == EACCES) error = EACCES;
      if (errno != ENOENT && errno != ENOTDIR && errno != EACCES) return;
    }
    at = *end == 0 ? NULL : end + 1;
  }
  errno = length == 0 ? ENOENT : error;
}

__attribute__((noreturn)) static void become(starting *self) {
  bool is_ready = !self->has_group || setpgid(0, 0) == 0;
  for (int i = 0; i < 3; i++) {
    if (self->given[i] >= 0)
      is_ready = is_ready && dup3(self->given[i], i, 0) >= 0;
  }
  if (self->program->directory != NULL)
    is_ready = is_ready && chdir(self->program->directory) == 0;
  if (is_ready) {
    reset_signals();
    execute(self->program->arguments[0], self);
  }
  self->error = errno;
  _exit(127);
}

// ThreadSanitizer makes a fork() of it: then the parent does not hear of an error.
static pid_t start(starting *self) {
  pid_t pid = vfork();
  if (pid == 0) become(self);
  return pid;
}

// ---- In the parent ----------------------------------------------------------

static void close_all(int ends[3]) {
  for (int i = 0; i < 3; i++) {
    if (ends[i] >= 0) close(ends[i]);
    ends[i] = -1;
  }
}

// Never one of the numbers that the child has them by.
static int move_up(int fd) {
  if (fd < 0 || fd > 2) return fd < 0 ? -errno : fd;
  int copy = fcntl(fd, F_DUPFD_CLOEXEC, 3);
  int error = errno;
  close(fd);
  return copy < 0 ? -error : copy;
}

static int make_pipe(int number, int *given, int *kept) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return -errno;
  for (int i = 0; i < 2; i++) {
    ends[i] = move_up(ends[i]);
    if (ends[i] >= 0) continue;
    if (i == 0) close(ends[1]);
    if (i == 1) close(ends[0]);
    return ends[i];
  }
  *given = ends[number == 0 ? 0 : 1];
  *kept = ends[number == 0 ? 1 : 0];
  fcntl(*kept, F_SETFL, O_NONBLOCK | (number == 0 ? O_WRONLY : O_RDONLY));
  return 0;
}

static int open_ends(uint32_t pipes, starting *self, int kept[3]) {
  for (int i = 0; i < 3; i++) {
    int result = 0;
    if (pipes & 1u << i)
      result = make_pipe(i, &self->given[i], &kept[i]);
    else if (i == 0)
      result = self->given[0] =
          move_up(open("/dev/null", O_RDONLY | O_CLOEXEC));
    if (result < 0) return result;
  }
  return 0;
}

// The process, while no signal comes to this thread or, before it is another
// program, to the child.
static pid_t start_quietly(starting *self) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pid_t pid = start(self);
  int error = errno;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (pid >= 0 && self->error == 0) return pid;
  if (pid < 0) return -error;
  waitpid(pid, NULL, 0);
  return -self->error;
}

int rac_platform_spawn(const rac_program *program, uint32_t pipes,
                       bool has_group, rac_child *child) {
  starting self = {program, getenv("PATH"), {-1, -1, -1}, has_group, 0};
  if (self.path == NULL) self.path = "/bin:/usr/bin";
  *child = (rac_child){{-1, -1, -1}, -1, 0, getpid(), has_group};
  int result = open_ends(pipes, &self, child->ends);
  if (result >= 0) result = child->pid = start_quietly(&self);
  close_all(self.given);
  if (result >= 0) {
    result = child->exit = rac_platform_child_open(child->pid);
    if (result >= 0) return 0;
    kill(child->pid, SIGKILL);
    waitpid(child->pid, NULL, 0);
  }
  close_all(child->ends);
  child->pid = 0;
  return result;
}

void rac_platform_child_signal(const rac_child *child, bool by_force) {
  // In a forked child it is the parent's.
  if (child->pid <= 0 || getpid() != child->parent) return;
  kill(child->has_group ? -child->pid : child->pid,
       by_force ? SIGKILL : SIGTERM);
}

void rac_platform_child_forget(const rac_child *child, bool waits) {
  if (child->pid <= 0 || getpid() != child->parent) return;
  while (waitpid(child->pid, NULL, waits ? 0 : WNOHANG) < 0 && errno == EINTR) {
  }
}
