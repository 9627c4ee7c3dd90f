// A thread-local variable, which Swift cannot declare.
//
// SPDX-License-Identifier: MIT
#ifndef C_REACTIVE_H
#define C_REACTIVE_H

/// The calling thread's word for ThreadStore, NULL until that writes it. Read
/// with each observation, where pthread_getspecific() would be three times as
/// long.
void *_Nullable *_Nonnull reactive_thread_word(void);

#endif
