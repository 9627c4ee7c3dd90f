/* A sign-up form in a terminal:
 *
 *     form
 *
 * What is typed, what it means and what is wrong with it are properties; the
 * e-mail address is two of them, bound both ways; signing up is a command, which
 * is enabled as long as nothing is wrong. The loop polls the terminal, and the
 * descriptor that librac makes readable when the main scheduler has something to
 * run. No server is asked: the name "taken" is taken, every other one is free.
 *
 * SPDX-License-Identifier: MIT
 */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <poll.h>
#include <rac.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "form_terminal.h"

enum { NAME, EMAIL, PASSWORD, REPEAT, FIELDS, BUTTON = FIELDS, PLACES };

static const char *const labels[FIELDS] = {"Name", "E-mail", "Password",
                                           "Repeat it"};

static struct {
  rac_property *typed[FIELDS];
  rac_property *email;   /* what was typed there, trimmed and in lower case */
  rac_property *problem; /* what is wrong with all of it, "" for nothing */
  rac_property *status;  /* what became of signing up */
  rac_command *sign_up;
  rac_scheduler *server, *loop;
  rac_disposable *escape; /* the key, or the beginning of another one */
  bool is_enabled, is_executing;
  int focus;
  bool is_stale; /* what is on the screen */
  bool quits;
} form;

/* ---- Handles that live as long as the program --------------------------- */

static void *kept[64];
static int kept_count;

/* Every chain is checked here, where it has become a handle. */
static void *keep(void *handle) {
  if (handle == NULL) {
    terminal_leave();
    fprintf(stderr, "form: %s: %s\n", rac_last_error_function(),
            rac_last_error_message());
    exit(EXIT_FAILURE);
  }
  kept[kept_count++] = handle;
  return handle;
}

static void release_all(void) {
  while (kept_count > 0) rac_release(kept[--kept_count]);
}

/* ---- The form's rules --------------------------------------------------- */

static const char *text_of(rac_value value) {
  const char *text = "";
  rac_value_get_string(value, &text, NULL);
  return text;
}

static rac_status same(void *context, rac_value value, rac_value *out) {
  (void)context;
  *out = rac_value_retain(value);
  return RAC_OK;
}

/* What is meant by what was typed: the channel's way to the model. */
static rac_status normalise(void *context, rac_value value, rac_value *out) {
  const char *start = text_of(value), *end = start + strlen(start);
  (void)context;
  while (*start == ' ') start++;
  while (end > start && end[-1] == ' ') end--;
  size_t length = (size_t)(end - start);
  char *lower = malloc(length + 1);
  if (lower == NULL) return RAC_ENOMEM;
  for (size_t i = 0; i < length; i++) {
    bool is_upper = start[i] >= 'A' && start[i] <= 'Z';
    lower[i] = (char)(is_upper ? start[i] - 'A' + 'a' : start[i]);
  }
  *out = rac_value_string_copy(lower, length);
  free(lower);
  return RAC_OK;
}

static size_t count_characters(const char *text) {
  size_t count = 0;
  for (; *text != '\0'; text++) count += (*text & 0xC0) != 0x80;
  return count;
}

static bool is_email(const char *text) {
  const char *at = strchr(text, '@');
  const char *dot = at != NULL ? strrchr(at, '.') : NULL;
  return at != NULL && at > text && strchr(at + 1, '@') == NULL &&
         strchr(text, ' ') == NULL && dot != NULL && dot > at + 1 &&
         dot[1] != '\0';
}

static rac_status find_problem(void *context, const rac_value *values,
                               size_t count, rac_value *out) {
  const char *texts[FIELDS], *problem = "";
  (void)context;
  for (size_t i = 0; i < count; i++) texts[i] = text_of(values[i]);
  if (texts[NAME][strspn(texts[NAME], " ")] == '\0')
    problem = "A name is needed.";
  else if (!is_email(texts[EMAIL]))
    problem = "The e-mail address is not complete.";
  else if (count_characters(texts[PASSWORD]) < 8)
    problem = "The password needs 8 characters or more.";
  else if (strcmp(texts[PASSWORD], texts[REPEAT]) != 0)
    problem = "The passwords differ.";
  *out = rac_value_string_static(problem);
  return RAC_OK;
}

static rac_status is_empty(void *context, rac_value value, rac_value *out) {
  (void)context;
  *out = rac_value_bool(value.length == 0);
  return RAC_OK;
}

