// The record of a thread.
//
// SPDX-License-Identifier: MIT
#include "CRACRecord.h"

rac_thread rac_shim_no_thread;  // as boot() makes it
__thread rac_thread *rac_shim_tls RAC_TLS = &rac_shim_no_thread;
__thread bool rac_thread_is_ending RAC_TLS;
