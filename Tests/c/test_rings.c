/* Properties that feed themselves: what binds them returns, and something stops
 * them. */
#include "operator_table.h"
#include "properties.h"
#include "shared_callbacks.h"

/* Counts to the number that the context is made for. */
static rac_status up_to(void *context, rac_value value, rac_value *out) {
  int64_t *limit = context_target(context);
  *out = I(value.bits < *limit ? value.bits + 1 : *limit);
  return RAC_OK;
}

static rac_disposable *bind(rac_property *p, rac_signal *signal) {
  rac_disposable *binding = rac_property_bind(p, signal, rac_value_nil());
  CHECK(binding != NULL);
  return binding;
}

/* p is bound to p + 1. */
static rac_disposable *bind_to_itself(rac_property *p) {
  owned rac_signal *next =
      rac_signal_map(rac_property_as_signal(p), CALLBACK(plus_one));
  rac_disposable *binding = bind(p, next);
  return binding;
}

/* It goes on by itself. */
static void check_goes_round(rac_property *p) {
  int64_t before = number(p);
  WAIT_UNTIL(number(p) > before + 5000);
}

/* What was on its way has arrived, however long that took, and nothing comes after. */
static void check_stands_still(rac_property *p) {
  CHECK_STATUS(rac_settle(60), RAC_OK);
  int64_t before = number(p);
  for (int i = 0; i < 20; i++) check_pause();
  CHECK_INT(number(p), before);
}

typedef struct listener {
  rac_property *property;
  atomic_long values;
  atomic_int completed;
  atomic_uintptr_t binding; /* to be disposed from inside */
  int64_t until;
} listener;

static void hear(void *context, rac_value value) {
  listener *self = context_target(context);
  atomic_fetch_add(&self->values, 1);
  if (self->until == 0 || value.bits < self->until) return;
  rac_dispose((void *)atomic_load(&self->binding));
}

static void hear_end(void *context) {
  listener *self = context_target(context);
  atomic_fetch_add(&self->completed, 1);
}

static void listen(listener *self, rac_property *p) {
  rac_observer observer = RAC_OBSERVER_INIT;
  observer.context = context_new(self, NULL);
  observer.next = hear;
  observer.completed = hear_end;
  observer.destroy = context_destroy;
  rac_release(rac_subscribe(rac_property_as_signal(p), &observer));
}

/* ---- What ends a ring --------------------------------------------------------- */

TEST(disposing_the_binding_ends_its_ring) {
  owned rac_property *p = property(0);
  rac_disposable *binding = bind_to_itself(p);
  CHECK(number(p) > 0);
  check_goes_round(p);
  CHECK_STATUS(rac_dispose(binding), RAC_OK);
  check_stands_still(p);
  rac_release(binding);
  /* It can be set, and bound again. */
  rac_property_set(p, I(-5));
  WAIT_UNTIL(number(p) == -5);
  binding = bind_to_itself(p);
  check_goes_round(p);
  rac_dispose(binding);
  rac_release(binding);
}

TEST(releasing_the_property_ends_its_ring) {
  rac_property *p = property(0);
  listener l = {.property = p};
  listen(&l, p);
  owned rac_disposable *binding = bind_to_itself(p);
  check_goes_round(p);
  rac_release(p);
  WAIT_UNTIL(atomic_load(&l.completed) == 1);
  CHECK(rac_is_disposed(binding));
  long heard = atomic_load(&l.values);
  for (int i = 0; i < 20; i++) check_pause();
  CHECK_INT(atomic_load(&l.values), heard);
}

TEST(a_ring_may_be_ended_from_inside) {
  listener l = {.until = 20000};
  owned rac_property *p = l.property = property(0);
  listen(&l, p);
  owned rac_disposable *binding = bind_to_itself(p);
  atomic_store(&l.binding, (uintptr_t)binding);
  WAIT_UNTIL(rac_is_disposed(binding));
  check_stands_still(p);
  CHECK(number(p) >= 20000);
}

