/* rac_visit_contexts() through every operator: what is visited is what a release of
 * the handles lets go of, no more and no less, whatever was sent before. */
#include "operator_table.h"
#include "process.h"
#include "properties.h"
#include "visiting.h"

static void hear(void *context, rac_value value) {
  (void)value;
  touched(context);
}

/* The subjects that feed it, the operator's signal, and a subscription to it that nobody
 * holds. */
typedef struct graph {
  rac_subject *source, *other;
  rac_signal *signal;
  rac_disposable *subscription;
} graph;

static graph apply(int i) {
  graph g = {rac_subject_create(), rac_subject_create(), NULL, NULL};
  g.signal = operators[i].build(as_signal(g.source), as_signal(g.other));
  rac_observer observer = RAC_OBSERVER_INIT;
  observer.context = context_new(NULL, NULL);
  observer.next = hear;
  observer.destroy = context_destroy;
  g.subscription = rac_subscribe(g.signal, &observer);
  return g;
}

static void send_some(const graph *g) {
  rac_subject_send(g->source, I(1));
  rac_subject_send(g->other, I(1));
  rac_subject_send(g->source, I(2));
  rac_subject_send(g->other, I(3));
}

/* What a release of all handles lets go of, and what was visited before. */
static void release_all(graph *g, int *visited, int *gone) {
  rac_release(g->subscription);
  void *handles[] = {g->source, g->other, g->signal};
  visit seen;
  *visited = visits(handles, 3, &seen);
  int contexts = context_count();
  for (int i = 0; i < 3; i++) rac_release(handles[i]);
  *gone = contexts - context_count();
}

static bool is_one_of(int i, const char *names) {
  size_t length = strlen(operators[i].name);
  for (const char *at = names; (at = strstr(at, operators[i].name)); at++)
    if ((at == names || at[-1] == ' ') && (!at[length] || at[length] == ' '))
      return true;
  return false;
}
/* A subject below one of these holds itself, until it is disposed: law 11. */
static bool subscribes_again(int i) {
  return is_one_of(i, "repeat repeat_when retry retry_when retry_with_backoff");
}
/* What these begin with waits on a clock. */
static bool waits_at_once(int i) {
  return is_one_of(i, "delay_subscription subscribe_on timeout idle_timeout "
                      "idle_timeout_to window_with_time");
}
/* What is above these goes at once, what is below them in its turn. */
static bool lets_go_in_turn(int i) {
  return is_one_of(i, "deliver_on deliver_on_bounded");
}

static void check_graph(int i, graph *g, const char *when) {
  int before = context_count(), visited, gone;
  release_all(g, &visited, &gone);
  bool is_right = visited == gone;
  if (lets_go_in_turn(i)) is_right = gone == 0 && visited <= before;
  if (strcmp(when, "at rest") == 0) {
    bool all = !subscribes_again(i) && !waits_at_once(i);
    is_right = is_right && (all ? visited == before : visited < before);
  }
  /* There the compiler keeps references for longer: what has one more is left out. */
  if (IS_THREAD_SANITIZED) is_right = visited <= gone || lets_go_in_turn(i);
  if (is_right) return;
  char what[200];
  snprintf(what, sizeof what, "%s %s: visited %d of %d, gone %d",
           operators[i].name, when, visited, before, gone);
  check_fail(__FILE__, __LINE__, what);
}

static void at_rest(int i) {
  graph g = apply(i);
  check_graph(i, &g, "at rest");
}
static void after_values(int i) {
  graph g = apply(i);
  send_some(&g);
  check_graph(i, &g, "after values");
}
static void after_time(int i) {
  graph g = apply(i);
  send_some(&g);
  rac_virtual_step_n(v, 20);
  check_graph(i, &g, "after a time");
}
static void after_end(int i) {
  graph g = apply(i);
  send_some(&g);
  rac_subject_send_completed(g.source);
  rac_virtual_step_n(v, 20);
  check_graph(i, &g, "after an end");
}
/* Of what somebody else has, too, no more is visited than goes without it. */
static void with_another_owner(int i) {
  for (int k = 0; k < 3; k++) {
    graph g = apply(i);
    void *handles[] = {g.source, g.other, g.signal}, *kept = handles[k];
    send_some(&g);
    rac_retain(kept);
    int visited, gone;
    release_all(&g, &visited, &gone);
    char what[200];
    snprintf(what, sizeof what, "%s with owner %d: visited %d, gone %d",
             operators[i].name, k, visited, gone);
    if (visited > gone && !lets_go_in_turn(i))
      check_fail(__FILE__, __LINE__, what);
    rac_release(kept);
    rac_virtual_step_n(v, 20);
  }
}

