// A set of descriptors that are polled.
//
// SPDX-License-Identifier: MIT
#ifndef _XOPEN_SOURCE
#define _XOPEN_SOURCE 700
#endif
#include "CRACDescriptors.h"

#include <poll.h>
#include <unistd.h>

int rac_shim_poll_open(rac_poll_set *set) {
  set->poll_fd = rac_platform_poll_open();
  set->event_fd = rac_platform_event_open(false);
  int result = set->poll_fd < 0 ? set->poll_fd : set->event_fd;
  if (result >= 0) {
    result = rac_platform_poll_change(set->poll_fd, RAC_POLL_ADD, set->event_fd,
                                      false, RAC_SHIM_WOKEN);
  }
  if (result < 0) {
    rac_shim_poll_close(set);
    return result;
  }
  rac_shim_poll_nest(set);
  return 0;
}

void rac_shim_poll_close(rac_poll_set *set) {
  if (set->poll_fd >= 0) close(set->poll_fd);
  if (set->event_fd >= 0) close(set->event_fd);
  set->poll_fd = set->event_fd = -1;
}

void rac_shim_poll_nest(const rac_poll_set *set) {
  if (set->outer_fd < 0 || set->poll_fd < 0) return;
  rac_platform_poll_change(set->outer_fd, RAC_POLL_ADD, set->poll_fd, false, 0);
}

int rac_shim_poll_add(const rac_poll_set *set, int fd, bool writing,
                      uint64_t name) {
  return rac_platform_poll_change(set->poll_fd, RAC_POLL_ONCE, fd, writing,
                                  name);
}

void rac_shim_poll_arm(const rac_poll_set *set, int fd, bool writing,
                       uint64_t name) {
  rac_platform_poll_change(set->poll_fd, RAC_POLL_REARM, fd, writing, name);
}

void rac_shim_poll_remove(const rac_poll_set *set, int fd) {
  rac_platform_poll_change(set->poll_fd, RAC_POLL_REMOVE, fd, false, 0);
}

void rac_shim_poll_wake(const rac_poll_set *set) {
  rac_platform_event_post(set->event_fd);
}

bool rac_shim_poll_is_ready(const rac_poll_set *set) {
  struct pollfd look = {set->poll_fd, POLLIN, 0};
  return poll(&look, 1, 0) > 0;
}

int rac_shim_poll_wait(int poll_fd, int event_fd, uint64_t *names, int capacity,
                       int64_t deadline) {
  int count = rac_platform_poll_wait(poll_fd, names, capacity, deadline);
  int named = 0;
  for (int i = 0; i < count; i++) {
    if (names[i] != RAC_SHIM_WOKEN) {
      names[named++] = names[i];
    } else {
      rac_platform_event_take(event_fd);
    }
  }
  return named;
}
