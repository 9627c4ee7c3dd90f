/* Every function that makes something, as one that calls it, and what they are
 * made of. */
#ifndef RAC_CREATION_TABLE_H
#define RAC_CREATION_TABLE_H

#include "operator_table.h"

#include <sys/socket.h>
#include <unistd.h>

/* ---- What there is to begin with ------------------------------------------ */

enum { MANY = 40 };

static rac_subject *subject, *another;
static rac_signal *signals[MANY], *returning, *created;
static rac_scheduler *background, *hosted;
static int datagrams[2];
static int ends[2]; /* of a pipe */
static rac_connection *connection;
static rac_property *number, *text, *properties[MANY];
static rac_sequence *numbers, *sequences[MANY];
static rac_command *command;
static rac_disposable *disposable, *serial;
static rac_value signal_value, sequence_value, tuple_value, long_text;
static rac_subscriber *subscriber;

static rac_status keep_subscriber(void *context, rac_subscriber *lent,
                                  rac_disposable **out) {
  (void)context, (void)out;
  subscriber = rac_retain(lent);
  return RAC_OK;
}
static rac_status send_and_end(void *context, rac_subscriber *lent,
                               rac_disposable **out) {
  touched(context);
  (void)out;
  rac_subscriber_send(lent, I(1));
  rac_subscriber_send_completed(lent);
  return RAC_OK;
}
static rac_status send_and_start(void *context, rac_subscriber *lent) {
  return send_and_end(context, lent, NULL);
}
static rac_status make_signal(void *context, rac_signal **out) {
  touched(context);
  *out = rac_retain(returning);
  return RAC_OK;
}
static rac_status execute(void *context, rac_value input, rac_signal **out) {
  (void)input;
  return make_signal(context, out);
}
static rac_status get_number(void *context, rac_value *out) {
  touched(context);
  *out = I(1);
  return RAC_OK;
}
static rac_status set_number(void *context, rac_value value) {
  (void)value;
  touched(context);
  return RAC_OK;
}
static void run_again(void *context, rac_recursion *recursion) {
  (void)recursion;
  touched(context);
}
static void ask_host(void *context, rac_scheduler *scheduler) {
  (void)scheduler;
  touched(context);
}
static rac_status no_tail(void *context, rac_sequence **out) {
  touched(context);
  *out = rac_sequence_empty();
  return RAC_OK;
}
static rac_status generate(void *context, rac_value state, rac_value *value,
                           rac_value *next) {
  touched(context);
  *value = *next = I(state.bits + 1);
  return RAC_OK;
}
static void set_up(void) {
  if (pipe(ends) != 0) abort();
  if (socketpair(AF_UNIX, SOCK_DGRAM, 0, datagrams) != 0) abort();
  v = rac_scheduler_virtual();
  standing = rac_scheduler_virtual();
  background = rac_scheduler_background(0, NULL);
  hosted = rac_scheduler_over_queue(NULL, CALLBACK(ask_host));
  subject = rac_subject_create();
  another = rac_subject_create();
  returning = rac_signal_return(I(1));
  created = rac_signal_create(CALLBACK(send_and_end));
  connection = rac_signal_publish(as_signal(subject));
  number = rac_property_create(I(1), 0);
  text = rac_property_create(S("text"), 0);
  numbers = rac_sequence_range(1, 1, 3);
  command = rac_command_create(NULL, v, CALLBACK(execute));
  disposable = rac_disposable_create(NULL, NULL, NULL);
  rac_dispose(
      disposable); /* so that it can be disposed as often as one likes */
  serial = rac_serial_disposable_create();
  rac_serial_disposable_set(serial, disposable);
  signal_value = rac_value_signal(returning);
  sequence_value = rac_value_sequence(numbers);
  static char letters[2000];
  memset(letters, 'a', sizeof letters);
  long_text = rac_value_string_copy(letters, sizeof letters);
  tuple_value = rac_value_tuple(&long_text, 1);
  for (int i = 0; i < MANY; i++) {
    signals[i] = as_signal(subject);
    properties[i] = number;
    sequences[i] = numbers;
  }
  rac_signal *open = rac_signal_create(NULL, keep_subscriber, NULL);
  rac_release(rac_subscribe_next(open, NULL, NULL, NULL));
  rac_release(open);
  /* So that every thread is there. */
  int contexts = context_count();
  uint64_t objects = rac_live_objects();
  rac_release(rac_schedule_after(background, 0, CALLBACK(standard_called)));
  WAIT_UNTIL(rac_live_objects() == objects && context_count() == contexts);
}

