/* ../pull_consumer.c without librac: a thread that reads, and a queue between it
 * and the consumer.
 *
 * SPDX-License-Identifier: MIT
 */
#include "../sensor.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { WAITING = 64 };

static struct {
  pthread_mutex_t lock;
  pthread_cond_t changed;
  double readings[WAITING];
  int first, count;
  int error; /* that ended it */
} queue = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void *read_on(void *context) {
  double reading, last = 0;
  bool has_last = false;
  int error;
  while ((error = sensor_read(context, &reading)) == 0) {
    if (has_last && reading == last) continue;
    has_last = true;
    last = reading;
    pthread_mutex_lock(&queue.lock);
    if (queue.count == WAITING) { /* the oldest gives way */
      queue.first = (queue.first + 1) % WAITING;
      queue.count--;
    }
    queue.readings[(queue.first + queue.count) % WAITING] = reading;
    queue.count++;
    pthread_cond_signal(&queue.changed);
    pthread_mutex_unlock(&queue.lock);
  }
  pthread_mutex_lock(&queue.lock);
  queue.error = error;
  pthread_cond_signal(&queue.changed);
  pthread_mutex_unlock(&queue.lock);
  return NULL;
}

/* The next reading: 0, ETIMEDOUT after half a second, or why there is none. */
static int next(double *out) {
  struct timespec until;
  clock_gettime(CLOCK_MONOTONIC, &until);
  until.tv_nsec += 500000000;
  if (until.tv_nsec >= 1000000000) {
    until.tv_sec++;
    until.tv_nsec -= 1000000000;
  }
  int error = 0;
  pthread_mutex_lock(&queue.lock);
  while (queue.count == 0 && queue.error == 0 && error == 0)
    error = pthread_cond_timedwait(&queue.changed, &queue.lock, &until);
  if (queue.count > 0) {
    *out = queue.readings[queue.first];
    queue.first = (queue.first + 1) % WAITING;
    queue.count--;
    error = 0;
  } else if (queue.error != 0) {
    error = queue.error;
  }
  pthread_mutex_unlock(&queue.lock);
  return error;
}

int main(void) {
  sensor sensor = {0};
  pthread_t thread;
  pthread_condattr_t attributes;
  pthread_condattr_init(&attributes);
  pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
  pthread_cond_init(&queue.changed, &attributes);
  if (pthread_create(&thread, NULL, read_on, &sensor) != 0) return 1;
  for (;;) {
    double reading = 0;
    int error = next(&reading);
    if (error == 0) {
      printf("%.1f\n", reading);
    } else if (error == ETIMEDOUT) {
      puts("nothing yet");
    } else {
      printf("no more: %s\n", strerror(error));
      break;
    }
  }
  pthread_join(thread, NULL);
  return 0;
}
