/* GObject signals: an object with a signal of one integer and one of a string.
 *
 * GLib chooses the marshaller, which for these is a fast one.
 *
 * SPDX-License-Identifier: MIT
 */
#include "../worker/racing.h"
#include "../worker/worker.h"

#include <glib-object.h>
#include <stdlib.h>
#include <string.h>

G_DECLARE_FINAL_TYPE(Source, source, RACE, SOURCE, GObject)
struct _Source {
  GObject parent;
  glong value;
};
G_DEFINE_TYPE(Source, source, G_TYPE_OBJECT)

static guint number_signal, string_signal;
enum { VALUE = 1 };

static void set_property(GObject *object, guint id, const GValue *value,
                         GParamSpec *spec) {
  (void)id;
  (void)spec;
  RACE_SOURCE(object)->value = g_value_get_long(value);
}
static void get_property(GObject *object, guint id, GValue *value,
                         GParamSpec *spec) {
  (void)id;
  (void)spec;
  g_value_set_long(value, RACE_SOURCE(object)->value);
}

static void source_init(Source *self) { (void)self; }
static void source_class_init(SourceClass *class) {
  GType type = G_TYPE_FROM_CLASS(class);
  G_OBJECT_CLASS(class)->set_property = set_property;
  G_OBJECT_CLASS(class)->get_property = get_property;
  g_object_class_install_property(
      G_OBJECT_CLASS(class), VALUE,
      g_param_spec_long("value", NULL, NULL, G_MINLONG, G_MAXLONG, 0,
                        G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS));
  number_signal = g_signal_new("number", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                               NULL, G_TYPE_NONE, 1, G_TYPE_LONG);
  string_signal =
      g_signal_new("string", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                   G_TYPE_NONE, 1, G_TYPE_STRING | G_SIGNAL_TYPE_STATIC_SCOPE);
}

static Source *new_source(void) {
  return g_object_new(source_get_type(), NULL);
}

typedef struct hot {
  Source *source;
  size_t subscribers;
  int64_t sum;
} hot;

static void add(Source *source, glong value, gpointer sum) {
  (void)source;
  worker_add(sum, value);
}

static gulong listen(hot *h) {
  return g_signal_connect(h->source, "number", G_CALLBACK(add), &h->sum);
}

static void *open_hot(size_t subscribers) {
  hot *h = worker_allocate(sizeof *h);
  size_t i;
  h->source = new_source();
  h->subscribers = subscribers;
  for (i = 0; i < subscribers; i++) listen(h);
  return h;
}

static void close_hot(void *state) {
  hot *h = state;
  g_object_unref(h->source);
  free(h);
}

static void run_send(void *state, size_t n, outcome *out) {
  hot *h = state;
  size_t sends, i;
  uint64_t start;
  out->n = worker_round_up(n, h->subscribers);
  sends = out->n / h->subscribers;
  h->sum = 0;
  start = worker_now();
  for (i = 0; i < sends; i++)
    g_signal_emit(h->source, number_signal, 0, (glong)worker_value(i));
  out->ns = worker_now() - start;
  out->sum = h->sum;
}

static void run_subscribe(void *state, size_t n, outcome *out) {
  hot *h = state;
  uint64_t start = worker_now();
  size_t i;
  for (i = 0; i < n; i++) g_signal_handler_disconnect(h->source, listen(h));
  out->ns = worker_now() - start;
  out->n = n;
  h->sum = 0;
  g_signal_emit(h->source, number_signal, 0, (glong)1);
  out->sum = h->sum;
}

/* ---- Strings ------------------------------------------------------------- */

static void add_string(Source *source, const char *text, gpointer sum) {
  (void)source;
  worker_add(sum, (int64_t)strlen(text) + text[0]);
}

static void *open_string(size_t argument) {
  hot *h = open_hot(0);
  (void)argument;
  g_signal_connect(h->source, "string", G_CALLBACK(add_string), &h->sum);
  return h;
}

static void run_string(void *state, size_t n, outcome *out) {
  hot *h = state;
  uint64_t start;
  size_t i;
  h->sum = 0;
  start = worker_now();
  for (i = 0; i < n; i++)
    g_signal_emit(h->source, string_signal, 0, WORKER_TEXT);
  out->ns = worker_now() - start;
  out->n = n;
  out->sum = h->sum;
}

