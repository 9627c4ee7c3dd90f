#include "senders.h"

#include <stdlib.h>
#include <string.h>

struct sender {
  uint64_t last;
  uint64_t first_gap; /* the first number that was left out; 0: none was */
  size_t length;
  char name[];
};

void senders_free(senders *self) {
  for (size_t i = 0; i < self->capacity; i++) free(self->places[i]);
  free(self->places);
  *self = (senders){0};
}

static size_t place_of(const senders *self, const char *name, size_t length) {
  uint64_t hash = 14695981039346656037u;
  for (size_t i = 0; i < length; i++)
    hash = (hash ^ (unsigned char)name[i]) * 1099511628211u;
  size_t at = (size_t)(hash ^ hash >> 32) & (self->capacity - 1);
  for (; self->places[at] != NULL; at = (at + 1) & (self->capacity - 1)) {
    const sender *other = self->places[at];
    if (other->length == length && memcmp(other->name, name, length) == 0)
      break;
  }
  return at;
}

static bool grow(senders *self) {
  senders larger = {.capacity = self->capacity == 0 ? 16 : self->capacity * 2,
                    .count = self->count};
  larger.places = calloc(larger.capacity, sizeof *larger.places);
  if (larger.places == NULL) return false;
  for (size_t i = 0; i < self->capacity; i++) {
    sender *each = self->places[i];
    if (each != NULL)
      larger.places[place_of(&larger, each->name, each->length)] = each;
  }
  free(self->places);
  *self = larger;
  return true;
}

/* The sender, perhaps a new one; NULL without memory. */
static sender *find(senders *self, const char *name, size_t length) {
  if (self->count == SENDERS_MOST) senders_free(self);
  if (self->count * 2 >= self->capacity && !grow(self)) return NULL;
  size_t at = place_of(self, name, length);
  if (self->places[at] != NULL) return self->places[at];
  sender *made = calloc(1, sizeof *made + length);
  if (made == NULL) return NULL;
  made->length = length;
  memcpy(made->name, name, length);
  self->places[at] = made;
  self->count++;
  return made;
}

number_kind senders_take(senders *self, const char *name, size_t length,
                         uint64_t number, uint64_t *gap) {
  sender *of = find(self, name, length);
  *gap = 0;
  if (of == NULL) return NUMBER_NEXT;
  if (number <= of->last)
    return of->first_gap != 0 && number >= of->first_gap ? NUMBER_NEXT
                                                         : NUMBER_DOUBLE;
  /* A reader that begins in the middle has missed nothing. */
  if (of->last != 0 && number > of->last + 1) {
    *gap = number - of->last - 1;
    if (of->first_gap == 0) of->first_gap = of->last + 1;
  }
  of->last = number;
  return NUMBER_NEXT;
}
