/* What a burst of timers took: the next burst finds it, and when nobody needs it
 * for a second or two it goes back to the system, while all sleep. A second burst
 * that comes soon after that has its memory for some seconds more. And what timers
 * take that are taken back one by one. */
#define _GNU_SOURCE
#include <unistd.h>

#include "check.h"
#include "process.h"

static rac_disposable **timers;
static int64_t count;
static int64_t peak;

static void ignore(void *context) { (void)context; }

static void burst(rac_scheduler *scheduler) {
  for (int64_t i = 0; i < count; i++)
    timers[i] = rac_schedule_after(scheduler, 1000, NULL, ignore, NULL);
  peak = resident();
  for (int64_t i = 0; i < count; i++) {
    CHECK_STATUS(rac_dispose(timers[i]), RAC_OK);
    CHECK_STATUS(rac_release(timers[i]), RAC_OK);
  }
}

/* Of other threads, and the heap's, whose room goes with the next burst. */
enum { LEFT = 1 << 20, EACH = 48 };

TEST(what_timers_took_goes_when_nobody_needs_it) {
  count = check_scaled(400000);
  timers = calloc((size_t)count, sizeof(rac_disposable *));
  REQUIRE(timers != NULL);
  for (int64_t i = 0; i < count; i++) timers[i] = (rac_disposable *)timers;
  rac_scheduler *scheduler = rac_scheduler_background(0, NULL);
  int64_t before = resident();
  burst(scheduler);
#ifdef RAC_EMBEDDED
  int64_t most = before + EACH * count + LEFT;
  CHECK(peak > before + 120 * count);
  double since = check_clock();
  while (resident() > most && check_clock() - since < 60) usleep(50000);
  CHECK(resident() <= most);
  /* Again, because it is told again. */
  burst(scheduler);
  since = check_clock();
  while (resident() > most && check_clock() - since < 60) usleep(50000);
  CHECK(resident() <= most);
#else
  (void)before;
#endif
  rac_release(scheduler);
  free(timers);
}

/* Their entries lie in the heap until most of it is such. */
TEST(timers_that_are_taken_back_do_not_pile_up) {
  enum { LIVING = 1000, TAKEN_BACK = 1000000 };
  rac_disposable *living[LIVING];
  owned rac_scheduler *scheduler = rac_scheduler_background(0, NULL);
  for (int i = 0; i < LIVING; i++)
    living[i] = rac_schedule_after(scheduler, 2000, NULL, ignore, NULL);
  int64_t before = resident();
  for (int64_t i = check_scaled(TAKEN_BACK); i > 0; i--) {
    owned rac_disposable *timer =
        rac_schedule_after(scheduler, 1000, NULL, ignore, NULL);
    CHECK_STATUS(rac_dispose(timer), RAC_OK);
  }
#ifdef RAC_EMBEDDED
  CHECK(resident() <= before + LEFT);
#else
  (void)before;
#endif
  for (int i = 0; i < LIVING; i++) {
    CHECK_STATUS(rac_dispose(living[i]), RAC_OK);
    rac_release(living[i]);
  }
}
