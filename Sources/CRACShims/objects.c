// Objects of the Embedded build: how they are made and let go of.
//
// Embedded Swift has functions of its own for this, all of them weak, which
// begin from posix_memalign() and free(). A subscription makes a handful of
// objects and releases a dozen references, so two of those functions are
// replaced here. Making an object takes a block of the pool and fills in two
// words. Releasing the only reference needs no atomic step.
//
// The layout is Embedded Swift's: a pointer to the metadata, whose second word
// is the function that ends an object, and the count of references. Its highest
// bit says that the object lies on a stack; with all the others set it is never
// let go of, as while it is being ended.
//
// SPDX-License-Identifier: MIT
#include "CRACObjects.h"

#ifdef RAC_EMBEDDED

#include <stddef.h>

#include "CRACText.h"
#include "allocation.h"
#include "objects.h"

// Stands in the tables of classes in the place of methods that nobody calls. As
// an address it would need a relocation in each of a thousand places, 24 bytes.
__asm__(".globl swift_deletedMethodError\n"
        ".hidden swift_deletedMethodError\n"
        ".set swift_deletedMethodError, 0\n");

typedef struct object {
  const void *metadata;
  int64_t references;
} object;

void *swift_allocObject(const void *metadata, size_t size, size_t mask);
void *swift_retain(void *object);

void *swift_allocObject(const void *metadata, size_t size, size_t mask) {
  // Of any block the alignment does for any object of the engine's.
  (void)mask;
  object *made = rac_allocation_take(size);
  if (made == NULL) rac_shim_fatal("out of memory");
  made->metadata = metadata;
  made->references = 1;
  return made;
}

// The function that ends an object takes it in a register that C has no name
// for.
#if defined(__x86_64__)

__attribute__((visibility("hidden"))) void rac_object_end(object *it);

__asm__(".text\n"
        ".p2align 4\n"
        ".hidden rac_object_end\n"
        ".globl rac_object_end\n"
        ".type rac_object_end, @function\n"
        "rac_object_end:\n"
        "  .cfi_startproc\n"
        "  push %r13\n"
        "  .cfi_adjust_cfa_offset 8\n"
        "  .cfi_rel_offset %r13, 0\n"
        "  mov %rdi, %r13\n"
        "  mov (%rdi), %rax\n"
        "  call *8(%rax)\n"
        "  pop %r13\n"
        "  .cfi_adjust_cfa_offset -8\n"
        "  .cfi_restore %r13\n"
        "  ret\n"
        "  .cfi_endproc\n"
        ".size rac_object_end, . - rac_object_end\n");

static const int64_t never = INT64_MAX;

static void end(object *it, int64_t seen) {
  __atomic_store_n(&it->references, seen | never, __ATOMIC_RELAXED);
  rac_object_end(it);
}

// One that lies on a stack, or is never let go of.
static __attribute__((noinline)) void release_rare(object *it, int64_t seen) {
  if ((seen & never) == never) return;
  int64_t left = __atomic_sub_fetch(&it->references, 1, __ATOMIC_ACQ_REL);
  if ((left & never) == 0) end(it, seen);
}

// Called, and not compiled into each of the 1,500 places where something is
// retained.
void *swift_retain(void *retained) {
  object *it = retained;
  if ((intptr_t)it <= 0) return it;
  int64_t seen = __atomic_load_n(&it->references, __ATOMIC_RELAXED);
  // All bits but the highest are set: one that is never let go of.
  if (2 * (uint64_t)seen + 2 != 0)
    __atomic_fetch_add(&it->references, 1, __ATOMIC_RELAXED);
  return it;
}

void swift_release(void *released) {
  object *it = released;
  if ((intptr_t)it <= 0) return;
  int64_t seen = __atomic_load_n(&it->references, __ATOMIC_ACQUIRE);
  // One is the caller's: nobody else can take or give back another.
  if (seen != 1) {
    if (__builtin_expect(seen < 1 || seen == never, 0)) {
      release_rare(it, seen);
      return;
    }
    if (__atomic_sub_fetch(&it->references, 1, __ATOMIC_ACQ_REL) != 0) return;
  }
  end(it, 0);
}

#endif

#ifdef RAC_CHECK_LAYOUT

// The engine's, a Swift function: an object with one reference, whose one field
// is the pointer, and whose deinit writes there.
void *rac_engine_make_probe(bool *ended);

// The library's first byte, and the first after its code: the linker's.
extern const char __ehdr_start[] __attribute__((visibility("hidden")));
extern const char etext[] __attribute__((visibility("hidden")));

static bool is_function(uintptr_t address) {
  return address > (uintptr_t)__ehdr_start && address < (uintptr_t)etext;
}

// Nothing is called before it is known where it lies.
void rac_objects_check(void) {
  bool ended = false;
  struct {
    object head;
    uintptr_t field;
  } *probe = rac_engine_make_probe(&ended);
  const uintptr_t *metadata = probe->head.metadata;
  bool fits = probe->head.references == 1 &&
              probe->field == (uintptr_t)&ended && is_function(metadata[1]);
  if (fits) {
    swift_release(swift_retain(probe));
    fits = probe->head.references == 1 && !ended;
  }
  if (fits) {
    swift_release(probe);
    fits = ended;
  }
  if (!fits) {
    rac_shim_fatal("this version of Swift lays out objects in another way than "
                   "the one that librac was tried with");
  }
}

#endif

uintptr_t rac_shim_references(const void *counted) {
  const object *it = counted;
  return (uintptr_t)__atomic_load_n(&it->references, __ATOMIC_ACQUIRE);
}

#else

#include <stddef.h>

size_t swift_retainCount(const void *object);
uintptr_t rac_shim_references(const void *object) {
  return swift_retainCount(object);
}

#endif
