/* One document, three labels: a cold signal hides how often it works.
 *
 *     fetch_once PORT [PATH] [--once]
 *
 * The signal `fetch` does an HTTP GET for each subscription. Title, description
 * and rendered description are derived from it, each is bound to a label, and
 * a merge of the three reports errors: six subscriptions, six requests. With
 * --once a replay_lazily makes the signal hot when the first subscriber comes,
 * and the server sees one request.
 *
 * SPDX-License-Identifier: MIT
 */
#define _POSIX_C_SOURCE 200809L
#include "http_get.h"
#include "json_string.h"
#include <rac.h>

static struct {
  uint16_t port;
  const char *path;
  rac_scheduler *worker; /* requests run here, one after the other */
  int pending;           /* subscriptions that have not ended */
  bool failed;
} app;

/* ---- The cold signal ---------------------------------------------------- */

static void release(void *handle) { rac_release(handle); }

static void fetch(void *subscriber) {
  http_answer answer = http_get(app.port, app.path);
  rac_value value = rac_value_nil();
  if (answer.body == NULL) {
    value = rac_value_error("http", answer.code, answer.message);
    rac_subscriber_send_error(subscriber, value);
  } else {
    /* Bytes, since nobody has checked yet that a stranger sent us UTF-8. */
    value = rac_value_bytes_copy(answer.body, answer.length + 1);
    rac_subscriber_send(subscriber, value);
    rac_subscriber_send_completed(subscriber);
  }
  rac_value_release(value);
  free(answer.body);
}

/* The job owns a reference to the subscriber. It is also what disposing the
 * subscription disposes: a request that has not begun is never made. */
static rac_status subscribe_fetch(void *context, rac_subscriber *subscriber,
                                  rac_disposable **out) {
  (void)context;
  *out = rac_schedule(app.worker, rac_retain(subscriber), fetch, release);
  return *out != NULL ? RAC_OK : rac_last_error_code();
}

/* ---- What is derived from it -------------------------------------------- */

static rac_status fail(const char *problem, const char *detail) {
  char text[80];
  snprintf(text, sizeof text, "%s: %s", problem, detail);
  rac_value error = rac_value_error("document", 400, text);
  rac_status status = rac_raise(error); /* ends the stream with it */
  rac_value_release(error);
  return status;
}

/* flatten_map: the document in, a signal of one of its fields out. */
static rac_status field(void *name, rac_value document, rac_signal **out) {
  const void *json = NULL;
  size_t length = 0;
  rac_status status = rac_value_get_bytes(document, &json, &length);
  if (status < 0) return status;
  char *text = json_string(json, name, &length); /* fetch() added a NUL */
  if (text == NULL) return fail("no such text in the document", name);
  *out = rac_signal_return(rac_value_string_view(text, length));
  free(text);
  return *out != NULL ? RAC_OK : rac_last_error_code();
}

/* flatten_map: *stars* become <b>bold</b>; an unpaired star is an error. */
static rac_status render(void *context, rac_value text, rac_signal **out) {
  const char *source = NULL;
  size_t length = 0, used = 0;
  bool bold = false;
  (void)context;
  rac_status status = rac_value_get_string(text, &source, &length);
  char *html = status < 0 ? NULL : malloc(4 * length + 1);
  if (html == NULL) return status < 0 ? status : RAC_ENOMEM;
  for (size_t i = 0; i < length; i++) {
    if (source[i] != '*') {
      html[used++] = source[i];
      continue;
    }
    bold = !bold;
    const char *tag = bold ? "<b>" : "</b>";
    memcpy(html + used, tag, strlen(tag));
    used += strlen(tag);
  }
  if (bold)
    status = fail("cannot render", "a star is not closed");
  else
    *out = rac_signal_return(rac_value_string_view(html, used));
  free(html);
  return status;
}

/* ---- Where it is shown -------------------------------------------------- */

static void show(void *label, rac_value value) {
  const char *text = "";
  rac_value_get_string(value, &text, NULL);
  printf("%s: %s\n", (const char *)label, text);
}

static void ended(void *context) {
  (void)context;
  if (--app.pending == 0) rac_main_stop();
}

static void alert(void *context, rac_value error) {
  app.failed = true;
  printf("alert: %s\n", rac_error_get_message(error));
  ended(context);
}

static void subscribe(rac_signal *signal, const rac_observer *observer) {
  app.pending++;
  rac_disposable *subscription = rac_subscribe(signal, observer);
  if (subscription == NULL) { /* so is a signal that could not be made */
    fprintf(stderr, "%s: %s\n", rac_last_error_function(),
            rac_last_error_message());
    exit(1);
  }
  rac_release(subscription);
}

/* Shows "Loading…" until the text comes, and "Error" when it does not. */
static void bind_label(char *label, rac_signal *text) {
  rac_signal *fallback = rac_signal_return(rac_value_string("Error"));
  rac_signal *shown = rac_signal_catch_to(text, fallback);
  RAC_ASSIGN(shown, rac_signal_start_with(shown, rac_value_string("Loading…")));
  rac_observer observer = RAC_OBSERVER_INIT;
  observer.context = label;
  observer.next = show;
  observer.completed = ended;
  subscribe(shown, &observer);
  rac_release(fallback);
  rac_release(shown);
}

static bool read_arguments(int argc, char **argv, bool *once) {
  int count = 0;
  app.path = "/document.json";
  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], "--once") == 0) {
      *once = true;
    } else if (++count == 1) {
      char *end = NULL;
      unsigned long port = strtoul(argv[i], &end, 10);
      if (*end != '\0' || port == 0 || port > UINT16_MAX) return false;
      app.port = (uint16_t)port;
    } else {
      app.path = argv[i];
    }
  }
  return (count == 1 || count == 2) && app.path[0] == '/';
}

int main(int argc, char **argv) {
  bool once = false;
  if (!read_arguments(argc, argv, &once)) {
    fprintf(stderr, "usage: %s PORT [/PATH] [--once]\n", argv[0]);
    return 2;
  }
  app.worker = rac_scheduler_background(RAC_PRIORITY_DEFAULT, "fetch");

  rac_scheduler *main_scheduler = rac_scheduler_main();
  rac_signal *fetched = rac_signal_create(NULL, subscribe_fetch, NULL);
  RAC_ASSIGN(fetched, rac_signal_deliver_on(fetched, main_scheduler));
  if (once) RAC_ASSIGN(fetched, rac_signal_replay_lazily(fetched));

  rac_signal *title = rac_signal_flatten_map(fetched, "title", field, NULL);
  rac_signal *text =
      rac_signal_flatten_map(fetched, "description", field, NULL);
  rac_signal *rendered = rac_signal_flatten_map(text, NULL, render, NULL);
  bind_label("title", title);
  bind_label("description", text);
  bind_label("rendered", rendered);

  rac_signal *all[] = {title, text, rendered};
  rac_signal *errors = rac_signal_merge(all, 3);
  rac_observer observer = RAC_OBSERVER_INIT;
  observer.error = alert;
  observer.completed = ended;
  subscribe(errors, &observer);

  rac_main_run(); /* until ended() has been called for all four */

  rac_release(errors);
  rac_release(rendered);
  rac_release(text);
  rac_release(title);
  rac_release(fetched);
  rac_release(main_scheduler);
  rac_release(app.worker);
  return app.failed ? 1 : 0;
}