/* ---- Signing up --------------------------------------------------------- */

typedef struct {
  char *name, *email;
} request;

static void free_request(void *context) {
  request *self = context;
  free(self->name);
  free(self->email);
  free(self);
}

/* On a thread of the library, which may wait: the server takes its time. */
static rac_status ask_server(void *context, rac_subscriber *subscriber) {
  request *self = context;
  char text[200];
  nanosleep(&(struct timespec){.tv_nsec = 300000000}, NULL);
  if (strcmp(self->name, "taken") == 0) {
    rac_value error =
        rac_value_error("sign-up", 1, "That name is taken. Try another one.");
    rac_subscriber_send_error(subscriber, error);
    rac_value_release(error);
    return RAC_OK;
  }
  snprintf(text, sizeof text, "Welcome! Mail goes to %.150s.", self->email);
  rac_subscriber_send(subscriber, rac_value_string(text));
  rac_subscriber_send_completed(subscriber);
  return RAC_OK;
}

/* The command's work: a signal of an answer. */
static rac_status sign_up(void *context, rac_value input, rac_signal **out) {
  request *self = calloc(1, sizeof *self);
  (void)context;
  if (self == NULL) return RAC_ENOMEM;
  self->name = strdup(text_of(rac_tuple_get(input, NAME)));
  self->email = strdup(text_of(rac_tuple_get(input, EMAIL)));
  if (self->name == NULL || self->email == NULL) {
    free_request(self);
    return RAC_ENOMEM;
  }
  *out = rac_signal_start_lazily(form.server, self, ask_server, free_request);
  return *out != NULL ? RAC_OK : rac_last_error_code();
}

static void execute(void) {
  rac_value fields[2], input;
  rac_property_get(form.typed[NAME], &fields[NAME]);
  rac_property_get(form.email, &fields[EMAIL]);
  input = rac_value_tuple(fields, 2);
  /* Its values, its error, and whether it goes on are seen by the command's
   * signals. If it is refused, the problem is on the screen. */
  rac_release(rac_command_execute(form.sign_up, input));
  rac_value_release(input);
  rac_value_release(fields[NAME]);
  rac_value_release(fields[EMAIL]);
}

/* ---- Wiring ------------------------------------------------------------- */

static void clear_form(void *context, rac_value value) {
  (void)context;
  (void)value;
  for (int i = 0; i < FIELDS; i++)
    if (i != EMAIL)
      rac_property_set(form.typed[i], rac_value_string_static(""));
  /* The other end of the channel: what is shown follows. */
  rac_property_set(form.email, rac_value_string_static(""));
  form.focus = NAME;
}

static rac_status message_of(void *context, rac_value error, rac_value *out) {
  (void)context;
  *out = rac_value_string_copy(rac_error_get_message(error),
                               strlen(rac_error_get_message(error)));
  return RAC_OK;
}

static rac_status is_true(void *context, rac_value value, bool *out) {
  (void)context;
  *out = value.bits != 0;
  return RAC_OK;
}

static void store(void *flag, rac_value value) {
  *(bool *)flag = value.bits != 0;
  form.is_stale = true;
}

static void redraw(void *context, rac_value value) {
  (void)context;
  (void)value;
  form.is_stale = true;
}

/* What became of signing up, as texts: busy, welcome, or what went wrong. */
static rac_signal *make_status(void) {
  rac_signal *busy = keep(rac_command_executing(form.sign_up));
  busy = keep(rac_signal_filter(busy, NULL, is_true, NULL));
  busy = keep(
      rac_signal_map_replace(busy, rac_value_string_static("Signing up ...")));

  rac_signal *welcome = keep(rac_command_execution_signals(form.sign_up));
  welcome = keep(rac_signal_flatten(welcome, 0));
  welcome = keep(rac_signal_deliver_on(welcome, form.loop));
  welcome = keep(rac_signal_do_next(welcome, NULL, clear_form, NULL));

  rac_signal *failure = keep(rac_command_errors(form.sign_up));
  failure = keep(rac_signal_map(failure, NULL, message_of, NULL));

  rac_signal *all[] = {busy, welcome, failure};
  return keep(rac_signal_merge(all, 3));
}

static rac_property *text_property(void) {
  return keep(
      rac_property_create(rac_value_string_static(""), RAC_PROPERTY_DISTINCT));
}

