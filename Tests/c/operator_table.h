/* Every operator that takes a source, as a function that applies it. */
#ifndef RAC_OPERATOR_TABLE_H
#define RAC_OPERATOR_TABLE_H

#include "operators.h"

/* The clock of the operators that wait; the program makes both. */
static rac_scheduler *v, *standing;

/* What the operators' callbacks do besides; NULL: nothing. */
static void (*in_callback)(void);

static void touched(void *context) {
  (void)context_target(context);
  if (in_callback != NULL) in_callback();
}

static rac_status inner_signal(void *context, rac_value value,
                               rac_signal **out) {
  touched(context);
  *out = rac_signal_return(value);
  return RAC_OK;
}
static rac_status bound_signal(void *context, rac_value value, bool *stop,
                               rac_signal **out) {
  (void)stop;
  return inner_signal(context, value, out);
}
static rac_status always(void *context, rac_value value, bool *out) {
  (void)value;
  touched(context);
  *out = true;
  return RAC_OK;
}
static void on_value(void *context, rac_value value) {
  (void)value;
  touched(context);
}
static void on_event(void *context) { touched(context); }
static rac_status same(void *context, rac_value value, rac_value *out) {
  touched(context);
  *out = rac_value_retain(value);
  return RAC_OK;
}
static rac_status last_of(void *context, rac_value running, rac_value next,
                          rac_value *out) {
  (void)running;
  return same(context, next, out);
}

static rac_status last_with_index(void *context, rac_value running,
                                  rac_value next, size_t index,
                                  rac_value *out) {
  (void)index;
  return last_of(context, running, next, out);
}
static rac_status nothing(void *context, rac_value *out) {
  touched(context);
  *out = rac_value_nil();
  return RAC_OK;
}
static rac_status first_of(void *context, const rac_value *elements,
                           size_t count, rac_value *out) {
  (void)count;
  return same(context, elements[0], out);
}
static rac_status never_again(void *context, rac_signal **out) {
  touched(context);
  *out = rac_signal_never();
  return RAC_OK;
}
static rac_status no(void *context, rac_value value, bool *out) {
  (void)value;
  touched(context);
  *out = false;
  return RAC_OK;
}

static rac_status accept(void *context, rac_value value) {
  (void)value;
  touched(context);
  return RAC_OK;
}

/* Builds the operator with another signal that is given along. */
typedef rac_signal *(*build_fn)(rac_signal *source, rac_signal *other);

#define OPERATOR(name, ...)                                                    \
  static rac_signal *build_##name(rac_signal *s, rac_signal *other) {          \
    (void)other;                                                               \
    return rac_signal_##name(__VA_ARGS__);                                     \
  }
OPERATOR(bind, s, CALLBACK(bound_signal))
OPERATOR(map, s, CALLBACK(same))
OPERATOR(map_replace, s, I(1))
OPERATOR(flatten_map, s, CALLBACK(inner_signal))
OPERATOR(filter, s, CALLBACK(always))
OPERATOR(ignore_values, s)
OPERATOR(concat, s, other)
OPERATOR(zip_with, s, other)
OPERATOR(merge_with, s, other)
OPERATOR(combine_latest_with, s, other)
OPERATOR(start_with, s, I(0))
OPERATOR(take, s, 100)
OPERATOR(skip, s, 0)
OPERATOR(do_next, s, CALLBACK(on_value))
OPERATOR(do_error, s, CALLBACK(on_value))
OPERATOR(do_completed, s, CALLBACK(on_event))
OPERATOR(initially, s, CALLBACK(on_event))
OPERATOR(finally, s, CALLBACK(on_event))
OPERATOR(catch, s, CALLBACK(inner_signal))
OPERATOR(catch_to, s, other)
OPERATOR(delay, s, 1)
OPERATOR(throttle, s, 1)
OPERATOR(deliver_on, s, v)
OPERATOR(subscribe_on, s, v)
OPERATOR(group_by, s, context_new(NULL, NULL), same, same, context_destroy)
OPERATOR(scan, s, I(0), CALLBACK(last_of))
OPERATOR(take_until, s, other)
OPERATOR(distinct_until_changed, s)
OPERATOR(repeat, s)
OPERATOR(retry, s, 2)
OPERATOR(collect, s)
OPERATOR(log_all, s)
OPERATOR(scan_with_index, s, I(0), CALLBACK(last_with_index))
OPERATOR(aggregate, s, I(0), CALLBACK(last_of))
OPERATOR(aggregate_with_index, s, I(0), CALLBACK(last_with_index))
OPERATOR(aggregate_with_factory, s, context_new(NULL, NULL), nothing, last_of,
         context_destroy)
