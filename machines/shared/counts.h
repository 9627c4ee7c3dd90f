/* The counts of a machine, as counters of rac.h, and why it lost its latest
 * connection. */
#ifndef RAC_MACHINES_COUNTS_H
#define RAC_MACHINES_COUNTS_H

#include <pthread.h>
#include <rac.h>

enum { COUNTS_MOST = 16, TROUBLE = 160 };

typedef struct counts {
  char source[160]; /* with which the names of the counters begin */
  size_t count;
  rac_counter *counters[COUNTS_MOST];
  pthread_mutex_t lock; /* of the text */
  char trouble[TROUBLE];
} counts;

/* Of a broker: "redis 127.0.0.1:6379", and of a socket (port 0) "redis
 * /run/redis.sock". False without memory; counts_free() in any case. */
bool counts_init(counts *self, const char *machine, const char *place, int port,
                 const char *const *names, size_t count);
void counts_free(counts *self);

static inline void counts_add(counts *self, size_t which, uint64_t more) {
  rac_counter_add(self->counters[which], (int64_t)more);
}

/* Why a connection was lost. */
void counts_note_trouble(counts *self, const char *text);

/* Writes the numbers, in order, and the text. */
void counts_read(counts *self, uint64_t *numbers, char *trouble);

/* A counter of one subscription's: "redis 127.0.0.1:6379 orders: lag". NULL
 * without memory, which the functions of counters refuse. */
rac_counter *counts_counter(const counts *self, const char *subject,
                            const char *name);

#endif
