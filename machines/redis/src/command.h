/* Commands as Redis reads them, word by word. All are false without memory. */
#ifndef RAC_REDIS_COMMAND_H
#define RAC_REDIS_COMMAND_H

#include <stdint.h>

#include "buffer.h"

/* So many words follow. */
bool command_begin(buffer *out, size_t words);

bool command_add(buffer *out, const void *bytes, size_t length);
bool command_add_text(buffer *out, const char *text);
bool command_add_number(buffer *out, uint64_t number);

#endif
