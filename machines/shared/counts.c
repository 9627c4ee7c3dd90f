#include "counts.h"

#include <stdio.h>
#include <string.h>

bool counts_init(counts *self, const char *machine, const char *place, int port,
                 const char *const *names, size_t count) {
  bool is_whole = true;
  char name[200];
  pthread_mutex_init(&self->lock, NULL);
  if (port == 0)
    snprintf(self->source, sizeof self->source, "%s %.130s", machine, place);
  else
    snprintf(self->source, sizeof self->source, "%s %.130s:%d", machine, place,
             port);
  self->count = count;
  for (size_t i = 0; i < count; i++) {
    snprintf(name, sizeof name, "%s: %s", self->source, names[i]);
    self->counters[i] = rac_counter_create(name);
    is_whole = is_whole && self->counters[i] != NULL;
  }
  return is_whole;
}

void counts_free(counts *self) {
  for (size_t i = 0; i < self->count; i++) rac_release(self->counters[i]);
  if (self->source[0] != 0) pthread_mutex_destroy(&self->lock);
}

void counts_note_trouble(counts *self, const char *text) {
  pthread_mutex_lock(&self->lock);
  snprintf(self->trouble, sizeof self->trouble, "%s", text);
  pthread_mutex_unlock(&self->lock);
}

void counts_read(counts *self, uint64_t *numbers, char *trouble) {
  for (size_t i = 0; i < self->count; i++)
    numbers[i] = (uint64_t)rac_counter_get(self->counters[i]);
  pthread_mutex_lock(&self->lock);
  memcpy(trouble, self->trouble, sizeof self->trouble);
  pthread_mutex_unlock(&self->lock);
}

rac_counter *counts_counter(const counts *self, const char *subject,
                            const char *name) {
  char text[400];
  snprintf(text, sizeof text, "%s %.200s: %s", self->source, subject, name);
  return rac_counter_create(text);
}
