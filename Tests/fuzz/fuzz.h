/* The fuzzer: random calls of every function of rac.h, by one thread or by
 * three, with callbacks that call back; and a check, at the end of each round,
 * that everything has come back.
 *
 *   main.c       arguments, rounds, what is printed
 *   sets.c       narrow sets of functions, to be played alone
 *   closing.c    rounds in which the library is closed
 *   round.c      one round: its threads, its end, its balance
 *   handles.c    pools of handles that all threads share
 *   values.c     values made up, heard, kept
 *   numbers.c    numbers, texts and times made up
 *   contexts.c   contexts, and what the contract says of callbacks
 *   callbacks.c  what callbacks do
 *   guards.c     what keeps a call from having no end
 *   hand.c       calls that are not generated
 *   report.c     failures, crashes, hangs
 *   living.py    what is alive in a process, and who holds it
 *   shrink.c     a smaller round that fails, too
 *   calls.c, .h  generated from the header: generate.py, rules.py
 */
#ifndef RAC_FUZZ_H
#define RAC_FUZZ_H

#include <rac.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_THREADS = 8, MOST_CALLS = 1 << 14, KEPT_VALUES = 16, LITTLE = 5 };

/* ---- What was asked for -------------------------------------------------- */

typedef struct options {
  uint64_t seed;
  uint64_t first_round;
  uint64_t rounds; /* 0: until the calls, or the seconds, are over */
  uint64_t calls;
  double seconds;
  int threads;
  int per_round; /* calls of a round, of all threads together */
  int patience;  /* seconds after which a round hangs */
  bool trace;
  bool keeps_going;
  bool counts; /* print how often each function was called */
  bool shrinks;
  bool closes;         /* the library, in each round */
  const char *without; /* names of functions, with commas between them */
  const char *only;    /* how names begin, in the same way; NULL: anyhow */
  /* Bits of the calls that a round leaves out. */
  uint8_t skipped[MOST_CALLS / 8];
} options;

extern options fuzz;

/* ---- Who calls ----------------------------------------------------------- */

/* A thread that calls, or runs callbacks. */
typedef struct player {
  uint64_t random;
  uint64_t round;
  int number; /* 0, 1, … ours; -1 a thread of the library */
  int depth;  /* callbacks further up its stack */
  int attached;
  int call; /* the number of its call in the round */
  const char *function;
  uint64_t calls;
  rac_value values[KEPT_VALUES];
} player;

/* What one call borrows, and has to give back. */
typedef struct call {
  int function;
  uint32_t cost;
  bool is_immediate; /* a delay would be slept through here */
  bool is_after_close;
  int owned;
  rac_value owns[2 * LITTLE + 6];
  rac_value list[LITTLE];
  void *block; /* a view of it must not be used after the call */
  const char *before;
} call;

#include "calls.h"

typedef struct function {
  const char *name;
  void (*call)(player *p);
  int weight;
} function;

extern const function fuzz_functions[FUNCTIONS];
extern const char *const fuzz_kinds[KINDS];
extern const int fuzz_also[KINDS][ALSO];

player *fuzz_player(void);
/* Of the calling thread from now on; NULL at its end. */
void fuzz_set_player(player *p);
void fuzz_call_something(player *p);
call fuzz_begin(player *p, int function);
void fuzz_end(player *p, call *c);
void fuzz_note(player *p, call *c, bool succeeded);
void fuzz_note_status(player *p, call *c, rac_status status);
/* Whether the name begins as one of those, with commas between them. */
bool fuzz_begins_as_one(const char *name, const char *prefixes);
/* Whether --without names it, or --only does not. */
bool fuzz_is_left_out(const char *name);
void fuzz_set_up_calls(void);
/* False: there is no such set. */
bool fuzz_choose_set(const char *name);
/* Where each has its turn: the one of this round. */
void fuzz_turn_to_set(uint64_t round);
/* NULL: none was chosen. */
const char *fuzz_set_name(void);
void fuzz_print_counts(void);

/* ---- Numbers ------------------------------------------------------------- */

