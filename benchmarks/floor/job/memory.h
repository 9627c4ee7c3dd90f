/* Memory: what a thread has freed it makes anew of.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef JOB_MEMORY_H
#define JOB_MEMORY_H

#include <stdlib.h>

#include "types.h"

typedef struct block {
  struct block *next;
} block;

enum { JOB_LARGEST = 96 };
extern JOB_HIDDEN __thread block *job_free_blocks[JOB_LARGEST / 16 + 1];

static inline void *take(size_t size) {
  block **list = &job_free_blocks[(size + 15) / 16];
  block *b = *list;
  if (b == NULL) {
    b = malloc((size + 15) / 16 * 16);
    if (b == NULL) abort();
  } else {
    *list = b->next;
  }
  return b;
}

static inline void give(void *memory, size_t size) {
  block *b = memory, **list = &job_free_blocks[(size + 15) / 16];
  b->next = *list;
  *list = b;
}

#endif /* JOB_MEMORY_H */
