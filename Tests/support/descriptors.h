/* Descriptors of the process, counted, and the main scheduler run until something
 * has happened. */
#ifndef RAC_DESCRIPTORS_H
#define RAC_DESCRIPTORS_H

#include "check.h"

#include <dirent.h>
#include <unistd.h>

enum { LENT = RAC_DESCRIPTOR_LENT, OWNED = RAC_DESCRIPTOR_OWNED };

/* How many there are. */
static inline int open_descriptors(void) {
  DIR *list = opendir("/proc/self/fd");
  int count = -1; /* the list's own */
  struct dirent *entry;
  if (list == NULL) abort();
  while ((entry = readdir(list)) != NULL) count += entry->d_name[0] != '.';
  closedir(list);
  return count;
}

/* Gives up after a while. */
#define RUN_UNTIL(condition)                                                   \
  do {                                                                         \
    double run_limit = check_clock() + 20;                                     \
    while (!(condition) && check_clock() < run_limit) rac_main_run_for(0.01);  \
    if (!(condition)) check_fail(__FILE__, __LINE__, #condition);              \
  } while (0)

/* Long enough for what should not happen to happen. */
static inline void run_a_little(void) { rac_main_run_for(0.03); }

static inline void remember_error(void *context, rac_value error) {
  *(rac_value *)context = rac_value_retain(error);
}

/* The error that the signal ends with, owned. Takes over the reference. */
static inline rac_value error_of(rac_signal *signal) {
  rac_value error = rac_value_nil();
  rac_observer observer = RAC_OBSERVER_INIT;
  observer.context = &error;
  observer.error = remember_error;
  owned rac_disposable *subscription = rac_subscribe(signal, &observer);
  rac_release(signal);
  RUN_UNTIL(error.kind == RAC_ERROR);
  return error;
}

/* The error of a descriptor. */
static inline void check_system_error(const char *file, int line,
                                      rac_value error, int code) {
  if (strcmp(rac_error_get_domain(error), RAC_SYSTEM_ERROR_DOMAIN) != 0)
    check_fail(file, line, rac_error_get_domain(error));
  check_int(file, line, rac_error_get_message(error), rac_error_get_code(error),
            code);
}

static inline void write_text(int fd, const char *text) {
  ssize_t length = (ssize_t)strlen(text);
  if (write(fd, text, (size_t)length) != length) abort();
}

/* A pipe: [0] to read. */
static inline void make_pipe(int ends[2]) {
  if (pipe(ends) != 0) abort();
}

#endif
