// Pages of Linux.
//
// SPDX-License-Identifier: MIT
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "CRACPlatform.h"

#include <sys/mman.h>

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

void *rac_platform_map(size_t size, bool is_writable) {
  int access = is_writable ? PROT_READ | PROT_WRITE : PROT_READ;
  void *start = mmap(NULL, size, access,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return start == MAP_FAILED ? NULL : start;
}

bool rac_platform_decommit(void *start, size_t size) {
  return madvise(start, size, MADV_DONTNEED) == 0;
}

// All pages at once are half as dear as one by one; older systems refuse.
void rac_platform_commit(void *start, size_t size) {
  madvise(start, size, MADV_POPULATE_WRITE);
}
