/* Subscribing when there is no memory: it answers RAC_ENOMEM, or, where a part
 * of the subscription stands already, the subscriber hears that as an error. It
 * is destroyed once, nothing is left behind, and others hear what they heard. */
#define _GNU_SOURCE 1

#include "check.h"
#include "process.h"

#if !IS_SANITIZED

#include "creation_table.h"
#include "refusing_memory.h"

static void step_all(void) {
  rac_virtual_step_all(v);
  rac_main_drain(0);
}

static int refusals, errors, successes;

static rac_disposable *record_without_memory(void *signal, recorder *r) {
  rac_observer observer = recorder_observer(r);
  take_memory();
  r->subscription = rac_subscribe(signal, &observer);
  give_memory();
  return r->subscription;
}

/* The subscriber hears what the signal sends while it is subscribed to, or a
 * part of it and then the error. */
static void subscribe_to(void *signal, const char *all) {
  recorder r = {0};
  int contexts = context_count();
  if (record_without_memory(signal, &r) == NULL) {
    refusals++;
    CHECK_HERE(rac_last_error_code() == RAC_ENOMEM);
    CHECK_HERE(context_count() == contexts);
    CHECK_HERE(r.destroyed == 1 && r.used == 0);
    return;
  }
  const char *error = strstr(r.text, "#-6");
  if (error) {
    errors++;
    CHECK_HERE(strcmp(error, "#-6") == 0);
    CHECK_HERE(strncmp(r.text, all, (size_t)(error - r.text)) == 0);
    CHECK_HERE(rac_is_disposed(r.subscription));
  } else {
    successes++;
    CHECK_HERE(strcmp(r.text, all) == 0);
  }
  rac_dispose(r.subscription);
  step_all();
  await_end(&r);
  CHECK_HERE(r.destroyed == 1);
}

static void subscribe(void *signal) { subscribe_to(signal, ""); }

/* ---- Operators ---------------------------------------------------------------- */

/* Those are below. */
static bool sends_by_itself(const char *name) {
  return strcmp(name, "start_with") == 0 || strcmp(name, "window") == 0 ||
         strcmp(name, "window_with_time") == 0;
}

TEST_BOTH_WAYS(every_operator_is_subscribed_to) {
  set_up();
  let_it_settle = step_all;
  for (int i = 0; i < OPERATORS; i++) {
    if (sends_by_itself(operators[i].name)) continue;
    rac_signal *signal =
        operators[i].build(as_signal(subject), as_signal(another));
    refusals = errors = successes = 0;
    refuse_each(operators[i].name, subscribe, signal);
    CHECK_HERE(successes > 0);
    CHECK_HERE(refusals > 0 || has_pool());
    rac_release(signal);
  }
  tear_down();
}

/* ---- Sources ------------------------------------------------------------------ */

typedef struct sending {
  rac_signal *signal;
  const char *all;
} sending;

static void subscribe_to_sending(void *argument) {
  sending *self = argument;
  /* At once, also on this thread. */
  rac_thread_attach();
  subscribe_to(self->signal, self->all);
}

static void check_source(const char *name, rac_signal *signal,
                         const char *all) {
  sending self = {signal, all};
  refusals = errors = successes = 0;
  refuse_each(name, subscribe_to_sending, &self);
  CHECK_HERE(successes > 0);
  rac_release(signal);
}

TEST_BOTH_WAYS(every_source_is_subscribed_to) {
  set_up();
  let_it_settle = step_all;
  check_source("create", rac_retain(created), "1 |");
  check_source("return", rac_retain(returning), "1 |");
  check_source("empty", rac_signal_empty(), "|");
  check_source("never", rac_signal_never(), "");
  check_source("defer", rac_signal_defer(CALLBACK(make_signal)), "1 |");
  check_source("factory", rac_signal_from_factory(CALLBACK(get_number)), "1 |");
  check_source("using",
               rac_signal_using(context_new(NULL, NULL), standard_make_value,
                                standard_choose, standard_called_with,
                                context_destroy),
               "7 |");
  rac_value values[] = {I(1), I(2), I(3)};
  check_source("values", rac_signal_from_values(values, 3), "1 2 3 |");
  check_source("interval", rac_signal_interval(1, v), "");
  check_source("lazily", rac_signal_start_lazily(v, CALLBACK(send_and_start)),
               "");
  check_source("property", rac_retain(number), "1");
  check_source("changes", rac_property_changes(number), "");
  check_source("sequence", rac_sequence_signal(numbers, v), "");
  check_source("sequence at once",
               rac_sequence_signal(numbers, rac_scheduler_immediate()),
               "1 2 3 |");
  rac_subject *replay = rac_replay_subject_create(SIZE_MAX);
  rac_subject *behavior = rac_behavior_subject_create(I(7));
  play(replay, "1 2 3");
  check_source("replay", rac_retain(replay), "1 2 3");
  check_source("behavior", rac_retain(behavior), "7");
  check_source("autoconnect", rac_connection_autoconnect(connection), "");
  check_source("map and filter", rac_signal_start_with(created, I(0)), "0 1 |");
  check_source("window",
               rac_signal_window(as_signal(subject), as_signal(another)), "?");
  rac_release(replay);
  rac_release(behavior);
  tear_down();
}

