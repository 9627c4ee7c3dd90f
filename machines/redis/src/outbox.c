#include "outbox.h"

void outbox_free(outbox *self) {
  buffer_free(&self->bytes);
  free(self->lengths);
  *self = (outbox){0};
}

/* Answered entries go when they are most of the bytes. */
buffer *outbox_open(outbox *self) {
  if (self->first > 65536 && self->first > self->bytes.length / 2) {
    self->bytes.length -= self->first;
    memmove(self->bytes.bytes, self->bytes.bytes + self->first,
            self->bytes.length);
    self->unwritten -= self->first;
    self->first = 0;
  }
  return &self->bytes;
}

static bool grow(outbox *self) {
  size_t capacity = self->capacity == 0 ? 64 : self->capacity * 2;
  size_t *lengths = malloc(capacity * sizeof *lengths);
  if (lengths == NULL) return false;
  for (size_t i = 0; i < self->count; i++)
    lengths[i] = self->lengths[(self->head + i) % self->capacity];
  free(self->lengths);
  self->lengths = lengths;
  self->capacity = capacity;
  self->head = 0;
  return true;
}

bool outbox_added(outbox *self, size_t before) {
  if (self->count == self->capacity && !grow(self)) {
    self->bytes.length = before;
    return false;
  }
  self->lengths[(self->head + self->count++) % self->capacity] =
      self->bytes.length - before;
  return true;
}

size_t outbox_take(outbox *self, size_t most, const void **bytes,
                   size_t *length) {
  size_t count = self->count - self->written, end = self->bytes.length;
  if (count > most) {
    count = most;
    end = self->unwritten;
    for (size_t i = 0; i < count; i++)
      end += self->lengths[(self->head + self->written + i) % self->capacity];
  }
  *bytes = self->bytes.bytes + self->unwritten;
  *length = end - self->unwritten;
  self->unwritten = end;
  self->written += count;
  return count;
}

void outbox_answered(outbox *self) {
  if (self->written == 0) return;
  self->first += self->lengths[self->head];
  self->head = (self->head + 1) % self->capacity;
  self->count--;
  self->written--;
  if (self->count > 0) return;
  self->bytes.length = self->first = self->unwritten = 0;
  /* A burst of long values leaves no memory behind. */
  if (self->bytes.capacity > 1 << 20) buffer_free(&self->bytes);
}

void outbox_rewind(outbox *self) {
  self->unwritten = self->first;
  self->written = 0;
}
