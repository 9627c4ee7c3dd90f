/* Values on their way to a runner, each in a letter of its own.
 *
 * SPDX-License-Identifier: MIT
 */
#include "deliveries.h"

#include "gate.h"
#include "job.h"

/* Held by its handle, and until the close has been read. */
struct delivery {
  runner *runner;             /* kept */
  subscription *subscription; /* kept */
  floor_next next;
  void *context;
  job_destroy destroy;
  atomic_uint references;
  atomic_bool is_over;
};

void drop_delivery(delivery *it) {
  if (!drop(&it->references)) return;
  drop_runner(it->runner);
  drop_subscription(it->subscription);
  give(it, sizeof *it);
}

void cancel_delivery(delivery *it) {
  if (atomic_exchange(&it->is_over, true)) return;
  if (!atomic_exchange(&it->subscription->is_closed, true))
    submit(it->subscription->source, REMOVE, it->subscription);
}

/* ---- Values -------------------------------------------------------------- */

/* The kind of what comes last. */
static const uint64_t CLOSE = UINT64_MAX;

static void open_letter(void *to, floor_value value) {
  delivery *it = to;
  if (value.kind == CLOSE) {
    if (it->destroy != NULL) it->destroy(it->context);
    drop_delivery(it);
  } else if (!atomic_load_explicit(&it->is_over, memory_order_acquire)) {
    it->next(it->context, value);
  }
}

static void put(void *context, floor_value value) {
  delivery *it = context;
  post_letter(it->runner, (letter){open_letter, it, value});
}

/* The source has let go: destroy is called by the runner. */
static void put_close(void *context) { put(context, (floor_value){CLOSE, 0}); }

/* ---- By handles ---------------------------------------------------------- */

static delivery *make_delivery(runner *to, void *context, floor_next next,
                               job_destroy destroy) {
  delivery *it = take(sizeof *it);
  it->runner = to;
  keep_runner(to);
  it->next = next;
  it->context = context;
  it->destroy = destroy;
  atomic_init(&it->references, 2);
  atomic_init(&it->is_over, false);
  return it;
}

static job_handle subscribe_on(source *from, runner *to, void *context,
                               floor_next next, job_destroy destroy) {
  delivery *it = make_delivery(to, context, next, destroy);
  it->subscription = make_subscription(from, it, put, put_close);
  submit(from, ADD, it->subscription);
  return publish(take_slot(), it, DELIVERY, false);
}

job_handle job_subscribe_on(job_handle source, job_handle runner, void *context,
                            floor_next next, job_destroy destroy) {
  slot *from = acquire(source), *to = acquire(runner);
  job_handle made = 0;
  if (from != NULL && from->kind == SUBJECT && to != NULL && to->kind == RUNNER)
    made = subscribe_on(from->object, to->object, context, next, destroy);
  if (to != NULL) unpin(to);
  if (from != NULL) unpin(from);
  return made;
}
