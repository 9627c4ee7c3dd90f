/* Faults that rac-scope finds, each in a function of its own: docs/Debugging.md
 * looks for them.
 *
 *     rac-scope ./faults              the first four
 *     rac-scope ./faults timer end    those that are named
 *
 * SPDX-License-Identifier: MIT
 */
#include <pthread.h>
#include <rac.h>
#include <string.h>
#include <time.h>

static void sleep_for(int milliseconds) {
  struct timespec pause = {milliseconds / 1000, milliseconds % 1000 * 1000000L};
  nanosleep(&pause, NULL);
}

static rac_signal *named(rac_signal *signal, const char *name) {
  rac_signal_set_name(signal, name);
  return signal;
}

static rac_subject *subject(const char *name) {
  rac_subject *subject = rac_subject_create();
  rac_signal_set_name(rac_subject_as_signal(subject), name);
  return subject;
}

static void send(rac_subject *subject, int64_t number) {
  rac_subject_send(subject, rac_value_int64(number));
}

static rac_status twice(void *context, rac_value value, rac_value *out) {
  (void)context;
  *out = rac_value_int64(value.bits * 2);
  return RAC_OK;
}

static void show(void *context, rac_value value) { (void)context, (void)value; }

static void show_slowly(void *milliseconds, rac_value value) {
  (void)value;
  sleep_for(*(int *)milliseconds);
}

static int three = 3, two_hundred = 200;

/* ---- A request that is made twice ---------------------------------------- */

static rac_status ask(void *context, rac_subscriber *server,
                      rac_disposable **out) {
  (void)context, (void)out;
  rac_subscriber_send(server, rac_value_int64(100));
  return rac_subscriber_send_completed(server);
}

static void label(void) {
  rac_signal *price = named(rac_signal_create(NULL, ask, NULL), "price");
  rac_signal *net = named(rac_signal_map(price, NULL, twice, NULL), "net");
  rac_signal *gross = named(rac_signal_map(price, NULL, twice, NULL), "gross");
  rac_signal *both[] = {net, gross};
  rac_signal *label = named(rac_signal_combine_latest(both, 2), "label");
  rac_release(rac_subscribe_next(label, NULL, show, NULL));
  rac_release(label);
  rac_release(gross);
  rac_release(net);
  rac_release(price);
}

/* ---- A context that keeps what calls it ---------------------------------- */

static void release(void *subject) { rac_release(subject); }

static void window(void) {
  rac_subject *clicks = subject("clicks");
  rac_signal *doubled =
      named(rac_signal_map(rac_subject_as_signal(clicks), NULL, twice, NULL),
            "doubled");
  rac_release(rac_subscribe_next(doubled, rac_retain(clicks), show, release));
  for (int i = 0; i < 3; i++) send(clicks, i);
  rac_release(doubled);
  rac_release(clicks);
}

/* ---- A worker that is too slow, without a bound and with one --------------- */

static void worker(rac_subject *values, rac_bound *bound, const char *name,
                   int count) {
  rac_scheduler *scheduler =
      rac_scheduler_background(RAC_PRIORITY_DEFAULT, name);
  rac_signal *there =
      named(rac_signal_deliver_on_bounded(rac_subject_as_signal(values),
                                          scheduler, bound),
            name);
  rac_disposable *heard = rac_subscribe_next(there, &three, show_slowly, NULL);
  for (int i = 0; i < count; i++) {
    send(values, i);
    if (i % 4 == 3) sleep_for(1);
  }
  rac_dispose(heard);
  rac_release(heard);
  rac_release(there);
  rac_release(values);
  rac_release(scheduler);
}

static void backlog(void) {
  worker(subject("readings"), RAC_BOUND_NONE, "to worker", 200);
}

static void drops(void) {
  rac_bound *four = rac_bound_create(4, RAC_BOUND_DROP_OLDEST);
  worker(subject("orders"), four, "to clerk", 24);
  rac_release(four);
}

static void held(void) {
  rac_bound *four = rac_bound_create(4, RAC_BOUND_WAIT);
  rac_subject *blocks = rac_subject_create_bounded(four);
  rac_signal_set_name(rac_subject_as_signal(blocks), "blocks");
  worker(blocks, four, "to disk", 60);
  rac_release(four);
}

/* ---- An error that nobody hears ------------------------------------------- */

static rac_status refuse(void *context, rac_value value, rac_value *out) {
  (void)context, (void)value, (void)out;
  return rac_raise_error("shop", 2, "no pairs");
}

static void ignore(void *context, const rac_unhandled_error *error) {
  (void)context, (void)error;
}

static void error(void) {
  rac_set_unhandled_error(NULL, ignore, NULL); /* nobody reads the log */
  rac_subject *orders = subject("carts");
  rac_signal *checked =
      named(rac_signal_map(rac_subject_as_signal(orders), NULL, refuse, NULL),
            "checked");
  rac_release(rac_subscribe_next(checked, NULL, show, NULL));
  send(orders, 2);
  rac_release(checked);
  rac_release(orders);
}

/* ---- A call that is refused, and nobody asks why -------------------------- */

static void broken(void) {
  rac_subject *names = subject("names");
  rac_signal *lengths =
      rac_signal_map(rac_subject_as_signal(names), NULL, NULL, NULL);
  rac_release(rac_subscribe_next(lengths, NULL, show, NULL)); /* nothing */
  send(names, 2);
  rac_release(lengths);
  rac_release(names);
}

/* ---- A scheduler that nobody runs, and an end that waits for it ----------- */

static void *type(void *words) {
  send(words, 1);
  rac_subject_send_completed(words);
  return NULL;
}

static void end(void) {
  rac_subject *words = subject("words");
  rac_signal *screen =
      named(rac_signal_deliver_on_main(rac_subject_as_signal(words)), "screen");
  rac_release(rac_subscribe_next(screen, NULL, show, NULL));
  pthread_t thread;
  if (pthread_create(&thread, NULL, type, words) == 0)
    pthread_join(thread, NULL);
  rac_release(screen);
  rac_release(words);
}

/* ---- A job that makes a timer late, and a subscriber that takes long ------- */

static void block(void *context) {
  (void)context;
  sleep_for(250);
}

static void timer(void) {
  rac_scheduler *main = rac_scheduler_main();
  rac_signal *tick = named(rac_signal_interval(0.03, main), "tick");
  RAC_ASSIGN(tick, rac_signal_take(tick, 1));
  rac_release(rac_subscribe_next(tick, NULL, show, NULL));
  rac_release(rac_schedule(main, NULL, block, NULL));
  rac_main_run_for(0.4);
  rac_release(tick);
}

static void report(void) {
  rac_subject *reports = subject("reports");
  rac_release(rac_subscribe_next(rac_subject_as_signal(reports), &two_hundred,
                                 show_slowly, NULL));
  send(reports, 1);
  rac_release(reports);
}

/* ---- A subject that is not released ---------------------------------------- */

static void leak(void) { send(subject("keys"), 1); }

static const struct {
  const char *name;
  void (*run)(void);
} faults[] = {
    {"label", label}, {"window", window}, {"backlog", backlog},
    {"drops", drops}, {"held", held},     {"error", error},
    {"end", end},     {"timer", timer},   {"report", report},
    {"leak", leak},   {"broken", broken},
};

int main(int count, char **names) {
  const int all = sizeof faults / sizeof *faults;
  for (int i = 0; i < all; i++) {
    bool is_wanted = count == 1 && i < 4;
    for (int n = 1; n < count; n++)
      is_wanted |= strcmp(names[n], faults[i].name) == 0;
    if (is_wanted) faults[i].run();
  }
  return 0;
}
