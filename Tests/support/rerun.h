/* This program once more, in a process of its own: for what may not happen in
 * the one that runs the tests. */
#ifndef RAC_RERUN_H
#define RAC_RERUN_H

#include <stddef.h>

/* Runs one test of this program with `variable` set in its environment; how it
 * ended: the exit status, or minus the signal. Its output, errors included, is
 * in `text`, cut where that ends; with NULL the errors are shown. SIGALRM ends
 * a run that hangs. */
int rerun(const char *test, const char *variable, const char *value, char *text,
          size_t capacity);

#endif