uint64_t fuzz_mix(uint64_t a, uint64_t b, uint64_t c);
uint64_t fuzz_random(player *p);
static inline size_t fuzz_below(player *p, size_t limit) {
  return (size_t)((fuzz_random(p) >> 32) * limit >> 32);
}
static inline bool fuzz_percent(player *p, size_t percent) {
  return fuzz_below(p, 100) < percent;
}
bool fuzz_flag(player *p);
int64_t fuzz_number(player *p);
size_t fuzz_size(player *p);
size_t fuzz_few(player *p);
size_t fuzz_little(player *p);
size_t fuzz_many(player *p);
double fuzz_seconds(player *p, call *c);
double fuzz_period(player *p, call *c);
double fuzz_moment(player *p, call *c);
double fuzz_timeout(player *p, call *c);
const char *fuzz_text(player *p, call *c);
/* With a NUL behind them: for good; and, in memory of their own, as long as
 * the call lasts. */
const void *fuzz_lasting_bytes(player *p, call *c, size_t *size);
const void *fuzz_bytes(player *p, call *c, size_t *size);
size_t fuzz_count_of(player *p, int32_t type);
const void *fuzz_elements(player *p, call *c, int32_t type, size_t *count);
void *fuzz_pointer(player *p);

/* ---- Values -------------------------------------------------------------- */

/* Good for the length of the call. */
rac_value fuzz_value(player *p, call *c);
const rac_value *fuzz_values(player *p, call *c, size_t *count);
/* Owned. */
rac_value fuzz_answer(player *p, rac_value lent);
rac_value fuzz_error(player *p);
/* Reads what was lent, and perhaps keeps it. */
void fuzz_hear_value(player *p, rac_value value);
void fuzz_hear_values(player *p, const rac_value *values, size_t count);
void fuzz_hear_text(const char *text);
void fuzz_hear_trace(player *p, const rac_trace_event *event);
void fuzz_hear_unhandled(player *p, const rac_unhandled_error *report);
void fuzz_hear_bytes(const void *bytes, size_t size);
/* Keeps or releases what is ours. */
void fuzz_take_value(player *p, rac_value value);
void fuzz_release_values(player *p);
/* How many values it is made of, up to a limit. */
int fuzz_weigh(rac_value value, int limit);
const rac_object_class *fuzz_object_class(player *p);
extern atomic_int fuzz_objects;

/* ---- Handles ------------------------------------------------------------- */

/* One of the pool; now and then a wrong one. */
void *fuzz_handle(player *p, call *c, kind kind);
void *const *fuzz_handles_(player *p, call *c, kind kind, void **out,
                           size_t *count);
#define fuzz_handles(p, c, kind, out, count)                                   \
  ((void *)fuzz_handles_(p, c, kind, out, count))
/* Out of the pool, with its reference, or NULL. */
void *fuzz_take_handle(player *p, kind kind);
/* Into the pool: a reference of ours. */
void fuzz_keep(player *p, call *c, kind kind, void *handle);
void fuzz_keep_lent(player *p, call *c, kind kind, void *handle);
/* The same for what a callback is lent: perhaps. */
void fuzz_hear_handle(player *p, kind kind, void *handle);
/* Gives a reference back. */
void fuzz_let_go(player *p, kind kind, void *handle);
/* What a callback gives away, or NULL. */
rac_signal *fuzz_give_signal(player *p);
rac_sequence *fuzz_give_sequence(player *p);
rac_disposable *fuzz_give_disposable(player *p);
/* At the end of a round: empties the pools, disposes what is left. */
void fuzz_empty_pools(player *p);

/* Lent: of parts of which a value may be made. */
rac_signal *fuzz_leaf_signal(player *p, call *c);
rac_sequence *fuzz_leaf_sequence(player *p, call *c);
void fuzz_furnish(player *p);
void fuzz_clear_away(player *p);

/* ---- Guards: one reference each, NULL where the source is wrong ---------- */

