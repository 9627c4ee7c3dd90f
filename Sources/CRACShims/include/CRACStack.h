// How much of its stack a thread has left; see stack.c.
//
// SPDX-License-Identifier: MIT
#ifndef CRAC_STACK_H
#define CRAC_STACK_H

#include "CRACRecord.h"

// Whether the calling thread's stack has room for an event that passes so many
// levels, and beside that for a subscription that passes so many, and for the
// callbacks: see stack.c. True on a stack that is not the one the thread was
// started with, as under ucontext: how much there is of that is not known.
bool rac_shim_stack_has(const rac_thread *thread, size_t levels,
                        size_t subscriptions);

static inline uintptr_t rac_shim_stack_pointer(void) {
#if defined(__x86_64__)
  uintptr_t pointer;
  __asm__("mov %%rsp, %0" : "=r"(pointer));
  return pointer;
#elif defined(__aarch64__)
  uintptr_t pointer;
  __asm__("mov %0, sp" : "=r"(pointer));
  return pointer;
#else
  return (uintptr_t)__builtin_frame_address(0);
#endif
}

// False is certain: there is room beside the margin, or the stack is a foreign
// one.
static inline bool rac_shim_stack_may_be_short(const rac_thread *thread) {
  return rac_shim_stack_pointer() < thread->stack_margin;
}

#endif
