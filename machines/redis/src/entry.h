/* The commands that store an entry: fields s, the sender, n, its number, and v,
 * the value as CBOR. */
#ifndef RAC_REDIS_ENTRY_H
#define RAC_REDIS_ENTRY_H

#include <stdint.h>

#include "buffer.h"

/* A command without what differs from one to the next, as Redis reads it. */
typedef struct entry_form {
  buffer before_number, behind;
} entry_form;

/* XADD, of a stream that keeps about so many entries; 0: all. */
bool entry_form_plain(entry_form *form, const char *stream, const char *sender,
                      uint64_t keep);
bool entry_add(buffer *out, const entry_form *form, uint64_t number,
               const buffer *value);

/* The script that stores a batch of a sender: the values from number n on, of
 * which those up to its last number are left out. That number is in a hash
 * beside the stream. It answers the number of the batch's last value. Or it
 * stores nothing and answers an error: GAP, when n - 1 is not stored; TAKEN, when
 * more is stored than the sender has `tried`; or the broker's. PART and a number
 * begin the error of a broker that has refused the value behind that number. */
extern const char entry_script[];
bool entry_form_unique(entry_form *form, const char *digest, const char *stream,
                       const char *hash, const char *sender, uint64_t keep);
/* The head of a batch of so many values, each of which follows. */
bool entry_add_batch(buffer *out, const entry_form *form, uint64_t number,
                     uint64_t tried, size_t count);
bool entry_add_value(buffer *out, const buffer *value);

/* The key of the hash of a stream, in the same slot of a cluster; to be freed.
 * NULL without memory. */
char *entry_hash_of(const char *stream);

void entry_form_free(entry_form *form);

#endif
