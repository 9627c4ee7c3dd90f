/* How each operator is called. What is not in this list, the differential test
 * does not know: Tests/differential/run.py compares with the header. */

#include "callbacks.h"

/* A row: the name after rac_signal_, and its arguments. */
#define S(i) node->signals[i]
#define P(i) node->parameters[i]
#define N(i) (size_t) P(i)
#define SECONDS(i) (double)P(i)
#define INTEGER(i) rac_int64(P(i))
/* A negative number stands for nil. */
#define VALUE(i) (P(i) < 0 ? rac_value_nil() : INTEGER(i))
#define CALL(function) know(node), function, forget
#define MARBLE(function) node->marble, function, free_marble
#define ALL node->signals, node->count

#define OPERATORS(ROW)                                                         \
  ROW(create, MARBLE(begin))                                                   \
  ROW(return, VALUE(0))                                                        \
  ROW(defer, CALL(the_signal))                                                 \
  ROW(from_factory, CALL(make_value))                                          \
  ROW(start_eagerly, virtual_time, MARBLE(start))                              \
  ROW(start_lazily, virtual_time, MARBLE(start))                               \
  ROW(interval, virtual_time, SECONDS(0))                                      \
  ROW(interval_with_leeway, virtual_time, SECONDS(0), SECONDS(1))              \
                                                                               \
  ROW(map, S(0), CALL(times_ten))                                              \
  ROW(map_replace, S(0), VALUE(0))                                             \
  ROW(filter, S(0), CALL(is_even))                                             \
  ROW(ignore_values, S(0))                                                     \
  ROW(ignore, S(0), VALUE(0))                                                  \
  ROW(scan, S(0), INTEGER(1), CALL(add))                                       \
  ROW(scan_with_index, S(0), INTEGER(1), CALL(add_indexed))                    \
  ROW(aggregate, S(0), INTEGER(1), CALL(add))                                  \
  ROW(aggregate_with_index, S(0), INTEGER(1), CALL(add_indexed))               \
  ROW(aggregate_with_factory, S(0), know(node), make_value, add, forget)       \
  ROW(combine_previous, S(0), VALUE(1), CALL(pair))                            \
  ROW(distinct_until_changed, S(0))                                            \
  ROW(take, S(0), N(0))                                                        \
  ROW(skip, S(0), N(0))                                                        \
  ROW(take_last, S(0), N(0))                                                   \
  ROW(take_until_block, S(0), CALL(is_above))                                  \
  ROW(take_while_block, S(0), CALL(is_above))                                  \
  ROW(skip_until_block, S(0), CALL(is_above))                                  \
  ROW(skip_while_block, S(0), CALL(is_above))                                  \
  ROW(start_with, S(0), VALUE(0))                                              \
  ROW(collect, S(0))                                                           \
  ROW(reduce_each, S(0), CALL(sum))                                            \
  ROW(materialize, S(0))                                                       \
  ROW(dematerialize, S(0))                                                     \
  ROW(try, S(0), CALL(attempt))                                                \
  ROW(try_map, S(0), CALL(times_ten))                                          \
  ROW(any, S(0), know(node), P(2) ? NULL : is_above, forget)                   \
  ROW(all, S(0), CALL(is_above))                                               \
  ROW(not, S(0))                                                               \
  ROW(and, S(0))                                                               \
  ROW(or, S(0))                                                                \
  ROW(do_next, S(0), CALL(called_with))                                        \
  ROW(do_error, S(0), CALL(called_with))                                       \
  ROW(do_completed, S(0), CALL(called))                                        \
  ROW(initially, S(0), CALL(called))                                           \
  ROW(finally, S(0), CALL(called))                                             \
  ROW(log_all, S(0))                                                           \
  ROW(log_next, S(0))                                                          \
  ROW(log_error, S(0))                                                         \
  ROW(log_completed, S(0))                                                     \
                                                                               \
  ROW(flatten_map, S(0), CALL(choose))                                         \
  ROW(bind, S(0), CALL(choose_or_stop))                                        \
  ROW(flatten, S(0), N(0))                                                     \
  ROW(switch_to_latest, S(0))                                                  \
  ROW(if, S(0), S(1), S(2))                                                    \
  ROW(group_by, S(0), know(node), key, P(1) ? times_ten : NULL, forget)        \
                                                                               \
  ROW(concat, S(0), S(1))                                                      \
  ROW(concat_all, ALL)                                                         \
  ROW(then, S(0), CALL(the_signal))                                            \
  ROW(merge, ALL)                                                              \
  ROW(merge_with, S(0), S(1))                                                  \
  ROW(zip, ALL)                                                                \
  ROW(zip_with, S(0), S(1))                                                    \
  ROW(zip_reduce, ALL, CALL(sum))                                              \
  ROW(combine_latest, ALL)                                                     \
  ROW(combine_latest_with, S(0), S(1))                                         \
  ROW(combine_latest_reduce, ALL, CALL(sum))                                   \
  ROW(take_until, S(0), S(1))                                                  \
  ROW(take_until_replacement, S(0), S(1))                                      \
  ROW(sample, S(0), S(1))                                                      \
  ROW(with_latest_from, S(0), S(1))                                            \
                                                                               \
  ROW(catch, S(0), CALL(choose))                                               \
  ROW(catch_to, S(0), S(1))                                                    \
  ROW(repeat, S(0))                                                            \
  ROW(retry, S(0), N(0))                                                       \
                                                                               \
  ROW(delay, S(0), SECONDS(0))                                                 \
  ROW(throttle, S(0), SECONDS(0))                                              \
  ROW(throttle_passing_test, S(0), SECONDS(1), CALL(is_even))                  \
  ROW(buffer_with_time, S(0), SECONDS(0), virtual_time)                        \
  ROW(timeout, S(0), SECONDS(0), virtual_time)                                 \
  ROW(deliver_on, S(0), virtual_time)                                          \
  ROW(deliver_on_main, S(0))                                                   \
  ROW(subscribe_on, S(0), virtual_time)                                        \
                                                                               \
  ROW(replay, S(0))                                                            \
  ROW(replay_last, S(0))                                                       \
  ROW(replay_lazily, S(0))

