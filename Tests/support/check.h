/* Shared by the C tests: checks that name their line, counted contexts, a
 * subscriber that writes down what it hears, and signals made from scripts.
 *
 * A script is a list of events: integers and nil are values, # with a number is
 * an error with that code, | is the completion, and an event that is a value
 * stands in angle brackets. A recorder writes the events that it hears in the
 * same way, so that "1 2 |" goes in and "1 2 |" comes out. Scripts with times
 * are in marbles.h; docs/Testing.md has the grammar of both.
 *
 * After every test each context handed over must have been destroyed once,
 * and the library must hold as many objects as before it.
 */
#ifndef RAC_CHECK_H
#define RAC_CHECK_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rac.h"

/* ---- Tests and checks --------------------------------------------------- */

/* Defines a test and registers it with the program. */
#define TEST(name)                                                             \
  static void name(void);                                                      \
  __attribute__((constructor)) static void register_##name(void) {             \
    check_register(#name, name);                                               \
  }                                                                            \
  static void name(void)

/* Goes on after a failure. */
#define CHECK(condition)                                                       \
  ((condition) ? (void)0 : check_fail(__FILE__, __LINE__, #condition))
#define CHECK_INT(actual, expected)                                            \
  check_int(__FILE__, __LINE__, #actual, (int64_t)(actual), (int64_t)(expected))
#define CHECK_STATUS(actual, expected)                                         \
  check_status(__FILE__, __LINE__, #actual, (actual), (expected))
#define CHECK_TEXT(actual, expected)                                           \
  check_text(__FILE__, __LINE__, #actual, (actual), (expected))
/* The events that a recorder has heard so far. */
#define CHECK_EVENTS(recorder, expected)                                       \
  check_text(__FILE__, __LINE__, #recorder, (recorder)->text, (expected))
/* Leaves the test: the rest needs the condition. */
#define REQUIRE(condition)                                                     \
  do {                                                                         \
    if (!(condition)) {                                                        \
      check_fail(__FILE__, __LINE__, #condition);                              \
      return;                                                                  \
    }                                                                          \
  } while (0)
/* For what another thread does; gives up after a while. */
#define WAIT_UNTIL(condition)                                                  \
  do {                                                                         \
    int check_tries = 0;                                                       \
    while (!(condition) && check_tries++ < 100000) check_pause();              \
    if (!(condition)) check_fail(__FILE__, __LINE__, #condition);              \
  } while (0)

/* A condition that holds until a time of check_clock(). Checks nothing if that
 * time has passed, as on a busy machine. */
#define CHECK_UNTIL(time, condition)                                           \
  do {                                                                         \
    bool check_held = (condition);                                             \
    if (!check_held && check_clock() < (time))                                 \
      check_fail(__FILE__, __LINE__, #condition);                              \
  } while (0)

void check_register(const char *name, void (*body)(void));
void check_fail(const char *file, int line, const char *what);
void check_int(const char *file, int line, const char *what, int64_t actual,
               int64_t expected);
void check_status(const char *file, int line, const char *what,
                  rac_status actual, rac_status expected);
void check_text(const char *file, int line, const char *what,
                const char *actual, const char *expected);
/* Half a millisecond. */
void check_pause(void);
/* `count` divided by the environment's RAC_STRESS_DIVISOR, at least 1. */
int64_t check_scaled(int64_t count);
/* A thread that the library does not know; join it. */
pthread_t check_spawn(void *(*body)(void *), void *argument);
void check_join(pthread_t thread);
/* RAC_STRESS_SECONDS: how long a test that can be as long as one likes is to
 * run; 0 when it is not set. */
double check_seconds(void);
/* Seconds since some time. */
double check_clock(void);
/* A number nobody can guess, the same ones in every run. */
uint64_t check_random(uint64_t *state);

/* ---- Contexts ----------------------------------------------------------- */

/* A context to hand over with context_destroy. `destroyed`, if not NULL, is
 * counted up then. */
void *context_new(void *target, atomic_int *destroyed);
/* The target of the context; a failure if it was destroyed. */
void *context_target(void *context);
void context_destroy(void *context);
/* Contexts handed over and not destroyed yet. */
int context_count(void);

/* ---- What goes with its block -------------------------------------------- */

/* Before a declaration with a value: the object is released at the end of the
 * block, the last one first. */
#define owned __attribute__((cleanup(release_owned)))
#define owned_value __attribute__((cleanup(release_owned_value))) rac_value
void release_owned(void *variable);
void release_owned_value(rac_value *variable);

/* ---- Values ------------------------------------------------------------- */

static inline rac_value I(int64_t number) { return rac_value_int64(number); }
static inline rac_value S(const char *text) { return rac_value_string(text); }
/* Owned: an error with this code, domain "test". */
rac_value test_error(int64_t code);
/* Writes the value as recorders do; the length. */
size_t format_value(rac_value value, char *buffer, size_t capacity);

/* ---- Recorders ---------------------------------------------------------- */

/* Start it as `recorder r = {0}`. The text is plain memory on purpose: the
 * library alone makes its callbacks follow one another. */
typedef struct recorder recorder;
struct recorder {
  /* When set, every event is written with its time, as event@seconds. */
  rac_scheduler *clock;
  /* Run after the event was written down. */
  void (*on_next)(recorder *self, rac_value value);
  void (*on_end)(recorder *self);
  void (*on_destroy)(recorder *self);
  void *user;
  rac_disposable *subscription;
  atomic_int nexts;
  atomic_int ends;
  atomic_int destroyed;
  atomic_int inside;
  bool nests; /* a callback may start another one of this recorder */
  size_t used;
  char text[2048];
};

/* Subscribes with every callback; the subscription is in the recorder. */
rac_disposable *record(rac_signal *signal, recorder *self);
/* The observer that record() uses, with a context of its own. */
rac_observer recorder_observer(recorder *self);
/* Releases the subscription without disposing it. */
void let_go(recorder *self);
/* Disposes and releases; waits for destroy, which must have run once. */
void finish(recorder *self);
/* Waits until destroy has run by itself, then releases. */
void await_end(recorder *self);
/* Before a recorder's declaration: finish() at the end of the block, or
 * await_end() if it has heard an end. */
#define finished __attribute__((cleanup(recorder_close)))
void recorder_close(recorder *self);
/* Declares such a recorder, which hears the signal. */
#define RECORDER(name, signal)                                                 \
  finished recorder name = {0};                                                \
  record((signal), &(name))
/* The same, and takes over the reference of the signal, as record_of() does. */
#define RECORDER_OF(name, signal)                                              \
  finished recorder name = {0};                                                \
  record_of((signal), &(name))
void record_of(rac_signal *signal, recorder *self);
/* Subscribes, compares, finishes. Takes over the signal's reference. */
#define CHECK_SIGNAL(signal, expected)                                         \
  check_signal(__FILE__, __LINE__, #signal, (signal), (expected))
void check_signal(const char *file, int line, const char *what,
                  rac_signal *signal, const char *expected);

/* ---- Scripted sources --------------------------------------------------- */

typedef struct source {
  atomic_int subscribed;
  atomic_int disposed;
} source;

/* A cold signal that plays the script to every subscriber and, without an end
 * in it, stays open until disposed. `counts` may be NULL. */
rac_signal *cold(const char *script, source *counts);
/* Plays the script into a subject or subscriber. */
void play(void *subscriber, const char *script);

static inline rac_signal *as_signal(void *subject) { return subject; }

#endif
