/* A sign-up form in a GLib program. What a window would send comes as lines from
 * standard input, and what it would show is printed:
 *
 *     name ann                what is in the field now
 *     email ann@home.net
 *     go                      the button
 *
 * The name and the address are properties. A tenth of a second after the name
 * was changed a server is asked whether it is free; an answer about a name that
 * has been changed since counts for nothing. Signing up is a command, which is
 * enabled when the name is free and the address complete, and while it is not
 * executing. by_hand/glib_form.c is the same program without librac.
 *
 * SPDX-License-Identifier: MIT
 */
#include <rac_glib.h>
#include <stdio.h>
#include <string.h>

static rac_scheduler *server, *here;
static rac_property *name, *email;
static rac_command *sign_up;

static const char *text_of(rac_value value) {
  const char *text = "";
  rac_value_get_string(value, &text, NULL);
  return text;
}

/* ---- The server: on a thread of its own, which takes its time -------------- */

static rac_status is_free(void *context, rac_value name, rac_value *out) {
  const char *text = text_of(name);
  (void)context;
  g_usleep(20000);
  *out = rac_bool(text[0] != '\0' && strcmp(text, "taken") != 0);
  return RAC_OK;
}

static rac_status register_name(void *context, rac_value name, rac_value *out) {
  RAC_AUTO_VALUE rac_value full = rac_value_error("server", 1, "it is full");
  (void)context;
  g_usleep(20000);
  if (strcmp(text_of(name), "late") == 0) return rac_raise(full);
  *out = rac_value_retain(name);
  return RAC_OK;
}

/* What the server says to a value, after some time; heard in the loop. */
static rac_signal *ask(rac_value value, double after, rac_map_fn answer) {
  rac_signal *asked = rac_signal_return(value);
  RAC_ASSIGN(asked, rac_signal_delay(asked, after, server));
  RAC_ASSIGN(asked, rac_signal_map(asked, NULL, answer, NULL));
  RAC_ASSIGN(asked, rac_signal_deliver_on(asked, here));
  return asked;
}

/* ---- The form's rules ------------------------------------------------------ */

/* switch_map: the latest name alone is asked about; not free until answered. */
static rac_status check(void *context, rac_value name, rac_signal **out) {
  (void)context;
  *out = ask(name, 0.1, is_free);
  RAC_ASSIGN(*out, rac_signal_start_with(*out, rac_bool(false)));
  return RAC_OK;
}

static rac_status is_complete(void *context, rac_value email, rac_value *out) {
  (void)context;
  *out = rac_bool(g_pattern_match_simple("*?@?*.?*", text_of(email)));
  return RAC_OK;
}

static rac_status execute(void *context, rac_value name, rac_signal **out) {
  (void)context;
  *out = ask(name, 0, register_name);
  return RAC_OK;
}

/* ---- What is shown --------------------------------------------------------- */

static void show(const char *format, const char *text) {
  printf(format, text);
  fflush(stdout);
}

static void show_enabled(void *context, rac_value enabled) {
  (void)context;
  show("can sign up: %s\n", enabled.bits != 0 ? "yes" : "no");
}

static void show_welcome(void *context, rac_value name) {
  (void)context;
  show("welcome, %s\n", text_of(name));
}

static void show_error(void *context, rac_value error) {
  (void)context;
  show("sorry, %s\n", rac_error_get_message(error));
}

/* ---- What is entered ------------------------------------------------------- */

static void enter(void *context, rac_value line) {
  RAC_AUTO_VALUE rac_value who = rac_value_nil();
  const char *text = text_of(line);
  (void)context;
  rac_property_get(name, &who);
  if (g_str_has_prefix(text, "name "))
    rac_property_set(name, rac_value_string(text + 5));
  else if (g_str_has_prefix(text, "email "))
    rac_property_set(email, rac_value_string(text + 6));
  else if (rac_command_is_enabled(sign_up))
    rac_release(rac_command_execute(sign_up, who));
  else
    show("%s\n", "not now");
}

static void quit(void *loop) { g_main_loop_quit(loop); }

static void listen_to(rac_signal *signal, rac_next_fn next) {
  rac_subscribe_detached(signal, NULL, next, NULL, NULL, NULL);
  rac_release(signal);
}

int main(void) {
  GMainLoop *loop = g_main_loop_new(NULL, FALSE);
  GSource *librac = rac_glib_source_new();
  server = rac_scheduler_background(RAC_PRIORITY_DEFAULT, "server");
  here = rac_scheduler_main();
  name = rac_property_create(rac_value_string(""), RAC_PROPERTY_DISTINCT);
  email = rac_property_create(rac_value_string(""), RAC_PROPERTY_DISTINCT);

  RAC_AUTO rac_signal *name_is_free =
      rac_signal_switch_map(rac_property_as_signal(name), NULL, check, NULL);
  RAC_AUTO rac_signal *email_is_complete =
      rac_signal_map(rac_property_as_signal(email), NULL, is_complete, NULL);
  rac_signal *is_right[] = {name_is_free, email_is_complete};
  RAC_AUTO rac_signal *enabled = rac_signal_combine_latest(is_right, 2);
  RAC_ASSIGN(enabled, rac_signal_and(enabled));
  sign_up = rac_command_create(enabled, here, NULL, execute, NULL);

  listen_to(rac_command_enabled(sign_up), show_enabled);
  listen_to(rac_command_errors(sign_up), show_error);
  RAC_AUTO rac_signal *executions = rac_command_execution_signals(sign_up);
  listen_to(rac_signal_flatten(executions, 0), show_welcome);
  RAC_AUTO rac_signal *lines =
      rac_signal_lines(0, RAC_DESCRIPTOR_LENT, 0, here);
  if (librac == NULL ||
      rac_subscribe_detached(lines, loop, enter, NULL, quit, NULL) != RAC_OK) {
    fprintf(stderr, "glib_form: %s\n", rac_last_error_message());
    return 1;
  }
  g_source_attach(librac, NULL);
  g_main_loop_run(loop);

  void *handles[] = {sign_up, email, name, here, server};
  for (int i = 0; i < 5; i++) rac_release(handles[i]);
  while (rac_main_drain(0) > 0) continue; /* what they still had to do */
  g_source_unref(librac);
  g_main_loop_unref(loop);
  return 0;
}
