/* One round: random calls, by one thread or by several, then the end of all
 * they have made, and the balance. What a round does follows from the seed and
 * its number; each of its calls has random numbers of its own, so that leaving
 * one out changes what the others find, but not what they ask for.
 */
#include <pthread.h>
#include <sched.h>
#include <time.h>
#include <unistd.h>

#include "fuzz.h"

static pthread_key_t player_key;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static _Thread_local player *mine;
static player players[MOST_THREADS + 1];
static atomic_ullong calls_made;
static atomic_int playing;
static uint64_t the_round;

static void forget(void *own) { free(own); }
static void make_key(void) { pthread_key_create(&player_key, forget); }

/* A thread of the library's gets one when it first calls back. */
player *fuzz_player(void) {
  if (mine) return mine;
  pthread_once(&once, make_key);
  mine = calloc(1, sizeof *mine);
  if (mine == NULL) abort();
  pthread_setspecific(player_key, mine);
  mine->number = -1;
  mine->random = fuzz_mix(fuzz.seed, the_round, (uintptr_t)mine);
  mine->function = "";
  return mine;
}

void fuzz_set_player(player *p) { mine = p; }

uint64_t fuzz_calls_made(void) { return atomic_load(&calls_made); }
void fuzz_add_calls(uint64_t calls) { atomic_fetch_add(&calls_made, calls); }

/* ---- Playing ------------------------------------------------------------- */

static bool is_skipped(int number) {
  return fuzz.skipped[number / 8] >> (number % 8) & 1;
}

static void play(player *p) {
  int count = fuzz.per_round / fuzz.threads;
  for (int i = 0; i < count; i++) {
    int number = p->number * count + i;
    p->call = number;
    fuzz_perhaps_close(p, number);
    if (is_skipped(number)) continue;
    p->random = fuzz_mix(fuzz.seed, p->round, (uint64_t)number + 1);
    fuzz_call_something(p);
  }
}

static void enter_round(player *p, int number, uint64_t round) {
  p->number = number;
  p->round = round;
  p->random = fuzz_mix(fuzz.seed, round, 0);
  p->depth = 0;
  p->call = -1;
  p->function = "";
  fuzz_players[p - players] = p;
  fuzz_set_player(p);
}

/* Batches that a callback began, which ran outside of all others, and left. */
static void end_batches(void) {
  while (rac_property_batch_cancel() == RAC_OK) continue;
}

static void leave_round(player *p) {
  while (p->attached > 0 && rac_thread_detach() == RAC_OK) p->attached--;
  end_batches();
  fuzz_release_values(p);
  atomic_fetch_add(&calls_made, p->calls);
  p->calls = 0;
}

static void *play_here(void *argument) {
  player *p = argument;
  fuzz_set_player(p);
  play(p);
  leave_round(p);
  fuzz_set_player(NULL);
  atomic_fetch_sub(&playing, 1);
  return NULL;
}

static void pause_for(long nanoseconds) {
  nanosleep(&(struct timespec){.tv_nsec = nanoseconds}, NULL);
}

/* The main thread drains the main scheduler while the others play. */
static void play_together(uint64_t round) {
  pthread_t threads[MOST_THREADS];
  atomic_store(&playing, fuzz.threads);
  for (int i = 0; i < fuzz.threads; i++) {
    enter_round(&players[i + 1], i, round);
    if (pthread_create(&threads[i], NULL, play_here, &players[i + 1]) != 0)
      abort();
  }
  fuzz_set_player(&players[0]);
  while (atomic_load(&playing) > 0) {
    rac_main_drain(16);
    pause_for(50000);
  }
  for (int i = 0; i < fuzz.threads; i++) pthread_join(threads[i], NULL);
}

/* ---- Its end ------------------------------------------------------------- */

static void ignore_line(void *context, const char *line) {
  (void)context;
  fuzz_hear_text(line);
}

static void reset_library(void) {
  rac_set_trace(NULL, NULL, NULL);
  rac_record_set_locator(NULL, NULL, NULL);
  rac_set_unhandled_error(NULL, NULL, NULL);
  rac_set_blocking_hook(NULL, NULL, NULL, NULL);
  rac_set_thread_hook(NULL, NULL, NULL, NULL);
  rac_set_interruption_hook(NULL, NULL, NULL);
  /* Of a closed library one can only be taken away. */
  rac_set_log(NULL, fuzz_is_closed() ? NULL : ignore_line, NULL);
  rac_set_names_enabled(false);
  rac_set_subscribe_inline(false);
  rac_set_default_marks(true);
  rac_clear_last_error();
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static bool is_settled(uint64_t objects) {
  return fuzz_contexts_left() == 0 && rac_live_objects() == objects &&
         atomic_load(&fuzz_objects) == 0;
}

/* Work under way is let come to its end. */
static bool settle(player *p, uint64_t objects) {
  double end = now() + fuzz.patience / 2.0;
  for (int tries = 0; !is_settled(objects); tries++) {
    if (now() > end) return false;
    /* A callback that had begun before may have set a hook since. */
    reset_library();
    fuzz_empty_pools(p);
    fuzz_clear_away(p);
    /* Those of the others, too: what they released may have called back. */
    for (int i = 0; i <= fuzz.threads; i++) fuzz_release_values(&players[i]);
    while (fuzz_take_turn()) continue;
    rac_main_drain(0);
    end_batches();
    if (tries > 20 && tries < 60) sched_yield();
    if (tries >= 60) pause_for(100000);
  }
  return true;
}

static void report_handle(void *context, const char *kind, const char *name,
                          size_t references, size_t subscribers) {
  (void)context;
  fprintf(stderr, "  live: %s \"%s\", %zu references, %zu subscribers\n", kind,
          name, references, subscribers);
}

static void report_leak(uint64_t objects) {
  fuzz_fail("the round leaves %lld objects, %d contexts, %d references to an "
            "object of ours",
            (long long)(rac_live_objects() - objects), fuzz_contexts_left(),
            atomic_load(&fuzz_objects));
  fuzz_print_contexts();
  rac_report_live_handles(NULL, report_handle);
  fuzz_print_living();
  /* One that has not come back may be what holds it all. */
  fuzz_print_threads();
}

bool fuzz_play_round(uint64_t round) {
  int failures = fuzz_failures();
  player *p = &players[0];
  the_round = round;
  enter_round(p, 0, round);
  uint64_t objects = rac_live_objects();
  reset_library();
  fuzz_make_stop();
  if (!fuzz.closes) objects = rac_live_objects();
  fuzz_begin_contexts(false);
  fuzz_furnish(p);
  if (fuzz.threads > 1) {
    play_together(round);
  } else {
    play(p);
  }
  p->call = -2;
  p->function = "the end of the round";
  fuzz_begin_contexts(true);
  fuzz_close_at_last(p);
  reset_library();
  /* When the library is closed nobody is told. */
  if (fuzz.closes)
    fuzz_release_stop();
  else
    fuzz_stop();
  leave_round(p);
  if (!settle(p, objects)) report_leak(objects);
  if (!fuzz.closes) fuzz_release_stop();
  return fuzz_failures() == failures;
}
