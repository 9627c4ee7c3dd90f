// Objects of Swift's, for the shims themselves; see objects.c.
//
// SPDX-License-Identifier: MIT
#ifndef RAC_OBJECTS_H
#define RAC_OBJECTS_H

#include "CRACObjects.h"

// Ends the process where Swift lays out objects in another way than objects.c
// says. Builds with tests call it when the library is loaded.
void rac_objects_check(void);

#endif