/* With clocks of its own: what waits there goes with them. */
static void with_clocks(void (*body)(int), int i) {
  v = rac_scheduler_virtual();
  standing = rac_scheduler_virtual();
  body(i);
  rac_release(v);
  rac_release(standing);
}

TEST(what_is_visited_is_what_goes) {
  void (*const times[])(int) = {at_rest, after_values, after_time, after_end,
                                with_another_owner};
  for (int i = 0; i < OPERATORS; i++) {
    if (subscribes_again(i)) continue;
    for (size_t t = 0; t < sizeof times / sizeof *times; t++)
      with_clocks(times[t], i);
  }
}

/* What is disposed lets go of the source that it would have subscribed to again. */
TEST(what_subscribes_again_is_not_visited) {
  for (int i = 0; i < OPERATORS; i++) {
    if (!subscribes_again(i)) continue;
    v = rac_scheduler_virtual();
    graph g = apply(i);
    void *handles[] = {g.source, g.other, g.signal};
    visit seen;
    CHECK_INT(visits(handles, 3, &seen), 0);
    rac_dispose(g.subscription);
    CHECK_INT(visits(handles, 3, &seen), context_count());
    int visited, gone;
    release_all(&g, &visited, &gone);
    CHECK_INT(context_count(), 0);
    rac_release(v);
  }
}

/* ---- Properties as what feeds it: their last handle ends them ---------------- */

/* Whoever is below subscribes to this when the property ends, or to no more than there was. */
static rac_subject *living;

static rac_status give_living(void *context, rac_value value,
                              rac_signal **out) {
  touched(context);
  (void)value;
  *out = rac_retain(as_signal(living));
  return RAC_OK;
}
static rac_signal *passed_on(rac_signal *s) { return rac_retain(s); }
static rac_signal *then_living(rac_signal *s) {
  return rac_signal_concat(s, as_signal(living));
}
static rac_signal *to_living(rac_signal *s) {
  return rac_signal_flatten_map(s, context_new(NULL, NULL), give_living,
                                context_destroy);
}
static rac_signal *to_living_in_turn(rac_signal *s) {
  return rac_signal_flatten_map_limited(s, 1, NULL, context_new(NULL, NULL),
                                        give_living, context_destroy);
}
static rac_signal *shared_then_living(rac_signal *s) {
  owned rac_signal *shared = rac_signal_share(s);
  rac_signal *made = then_living(shared);
  return made;
}
/* The end comes here later, and so does what is subscribed to then. */
static rac_signal *delivered_then_living(rac_signal *s) {
  owned rac_signal *delivered = rac_signal_deliver_on(s, v);
  rac_signal *made = then_living(delivered);
  return made;
}
static rac_signal *delayed_then_living(rac_signal *s) {
  owned rac_signal *delayed = rac_signal_delay(s, 1, v);
  rac_signal *made = then_living(delayed);
  return made;
}
static rac_signal *caught_by_living(rac_signal *s) {
  return rac_signal_catch_to(s, as_signal(living));
}
static rac_signal *windows_then_living(rac_signal *s) {
  owned rac_signal *windows = rac_signal_window_with_count(s, 2, 1);
  owned rac_signal *flat = rac_signal_flatten(windows, 0);
  rac_signal *made = then_living(flat);
  return made;
}
typedef rac_signal *(*tail_fn)(rac_signal *);

