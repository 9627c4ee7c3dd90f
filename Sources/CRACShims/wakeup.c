// Descriptors on which a thread sleeps until it is woken or a time has come:
// that of the main loop, and an alarm.
//
// SPDX-License-Identifier: MIT
#ifndef _XOPEN_SOURCE
#define _XOPEN_SOURCE 700
#endif
#include "CRACDescriptors.h"

#include <unistd.h>

static bool add_to_poll(const rac_wakeup *wakeup, int fd) {
  return rac_platform_poll_change(wakeup->poll_fd, RAC_POLL_ADD, fd, false,
                                  0) == 0;
}

bool rac_shim_wakeup_open(rac_wakeup *wakeup) {
  rac_wakeup opened = {rac_platform_poll_open(), rac_platform_event_open(false),
                       rac_platform_timer_open(0)};
  if (opened.poll_fd >= 0 && opened.event_fd >= 0 && opened.timer_fd >= 0 &&
      add_to_poll(&opened, opened.event_fd) &&
      add_to_poll(&opened, opened.timer_fd)) {
    *wakeup = opened;
    return true;
  }
  if (opened.poll_fd >= 0) close(opened.poll_fd);
  if (opened.event_fd >= 0) close(opened.event_fd);
  if (opened.timer_fd >= 0) close(opened.timer_fd);
  return false;
}

bool rac_shim_wakeup_renew(rac_wakeup *wakeup) {
  rac_wakeup old = *wakeup, fresh;
  *wakeup = (rac_wakeup){-1, -1, -1};
  // Closed first: a process may have as many as it is allowed.
  close(old.event_fd);
  close(old.timer_fd);
  if (!rac_shim_wakeup_open(&fresh)) return false;
  *wakeup = fresh;
  if (!rac_platform_renumber(fresh.poll_fd, old.poll_fd)) return false;
  wakeup->poll_fd = old.poll_fd;
  return true;
}

void rac_shim_wakeup_signal(const rac_wakeup *wakeup) {
  rac_platform_event_post(wakeup->event_fd);
}

bool rac_shim_wakeup_clear(const rac_wakeup *wakeup) {
  return rac_platform_event_take(wakeup->event_fd);
}

void rac_shim_wakeup_arm(const rac_wakeup *wakeup, int64_t deadline) {
  rac_shim_alarm_set(wakeup->timer_fd, deadline);
}

int rac_shim_alarm_open(void) {
  return rac_platform_timer_open(RAC_TIMER_BLOCKS);
}

void rac_shim_alarm_close(int alarm) { close(alarm); }

void rac_shim_alarm_set(int alarm, int64_t deadline) {
  rac_platform_timer_arm(alarm, 0, deadline);
}

void rac_shim_alarm_wait(int alarm) { rac_platform_timer_take(alarm); }
