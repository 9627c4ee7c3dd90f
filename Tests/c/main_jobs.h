/* Jobs on the main scheduler that count_up how often they ran, and its descriptor. */
#ifndef RAC_MAIN_JOBS_H
#define RAC_MAIN_JOBS_H

#include <poll.h>

#include "shared_callbacks.h"

static inline rac_scheduler *main_scheduler(void) {
  return rac_scheduler_main();
}

static inline rac_disposable *add(atomic_int *runs) {
  return rac_schedule(main_scheduler(), context_new(runs, NULL), count_up,
                      context_destroy);
}

static inline rac_disposable *add_after(double seconds, atomic_int *runs) {
  return rac_schedule_after(main_scheduler(), seconds, context_new(runs, NULL),
                            count_up, context_destroy);
}

/* Whether the descriptor becomes readable within the time. */
static inline bool readable(int milliseconds) {
  struct pollfd fd = {.fd = rac_main_fd(), .events = POLLIN};
  return poll(&fd, 1, milliseconds) == 1 && (fd.revents & POLLIN);
}

#endif
