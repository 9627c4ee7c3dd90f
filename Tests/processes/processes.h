/* A fuzzer of processes: it forks at a random call on a random thread, in callbacks
 * too, and looks at what becomes of the child, and of the parent.
 *
 * main.c    plays rounds, each in a process of its own
 * round.c   what that one does, and where it forks
 * outside.c what of that is outside: connections, a child program, a log
 * child.c   what the child promises, and does then
 * watch.c   how a child stands still, seen from outside */
#ifndef PROCESSES_H
#define PROCESSES_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#include "rac.h"

enum { MOST_THREADS = 3, MOST_CHILDREN = 8, AT_EXIT = 50 };

/* What the child does after the fork. */
enum ending { RETURNS, LEAVES, EXITS, BEGINS_ANEW, ENDINGS };

typedef struct plan {
  uint64_t seed;
  int threads; /* besides the main one, which call the library */
  bool background;
  bool lends; /* the descriptor that is read; else hands it over */
  bool outside;
  int steps;
  int fork_at;
  enum ending ending;
  int generations;        /* of children that begin anew */
  bool exits_in_callback; /* the parent, with values that wait */
} plan;

/* What all processes of a round share. */
typedef struct shared {
  atomic_int children;
  struct {
    _Atomic(pid_t) pid;
    atomic_bool rests; /* it has nothing more to do */
    bool is_over;      /* and has not begun anew */
  } child[MOST_CHILDREN];
  atomic_int written;    /* values that came before the exit */
  atomic_int has_failed; /* exchanged, which no byte can be on riscv64 */
  char failure[400];
} shared;

extern plan now;
extern shared *round_of;

uint64_t below(uint64_t *state, uint64_t limit);
plan plan_round(uint64_t seed, uint64_t number);

/* The first failure is the round's. The process ends. */
_Noreturn void fail(const char *file, int line, const char *what);
#define MUST(condition)                                                        \
  ((condition) ? (void)0 : fail(__FILE__, __LINE__, #condition))

void play_round(void);

/* Calls the callbacks for each event and its end. Takes over the signal. */
rac_disposable *listen_to(rac_signal *signal, rac_next_fn next);
void hear_nothing(void *context, rac_value value);

void begin_outside(void);
void use_outside(uint64_t *random);
/* Whether nothing is left: no child, no socket. */
bool end_outside(void);
/* How many sockets are open. */
int sockets(void);

/* The objects of the parent. */
int32_t ownership(void);

typedef struct objects {
  rac_subject *subject;
  rac_property *property;
  rac_scheduler *background;
  rac_signal *lines;
  rac_disposable *subscription, *reading;
  int main_fd, owned, writing; /* of the pipe */
  ino_t pipe;
} objects;
extern objects of_parent;
extern atomic_int destroyed;

/* In the child, where it was forked: false when it goes on by returning. */
void begin_child(int index, bool in_callback);
/* Outside of callbacks. Does not return. */
_Noreturn void end_child(int index);

/* NULL: all children are as they should be. */
const char *watch_children(double patience);
double seconds(void);

#endif
