/* Figures of the process, and where they mean something. */
#ifndef RAC_PROCESS_H
#define RAC_PROCESS_H

#include <stdint.h>

/* Sanitizers keep what was freed, and need more memory and addresses. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define IS_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define IS_SANITIZED 1
#endif
#endif
#ifndef IS_SANITIZED
#define IS_SANITIZED 0
#endif

/* ThreadSanitizer's. It cannot follow a thread into the last of its destructors,
 * and keeps signals back. */
#if defined(__SANITIZE_THREAD__)
#define IS_THREAD_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define IS_THREAD_SANITIZED 1
#endif
#endif
#ifndef IS_THREAD_SANITIZED
#define IS_THREAD_SANITIZED 0
#endif

/* Bytes of memory that the process has in use. */
int64_t resident(void);

#endif
