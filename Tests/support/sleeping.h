/* Waiting until another thread sleeps, and has for a while. */
#ifndef RAC_SLEEPING_H
#define RAC_SLEEPING_H

#include <poll.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* The thread's number, once it is about to fall asleep. */
static atomic_int sleeper;

static inline bool is_asleep(void) {
  char path[64], state = 0;
  snprintf(path, sizeof path, "/proc/self/task/%d/stat", atomic_load(&sleeper));
  FILE *file = fopen(path, "r");
  if (file == NULL) return false;
  if (fscanf(file, "%*d (%*[^)]) %c", &state) != 1) state = 0;
  fclose(file);
  return state == 'S';
}

/* It has been asleep for a while, and not only held up on its way. */
static inline void let_it_sleep(void) {
  for (int looks = 0; looks < 10; looks++) {
    if (!is_asleep()) looks = 0;
    poll(NULL, 0, 5);
  }
}

#endif
