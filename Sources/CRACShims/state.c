// Variables of the process that every thread may look at.
//
// SPDX-License-Identifier: MIT
#include "CRACState.h"

#include "CRACPlatform.h"
#include "CRACTime.h"

uint8_t rac_shim_state = RAC_WORKS;
uint32_t rac_shim_process = 0;
int64_t rac_shim_first_reference = 1;
uint64_t rac_shim_secret[2];
uint32_t rac_shim_staff = 0;

// Alone in its line of memory, as all threads read it.
_Alignas(64) int32_t rac_shim_raised = 0;

const void *rac_shim_classes[RAC_CLASS_COUNT];

uint32_t rac_shim_register_class(const void *type) {
  for (uint32_t number = 1; number < RAC_CLASS_COUNT; number++) {
    const void *found = NULL;
    if (__atomic_compare_exchange_n(&rac_shim_classes[number], &found, type,
                                    false, __ATOMIC_ACQ_REL,
                                    __ATOMIC_ACQUIRE) ||
        found == type) {
      return number;
    }
  }
  return 0;
}

void rac_shim_make_secret(void) {
  uint64_t *secret = rac_shim_secret;
  if (rac_platform_random(secret, sizeof rac_shim_secret)) return;
  // A system that is just starting: where things lie, and when.
  secret[0] = (uintptr_t)secret * UINT64_C(0x9E3779B97F4A7C15);
  secret[1] = (uint64_t)rac_shim_now() * UINT64_C(0xBF58476D1CE4E5B9);
}
