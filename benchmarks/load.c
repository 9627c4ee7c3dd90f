/* Prints the nanoseconds that dlopen takes in a fresh process.
 *
 *     load LIBRARY
 *
 * SPDX-License-Identifier: MIT
 */
#include <dlfcn.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>

static uint64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

int main(int argc, char **argv) {
  uint64_t start = now(), taken;
  void *library = argc == 2 ? dlopen(argv[1], RTLD_NOW) : NULL;
  taken = now() - start;
  if (library == NULL) {
    fprintf(stderr, "load: %s\n", argc == 2 ? dlerror() : "which library?");
    return 1;
  }
  printf("%" PRIu64 "\n", taken);
  return 0;
}
