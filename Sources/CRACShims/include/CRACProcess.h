// Closing, exits and forks; see process.c.
//
// SPDX-License-Identifier: MIT
#ifndef CRAC_PROCESS_H
#define CRAC_PROCESS_H

#include <stdbool.h>
#include <stdint.h>

// From here on the state is RAC_CLOSED to every thread: none has yet to see it.
void rac_shim_close(void);
// No callback of another thread's is running.
// `for_good`: nor in a call that waits and will call a hook when it has.
bool rac_shim_others_are_outside(bool for_good);
// Wakes all threads that sleep in the library: they look again.
void rac_shim_wake_sleepers(void);
uint64_t rac_shim_posts(void);
// From here on the exit of the process is told to the engine.
void rac_shim_watch_exit(void);
// In a child where it does not work: a thread of the library's, which is not
// its any more. It sleeps for ever.
_Noreturn void rac_shim_stand_still(void);
// In a child where it does not work: begins anew.
void rac_shim_reinitialize(void);

#endif
