#include "stored.h"

#include <stdio.h>

const redisReply *stored_field(const redisReply *fields, char name) {
  for (size_t i = 0; i + 1 < fields->elements; i += 2) {
    const redisReply *each = fields->element[i];
    if (each->type == REDIS_REPLY_STRING && each->len == 1 &&
        each->str[0] == name && fields->element[i + 1]->str != NULL)
      return fields->element[i + 1];
  }
  return NULL;
}

rac_status stored_value(const redisReply *fields, cbor_item *item,
                        rac_value *out) {
  const redisReply *bytes = stored_field(fields, 'v');
  *item = CBOR_VALUE;
  if (bytes == NULL) return RAC_EKIND;
  return cbor_decode(bytes->str, (size_t)bytes->len, item, out);
}

rac_value stored_unreadable(rac_redis *redis, const char *position,
                            rac_status status) {
  char text[120];
  snprintf(text, sizeof text, "entry %.40s cannot be read: %s", position,
           rac_status_name(status));
  redis_count(redis, UNREADABLE, 1);
  return rac_value_error_underlying(RAC_REDIS_ERROR_DOMAIN,
                                    RAC_REDIS_UNREADABLE, text,
                                    rac_value_string(position));
}

redisReply *stored_entries(const redisReply *reply) {
  if (reply->type != REDIS_REPLY_ARRAY || reply->elements != 1) return NULL;
  const redisReply *of_stream = reply->element[0];
  if (of_stream->type != REDIS_REPLY_ARRAY || of_stream->elements != 2 ||
      of_stream->element[1]->type != REDIS_REPLY_ARRAY)
    return NULL;
  return of_stream->element[1];
}

bool stored_parts(const redisReply *entry, const redisReply **position,
                  const redisReply **fields) {
  *position = *fields = NULL;
  if (entry->type != REDIS_REPLY_ARRAY || entry->elements != 2) return false;
  if (entry->element[0]->str == NULL || entry->element[0]->len >= POSITION)
    return false;
  *position = entry->element[0];
  if (entry->element[1]->type != REDIS_REPLY_ARRAY) return false;
  *fields = entry->element[1];
  return true;
}

bool stored_is_position(const char *text) {
  size_t length = strspn(text, "0123456789");
  if (length == 0 || length > 20) return false;
  if (text[length] == 0) return true;
  if (text[length] != '-') return false;
  size_t more = strspn(text + length + 1, "0123456789");
  return more > 0 && more <= 20 && text[length + 1 + more] == 0;
}
