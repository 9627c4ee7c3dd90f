/* ../glib_form.c without librac: a structure, and a function that looks at all of
 * it whenever some of it has changed.
 *
 * SPDX-License-Identifier: MIT
 */
#include <glib.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

typedef struct request {
  char *name;
  bool (*ask)(const char *name);          /* on the server's thread */
  void (*answered)(struct request *self); /* in the loop */
  bool is_granted;
} request;

static GMainLoop *loop;
static GThreadPool *server;

static struct {
  char *name, *email;
  bool is_free, is_executing, can_sign_up;
  guint timer; /* until the server is asked about the name, or 0 */
} form;

/* ---- The server: on a thread of its own, which takes its time -------------- */

static bool is_free(const char *name) {
  g_usleep(20000);
  return name[0] != '\0' && strcmp(name, "taken") != 0;
}

static bool register_name(const char *name) {
  g_usleep(20000);
  return strcmp(name, "late") != 0;
}

static gboolean answer(gpointer data) {
  request *self = data;
  self->answered(self);
  g_free(self->name);
  g_free(self);
  return G_SOURCE_REMOVE;
}

static void serve(gpointer data, gpointer context) {
  request *self = data;
  (void)context;
  self->is_granted = self->ask(self->name);
  g_idle_add(answer, self);
}

/* What the server says about the name; heard in the loop. */
static void ask(bool (*ask)(const char *), void (*answered)(request *)) {
  request *self = g_new0(request, 1);
  self->name = g_strdup(form.name);
  self->ask = ask;
  self->answered = answered;
  g_thread_pool_push(server, self, NULL);
}

/* ---- The form's rules, and what is shown ----------------------------------- */

static void show(const char *format, const char *text) {
  printf(format, text);
  fflush(stdout);
}

static void update(void) {
  bool is_complete = g_pattern_match_simple("*?@?*.?*", form.email);
  bool can_sign_up = form.is_free && is_complete && !form.is_executing;
  if (can_sign_up == form.can_sign_up) return;
  form.can_sign_up = can_sign_up;
  show("can sign up: %s\n", can_sign_up ? "yes" : "no");
}

static void checked(request *answered) {
  if (form.timer != 0 || strcmp(answered->name, form.name) != 0) return;
  form.is_free = answered->is_granted;
  update();
}

static gboolean check(gpointer context) {
  (void)context;
  form.timer = 0;
  ask(is_free, checked);
  return G_SOURCE_REMOVE;
}

static void registered(request *answered) {
  if (answered->is_granted)
    show("welcome, %s\n", answered->name);
  else
    show("sorry, %s\n", "it is full");
  form.is_executing = false;
  update();
}

/* ---- What is entered ------------------------------------------------------- */

static void set_name(const char *name) {
  if (strcmp(name, form.name) == 0) return;
  g_free(form.name);
  form.name = g_strdup(name);
  form.is_free = false;
  if (form.timer != 0) g_source_remove(form.timer);
  form.timer = g_timeout_add(100, check, NULL);
  update();
}

static void set_email(const char *email) {
  g_free(form.email);
  form.email = g_strdup(email);
  update();
}

static void execute(void) {
  form.is_executing = true;
  update();
  ask(register_name, registered);
}

static void enter(const char *line) {
  if (g_str_has_prefix(line, "name "))
    set_name(line + 5);
  else if (g_str_has_prefix(line, "email "))
    set_email(line + 6);
  else if (form.can_sign_up)
    execute();
  else
    show("%s\n", "not now");
}

static gboolean read_line(GIOChannel *channel, GIOCondition condition,
                          gpointer data) {
  gchar *line = NULL;
  gsize end = 0;
  GIOStatus status = g_io_channel_read_line(channel, &line, NULL, &end, NULL);
  (void)condition, (void)data;
  if (line != NULL) {
    line[end] = '\0';
    enter(line);
    g_free(line);
  }
  if (status == G_IO_STATUS_NORMAL || status == G_IO_STATUS_AGAIN)
    return G_SOURCE_CONTINUE;
  g_main_loop_quit(loop);
  return G_SOURCE_REMOVE;
}

int main(void) {
  loop = g_main_loop_new(NULL, FALSE);
  server = g_thread_pool_new(serve, NULL, 1, TRUE, NULL);
  form.name = g_strdup("");
  form.email = g_strdup("");
  show("can sign up: %s\n", "no");

  GIOChannel *input = g_io_channel_unix_new(0);
  g_io_channel_set_flags(input, G_IO_FLAG_NONBLOCK, NULL);
  g_io_add_watch(input, G_IO_IN | G_IO_HUP, read_line, NULL);
  g_main_loop_run(loop);

  g_io_channel_unref(input);
  g_thread_pool_free(server, FALSE, TRUE);
  g_free(form.name);
  g_free(form.email);
  g_main_loop_unref(loop);
  return 0;
}
