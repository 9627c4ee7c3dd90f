/* An overload of two: a thread sends 100,000 items a second, each of which takes
 * 20 us. Slices of 2 ms leave the host's own timer its ticks. */
#include <inttypes.h>
#include <poll.h>
#include <pthread.h>
#include <rac.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include "ticks.h"

enum { MILLION = 1000000, TICK_NS = 10 * MILLION, WORK_NS = 20000 };

static atomic_bool over;
static rac_subject *subject;
static int64_t sent, heard;

static int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * (int64_t)1000000000 + time.tv_nsec;
}

static int open_timer(void) {
  struct itimerspec spec = {{0, TICK_NS}, {0, TICK_NS}};
  int timer = timerfd_create(CLOCK_MONOTONIC, 0);
  timerfd_settime(timer, 0, &spec, NULL);
  return timer;
}

static bool take_tick(int timer) {
  uint64_t count;
  return read(timer, &count, sizeof count) == sizeof count;
}

static void *send_all(void *context) {
  struct timespec pause = {0, MILLION};
  (void)context;
  while (!atomic_load(&over)) {
    nanosleep(&pause, NULL);
    for (int i = 0; i < 100; i++, sent++)
      rac_subject_send(subject, rac_int64(sent));
  }
  return NULL;
}

static void work(void *context, rac_value value) {
  int64_t end = now() + WORK_NS;
  (void)context, (void)value;
  while (now() < end) continue;
  heard++;
}

int main(void) {
  rac_scheduler *loop = rac_scheduler_main();
  pthread_t sender;
  ticks host;
  int64_t end = now() + INT64_C(1500) * MILLION;
  int timer = open_timer();
  subject = rac_subject_create();
  rac_signal *here =
      rac_signal_deliver_on(rac_subject_as_signal(subject), loop);
  rac_disposable *d = rac_subscribe_next(here, NULL, work, NULL);
  if (pthread_create(&sender, NULL, send_all, NULL) != 0) return 1;
  ticks_begin(&host, TICK_NS / 1e9);
  while (now() < end) {
    struct pollfd fds[] = {{.fd = timer, .events = POLLIN},
                           {.fd = rac_main_fd(), .events = POLLIN}};
    poll(fds, 2, 100);
    if (fds[0].revents && take_tick(timer)) ticks_add(&host);
    if (fds[1].revents) rac_main_drain_for(0.002);
  }
  bool is_on_time = ticks_kept_up(&host);
  atomic_store(&over, true);
  pthread_join(sender, NULL);
  printf("%" PRId64 " ticks, %" PRId64 " items of %" PRId64 "\n", host.count,
         heard, sent);
  rac_dispose(d);
  rac_release(d);
  rac_release(here);
  rac_release(subject);
  rac_release(loop);
  close(timer);
  return is_on_time ? 0 : 1;
}