static void tear_down(void) {
  close(datagrams[0]);
  close(datagrams[1]);
  close(ends[0]);
  close(ends[1]);
  rac_virtual_step_all(v);
  void *all[] = {v,          standing, background, hosted,    subject, another,
                 returning,  created,  connection, number,    text,    numbers,
                 disposable, serial,   command,    subscriber};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) rac_release(all[i]);
  rac_value_release(signal_value);
  rac_value_release(sequence_value);
  rac_value_release(tuple_value);
  rac_value_release(long_text);
}

/* ---- What is made of it ----------------------------------------------------- */

/* Which function of the header it is that a line makes something with. */
typedef struct creation {
  const char *name;
  const char *function;
  void *(*make)(void);
} creation;

#define MAKE(name, ...)                                                        \
  static void *make_##name(void) { return rac_##name(__VA_ARGS__); }
/* Another way to call the same function. */
#define MAKE_AS(as, name, ...)                                                 \
  static void *make_##as(void) { return rac_##name(__VA_ARGS__); }

#define CREATIONS(X)                                                           \
  X(signal_create, CALLBACK(send_and_end))                                     \
  X(signal_create_bounded, room, CALLBACK(send_and_end))                       \
  X(bound_create, 5, RAC_BOUND_WAIT)                                           \
  X(counter_create, "orders")                                                  \
  X(subject_create_bounded, room)                                              \
  X(signal_empty, )                                                            \
  X(signal_return, I(1))                                                       \
  X(signal_error, rac_value_nil())                                             \
  X(signal_never, )                                                            \
  X(signal_defer, CALLBACK(make_signal))                                       \
  X(signal_from_factory, CALLBACK(get_number))                                 \
  X(signal_using, context_new(NULL, NULL), standard_make_value,                \
    standard_choose, standard_called_with, context_destroy)                    \
  X(signal_from_values, &long_text, 1)                                         \
  X(signal_start_eagerly, v, CALLBACK(send_and_start))                         \
  X(signal_start_lazily, v, CALLBACK(send_and_start))                          \
  X(signal_interval, 1, v)                                                     \
  X(signal_interval_with_leeway, 1, 1, v)                                      \
  X(signal_readable, ends[0], RAC_DESCRIPTOR_LENT, NULL)                       \
  X(signal_writable, ends[1], RAC_DESCRIPTOR_LENT, NULL)                       \
  X(signal_chunks, ends[0], RAC_DESCRIPTOR_LENT, 0, NULL)                      \
  X(signal_lines, ends[0], RAC_DESCRIPTOR_LENT, 0, background)                 \
  X(signal_write, created, ends[1], RAC_DESCRIPTOR_LENT, NULL, NULL)           \
  X(signal_split_by_delimiter, created, S(";"), 0)                             \
  X(signal_split_by_length, created, 1, false, 0)                              \
  X(signal_split_by, created, context_new(NULL, NULL), standard_times_ten, 0,  \
    context_destroy)                                                           \
  X(signal_add_delimiter, created, S(";"), 0)                                  \
  X(signal_add_length, created, 1, false, 0)                                   \
  X(signal_connect, "127.0.0.1:1", -1, NULL)                                   \
  X(signal_listen, "unix:@rac-creation", 0, subject, background)               \
  X(signal_datagrams, datagrams[0], RAC_DESCRIPTOR_LENT, 0, NULL)              \
  X(signal_posix_signal, 10, NULL)                                             \
  X(signal_child_exit, 1, NULL)                                                \
  X(signal_spawn, (const char *[]){"true", NULL}, NULL, NULL, NULL, 0, 1,      \
    NULL)                                                                      \
  X(signal_at_time, 1, NULL)                                                   \
  X(signal_at_times, 1, 0, RAC_CLOCK_LOCAL, NULL)                              \
  X(signal_file_changes, "/", 0, NULL)                                         \
  X(signal_tail, "/tmp/none", RAC_TAIL_END, true, 0, NULL)                     \
  X(signal_concat_all, signals, MANY)                                          \
  X(signal_merge, signals, MANY)                                               \
  X(signal_combine_latest, signals, MANY)                                      \
  X(signal_zip, signals, MANY)                                                 \
  X(signal_publish, as_signal(subject))                                        \
  X(signal_multicast, created, another)                                        \
  X(signal_replay, created)                                                    \
  X(signal_replay_last, created)                                               \
  X(signal_replay_lazily, as_signal(subject))                                  \
  X(connection_signal, connection)                                             \
  X(connection_connect, connection)                                            \
  X(connection_autoconnect, connection)                                        \
  X(value_to_signal, signal_value)                                             \
  X(subject_create, )                                                          \
  X(behavior_subject_create, S("text"))                                        \
  X(replay_subject_create, SIZE_MAX)                                           \
  X(scheduler_background, 0, "name")                                           \
  X(scheduler_virtual, )                                                       \
  X(scheduler_over_queue, "name", CALLBACK(ask_host))                          \
  X(schedule, v, CALLBACK(standard_called))                                    \
  X(schedule_after, v, 1, CALLBACK(standard_called))                           \
  X(schedule_repeating, v, 1, 1, 0, CALLBACK(standard_called))                 \
  X(schedule_recursive, v, CALLBACK(run_again))                                \
  X(disposable_create, CALLBACK(standard_called))                              \
  X(compound_disposable_create, )                                              \
  X(serial_disposable_create, )                                                \
  X(serial_disposable_swap, serial, disposable)                                \
  X(serial_disposable_current, serial)                                         \
  X(scoped_disposable_create, disposable)                                      \
  X(subscribe_next, as_signal(subject), CALLBACK(standard_called_with))        \
  X(subscribe_subscriber, as_signal(subject), (rac_subscriber *)another)       \
  X(property_create, I(1), 0)                                                  \
  X(property_create_bounded, I(1), 0, room)                                    \
  X(property_create_adapter, 0, context_new(NULL, NULL), get_number,           \
    set_number, context_destroy)                                               \
  X(property_changes, number)                                                  \
  X(property_bind, text, as_signal(subject), rac_value_nil())                  \
  X(property_map, number, 0, CALLBACK(standard_key))                           \
  X(property_combine_latest, properties, MANY, 0, CALLBACK(standard_sum))      \
  X(property_terminal, number, I(0))                                           \
  X(property_bind_two_way, number, text)                                       \
  X(property_bind_two_way_map, number, text, context_new(NULL, NULL),          \
    standard_key, standard_key, context_destroy)                               \
  X(channel_create, )                                                          \
  X(command_create, as_signal(subject), v, CALLBACK(execute))                  \
  X(command_execute, command, I(1))                                            \
  X(command_execution_signals, command)                                        \
  X(command_executing, command)                                                \
  X(command_enabled, command)                                                  \
  X(command_errors, command)                                                   \
  X(sequence_empty, )                                                          \
  X(sequence_return, I(1))                                                     \
  X(sequence_from_values, &long_text, 1)                                       \
  X(sequence_from_elements, S("text"))                                         \
  X(sequence_range, 1, 1, 3)                                                   \
  X(sequence_create, context_new(NULL, NULL), get_number, no_tail,             \
    context_destroy)                                                           \
  X(sequence_generate, I(1), CALLBACK(generate))                               \
  X(sequence_from_signal, as_signal(subject), 0, room)                         \
  X(sequence_signal, numbers, v)                                               \
  X(value_to_sequence, sequence_value)                                         \
  X(sequence_iterate, numbers)