/* One of the two goes round alone no more. */
static void two_in_a_circle(bool release) {
  rac_property *p = property(0), *q = property(0);
  rac_disposable *first = bind(q, rac_property_as_signal(p));
  rac_signal *next =
      rac_signal_map(rac_property_as_signal(q), CALLBACK(plus_one));
  rac_disposable *second = bind(p, next);
  rac_release(next);
  check_goes_round(p);
  check_goes_round(q);
  if (release) {
    rac_release(p);
    WAIT_UNTIL(rac_is_disposed(first));
  } else {
    rac_dispose(first);
  }
  check_stands_still(q);
  rac_release(first);
  rac_release(second);
  rac_release(q);
  if (!release) rac_release(p);
}

TEST(two_one_way_bindings_in_a_circle_end_with_a_binding) {
  two_in_a_circle(false);
}
TEST(two_one_way_bindings_in_a_circle_end_with_a_property) {
  two_in_a_circle(true);
}

TEST(plain_properties_bound_to_each_other_go_round) {
  rac_property *p = property(1), *q = property(2);
  listener l = {.property = p};
  listen(&l, p);
  owned rac_disposable *first = bind(q, rac_property_as_signal(p));
  owned rac_disposable *second = bind(p, rac_property_as_signal(q));
  WAIT_UNTIL(atomic_load(&l.values) > 20000);
  rac_release(p);
  WAIT_UNTIL(atomic_load(&l.completed) == 1);
  rac_release(q);
}

TEST(a_ring_by_way_of_a_derived_property) {
  rac_property *p = property(0);
  owned rac_property *next = rac_property_map(p, 0, CALLBACK(plus_one));
  owned rac_disposable *binding = bind(p, rac_property_as_signal(next));
  check_goes_round(p);
  rac_release(p);
  WAIT_UNTIL(rac_is_disposed(binding));
}

/* What comes first comes from elsewhere, so that the merge is in the middle of
 * it when the ring comes round. */
TEST(a_ring_that_a_merge_closes) {
  owned rac_property *p = property(0);
  owned rac_subject *start = rac_subject_create();
  owned rac_signal *next =
      rac_signal_map(rac_property_as_signal(p), CALLBACK(plus_one));
  owned rac_signal *later = rac_signal_skip(next, 1);
  rac_signal *signals[] = {later, as_signal(start)};
  owned rac_signal *both = rac_signal_merge(signals, 2);
  owned rac_disposable *binding = bind(p, both);
  CHECK_STATUS(rac_subject_send(start, I(0)), RAC_OK);
  check_goes_round(p);
  rac_dispose(binding);
  check_stands_still(p);
}

/* Whatever stands in the ring, the calls return. */
TEST(every_operator_may_stand_in_a_ring) {
  v = rac_scheduler_virtual();
  standing = rac_scheduler_virtual();
  rac_set_log(NULL, ignore_line, NULL);
  for (int i = 0; i < OPERATORS; i++) {
    rac_property *p = property(1);
    rac_subject *other = rac_subject_create();
    rac_signal *s =
        operators[i].build(rac_property_as_signal(p), as_signal(other));
    rac_disposable *binding = bind(p, s);
    rac_release(s);
    CHECK(rac_property_set(p, I(2)) >= 0);
    CHECK(rac_subject_send(other, I(3)) >= 0);
    rac_main_drain(10);
    CHECK(rac_property_set(p, I(4)) >= 0);
    rac_dispose(binding);
    rac_release(binding);
    rac_release(p);
    rac_release(other);
    rac_virtual_advance_by(v, 10);
    rac_main_drain(0);
  }
  rac_set_log(NULL, NULL, NULL);
  rac_release(v);
  rac_release(standing);
}

