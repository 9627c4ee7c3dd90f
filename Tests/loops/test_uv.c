/* librac under load in a libuv loop. */
#include "load.h"

#include <rac_uv.h>

static uv_poll_t librac;
static uv_timer_t timer;

static void tick(uv_timer_t *handle) {
  (void)handle;
  load_tick();
  if (!load_is_over()) return;
  uv_close((uv_handle_t *)&timer, NULL);
  uv_close((uv_handle_t *)&librac, NULL);
}

int main(void) {
  uv_loop_t loop;
  /* libuv keeps what the first loop of a process opens for signals. */
  if (uv_loop_init(&loop) != 0 || uv_loop_close(&loop) != 0) return 1;
  load_before();
  if (uv_loop_init(&loop) != 0 || rac_uv_init(&loop, &librac) != 0) return 1;
  uv_timer_init(&loop, &timer);
  uv_timer_start(&timer, tick, LOAD_TICK_MS, LOAD_TICK_MS);

  load_start();
  uv_run(&loop, UV_RUN_DEFAULT);

  if (uv_loop_close(&loop) != 0) return 1;
  return load_end("libuv");
}
