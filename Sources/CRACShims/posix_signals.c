// POSIX signals as descriptors.
//
// A handler and not signalfd(): that one needs the signal to be blocked in every
// thread of the process, and the threads are the program's. The handler writes to
// an eventfd of each who listens, so it is the same whichever thread it runs on,
// and several can listen to one number.
//
// SPDX-License-Identifier: MIT
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "CRACShims.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

// Never freed, because a handler may be looking at it: used again.
typedef struct listener {
  struct listener *next;
  int number;  // 0: nobody
  int fd;
} listener;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static listener *listeners;
// How many handlers are running, on whichever threads.
static int running;
// The process whose descriptors they are: between fork() and what follows it in
// the child they are still the parent's.
static pid_t owner;
// By number.
static struct sigaction replaced[_NSIG];
static int count[_NSIG];

static void hear(int number) {
  int error = errno;
  __atomic_add_fetch(&running, 1, __ATOMIC_SEQ_CST);
  if (__atomic_load_n(&owner, __ATOMIC_ACQUIRE) == getpid()) {
    listener *each = __atomic_load_n(&listeners, __ATOMIC_ACQUIRE);
    for (; each != NULL; each = each->next) {
      if (__atomic_load_n(&each->number, __ATOMIC_SEQ_CST) != number) continue;
      uint64_t one = 1;
      // EAGAIN: it came more often than anybody can count.
      if (write(each->fd, &one, sizeof one) < 0) continue;
    }
  }
  __atomic_sub_fetch(&running, 1, __ATOMIC_SEQ_CST);
  errno = error;
}

bool rac_shim_signal_is_allowed(int number) {
  switch (number) {
  case SIGKILL:
  case SIGSTOP:
  // What a thread does wrong it would do again.
  case SIGSEGV:
  case SIGBUS:
  case SIGFPE:
  case SIGILL:
    return false;
  default:
    // Between them there are a few of the C library's own.
    return number > 0 && number < _NSIG &&
           (number < 32 || (number >= SIGRTMIN && number <= SIGRTMAX));
  }
}

static bool is_ours(int number) {
  struct sigaction now;
  return sigaction(number, NULL, &now) == 0 && !(now.sa_flags & SA_SIGINFO) &&
         now.sa_handler == hear;
}

static int take_over(int number) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = hear;
  action.sa_flags = SA_RESTART | SA_ONSTACK;
  sigfillset(&action.sa_mask);
  return sigaction(number, &action, &replaced[number]) == 0 ? 0 : -errno;
}

// Not where somebody has put another one in place of ours meanwhile.
static void give_back(int number) {
  if (is_ours(number)) sigaction(number, &replaced[number], NULL);
}

static listener *find(int number, int fd) {
  listener *each = listeners;
  while (each != NULL && !(each->number == number && each->fd == fd)) {
    each = each->next;
  }
  return each;
}

static listener *add_listener(void) {
  listener *fresh = calloc(1, sizeof *fresh);
  if (fresh == NULL) return NULL;
  fresh->fd = -1;
  fresh->next = listeners;
  __atomic_store_n(&listeners, fresh, __ATOMIC_RELEASE);
  return fresh;
}

// Under the lock.
static int listen_to(int number, int fd) {
  listener *mine = find(0, -1);
  if (mine == NULL && (mine = add_listener()) == NULL) return -ENOMEM;
  __atomic_store_n(&owner, getpid(), __ATOMIC_RELEASE);
  int result = count[number] == 0 ? take_over(number) : 0;
  if (result != 0) return result;
  count[number]++;
  mine->fd = fd;
  __atomic_store_n(&mine->number, number, __ATOMIC_SEQ_CST);
  return 0;
}

int rac_shim_signal_open(int number) {
  int fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK | EFD_SEMAPHORE);
  if (fd < 0) return -errno;
  pthread_mutex_lock(&lock);
  int result = listen_to(number, fd);
  pthread_mutex_unlock(&lock);
  if (result == 0) return fd;
  close(fd);
  return result;
}

void rac_shim_signal_stop(int fd) {
  pthread_mutex_lock(&lock);
  listener *each = listeners;
  while (each != NULL && each->fd != fd) each = each->next;
  if (each != NULL) {
    int number = each->number;
    __atomic_store_n(&each->number, 0, __ATOMIC_SEQ_CST);
    if (--count[number] == 0) give_back(number);
    // A handler that has seen the number may still write, on another thread.
    while (__atomic_load_n(&running, __ATOMIC_SEQ_CST) != 0) sched_yield();
    each->fd = -1;
  }
  pthread_mutex_unlock(&lock);
}

void rac_shim_signals_forked(void) {
  pthread_mutex_init(&lock, NULL);
  running = 0;
  for (int number = 1; number < _NSIG; number++) {
    if (count[number] > 0) give_back(number);
    count[number] = 0;
  }
  for (listener *each = listeners; each != NULL; each = each->next) {
    each->number = 0;
    each->fd = -1;
  }
}