#define MAKE(name, ...)                                                        \
  static rac_signal *make_##name(struct node *node) {                          \
    (void)node;                                                                \
    return rac_signal_##name(__VA_ARGS__);                                     \
  }
OPERATORS(MAKE)

/* ---- What needs more than a call ----------------------------------------- */

static rac_signal *make_empty(struct node *node) {
  (void)node;
  return rac_signal_empty();
}
static rac_signal *make_never(struct node *node) {
  (void)node;
  return rac_signal_never();
}
static rac_signal *make_error(struct node *node) {
  rac_signal *signal = rac_signal_error(node->marble->events[0].value);
  free_marble(node->marble);
  return signal;
}

static rac_signal *make_switch(struct node *node) {
  rac_value keys[MAX_SIGNALS];
  size_t count = (size_t)P(0), first_case = 1;
  for (size_t i = 0; i < count; i++) keys[i] = rac_int64(P(1 + i));
  rac_signal *fallback =
      node->count > first_case + count ? S(first_case + count) : NULL;
  return rac_signal_switch(S(0), keys, &S(first_case), count, fallback);
}

/* The source of flatten and switch_to_latest: one of the other signals in place
 * of each value. */
static rac_signal *make_signals(struct node *node) {
  return rac_signal_map(S(0), CALL(as_signal_value));
}

static rac_signal *connected_later(rac_connection *connection) {
  connect_later(connection);
  return rac_connection_signal(connection);
}
static rac_signal *make_publish(struct node *node) {
  return connected_later(rac_signal_publish(S(0)));
}
/* Through a behavior subject for -1, else a replay subject so large. */
static rac_signal *make_multicast(struct node *node) {
  rac_subject *subject = P(0) < 0 ? rac_behavior_subject_create(rac_int64(9))
                                  : rac_replay_subject_create(N(0));
  rac_connection *connection = rac_signal_multicast(S(0), subject);
  rac_release(subject);
  return connected_later(connection);
}
static rac_signal *make_autoconnect(struct node *node) {
  rac_connection *connection = rac_signal_publish(S(0));
  rac_signal *signal = rac_connection_autoconnect(connection);
  rac_release(connection);
  return signal;
}

static rac_signal *make_same(struct node *node) {
  (void)node;
  return rac_retain(first_made);
}

typedef rac_signal *make_fn(struct node *node);
#define LINE(name, ...) {#name, make_##name},
static const struct {
  const char *name;
  make_fn *make;
} table[] = {{"empty", make_empty},         {"never", make_never},
             {"error", make_error},         {"from_values", make_values},
             {"switch", make_switch},       {"publish", make_publish},
             {"multicast", make_multicast}, {"autoconnect", make_autoconnect},
             {"signals", make_signals},     {"hot", make_hot},
             {"same", make_same},           OPERATORS(LINE)};

/* The name of a row; NULL behind the last one. */
RAC_API const char *player_operator(size_t number);
const char *player_operator(size_t number) {
  return number < sizeof table / sizeof table[0] ? table[number].name : NULL;
}

rac_signal *make(int64_t number, struct node *node) {
  return table[number].make(node);
}
