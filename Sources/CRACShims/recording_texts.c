// The texts of a recording and its places, each defined once: a table by their
// content (open addressing) has what there is.
//
// SPDX-License-Identifier: MIT
#include "CRACRecordedTexts.h"

#include <string.h>

#include "CRACPlatform.h"
#include "CRACRecording.h"
#include "CRACRecordingFile.h"

typedef struct definition {
  uint32_t size;
  uint16_t kind, count;
  uint32_t id, length;
} definition;

enum { TABLE = RAC_RECORDED_DEFINITIONS * 2 };

static struct tables {
  uint32_t ids[TABLE];                         // by content; 0: none
  uint32_t offsets[RAC_RECORDED_DEFINITIONS];  // by id, in units of 8
} *tables;
static uint32_t last_id;

void rac_definitions_begin(void) {
  last_id = 0;
  if (tables == NULL) {
    tables = rac_platform_map(sizeof *tables, true);
  } else {
    memset(tables, 0, sizeof *tables);
  }
}

static char *definitions(void) {
  return (char *)rac_shim_recording + RAC_DEFINITIONS_AT;
}

static definition *find(uint32_t id) {
  return (definition *)(definitions() + (size_t)tables->offsets[id] * 8);
}

// FNV-1a.
static uint64_t hash(uint64_t seed, const void *content, size_t size) {
  const unsigned char *byte = content;
  uint64_t value = UINT64_C(14695981039346656037) ^ seed;
  for (; size > 0; size--) value = (value ^ *byte++) * UINT64_C(1099511628211);
  return value ^ value >> 29;
}

static uint32_t append(const definition *head, const void *content,
                       size_t size) {
  rac_recording *header = rac_shim_recording;
  if (last_id + 1 >= RAC_RECORDED_DEFINITIONS ||
      header->definitions_used + head->size > RAC_DEFINITIONS_SIZE) {
    header->lost_definitions++;
    return 0;
  }
  char *at = definitions() + header->definitions_used;
  definition made = *head;
  made.id = ++last_id;
  tables->offsets[made.id] = (uint32_t)(header->definitions_used / 8);
  memcpy(at, &made, sizeof made);
  memcpy(at + sizeof made, content, size);
  __atomic_store_n(&header->definitions_used,
                   header->definitions_used + made.size, __ATOMIC_RELEASE);
  return made.id;
}

static bool is_equal(const definition *known, const definition *head,
                     const void *content, size_t size) {
  return known->kind == head->kind && known->count == head->count &&
         known->length == head->length && known->size == head->size &&
         memcmp(known + 1, content, size) == 0;
}

uint32_t rac_definition(uint16_t kind, uint16_t count, uint32_t length,
                        const void *content, size_t size) {
  if (tables == NULL) return 0;
  definition head = {.size = (uint32_t)((sizeof head + size + 7) & ~(size_t)7),
                     .kind = kind,
                     .count = count,
                     .length = length};
  uint64_t at = hash(kind, content, size) % TABLE;
  while (tables->ids[at] != 0) {
    if (is_equal(find(tables->ids[at]), &head, content, size)) {
      return tables->ids[at];
    }
    at = (at + 1) % TABLE;
  }
  uint32_t id = append(&head, content, size);
  tables->ids[at] = id;
  return id;
}

const void *rac_definition_find(uint32_t id, uint16_t *count) {
  if (tables == NULL || id == 0 || id > last_id) return NULL;
  *count = find(id)->count;
  return find(id) + 1;
}

uint32_t rac_recording_text(const char *text, size_t length) {
  if (length == 0) return 0;
  if (length > 4096) length = 4096;
  rac_recording_lock();
  uint32_t id = 0;
  if (rac_shim_is_recording) {
    rac_recording_need_file();
    id = rac_definition(1, 0, (uint32_t)length, text, length);
  }
  rac_recording_unlock();
  return id;
}

uint32_t rac_recording_operation(const char *name) {
  return rac_recording_text(name, strcspn(name, ":"));
}

uint32_t rac_recording_written_text(rac_recording_writer write, void *context) {
  char text[512];
  size_t length = write(context, text, sizeof text);
  return rac_recording_text(text, length > sizeof text ? 0 : length);
}