/* ---- Properties ------------------------------------------------------------ */

typedef struct cell {
  Source *set, *observed;
  int64_t sum;
} cell;

static void notified(Source *source, GParamSpec *spec, gpointer sum) {
  (void)spec;
  worker_add(sum, source->value);
}

static void *open_cell(size_t is_bound) {
  cell *c = worker_allocate(sizeof *c);
  c->set = c->observed = new_source();
  if (is_bound) {
    c->observed = new_source();
    g_object_bind_property(c->observed, "value", c->set, "value",
                           G_BINDING_BIDIRECTIONAL | G_BINDING_SYNC_CREATE);
  }
  g_signal_connect(c->observed, "notify::value", G_CALLBACK(notified), &c->sum);
  return c;
}

static void close_cell(void *state) {
  cell *c = state;
  if (c->observed != c->set) g_object_unref(c->observed);
  g_object_unref(c->set);
  free(c);
}

static void run_set(void *state, size_t n, outcome *out) {
  cell *c = state;
  uint64_t start;
  size_t i;
  c->sum = 0;
  start = worker_now();
  for (i = 0; i < n; i++)
    g_object_set(c->set, "value", (glong)worker_value(i), NULL);
  out->ns = worker_now() - start;
  out->n = n;
  out->sum = c->sum;
}

static void run_get(void *state, size_t n, outcome *out) {
  cell *c = state;
  uint64_t start;
  size_t i;
  int64_t sum = 0;
  g_object_set(c->set, "value", (glong)1, NULL);
  start = worker_now();
  for (i = 0; i < n; i++) {
    glong value;
    g_object_get(c->set, "value", &value, NULL);
    sum += value;
  }
  out->ns = worker_now() - start;
  out->n = n;
  out->sum = sum;
}

/* ---- Two senders ---------------------------------------------------------- */

typedef struct contention {
  Source *source;
  racing *race;
} contention;

static void hear(Source *source, glong value, gpointer race) {
  (void)source;
  racing_add(race, value);
}

static void *open_contention(size_t argument) {
  contention *c = worker_allocate(sizeof *c);
  (void)argument;
  c->source = new_source();
  c->race = racing_create(0);
  g_signal_connect(c->source, "number", G_CALLBACK(hear), c->race);
  return c;
}

static void send_one(void *state, int64_t value) {
  g_signal_emit(((contention *)state)->source, number_signal, 0, (glong)value);
}

static void run_contention(void *state, size_t n, outcome *out) {
  racing_run(((contention *)state)->race, n, send_one, state, out);
}

static void close_contention(void *state) {
  contention *c = state;
  g_object_unref(c->source);
  racing_free(c->race);
  free(c);
}

/* ---- Memory --------------------------------------------------------------- */

static void make_subscriptions(size_t n) {
  static hot *h;
  size_t i;
  if (h == NULL) h = open_hot(0);
  for (i = 0; i < n; i++) listen(h);
}

static void make_sources(size_t n) {
  static Source *volatile last;
  size_t i;
  for (i = 0; i < n; i++) last = new_source();
  (void)last;
}

static void weigh_subscription(void *state, size_t n, outcome *out) {
  (void)state;
  worker_weigh(n, make_subscriptions, out);
}
static void weigh_signal(void *state, size_t n, outcome *out) {
  (void)state;
  worker_weigh(n, make_sources, out);
}

static const workload workloads[] = {
    {"send", open_hot, run_send, close_hot},
    {"subscribe", open_hot, run_subscribe, close_hot},
    {"string", open_string, run_string, close_hot},
    {"property-set", open_cell, run_set, close_cell},
    {"property-get", open_cell, run_get, close_cell},
    {"two-threads", open_contention, run_contention, close_contention},
    {"bytes-subscription", open_hot, weigh_subscription, close_hot},
    {"bytes-signal", open_hot, weigh_signal, close_hot},
    {NULL, NULL, NULL, NULL}};
static const workload *const groups[] = {workloads, NULL};

const contestant contestants[] = {{"GObject", groups}, {NULL, NULL}};