/* More than was put by, one thing after the other. */
static rac_status give_created(void *context, rac_value value,
                               rac_signal **out) {
  (void)context, (void)value;
  *out = rac_retain(created);
  return RAC_OK;
}

TEST_BOTH_WAYS(sources_that_make_a_lot_are_subscribed_to) {
  enum { LOTS = 60 };
  set_up();
  let_it_settle = step_all;
  rac_value values[LOTS];
  char all[8 * LOTS] = "";
  for (int i = 0; i < LOTS; i++) values[i] = I(1);
  for (int i = 0; i < LOTS; i++) strcat(all, "1 ");
  strcat(all, "|");
  rac_signal *again = rac_retain(returning);
  APPLY(again, map, CALLBACK(standard_key));
  APPLY0(again, repeat);
  APPLY(again, take, LOTS);
  check_source("repeat", again, all);
  rac_signal *events = rac_signal_from_values(values, LOTS);
  for (int i = 0; i < 5; i++) APPLY0(events, materialize);
  for (int i = 0; i < 5; i++) APPLY0(events, dematerialize);
  check_source("materialize", events, all);
  rac_signal *latest = rac_signal_from_values(values, LOTS);
  APPLY(latest, flatten_map, CALLBACK(give_created));
  check_source("flatten_map", latest, all);
  tear_down();
}

/* ---- Many stages, many inputs ------------------------------------------------- */

/* Some of the requests: there are thousands. */
static void refuse_some(const char *name, void *signal, long step) {
  for (long n = 1; n < 6000; n += n < 40 ? 1 : step) {
    attempt one = {
        .body = subscribe, .argument = signal, .from = n, .to = FOR_EVER};
    snprintf(situation, sizeof situation, "%s: %ld", name, n);
    check_join(check_spawn(attempt_once, &one));
  }
}

static void check_crowd(const char *name, rac_signal *signal, long step) {
  REQUIRE(signal != NULL);
  refusals = errors = successes = 0;
  refuse_some(name, signal, step);
  CHECK_HERE(refusals > 0 || has_pool());
  CHECK_HERE(errors > 0 || has_pool());
  CHECK_HERE(successes > 0 || !has_pool());
  rac_release(signal);
}

enum { CROWD = 1000 };

TEST_BOTH_WAYS(long_chains_and_long_lists) {
  set_up();
  let_it_settle = step_all;
  rac_signal *chain = rac_retain(subject), *list[CROWD];
  for (int i = 0; i < 4000; i++) APPLY(chain, map, NULL, standard_key, NULL);
  check_crowd("maps", chain, 397);
  chain = rac_retain(subject);
  for (int i = 0; i < CROWD; i++) APPLY(chain, take_until, as_signal(another));
  check_crowd("take_until", chain, 397);
  for (int i = 0; i < CROWD; i++) list[i] = as_signal(subject);
  check_crowd("merge", rac_signal_merge(list, CROWD), 397);
  check_crowd("zip", rac_signal_zip(list, CROWD), 397);
  check_crowd("combine_latest", rac_signal_combine_latest(list, CROWD), 397);
  rac_signal *nested = rac_retain(subject);
  for (int i = 0; i < 300; i++) {
    rac_connection *shared = rac_signal_publish(nested);
    RAC_ASSIGN(nested, rac_connection_autoconnect(shared));
    rac_release(shared);
  }
  check_crowd("connections", nested, 97);
  tear_down();
}

/* ---- Beside others ------------------------------------------------------------ */

/* The list of a subject's subscribers cannot grow: the one more hears so. */
TEST_BOTH_WAYS(others_hear_what_they_heard) {
  enum { ALREADY = 1000 };
  static recorder all[ALREADY];
  int turned_away = 0;
  rac_subject *crowded = rac_subject_create();
  for (int i = 0; i < ALREADY; i++) {
    rac_release(rac_disposable_create(NULL, NULL, NULL));
    refuse_requests(1, i % 3 ? FOR_EVER : 0);
    REQUIRE(record_without_memory(crowded, &all[i]) != NULL);
    if (all[i].ends == 0) continue;
    turned_away++;
    CHECK_EVENTS(&all[i], "#-6");
  }
  CHECK(turned_away > 0);
  CHECK_INT(rac_subject_subscriber_count(crowded), ALREADY - turned_away);
  play(crowded, "1 2 |");
  for (int i = 0; i < ALREADY; i++) {
    if (all[i].nexts > 0) CHECK_EVENTS(&all[i], "1 2 |");
    if (all[i].nexts == 0) turned_away--;
    await_end(&all[i]);
  }
  CHECK_INT(turned_away, 0);
  rac_release(crowded);
}

/* Batches take what they need from the start. */
static void subscribe_to_batches(void *argument) {
  (void)argument;
  int contexts = context_count();
  take_memory();
  void *handle = make_subscribe_batches();
  give_memory();
  CHECK_HERE(handle != NULL || context_count() == contexts);
  rac_dispose(handle);
  rac_release(handle);
}

TEST_BOTH_WAYS(batches_are_subscribed_to) {
  set_up();
  let_it_settle = step_all;
  refuse_each("batches", subscribe_to_batches, NULL);
  tear_down();
}

#else

TEST(sanitizers_have_memory_of_their_own) {}

#endif
