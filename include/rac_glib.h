/* librac in a GLib main loop.
 *
 *     GSource *source = rac_glib_source_new();
 *     g_source_attach(source, NULL);
 *     g_source_unref(source);
 *     g_main_loop_run(loop);
 *
 * Whatever is scheduled or delivered on the main scheduler then runs in the
 * thread of that loop, beside GLib's own sources. Compile with the flags of
 * pkg-config rac and glib-2.0. Needs GLib 2.36.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef RAC_GLIB_H
#define RAC_GLIB_H

#include <glib-unix.h>
#include <rac.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Seconds that librac runs at a time, at least one value, before the other
 * sources get their turn. Define it before this header for another time. */
#ifndef RAC_GLIB_SLICE
#define RAC_GLIB_SLICE 0.002
#endif

static inline gboolean rac_glib_run(gint descriptor, GIOCondition condition,
                                    gpointer data) {
  int64_t count = rac_main_drain_for(RAC_GLIB_SLICE);
  (void)descriptor;
  (void)condition;
  (void)data;
  return count == RAC_EFORK || count == RAC_ECLOSED ? G_SOURCE_REMOVE
                                                    : G_SOURCE_CONTINUE;
}

/* A source that runs the main scheduler when it has something to do. One is
 * enough for a process. It takes no descriptor of its own and never wakes the
 * loop in vain; g_source_destroy() ends it at any time, and what is scheduled
 * then waits. In a forked child where librac does not work it ends by itself.
 * After rac_close() nothing comes any more: end it.
 *
 * Returns one reference, for g_source_unref(); NULL when the system has no
 * descriptors left, and where librac was closed or does not work in this forked
 * child: see rac_last_error_message(). Set another priority with
 * g_source_set_priority(): G_PRIORITY_DEFAULT to begin with. */
static inline GSource *rac_glib_source_new(void) {
  int32_t descriptor = rac_main_fd();
  GSource *source;
  if (descriptor < 0) return NULL;
  source = g_unix_fd_source_new(descriptor, G_IO_IN);
  g_source_set_name(source, "librac");
#if GLIB_CHECK_VERSION(2, 58, 0)
  g_source_set_callback(source, G_SOURCE_FUNC(rac_glib_run), NULL, NULL);
#else
  g_source_set_callback(source, (GSourceFunc)rac_glib_run, NULL, NULL);
#endif
  return source;
}

#ifdef __cplusplus
}
#endif

#endif /* RAC_GLIB_H */
