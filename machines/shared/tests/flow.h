/* Values that flow over a broker, and what is counted of them. */
#ifndef RAC_MACHINES_FLOW_H
#define RAC_MACHINES_FLOW_H

#include "check.h"

/* A port of the loopback that nobody has. */
int free_port(void);

/* The integers from `first` to `last`, as fast as they are wanted, and a
 * completion. Rests while a place below is full. */
rac_signal *counting(int64_t first, int64_t last);

/* The values of a signal until it ends. Takes over its reference. */
#define CHECK_ENDS(signal, expected)                                           \
  do {                                                                         \
    RECORDER_OF(check_recorder, signal);                                       \
    WAIT_UNTIL(atomic_load(&check_recorder.ends) == 1);                        \
    CHECK_EVENTS(&check_recorder, expected);                                   \
  } while (0)

/* Counts what a reader of counting() hears. */
typedef struct tally {
  atomic_llong heard, last, again, missed;
  atomic_int ends, destroyed;
} tally;
rac_disposable *tally_of(rac_signal *signal, tally *self);

/* Of the living counters whose name ends so: the value of one of them; -1: there
 * is none. */
int64_t counter_of(const char *end);

#endif
