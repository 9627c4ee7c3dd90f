/* Threads with small stacks: what is too long for them is refused, or done by a
 * thread of the library. Nothing of it may crash. */

#include "operator_table.h"
#include "shared_callbacks.h"
#include "small_stacks.h"

/* ---- A chain of stages -------------------------------------------------------------- */

ON_SMALL_STACKS(a_chain_is_made_as_long_as_the_stack_allows) {
  (void)argument;
  owned rac_subject *subject = rac_subject_create();
  owned rac_signal *s = rac_retain(as_signal(subject));
  int length = 0;
  rac_clear_last_error();
  while (length < LONGEST) {
    rac_signal *next = rac_signal_map(s, NULL, one_more, NULL);
    if (next == NULL) break;
    RAC_ASSIGN(s, next);
    length++;
  }
  CHECK_STATUS(rac_last_error_code(), RAC_ERANGE);
  CHECK(length >= 50);
  hearing h = {0};
  owned rac_disposable *subscription = hear_signal(s, &h);
  CHECK(subscription != NULL);
  CHECK_STATUS(rac_subject_send(subject, I(1)), RAC_OK);
  CHECK_INT(h.nexts, 1);
  CHECK_STATUS(rac_subject_send_completed(subject), RAC_OK);
  CHECK_INT(h.completions, 1);
  WAIT_UNTIL(atomic_load(&h.destroyed) == 1);
}

/* What a thread with a large stack has made comes to one with a small one. */
typedef struct long_chain {
  rac_subject *subject;
  rac_signal *signal;
  rac_disposable *subscription;
  hearing heard;
  rac_status status;
} long_chain;

static void make_long(long_chain *self, int operator_, int length) {
  *self = (long_chain){.subject = rac_subject_create()};
  rac_subject *other = rac_subject_create();
  self->signal = rac_retain(as_signal(self->subject));
  for (int i = 0; i < length; i++) {
    rac_signal *next =
        operators[operator_].build(self->signal, as_signal(other));
    if (next == NULL) break; /* it makes more than one of itself */
    RAC_ASSIGN(self->signal, next);
  }
  rac_release(other);
  self->subscription = hear_signal(self->signal, &self->heard);
  CHECK(self->subscription != NULL);
}

static void clear_long(long_chain *self) {
  rac_release(self->signal);
  rac_release(self->subject);
  if (self->subscription) rac_dispose(self->subscription);
  rac_release(self->subscription);
}

static void subscribe_refused(void *argument) {
  long_chain *self = argument;
  hearing h = {0};
  rac_clear_last_error();
  CHECK(hear_signal(self->signal, &h) == NULL);
  CHECK_STATUS(rac_last_error_code(), RAC_ERANGE);
  CHECK_INT(h.destroyed, 1);
  CHECK_INT(h.nexts + h.errors + h.completions, 0);
  rac_subject *subject = rac_subject_create();
  CHECK(rac_subscribe_subscriber(self->signal,
                                 rac_subject_as_subscriber(subject)) == NULL);
  CHECK_STATUS(rac_last_error_code(), RAC_ERANGE);
  rac_release(subject);
  rac_property *p = property(0);
  CHECK(rac_property_bind(p, self->signal, rac_value_nil()) == NULL);
  CHECK_STATUS(rac_last_error_code(), RAC_ERANGE);
  rac_release(p);
  rac_value value;
  CHECK_STATUS(rac_signal_first(self->signal, 1, &value), RAC_ERANGE);
  CHECK(rac_signal_map(self->signal, NULL, one_more, NULL) == NULL);
  CHECK_STATUS(rac_last_error_code(), RAC_ERANGE);
}

/* Law 18: nothing was begun. */
TEST(a_long_chain_is_not_subscribed_to_on_a_small_stack) {
  long_chain c;
  make_long(&c, 1, LONGEST);
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
    on_stack(sizes[i], subscribe_refused, &c);
  clear_long(&c);
}

static void send_value(void *argument) {
  long_chain *self = argument;
  self->status = rac_subject_send(self->subject, I(1));
}
static void send_end(void *argument) {
  long_chain *self = argument;
  self->status = rac_subject_send_completed(self->subject);
}
static void send_array(void *argument) {
  long_chain *self = argument;
  int64_t numbers[] = {1, 2, 3};
  self->status =
      rac_subject_send_array(self->subject, RAC_ARRAY_INT64S, numbers, 3);
}
static void dispose_it(void *argument) {
  long_chain *self = argument;
  CHECK_STATUS(rac_dispose(self->subscription), RAC_OK);
  CHECK(rac_is_disposed(self->subscription));
}
static void release_signal(void *argument) {
  long_chain *self = argument;
  rac_release(self->signal);
  self->signal = NULL;
}
static void release_source(void *argument) {
  long_chain *self = argument;
  rac_release(self->subject);
  self->subject = NULL;
}
static void release_both(void *argument) {
  release_signal(argument);
  release_source(argument);
}

