// What a thread sleeps on in the system until it is woken or a time has come:
// the descriptor of the main loop, and an alarm; see CRACShims.h.
//
// SPDX-License-Identifier: MIT
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "CRACShims.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <unistd.h>

static bool add_to_poll(const rac_wakeup *wakeup, int fd) {
  struct epoll_event event;
  memset(&event, 0, sizeof event);
  event.events = EPOLLIN;  // level-triggered
  return epoll_ctl(wakeup->poll_fd, EPOLL_CTL_ADD, fd, &event) == 0;
}

bool rac_shim_wakeup_open(rac_wakeup *wakeup) {
  rac_wakeup opened = {
      epoll_create1(EPOLL_CLOEXEC), eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK),
      timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK)};
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

static bool take_number(int *fresh, int number) {
  if (dup3(*fresh, number, O_CLOEXEC) < 0) return false;
  close(*fresh);
  *fresh = number;
  return true;
}

bool rac_shim_wakeup_renew(rac_wakeup *wakeup) {
  rac_wakeup old = *wakeup, fresh;
  *wakeup = (rac_wakeup){-1, -1, -1};
  // Closed first: a process may have as many as it is allowed.
  close(old.event_fd);
  close(old.timer_fd);
  if (!rac_shim_wakeup_open(&fresh)) return false;
  *wakeup = fresh;
  return take_number(&wakeup->poll_fd, old.poll_fd);
}

void rac_shim_wakeup_signal(const rac_wakeup *wakeup) {
  uint64_t one = 1;
  // EAGAIN means the counter is already far from zero: readable all the same.
  while (write(wakeup->event_fd, &one, sizeof one) < 0 && errno == EINTR) {
  }
}

bool rac_shim_wakeup_clear(const rac_wakeup *wakeup) {
  uint64_t count;
  ssize_t got;
  while ((got = read(wakeup->event_fd, &count, sizeof count)) < 0 &&
         errno == EINTR) {
  }
  return got > 0;
}

void rac_shim_wakeup_arm(const rac_wakeup *wakeup, int64_t deadline) {
  rac_shim_alarm_set(wakeup->timer_fd, deadline);
}

int rac_shim_alarm_open(void) {
  return timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);
}

void rac_shim_alarm_close(int alarm) { close(alarm); }

void rac_shim_alarm_set(int alarm, int64_t deadline) {
  struct itimerspec spec;
  memset(&spec, 0, sizeof spec);
  spec.it_value.tv_sec = deadline / 1000000000;
  spec.it_value.tv_nsec = deadline % 1000000000;
  timerfd_settime(alarm, TFD_TIMER_ABSTIME, &spec, NULL);
}

void rac_shim_alarm_wait(int alarm) {
  uint64_t count;
  while (read(alarm, &count, sizeof count) < 0 && errno == EINTR) {
  }
}
