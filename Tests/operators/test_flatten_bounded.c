/* flatten with a bound: the signals that wait. */
#include "operators.h"

typedef struct flow {
  rac_bound *bound;
  rac_subject *source;
  rac_subject *inner[6];
  recorder heard;
} flow;

static void begin(flow *self, size_t at_a_time, size_t capacity,
                  int32_t policy) {
  bool holds = policy == RAC_BOUND_WAIT || policy == RAC_BOUND_REFUSE;
  self->bound = rac_bound_create(capacity, policy);
  self->source =
      holds ? rac_subject_create_bounded(self->bound) : rac_subject_create();
  for (int i = 0; i < 6; i++) self->inner[i] = rac_subject_create();
  rac_signal *signal = rac_signal_flatten_bounded(as_signal(self->source),
                                                  at_a_time, self->bound);
  record(signal, &self->heard);
  rac_release(signal);
}

static rac_status send(flow *self, int i) {
  owned_value value = rac_value_signal(as_signal(self->inner[i]));
  rac_status status = rac_subject_send(self->source, value);
  return status;
}

/* Whoever listens to which, as 0 1 …: those that were not dropped. */
static int listening(flow *self) {
  int bits = 0;
  for (int i = 0; i < 6; i++)
    if (rac_subject_subscriber_count(self->inner[i]) > 0) bits |= 1 << i;
  return bits;
}

static void end(flow *self) {
  finish(&self->heard);
  CHECK_INT(rac_bound_get(self->bound, RAC_BOUND_LENGTH), 0);
  for (int i = 0; i < 6; i++) rac_release(self->inner[i]);
  rac_release(self->source);
  rac_release(self->bound);
}

/* One runs, two may wait, two more come: which are heard when it is their turn. */
static void check(int32_t policy, size_t waiting, int dropped, int second,
                  int third) {
  flow f = {0};
  begin(&f, 1, 2, policy);
  for (int i = 0; i < 5; i++) CHECK_STATUS(send(&f, i), RAC_OK);
  CHECK_INT(listening(&f), 1);
  CHECK_INT(rac_bound_get(f.bound, RAC_BOUND_LENGTH), waiting);
  CHECK_INT(rac_bound_get(f.bound, RAC_BOUND_DROPPED), dropped);
  rac_subject_send_completed(f.inner[0]);
  CHECK_INT(listening(&f), 1 << second);
  rac_subject_send(f.inner[second], I(second));
  rac_subject_send_completed(f.inner[second]);
  CHECK_INT(listening(&f), third < 0 ? 0 : 1 << third);
  CHECK_INT(rac_bound_get(f.bound, RAC_BOUND_LENGTH), 0);
  end(&f);
}

TEST(the_oldest_signal_gives_way) { check(RAC_BOUND_DROP_OLDEST, 2, 2, 3, 4); }
TEST(the_newest_signal_is_not_taken) {
  check(RAC_BOUND_DROP_NEWEST, 2, 2, 1, 2);
}
TEST(the_latest_signal_alone_waits) { check(RAC_BOUND_LATEST, 1, 3, 4, -1); }

/* Law 16: at once, and what waits is dropped. */
TEST(too_many_signals_are_an_error) {
  flow f = {0};
  begin(&f, 1, 1, RAC_BOUND_ERROR);
  for (int i = 0; i < 3; i++) send(&f, i);
  CHECK_EVENTS(&f.heard, "#3");
  CHECK_INT(listening(&f), 0);
  CHECK_INT(rac_bound_get(f.bound, RAC_BOUND_LENGTH), 0);
  CHECK_INT(rac_bound_get(f.bound, RAC_BOUND_DROPPED), 1);
  end(&f);
}

TEST(who_sends_signals_is_refused) {
  flow f = {0};
  begin(&f, 1, 1, RAC_BOUND_REFUSE);
  CHECK_STATUS(send(&f, 0), RAC_OK);
  CHECK_STATUS(send(&f, 1), RAC_OK);
  CHECK_STATUS(send(&f, 2), RAC_EAGAIN);
  rac_subject_send_completed(f.inner[0]);
  CHECK_STATUS(send(&f, 2), RAC_OK);
  CHECK_INT(listening(&f), 2);
  end(&f);
}

TEST(nothing_waits_where_all_may_run) {
  flow f = {0};
  begin(&f, 0, 1, RAC_BOUND_DROP_NEWEST);
  for (int i = 0; i < 6; i++) send(&f, i);
  CHECK_INT(listening(&f), 63);
  CHECK_INT(rac_bound_get(f.bound, RAC_BOUND_HIGHEST), 0);
  end(&f);
}

/* Law 21. */
TEST(signals_that_are_dropped_are_released) {
  flow f = {0};
  begin(&f, 1, 1, RAC_BOUND_DROP_OLDEST);
  send(&f, 0);
  atomic_int destroyed = 0;
  for (int i = 0; i < 4; i++) {
    rac_signal *signal =
        rac_signal_map(as_signal(f.inner[1]), context_new(NULL, &destroyed),
                       times_ten, context_destroy);
    owned_value value = rac_value_signal(signal);
    rac_release(signal);
    rac_subject_send(f.source, value);
  }
  CHECK_INT(destroyed, 3);
  rac_dispose(f.heard.subscription);
  CHECK_INT(destroyed, 4);
  end(&f);
}

typedef struct during {
  flow flow;
  size_t waiting;
  uint64_t dropped;
} during;

static void send_more(recorder *self, rac_value value) {
  during *d = self->user;
  if (value.bits != 1) return;
  for (int i = 1; i < 6; i++) send(&d->flow, i);
  d->waiting = rac_bound_get(d->flow.bound, RAC_BOUND_LENGTH);
  d->dropped = rac_bound_get(d->flow.bound, RAC_BOUND_DROPPED);
}

/* While a value is being delivered, however long that takes. */
TEST(signals_that_come_meanwhile_are_counted_and_dropped) {
  during d = {.flow = {.heard = {.on_next = send_more, .user = &d}}};
  begin(&d.flow, 1, 2, RAC_BOUND_DROP_OLDEST);
  send(&d.flow, 0);
  rac_subject_send(d.flow.inner[0], I(1));
  CHECK_INT(d.waiting, 2);
  CHECK_INT(d.dropped, 3);
  rac_subject_send_completed(d.flow.inner[0]);
  CHECK_INT(listening(&d.flow), 1 << 4);
  end(&d.flow);
}
