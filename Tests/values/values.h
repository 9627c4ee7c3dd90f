/* The fuzzer of values: every thread numbers what it sends into a random graph
 * of operators that keep the order, and what each subscriber has heard is held
 * against that: every value once, in the order of its sender, and nothing missing
 * but what a bound has counted or what the rule of an operator explains.
 *
 *   main.c     arguments, rounds, what is printed
 *   round.c    one round: what is made, what is sent meanwhile, its balance
 *   graph.c    subjects, what they share, bounds
 *   tree.c     what a sink is subscribed to
 *   sink.c     subscribing and hearing
 *   senders.c  the threads that send, and their records
 *   check.c    what was to be heard
 *   watch.c    hangs
 *
 * A value is an integer: who sent it, its number, and the way on which it came. */
#ifndef RAC_VALUES_H
#define RAC_VALUES_H

#include <rac.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  MOST_THREADS = 3,
  MOST_SINKS = 24,
  MOST_SUBJECTS = 5,
  MOST_HUBS = 2,
  /* Sinks that send from their callbacks are senders, too. */
  MOST_SENDERS = MOST_THREADS + MOST_SINKS,
  MOST_SENT = 4096,
  MOST_HEARD = 1 << 20,
  MOST_LANES = 160,
  MOST_PARTS = 8,
  MOST_BOUNDS = 256
};

/* ---- Numbers --------------------------------------------------------------- */

typedef struct numbers {
  uint64_t state;
} numbers;

numbers numbers_of(uint64_t a, uint64_t b, uint64_t c);
uint64_t numbers_next(numbers *self);
static inline int below(numbers *self, int limit) {
  return (int)((numbers_next(self) >> 33) % (uint64_t)limit);
}
static inline bool percent(numbers *self, int share) {
  return below(self, 100) < share;
}
/* Nanoseconds of a clock that all threads share. It orders no memory: what the
 * library forgot to order ThreadSanitizer still sees. */
int64_t now(void);

/* ---- A value ---------------------------------------------------------------- */

enum { SERIAL_BITS = 24, SENDER_BITS = 8, HUB_BITS = 8, LANE_BITS = 8 };

/* What is added on the way: the place in the hub, in the sink's tree, and which
 * of the signals that were switched to. */
static inline int64_t tag_hub(int lane) { return (int64_t)lane << 32; }
static inline int64_t tag_lane(int lane) { return (int64_t)lane << 40; }
static inline int64_t tag_epoch(int epoch) { return (int64_t)epoch << 48; }
static inline int64_t value_of(int sender, int serial) {
  return (int64_t)sender << 24 | serial;
}
static inline int serial_of(int64_t value) { return value & 0xffffff; }
static inline int sender_of(int64_t value) { return value >> 24 & 0xff; }
static inline int64_t way_of(int64_t value) { return value >> 32; }

/* ---- Who sends -------------------------------------------------------------- */

typedef struct sent {
  int64_t begin, end;
  int subject;
  rac_status status;
} sent;

typedef struct sender {
  int number;
  numbers random;
  /* The sender alone writes; the count is behind what is written. */
  sent log[MOST_SENT];
  atomic_int count;
  atomic_int doing; /* the subject that it sends to, and one */
} sender;

/* Sends one value, or so many in an array; false: there is no room for a record. */
bool send_some(sender *self, int subject, int count);
/* The body of a thread. */
void *run_sender(void *sender);

/* ---- Where it is sent ------------------------------------------------------- */

typedef struct place {
  rac_subject *subject;
  rac_bound *bound; /* ours; NULL: none */
  int policy;       /* 0: none */
  bool is_replay;
  bool has_time; /* its bound does not wait for ever */
  /* 0: it has not ended. */
  int64_t end_begin, end_end;
} place;

/* ---- A way from a subject to a sink ----------------------------------------- */

typedef struct lane {
  int64_t way; /* what its values are tagged with */
  int subject;
  int home;     /* the place in the tree: of what is switched to the switch's */
  bool is_late; /* queues or a scheduler are between */
  bool is_unordered; /* several signals at a time */
  bool from_start;   /* remembered values come first */
  bool open_front;   /* nobody can say where it begins */
  bool open_end;     /* nor where it ends */
  bool is_shared;    /* through a hub */
  int filters;
  int filter[4];
  /* Of what is switched to: what began before and ended behind it need not come. */
  int switcher, epoch; /* -1: of none */
  atomic_bool
      is_over; /* another one has been switched to, and all stood still */
  int64_t since, until;
} lane;

