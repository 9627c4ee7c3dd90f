/* Sources in a libuv loop, which has a child and a signal of its own. */
#include "flood.h"

#include <rac_uv.h>

static uv_loop_t loop;
static uv_poll_t librac;
static uv_timer_t timer;
static uv_process_t process;
static uv_signal_t other;
static int heard;

static void tick(uv_timer_t *handle) {
  (void)handle;
  ticks_add(&flood.host);
  if (flood_is_over()) uv_stop(&loop);
}

static void exited(uv_process_t *handle, int64_t status, int number) {
  flood.host_child_over = status == 3 && number == 0;
  uv_close((uv_handle_t *)handle, NULL);
  raise(SIGUSR2);
}

static void signalled(uv_signal_t *handle, int number) {
  heard += number == SIGUSR2;
  uv_close((uv_handle_t *)handle, NULL);
}

int main(void) {
  uv_process_options_t options = {0};
  char *arguments[] = {"sh", "-c", "sleep 0.2; exit 3", NULL};
  /* libuv keeps what the first loop of a process opens for signals. */
  if (uv_loop_init(&loop) != 0 || uv_loop_close(&loop) != 0) return 1;
  flood_before();
  if (uv_loop_init(&loop) != 0 || rac_uv_init(&loop, &librac) != 0) return 1;
  uv_timer_init(&loop, &timer);
  uv_timer_start(&timer, tick, FLOOD_TICK_MS, FLOOD_TICK_MS);
  uv_signal_init(&loop, &other);
  uv_signal_start(&other, signalled, SIGUSR2);
  options.file = "sh";
  options.args = arguments;
  options.exit_cb = exited;
  flood_start();
  if (uv_spawn(&loop, &process, &options) != 0) return 1;
  uv_run(&loop, UV_RUN_DEFAULT);

  uv_close((uv_handle_t *)&timer, NULL);
  uv_close((uv_handle_t *)&librac, NULL);
  uv_run(&loop, UV_RUN_DEFAULT);
  if (uv_loop_close(&loop) != 0) return 1;
  return flood_end("libuv") | flood_check(heard == 1, "libuv's own signal");
}
