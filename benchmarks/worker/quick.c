/* A short run of everything in the program, for the test that proves that it
 * works. Contestants of one program must agree on the sums.
 *
 * SPDX-License-Identifier: MIT
 */
#include "quick.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* A tick is a millisecond. */
enum { ARGUMENT = 2, EVENTS = 2000, TICKS = 50 };

static outcome run_once(const workload *work) {
  outcome out = {0};
  void *state = work->open(ARGUMENT);
  int ticks = strcmp(work->name, "timer-repeating") == 0;
  worker_measured(work, state, ticks ? TICKS : EVENTS, &out);
  work->close(state);
  return out;
}

static int agrees(const workload *work, const outcome *out) {
  const workload *other = worker_find(&contestants[0], work->name);
  outcome expected;
  if (other == NULL || other == work) return 1;
  expected = run_once(other);
  if (expected.n == out->n && expected.sum == out->sum) return 1;
  fprintf(stderr,
          "%s: %zu events with sum %" PRId64 ", not %zu with %" PRId64 "\n",
          work->name, out->n, out->sum, expected.n, expected.sum);
  return 0;
}

static int run_group(const char *who, const workload *work) {
  int failed = 0;
  for (; work->name != NULL; work++) {
    static const char *comma = "";
    outcome out = run_once(work);
    if (!agrees(work, &out)) failed = 1;
    printf("%s\n  {\"contestant\": \"%s\", \"name\": \"%s\", \"n\": %zu, "
           "\"ns\": %.3f, \"sum\": %" PRId64 "}",
           comma, who, work->name, out.n, (double)out.ns / (double)out.n,
           out.sum);
    comma = ",";
  }
  return failed;
}

int worker_quick(void) {
  const contestant *c;
  const workload *const *group;
  int failed = 0;
  printf("{\"workloads\": [");
  for (c = contestants; c->name != NULL; c++)
    for (group = c->groups; *group != NULL; group++)
      failed |= run_group(c->name, *group);
  puts("\n]}");
  return failed;
}
