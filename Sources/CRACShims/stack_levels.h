// How much stack is reckoned for one level of a chain, in bytes:
// Tests/c/test_stack_use.c measures that no operator takes more.
//
// SPDX-License-Identifier: MIT
#ifndef RAC_STACK_LEVELS_H
#define RAC_STACK_LEVELS_H

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define RAC_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define RAC_SANITIZED 1
#endif
#endif

enum {
// Of a level that an event, an end or a disposal passes, and of one that a
// subscription passes.
#if defined(RAC_SANITIZED)
  RAC_STACK_OF_LEVEL = 768,
  RAC_STACK_OF_SUBSCRIPTION = 512,
#elif defined(__OPTIMIZE__) && defined(RAC_EMBEDDED)
#if defined(__riscv)
  RAC_STACK_OF_LEVEL = 448,
#elif defined(__aarch64__)
  RAC_STACK_OF_LEVEL = 320,
#else
  RAC_STACK_OF_LEVEL = 256,
#endif
  RAC_STACK_OF_SUBSCRIPTION = 256,
#elif defined(__OPTIMIZE__)
  RAC_STACK_OF_LEVEL = 384,
  RAC_STACK_OF_SUBSCRIPTION = 256,
#else
  RAC_STACK_OF_LEVEL = 1024,
  RAC_STACK_OF_SUBSCRIPTION = 768,
#endif
};

#endif
