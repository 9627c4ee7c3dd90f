/* Entries as the broker gives them. */
#ifndef RAC_REDIS_STORED_H
#define RAC_REDIS_STORED_H

#include <hiredis.h>

#include "cbor.h"
#include "redis.h"

/* The longest position, "18446744073709551615-18446744073709551615". */
enum { POSITION = 48 };

/* A field whose name is one letter, or NULL. */
const redisReply *stored_field(const redisReply *fields, char name);

/* The value, which may be a view of the fields; release it. */
rac_status stored_value(const redisReply *fields, cbor_item *item,
                        rac_value *out);

/* The error that stands for an entry that cannot be read; owned, and counted. */
rac_value stored_unreadable(rac_redis *redis, const char *position,
                            rac_status status);

/* The entries in an answer to XREAD and its like, of one stream; NULL for
 * none. */
redisReply *stored_entries(const redisReply *reply);

/* An entry's parts; false for one of another shape, such as one that was
 * deleted: then *fields is NULL, and the position is there if it has one. */
bool stored_parts(const redisReply *entry, const redisReply **position,
                  const redisReply **fields);

/* Digits, or digits, a hyphen and digits. */
bool stored_is_position(const char *text);

#endif
