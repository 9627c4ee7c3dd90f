/* Sources in a program without a loop: rac_main_run() is all. */
#include "flood.h"

static void tick(void *context) {
  (void)context;
  ticks_add(&flood.host);
  if (flood_is_over()) rac_main_stop();
}

int main(void) {
  flood_before();
  rac_scheduler *here = rac_scheduler_main();
  rac_disposable *timer = rac_schedule_repeating(
      here, FLOOD_TICK_MS / 1e3, FLOOD_TICK_MS / 1e3, 0, NULL, tick, NULL);
  flood.host_child_over = true;
  flood_start();
  rac_main_run();
  rac_dispose(timer);
  rac_release(timer);
  rac_release(here);
  return flood_end("rac_main_run");
}
