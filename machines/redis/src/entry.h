/* The commands that store an entry: fields s, the sender, n, its number, and v,
 * the value as CBOR. */
#ifndef RAC_REDIS_ENTRY_H
#define RAC_REDIS_ENTRY_H

#include <stdint.h>

#include "buffer.h"

/* A command without the number and the value, as Redis reads it. */
typedef struct entry_form {
  buffer before_number, before_value, behind;
} entry_form;

/* XADD, of a stream that keeps about so many entries; 0: all. */
bool entry_form_plain(entry_form *form, const char *stream, const char *sender,
                      uint64_t keep);

/* The script that stores number n of a sender only behind its number n - 1: it
 * answers the position, 0 for a number that is stored, or an error GAP. The
 * last number of each sender is in a hash beside the stream. */
extern const char entry_script[];
bool entry_form_unique(entry_form *form, const char *digest, const char *stream,
                       const char *hash, const char *sender, uint64_t keep);
/* The key of the hash of a stream, in the same slot of a cluster; to be freed.
 * NULL without memory. */
char *entry_hash_of(const char *stream);

bool entry_add(buffer *out, const entry_form *form, uint64_t number,
               const buffer *value);

void entry_form_free(entry_form *form);

#endif
