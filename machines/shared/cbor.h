/* Values as CBOR (RFC 8949).
 *
 * nil is null, the unit undefined, a boolean, an integer, a double of 64 bits,
 * a text, bytes; a tuple is an array. What CBOR has no kind for is an object of
 * tag 27, "serialised language-independent object": an array of a name and
 * arguments, ["rac.error", domain, code, message, underlying], ["rac.event",
 * type, value or error], ["rac.end", error or null].
 */
#ifndef RAC_MACHINES_CBOR_H
#define RAC_MACHINES_CBOR_H

#include <rac.h>

#include "buffer.h"

/* Adds a value; RAC_EKIND for one that cannot travel, RAC_ERANGE for one that
 * is nested too deep, RAC_ENOMEM. After a failure the buffer is as before. */
rac_status cbor_encode(buffer *out, rac_value value);
/* The end of a stream, of an error or nil. */
rac_status cbor_encode_end(buffer *out, rac_value error);

/* The kind of a piece of CBOR. */
typedef enum { CBOR_VALUE, CBOR_END } cbor_item;

/* The value, which may be a view of the bytes; release it. RAC_EINVAL for what
 * is no CBOR, RAC_EKIND for CBOR that is no value, RAC_ERANGE, RAC_EUTF8,
 * RAC_ENOMEM. */
rac_status cbor_decode(const void *bytes, size_t length, cbor_item *item,
                       rac_value *out);

#endif
