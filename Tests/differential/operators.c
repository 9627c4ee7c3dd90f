/* How each operator is called: as Tests/operators/operators.def says, or as it
 * is written here. What is in neither, the differential test does not know:
 * run.py compares with the header. */

#include "../support/room.h"
#include "callbacks.h"

#define S(i) node->signals[i]
#define P(i) node->parameters[i]
/* An operator's own number comes after what its callback goes by. */
#define LAST node->parameters[node->parameter_count - 1]
#define NOTHING_IF(flag, function) (flag) ? NULL : function

/* A negative number stands for nil. */
static rac_value value_of(int64_t number) {
  return number < 0 ? rac_value_nil() : rac_int64(number);
}

/* ---- What switch chooses from --------------------------------------------- */

static const rac_value *keys(const struct node *node) {
  static rac_value keys[MAX_PARAMETERS];
  for (int64_t i = 0; i < P(0); i++) keys[i] = rac_int64(P(1 + i));
  return keys;
}
static rac_signal *fallback(const struct node *node) {
  size_t cases = (size_t)P(0);
  return node->count > 1 + cases ? S(1 + cases) : NULL;
}

/* ---- Operators ------------------------------------------------------------- */

#define SIGNAL_OPERATOR(name, result, ...)                                     \
  static rac_signal *make_##name(struct node *node) {                          \
    return rac_signal_##name(__VA_ARGS__);                                     \
  }
#define SHARING_OPERATOR(...) SIGNAL_OPERATOR(__VA_ARGS__)
#define SOURCE S(0)
#define OTHER S(1)
#define ANOTHER S(2)
#define LIST node->signals, node->count
#define CASES keys(node), &S(1), (size_t)P(0), fallback(node)
#define VALUE(n) value_of(LAST)
#define COUNT(n) (size_t) LAST
#define SIZE(n) (size_t) P(0)
#define STATE(n) n
#define SECOND_SIZE(n) (size_t) P(1)
#define CHOICE(c) (int32_t) P(1)
#define SECONDS(n) (double)LAST
#define FIRST_SECONDS(n) (double)P(0)
#define MORE_SECONDS(n) (double)(P(0) + P(1))
#define CLOCK virtual_time
#define ROOM room
#define FUNCTION(type, f) know(node), f, forget
#define OPTIONAL(type, f) know(node), NOTHING_IF(LAST, f), forget
#define FUNCTIONS(type, f, type2, g) know(node), f, g, forget
#define FUNCTION_AND_OPTIONAL(type, f, type2, g)                               \
  know(node), f, NOTHING_IF(LAST, g), forget
#include "../operators/operators.def"

/* ---- Sources --------------------------------------------------------------- */

#define SOURCES(ROW)                                                           \
  ROW(create, node->marble, begin, free_marble)                                \
  ROW(return, value_of(P(0)))                                                  \
  ROW(defer, know(node), the_signal, forget)                                   \
  ROW(from_factory, know(node), make_value, forget)                            \
  ROW(using, know(node), acquire, use_signal, called_with, forget)             \
  ROW(start_eagerly, virtual_time, node->marble, start, free_marble)           \
  ROW(start_lazily, virtual_time, node->marble, start, free_marble)            \
  ROW(interval, (double)P(0), virtual_time)                                    \
  ROW(interval_with_leeway, (double)P(0), (double)P(1), virtual_time)

#define MAKE(name, ...)                                                        \
  static rac_signal *make_##name(struct node *node) {                          \
    return rac_signal_##name(__VA_ARGS__);                                     \
  }
SOURCES(MAKE)

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

/* The source of flatten and switch_to_latest: one of the other signals in place
 * of each value. */
static rac_signal *make_signals(struct node *node) {
  return rac_signal_map(S(0), know(node), as_signal_value, forget);
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
                                  : rac_replay_subject_create((size_t)P(0));
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
} table[] = {
#define SIGNAL_OPERATOR(...) LINE(__VA_ARGS__)
#define SHARING_OPERATOR(...) LINE(__VA_ARGS__)
#include "../operators/operators.def"
    SOURCES(LINE){"empty", make_empty},
    {"never", make_never},
    {"error", make_error},
    {"from_values", make_values},
    {"publish", make_publish},
    {"multicast", make_multicast},
    {"autoconnect", make_autoconnect},
    {"signals", make_signals},
    {"hot", make_hot},
    {"same", make_same},
};

/* The name of a row; NULL behind the last one. */
RAC_API const char *player_operator(size_t number);
const char *player_operator(size_t number) {
  return number < sizeof table / sizeof table[0] ? table[number].name : NULL;
}

rac_signal *make(int64_t number, struct node *node) {
  return table[number].make(node);
}
