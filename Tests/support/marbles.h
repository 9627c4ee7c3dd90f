/* Scripts with times, for virtual time: docs/Testing.md has the grammar.
 *
 * A list has a time in seconds at each event, "1@0.1 nil@0.2 #3@0.5". A diagram
 * has a second for each character, "--1-(23)-|"; events in parentheses come at
 * once, at the time of the first of them.
 */
#ifndef RAC_MARBLES_H
#define RAC_MARBLES_H

#include "check.h"

/* Plays the script into the subject: a job for each time, counted from now. */
void play_marbles(rac_scheduler *scheduler, rac_subject *subject,
                  const char *script);
/* The letters a, b and c in the script stand for these three signals, subjects,
 * which are sent as values. */
void play_marbles_with(rac_scheduler *scheduler, rac_subject *subject,
                       const char *script, rac_subject *const *signals);
/* A diagram as a list, as a recorder with a clock writes it; a list as it is. */
void list_marbles(const char *script, char *list, size_t capacity);

#endif
