/* librac under load in a GLib main loop. */
#include "load.h"

#include <rac_glib.h>
#include <stdio.h>

static GMainLoop *loop;
static GSource *librac;

static gboolean tick(gpointer data) {
  (void)data;
  load_tick();
  if (load_is_over()) g_main_loop_quit(loop);
  return G_SOURCE_CONTINUE;
}

static bool turn(void) {
  g_main_context_iteration(g_main_loop_get_context(loop), FALSE);
  return g_source_is_destroyed(librac);
}

/* A source that is told of something after rac_close() ends by itself, and there
 * are no new ones. */
static bool ends_with_the_library(void) {
  int32_t descriptor = rac_main_fd();
  bool is_right = rac_close(5) == RAC_OK &&
                  rac_glib_run(descriptor, G_IO_IN, NULL) == G_SOURCE_REMOVE &&
                  rac_glib_source_new() == NULL &&
                  rac_last_error_code() == RAC_ECLOSED;
  if (!is_right) fprintf(stderr, "FAILED: glib: after rac_close()\n");
  return is_right;
}

int main(void) {
  GMainContext *context;
  GSource *timer;
  load_before();
  context = g_main_context_new();
  loop = g_main_loop_new(context, FALSE);
  librac = rac_glib_source_new();
  g_source_attach(librac, context);
  timer = g_timeout_source_new(LOAD_TICK_MS);
  g_source_set_callback(timer, tick, NULL, NULL);
  g_source_attach(timer, context);

  load_start();
  g_main_loop_run(loop);
  load_fork(turn);

  g_source_destroy(timer);
  g_source_unref(timer);
  g_source_destroy(librac);
  g_source_unref(librac);
  g_main_loop_unref(loop);
  g_main_context_unref(context);
  int failures = load_end("glib");
  return ends_with_the_library() ? failures : 1;
}
