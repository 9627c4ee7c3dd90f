/* As deep as it goes: calls inside calls, up to the limits and one past them. */
#include "check.h"

/* ---- One handle, used again and again inside itself ------------------------ */

typedef struct descent {
  rac_signal *signal;
  int depth;
  int refused;
} descent;

static rac_status subscribe_again(void *context, rac_subscriber *subscriber,
                                  rac_disposable **out) {
  descent *self = context;
  rac_observer observer = RAC_OBSERVER_INIT;
  (void)subscriber, (void)out;
  if (++self->depth < 4000) {
    rac_disposable *subscription = rac_subscribe(self->signal, &observer);
    if (subscription == NULL) self->refused++;
    rac_release(subscription);
  }
  return RAC_OK;
}

TEST(a_handle_bears_thousands_of_calls_inside_each_other) {
  descent self = {NULL, 0, 0};
  rac_observer observer = RAC_OBSERVER_INIT;
  self.signal = rac_signal_create(&self, subscribe_again, NULL);
  rac_release(rac_subscribe(self.signal, &observer));
  CHECK_INT(self.depth, 4000);
  CHECK_INT(self.refused, 0);
  rac_release(self.signal);
}

/* ---- Subscribing to a replay at the bottom of a chain of subjects ---------- */

enum { CHAIN = 4200 };

typedef struct chain {
  rac_subject *links[CHAIN];
  rac_subject *replay;
  int at; /* which link subscribes to the replay */
  int got;
} chain;

typedef struct hop {
  chain *chain;
  int index;
} hop;

static void count_value(void *context, rac_value value) {
  (void)value;
  ++*(int *)context;
}

static void go_on(void *context, rac_value value) {
  hop *self = context;
  chain *c = self->chain;
  if (self->index == c->at)
    rac_release(rac_subscribe_next(rac_subject_as_signal(c->replay), &c->got,
                                   count_value, NULL));
  else if (self->index + 1 < CHAIN)
    rac_subject_send(c->links[self->index + 1], value);
}

static void subscribe_at(int depth) {
  static chain c;
  static hop hops[CHAIN];
  memset(&c, 0, sizeof c);
  c.at = depth;
  c.replay = rac_replay_subject_create(10);
  rac_subject_send(c.replay, rac_int64(1));
  rac_subject_send(c.replay, rac_int64(2));
  for (int i = 0; i < CHAIN; i++) {
    hops[i].chain = &c;
    hops[i].index = i;
    c.links[i] = rac_subject_create();
    rac_release(rac_subscribe_next(rac_subject_as_signal(c.links[i]), &hops[i],
                                   go_on, NULL));
  }
  rac_subject_send(c.links[0], rac_int64(7));
  WAIT_UNTIL(c.got == 2);
  /* The thread is where it was: it delivers what it sends, and may wait. */
  rac_subject *plain = rac_subject_create();
  int calls = 0;
  rac_release(rac_subscribe_next(rac_subject_as_signal(plain), &calls,
                                 count_value, NULL));
  CHECK_STATUS(rac_subject_send(plain, rac_int64(1)), RAC_OK);
  CHECK_INT(calls, 1);
  rac_value first = rac_value_nil();
  CHECK_STATUS(rac_signal_first(rac_subject_as_signal(c.replay), 10, &first),
               RAC_OK);
  CHECK_INT(first.bits, 1);
  rac_release(plain);
  for (int i = 0; i < CHAIN; i++) rac_release(c.links[i]);
  rac_release(c.replay);
}

TEST(a_replay_at_the_deepest_gate) {
  rac_thread_attach();
  /* 4096 gates, and 64 more by bias. */
  int depths[] = {4000, 4094, 4095, 4158, 4159};
  for (size_t i = 0; i < sizeof depths / sizeof *depths; i++)
    subscribe_at(depths[i]);
  rac_thread_detach();
}

/* ---- Signals that remember signals ----------------------------------------- */

static rac_signal *return_of(rac_value value) {
  return rac_signal_return(value);
}
static rac_signal *behavior_of(rac_value value) {
  return rac_subject_as_signal(rac_behavior_subject_create(value));
}
static rac_signal *property_of(rac_value value) {
  return rac_property_as_signal(rac_property_create(value, 0));
}
static rac_signal *tuple_of(rac_value value) {
  rac_value tuple = rac_value_tuple(&value, 1);
  rac_signal *signal = rac_signal_return(tuple);
  rac_value_release(tuple);
  return signal;
}

/* Each holds the one before, and nobody else does: they go in a loop. */
TEST(a_long_line_of_signals_that_remember_signals_goes) {
  rac_signal *(*const kinds[])(rac_value) = {return_of, behavior_of,
                                             property_of, tuple_of};
  for (int kind = 0; kind < 4; kind++) {
    rac_signal *last = rac_signal_empty();
    for (int64_t i = check_scaled(100000); i > 0; i--) {
      rac_value value = rac_value_signal(last);
      rac_assign((void **)&last, kinds[kind](value));
      rac_value_release(value);
    }
    rac_release(last);
  }
}
