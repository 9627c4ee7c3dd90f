/* Constant stack: a million synchronous steps, on the main thread's stack and
 * on one of 256 KB. */
#include "operators.h"

#include <pthread.h>

static int64_t million(void) { return check_scaled(1000000); }

/* Counts what comes; the sum of 0, 1, 2, … tells whether all came. */
typedef struct tally {
  int64_t count, sum, ends;
} tally;

static void tally_next(void *context, rac_value value) {
  tally *self = context_target(context);
  self->count++;
  self->sum += value.bits;
}
static void tally_completed(void *context) {
  ((tally *)context_target(context))->ends++;
}

static void check_count(rac_signal *signal, int64_t expected) {
  tally t = {0};
  rac_observer observer = RAC_OBSERVER_INIT;
  observer.context = context_new(&t, NULL);
  observer.next = tally_next;
  observer.completed = tally_completed;
  observer.destroy = context_destroy;
  owned rac_disposable *d = rac_subscribe(signal, &observer);
  CHECK(d != NULL);
  CHECK_INT(t.count, expected);
  CHECK_INT(t.ends, 1);
  rac_release(signal);
}

/* ---- The cases ---------------------------------------------------------- */

static rac_status send_one(void *context, rac_subscriber *subscriber,
                           rac_disposable **out) {
  (void)context_target(context);
  (void)out;
  rac_subscriber_send(subscriber, I(1));
  rac_subscriber_send_completed(subscriber);
  return RAC_OK;
}

static rac_status send_one_and_fail(void *context, rac_subscriber *subscriber,
                                    rac_disposable **out) {
  (void)context_target(context);
  (void)out;
  rac_subscriber_send(subscriber, I(1));
  rac_subscriber_send_error(subscriber, rac_value_nil());
  return RAC_OK;
}

static void repeat_of_return(void) {
  rac_signal *s = rac_signal_return(I(1));
  APPLY0(s, repeat);
  APPLY(s, take, (size_t)million());
  check_count(s, million());
}

static void repeat_of_create(void) {
  rac_signal *s = rac_signal_create(CALLBACK(send_one));
  APPLY0(s, repeat);
  APPLY(s, take, (size_t)million());
  check_count(s, million());
}

static void retry_of_create(void) {
  rac_signal *s = rac_signal_create(CALLBACK(send_one_and_fail));
  APPLY(s, retry, 0);
  APPLY(s, take, (size_t)million());
  check_count(s, million());
}

static void concat_built_to_the_left(void) {
  owned rac_signal *one = rac_signal_return(I(1));
  rac_signal *s = rac_signal_empty();
  for (int64_t i = million(); i > 0; i--) APPLY(s, concat, one);
  CHECK(s != NULL);
  check_count(s, million());
}

static void concat_built_to_the_right(void) {
  owned rac_signal *one = rac_signal_create(CALLBACK(send_one));
  rac_signal *s = rac_signal_empty();
  for (int64_t i = million(); i > 0; i--)
    RAC_ASSIGN(s, rac_signal_concat(one, s));
  CHECK(s != NULL);
  check_count(s, million());
}

static void concat_never_subscribed(void) {
  owned rac_signal *one = rac_signal_return(I(1));
  owned rac_signal *s = rac_signal_empty();
  for (int64_t i = million(); i > 0; i--) APPLY(s, concat, one);
}

static void concat_of_an_array(void) {
  size_t count = (size_t)million();
  rac_signal **signals = malloc(count * sizeof *signals);
  if (!signals) abort();
  owned rac_signal *one = rac_signal_create(CALLBACK(send_one));
  for (size_t i = 0; i < count; i++) signals[i] = one;
  rac_signal *s = rac_signal_concat_all(signals, count);
  free(signals);
  check_count(s, million());
}

/* A million times the same signal, as values. */
static rac_signal *many(rac_signal *inner) {
  rac_signal *s = rac_signal_return(I(1));
  APPLY0(s, repeat);
  APPLY(s, take, (size_t)million());
  owned_value value = rac_value_signal(inner);
  APPLY(s, map_replace, value);
  return s;
}

static void flatten_of_many(void) {
  for (size_t limit = 0; limit < 2; limit++) {
    owned rac_signal *one = rac_signal_create(CALLBACK(send_one));
    rac_signal *s = many(one);
    APPLY(s, flatten, limit);
    check_count(s, million());
  }
}

/* The first inner signal is open while all the others wait in line. */
static void flatten_of_many_that_waited(void) {
  owned rac_signal *one = rac_signal_create(CALLBACK(send_one));
  owned rac_subject *first = rac_subject_create();
  rac_value value = rac_value_signal(as_signal(first));
  owned rac_signal *s = many(one);
  APPLY(s, start_with, value);
  rac_value_release(value);
  APPLY(s, flatten, 1);
  recorder r = {0};
  record(s, &r);
  CHECK_INT(r.nexts, 0);
  play(first, "|");
  CHECK_INT(r.nexts, million());
  CHECK_INT(r.ends, 1);
  await_end(&r);
}

static void flatten_of_constants_that_waited(void) {
  owned rac_signal *one = rac_signal_return(I(1));
  owned rac_subject *first = rac_subject_create();
  rac_value value = rac_value_signal(as_signal(first));
  owned rac_signal *s = many(one);
  APPLY(s, start_with, value);
  rac_value_release(value);
  APPLY(s, flatten, 1);
  RECORDER(r, s);
  play(first, "|");
  CHECK_INT(r.nexts, million());
  CHECK_INT(r.ends, 1);
}

