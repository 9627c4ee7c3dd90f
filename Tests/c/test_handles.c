/* Bad handles in every function that takes one: NULL, stale, garbage and of
 * another kind. Each is recognised, answered with its status under the name of
 * the function that was called, and harms nobody. */
#include "check.h"

enum kind {
  SIGNAL = 1 << 0,
  SUBJECT = 1 << 1,
  SUBSCRIBER = 1 << 2,
  DISPOSABLE = 1 << 3,
  COMPOUND = 1 << 4,
  SERIAL = 1 << 5,
  SCOPED = 1 << 6,
  SCHEDULER = 1 << 7,
  VIRTUAL = 1 << 8,
  CONNECTION = 1 << 9,
  RECURSION = 1 << 10,
  NOTHING = 1 << 11, /* NULL */
  GARBAGE = 1 << 12,

  SIGNALS = SIGNAL | SUBJECT,
  SUBSCRIBERS = SUBSCRIBER | SUBJECT,
  DISPOSABLES = DISPOSABLE | COMPOUND | SERIAL | SCOPED,
  SCHEDULERS = SCHEDULER | VIRTUAL,
  EVERYTHING = NOTHING - 1
};

/* One good handle of every kind. */
typedef struct good {
  rac_signal *signal;
  rac_subject *subject;
  rac_subscriber *subscriber;
  rac_disposable *disposable, *compound, *serial, *scoped;
  rac_scheduler *scheduler, *virtual;
  rac_connection *connection;
  rac_recursion *recursion;
  recorder heard;
} good;

static void check_answer(const char *function, rac_status expected) {
  if (rac_last_error_code() != expected || !rac_last_error_function() ||
      strcmp(rac_last_error_function(), function) != 0 ||
      *rac_last_error_message() == 0) {
    char text[160];
    snprintf(text, sizeof text, "%s reports %s of %s, not %s", function,
             rac_status_name(rac_last_error_code()),
             rac_last_error_function() ? rac_last_error_function() : "nobody",
             rac_status_name(expected));
    check_fail(__FILE__, __LINE__, text);
  }
}

/* Callbacks that must never run. */
static void never(void) { check_fail(__FILE__, __LINE__, "a callback ran"); }
static void next(void *c, rac_value v) { (void)c, (void)v, never(); }
static void action(void *c) { (void)c, never(); }
static rac_status map(void *c, rac_value v, rac_value *out) {
  (void)c, (void)v, (void)out, never();
  return RAC_OK;
}
static rac_status predicate(void *c, rac_value v, bool *out) {
  (void)c, (void)v, (void)out, never();
  return RAC_OK;
}
static rac_status reduce(void *c, rac_value a, rac_value b, rac_value *out) {
  (void)c, (void)a, (void)b, (void)out, never();
  return RAC_OK;
}
static rac_status bind(void *c, rac_value v, bool *stop, rac_signal **out) {
  (void)c, (void)v, (void)stop, (void)out, never();
  return RAC_OK;
}
static rac_status to_signal(void *c, rac_value v, rac_signal **out) {
  (void)c, (void)v, (void)out, never();
  return RAC_OK;
}
static rac_status start(void *c, rac_subscriber *s) {
  (void)c, (void)s, never();
  return RAC_OK;
}
static void recursive(void *c, rac_recursion *r) { (void)c, (void)r, never(); }

/* A context that counts, and its destroy. */
#define CONTEXT context_new(NULL, NULL)
#define DESTROY context_destroy

/* A call whose answer is a status, a handle, or something else. It is left out
 * when the handle is of a kind that the function accepts. */
