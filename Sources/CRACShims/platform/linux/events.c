// Events, timers and polling of Linux: eventfd, timerfd, epoll.
//
// SPDX-License-Identifier: MIT
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "CRACPlatform.h"

#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

// Made by its number, as older C libraries have no function for it: an older
// kernel answers ENOSYS.
#ifndef SYS_epoll_pwait2
#define SYS_epoll_pwait2 441
#endif

static int answer(int result) { return result < 0 ? -errno : result; }

// ---- Events -----------------------------------------------------------------

int rac_platform_event_open(bool counts) {
  int semaphore = counts ? EFD_SEMAPHORE : 0;
  return answer(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK | semaphore));
}

void rac_platform_event_post(int event) {
  uint64_t one = 1;
  // EAGAIN means the counter is already far from zero: readable all the same.
  while (write(event, &one, sizeof one) < 0 && errno == EINTR) {
  }
}

bool rac_platform_event_take(int event) {
  uint64_t count;
  ssize_t got;
  while ((got = read(event, &count, sizeof count)) < 0 && errno == EINTR) {
  }
  return got > 0;
}

// ---- Timers -----------------------------------------------------------------

int rac_platform_timer_open(uint32_t options) {
  int clock = options & RAC_TIMER_OF_WALL ? CLOCK_REALTIME : CLOCK_MONOTONIC;
  int mode = options & RAC_TIMER_BLOCKS ? 0 : TFD_NONBLOCK;
  return answer(timerfd_create(clock, TFD_CLOEXEC | mode));
}

int rac_platform_timer_arm(int timer, uint32_t options, int64_t time) {
  struct itimerspec spec;
  memset(&spec, 0, sizeof spec);
  spec.it_value.tv_sec = time / 1000000000;
  spec.it_value.tv_nsec = time % 1000000000;
  int of_wall = options & RAC_TIMER_OF_WALL ? TFD_TIMER_CANCEL_ON_SET : 0;
  return answer(
      timerfd_settime(timer, TFD_TIMER_ABSTIME | of_wall, &spec, NULL));
}

int rac_platform_timer_take(int timer) {
  uint64_t count;
  while (true) {
    if (read(timer, &count, sizeof count) >= 0 || errno == ECANCELED) return 0;
    if (errno != EINTR) return -errno;
  }
}

// ---- Polling ----------------------------------------------------------------

int rac_platform_poll_open(void) {
  return answer(epoll_create1(EPOLL_CLOEXEC));
}

int rac_platform_poll_change(int set, rac_poll_change change, int fd,
                             bool writing, uint64_t name) {
  static const int operations[] = {EPOLL_CTL_ADD, EPOLL_CTL_ADD, EPOLL_CTL_MOD,
                                   EPOLL_CTL_DEL};
  struct epoll_event event;
  memset(&event, 0, sizeof event);
  event.data.u64 = name;
  if (change == RAC_POLL_ADD) {
    event.events = EPOLLIN;
  } else if (change != RAC_POLL_REMOVE) {
    event.events = (writing ? EPOLLOUT : EPOLLIN | EPOLLRDHUP) | EPOLLONESHOT;
  }
  return answer(epoll_ctl(set, operations[change], fd, &event));
}

static int wait_for(int set, struct epoll_event *events, int capacity,
                    int64_t deadline) {
  if (deadline == RAC_SHIM_NEVER) return epoll_wait(set, events, capacity, -1);
  struct timespec now = {0, 0};
  if (deadline > 0) clock_gettime(CLOCK_MONOTONIC, &now);
  int64_t left = deadline - ((int64_t)now.tv_sec * 1000000000 + now.tv_nsec);
  if (left <= 0) return epoll_wait(set, events, capacity, 0);
  struct timespec time = {left / 1000000000, left % 1000000000};
  long count =
      syscall(SYS_epoll_pwait2, set, events, capacity, &time, NULL, (size_t)0);
  if (count >= 0 || errno != ENOSYS) return (int)count;
  int64_t longest = 1000000;  // milliseconds
  int64_t pause = (left + 999999) / 1000000;
  return epoll_wait(set, events, capacity,
                    (int)(pause < longest ? pause : longest));
}

int rac_platform_poll_wait(int set, uint64_t *names, int capacity,
                           int64_t deadline) {
  struct epoll_event events[64];
  if (capacity > 64) capacity = 64;
  int count = wait_for(set, events, capacity, deadline);
  for (int i = 0; i < count; i++) names[i] = events[i].data.u64;
  return count < 0 ? 0 : count;
}
