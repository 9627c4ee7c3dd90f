/* Reads a recording as docs/Recording.md has it: a copy of the file, taken
 * while somebody writes it or afterwards. */
#ifndef RAC_TEST_RECORDING_H
#define RAC_TEST_RECORDING_H

#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"
#include <rac_replay_file.h>

typedef struct file_header {
  char magic[8];
  uint32_t version, order, wanted, state;
  uint64_t pid, parent;
  int64_t start, clock, stop;
  uint64_t slots_at;
  uint32_t slots_room, slots_used;
  uint64_t definitions_at, definitions_room, definitions_used;
  uint64_t rings_at, ring_size;
  uint32_t rings_room, rings_used, ring_events, nodes;
  uint64_t lost_nodes, lost_definitions, lost_events;
  int64_t leaked;
  uint32_t settled;
} file_header;

typedef rac_replay_slot file_slot;
typedef rac_replay_event file_event;

typedef struct file_ring {
  uint64_t written, since;
  uint32_t thread, taken;
  char name[16];
} file_ring;

/* A recording, read. Free it. */
typedef struct recording {
  char *bytes; /* NULL: there is none */
  size_t size;
  const file_header *header;
} recording;

static inline void recording_free(recording *self) { free(self->bytes); }
#define read_recording __attribute__((cleanup(recording_free))) recording

static inline recording recording_of(const char *path) {
  recording self = {0};
  int file = open(path, O_RDONLY);
  struct stat found;
  if (file < 0) return self;
  if (fstat(file, &found) == 0) {
    self.size = (size_t)found.st_size;
    self.bytes = calloc(1, self.size + 1);
    size_t done = 0;
    while (done < self.size) {
      ssize_t part = read(file, self.bytes + done, self.size - done);
      if (part <= 0) break;
      done += (size_t)part;
    }
  }
  close(file);
  self.header = (const file_header *)self.bytes;
  return self;
}

static inline bool recording_is_sound(const recording *self) {
  return self->size >= 4096 &&
         memcmp(self->header->magic, "librac\0", 8) == 0 &&
         self->header->version == 1 && self->header->order == 0x01020304;
}

static inline const file_slot *recording_slots(const recording *self) {
  return (const file_slot *)(self->bytes + self->header->slots_at);
}

/* The text of a definition, "" for none. */
static inline void recording_text(const recording *self, uint32_t id,
                                  char *text, size_t capacity) {
  const char *at = self->bytes + self->header->definitions_at;
  const char *end = at + self->header->definitions_used;
  text[0] = 0;
  while (at < end) {
    uint32_t head[4];
    memcpy(head, at, sizeof head);
    if (head[2] == id && (head[1] & 0xFFFF) == 1) {
      snprintf(text, capacity, "%.*s", (int)head[3], at + 16);
      return;
    }
    at += head[0];
  }
}

/* Of a place: the operator, a text or "", and how many addresses there are. */
static inline int recording_place(const recording *self, uint32_t id,
                                  char *operation, char *place, size_t capacity,
                                  uint64_t *addresses) {
  const char *at = self->bytes + self->header->definitions_at;
  const char *end = at + self->header->definitions_used;
  operation[0] = place[0] = 0;
  while (at < end) {
    uint32_t head[4], texts[2];
    memcpy(head, at, sizeof head);
    if (head[2] == id && (head[1] & 0xFFFF) == 2) {
      memcpy(texts, at + 16, sizeof texts);
      recording_text(self, texts[0], operation, capacity);
      recording_text(self, texts[1], place, capacity);
      memcpy(addresses, at + 24, (head[1] >> 16) * sizeof *addresses);
      return (int)(head[1] >> 16);
    }
    at += head[0];
  }
  return -1;
}

/* The node with that name. NULL: none. */
static inline const file_slot *recording_find(const recording *self,
                                              uint8_t kind, const char *name) {
  for (uint32_t i = 0; i < self->header->slots_used; i++) {
    const file_slot *slot = recording_slots(self) + i;
    char text[200];
    if (slot->kind != kind) continue;
    recording_text(self, slot->name, text, sizeof text);
    if (strcmp(text, name) == 0) return slot;
  }
  return NULL;
}

static inline const file_ring *recording_ring(const recording *self,
                                              uint32_t index) {
  return (const file_ring *)(self->bytes + self->header->rings_at +
                             index * self->header->ring_size);
}

/* Event `number` of a ring, counted from the oldest there is; NULL behind the
 * last. */
static inline const file_event *
recording_event(const recording *self, uint32_t ring, uint64_t number) {
  const file_ring *found = recording_ring(self, ring);
  uint64_t room = self->header->ring_events;
  uint64_t first = found->written > room ? found->written - room : 0;
  if (first + number >= found->written) return NULL;
  const file_event *events = (const file_event *)((const char *)found + 4096);
  return events + (first + number) % room;
}

/* How many events of that kind there are, of a node or (0) of all. */
static inline int recording_count(const recording *self, uint8_t kind,
                                  uint32_t node) {
  int count = 0;
  for (uint32_t ring = 0; ring < self->header->rings_used; ring++) {
    const file_event *event;
    for (uint64_t i = 0; (event = recording_event(self, ring, i)) != NULL;
         i++) {
      bool is_of = node == 0 || event->node == node;
      count += (event->stamp & 0xFF) == kind && is_of;
    }
  }
  return count;
}

static inline const file_event *recording_first(const recording *self,
                                                uint8_t kind, uint32_t node) {
  for (uint32_t ring = 0; ring < self->header->rings_used; ring++) {
    const file_event *event;
    for (uint64_t i = 0; (event = recording_event(self, ring, i)) != NULL;
         i++) {
      if ((event->stamp & 0xFF) == kind && (node == 0 || event->node == node))
        return event;
    }
  }
  return NULL;
}

/* The text that begins in an event, with a NUL behind it. */
typedef struct event_text {
  char bytes[85];
} event_text;

static inline event_text recording_text_of(const file_event *event) {
  event_text text = {{0}};
  size_t left = event->length < 84 ? event->length : 84;
  size_t part = left < 12 ? left : 12;
  char *at = text.bytes;
  memcpy(at, &event->extra, part);
  for (at += part, left -= part; left > 0; at += part, left -= part) {
    part = left < 24 ? left : 24;
    memcpy(at, &(++event)->node, part);
  }
  return text;
}

/* A path of this test's. */
static inline const char *recording_path(void) {
  static char path[200];
  const char *folder = getenv("TMPDIR");
  if (path[0] == 0) {
    snprintf(path, sizeof path, "%s/librac-record-%ld",
             folder == NULL ? "/tmp" : folder, (long)getpid());
  }
  return path;
}

#endif
