/* One thread that waits for all timers and runs them: see job.h.
 *
 * SPDX-License-Identifier: MIT
 */
#include "timers.h"

#include "../line.h"
#include "job.h"

#include <pthread.h>
#include <time.h>

enum { GATHER_NS = 500000, MOST_AT_ONCE = 256 };
enum { WAITING, RUNNING, OVER };

/* Held by its handle, and while timers of it wait. */
struct queue {
  size_t waiting; /* under the lock */
  bool has_handle;
};

/* Held by its handle, and until it has run. */
struct timer {
  line_item item; /* place 0: it does not wait any more */
  atomic_uint state;
  atomic_uint references;
  queue *queue;
  job_action action;
  void *context;
  job_destroy destroy;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed;
static line waiting;
static uint64_t woke; /* when the thread last ran something */

/* ---- Queues -------------------------------------------------------------- */

/* Under the lock. Whether it is to go. */
static bool leave_queue(queue *it, size_t timers) {
  it->waiting -= timers;
  return it->waiting == 0 && !it->has_handle;
}

void drop_queue(queue *it) {
  bool goes;
  pthread_mutex_lock(&lock);
  it->has_handle = false;
  goes = leave_queue(it, 0);
  pthread_mutex_unlock(&lock);
  if (goes) free(it);
}

/* ---- Timers -------------------------------------------------------------- */

void drop_timer(timer *it) {
  if (drop(&it->references)) free(it);
}

/* It will not run any more. */
static void end(timer *it) {
  if (it->destroy != NULL) it->destroy(it->context);
}

void cancel_timer(timer *it) {
  unsigned state = WAITING;
  queue *gone = NULL;
  bool waits;
  if (!atomic_compare_exchange_strong(&it->state, &state, OVER)) return;
  pthread_mutex_lock(&lock);
  waits = it->item.place != 0;
  if (waits) {
    line_take_out(&waiting, &it->item);
    it->item.place = 0;
    if (leave_queue(it->queue, 1)) gone = it->queue;
  }
  pthread_mutex_unlock(&lock);
  free(gone);
  end(it);
  /* The handle has another. */
  if (waits) drop_timer(it);
}

static void run(timer *it) {
  unsigned state = WAITING;
  if (atomic_compare_exchange_strong(&it->state, &state, RUNNING)) {
    it->action(it->context);
    atomic_store_explicit(&it->state, OVER, memory_order_release);
    end(it);
  }
  drop_timer(it);
}

/* Without the lock while they run. */
static void run_due(uint64_t now) {
  timer *due[MOST_AT_ONCE];
  size_t count = 0, i;
  while (count < MOST_AT_ONCE && line_first(&waiting) <= now) {
    timer *it = due[count++] = (timer *)waiting.each[1].item;
    line_take_out(&waiting, &it->item);
    it->item.place = 0;
    if (leave_queue(it->queue, 1)) free(it->queue);
  }
  pthread_mutex_unlock(&lock);
  for (i = 0; i < count; i++) run(due[i]);
  pthread_mutex_lock(&lock);
}

static uint64_t now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static void *serve(void *unused) {
  (void)unused;
  pthread_mutex_lock(&lock);
  while (true) {
    uint64_t now = now_ns(), next = line_first(&waiting);
    if (next <= now) {
      woke = now;
      run_due(now);
    } else if (next == UINT64_MAX) {
      pthread_cond_wait(&changed, &lock);
    } else {
      if (next < woke + GATHER_NS) next = woke + GATHER_NS;
      pthread_cond_timedwait(&changed, &lock,
                             &(struct timespec){(time_t)(next / 1000000000u),
                                                (long)(next % 1000000000u)});
    }
  }
  return NULL;
}

static void start(void) {
  pthread_t thread;
  pthread_condattr_t monotonic;
  pthread_condattr_init(&monotonic);
  pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
  pthread_cond_init(&changed, &monotonic);
  pthread_condattr_destroy(&monotonic);
  if (pthread_create(&thread, NULL, serve, NULL) != 0) abort();
  pthread_detach(thread);
}

/* ---- By handles ---------------------------------------------------------- */

job_handle job_queue(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  queue *it = malloc(sizeof *it);
  if (it == NULL) return 0;
  pthread_once(&once, start);
  *it = (queue){0, true};
  return publish(take_slot(), it, QUEUE, false);
}

static timer *make_timer(void *context, job_action action,
                         job_destroy destroy) {
  timer *it = malloc(sizeof *it);
  if (it == NULL) return NULL;
  atomic_init(&it->state, WAITING);
  atomic_init(&it->references, 2);
  it->action = action;
  it->context = context;
  it->destroy = destroy;
  return it;
}

static bool insert(timer *it, double seconds) {
  uint64_t deadline = now_ns() + (uint64_t)(seconds * 1e9);
  bool is_in;
  pthread_mutex_lock(&lock);
  is_in = line_insert(&waiting, deadline, &it->item);
  if (is_in) it->queue->waiting++;
  if (is_in && it->item.place == 1) pthread_cond_signal(&changed);
  pthread_mutex_unlock(&lock);
  return is_in;
}

job_handle job_after(job_handle handle, double seconds, void *context,
                     job_action action, job_destroy destroy) {
  slot *s = seconds >= 0 && seconds < 9e9 ? acquire(handle) : NULL;
  timer *it = s != NULL && s->kind == QUEUE
                  ? make_timer(context, action, destroy)
                  : NULL;
  job_handle made = 0;
  if (it != NULL) {
    it->queue = s->object;
    if (insert(it, seconds))
      made = publish(take_slot(), it, TIMER, false);
    else
      free(it);
  }
  if (s != NULL) unpin(s);
  if (made == 0 && destroy != NULL) destroy(context);
  return made;
}