/* Another way to call one of them. */
#define MORE_CREATIONS(X)                                                      \
  X(create_a_text, property_create, long_text, 0)                              \
  X(schedule_on_main, schedule_after, rac_scheduler_main(), 0,                 \
    CALLBACK(standard_called))                                                 \
  X(schedule_in_background, schedule_after, background, 0,                     \
    CALLBACK(standard_called))                                                 \
  X(schedule_at_once, schedule, rac_scheduler_immediate(),                     \
    CALLBACK(standard_called))                                                 \
  X(schedule_with_host, schedule_after, hosted, 3600,                          \
    CALLBACK(standard_called))                                                 \
  X(subscribe_to_created, subscribe_next, created,                             \
    CALLBACK(standard_called_with))                                            \
  X(bind_created, property_bind, text, created, rac_value_nil())               \
  X(command_in_background, command_create, NULL, background, CALLBACK(execute))

CREATIONS(MAKE)
MORE_CREATIONS(MAKE_AS)

#define SEQUENCE_OPERATOR(name, result, ...) MAKE(sequence_##name, __VA_ARGS__)
#define SOURCE numbers
#define OTHER numbers
#define LIST sequences, MANY
#define VALUE(n) I(n)
#define COUNT(n) n
#define FUNCTION(type, f) CALLBACK(standard_##f)
#define FUNCTIONS(type, f, type2, g)                                           \
  context_new(NULL, NULL), standard_##f, standard_##g, context_destroy
