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
    owned rac_disposable *subscription = rac_subscribe(self->signal, &observer);
    if (subscription == NULL) self->refused++;
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
  int at;         /* which link subscribes to the replay */
  atomic_int got; /* where it is deep, a worker counts */
} chain;

typedef struct hop {
  chain *chain;
  int index;
} hop;

static void count_value(void *context, rac_value value) {
  (void)value;
  atomic_fetch_add((atomic_int *)context, 1);
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
  WAIT_UNTIL(atomic_load(&c.got) == 2);
  /* The thread is where it was: it delivers what it sends, and may wait. */
  rac_subject *plain = rac_subject_create();
  atomic_int calls = 0;
  rac_release(rac_subscribe_next(rac_subject_as_signal(plain), &calls,
                                 count_value, NULL));
  CHECK_STATUS(rac_subject_send(plain, rac_int64(1)), RAC_OK);
  CHECK_INT(atomic_load(&calls), 1);
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
  /* A thread is in 4096 gates; then a worker goes on. */
  int depths[] = {4000, 4094, 4095, 4096, 4159};
  for (size_t i = 0; i < sizeof depths / sizeof *depths; i++)
    subscribe_at(depths[i]);
  rac_thread_detach();
}

/* ---- Values through a chain that is deeper than a thread goes --------------- */

typedef struct descending {
  rac_subject *links[CHAIN];
  atomic_int arrived;
  int last; /* what arrived last, and whether it came in order */
  bool in_order, sends_back;
} descending;

/* The last link, on whichever thread. The first link is held further up, if not
 * by this thread then by another one: what is sent back there is queued. */
static void arrive(void *context, rac_value value) {
  descending *d = context_target(context);
  if (value.bits != d->last + 1) d->in_order = false;
  d->last = (int)value.bits;
  if (d->sends_back && value.bits == 1)
    CHECK(rac_subject_send(d->links[0], I(2)) >= 0);
  atomic_fetch_add(&d->arrived, 1);
}

static void descend(int values, bool sends_back) {
  static descending d;
  atomic_int destroyed = 0;
  memset(&d, 0, sizeof d);
  d.in_order = true;
  d.sends_back = sends_back;
  for (int i = 0; i < CHAIN; i++) d.links[i] = rac_subject_create();
  for (int i = 1; i < CHAIN; i++)
    rac_release(
        rac_subscribe_subscriber(rac_subject_as_signal(d.links[i - 1]),
                                 rac_subject_as_subscriber(d.links[i])));
  rac_release(rac_subscribe_next(rac_subject_as_signal(d.links[CHAIN - 1]),
                                 context_new(&d, &destroyed), arrive,
                                 context_destroy));
  for (int i = 1; i <= (sends_back ? 1 : values); i++)
    CHECK(rac_subject_send(d.links[0], I(i)) >= 0);
  WAIT_UNTIL(atomic_load(&d.arrived) == values);
  CHECK(rac_subject_send_completed(d.links[0]) >= 0);
  WAIT_UNTIL(atomic_load(&destroyed) == 1);
  CHECK(d.in_order);
  for (int i = 0; i < CHAIN; i++) rac_release(d.links[i]);
}

TEST(a_chain_deeper_than_a_thread_delivers_all_in_order) {
  descend(1, false);
  descend((int)check_scaled(200), false);
}

TEST(what_is_sent_back_from_the_bottom_of_a_chain_comes_next) {
  for (int i = 0; i < 20; i++) descend(2, true);
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
  owned_value tuple = rac_value_tuple(&value, 1);
  rac_signal *signal = rac_signal_return(tuple);
  return signal;
}

/* Each holds the one before, and nobody else does: they go in a loop. */
TEST(a_long_line_of_signals_that_remember_signals_goes) {
  rac_signal *(*const kinds[])(rac_value) = {return_of, behavior_of,
                                             property_of, tuple_of};
  for (int kind = 0; kind < 4; kind++) {
    owned rac_signal *last = rac_signal_empty();
    for (int64_t i = check_scaled(100000); i > 0; i--) {
      owned_value value = rac_value_signal(last);
      RAC_ASSIGN(last, kinds[kind](value));
    }
  }
}
