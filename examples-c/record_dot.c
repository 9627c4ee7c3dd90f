/* Prints what a program recorded as a graph for Graphviz, for machines without
 * Python, where rac-scope tells more. It needs a C compiler alone:
 *
 *     RAC_RECORD=run.rac ./program
 *     cc record_dot.c -o record_dot && ./record_dot run.rac | dot -Tsvg >run.svg
 *
 * docs/Recording.md has the format of the file.
 *
 * SPDX-License-Identifier: MIT
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct slot {
  uint32_t node;
  uint8_t kind, flags;
  uint16_t detail;
  uint32_t below, source, target, place, name, thread;
  uint64_t made, values;
  uint32_t waiting, most, lost, slow;
} slot;

enum { SUBSCRIPTION = 1, SUBJECT, PROPERTY, SCHEDULER, BOUND, COMMAND, EDGE };
enum { COMPLETED = 1, FAILED = 2, DISPOSED = 4, GONE = 8, UNHEARD = 32 };
enum { TEXT = 1, PLACE = 2, MODULE = 3 };

static unsigned char *data;
static size_t size;

/* Numbers of a file that may be cut: 0 where it has none. */
static uint64_t number(size_t at, size_t bytes) {
  uint64_t wide = 0;
  uint32_t narrow = 0;
  uint16_t half = 0;
  if (at > size || size - at < bytes) return 0;
  if (bytes == 8) memcpy(&wide, data + at, 8);
  if (bytes == 4) memcpy(&narrow, data + at, 4);
  if (bytes == 2) memcpy(&half, data + at, 2);
  return wide + narrow + half;
}

/* Where the definition is, or 0. */
static size_t definition(uint64_t id, unsigned kind) {
  size_t at = number(80, 8), end = at + number(96, 8);
  while (id != 0 && at + 16 <= end && at + 16 <= size) {
    size_t length = number(at, 4);
    if (number(at + 8, 4) == id && number(at + 4, 2) == kind) return at;
    if (length < 16) break;
    at += (length + 7) / 8 * 8;
  }
  return 0;
}

/* A text on one line of a label. */
static void print_text(uint64_t id) {
  size_t at = definition(id, TEXT);
  size_t length = at ? number(at + 12, 4) : 0;
  if (at && at + 16 + length > size) length = 0;
  for (size_t i = 0; i < length; i++) {
    int byte = data[at + 16 + i];
    if (byte == '"' || byte == '\\') putchar('\\');
    putchar(byte < 32 ? ' ' : byte);
  }
}

/* "file:line function" as a host's language has it, else module and offset. */
static void print_place(uint32_t id) {
  size_t at = definition(id, PLACE);
  if (at == 0) return;
  if (number(at + 20, 4)) {
    print_text(number(at + 20, 4));
    return;
  }
  if (number(at + 6, 2) == 0) return;
  uint64_t address = number(at + 24, 8) - 1;
  size_t each = number(80, 8), end = each + number(96, 8);
  for (size_t length; each + 40 <= end && each + 40 <= size;
       each += (length + 7) / 8 * 8) {
    length = number(each, 4);
    if (length < 16) return;
    if (number(each + 4, 2) != MODULE || address < number(each + 16, 8) ||
        address >= number(each + 24, 8))
      continue;
    size_t path = number(each + 12, 4);
    if (each + 40 + path > size) return;
    printf("%.*s+0x%" PRIx64, (int)path, (const char *)data + each + 40,
           address - number(each + 32, 8));
    return;
  }
}

static bool is_wrong(const slot *each) {
  return each->lost || (each->flags & UNHEARD) || each->waiting > 50;
}

static void print_box(const slot *each) {
  size_t place = definition(each->place, PLACE);
  bool is_subject = each->kind != SUBSCRIPTION;
  printf("  n%u [label=\"", each->node);
  print_text(each->name);
  printf("%s", each->name ? " " : "");
  if (place && !is_subject) print_text(number(place + 16, 4));
  printf(" #%u\\n%" PRIu64 " values%s", each->node, each->values,
         each->flags & COMPLETED  ? ", completed"
         : each->flags & FAILED   ? ", failed"
         : each->flags & DISPOSED ? ", disposed"
         : each->flags & GONE     ? ", gone"
                                  : "");
  if (each->waiting && !is_subject) printf("\\n%u wait", each->waiting);
  if (each->lost) printf("\\n%u lost", each->lost);
  if (each->flags & UNHEARD) printf("\\nits error was not heard");
  printf("\\n");
  print_place(each->place);
  printf("\"%s%s];\n", is_subject ? ", style=rounded" : "",
         is_wrong(each) ? ", color=red" : "");
}

static void print_arrows(const slot *each) {
  if (each->kind == EDGE) {
    printf("  n%u -> n%u [style=dashed];\n", each->source, each->below);
    return;
  }
  if (each->source) printf("  n%u -> n%u;\n", each->source, each->node);
  uint32_t target = each->below ? each->below : each->target;
  if (each->kind == SUBSCRIPTION && target)
    printf("  n%u -> n%u [label=\"%" PRIu64 "\"];\n", each->node, target,
           each->values);
}

static bool read_file(const char *path) {
  FILE *file = fopen(path, "rb");
  if (file == NULL) return false;
  /* What this prints stands before the first ring. */
  size_t room = 1 << 16;
  data = malloc(room);
  while (data != NULL) {
    size_t more = fread(data + size, 1, room - size, file);
    size += more;
    if (more == 0 || (size > 112 && size >= number(104, 8))) break;
    if (size == room) {
      unsigned char *larger = realloc(data, room *= 2);
      if (larger == NULL) break;
      data = larger;
    }
  }
  fclose(file);
  return data != NULL && size > 136 && memcmp(data, "librac\0\0", 8) == 0 &&
         number(8, 4) == 1 && number(12, 4) == 0x01020304;
}

int main(int count, char **arguments) {
  if (count != 2) {
    fprintf(stderr, "usage: record_dot FILE\n");
    return 2;
  }
  if (!read_file(arguments[1])) {
    fprintf(stderr, "record_dot: %s is no recording of librac\n", arguments[1]);
    return 2;
  }
  puts("digraph recording {\n  rankdir=LR;\n  node [shape=box];");
  size_t at = number(64, 8), used = number(76, 4);
  for (size_t i = 0; i < used && at + sizeof(slot) <= size; i++) {
    slot each;
    memcpy(&each, data + at, sizeof each);
    at += sizeof each;
    if (each.node == 0) continue;
    bool is_box = each.kind <= PROPERTY || each.kind == COMMAND;
    if (is_box && each.kind != 0) print_box(&each);
    print_arrows(&each);
  }
  puts("}");
  free(data);
  return 0;
}
