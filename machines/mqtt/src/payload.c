#include "payload.h"

#include <stdio.h>

#include "cbor.h"
#include "json.h"
#include "opening.h"

const char *form_fault(const rac_mqtt *mqtt, int qos, int format,
                       const char *field) {
  if (qos < 0 || qos > 2) return "qos is none";
  if (qos == 2 && !mqtt->session) return "qos 2 needs options.session";
  if (format < RAC_MQTT_CBOR || format > RAC_MQTT_JSON) return "format is none";
  if (field != NULL && format != RAC_MQTT_JSON)
    return "a field of what is no JSON";
  return NULL;
}

static rac_status add_characters(buffer *out, rac_value value, bool is_text) {
  const void *bytes = NULL;
  const char *text = NULL;
  size_t length = 0;
  if (value.kind == RAC_STRING) {
    rac_status status = rac_value_get_string(value, &text, &length);
    if (status != RAC_OK) return status;
    bytes = text;
  } else if (value.kind == RAC_BYTES && !is_text) {
    rac_status status = rac_value_get_bytes(value, &bytes, &length);
    if (status != RAC_OK) return status;
  } else if (is_text && (value.kind == RAC_INT64 || value.kind == RAC_DOUBLE ||
                         value.kind == RAC_BOOL)) {
    return json_encode(out, NULL, value);
  } else
    return RAC_EKIND;
  return buffer_add(out, bytes, length) ? RAC_OK : RAC_ENOMEM;
}

static rac_status encode(const form *self, buffer *out, rac_value value) {
  switch (self->format) {
  case RAC_MQTT_JSON:
    return json_encode(out, self->field, value);
  case RAC_MQTT_CBOR:
    return cbor_encode(out, value);
  default:
    return add_characters(out, value, self->format == RAC_MQTT_TEXT);
  }
}

rac_status form_encode(const form *self, buffer *out, rac_value value) {
  size_t before = out->length;
  rac_value opened;
  rac_status status = opened_value(value, &opened);
  if (status != RAC_OK) return status;
  status = encode(self, out, opened);
  rac_value_release(opened);
  if (status != RAC_OK) out->length = before;
  return status;
}

rac_status form_decode(const form *self, const void *payload, size_t length,
                       rac_value *out) {
  cbor_item item;
  *out = (rac_value){0};
  switch (self->format) {
  case RAC_MQTT_TEXT:
    *out = rac_value_string_view(length > 0 ? payload : "", length);
    return RAC_OK;
  case RAC_MQTT_BYTES:
    *out = rac_value_bytes_view(length > 0 ? payload : "", length);
    return RAC_OK;
  case RAC_MQTT_JSON:
    return length == 0 ? RAC_OK
                       : json_decode(payload, length, self->field, out);
  default:
    if (length == 0) return RAC_OK;
    rac_status status = cbor_decode(payload, length, &item, out);
    if (status == RAC_OK && item == CBOR_END) {
      rac_value_release(*out);
      *out = (rac_value){0};
      return RAC_EKIND;
    }
    return status;
  }
}

rac_value form_unreadable(rac_mqtt *mqtt, const char *topic,
                          rac_status status) {
  char text[200];
  snprintf(text, sizeof text, "a message of %.120s cannot be read: %s", topic,
           rac_status_name(status));
  mqtt_count(mqtt, UNREADABLE, 1);
  return rac_value_error_underlying(RAC_MQTT_ERROR_DOMAIN, RAC_MQTT_UNREADABLE,
                                    text, rac_value_string(topic));
}

rac_value form_no_value(rac_mqtt *mqtt, rac_value value, rac_status status) {
  char text[120];
  snprintf(text, sizeof text, "%s cannot travel: %s", kind_name(value),
           rac_status_name(status));
  mqtt_count(mqtt, REFUSED, 1);
  return mqtt_error(RAC_MQTT_NO_VALUE, text);
}