TEST(a_ring_by_way_of_a_terminal) {
  owned rac_property *p = property(0);
  owned rac_subject *terminal = rac_property_terminal(p, rac_value_nil());
  owned rac_signal *next =
      rac_signal_map(rac_property_as_signal(p), CALLBACK(plus_one));
  owned rac_disposable *subscription =
      rac_subscribe_subscriber(next, rac_subject_as_subscriber(terminal));
  REQUIRE(subscription != NULL);
  check_goes_round(p);
  rac_dispose(subscription);
  check_stands_still(p);
}

TEST(a_ring_by_way_of_a_subject) {
  owned rac_property *p = property(0);
  owned rac_subject *s = rac_subject_create();
  owned rac_signal *next = rac_signal_map(as_signal(s), CALLBACK(plus_one));
  owned rac_disposable *binding = bind(p, next);
  owned rac_disposable *back = rac_subscribe_subscriber(
      rac_property_as_signal(p), rac_subject_as_subscriber(s));
  check_goes_round(p);
  rac_dispose(back);
  check_stands_still(p);
}

/* ---- What stays inside the call --------------------------------------------------- */

TEST(a_ring_of_few_rounds_is_done_when_bind_returns) {
  int64_t limit = 1000;
  owned rac_property *p = rac_property_create(I(0), RAC_PROPERTY_DISTINCT);
  owned rac_signal *next =
      rac_signal_map(rac_property_as_signal(p), CALLBACK_FOR(&limit, up_to));
  owned rac_disposable *binding = bind(p, next);
  CHECK_INT(number(p), limit);
  CHECK_STATUS(rac_property_set(p, I(0)), RAC_OK);
  CHECK_INT(number(p), limit);
}

TEST(a_ring_of_many_rounds_comes_to_its_end) {
  int64_t limit = 100000;
  owned rac_property *p = rac_property_create(I(0), RAC_PROPERTY_DISTINCT);
  owned rac_signal *next =
      rac_signal_map(rac_property_as_signal(p), CALLBACK_FOR(&limit, up_to));
  owned rac_disposable *binding = bind(p, next);
  WAIT_UNTIL(number(p) == limit);
}

typedef struct burst {
  rac_subject *source;
  int64_t heard;
  int64_t count;
} burst;

static void send_burst(void *context, rac_value value) {
  burst *self = context_target(context);
  self->heard++;
  if (value.bits != 0) return;
  for (int64_t i = 1; i <= self->count; i++)
    rac_subject_send(self->source, I(i));
}

/* It is no ring: one value makes many others, and these make none. */
TEST(many_values_for_a_binding_from_inside_a_callback_come_in_the_call) {
  owned rac_property *p = property(-1);
  burst b = {rac_subject_create(), 0, 5000};
  rac_disposable *binding = bind(p, as_signal(b.source));
  rac_release(rac_subscribe_next(rac_property_as_signal(p),
                                 CALLBACK_FOR(&b, send_burst)));
  CHECK_STATUS(rac_subject_send(b.source, I(0)), RAC_OK);
  CHECK_INT(b.heard, 5002);
  CHECK_INT(number(p), 5000);
  rac_release(binding);
  rac_release(b.source);
}

/* ---- Threads ------------------------------------------------------------------------ */

typedef struct meddler {
  rac_property *property;
  atomic_int *over;
} meddler;

static void *set_until_over(void *argument) {
  meddler *self = argument;
  while (atomic_load(self->over) == 0)
    CHECK(rac_property_set(self->property, I(0)) >= 0);
  return NULL;
}

TEST(others_set_a_property_that_goes_round) {
  owned rac_property *p = property(0);
  atomic_int over = 0;
  meddler m = {p, &over};
  pthread_t a = check_spawn(set_until_over, &m);
  pthread_t b = check_spawn(set_until_over, &m);
  for (int i = 0; i < 5; i++) {
    owned rac_disposable *binding = bind_to_itself(p);
    for (int j = 0; j < 20; j++) check_pause();
    rac_dispose(binding);
  }
  atomic_store(&over, 1);
  check_join(a);
  check_join(b);
  check_stands_still(p);
}
