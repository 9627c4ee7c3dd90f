/* A virtual scheduler whose jobs write their names and the time. */
#ifndef RAC_TEST_DIARY_H
#define RAC_TEST_DIARY_H

#include "shared_callbacks.h"

typedef struct diary {
  rac_scheduler *scheduler;
  char text[400];
} diary;

typedef struct entry {
  diary *diary;
  const char *name;
  void (*also)(diary *diary);
} entry;

static inline void write_entry(void *context) {
  entry *self = context_target(context);
  diary *d = self->diary;
  size_t used = strlen(d->text);
  snprintf(d->text + used, sizeof d->text - used, "%s%s@%g", used ? " " : "",
           self->name, rac_scheduler_now(d->scheduler));
  if (self->also) self->also(d);
}

static inline void *entry_new(diary *d, const char *name,
                              void (*also)(diary *)) {
  entry *self = malloc(sizeof *self);
  if (!self) abort();
  *self = (entry){d, name, also};
  return context_new(self, NULL);
}

static inline rac_disposable *now(diary *d, const char *name) {
  return rac_schedule(d->scheduler, entry_new(d, name, NULL), write_entry,
                      free_target);
}

static inline rac_disposable *after(diary *d, double seconds,
                                    const char *name) {
  return rac_schedule_after(d->scheduler, seconds, entry_new(d, name, NULL),
                            write_entry, free_target);
}

static inline diary begin(void) { return (diary){rac_scheduler_virtual(), ""}; }
static inline void end(diary *d) { rac_release(d->scheduler); }

#endif
