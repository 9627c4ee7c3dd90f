// A set of descriptors that are polled; see CRACDescriptors.h.
//
// SPDX-License-Identifier: MIT
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "CRACShims.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

// Made by its number, as older C libraries have no function for it: an older
// kernel answers ENOSYS.
#ifndef SYS_epoll_pwait2
#define SYS_epoll_pwait2 441
#endif

static int control(const rac_poll_set *set, int operation, int fd,
                   uint32_t events, uint64_t name) {
  struct epoll_event event;
  memset(&event, 0, sizeof event);
  event.events = events;
  event.data.u64 = name;
  return epoll_ctl(set->poll_fd, operation, fd, &event) < 0 ? -errno : 0;
}

static uint32_t interest(bool writing) {
  return (writing ? EPOLLOUT : EPOLLIN | EPOLLRDHUP) | EPOLLONESHOT;
}

int rac_shim_poll_open(rac_poll_set *set) {
  set->poll_fd = epoll_create1(EPOLL_CLOEXEC);
  set->event_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (set->poll_fd >= 0 && set->event_fd >= 0 &&
      control(set, EPOLL_CTL_ADD, set->event_fd, EPOLLIN, RAC_SHIM_WOKEN) ==
          0) {
    rac_shim_poll_nest(set);
    return 0;
  }
  int error = errno;
  rac_shim_poll_close(set);
  return -error;
}

void rac_shim_poll_close(rac_poll_set *set) {
  if (set->poll_fd >= 0) close(set->poll_fd);
  if (set->event_fd >= 0) close(set->event_fd);
  set->poll_fd = set->event_fd = -1;
}

void rac_shim_poll_nest(const rac_poll_set *set) {
  struct epoll_event event;
  memset(&event, 0, sizeof event);
  event.events = EPOLLIN;
  if (set->outer_fd >= 0 && set->poll_fd >= 0) {
    epoll_ctl(set->outer_fd, EPOLL_CTL_ADD, set->poll_fd, &event);
  }
}

int rac_shim_poll_add(const rac_poll_set *set, int fd, bool writing,
                      uint64_t name) {
  return control(set, EPOLL_CTL_ADD, fd, interest(writing), name);
}

void rac_shim_poll_arm(const rac_poll_set *set, int fd, bool writing,
                       uint64_t name) {
  control(set, EPOLL_CTL_MOD, fd, interest(writing), name);
}

void rac_shim_poll_remove(const rac_poll_set *set, int fd) {
  control(set, EPOLL_CTL_DEL, fd, 0, 0);
}

void rac_shim_poll_wake(const rac_poll_set *set) {
  uint64_t one = 1;
  while (write(set->event_fd, &one, sizeof one) < 0 && errno == EINTR) {
  }
}

bool rac_shim_poll_is_ready(const rac_poll_set *set) {
  struct pollfd look = {set->poll_fd, POLLIN, 0};
  return poll(&look, 1, 0) > 0;
}

static int wait_for(int poll_fd, struct epoll_event *events, int capacity,
                    int64_t deadline) {
  if (deadline == RAC_SHIM_NEVER) {
    return epoll_wait(poll_fd, events, capacity, -1);
  }
  int64_t left = deadline > 0 ? deadline - rac_shim_now() : 0;
  if (left <= 0) return epoll_wait(poll_fd, events, capacity, 0);
  struct timespec time = {left / 1000000000, left % 1000000000};
  long count = syscall(SYS_epoll_pwait2, poll_fd, events, capacity, &time, NULL,
                       (size_t)0);
  if (count >= 0 || errno != ENOSYS) return (int)count;
  int64_t longest = 1000000;  // milliseconds
  int64_t pause = (left + 999999) / 1000000;
  return epoll_wait(poll_fd, events, capacity,
                    (int)(pause < longest ? pause : longest));
}

int rac_shim_poll_wait(int poll_fd, int event_fd, uint64_t *names, int capacity,
                       int64_t deadline) {
  struct epoll_event events[64];
  if (capacity > 64) capacity = 64;
  int count = wait_for(poll_fd, events, capacity, deadline);
  int named = 0;
  for (int i = 0; i < count; i++) {
    if (events[i].data.u64 != RAC_SHIM_WOKEN) {
      names[named++] = events[i].data.u64;
    } else {
      uint64_t wakes;
      while (read(event_fd, &wakes, sizeof wakes) < 0 && errno == EINTR) {
      }
    }
  }
  return named;
}
