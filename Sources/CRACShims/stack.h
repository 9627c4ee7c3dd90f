// The stacks of threads, for the shims themselves; see stack.c.
//
// SPDX-License-Identifier: MIT
#ifndef RAC_STACK_H
#define RAC_STACK_H

#include <pthread.h>

#include "CRACStack.h"

// A thread of the library has room for whatever others had no room for.
enum { RAC_STACK_OF_WORKER = 8 << 20 };

// Notes the bounds of the calling thread's stack in its record.
void rac_stack_find(rac_thread *thread);

// For a thread that is about to be started: at least that much.
void rac_stack_widen(pthread_attr_t *attributes);

#endif
