/* The fuzzer of holds: sources that can wait, through a random tree of operators
 * and places, to a subscriber that is slower than they are. Each value has to
 * arrive once and in the order of its source, no place may have more waiting than
 * law 28 says, and none may rest for ever; some subscriptions are disposed, or
 * end by a take, while their sources are held.
 *
 *   main.c     arguments, rounds, what is checked
 *   tree.c     operators and places
 *   sources.c  sequences, lines, and producers that ask
 *
 * A value is an integer: its source, and its number there. */
#ifndef RAC_HOLDS_H
#define RAC_HOLDS_H

#include <rac.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SOURCES = 16, MOST_PLACES = 64, WORKERS = 4, SOURCE_SHIFT = 24 };

typedef struct place {
  rac_bound *bound;
  int capacity;
  int sources; /* that may be between their question and their value at once */
} place;

typedef struct source {
  int64_t count;
  rac_scheduler *worker;
} source;

typedef struct round_of_holds {
  uint64_t random;
  rac_scheduler *workers[WORKERS];
  source sources[MOST_SOURCES];
  int source_count;
  place places[MOST_PLACES];
  int place_count;
  char text[1024]; /* how it is made */
} round_of_holds;

extern round_of_holds now;

/* From 0 to below the limit. */
int below(int limit);
rac_scheduler *any_worker(void);
/* Adds to the text of the round. */
void say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Both owned by the caller. */
rac_signal *make_source(void);
/* A tree below which `sources` may send at the same time. */
rac_signal *grow(int depth, int *sources);
/* The source on a scheduler, behind a place. */
rac_signal *behind_place(rac_signal *source, rac_scheduler *scheduler,
                         int sources);

#endif
