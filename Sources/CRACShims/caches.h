// The per-thread caches, for the shims themselves; see caches.c.
//
// SPDX-License-Identifier: MIT
#ifndef RAC_CACHES_H
#define RAC_CACHES_H

#include "CRACCaches.h"

// Before anything else here.
void rac_caches_boot(void);
void rac_caches_thread_start(rac_thread *thread);
void rac_caches_thread_exit(rac_thread *thread);

#endif
