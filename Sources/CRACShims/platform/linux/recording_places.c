// Where a subscription was made: the engine has no frame pointers, and unwinding
// would cost more than the subscription. So the stack is looked through for
// words that are addresses in code with a call right before them.
//
// A word may have been left by a call that is over. The search begins behind
// the first return address into the library, since a sanitizer's code may stand
// in between, and the first few that follow are kept.
//
// SPDX-License-Identifier: MIT
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "CRACRecordedPlaces.h"

#include <link.h>
#include <string.h>
#include <unistd.h>

#include "CRACRecordedTexts.h"

typedef struct module {
  uintptr_t low, high, base;
  bool is_own, is_defined;
  char path[256];
} module;

enum { FRAMES = 4 };
enum { MODULES = 128, WORDS = 512, PATIENCE = 50000000 };

static module modules[MODULES];
static size_t module_count;
static uintptr_t lowest, highest;
static unsigned long long added;  // by the loader, when this was looked at
static int64_t looked;            // when that was

void rac_places_begin(void) {
  for (size_t i = 0; i < module_count; i++) modules[i].is_defined = false;
}

// The program itself has none there.
static void name(module *made, const char *path) {
  memset(made->path, 0, sizeof made->path);
  if (path[0] != 0) {
    strncpy(made->path, path, sizeof made->path - 1);
  } else if (readlink("/proc/self/exe", made->path, sizeof made->path - 1) <
             0) {
    made->path[0] = 0;
  }
}

static int look(struct dl_phdr_info *info, size_t size, void *context) {
  (void)size;
  (void)context;
  for (int i = 0; i < info->dlpi_phnum && module_count < MODULES; i++) {
    const ElfW(Phdr) *part = info->dlpi_phdr + i;
    if (part->p_type != PT_LOAD || !(part->p_flags & PF_X)) continue;
    module *made = modules + module_count++;
    made->base = info->dlpi_addr;
    made->low = info->dlpi_addr + part->p_vaddr;
    made->high = made->low + part->p_memsz;
    made->is_own = (uintptr_t)look >= made->low && (uintptr_t)look < made->high;
    made->is_defined = false;
    name(made, info->dlpi_name);
    if (made->low < lowest) lowest = made->low;
    if (made->high > highest) highest = made->high;
  }
  return 0;
}

static int ask(struct dl_phdr_info *info, size_t size, void *context) {
  (void)size;
  *(unsigned long long *)context = info->dlpi_adds + info->dlpi_subs;
  return 1;
}

static void look_at_modules(void) {
  int64_t time = rac_shim_now();
  if (module_count > 0 && time - looked < PATIENCE) return;
  looked = time;
  unsigned long long now = 0;
  dl_iterate_phdr(ask, &now);
  if (module_count > 0 && now == added) return;
  added = now;
  module_count = 0;
  lowest = UINTPTR_MAX;
  highest = 0;
  dl_iterate_phdr(look, NULL);
}

static module *module_of(uintptr_t address) {
  if (address < lowest || address >= highest) return NULL;
  for (size_t i = 0; i < module_count; i++) {
    // A call is at most eight bytes long.
    if (address >= modules[i].low + 8 && address < modules[i].high) {
      return modules + i;
    }
  }
  return NULL;
}

#if defined(__x86_64__)
static bool is_behind_call(uintptr_t address) {
  const unsigned char *end = (const unsigned char *)address;
  if (end[-5] == 0xE8) return true;
  for (int length = 2; length <= 7; length++) {
    if (end[-length] == 0xFF && ((end[1 - length] >> 3) & 7) == 2) return true;
  }
  return false;
}
#elif defined(__aarch64__)
static bool is_behind_call(uintptr_t address) {
  if (address & 3) return false;
  uint32_t before = ((const uint32_t *)address)[-1];
  return (before & 0xFC000000) == 0x94000000 ||
         (before & 0xFFFFFC1F) == 0xD63F0000;
}
#else
// Elsewhere there are no places.
static bool is_behind_call(uintptr_t address) {
  (void)address;
  return false;
}
#endif

static void define(module *found) {
  if (found->is_defined) return;
  found->is_defined = true;
  struct {
    uint64_t low, high, base;
    char path[256];
  } content = {found->low, found->high, found->base, {0}};
  size_t length = strlen(found->path);
  memcpy(content.path, found->path, length);
  rac_definition(3, 0, (uint32_t)length, &content, 24 + length);
}

// The stack belongs to frames that the sanitizers know.
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
__attribute__((no_sanitize("address", "thread")))
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
__attribute__((no_sanitize_address, no_sanitize_thread))
#endif
static uint16_t
find(const rac_thread *thread, uint64_t *addresses) {
  uintptr_t here = (uintptr_t)__builtin_frame_address(0);
  // On a stack of the host's own making it is not known how far it goes.
  if (here < thread->stack_low || here >= thread->stack_high) return 0;
  look_at_modules();
  const uintptr_t *word = (const uintptr_t *)(here & ~(uintptr_t)7);
  const uintptr_t *end = (const uintptr_t *)thread->stack_high;
  if (end - word > WORDS) end = word + WORDS;
  uint16_t count = 0;
  bool was_inside = false;
  for (; word < end && count < FRAMES; word++) {
    module *found = module_of(*word);
    if (found == NULL || !is_behind_call(*word)) continue;
    if (found->is_own) {
      was_inside = true;
      continue;
    }
    if (!was_inside) continue;
    define(found);
    addresses[count++] = *word;
  }
  return count;
}

typedef struct place {
  uint32_t operation, text;
  uint64_t addresses[FRAMES];
} place;

// Under the lock.
static uint32_t define_place(const rac_thread *thread, uint32_t operation,
                             uint32_t text, const rac_slot *of) {
  place made = {.operation = operation, .text = text};
  uint16_t count = 0;
  const place *known =
      of == NULL ? NULL : rac_definition_find(of->place, &count);
  if (known != NULL) {
    made.text = known->text;
    memcpy(made.addresses, known->addresses, count * sizeof(uint64_t));
  } else if (text == 0) {
    count = find(thread, made.addresses);
  }
  size_t size = 2 * sizeof(uint32_t) + count * sizeof(uint64_t);
  return rac_definition(2, count, 0, &made, size);
}

uint32_t rac_recording_place(const rac_thread *thread, uint32_t operation,
                             uint32_t text, const rac_slot *of) {
  rac_recording_lock();
  uint32_t id =
      rac_shim_is_recording ? define_place(thread, operation, text, of) : 0;
  rac_recording_unlock();
  return id;
}