/* A source of its own, with another property or a subject beside it. */
typedef struct fed {
  rac_property *source;
  void *other;
  rac_signal *signal;
  rac_disposable *subscription;
} fed;

static fed feed(int i, bool beside_a_subject, tail_fn tail) {
  fed f = {.source = property(1)};
  f.other =
      beside_a_subject ? (void *)rac_subject_create() : (void *)property(1);
  rac_signal *source = rac_property_as_signal(f.source);
  rac_signal *other =
      beside_a_subject ? as_signal(f.other) : rac_property_as_signal(f.other);
  rac_signal *made = operators[i].build(source, other);
  f.signal = tail(made);
  rac_release(made);
  rac_observer observer = RAC_OBSERVER_INIT;
  observer.context = context_new(NULL, NULL);
  observer.next = hear;
  observer.destroy = context_destroy;
  f.subscription = rac_subscribe(f.signal, &observer);
  return f;
}

/* What happens before: nothing, values, and time. */
static void let_pass(fed *f, int much) {
  if (much > 0)
    for (int n = 2; n < 5; n++) rac_property_set(f->source, I(n));
  if (much > 1) rac_virtual_step_n(v, 20);
}

/* How many were left that had not been visited, or -1: more were visited than went. */
static int left_of(fed *f, int kept) {
  void *handles[] = {f->source, f->other, f->signal};
  if (kept >= 0) rac_retain(handles[kept]);
  int before = context_count();
  visit seen;
  int visited = visits(handles, 3, &seen);
  for (int k = 0; k < 3; k++) rac_release(handles[k]);
  /* An end that is delayed goes on its way. */
  rac_virtual_step_n(v, 20);
  int gone = before - context_count();
  if (kept >= 0) rac_release(handles[kept]);
  rac_dispose(f->subscription);
  rac_release(f->subscription);
  return visited > gone ? -1 : before - visited;
}

static void no_more_than_goes(int i) {
  static const tail_fn tails[] = {
      passed_on,           then_living,        to_living,
      to_living_in_turn,   shared_then_living, delivered_then_living,
      delayed_then_living, caught_by_living,   windows_then_living};
  for (size_t tail = 0; tail < sizeof tails / sizeof *tails; tail++)
    for (int beside = 0; beside < 2; beside++)
      for (int much = 0; much < 3; much++)
        for (int kept = -1; kept < 3; kept++) {
          living = rac_subject_create();
          fed f = feed(i, beside, tails[tail]);
          let_pass(&f, much);
          int left = left_of(&f, kept);
          rac_virtual_step_n(v, 20);
          rac_subject_send_completed(living);
          rac_release(living);
          if (left >= 0) continue;
          char what[200];
          snprintf(what, sizeof what,
                   "%s, tail %zu, beside %d, much %d, owner %d: too much",
                   operators[i].name, tail, beside, much, kept);
          check_fail(__FILE__, __LINE__, what);
        }
}
TEST(of_what_hears_a_property_no_more_is_visited_than_goes) {
  for (int i = 0; i < OPERATORS; i++)
    if (!subscribes_again(i)) with_clocks(no_more_than_goes, i);
}

/* At an end of the property these subscribe to what is left, or stop a timer, which is alive. */
static bool does_more_at_an_end(int i) {
  return is_one_of(i, "concat concat_all concat_delay_error then") ||
         is_one_of(i, "idle_timeout idle_timeout_to timeout window_with_time");
}
static void all_of_it_at_rest(int i) {
  fed f = feed(i, false, passed_on);
  rac_virtual_step_n(v, 20);
  int left = left_of(&f, -1);
  if ((left > 0) == does_more_at_an_end(i) && left >= 0) return;
  if (IS_THREAD_SANITIZED && left > 0) return;
  char what[200];
  snprintf(what, sizeof what, "%s: left %d", operators[i].name, left);
  check_fail(__FILE__, __LINE__, what);
}
TEST(what_hears_a_property_is_visited) {
  for (int i = 0; i < OPERATORS; i++)
    if (!subscribes_again(i)) with_clocks(all_of_it_at_rest, i);
}
