#define _GNU_SOURCE
#include "CReactive.h"

#include <pthread.h>
#include <unistd.h>

static __thread void *word;
uint32_t reactive_registered_classes[2];

void **reactive_thread_word(void) { return &word; }

bool reactive_is_first_thread(void) {
#ifdef __APPLE__
  return pthread_main_np();
#else
  static __thread int8_t answer;
  if (!answer) answer = gettid() == getpid() ? 1 : -1;
  return answer > 0;
#endif
}

void reactive_set_object_class(uint32_t number) {
  __atomic_store_n(&reactive_registered_classes[0], number, __ATOMIC_RELAXED);
}

void reactive_set_box_class(uint32_t number) {
  __atomic_store_n(&reactive_registered_classes[1], number, __ATOMIC_RELAXED);
}
