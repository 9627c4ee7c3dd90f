/* Reads the recording of a rac_replay: docs/Recording.md. rac_replay.h includes
 * this; nothing here is for programs.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef RAC_REPLAY_FILE_H
#define RAC_REPLAY_FILE_H

#include <limits.h>
#include <rac.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A cast, in each language's own way; not for programs. */
#ifdef __cplusplus
#define RAC_REPLAY_AS(type, value) static_cast<type>(value)
extern "C" {
#else
#define RAC_REPLAY_AS(type, value) ((type)(value))
#endif

typedef struct rac_replay rac_replay;
/* Makes the graph and subscribes to it. */
typedef void (*rac_replay_build_fn)(rac_replay *replay, void *context);

/* The file's header, a slot and an event. */
typedef struct rac_replay_head {
  char magic[8];
  uint32_t version, order, wanted, state;
  uint64_t pid, parent, start, clock, stop, slots_at;
  uint32_t slots_room, slots_used;
  uint64_t definitions_at, definitions_room, definitions_used, rings_at,
      ring_size;
  uint32_t rings_room, rings_used, ring_events, nodes;
  uint64_t lost_nodes, lost_definitions, lost_events;
} rac_replay_head;
typedef struct rac_replay_slot {
  uint32_t node;
  uint8_t kind, flags;
  uint16_t detail;
  uint32_t below, source, target, place, name, thread;
  uint64_t made, values;
  uint32_t waiting, most, lost, slow;
} rac_replay_slot;
typedef struct rac_replay_event {
  uint64_t stamp;
  uint32_t node, cause;
  uint8_t depth, type;
  uint16_t length;
  uint32_t extra;
  uint64_t bits;
} rac_replay_event;

/* An event with its thread; the rest of its text is behind it in the file. */
typedef struct rac_replay_raw {
  rac_replay_event event;
  const char *at;
  int64_t time;
  uint32_t thread;
  unsigned parts;
} rac_replay_raw;
typedef struct rac_replay_job {
  int64_t due;                 /* of a timer; -1: it is none */
  const rac_replay_raw *begin; /* NULL: before the recording */
  int64_t end;
  uint32_t key;
  size_t next; /* of the same bucket that has not ended */
} rac_replay_job;
/* A send of the program, or a job that ran, in the order of `at`. */
typedef struct rac_replay_step {
  const rac_replay_raw *at;
  rac_replay_job *job; /* NULL: a send */
} rac_replay_step;
typedef struct rac_replay_input {
  struct rac_replay_input *next;
  uint32_t node;
  char *name;
  rac_subject *subject;   /* or */
  rac_property *property; /* the first that is asked for */
  const rac_replay_raw *initial;
} rac_replay_input;

/* `clock` is for the operators of the graph. The rest is private. */
struct rac_replay {
  rac_scheduler *clock;
  char why[240]; /* it was refused; "": it was not */
  char *bytes;
  size_t size;
  rac_replay_head head;
  rac_replay_slot *slots;
  uint64_t *definitions; /* by their numbers, where they are */
  rac_replay_raw *raws;
  rac_replay_job *jobs; /* from 1 on */
  rac_replay_step *steps;
  /* When what had waited behind a queue came out of it, sorted. */
  int64_t *delivered;
  size_t slot_count, definition_count, raw_count, job_count, step_count,
      delivered_count;
  uint32_t thread;  /* that played it */
  size_t next_read; /* the first event that may be a reading to come */
  rac_replay_input *inputs;
  rac_replay_build_fn build;
  void *context;
};

#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
static inline bool
rac_replay_refuse(rac_replay *r, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(r->why, sizeof r->why, format, arguments);
  va_end(arguments);
  return false;
}

static inline double rac_replay_seconds(int64_t time) {
  return RAC_REPLAY_AS(double, time) / 1e9;
}

/* ---- The file ------------------------------------------------------------ */

static inline bool rac_replay_read(const rac_replay *r, uint64_t at, void *out,
                                   size_t size) {
  if (at > r->size || size > r->size - at) return false;
  memcpy(out, r->bytes + at, size);
  return true;
}

static inline int rac_replay_compare_slots(const void *a, const void *b) {
  uint32_t one = RAC_REPLAY_AS(const rac_replay_slot *, a)->node;
  uint32_t two = RAC_REPLAY_AS(const rac_replay_slot *, b)->node;
  return (one > two) - (one < two);
}

static inline rac_replay_slot *rac_replay_slot_of(const rac_replay *r,
                                                  uint32_t node) {
  rac_replay_slot key;
  key.node = node;
  if (node == 0 || r->slot_count == 0) return NULL;
  return RAC_REPLAY_AS(rac_replay_slot *,
                       bsearch(&key, r->slots, r->slot_count, sizeof key,
                               rac_replay_compare_slots));
}

/* The text of that number, copied; "" for none. */
static inline void rac_replay_text(const rac_replay *r, uint32_t id, char *out,
                                   size_t room) {
  uint32_t head[4];
  out[0] = 0;
  if (id >= r->definition_count || r->definitions[id] == 0) return;
  if (!rac_replay_read(r, r->definitions[id], head, sizeof head)) return;
  if ((head[1] & 0xFFFF) != 1) return;
  if (head[3] >= room) head[3] = RAC_REPLAY_AS(uint32_t, room - 1);
  if (rac_replay_read(r, r->definitions[id] + 16, out, head[3]))
    out[head[3]] = 0;
}

static inline bool rac_replay_load_file(rac_replay *r, const char *path) {
  FILE *file = fopen(path, "rb");
  long size = file != NULL && fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
  if (size > 0 && size < LONG_MAX) {
    r->bytes = RAC_REPLAY_AS(char *, malloc(RAC_REPLAY_AS(size_t, size)));
    rewind(file);
    if (r->bytes != NULL)
      r->size = fread(r->bytes, 1, RAC_REPLAY_AS(size_t, size), file);
  }
  if (file != NULL) fclose(file);
  if (size < 0 || size == LONG_MAX || (size > 0 && r->size == 0))
    return rac_replay_refuse(r, "%s cannot be read", path);
  if (!rac_replay_read(r, 0, &r->head, sizeof r->head) ||
      memcmp(r->head.magic, "librac\0", 8) != 0)
    return rac_replay_refuse(r, "%s: this is no recording of librac", path);
  if (r->head.order != 0x01020304)
    return rac_replay_refuse(r, "%s: made by a machine of another byte order",
                             path);
  if (r->head.version != 1)
    return rac_replay_refuse(r, "%s: version %u of the format; this reads 1",
                             path, r->head.version);
  return true;
}

static inline bool rac_replay_load_nodes(rac_replay *r) {
  const rac_replay_head *head = &r->head;
  uint64_t at = head->definitions_at, end, i;
  rac_replay_slot slot;
  if (head->slots_used > r->size / sizeof slot ||
      head->definitions_used > r->size)
    return rac_replay_refuse(r, "the file was cut");
  end = at + head->definitions_used;
  r->definition_count = RAC_REPLAY_AS(size_t, head->definitions_used / 16 + 2);
  r->slots = RAC_REPLAY_AS(rac_replay_slot *,
                           calloc(head->slots_used + 1u, sizeof slot));
  r->definitions = RAC_REPLAY_AS(
      uint64_t *, calloc(r->definition_count, sizeof *r->definitions));
  if (r->slots == NULL || r->definitions == NULL)
    return rac_replay_refuse(r, "no memory");
  for (i = 0; i < head->slots_used; i++) {
    if (!rac_replay_read(r, head->slots_at + i * sizeof slot, &slot,
                         sizeof slot))
      return rac_replay_refuse(r, "the file was cut");
    if (slot.node != 0) r->slots[r->slot_count++] = slot;
  }
  qsort(r->slots, r->slot_count, sizeof slot, rac_replay_compare_slots);
  while (at < end) {
    uint32_t definition[4];
    if (!rac_replay_read(r, at, definition, sizeof definition) ||
        definition[0] < 16)
      break;
    if (definition[2] < r->definition_count) r->definitions[definition[2]] = at;
    at += definition[0];
  }
  return true;
}

static inline int rac_replay_compare_raws(const void *a, const void *b) {
  const rac_replay_raw *one = RAC_REPLAY_AS(const rac_replay_raw *, a);
  const rac_replay_raw *two = RAC_REPLAY_AS(const rac_replay_raw *, b);
  if (one->time != two->time) return one->time < two->time ? -1 : 1;
  return (one->at > two->at) - (one->at < two->at);
}

/* All events in the order of time. */
static inline bool rac_replay_load_events(rac_replay *r) {
  uint64_t total = r->size / sizeof(rac_replay_event),
           missed = r->head.lost_events, ring, i;
  rac_replay_raw *last = NULL;
  r->raws = RAC_REPLAY_AS(rac_replay_raw *, calloc(1, sizeof *r->raws));
  for (ring = 0; ring < r->head.rings_used; ring++) {
    uint64_t at = r->head.rings_at + ring * r->head.ring_size, written[2];
    uint32_t owner;
    rac_replay_raw *more;
    if (!rac_replay_read(r, at, written, sizeof written) ||
        !rac_replay_read(r, at + 16, &owner, sizeof owner))
      return rac_replay_refuse(r, "the file was cut");
    if (written[0] > r->head.ring_events) {
      missed += written[0] - r->head.ring_events;
      continue;
    }
    if (written[0] > total) return rac_replay_refuse(r, "the file was cut");
    more = RAC_REPLAY_AS(
        rac_replay_raw *,
        realloc(r->raws, (r->raw_count + written[0] + 1) * sizeof *more));
    if (more == NULL) return rac_replay_refuse(r, "no memory");
    r->raws = more, last = NULL;
    for (i = 0; i < written[0]; i++) {
      rac_replay_event event;
      uint64_t place = at + 4096 + i * sizeof event;
      if (!rac_replay_read(r, place, &event, sizeof event))
        return rac_replay_refuse(r, "the file was cut");
      if ((event.stamp & 255) == 31) {
        if (last != NULL) last->parts++;
        continue;
      }
      if ((event.stamp & 255) == 1) owner = event.extra;
      last = &r->raws[r->raw_count++];
      last->event = event, last->at = r->bytes + place, last->parts = 0;
      last->time = RAC_REPLAY_AS(int64_t, event.stamp >> 8),
      last->thread = owner;
    }
  }
  if (missed > 0)
    return rac_replay_refuse(
        r, "%llu events were written over: how it began is not known",
        RAC_REPLAY_AS(unsigned long long, missed));
  qsort(r->raws, r->raw_count, sizeof *r->raws, rac_replay_compare_raws);
  return true;
}

/* The value sent; false where the recording does not hold it whole. Owned. */
static inline bool rac_replay_value(const rac_replay_raw *raw, rac_value *out) {
  char text[84];
  unsigned part;
  double number;
  memcpy(text, raw->at + 20, 12);
  for (part = 0; part < raw->parts && part < 3; part++)
    memcpy(text + 12 + part * 24, raw->at + (part + 1) * 32 + 8, 24);
  memcpy(&number, &raw->event.bits, sizeof number);
  *out = rac_value_nil();
  switch (raw->event.type) {
  case RAC_NIL:
    return true;
  case RAC_UNIT:
    return *out = rac_value_unit(), true;
  case RAC_BOOL:
    return *out = rac_value_bool(raw->event.bits != 0), true;
  case RAC_INT64:
    return *out = rac_value_int64(RAC_REPLAY_AS(int64_t, raw->event.bits)),
           true;
  case RAC_DOUBLE:
    return *out = rac_value_double(number), true;
  case RAC_STRING:
  case RAC_BYTES:
    if (raw->event.length > 12 + part * 24) return false;
    *out = raw->event.type == RAC_STRING
               ? rac_value_string_copy(text, raw->event.length)
               : rac_value_bytes_copy(text, raw->event.length);
    return out->kind == raw->event.type;
  default:
    return false;
  }
}

/* Jobs are told by their keys. One that repeats asks again while it runs: what
 * is to come then is behind it. */
static inline void rac_replay_take_job(rac_replay *r, size_t *buckets,
                                       const rac_replay_raw *raw) {
  unsigned kind = raw->event.stamp & 255;
  size_t *link = &buckets[raw->event.extra & 0xFFFF];
  bool runs = false;
  rac_replay_job *job;
  for (; *link != 0; link = &r->jobs[*link].next) {
    job = &r->jobs[*link];
    if (job->key != raw->event.extra) continue;
    if (runs || kind == 18 || kind == 19 || job->begin == NULL) break;
    runs = true;
  }
  if (*link == 0) {
    rac_replay_job made = {-1, NULL, -1, raw->event.extra, 0};
    r->jobs[ *link = ++r->job_count] = made;
  }
  job = &r->jobs[*link];
  if (kind == 20 || kind == 21)
    job->due = RAC_REPLAY_AS(int64_t, raw->event.bits);
  if (kind == 18) job->begin = raw;
  if (kind != 19 && kind != 22) return;
  job->end = raw->time;
  *link = job->next;
  if (kind == 22 || job->begin == NULL) return;
  r->steps[r->step_count].at = job->begin;
  r->steps[r->step_count++].job = job;
}

#ifdef __cplusplus
}
#endif

#endif /* RAC_REPLAY_FILE_H */
