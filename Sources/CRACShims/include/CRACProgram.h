// A copy of the program to start as a child: see program.c.
//
// SPDX-License-Identifier: MIT
#ifndef CRAC_PROGRAM_H
#define CRAC_PROGRAM_H

#include "CRACPlatform.h"

// One block; NULL: there is no memory.
rac_program *rac_shim_program(const char *const *arguments,
                              const char *const *environment,
                              const char *directory);

#endif