#define STATUS(accepted, function, ...)                                        \
  if (!(kind & (accepted))) {                                                  \
    rac_clear_last_error();                                                    \
    if (function(__VA_ARGS__) != expected)                                     \
      check_fail(__FILE__, __LINE__, #function " gives another status");       \
    check_answer(#function, expected);                                         \
  }
#define HANDLE(accepted, function, ...)                                        \
  if (!(kind & (accepted))) {                                                  \
    rac_clear_last_error();                                                    \
    if (function(__VA_ARGS__) != NULL)                                         \
      check_fail(__FILE__, __LINE__, #function " gives a handle");             \
    check_answer(#function, expected);                                         \
  }
#define ANSWER(accepted, function, none, ...)                                  \
  if (!(kind & (accepted))) {                                                  \
    rac_clear_last_error();                                                    \
    if (function(__VA_ARGS__) != (none))                                       \
      check_fail(__FILE__, __LINE__, #function " gives an answer");            \
    check_answer(#function, expected);                                         \
  }

static void probe_signals(const good *g, void *bad, unsigned kind,
                          rac_status expected) {
  rac_observer observer = RAC_OBSERVER_INIT;
  observer.context = CONTEXT;
  observer.destroy = DESTROY;
  STATUS(SIGNALS, rac_signal_set_name, bad, "name")
  if (kind & SIGNALS) {
    context_destroy(observer.context);
  } else {
    HANDLE(SIGNALS, rac_subscribe, bad, &observer)
  }
  rac_value out;
  char text[8];
  HANDLE(SIGNALS, rac_subscribe_next, bad, CONTEXT, next, DESTROY)
  HANDLE(SIGNALS, rac_subscribe_subscriber, bad,
         rac_subject_as_subscriber(g->subject))
  HANDLE(SUBSCRIBERS, rac_subscribe_subscriber, g->signal, bad)
  STATUS(SIGNALS, rac_signal_first, bad, -1, &out)
  STATUS(SIGNALS, rac_signal_wait_until_completed, bad, -1, &out)
  STATUS(SIGNALS, rac_signal_to_array, bad, -1, &out)
  STATUS(SIGNALS, rac_signal_get_key, bad, &out)
  ANSWER(SIGNALS, rac_signal_describe, 0, bad, text, sizeof text)
  if (!(kind & SIGNALS)) {
    rac_clear_last_error();
    CHECK_INT(rac_value_signal(bad).kind, RAC_NIL);
    check_answer("rac_value_signal", expected);
  }
}

static void probe_operators(const good *g, void *bad, unsigned kind,
                            rac_status expected) {
#define OPERATOR(name, ...) HANDLE(SIGNALS, rac_signal_##name, __VA_ARGS__)
  rac_signal *pair[] = {g->signal, bad};
  OPERATOR(bind, bad, CONTEXT, bind, DESTROY)
  OPERATOR(map, bad, CONTEXT, map, DESTROY)
  OPERATOR(map_replace, bad, I(1))
  OPERATOR(flatten_map, bad, CONTEXT, to_signal, DESTROY)
  OPERATOR(flatten, bad, 0)
  OPERATOR(filter, bad, CONTEXT, predicate, DESTROY)
  OPERATOR(ignore_values, bad)
  OPERATOR(concat, bad, g->signal)
  OPERATOR(concat, g->signal, bad)
  OPERATOR(zip_with, bad, g->signal)
  OPERATOR(zip_with, g->signal, bad)
  OPERATOR(merge_with, bad, g->signal)
  OPERATOR(merge_with, g->signal, bad)
  OPERATOR(combine_latest_with, bad, g->signal)
  OPERATOR(combine_latest_with, g->signal, bad)
  OPERATOR(zip, pair, 2)
  OPERATOR(merge, pair, 2)
  OPERATOR(combine_latest, pair, 2)
  OPERATOR(concat_all, pair, 2)
  OPERATOR(start_with, bad, I(1))
  OPERATOR(take, bad, 1)
  OPERATOR(skip, bad, 1)
  OPERATOR(do_next, bad, CONTEXT, next, DESTROY)
  OPERATOR(do_error, bad, CONTEXT, next, DESTROY)
  OPERATOR(do_completed, bad, CONTEXT, action, DESTROY)
  OPERATOR(initially, bad, CONTEXT, action, DESTROY)
  OPERATOR(finally, bad, CONTEXT, action, DESTROY)
  OPERATOR(catch, bad, CONTEXT, to_signal, DESTROY)
  OPERATOR(catch_to, bad, g->signal)
  OPERATOR(catch_to, g->signal, bad)
  OPERATOR(delay, bad, 1, NULL)
  OPERATOR(throttle, bad, 1, NULL)
  OPERATOR(deliver_on, bad, g->scheduler)
  HANDLE(SCHEDULERS, rac_signal_deliver_on, g->signal, bad)
  OPERATOR(subscribe_on, bad, g->scheduler)
  HANDLE(SCHEDULERS, rac_signal_subscribe_on, g->signal, bad)
  OPERATOR(group_by, bad, CONTEXT, map, map, DESTROY)
  OPERATOR(scan, bad, I(0), CONTEXT, reduce, DESTROY)
  OPERATOR(switch_to_latest, bad)
  OPERATOR(take_until, bad, g->signal)
  OPERATOR(take_until, g->signal, bad)
  OPERATOR(distinct_until_changed, bad)
  OPERATOR(repeat, bad)
  OPERATOR(retry, bad, 1)
  OPERATOR(collect, bad)
  OPERATOR(log_all, bad)
  OPERATOR(publish, bad)
  OPERATOR(multicast, bad, g->subject)
  HANDLE(SUBJECT, rac_signal_multicast, g->signal, bad)
  OPERATOR(replay, bad)
  OPERATOR(replay_last, bad)
  OPERATOR(replay_lazily, bad)
}

static void probe_subjects(const good *g, void *bad, unsigned kind,
                           rac_status expected) {
  STATUS(SUBSCRIBERS, rac_subscriber_send, bad, I(1))
  STATUS(SUBSCRIBERS, rac_subscriber_send_error, bad, rac_value_nil())
  STATUS(SUBSCRIBERS, rac_subscriber_send_completed, bad)
  ANSWER(SUBSCRIBERS, rac_subscriber_is_active, false, bad)
  STATUS(SUBSCRIBERS, rac_subscriber_add_disposable, bad, g->disposable)
  STATUS(DISPOSABLES, rac_subscriber_add_disposable,
         rac_subject_as_subscriber(g->subject), bad)
  STATUS(SUBJECT, rac_subject_send, bad, I(1))
  STATUS(SUBJECT, rac_subject_send_error, bad, rac_value_nil())
  STATUS(SUBJECT, rac_subject_send_completed, bad)
  HANDLE(SUBJECT, rac_subject_as_signal, bad)
  HANDLE(SUBJECT, rac_subject_as_subscriber, bad)
  ANSWER(SUBJECT, rac_subject_subscriber_count, 0, bad)
  HANDLE(CONNECTION, rac_connection_signal, bad)
  HANDLE(CONNECTION, rac_connection_connect, bad)
  HANDLE(CONNECTION, rac_connection_autoconnect, bad)
}

static void probe_disposables(const good *g, void *bad, unsigned kind,
                              rac_status expected) {
  STATUS(DISPOSABLES | NOTHING, rac_dispose, bad)
  STATUS(DISPOSABLES, rac_dispose_and_wait, bad, 0)
  ANSWER(DISPOSABLES, rac_is_disposed, false, bad)
  STATUS(COMPOUND, rac_compound_disposable_add, bad, g->disposable)
  STATUS(DISPOSABLES | NOTHING, rac_compound_disposable_add, g->compound, bad)
  STATUS(COMPOUND, rac_compound_disposable_remove, bad, g->disposable)
  STATUS(DISPOSABLES | NOTHING, rac_compound_disposable_remove, g->compound,
         bad)
  STATUS(SERIAL, rac_serial_disposable_set, bad, NULL)
  STATUS(DISPOSABLES | NOTHING, rac_serial_disposable_set, g->serial, bad)
  HANDLE(SERIAL, rac_serial_disposable_swap, bad, NULL)
  HANDLE(DISPOSABLES | NOTHING, rac_serial_disposable_swap, g->serial, bad)
  HANDLE(SERIAL, rac_serial_disposable_current, bad)
  HANDLE(DISPOSABLES, rac_scoped_disposable_create, bad)
}

static void probe_schedulers(const good *g, void *bad, unsigned kind,
                             rac_status expected) {
  (void)g;
  HANDLE(SCHEDULERS, rac_signal_start_eagerly, bad, CONTEXT, start, DESTROY)
  HANDLE(SCHEDULERS, rac_signal_start_lazily, bad, CONTEXT, start, DESTROY)
  HANDLE(SCHEDULERS | NOTHING, rac_signal_interval, 1, bad)
  HANDLE(SCHEDULERS, rac_schedule, bad, CONTEXT, action, DESTROY)
  HANDLE(SCHEDULERS, rac_schedule_after, bad, 1, CONTEXT, action, DESTROY)
  HANDLE(SCHEDULERS, rac_schedule_repeating, bad, 1, 1, 0, CONTEXT, action,
         DESTROY)
  HANDLE(SCHEDULERS, rac_schedule_recursive, bad, CONTEXT, recursive, DESTROY)
  STATUS(RECURSION, rac_reschedule, bad)
  if (!(kind & SCHEDULERS)) {
    rac_clear_last_error();
    rac_scheduler_now(bad);
    check_answer("rac_scheduler_now", expected);
  }
  if (!(kind & VIRTUAL)) {
    rac_clear_last_error();
    CHECK(rac_scheduler_next_deadline(bad) == -1);
    check_answer("rac_scheduler_next_deadline", expected);
  }
  STATUS(VIRTUAL, rac_virtual_step, bad)
  STATUS(VIRTUAL, rac_virtual_step_n, bad, 1)
  STATUS(VIRTUAL, rac_virtual_step_all, bad)
  STATUS(VIRTUAL, rac_virtual_advance_to, bad, 1)
  STATUS(VIRTUAL, rac_virtual_advance_by, bad, 1)
  STATUS(VIRTUAL, rac_virtual_sleep, bad, 1)
  STATUS(VIRTUAL, rac_virtual_set_time, bad, 1)
  STATUS(VIRTUAL, rac_virtual_plan_reading, bad, 1)
  STATUS(VIRTUAL, rac_virtual_step_due, bad, 1)
}

static void probe(const good *g, void *bad, unsigned kind,
                  rac_status expected) {
  /* These two take every kind, and NULL. */
  STATUS(EVERYTHING | NOTHING, rac_release, bad)
  HANDLE(EVERYTHING | NOTHING, rac_retain, bad)
  probe_signals(g, bad, kind, expected);
  probe_operators(g, bad, kind, expected);
  probe_subjects(g, bad, kind, expected);
  probe_disposables(g, bad, kind, expected);
  probe_schedulers(g, bad, kind, expected);
}

/* ---- One good handle of every kind -------------------------------------- */

static rac_status keep_subscriber(void *context, rac_subscriber *subscriber,
                                  rac_disposable **out) {
  (void)out;
  good *g = context_target(context);
  g->subscriber = rac_retain(subscriber);
  return RAC_OK;
}

static void keep_recursion(void *context, rac_recursion *self) {
  good *g = context_target(context);
  g->recursion = rac_retain(self);
}

static void ignore(void *context) { (void)context; }

static void make(good *g) {
  memset(g, 0, sizeof *g);
  g->signal =
      rac_signal_create(context_new(g, NULL), keep_subscriber, context_destroy);
  g->subject = rac_subject_create();
  record(g->signal, &g->heard);
  g->disposable = rac_disposable_create(CONTEXT, ignore, DESTROY);
  g->compound = rac_compound_disposable_create();
  g->serial = rac_serial_disposable_create();
  rac_disposable *inner = rac_disposable_create(NULL, NULL, NULL);
  g->scoped = rac_scoped_disposable_create(inner);
  rac_release(inner);
  g->scheduler = rac_scheduler_background(0, NULL);
  g->virtual = rac_scheduler_virtual();
  g->connection = rac_signal_publish(g->signal);
  rac_release(rac_schedule_recursive(g->virtual, context_new(g, NULL),
                                     keep_recursion, context_destroy));
  rac_virtual_step_all(g->virtual);
  CHECK(g->subscriber && g->recursion && g->connection && g->scoped);
}

/* Nobody may have heard anything of the bad calls. */
static void unmake(good *g) {
  CHECK_EVENTS(&g->heard, "");
  CHECK(rac_subscriber_is_active(g->subscriber));
  CHECK(!rac_is_disposed(g->disposable) && !rac_is_disposed(g->compound));
  CHECK(!rac_is_disposed(g->serial) && !rac_is_disposed(g->scoped));
  finish(&g->heard);
  void *all[] = {g->signal,   g->subject,    g->subscriber, g->disposable,
                 g->compound, g->serial,     g->scoped,     g->scheduler,
                 g->virtual,  g->connection, g->recursion};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    CHECK_STATUS(rac_release(all[i]), RAC_OK);
}

/* ---- The tests ---------------------------------------------------------- */

/* Law 20: with an error and its function, never with a crash. */
TEST(null_is_refused) {
  good g;
  make(&g);
  probe(&g, NULL, NOTHING, RAC_ENULL);
  unmake(&g);
}

/* Law 20: also where there is something, but not what it should be. */
TEST(handles_of_another_kind_are_refused) {
  good g;
  make(&g);
  void *handles[] = {g.signal,   g.subject,    g.subscriber, g.disposable,
                     g.compound, g.serial,     g.scoped,     g.scheduler,
                     g.virtual,  g.connection, g.recursion};
  for (int i = 0; i < 11; i++) probe(&g, handles[i], 1u << i, RAC_EKIND);
  unmake(&g);
}

/* Law 20: what was released. */
TEST(stale_handles_are_refused) {
  good g, gone;
  make(&g);
  make(&gone);
  void *handles[] = {gone.signal,     gone.subject,   gone.subscriber,
                     gone.disposable, gone.compound,  gone.serial,
                     gone.scoped,     gone.scheduler, gone.virtual,
                     gone.connection, gone.recursion};
  unmake(&gone);
  for (int i = 0; i < 11; i++) probe(&g, handles[i], GARBAGE, RAC_ESTALE);
  unmake(&g);
}

/* Law 20: what never was one. */
TEST(garbage_is_refused) {
  good g;
  make(&g);
  uint64_t state = 2;
  for (int64_t i = check_scaled(100000); i > 0; i--) {
    uint64_t number = check_random(&state);
    /* Every other one is in the range where handles lie, and every fourth
     * names a slot that exists. */
    if (i % 2 == 0) number &= ((uint64_t)1 << 53) - 1;
    if (i % 4 == 0) {
      number &= ~(((uint64_t)1 << 27) - 1);
      number |= check_random(&state) % 64;
    }
    if (number == 0) continue;
    probe(&g, (void *)(uintptr_t)number, GARBAGE, RAC_ESTALE);
  }
  unmake(&g);
}
