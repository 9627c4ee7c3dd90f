/* A load for a host's loop: threads that send numbered items into a subject
 * whose values arrive on the main scheduler, a timer of the library's, and one
 * of the host's, which the host counts. The test of a loop starts it, runs the
 * loop until load_is_over(), and ends it.
 *
 * Checked: every item arrives once and in the order of its sender, timers of
 * the host and of the library keep at least nine tenths of the ticks that a
 * thread of its own keeps meanwhile, and afterwards there is no object and no
 * descriptor more than before.
 *
 * 100,000 items a second for 3 seconds; RAC_LOOP_SECONDS for another time.
 */
#ifndef LOAD_H
#define LOAD_H

#include <stdbool.h>

enum { LOAD_TICK_MS = 10 };

/* Before the loop is made; to be called first. */
void load_before(void);
/* Sends from now on. The program ends where that cannot be. */
void load_start(void);
/* What the host's timer calls every LOAD_TICK_MS milliseconds. */
void load_tick(void);
/* All has been sent and heard. To be asked on the main thread. */
bool load_is_over(void);
/* In a forked child, with something for the main scheduler to do: runs a turn of
 * the loop until librac's part of it has ended by itself. To be called in the
 * parent while the loop is there; the turn returns whether it has. */
void load_fork(bool (*turn)(void));
/* After the loop has gone: the exit code of the program. */
int load_end(const char *loop);

#endif /* LOAD_H */
