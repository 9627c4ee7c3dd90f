/* Sources in a GLib main loop, which has a child of its own. */
#include "flood.h"

#include <rac_glib.h>

static GMainLoop *loop;

static gboolean tick(gpointer data) {
  (void)data;
  ticks_add(&flood.host);
  if (flood_is_over()) g_main_loop_quit(loop);
  return G_SOURCE_CONTINUE;
}

static void exited(GPid pid, gint status, gpointer data) {
  (void)data;
  flood.host_child_over = WIFEXITED(status) && WEXITSTATUS(status) == 3;
  g_spawn_close_pid(pid);
}

static pid_t start_child(void) {
  pid_t pid = fork();
  if (pid != 0) return pid;
  nanosleep(&(struct timespec){0, 200000000}, NULL);
  _exit(3);
}

static void attach(GSource *source, GSourceFunc callback) {
  g_source_set_callback(source, callback, NULL, NULL);
  g_source_attach(source, g_main_loop_get_context(loop));
}

static GSource *watch(pid_t pid) {
  GSource *child = g_child_watch_source_new(pid);
  attach(child, (GSourceFunc)(void (*)(void))exited);
  return child;
}

int main(void) {
  /* GLib keeps the thread, and what it opens, that its first child needs. */
  GMainContext *context = g_main_context_new();
  loop = g_main_loop_new(context, FALSE);
  GSource *child = watch(start_child());
  while (!flood.host_child_over) g_main_context_iteration(context, TRUE);
  g_source_unref(child);
  flood.host_child_over = false;

  flood_before();
  GSource *librac = rac_glib_source_new();
  g_source_attach(librac, context);
  GSource *timer = g_timeout_source_new(FLOOD_TICK_MS);
  attach(timer, tick);
  flood_start();
  child = watch(start_child());
  g_main_loop_run(loop);

  g_source_unref(child);
  g_source_destroy(timer);
  g_source_unref(timer);
  g_source_destroy(librac);
  g_source_unref(librac);
  int result = flood_end("glib");
  g_main_loop_unref(loop);
  g_main_context_unref(context);
  return result;
}
