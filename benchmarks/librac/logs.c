/* The job: portions of a log become lines, those of DEBUG are dropped, the
 * service of each is a text of its own, and so many of a service are counted.
 *
 * SPDX-License-Identifier: MIT
 */
#include "../worker/logs.h"
#include "rac_bench.h"

#include <stdbool.h>
#include <stdlib.h>

static const char *line_of(rac_value value, size_t *size) {
  const void *line = NULL;
  rac_value_get_bytes(value, &line, size);
  return line;
}

static rac_status is_wanted(void *context, rac_value line, bool *out) {
  size_t size = 0;
  const char *text = line_of(line, &size);
  (void)context;
  *out = logs_is_wanted(text, size) != 0;
  return RAC_OK;
}

static rac_status service(void *context, rac_value line, rac_value *out) {
  size_t size = 0;
  const char *text = line_of(line, &size);
  (void)context;
  text = logs_service(text, size, &size);
  *out = rac_value_string_copy(text, size);
  return RAC_OK;
}

static rac_status same(void *context, rac_value value, rac_value *out) {
  (void)context;
  *out = rac_value_retain(value);
  return RAC_OK;
}

static rac_status counted(void *context, rac_value window, rac_signal **out) {
  rac_signal *signal = rac_value_to_signal(window);
  (void)context;
  *out = rac_signal_count(signal);
  rac_release(signal);
  return *out == NULL ? RAC_EUSER : RAC_OK;
}

static rac_status windows(void *context, rac_value group, rac_signal **out) {
  rac_signal *signal = rac_value_to_signal(group);
  (void)context;
  RAC_ASSIGN(signal,
             rac_signal_window_with_count(signal, LOGS_WINDOW, LOGS_WINDOW));
  *out = rac_signal_flatten_map(signal, NULL, counted, NULL);
  rac_release(signal);
  return *out == NULL ? RAC_EUSER : RAC_OK;
}

static rac_signal *job(rac_subject *portions) {
  rac_signal *s = rac_signal_split_by_delimiter(rac_subject_as_signal(portions),
                                                rac_value_string("\n"), 0);
  RAC_ASSIGN(s, rac_signal_filter(s, NULL, is_wanted, NULL));
  RAC_ASSIGN(s, rac_signal_map(s, NULL, service, NULL));
  RAC_ASSIGN(s, rac_signal_group_by(s, NULL, same, NULL, NULL));
  RAC_ASSIGN(s, rac_signal_flatten_map(s, NULL, windows, NULL));
  return rac_bench_handle(s);
}

static void run_job(void *state, size_t n, outcome *out) {
  const logs_portion *portions = logs_portions();
  rac_subject *subject = rac_bench_handle(rac_subject_create());
  rac_signal *signal = job(subject);
  int64_t sum = 0;
  size_t round, i;
  uint64_t start;
  (void)state;
  rac_bench_listen(signal, &sum);
  start = worker_now();
  for (round = 0; round < logs_rounds(n); round++)
    for (i = 0; i < LOGS_PORTIONS; i++)
      rac_subject_send(
          subject, rac_value_bytes_view(portions[i].text, portions[i].size));
  rac_subject_send_completed(subject);
  out->ns = worker_now() - start;
  out->n = logs_rounds(n) * LOGS_LINES;
  out->sum = sum;
  rac_release(signal);
  rac_release(subject);
}

/* The log is written here: its lines are not counted. */
static void *open_job(size_t argument) {
  (void)argument;
  logs_portions();
  return NULL;
}

const workload rac_log_workloads[] = {{"job", open_job, run_job, free},
                                      {NULL, NULL, NULL, NULL}};