#include "../operators/operators.def"

static rac_observer standard_observer(void) {
  return rac_observer_init(context_new(NULL, NULL), standard_called_with,
                           standard_called_with, standard_called,
                           context_destroy);
}
static void *make_subscribe(void) {
  rac_observer observer = standard_observer();
  return rac_subscribe(as_signal(subject), &observer);
}
static void *make_subscribe_inline(void) {
  rac_observer observer = standard_observer();
  return rac_subscribe_inline(as_signal(subject), &observer, v);
}
static void on_values(void *context, const rac_value *values, size_t count) {
  (void)values, (void)count;
  touched(context);
}
static void *make_subscribe_batches(void) {
  rac_batch_observer observer = RAC_BATCH_OBSERVER_INIT;
  observer.context = context_new(NULL, NULL);
  observer.next_values = on_values;
  observer.destroy = context_destroy;
  return rac_subscribe_batches(as_signal(subject), 4, 1, v, &observer);
}
static void *make_signal_switch(void) {
  rac_value keys[MANY];
  for (int i = 0; i < MANY; i++) keys[i] = I(i);
  return rac_signal_switch(as_signal(subject), keys, signals, MANY, NULL);
}
/* They listen until they are told not to. */
static void *make_lift(void) {
  owned rac_disposable *subscription = NULL;
  void *results =
      rac_lift(signals, MANY, &subscription, CALLBACK(standard_sum));
  rac_dispose(subscription);
  return results;
}
static void *make_lift_arguments(void) {
  owned rac_disposable *subscription = NULL;
  void *results = rac_lift_arguments(as_signal(subject), &subscription,
                                     CALLBACK(standard_sum));
  rac_dispose(subscription);
  return results;
}

static const creation creations[] = {
#define LINE(name, ...) {#name, "rac_" #name, make_##name},
#define LINE_AS(name, function, ...) {#name, "rac_" #function, make_##name},
#define SEQUENCE_OPERATOR(name, ...) LINE(sequence_##name, )
#include "../operators/operators.def"
    CREATIONS(LINE)
        MORE_CREATIONS(LINE_AS){"subscribe", "rac_subscribe", make_subscribe},
    {"subscribe_inline", "rac_subscribe_inline", make_subscribe_inline},
    {"subscribe_batches", "rac_subscribe_batches", make_subscribe_batches},
    {"signal_switch", "rac_signal_switch", make_signal_switch},
    {"lift", "rac_lift", make_lift},
    {"lift_arguments", "rac_lift_arguments", make_lift_arguments},
};
enum { CREATIONS_COUNT = sizeof creations / sizeof *creations };

#endif
