/* Scripts with times, for virtual time: docs/Testing.md has the grammar.
 *
 * A list has a time in seconds at each event, "1@0.1 nil@0.2 #3@0.5". A diagram
 * has a second for each character, "--1-(23)-|"; what stands in parentheses
 * comes at once, at the time of the first of them.
 */
#ifndef RAC_MARBLES_H
#define RAC_MARBLES_H

#include "check.h"

/* Plays the script into the subject, each event from a job at its time. The
 * letter a stands for the first of the signals, and so on: subjects that are
 * sent as values. */
void play_marbles(rac_scheduler *scheduler, rac_subject *subject,
                  const char *script, rac_subject *const *signals,
                  size_t count);
/* A diagram as a list, as a recorder with a clock writes it; a list as it is. */
void list_marbles(const char *script, char *list, size_t capacity);

#endif
