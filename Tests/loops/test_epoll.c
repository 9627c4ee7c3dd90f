/* librac under load in an epoll loop. */
#include "load.h"

#include <rac.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/timerfd.h>
#include <unistd.h>

static int watch(int poll, int descriptor) {
  struct epoll_event event = {.events = EPOLLIN, .data.fd = descriptor};
  return epoll_ctl(poll, EPOLL_CTL_ADD, descriptor, &event);
}

/* The ticks that were missed are lost, as in the other loops. */
static int new_timer(void) {
  const struct timespec each = {0, LOAD_TICK_MS * 1000000};
  const struct itimerspec repeating = {each, each};
  int timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
  timerfd_settime(timer, 0, &repeating, NULL);
  return timer;
}

static bool turn(void) { return rac_main_drain_for(0) == RAC_EFORK; }

int main(void) {
  int poll, timer;
  load_before();
  poll = epoll_create1(0);
  timer = new_timer();
  if (watch(poll, timer) != 0 || watch(poll, rac_main_fd()) != 0) return 1;

  load_start();
  while (!load_is_over()) {
    struct epoll_event events[2];
    int count = epoll_wait(poll, events, 2, LOAD_TICK_MS), i;
    for (i = 0; i < count; i++) {
      uint64_t ticks;
      if (events[i].data.fd != timer)
        rac_main_drain_for(0.002);
      else if (read(timer, &ticks, sizeof ticks) > 0)
        load_tick();
    }
  }

  load_fork(turn);

  close(timer);
  close(poll);
  return load_end("epoll");
}
