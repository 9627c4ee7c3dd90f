/* SPDX-License-Identifier: MIT */
#define _DEFAULT_SOURCE
#include "forking.h"

#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

struct forking {
  void (*call)(void);
  size_t count;
  sem_t has_called, may_end;
  pthread_t threads[];
};

static void wait_for(sem_t *semaphore) {
  while (sem_wait(semaphore) != 0) continue;
}

static void *sit(void *argument) {
  forking *f = argument;
  f->call();
  sem_post(&f->has_called);
  wait_for(&f->may_end);
  return NULL;
}

forking *forking_open(size_t threads, void (*call)(void)) {
  forking *f = worker_allocate(sizeof *f + threads * sizeof *f->threads);
  size_t i;
  f->call = call;
  f->count = threads;
  sem_init(&f->has_called, 0, 0);
  sem_init(&f->may_end, 0, 0);
  call();
  for (i = 0; i < threads; i++)
    if (pthread_create(&f->threads[i], NULL, sit, f) != 0)
      worker_fail("no thread");
  for (i = 0; i < threads; i++) wait_for(&f->has_called);
  return f;
}

void forking_run(forking *f, size_t n, outcome *out) {
  size_t i;
  (void)f;
  for (i = 0; i < n; i++) {
    uint64_t start = worker_now();
    pid_t child = fork();
    if (child == 0) _exit(0);
    out->ns += worker_now() - start;
    if (child < 0 || waitpid(child, NULL, 0) != child) worker_fail("no child");
    out->sum++;
  }
  out->n = n;
}

void forking_close(forking *f) {
  size_t i;
  for (i = 0; i < f->count; i++) sem_post(&f->may_end);
  for (i = 0; i < f->count; i++) pthread_join(f->threads[i], NULL);
  sem_destroy(&f->has_called);
  sem_destroy(&f->may_end);
  free(f);
}