/* Laws 4 and 18: the value comes in its turn, from a thread of the library. */
TEST(a_value_through_a_long_chain_is_left_to_a_worker) {
  long_chain c;
  make_long(&c, 1, LONGEST);
  int expected = 0;
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    on_stack(sizes[i], send_value, &c);
    CHECK_STATUS(c.status, RAC_QUEUED);
    expected++;
    WAIT_UNTIL(atomic_load(&c.heard.nexts) == expected);
    on_stack(sizes[i], send_array, &c);
    CHECK_STATUS(c.status, RAC_QUEUED);
    expected += 3;
    WAIT_UNTIL(atomic_load(&c.heard.nexts) == expected);
  }
  /* A thread with room does it itself, once the worker has left. */
  rac_status status;
  do {
    status = rac_subject_send(c.subject, I(1));
    expected++;
    WAIT_UNTIL(atomic_load(&c.heard.nexts) == expected);
  } while (status == RAC_QUEUED && expected < 1000);
  CHECK_STATUS(status, RAC_OK);
  on_stack(64, send_end, &c);
  CHECK_STATUS(c.status, RAC_QUEUED);
  WAIT_UNTIL(atomic_load(&c.heard.destroyed) == 1);
  CHECK_INT(c.heard.completions, 1);
  clear_long(&c);
}

typedef struct stream {
  rac_subscriber *subscriber;
  rac_status status;
} stream;

static rac_status keep(void *context, rac_subscriber *subscriber,
                       rac_disposable **out) {
  (void)out;
  ((stream *)context)->subscriber = rac_retain(subscriber);
  return RAC_OK;
}
static void feed(void *argument) {
  stream *self = argument;
  self->status = rac_subscriber_send(self->subscriber, I(1));
}
static void feed_end(void *argument) {
  stream *self = argument;
  self->status = rac_subscriber_send_completed(self->subscriber);
}

TEST(a_subscriber_leaves_a_long_chain_to_a_worker) {
  rac_thread_attach();
  stream s = {NULL, RAC_OK};
  rac_signal *created = rac_signal_create(&s, keep, NULL);
  rac_signal *signal = chain_of(created, LONGEST - 1);
  hearing h = {0};
  rac_disposable *subscription = hear_signal(signal, &h);
  on_stack(128, feed, &s);
  CHECK_STATUS(s.status, RAC_QUEUED);
  WAIT_UNTIL(atomic_load(&h.nexts) == 1);
  rac_status status;
  int expected = 1;
  do {
    status = rac_subscriber_send(s.subscriber, I(2));
    expected++;
    WAIT_UNTIL(atomic_load(&h.nexts) == expected);
  } while (status == RAC_QUEUED && expected < 1000);
  CHECK_STATUS(status, RAC_OK);
  on_stack(128, feed_end, &s);
  CHECK_STATUS(s.status, RAC_QUEUED);
  WAIT_UNTIL(atomic_load(&h.destroyed) == 1);
  CHECK_INT(h.completions, 1);
  rac_release(s.subscriber);
  rac_release(subscription);
  rac_release(signal);
  rac_release(created);
  rac_thread_detach();
}

static void set_it(void *argument) {
  rac_property **self = argument;
  CHECK_STATUS(rac_property_set(*self, I(5)), RAC_QUEUED);
}

TEST(a_property_leaves_a_long_chain_to_a_worker) {
  owned rac_property *p = property(0);
  owned rac_signal *signal = chain_of(rac_property_as_signal(p), LONGEST);
  hearing h = {0};
  owned rac_disposable *subscription = hear_signal(signal, &h);
  on_stack(128, set_it, &p);
  WAIT_UNTIL(atomic_load(&h.nexts) == 2);
  CHECK_INT(number(p), 5);
  rac_dispose(subscription);
}

/* ---- Every operator ---------------------------------------------------------------------- */

/* Everything that can be done to a chain, on each stack. Where it is scaled down
 * each operator has its share of it, another one than the operator before it. */
static void play_steps(void (*on)(size_t, void (*)(void *), void *)) {
  void (*const steps[])(void *) = {send_value,     send_end,
                                   dispose_it,     release_signal,
                                   release_source, release_both};
  enum { STEPS = sizeof steps / sizeof *steps };
  size_t apart = STEPS / (size_t)check_scaled(STEPS);
  v = rac_scheduler_virtual();
  standing = rac_scheduler_virtual();
  rac_set_log(NULL, ignore_line, NULL);
  rac_thread_attach();
  for (int i = 0; i < OPERATORS; i++) {
    for (size_t step = (size_t)i % apart; step < STEPS; step += apart) {
      long_chain c;
      make_long(&c, i, 1500);
      on(sizes[step % 3], steps[step], &c);
      if (step == 0) on(64, dispose_it, &c);
      if (step >= 3) on(64, dispose_it, &c);
      clear_long(&c);
      /* Events in events take a sanitizer long. */
      double until = check_clock() + 60;
      while (atomic_load(&c.heard.destroyed) == 0 && check_clock() < until) {
        rac_virtual_step_all(v);
        rac_main_drain(0);
        check_pause();
      }
      if (atomic_load(&c.heard.destroyed) != 1)
        check_fail(__FILE__, __LINE__, operators[i].name);
    }
  }
  rac_thread_detach();
  rac_set_log(NULL, NULL, NULL);
  rac_release(v);
  rac_release(standing);
}

TEST(long_chains_of_every_operator_meet_small_stacks) { play_steps(on_stack); }

/* A thread may come to the library only to dispose of something. */
TEST(long_chains_of_every_operator_meet_fresh_threads) {
  play_steps(on_fresh_stack);
}