static void wire(void) {
  form.server = keep(rac_scheduler_background(RAC_PRIORITY_DEFAULT, "server"));
  form.loop = keep(rac_scheduler_main());
  for (int i = 0; i < FIELDS; i++) form.typed[i] = text_property();
  form.email = text_property();
  form.status = text_property();
  keep(rac_property_bind_two_way_map(form.typed[EMAIL], form.email, NULL, same,
                                     normalise, NULL));

  rac_property *values[FIELDS] = {form.typed[NAME], form.email,
                                  form.typed[PASSWORD], form.typed[REPEAT]};
  form.problem = keep(rac_property_combine_latest(
      values, FIELDS, RAC_PROPERTY_DISTINCT, NULL, find_problem, NULL));
  rac_property *is_valid = keep(rac_property_map(
      form.problem, RAC_PROPERTY_DISTINCT, NULL, is_empty, NULL));

  form.sign_up = keep(rac_command_create(rac_property_as_signal(is_valid), NULL,
                                         NULL, sign_up, NULL));
  keep(rac_property_bind(form.status, make_status(), rac_value_nil()));

  rac_signal *enabled = keep(rac_command_enabled(form.sign_up));
  rac_signal *executing = keep(rac_command_executing(form.sign_up));
  keep(rac_subscribe_next(enabled, &form.is_enabled, store, NULL));
  keep(rac_subscribe_next(executing, &form.is_executing, store, NULL));
  rac_signal *shown[FIELDS + 3];
  for (int i = 0; i < FIELDS; i++)
    shown[i] = rac_property_as_signal(form.typed[i]);
  shown[FIELDS] = rac_property_as_signal(form.email);
  shown[FIELDS + 1] = rac_property_as_signal(form.problem);
  shown[FIELDS + 2] = rac_property_as_signal(form.status);
  rac_signal *any = keep(rac_signal_merge(shown, FIELDS + 3));
  keep(rac_subscribe_next(any, NULL, redraw, NULL));
}

/* ---- The screen --------------------------------------------------------- */

enum { ROW = 5, COLUMN = 5, TEXT_COLUMN = 17, ROOM = 58 };

static int draw_property(int row, int column, rac_property *property,
                         const char *prefix, bool is_secret) {
  rac_value value = rac_value_nil();
  int width = 0;
  rac_property_get(property, &value);
  terminal_move(row, column);
  if (text_of(value)[0] != '\0') {
    terminal_print("%s", prefix);
    width = terminal_print_text(text_of(value), ROOM, is_secret);
  }
  rac_value_release(value);
  return width;
}

static void draw_field(int place) {
  int row = ROW + 2 * place;
  bool has_focus = form.focus == place;
  terminal_move(row, COLUMN);
  terminal_print("%s%s%s", has_focus ? TERMINAL_BOLD : "", labels[place],
                 TERMINAL_PLAIN);
  int width =
      draw_property(row, TEXT_COLUMN, form.typed[place], "", place >= PASSWORD);
  if (has_focus) {
    cursor_row = row;
    cursor_column = TEXT_COLUMN + width;
  }
}

static void draw_button(void) {
  int row = ROW + 2 * BUTTON;
  bool has_focus = form.focus == BUTTON;
  terminal_move(row, TEXT_COLUMN);
  if (form.is_enabled)
    terminal_print("%s[ Sign up ]%s", has_focus ? TERMINAL_REVERSE : "",
                   TERMINAL_PLAIN);
  else
    terminal_print("%s( Sign up )%s", TERMINAL_DIM, TERMINAL_PLAIN);
  if (has_focus) {
    cursor_row = row;
    cursor_column = TEXT_COLUMN + 2;
  }
}

static void draw(void) {
  form.is_stale = false;
  terminal_begin();
  terminal_move(2, COLUMN);
  terminal_print("%sAn account%s", TERMINAL_BOLD, TERMINAL_PLAIN);
  for (int place = 0; place < FIELDS; place++) draw_field(place);
  draw_button();
  draw_property(15, TEXT_COLUMN, form.problem, "", false);
  draw_property(17, TEXT_COLUMN, form.email, "Mail: ", false);
  draw_property(19, TEXT_COLUMN, form.status, "", false);
  terminal_move(23, COLUMN);
  terminal_print("%sTab, arrows, Enter: move, sign up    Esc: quit%s",
                 TERMINAL_DIM, TERMINAL_PLAIN);
  terminal_end();
}

/* ---- Keys --------------------------------------------------------------- */