OPERATOR(combine_previous, s, I(0), CALLBACK(last_of))
OPERATOR(take_until_block, s, CALLBACK(no))
OPERATOR(take_while_block, s, CALLBACK(always))
OPERATOR(skip_until_block, s, CALLBACK(always))
OPERATOR(skip_while_block, s, CALLBACK(no))
OPERATOR(take_last, s, 2)
OPERATOR(ignore, s, I(2))
OPERATOR(combine_latest_reduce, (rac_signal *const[]){s, other}, 2,
         CALLBACK(first_of))
OPERATOR(zip_reduce, (rac_signal *const[]){s, other}, 2, CALLBACK(first_of))
OPERATOR(then, s, CALLBACK(never_again))
OPERATOR(materialize, s)
OPERATOR(try, s, CALLBACK(accept))
OPERATOR(try_map, s, CALLBACK(same))
OPERATOR(any, s, CALLBACK(no))
OPERATOR(all, s, CALLBACK(always))
OPERATOR(not, s)
OPERATOR(take_until_replacement, s, other)
OPERATOR(if, s, other, other)
OPERATOR(throttle_passing_test, s, 1, CALLBACK(always))
OPERATOR(buffer_with_time, s, 1, v)
OPERATOR(sample, s, other)
OPERATOR(with_latest_from, s, other)
OPERATOR(deliver_on_main, s)
OPERATOR(log_next, s)
OPERATOR(log_error, s)
OPERATOR(log_completed, s)

/* A source of signals for these two. */
static rac_signal *build_flatten(rac_signal *s, rac_signal *other) {
  (void)other;
  rac_signal *signals = rac_signal_map_replace(s, rac_value_nil());
  rac_assign((void **)&signals, rac_signal_flatten(signals, 1));
  return signals;
}
static rac_signal *build_switch(rac_signal *s, rac_signal *other) {
  (void)other;
  rac_signal *signals = rac_signal_map_replace(s, rac_value_nil());
  rac_assign((void **)&signals, rac_signal_switch_to_latest(signals));
  return signals;
}

/* These want tuples and events. */
static rac_signal *build_reduce_each(rac_signal *s, rac_signal *other) {
  rac_signal *tuples = rac_signal_combine_latest(&s, 1);
  (void)other;
  APPLY(tuples, reduce_each, CALLBACK(first_of));
  return tuples;
}
/* On a clock that stands still. */
static rac_signal *build_timeout(rac_signal *s, rac_signal *other) {
  (void)other;
  return rac_signal_timeout(s, 1e6, standing);
}
static rac_signal *build_and(rac_signal *s, rac_signal *other) {
  rac_signal *tuples = rac_signal_combine_latest(&s, 1);
  (void)other;
  APPLY0(tuples, and);
  return tuples;
}
static rac_signal *build_or(rac_signal *s, rac_signal *other) {
  rac_signal *tuples = rac_signal_combine_latest(&s, 1);
  (void)other;
  APPLY0(tuples, or);
  return tuples;
}
static rac_signal *build_switch_keys(rac_signal *s, rac_signal *other) {
  return rac_signal_switch(s, &(rac_value){RAC_INT64, 0, 0, 0, 1}, &other, 1,
                           other);
}
static rac_signal *build_dematerialize(rac_signal *s, rac_signal *other) {
  rac_signal *events = rac_signal_materialize(s);
  (void)other;
  APPLY0(events, dematerialize);
  return events;
}

