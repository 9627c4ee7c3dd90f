/* One round: a graph, who listens, who sends, and what is done meanwhile. */
#include "values.h"

#include <pthread.h>
#include <sched.h>
#include <time.h>

stage the;
uint64_t values_sent, values_heard;

static void pause_for(long microseconds) {
  nanosleep(&(struct timespec){0, microseconds * 1000}, NULL);
}

static void add_sink(void) {
  if (the.sink_count == MOST_SINKS) return;
  make_sink(&the.sinks[the.sink_count], the.sink_count, &the.random);
  the.sink_count++;
}

static void end_place(place *self) {
  if (self->end_end != 0 || self->is_replay) return;
  self->end_begin = now();
  rac_subject_send_completed(self->subject);
  self->end_end = now();
}

static void change_something(numbers *random) {
  sink *sink = &the.sinks[below(random, the.sink_count)];
  tree *tree = &sink->tree;
  int what = below(random, 20);
  if (what < 4)
    add_sink();
  else if (what < 6)
    dispose_sink(sink, what == 4);
  else if (what < 7)
    end_place(&the.places[below(random, the.place_count)]);
  else if (what < 13 && tree->switcher_count > 0)
    switch_on(tree, &tree->switchers[below(random, tree->switcher_count)],
              random);
  else if (what < 16)
    rac_main_drain((size_t)below(random, 20));
  else if (what < 18)
    sched_yield();
  else
    pause_for(below(random, 200));
}

static bool fail(const char *what) {
  fprintf(stderr, "values: seed %llu, round %llu: %s\n",
          (unsigned long long)the.seed, (unsigned long long)the.round, what);
  return false;
}

static void run_until(atomic_int *count) {
  while (atomic_load(count) < the.threads)
    if (rac_main_drain(0) == 0) pause_for(20);
}

static void play(void) {
  pthread_t threads[MOST_THREADS];
  for (int i = 0; i < the.threads; i++)
    if (pthread_create(&threads[i], NULL, run_sender, &the.senders[i]) != 0)
      abort();
  int changes = 4 + below(&the.random, 40);
  for (int i = 0; i < changes; i++) change_something(&the.random);
  run_until(&the.waiting);
  rac_settle(20);
  for (int i = 0; i < the.sink_count; i++)
    for (int j = 0; j < the.sinks[i].tree.switcher_count; j++)
      switch_on(&the.sinks[i].tree, &the.sinks[i].tree.switchers[j],
                &the.random);
  rac_settle(20);
  for (int i = 0; i < the.sink_count; i++) end_switched(&the.sinks[i].tree);
  the.settled = now();
  atomic_store(&the.phase, 1);
  run_until(&the.finished);
  for (int i = 0; i < the.threads; i++) pthread_join(threads[i], NULL);
}

/* What has gathered for its time is not waited for by rac_settle(). */
static bool is_all_heard(void) {
  if (rac_settle(20) != RAC_OK) return fail("it does not settle");
  for (int i = 0; i < 100; i++) {
    if (check_sinks(false) == 0) return true;
    rac_main_drain(0);
    pause_for(2000);
    rac_settle(20);
  }
  return check_sinks(true) == 0;
}

static bool clear_away(uint64_t before) {
  for (int i = 0; i < the.sink_count; i++) release_sink(&the.sinks[i]);
  release_graph();
  for (int i = 0; i < 2000; i++) {
    rac_settle(20);
    rac_main_drain(0);
    if (rac_live_objects() == before && atomic_load(&contexts) == 0) break;
    pause_for(1000);
  }
  for (int i = 0; i < the.sink_count; i++)
    if (atomic_load(&the.sinks[i].destroyed) != 1) return fail("no destroy");
  if (atomic_load(&contexts) != 0) return fail("contexts are left");
  if (rac_live_objects() != before) return fail("objects are left");
  return true;
}

static void prepare(uint64_t seed, uint64_t round, int threads) {
  the.seed = seed, the.round = round;
  the.random = numbers_of(seed, round, 0);
  numbers *random = &the.random;
  the.threads = threads > 0 ? threads : 1 + below(random, MOST_THREADS);
  the.sink_count = the.place_count = the.hub_count = 0;
  the.settled = 0;
  atomic_store(&the.is_stale, false);
  the.start = now();
  the.per_thread = 30 + below(random, percent(random, 20) ? 1200 : 300);
  atomic_store(&the.waiting, 0);
  atomic_store(&the.phase, 0);
  atomic_store(&the.finished, 0);
  for (int i = 0; i < MOST_THREADS; i++) {
    sender *sender = &the.senders[i];
    sender->number = i;
    sender->random = numbers_of(seed, round, (uint64_t)i + 1);
    atomic_store(&sender->count, 0);
  }
}

bool play_round(uint64_t seed, uint64_t round, int threads) {
  uint64_t before = rac_live_objects();
  prepare(seed, round, threads);
  make_graph();
  int first = 1 + below(&the.random, 6);
  for (int i = 0; i < first; i++) add_sink();
  play();
  bool is_good = is_all_heard();
  if (atomic_load(&the.is_stale))
    is_good = fail("a value came of a signal that had been switched from");
  for (int i = 0; i < MOST_THREADS + the.sink_count; i++)
    values_sent += (uint64_t)atomic_load(&sender_at(i)->count);
  for (int i = 0; i < the.sink_count; i++)
    values_heard += (uint64_t)atomic_load(&the.sinks[i].count);
  /* What has failed may be left; whoever goes on begins from there. */
  return clear_away(before) && is_good;
}