/* What is shown is what is meant once one has gone on from it. */
static void move_to(int place) {
  if (form.focus == EMAIL) {
    rac_value meant = rac_value_nil();
    rac_property_get(form.email, &meant);
    rac_property_set(form.typed[EMAIL], meant);
    rac_value_release(meant);
  }
  form.focus = (place + PLACES) % PLACES;
  form.is_stale = true;
}

static void type(const char *more) {
  enum { LONGEST = 200 };
  char text[LONGEST + 1];
  rac_value value = rac_value_nil();
  uint32_t point = 0;
  character(more, &point);
  rac_property_get(form.typed[form.focus], &value);
  int length = snprintf(text, sizeof text, "%s%s", text_of(value), more);
  rac_value_release(value);
  /* What is no UTF-8 after all is refused by the property. */
  if (length <= LONGEST && columns_of(point) >= 0)
    rac_property_set(form.typed[form.focus], rac_value_string(text));
}

static void erase(void) {
  rac_value value = rac_value_nil();
  rac_property_get(form.typed[form.focus], &value);
  const char *text = text_of(value), *end = text + strlen(text);
  while (end > text && (*--end & 0xC0) == 0x80) continue;
  rac_property_set(form.typed[form.focus],
                   rac_value_string_view(text, (size_t)(end - text)));
  rac_value_release(value);
}

static void press(key_kind key, const char *text) {
  switch (key) {
  case KEY_TEXT:
    if (form.focus < FIELDS) type(text);
    break;
  case KEY_BACKSPACE:
    if (form.focus < FIELDS) erase();
    break;
  case KEY_NEXT:
    move_to(form.focus + 1);
    break;
  case KEY_PREVIOUS:
    move_to(form.focus - 1);
    break;
  case KEY_ENTER:
    if (form.focus == BUTTON)
      execute();
    else
      move_to(form.focus + 1);
    break;
  case KEY_QUIT:
    form.quits = true;
    break;
  case KEY_NONE:
    break;
  }
}

static void quit(void *context) {
  (void)context;
  form.quits = true;
}

static void read_keys(void) {
  static key_reader reader;
  char bytes[256];
  ssize_t count = read(STDIN_FILENO, bytes, sizeof bytes);
  if (count < 0 && (errno == EINTR || errno == EAGAIN)) return;
  if (count <= 0) form.quits = true; /* the terminal is gone */
  rac_dispose(form.escape);
  rac_release(form.escape);
  form.escape = NULL;
  for (ssize_t i = 0; i < count && !form.quits; i++) {
    key_kind key = key_read(&reader, (unsigned char)bytes[i]);
    press(key, reader.bytes);
  }
  /* Nothing follows it: the key, and not the beginning of a longer one. */
  if (reader.state == ESCAPE)
    form.escape = rac_schedule_after(form.loop, 0.05, NULL, quit, NULL);
}

/* ---- The loop ----------------------------------------------------------- */

/* The signal that ends the program, or 0. */
static int take_signals(void) {
  int number;
  while ((number = terminal_next_signal()) != 0) {
    if (number == SIGTSTP) {
      terminal_leave();
      raise(SIGSTOP);
      terminal_enter();
#ifdef SIGWINCH
    } else if (number == SIGWINCH) {
#endif
    } else {
      return number;
    }
    form.is_stale = true;
  }
  return 0;
}

static int run_loop(int signals) {
  int number = 0;
  while (!form.quits && number == 0) {
    struct pollfd polled[] = {
        {.fd = STDIN_FILENO, .events = POLLIN},
        {.fd = rac_main_fd(), .events = POLLIN},
        {.fd = signals, .events = POLLIN},
    };
    /* What is drawn is what is left when everybody has been told. */
    int ready = poll(polled, 3, form.is_stale ? 0 : -1);
    if (ready == 0) draw();
    if (ready <= 0) continue; /* or interrupted: see the pipe */
    if (polled[0].revents != 0) read_keys();
    if (polled[1].revents != 0) rac_main_drain(256);
    if (polled[2].revents != 0) number = take_signals();
  }
  return number;
}

int main(void) {
  int signals = terminal_catch_signals();
  if (signals < 0 || !terminal_enter()) {
    fprintf(stderr, "form: standard input is no terminal\n");
    return EXIT_FAILURE;
  }
  wire();
  int number = run_loop(signals);
  terminal_leave();
  rac_dispose(form.escape);
  rac_release(form.escape);
  release_all();
  if (number != 0) terminal_die_of(number);
  return EXIT_SUCCESS;
}
