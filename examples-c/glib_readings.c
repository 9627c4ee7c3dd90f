/* librac in a GLib program: readings from standard input, one number a line.
 *
 *     sensor | glib_readings
 *
 * shows, ten times a second and on the main loop, how many readings came and
 * their mean, and in the end the same for all of them. A window of readings is
 * one value: rac_signal_buffer_with_time() gathers them; GLib reads the lines.
 *
 * SPDX-License-Identifier: MIT
 */
#include <rac_glib.h>
#include <stdio.h>

static GMainLoop *loop;
static rac_subject *readings;
static struct {
  size_t count;
  double sum;
} all;
static int exit_code;

/* ---- What is heard: in the loop's thread --------------------------------- */

static void show_window(void *context, rac_value window) {
  size_t count = rac_tuple_count(window), i;
  double sum = 0, number = 0;
  (void)context;
  for (i = 0; i < count; i++)
    if (rac_value_get_double(rac_tuple_get(window, i), &number) == RAC_OK)
      sum += number;
  all.count += count;
  all.sum += sum;
  if (count > 0)
    fprintf(stderr, "%zu readings, mean %.3f\n", count, sum / (double)count);
}

static void show_all(void *context) {
  (void)context;
  printf("%zu readings", all.count);
  if (all.count > 0) printf(", mean %.3f", all.sum / (double)all.count);
  printf("\n");
  g_main_loop_quit(loop);
}

static void show_error(void *context, rac_value error) {
  (void)context;
  fprintf(stderr, "glib_readings: %s\n", rac_error_get_message(error));
  exit_code = 1;
  g_main_loop_quit(loop);
}

/* ---- What is sent -------------------------------------------------------- */

static void send_error(const char *message) {
  rac_value error = rac_value_error("readings", 1, message);
  rac_subject_send_error(readings, error);
  rac_value_release(error);
}

/* A line whenever there is one. Wrong ones end the stream. */
static gboolean read_line(GIOChannel *channel, GIOCondition condition,
                          gpointer data) {
  gchar *line = NULL, *rest = NULL;
  GError *error = NULL;
  GIOStatus status = g_io_channel_read_line(channel, &line, NULL, NULL, &error);
  gboolean goes_on =
      status == G_IO_STATUS_NORMAL || status == G_IO_STATUS_AGAIN;
  (void)condition;
  (void)data;
  if (status == G_IO_STATUS_ERROR) {
    send_error(error->message);
    g_error_free(error);
  } else if (status == G_IO_STATUS_EOF) {
    rac_subject_send_completed(readings);
  } else if (line != NULL) {
    double number = g_ascii_strtod(line, &rest);
    if (rest == line || *g_strchug(rest) != '\0') {
      send_error("a line is no number");
      goes_on = FALSE;
    } else {
      rac_subject_send(readings, rac_double(number));
    }
  }
  g_free(line);
  return goes_on;
}

int main(void) {
  loop = g_main_loop_new(NULL, FALSE);
  GSource *librac = rac_glib_source_new();
  if (librac == NULL) {
    fprintf(stderr, "glib_readings: %s\n", rac_last_error_message());
    return 1;
  }
  g_source_attach(librac, NULL);
  g_source_unref(librac);

  readings = rac_subject_create();
  rac_scheduler *here = rac_scheduler_main();
  rac_signal *windows =
      rac_signal_buffer_with_time(rac_subject_as_signal(readings), 0.1, here);
  rac_observer observer = RAC_OBSERVER_INIT;
  observer.next = show_window;
  observer.error = show_error;
  observer.completed = show_all;
  rac_disposable *subscription = rac_subscribe(windows, &observer);

  GIOChannel *input = g_io_channel_unix_new(0);
  g_io_channel_set_encoding(input, NULL, NULL); /* bytes */
  /* Half a line must not hold up the loop. */
  g_io_channel_set_flags(input, G_IO_FLAG_NONBLOCK, NULL);
  g_io_add_watch(input, G_IO_IN | G_IO_HUP, read_line, NULL);
  if (subscription != NULL) g_main_loop_run(loop);

  g_io_channel_unref(input);
  rac_release(subscription);
  rac_release(windows);
  rac_release(here);
  rac_release(readings);
  g_main_loop_unref(loop);
  return exit_code;
}
