/* Values as the payloads of messages. */
#ifndef RAC_MQTT_PAYLOAD_H
#define RAC_MQTT_PAYLOAD_H

#include "buffer.h"
#include "mqtt.h"

typedef struct form {
  int format;
  char *field; /* of JSON objects; may be NULL */
} form;

/* Why a form cannot be; NULL if it can. */
const char *form_fault(const rac_mqtt *mqtt, int qos, int format,
                       const char *field);

/* RAC_EKIND for a value that has none; RAC_ERANGE, RAC_ENOMEM. */
rac_status form_encode(const form *self, buffer *out, rac_value value);

/* The value, which may be a view of the payload; release it. nil for an empty
 * payload, where it is no text. */
rac_status form_decode(const form *self, const void *payload, size_t length,
                       rac_value *out);

/* The error value for a payload that is none; owned, and counted. */
rac_value form_unreadable(rac_mqtt *mqtt, const char *topic, rac_status status);
/* The error value for a value that cannot travel; owned, and counted. */
rac_value form_no_value(rac_mqtt *mqtt, rac_value value, rac_status status);

#endif