static rac_status to_return(void *context, rac_value value, rac_signal **out) {
  (void)context_target(context);
  *out = rac_signal_return(value);
  return RAC_OK;
}

static void flatten_map_of_many(void) {
  rac_signal *s = rac_signal_return(I(1));
  APPLY0(s, repeat);
  APPLY(s, take, (size_t)million());
  APPLY(s, flatten_map, CALLBACK(to_return));
  check_count(s, million());
}

static void switch_of_many(void) {
  rac_signal *one = rac_signal_create(CALLBACK(send_one));
  rac_signal *s = many(one);
  APPLY0(s, switch_to_latest);
  check_count(s, million());
  rac_release(one);
}

/* Every combination subscribes to all of them at once: flat, not a fold. */
static void wide_combinations(void) {
  enum { WIDE = 2000 };
  static rac_signal *signals[WIDE];
  owned rac_signal *one = rac_signal_return(I(1));
  for (int i = 0; i < WIDE; i++) signals[i] = one;
  check_count(rac_signal_merge(signals, WIDE), WIDE);
  rac_signal *s = rac_signal_zip(signals, WIDE);
  APPLY(s, map_replace, I(1));
  check_count(s, 1);
  s = rac_signal_combine_latest(signals, WIDE);
  APPLY(s, map_replace, I(1));
  check_count(s, 1);
}

typedef struct countdown {
  int64_t left;
} countdown;

static void count_down(void *context, rac_recursion *self) {
  countdown *c = context_target(context);
  if (--c->left > 0) CHECK_STATUS(rac_reschedule(self), RAC_OK);
}

static void recursion_on_immediate(void) {
  owned rac_scheduler *immediate = rac_scheduler_immediate();
  countdown c = {million()};
  rac_release(rac_schedule_recursive(immediate, CALLBACK_FOR(&c, count_down)));
  CHECK_INT(c.left, 0);
}

static void recursion_on_virtual(void) {
  owned rac_scheduler *v = rac_scheduler_virtual();
  countdown c = {million()};
  rac_release(rac_schedule_recursive(v, CALLBACK_FOR(&c, count_down)));
  rac_virtual_step_all(v);
  CHECK_INT(c.left, 0);
}

/* ---- On both stacks ----------------------------------------------------- */

static void (*const cases[])(void) = {
    repeat_of_return,
    repeat_of_create,
    retry_of_create,
    concat_built_to_the_left,
    concat_built_to_the_right,
    concat_never_subscribed,
    concat_of_an_array,
    flatten_of_many,
    flatten_of_many_that_waited,
    flatten_of_constants_that_waited,
    flatten_map_of_many,
    switch_of_many,
    wide_combinations,
    recursion_on_immediate,
    recursion_on_virtual,
};

static void *run_attached(void *argument) {
  void (*const *body)(void) = argument;
  rac_thread_attach();
  (*body)();
  rac_thread_detach();
  return NULL;
}

static void run_on_small_stack(size_t index) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, 256 * 1024);
  pthread_t thread;
  void *body = (void *)(uintptr_t)&cases[index];
  if (pthread_create(&thread, &attributes, run_attached, body) != 0) abort();
  pthread_attr_destroy(&attributes);
  pthread_join(thread, NULL);
}

#define ON_BOTH_STACKS(name, index)                                            \
  TEST(name) { cases[index](); }                                               \
  TEST(name##_on_256_KB) { run_on_small_stack(index); }

/* Law 18: all of them, the rounds and the recursions. */
ON_BOTH_STACKS(repeating_a_constant, 0)
ON_BOTH_STACKS(repeating_a_created_signal, 1)
ON_BOTH_STACKS(retrying, 2)
ON_BOTH_STACKS(a_concat_chain_to_the_left, 3)
ON_BOTH_STACKS(a_concat_chain_to_the_right, 4)
ON_BOTH_STACKS(freeing_a_concat_chain, 5)
ON_BOTH_STACKS(concat_of_a_list, 6)
ON_BOTH_STACKS(flattening, 7)
ON_BOTH_STACKS(flattening_what_waited, 8)
ON_BOTH_STACKS(flattening_constants_that_waited, 9)
ON_BOTH_STACKS(mapping_to_signals, 10)
ON_BOTH_STACKS(switching, 11)
ON_BOTH_STACKS(combining_thousands, 12)
ON_BOTH_STACKS(recursion_on_the_spot, 13)
ON_BOTH_STACKS(recursion_in_virtual_time, 14)

/* Law 18: to 4,096 stages. */
TEST(a_chain_of_other_operators_is_limited_not_fatal) {
  rac_signal *s = rac_signal_return(I(1));
  int64_t depth = 0;
  rac_clear_last_error();
  while (s && depth < 1000000) {
    rac_signal *next = rac_signal_skip(s, 0);
    if (!next) break;
    RAC_ASSIGN(s, next);
    depth++;
  }
  CHECK_STATUS(rac_last_error_code(), RAC_ERANGE);
  CHECK_INT(depth, 4095);
  /* The longest chain that is allowed works. */
  check_count(s, 1);
}