rac_signal *fuzz_braked(player *p, call *c);
rac_signal *fuzz_bounded(player *p, call *c);
rac_signal *fuzz_stoppable(player *p, call *c);
/* For a signal that may be fed by what it feeds; borrowed. */
rac_signal *fuzz_brake(player *p, rac_signal *source);
/* Takes the reference over. */
rac_signal *fuzz_stopped(player *p, rac_signal *signal);
void fuzz_make_stop(void);
void fuzz_stop(void);
void fuzz_release_stop(void);

/* ---- Contexts and callbacks ---------------------------------------------- */

typedef enum role { SHARED, SUBSCRIPTION, ONCE } role;

void *fuzz_context(player *p, role role, rac_destroy_fn *destroy);
void *fuzz_observer(player *p, rac_observer *observer);
void *fuzz_batch_observer(player *p, rac_batch_observer *observer);
/* The handle that disposes what the context was given to. */
void fuzz_note_subscription(void *context, void *disposable);
/* The disposable was disposed by this thread; and waited for. */
void fuzz_note_disposed(player *p, void *disposable, bool is_over);
player *fuzz_enter(void *context);
/* The same for one that may come after rac_close(). */
player *fuzz_enter_destroy(void *context);
void fuzz_leave(player *p, void *context);
void fuzz_hear_end(void *context);
void fuzz_act(player *p, void *context);
rac_status fuzz_status(player *p);
void fuzz_hear_step(player *p, rac_step *step, rac_value value);
void fuzz_hear_subscriber(player *p, rac_subscriber *subscriber);
void fuzz_hear_recursion(player *p, rac_recursion *recursion);
void fuzz_hear_scheduler(player *p, rac_scheduler *scheduler);
/* One of the turns that were asked for; false: there was none. */
bool fuzz_take_turn(void);
/* Callbacks do nothing any more, and end what they can. */
bool fuzz_is_quiet(void);
/* How many a context may still be called in; used by guards. */
bool fuzz_use_up(void *context);
/* Contexts that were given away and not destroyed. */
int fuzz_contexts_left(void);
void fuzz_print_contexts(void);
void fuzz_begin_contexts(bool quiet);
unsigned fuzz_context_number(void *context);

/* ---- Rounds, and what is found ------------------------------------------- */

/* False: it failed. */
bool fuzz_play_round(uint64_t round);
uint64_t fuzz_calls_made(void);
void fuzz_add_calls(uint64_t calls);
/* A check failed. */
__attribute__((format(printf, 1, 2))) void fuzz_fail(const char *format, ...);
int fuzz_failures(void);
void fuzz_watch(void);
/* A round begins; it has so many seconds. */
void fuzz_watch_round(uint64_t round);
void fuzz_watch_no_more(void);
extern player *fuzz_players[MOST_THREADS + 1];
/* What they are doing, and the stacks of all threads. */
void fuzz_print_threads(void);
/* The library's objects, and what holds them: living.py. */
void fuzz_print_living(void);
int fuzz_shrink(const char *program);

/* ---- Closing ------------------------------------------------------------- */

/* A round in a process of its own. False: it failed. */
bool fuzz_play_in_child(uint64_t round);
/* Before the call of that number; and in a callback. */
void fuzz_perhaps_close(player *p, int number);
void fuzz_perhaps_close_inside(player *p);
/* At the end of a round. */
void fuzz_close_at_last(player *p);
/* What the function makes could not be let go of. */
bool fuzz_outlasts_close(const char *name);
bool fuzz_is_closed(void);
/* A callback that begins now, given to that function. */
bool fuzz_is_late(const player *p, const char *function);
void fuzz_note_after_close(const char *name, rac_status status);

void fuzz_show_handle(player *p, const void *handle);
void fuzz_show_handles(player *p, void *const *handles, size_t count);
void fuzz_show_value(player *p, rac_value value);
void fuzz_show_context(player *p, void *context);
void fuzz_show_number(player *p, int64_t number);
void fuzz_show_double(player *p, double number);
void fuzz_show_text(player *p, const char *text);
void fuzz_show_end(player *p);
void fuzz_show_callback(player *p, const char *type, void *context);

#endif
