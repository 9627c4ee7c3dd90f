/* Values as JSON (RFC 8259): null, booleans, numbers, texts, and tuples as
 * arrays. librac has no kind for an object; one with a member that is named is
 * as good as the member. */
#ifndef RAC_MQTT_JSON_H
#define RAC_MQTT_JSON_H

#include <rac.h>

#include "buffer.h"

/* Adds a value, in an object if there is a field. RAC_EKIND for what JSON does
 * not have, as a number that is none; RAC_ERANGE for one nested too deep. */
rac_status json_encode(buffer *out, const char *field, rac_value value);

/* The value; release it. With a field the text is an object, and the value its
 * member. RAC_EINVAL for what is no JSON, RAC_EKIND for an object where a value
 * is, or none where one has to be, RAC_ERANGE, RAC_ENOMEM. */
rac_status json_decode(const char *text, size_t length, const char *field,
                       rac_value *out);

#endif