enum { ERROR_ENDS = 1 };

static const struct {
  const char *name;
  build_fn build;
  unsigned traits;
} operators[] = {
#define ROW(name, traits) {#name, build_##name, traits}
    ROW(bind, ERROR_ENDS),
    ROW(map, ERROR_ENDS),
    ROW(map_replace, ERROR_ENDS),
    ROW(flatten_map, ERROR_ENDS),
    ROW(flatten, ERROR_ENDS),
    ROW(switch, ERROR_ENDS),
    ROW(filter, ERROR_ENDS),
    ROW(ignore_values, ERROR_ENDS),
    ROW(concat, ERROR_ENDS),
    ROW(zip_with, ERROR_ENDS),
    ROW(merge_with, ERROR_ENDS),
    ROW(combine_latest_with, ERROR_ENDS),
    ROW(start_with, ERROR_ENDS),
    ROW(take, ERROR_ENDS),
    ROW(skip, ERROR_ENDS),
    ROW(do_next, ERROR_ENDS),
    ROW(do_error, ERROR_ENDS),
    ROW(do_completed, ERROR_ENDS),
    ROW(initially, ERROR_ENDS),
    ROW(finally, ERROR_ENDS),
    ROW(catch, 0),
    ROW(catch_to, 0),
    ROW(delay, ERROR_ENDS),
    ROW(throttle, ERROR_ENDS),
    ROW(deliver_on, ERROR_ENDS),
    ROW(subscribe_on, ERROR_ENDS),
    ROW(group_by, ERROR_ENDS),
    ROW(scan, ERROR_ENDS),
    ROW(take_until, ERROR_ENDS),
    ROW(distinct_until_changed, ERROR_ENDS),
    ROW(repeat, ERROR_ENDS),
    ROW(retry, 0),
    ROW(collect, ERROR_ENDS),
    ROW(log_all, ERROR_ENDS),
    ROW(scan_with_index, ERROR_ENDS),
    ROW(aggregate, ERROR_ENDS),
    ROW(aggregate_with_index, ERROR_ENDS),
    ROW(aggregate_with_factory, ERROR_ENDS),
    ROW(combine_previous, ERROR_ENDS),
    ROW(reduce_each, ERROR_ENDS),
    ROW(take_until_block, ERROR_ENDS),
    ROW(take_while_block, ERROR_ENDS),
    ROW(skip_until_block, ERROR_ENDS),
    ROW(skip_while_block, ERROR_ENDS),
    ROW(take_last, ERROR_ENDS),
    ROW(ignore, ERROR_ENDS),
    ROW(combine_latest_reduce, ERROR_ENDS),
    ROW(zip_reduce, ERROR_ENDS),
    ROW(then, ERROR_ENDS),
    ROW(materialize, 0),
    ROW(dematerialize, ERROR_ENDS),
    ROW(try, ERROR_ENDS),
    ROW(try_map, ERROR_ENDS),
    ROW(any, 0),
    ROW(all, 0),
    ROW(not, ERROR_ENDS),
    ROW(and, ERROR_ENDS),
    ROW(or, ERROR_ENDS),
    ROW(take_until_replacement, ERROR_ENDS),
    ROW(if, ERROR_ENDS),
    ROW(switch_keys, ERROR_ENDS),
    ROW(throttle_passing_test, ERROR_ENDS),
    ROW(buffer_with_time, ERROR_ENDS),
    ROW(sample, ERROR_ENDS),
    ROW(with_latest_from, ERROR_ENDS),
    ROW(timeout, ERROR_ENDS),
    ROW(deliver_on_main, ERROR_ENDS),
    ROW(log_next, ERROR_ENDS),
    ROW(log_error, ERROR_ENDS),
    ROW(log_completed, ERROR_ENDS),
};
enum { OPERATORS = sizeof operators / sizeof *operators };

#endif
