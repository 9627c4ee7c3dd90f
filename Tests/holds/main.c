/* The fuzzer of holds: see holds.h.
 *
 *     fuzz_holds --seconds 5             a new seed
 *     fuzz_holds --seed 7 --round 12     one round again, and those behind it
 *
 * The program is the same each time; the moments are the system's. */
#include "holds.h"

#include <sched.h>
#include <stdarg.h>
#include <time.h>
#include <unistd.h>

round_of_holds now;
static uint64_t seed, number, values_heard;
static double patience = 20;

int below(int limit) {
  uint64_t z = now.random += UINT64_C(0x9E3779B97F4A7C15);
  z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
  z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
  return (int)((z >> 33) % (uint64_t)limit);
}

rac_scheduler *any_worker(void) { return now.workers[below(WORKERS)]; }

void say(const char *format, ...) {
  va_list arguments;
  size_t used = strlen(now.text);
  va_start(arguments, format);
  vsnprintf(now.text + used, sizeof now.text - used, format, arguments);
  va_end(arguments);
}

static double seconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void pause_for(long microseconds) {
  nanosleep(&(struct timespec){0, microseconds * 1000}, NULL);
}

/* ---- The subscriber ------------------------------------------------------------ */

static struct {
  int64_t next[MOST_SOURCES];
  atomic_llong heard;
  atomic_int ended, destroyed;
  atomic_bool is_wrong;
} ear;

static void hear(void *context, rac_value value) {
  int64_t word = 0;
  (void)context;
  rac_value_get_int64(value, &word);
  int64_t source = word >> SOURCE_SHIFT, serial = word & 0xffffff;
  if (source < 0 || source >= now.source_count || serial != ear.next[source]++)
    atomic_store(&ear.is_wrong, true);
  atomic_fetch_add(&ear.heard, 1);
}

static void hear_end(void *context) {
  (void)context;
  atomic_store(&ear.ended, 1);
}
static void hear_error(void *context, rac_value error) {
  (void)context, (void)error;
  atomic_store(&ear.ended, 2);
}
static void go(void *context) {
  (void)context;
  atomic_store(&ear.destroyed, 1);
}

/* ---- A round --------------------------------------------------------------------- */

static bool fail(const char *text) {
  fprintf(stderr, "holds: seed %llu, round %llu: %s\n  %s\n",
          (unsigned long long)seed, (unsigned long long)number, text, now.text);
  return false;
}

/* Lets the slow scheduler run until something has happened; without one the
 * workers do. False: it does not in time. */
static bool run_until(atomic_int *what, rac_scheduler *slow, double until) {
  while (atomic_load(what) == 0) {
    if (seconds() > until) return false;
    if (slow != NULL) rac_virtual_step_n(slow, 2);
    if (slow != NULL)
      sched_yield();
    else
      pause_for(20);
  }
  return true;
}

static bool places_are_kept(void) {
  for (int i = 0; i < now.place_count; i++) {
    place *self = &now.places[i];
    int most = (int)rac_bound_get(self->bound, RAC_BOUND_HIGHEST);
    if (most <= self->capacity + self->sources - 1) continue;
    fprintf(stderr, "holds: place %d of %d has had %d, with %d sources\n", i,
            self->capacity, most, self->sources);
    return false;
  }
  return true;
}

/* Subscribes, and lets it come to its end, or disposes it. */
static bool play(rac_signal *signal, rac_scheduler *slow, int64_t expected) {
  double until = seconds() + patience;
  rac_observer observer = RAC_OBSERVER_INIT;
  observer.next = hear;
  observer.error = hear_error;
  observer.completed = hear_end;
  observer.destroy = go;
  rac_disposable *subscription = rac_subscribe(signal, &observer);
  bool is_disposed = below(10) < 3;
  if (is_disposed) {
    say(" disposed");
    pause_for(below(3000));
    rac_dispose(subscription);
  }
  bool is_over = run_until(&ear.destroyed, slow, until);
  rac_release(subscription);
  if (!is_over)
    return fail(is_disposed ? "a disposal does not end it"
                            : "it rests for ever");
  if (atomic_load(&ear.is_wrong)) return fail("a value is missing, or twice");
  if (is_disposed) return true;
  if (atomic_load(&ear.ended) != 1) return fail("it does not complete");
  return atomic_load(&ear.heard) == expected || fail("the last are missing");
}

static bool play_tree(void) {
  int sources = 0;
  rac_scheduler *slow = below(2) ? rac_scheduler_virtual() : NULL;
  rac_signal *tree = grow(4, &sources);
  rac_signal *signal = behind_place(tree, slow ? slow : any_worker(), sources);
  int64_t expected = 0;
  for (int i = 0; i < now.source_count; i++) expected += now.sources[i].count;
  if (below(5) == 0) {
    int64_t some = 1 + below((int)expected);
    rac_signal *all = signal;
    signal = rac_signal_take(all, (size_t)some);
    rac_release(all);
    say(".take(%d)", (int)some);
    expected = some;
  }
  say(slow ? " slow" : " by a worker");
  bool is_good = play(signal, slow, expected);
  rac_release(signal);
  rac_release(tree);
  if (is_good && !places_are_kept()) is_good = fail("too many wait");
  if (slow != NULL) rac_virtual_step_all(slow);
  rac_release(slow);
  return is_good;
}

static bool play_round(void) {
  uint64_t before = rac_live_objects();
  memset(&now, 0, sizeof now);
  memset(&ear, 0, sizeof ear);
  now.random = seed * UINT64_C(1000003) + number;
  for (int i = 0; i < WORKERS; i++)
    now.workers[i] = rac_scheduler_background(0, NULL);
  bool is_good = play_tree();
  values_heard += (uint64_t)atomic_load(&ear.heard);
  for (int i = 0; i < now.place_count; i++) rac_release(now.places[i].bound);
  for (int i = 0; i < WORKERS; i++) rac_release(now.workers[i]);
  for (int i = 0; is_good && rac_live_objects() != before; i++) {
    if (i == 5000) return fail("objects are left");
    rac_settle(20);
    pause_for(1000);
  }
  return is_good;
}

int main(int count, char **arguments) {
  double limit = 3, start = seconds();
  seed = (uint64_t)(start * 1e9) % 1000000000;
  for (int i = 1; i < count; i++) {
    const char *name = arguments[i];
    const char *argument = i + 1 < count ? arguments[++i] : "";
    if (strcmp(name, "--seconds") == 0)
      limit = strtod(argument, NULL);
    else if (strcmp(name, "--seed") == 0)
      seed = strtoull(argument, NULL, 10);
    else if (strcmp(name, "--round") == 0)
      number = strtoull(argument, NULL, 10);
    else if (strcmp(name, "--patience") == 0)
      patience = strtod(argument, NULL);
    else {
      fprintf(stderr, "usage: fuzz_holds [--seed N] [--round N] [--seconds N] "
                      "[--patience SECONDS]\n");
      return 2;
    }
  }
  uint64_t first = number;
  bool is_good = true;
  while (is_good && seconds() - start < limit) {
    is_good = play_round();
    if (is_good) number++;
  }
  printf("holds: seed %llu, %llu rounds, %llu values heard in %.1f s; %s\n",
         (unsigned long long)seed, (unsigned long long)(number - first),
         (unsigned long long)values_heard, seconds() - start,
         is_good ? "all good" : "the last one failed");
  return is_good ? EXIT_SUCCESS : EXIT_FAILURE;
}