static inline bool passes(const lane *self, int serial) {
  for (int i = 0; i < self->filters; i++)
    if ((serial * 7 + self->filter[i]) % 3 == 0) return false;
  return true;
}

typedef struct take {
  int first, end, most; /* of these lanes */
  bool is_uncertain;    /* what is below may leave out more */
} take;

typedef struct sequel {
  int take, first, end; /* these lanes begin when the take is over */
} sequel;

typedef struct switcher {
  rac_subject *control;
  int first, epoch;          /* the lane number; how many there were */
  bool known[MOST_SUBJECTS]; /* it has switched to that one before */
} switcher;

/* ---- A tree of operators, of a sink or of a hub ------------------------------ */

typedef struct tree {
  lane lanes[MOST_LANES];
  int lane_count, way_count;
  take takes[MOST_PARTS];
  int take_count;
  sequel sequels[MOST_PARTS];
  int sequel_count;
  switcher switchers[2];
  int switcher_count;
  rac_bound *bounds[MOST_BOUNDS]; /* those that drop, as often as on a way */
  int bound_count;
  bool may_fail;     /* a bound makes errors */
  bool may_complete; /* a take is in it */
  bool is_inexact;   /* dropped values might not have come anyway */
  bool is_hub;
  char text[1024]; /* how it is made */
  size_t text_size;
} tree;

/* A signal of the tree, owned. */
rac_signal *grow_tree(tree *self, numbers *random);
/* Sends the next signal to one that switches. */
void switch_on(tree *self, switcher *switcher, numbers *random);
/* All stands still: what was switched from is over. */
void end_switched(tree *self);
void release_tree(tree *self);

typedef struct hub {
  tree tree;
  bool is_replay;
  rac_connection *connection;
  rac_disposable *connected;
  rac_signal *signal;
} hub;

/* ---- Who hears --------------------------------------------------------------- */

typedef struct sink {
  int number;
  tree tree;
  int64_t *heard;
  atomic_int count;
  sender sender; /* what it sends from its callback */
  bool sends, is_slow;
  int disposes_at; /* itself, at this value; 0: never */
  int batch;       /* 0: values come alone */
  _Atomic(rac_disposable *) subscription;
  int64_t begin, end; /* of subscribing */
  _Atomic int64_t disposed;
  atomic_bool is_over; /* somebody has waited for destroy */
  atomic_int inside;
  atomic_int ended; /* 0, 1: completed, 2: an error */
  atomic_int destroyed;
  atomic_int broken; /* a rule that was broken when it heard */
} sink;

void make_sink(sink *self, int number, numbers *random);
void dispose_sink(sink *self, bool waits);
void release_sink(sink *self);

/* ---- A round ------------------------------------------------------------------ */

typedef struct stage {
  uint64_t seed, round;
  int threads;
  numbers random;
  place places[MOST_SUBJECTS];
  int place_count;
  hub hubs[MOST_HUBS];
  int hub_count;
  rac_bound *held; /* shared by those that wait or refuse */
  bool held_has_time;
  rac_scheduler *worker, *other;
  sender senders[MOST_THREADS];
  sink sinks[MOST_SINKS];
  int sink_count;
  int per_thread;
  atomic_int waiting, phase, finished;
  int64_t start;
  /* Something came of a signal that was over. */
  atomic_bool is_stale;
  int64_t settled; /* before the last values were sent */
} stage;

extern stage the;
extern uint64_t values_sent, values_heard;

void make_graph(void);
void release_graph(void);
/* Made anew for each use, one destroy each. */
void *counted_context(int64_t number);
/* The same of what is switched to. */
void *context_of_lane(int64_t number, lane *lane);
lane *context_lane(void *context);
int64_t context_number(void *context);
void destroy_context(void *context);
extern atomic_int contexts;
/* A bound for a place, retained, or NULL where there is to be none. */
rac_bound *choose_bound(numbers *random, bool shares, int *policy);
static inline bool drops(int policy) {
  return policy >= RAC_BOUND_DROP_OLDEST && policy <= RAC_BOUND_LATEST;
}
static inline sender *sender_at(int number) {
  return number < MOST_THREADS ? &the.senders[number]
                               : &the.sinks[number - MOST_THREADS].sender;
}

/* How many sinks have not heard what they have to; says what when it is told. */
int check_sinks(bool says);
bool play_round(uint64_t seed, uint64_t round, int threads);

void watch_hangs(int patience);
void watch_round(void);

#endif
