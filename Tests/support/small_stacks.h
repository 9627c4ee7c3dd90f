/* Bodies that run on threads with small stacks, and who hears what they do. */
#ifndef RAC_SMALL_STACKS_H
#define RAC_SMALL_STACKS_H

#include "../../Sources/CRACShims/stack_levels.h"
#include "properties.h"
#include "shared_callbacks.h"

#if defined(RAC_SANITIZED)
enum { KB = 4 << 10 }; /* what is instrumented takes more */
#else
enum { KB = 1 << 10 };
#endif

enum { LONGEST = 4095 };
static const size_t sizes[] = {64, 128, 256};

/* ---- Threads ------------------------------------------------------------------- */

typedef struct task {
  void (*body)(void *argument);
  void *argument;
} task;

static void *run_task(void *argument) {
  task *self = argument;
  rac_thread_attach();
  self->body(self->argument);
  rac_thread_detach();
  return NULL;
}

/* The task makes the thread's first call of the library. */
static void *run_fresh_task(void *argument) {
  task *self = argument;
  self->body(self->argument);
  return NULL;
}

static void run_on_stack(size_t kilobytes, void *(*run)(void *), task t) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  if (pthread_attr_setstacksize(&attributes, kilobytes * KB) != 0) abort();
  pthread_t thread;
  if (pthread_create(&thread, &attributes, run, &t) != 0) abort();
  pthread_attr_destroy(&attributes);
  pthread_join(thread, NULL);
}

static inline void on_stack(size_t kilobytes, void (*body)(void *),
                            void *argument) {
  run_on_stack(kilobytes, run_task, (task){body, argument});
}
static inline void on_fresh_stack(size_t kilobytes, void (*body)(void *),
                                  void *argument) {
  run_on_stack(kilobytes, run_fresh_task, (task){body, argument});
}

/* Defines a test that runs on each size. */
#define ON_SMALL_STACKS(name)                                                  \
  static void name##_body(void *argument);                                     \
  TEST(name) {                                                                 \
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)                  \
      on_stack(sizes[i], name##_body, NULL);                                   \
  }                                                                            \
  static void name##_body(void *argument)

/* ---- Subscribers ----------------------------------------------------------------- */

typedef struct hearing {
  atomic_int nexts, errors, completions, destroyed;
  atomic_long code;
} hearing;

static void hear(void *context, rac_value value) {
  (void)value;
  atomic_fetch_add(&((hearing *)context)->nexts, 1);
}
static void hear_error(void *context, rac_value error) {
  hearing *self = context;
  atomic_store(&self->code, (long)rac_error_get_code(error));
  atomic_fetch_add(&self->errors, 1);
}
static void hear_end(void *context) {
  atomic_fetch_add(&((hearing *)context)->completions, 1);
}
static void hear_destroy(void *context) {
  atomic_fetch_add(&((hearing *)context)->destroyed, 1);
}
static inline rac_disposable *hear_signal(rac_signal *signal, hearing *self) {
  rac_observer observer = {sizeof observer, self,     hear,
                           hear_error,      hear_end, hear_destroy};
  return rac_subscribe(signal, &observer);
}

static inline rac_signal *chain_of(rac_signal *source, int length) {
  rac_signal *s = rac_retain(source);
  for (int i = 0; i < length; i++) APPLY(s, map, NULL, one_more, NULL);
  CHECK(s != NULL);
  return s;
}

#endif
