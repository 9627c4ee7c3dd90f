/* Callbacks that give signals and sequences, and those that are given an
 * observer; see callbacks_signals.c.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef LIBRAC_CALLBACKS_SIGNALS_H
#define LIBRAC_CALLBACKS_SIGNALS_H

#include "base.h"

rac_status call_signal(void *context, rac_value value, rac_signal **out);
rac_status call_signal_1(void *context, rac_value value, rac_signal **out);
rac_status call_signal_index(void *context, rac_value value, size_t index,
                             rac_signal **out);
rac_status call_bind(void *context, rac_value value, bool *stop,
                     rac_signal **out);
rac_status call_defer(void *context, rac_signal **out);
rac_status call_execute(void *context, rac_value input, rac_signal **out);
rac_status call_sequence(void *context, rac_value value, rac_sequence **out);
rac_status call_sequence_bind(void *context, rac_value value, bool *stop,
                              rac_sequence **out);
rac_status call_sequence_tail_1(void *context, rac_sequence **out);
rac_status call_subscribe(void *context, rac_subscriber *subscriber,
                          rac_disposable **out);
rac_status call_start(void *context, rac_subscriber *subscriber);

#endif
