/* Bytes that grow at the end. */
#ifndef RAC_MACHINES_BUFFER_H
#define RAC_MACHINES_BUFFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

typedef struct buffer {
  unsigned char *bytes;
  size_t length, capacity;
} buffer;

/* Room for so many bytes more; false without memory. */
static inline bool buffer_reserve(buffer *self, size_t more) {
  if (self->capacity - self->length >= more) return true;
  size_t capacity = self->capacity < 256 ? 256 : self->capacity;
  while (capacity - self->length < more) {
    if (capacity > (size_t)-1 / 2) return false;
    capacity *= 2;
  }
  unsigned char *bytes = realloc(self->bytes, capacity);
  if (bytes == NULL) return false;
  self->bytes = bytes;
  self->capacity = capacity;
  return true;
}

static inline bool buffer_add(buffer *self, const void *bytes, size_t length) {
  if (!buffer_reserve(self, length)) return false;
  if (length > 0) memcpy(self->bytes + self->length, bytes, length);
  self->length += length;
  return true;
}

static inline void buffer_free(buffer *self) {
  free(self->bytes);
  *self = (buffer){0};
}

#endif
