/* The numbers that a reader has seen, by sender. */
#ifndef RAC_REDIS_SENDERS_H
#define RAC_REDIS_SENDERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct sender sender;

/* Of so many senders at most; when there are more, all are forgotten, and so
 * the doubles among what they sent before are not known as such. */
enum { SENDERS_MOST = 65536 };

typedef struct senders {
  sender **places; /* open addressing; a power of two */
  size_t capacity, count;
} senders;

typedef enum { NUMBER_NEXT, NUMBER_DOUBLE } number_kind;

/* Takes a number. A double is one that came before for certain: from the first
 * number on that was left out each counts as new, since a publisher writes
 * again, in order, from the first that was not stored. `gap` gets how many
 * numbers were left out before it. */
number_kind senders_take(senders *self, const char *name, size_t length,
                         uint64_t number, uint64_t *gap);

void senders_free(senders *self);

#endif
