/* Entries in a row: those that were written, and then those that were not. An
 * answer takes the first one away; a lost connection makes all of them
 * unwritten again. */
#ifndef RAC_REDIS_OUTBOX_H
#define RAC_REDIS_OUTBOX_H

#include "buffer.h"

typedef struct outbox {
  buffer bytes;
  size_t first;     /* where the first entry begins */
  size_t unwritten; /* where those begin that were not written */
  size_t *lengths;  /* a ring */
  size_t capacity, head, count, written;
} outbox;

void outbox_free(outbox *self);

/* Where the next entry is to be added, and that it is there now: `before` is
 * the length of the bytes before it. False without memory: the bytes of it are
 * taken back. */
buffer *outbox_open(outbox *self);
bool outbox_added(outbox *self, size_t before);

/* The entries that were not written yet, at most so many, which count as
 * written now. */
size_t outbox_take(outbox *self, size_t most, const void **bytes,
                   size_t *length);

/* The first entry is answered. */
void outbox_answered(outbox *self);
/* Nothing counts as written any more. */
void outbox_rewind(outbox *self);

/* The bytes that are kept. */
static inline size_t outbox_size(const outbox *self) {
  return self->bytes.length - self->first;
}

#endif
