/* librac under load in a libuv loop. */
#include "load.h"

#include <rac_uv.h>
#include <stdio.h>

static uv_loop_t loop;
static uv_poll_t librac;
static uv_timer_t timer;

/* libuv is told of the fork first, as its manual asks. */
static bool turn(void) {
  static bool is_told;
  if (!is_told && uv_loop_fork(&loop) != 0) return false;
  is_told = true;
  uv_run(&loop, UV_RUN_NOWAIT);
  return !uv_is_active((uv_handle_t *)&librac);
}

static void tick(uv_timer_t *handle) {
  (void)handle;
  load_tick();
  if (load_is_over()) uv_stop(&loop);
}

/* A handle that is told of something after rac_close() stops by itself, and there
 * are no new ones. */
static bool ends_with_the_library(void) {
  uv_poll_t late;
  bool is_right;
  if (uv_loop_init(&loop) != 0 || rac_uv_init(&loop, &librac) != 0)
    return false;
  if (rac_close(5) != RAC_OK) return false;
  rac_uv_run(&librac, 0, UV_READABLE);
  is_right = !uv_is_active((uv_handle_t *)&librac) &&
             rac_uv_init(&loop, &late) == UV_ECANCELED;
  uv_close((uv_handle_t *)&librac, NULL);
  uv_run(&loop, UV_RUN_DEFAULT);
  if (!is_right || uv_loop_close(&loop) != 0)
    fprintf(stderr, "FAILED: libuv: after rac_close()\n");
  return is_right;
}

int main(void) {
  /* libuv keeps what the first loop of a process opens for signals. */
  if (uv_loop_init(&loop) != 0 || uv_loop_close(&loop) != 0) return 1;
  load_before();
  if (uv_loop_init(&loop) != 0 || rac_uv_init(&loop, &librac) != 0) return 1;
  uv_timer_init(&loop, &timer);
  uv_timer_start(&timer, tick, LOAD_TICK_MS, LOAD_TICK_MS);

  load_start();
  uv_run(&loop, UV_RUN_DEFAULT);
  load_fork(turn);

  uv_close((uv_handle_t *)&timer, NULL);
  uv_close((uv_handle_t *)&librac, NULL);
  uv_run(&loop, UV_RUN_DEFAULT);
  if (uv_loop_close(&loop) != 0) return 1;
  int failures = load_end("libuv");
  return ends_with_the_library() ? failures : 1;
}
