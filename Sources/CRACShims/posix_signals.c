// POSIX signals as descriptors.
//
// A handler that writes to an event descriptor of each listener (the self-pipe
// trick of D. J. Bernstein), so it may run on any thread, and several can
// listen to one number. Not signalfd(): that needs the signal to be blocked in
// every thread of the process, and the threads are the program's.
//
// SPDX-License-Identifier: MIT
#ifndef _XOPEN_SOURCE
#define _XOPEN_SOURCE 700
#endif
#include "CRACDescriptors.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Never freed, because a handler may be looking at it: used again.
typedef struct listener {
  struct listener *next;
  int number;  // 0: nobody
  int fd;
} listener;

// One for each handler of the program's that may lie below the next one: see
// below.
enum { LAYERS = 4 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static listener *listeners;
// How many handlers are looking at them, on whichever threads.
static int running;
// The process whose descriptors they are: between fork() and what follows it in
// the child they are still the parent's.
static pid_t owner;
// How many listen to a number.
static int count[_NSIG];

// ---- In a handler -----------------------------------------------------------

// False: nobody listens.
static bool tell(int number) {
  bool is_heard = false;
  __atomic_add_fetch(&running, 1, __ATOMIC_SEQ_CST);
  if (__atomic_load_n(&owner, __ATOMIC_ACQUIRE) == getpid()) {
    listener *each = __atomic_load_n(&listeners, __ATOMIC_ACQUIRE);
    for (; each != NULL; each = each->next) {
      if (__atomic_load_n(&each->number, __ATOMIC_SEQ_CST) != number) continue;
      is_heard = true;
      rac_platform_event_post(each->fd);
    }
  }
  __atomic_sub_fetch(&running, 1, __ATOMIC_SEQ_CST);
  return is_heard;
}

// The action that the handler of each layer replaced: a handler that the
// program saved, and calls or gives back when nobody listens any more, passes
// on to it. A layer has a handler of its own, so two that pass on to each other
// do not go round: where the program's second handler calls the first layer,
// that one knows what is below it. The records are never freed, because a
// handler may be looking at one.
typedef struct record {
  struct sigaction action;
  struct record *next;
} record;

static record usual;  // SIG_DFL
static record *records;
static record *replaced[_NSIG][LAYERS];
// So many layers have something below them that the program may still reach.
// The first one is for good.
static int layers[_NSIG];

// It ends or stops the process, or does nothing.
static void act_by_default(int number) {
  struct sigaction now;
  sigset_t only, before;
  sigemptyset(&only);
  sigaddset(&only, number);
  sigaction(number, &usual.action, &now);
  raise(number);
  pthread_sigmask(SIG_UNBLOCK, &only, &before);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  sigaction(number, &now, NULL);
}

// `info` and `context` are not looked at here: a program that got the handler
// from signal() calls it without them.
static void pass_on(int layer, int number, siginfo_t *info, void *context) {
  record **place = &replaced[number][layer];
  const struct sigaction *to =
      &__atomic_load_n(place, __ATOMIC_ACQUIRE)->action;
  if (to->sa_flags & SA_RESETHAND) {
    __atomic_store_n(place, &usual, __ATOMIC_RELEASE);
  }
  if (to->sa_handler == SIG_DFL) {
    act_by_default(number);
  } else if (to->sa_flags & SA_SIGINFO) {
    to->sa_sigaction(number, info, context);
  } else if (to->sa_handler != SIG_IGN) {
    to->sa_handler(number);
  }
}

static void hear(int layer, int number, siginfo_t *info, void *context) {
  int error = errno;
  if (!tell(number)) pass_on(layer, number, info, context);
  errno = error;
}

#define HANDLER(layer)                                                         \
  static void hear_##layer(int number, siginfo_t *info, void *more) {          \
    hear(layer, number, info, more);                                           \
  }
HANDLER(0)
HANDLER(1)
HANDLER(2)
HANDLER(3)

static void (*const handlers[LAYERS])(int, siginfo_t *, void *) = {
    hear_0, hear_1, hear_2, hear_3};

// ---- Taking over ------------------------------------------------------------

bool rac_shim_signal_is_allowed(int number) {
  switch (number) {
  case SIGKILL:
  case SIGSTOP:
  // The thread would repeat the instruction that failed.
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

// Which of ours is in place; -1: none.
static int layer_in_place(int number, struct sigaction *now) {
  // Bytes that the system does not write compare as equal.
  memset(now, 0, sizeof *now);
  sigaction(number, NULL, now);
  int layer = LAYERS - 1;
  // signal() knows no SA_SIGINFO.
  while (layer >= 0 && now->sa_sigaction != handlers[layer]) layer--;
  return layer;
}

// The record with that; NULL when there is no memory.
static record *keep(const struct sigaction *action) {
  record *each = records;
  while (each != NULL && memcmp(&each->action, action, sizeof *action) != 0) {
    each = each->next;
  }
  if (each != NULL) return each;
  if ((each = calloc(1, sizeof *each)) == NULL) return NULL;
  memcpy(&each->action, action, sizeof *action);
  each->next = records;
  return records = each;
}

// Puts a handler above the program's that is in place. One that was there
// before is there again: the ones that came after it have gone. With more
// handlers than layers the last layer forgets the one that it had.
static int cover(int number, const struct sigaction *now) {
  record *below = keep(now);
  if (below == NULL) return -1;
  int layer = 0;
  while (layer < layers[number] && replaced[number][layer] != below) layer++;
  if (layer == LAYERS) layer--;
  __atomic_store_n(&replaced[number][layer], below, __ATOMIC_RELEASE);
  return layer;
}

static int take_over(int number) {
  struct sigaction action;
  int layer = layer_in_place(number, &action);
  if (layer < 0 && (layer = cover(number, &action)) < 0) return -ENOMEM;
  memset(&action, 0, sizeof action);
  action.sa_sigaction = handlers[layer];
  action.sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK;
  sigfillset(&action.sa_mask);
  if (sigaction(number, &action, NULL) != 0) return -errno;
  layers[number] = layer + 1;
  return 0;
}

// Not where somebody has put another one in place of ours meanwhile.
static void give_back(int number) {
  struct sigaction now;
  int layer = layer_in_place(number, &now);
  if (layer < 0) return;
  sigaction(number, &replaced[number][layer]->action, NULL);
  layers[number] = layer > 0 ? layer : 1;
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
  // The program may have put another handler there since the last one.
  int result = take_over(number);
  if (result != 0) return result;
  count[number]++;
  mine->fd = fd;
  __atomic_store_n(&mine->number, number, __ATOMIC_SEQ_CST);
  return 0;
}

int rac_shim_signal_open(int number) {
  int fd = rac_platform_event_open(true);
  if (fd < 0) return fd;
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
