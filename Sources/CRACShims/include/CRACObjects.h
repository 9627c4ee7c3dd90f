// Objects of Swift's, seen from C; see objects.c.
//
// SPDX-License-Identifier: MIT
#ifndef CRAC_OBJECTS_H
#define CRAC_OBJECTS_H

#include <stdint.h>

// Gives back a reference to an object: Swift's own function.
void swift_release(void *object);
static inline void rac_shim_drop(void *object) { swift_release(object); }

// How many references an object has.
uintptr_t rac_shim_references(const void *object);

#endif
