/* What subscriptions, timers and deliveries on other threads are in librac, in
 * plain C and nothing besides: subjects, signals made of a function,
 * subscriptions, queues, timers and runners, all behind handles that are checked.
 * Any thread may call anything at any time, callbacks too:
 *
 * - a handle is a number; a stale one, or none, is answered, and never followed;
 * - deliveries of one source never overlap, and no lock is held during one: what
 *   comes meanwhile, a value, a subscription or a disposal, is left to whoever
 *   delivers;
 * - when a disposal returns no callback starts any more; it works from inside
 *   the callback, too, and twice;
 * - destroy runs once, after the last callback, whichever thread ends it;
 * - what nobody can send to any more lets its subscriptions go.
 *
 * Timers of a queue run one at a time, by the monotonic clock, gathered by 500 µs.
 * One thread waits for all of them and runs them: where one takes long the others
 * wait, of other queues, too, which in librac they do not.
 *
 * A runner is a thread's queue, as librac's schedulers are: callbacks of
 * subscriptions run there, in order, however many values wait. It is told whether
 * it pays to look for a moment before it sleeps, which librac finds out. What waits
 * in one that nobody runs stays there.
 *
 * It has one kind of value, no errors, operators or schedulers, and leaves out
 * what costs librac a few instructions each: looks at the stack, memory put by,
 * tracing, counts of what is alive, closing, forks, memory given back to the
 * system, and ends that are called back.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef JOB_H
#define JOB_H

#include "types.h"

/* One reference each. */
job_handle job_subject(void);
job_handle job_signal(void *context, job_produce produce, job_destroy destroy);
job_handle job_subscribe(job_handle source, void *context, floor_next next,
                         job_destroy destroy);
/* Called back by a runner, destroy too; to a subject alone. */
job_handle job_subscribe_on(job_handle source, job_handle runner, void *context,
                            floor_next next, job_destroy destroy);
job_handle job_runner(int is_apart);
job_handle job_queue(void);
/* Runs once, 0 or more seconds from now, unless it is disposed before. */
job_handle job_after(job_handle queue, double seconds, void *context,
                     job_action action, job_destroy destroy);

/* Into a subject or an emitter; the end of what an emitter feeds. */
int job_send(job_handle sender, floor_value value);
int job_complete(job_handle emitter);
/* Runs what comes on this thread, one at a time, until it is stopped, which any
 * thread may do. */
int job_run(job_handle runner);
int job_stop(job_handle runner);
int job_dispose(job_handle subscription);
int job_release(job_handle any);

#endif /* JOB_H */
