/* Several sets that are one change: rac_property_batch and its like. */
#include "properties.h"
#include "shared_callbacks.h"

static rac_status both_of(void *context, const rac_value *elements,
                          size_t count, rac_value *out) {
  atomic_int *runs = context_target(context);
  if (runs) atomic_fetch_add(runs, 1);
  *out = rac_value_tuple(elements, count);
  return RAC_OK;
}

static rac_property *pair(rac_property *a, rac_property *b, atomic_int *runs) {
  rac_property *two[] = {a, b};
  return rac_property_combine_latest(two, 2, 0, CALLBACK_FOR(runs, both_of));
}

static void listen(rac_property *to, recorder *r) {
  record(rac_property_as_signal(to), r);
}

static rac_status fail(void *context, rac_value value, rac_value *out) {
  (void)context, (void)value, (void)out;
  return -9;
}

/* ---- What a batch is -------------------------------------------------------- */

TEST(a_batch_is_one_change) {
  atomic_int runs = 0;
  owned rac_property *a = property(1), *b = property(1);
  owned rac_property *both = pair(a, b, &runs);
  finished recorder r = {0}, ra = {0}, rb = {0};
  listen(both, &r);
  listen(a, &ra);
  listen(b, &rb);
  CHECK_STATUS(rac_property_batch_begin(), RAC_OK);
  CHECK_STATUS(rac_property_set(a, I(2)), RAC_QUEUED);
  CHECK_STATUS(rac_property_set(b, I(2)), RAC_QUEUED);
  CHECK_EVENTS(&ra, "1");
  CHECK_STATUS(rac_property_batch_end(), RAC_OK);
  CHECK_INT(number(a), 2);
  CHECK_EVENTS(&r, "(1,1) (2,2)");
  CHECK_EVENTS(&ra, "1 2");
  CHECK_EVENTS(&rb, "1 2");
  CHECK_INT(runs, 2);
}

TEST(of_what_is_set_in_one_property_the_last_counts) {
  owned rac_property *a = property(1);
  finished recorder r = {0};
  listen(a, &r);
  rac_property_batch_begin();
  for (int i = 2; i < 100; i++) rac_property_set(a, I(i));
  CHECK_STATUS(rac_property_modify(a, CALLBACK(one_more)), RAC_QUEUED);
  CHECK_STATUS(rac_property_modify(a, CALLBACK(one_more)), RAC_QUEUED);
  CHECK_STATUS(rac_property_batch_end(), RAC_OK);
  CHECK_EVENTS(&r, "1 101");
  /* A set drops what modified it before. */
  rac_property_batch_begin();
  rac_property_modify(a, CALLBACK(one_more));
  rac_property_set(a, I(5));
  rac_property_batch_end();
  CHECK_EVENTS(&r, "1 101 5");
}

TEST(a_set_to_what_is_there_is_no_change) {
  owned rac_property *a = rac_property_create(I(1), RAC_PROPERTY_DISTINCT);
  owned rac_property *b = property(1);
  finished recorder ra = {0}, rb = {0};
  listen(a, &ra);
  listen(b, &rb);
  rac_property_batch_begin();
  rac_property_set(a, I(2));
  rac_property_set(a, I(1));
  rac_property_set(b, I(1));
  rac_property_batch_end();
  CHECK_EVENTS(&ra, "1");
  CHECK_EVENTS(&rb, "1 1");
}

TEST(a_batch_inside_another_adds_to_it) {
  atomic_int runs = 0;
  owned rac_property *a = property(1), *b = property(1);
  owned rac_property *both = pair(a, b, &runs);
  finished recorder r = {0};
  listen(both, &r);
  rac_property_batch_begin();
  rac_property_set(a, I(2));
  rac_property_batch_begin();
  rac_property_set(b, I(2));
  CHECK_STATUS(rac_property_batch_end(), RAC_QUEUED);
  CHECK_STATUS(rac_property_batch_end(), RAC_OK);
  CHECK_EVENTS(&r, "(1,1) (2,2)");
}

TEST(a_batch_that_is_cancelled_sets_nothing) {
  owned rac_property *a = property(1), *b = property(1);
  rac_property_batch_begin();
  rac_property_set(a, I(2));
  rac_property_batch_begin();
  rac_property_set(b, I(2));
  CHECK_STATUS(rac_property_batch_cancel(), RAC_OK);
  CHECK_STATUS(rac_property_batch_end(), RAC_OK);
  CHECK_INT(number(a), 2);
  CHECK_INT(number(b), 1);
}

/* ---- With a callback ---------------------------------------------------------- */

typedef struct plan {
  rac_property *a, *b;
  rac_status answer;
  bool forgets;
} plan;

static rac_status set_both(void *context) {
  plan *p = context_target(context);
  rac_property_set(p->a, I(2));
  if (p->forgets) CHECK_STATUS(rac_property_batch_begin(), RAC_EDEADLK);
  rac_property_set(p->b, I(2));
  return p->answer;
}

TEST(a_batch_for_the_length_of_a_call) {
  owned rac_property *a = property(1), *b = property(1);
  owned rac_property *both = pair(a, b, NULL);
  finished recorder r = {0};
  listen(both, &r);
  plan p = {a, b, RAC_OK, false};
  CHECK_STATUS(rac_property_batch(CALLBACK_FOR(&p, set_both)), RAC_OK);
  CHECK_EVENTS(&r, "(1,1) (2,2)");
}

TEST(a_body_that_fails_sets_nothing) {
  owned rac_property *a = property(1), *b = property(1);
  plan p = {a, b, -5, false};
  CHECK_STATUS(rac_property_batch(CALLBACK_FOR(&p, set_both)), -5);
  CHECK_STATUS(rac_last_error_code(), -5);
  CHECK_INT(number(a), 1);
  CHECK_STATUS(rac_property_batch_end(), RAC_EINVAL);
}

TEST(a_body_begins_no_batch_that_it_could_leave_open) {
  owned rac_property *a = property(1), *b = property(1);
  plan p = {a, b, RAC_OK, true};
  CHECK_STATUS(rac_property_batch(CALLBACK_FOR(&p, set_both)), RAC_OK);
  CHECK_INT(number(a), 2);
  CHECK_INT(number(b), 2);
  CHECK_STATUS(rac_property_batch_end(), RAC_EINVAL);
}

static rac_status end_it(void *context) {
  (void)context;
  CHECK_STATUS(rac_property_batch_end(), RAC_EINVAL);
  CHECK_STATUS(rac_property_batch_cancel(), RAC_EINVAL);
  return RAC_OK;
}

TEST(a_body_cannot_end_the_batch_it_is_in) {
  CHECK_STATUS(rac_property_batch(CALLBACK(end_it)), RAC_OK);
  CHECK_STATUS(
      rac_property_batch(context_new(NULL, NULL), NULL, context_destroy),
      RAC_ENULL);
}

/* ---- Two that are bound -------------------------------------------------------- */

TEST(bound_properties_move_together) {
  atomic_int runs = 0;
  owned rac_property *a = property(1), *b = property(1);
  owned rac_disposable *binding = rac_property_bind_two_way(a, b);
  owned rac_property *both = pair(a, b, &runs);
  finished recorder r = {0}, rb = {0};
  listen(both, &r);
  listen(b, &rb);
  rac_property_batch_begin();
  rac_property_set(a, I(2));
  CHECK_STATUS(rac_property_batch_end(), RAC_OK);
  CHECK_EVENTS(&r, "(1,1) (2,2)");
  /* Set on both sides, the later one is what both have. */
  rac_property_batch_begin();
  rac_property_set(a, I(3));
  rac_property_set(b, I(4));
  rac_property_batch_end();
  CHECK_EVENTS(&r, "(1,1) (2,2) (4,4)");
  CHECK_EVENTS(&rb, "1 2 4");
}

/* ---- Who else sets, and who fails ------------------------------------------------ */

static void *set_ten(void *argument) {
  CHECK_STATUS(rac_property_set(argument, I(10)), RAC_OK);
  CHECK_INT(number(argument), 10);
  return NULL;
}

TEST(what_another_thread_sets_meanwhile_is_set_at_once) {
  owned rac_property *a = property(1);
  finished recorder r = {0};
  listen(a, &r);
  rac_property_batch_begin();
  rac_property_set(a, I(2));
  check_join(check_spawn(set_ten, a));
  CHECK_INT(number(a), 2);
  rac_property_batch_end();
  CHECK_INT(number(a), 2);
  CHECK_EVENTS(&r, "1 10 2");
}

static rac_status get_one(void *context, rac_value *out) {
  (void)context;
  *out = I(1);
  return RAC_OK;
}
static rac_status refuse(void *context, rac_value value) {
  (void)context, (void)value;
  return -8;
}

TEST(the_first_failure_is_answered_and_the_rest_is_set) {
  owned rac_property *a = property(1), *b = property(1);
  owned rac_property *adapter = rac_property_create_adapter(
      0, context_new(NULL, NULL), get_one, refuse, context_destroy);
  rac_property_batch_begin();
  rac_property_set(a, I(2));
  rac_property_set(adapter, I(2));
  rac_property_modify(b, CALLBACK(fail));
  CHECK_STATUS(rac_property_batch_end(), -8);
  CHECK_INT(number(a), 2);
  CHECK_INT(number(b), 1);
}

/* The values are of the batch before; it may set, and that is a turn of its
 * own. */
static void set_more(recorder *self, rac_value value) {
  if (value.bits == 2) rac_property_set(self->user, I(7));
}

TEST(what_a_subscriber_sets_comes_after_the_batch) {
  owned rac_property *a = property(1), *b = property(1);
  owned rac_property *both = pair(a, b, NULL);
  finished recorder r = {0}, ra = {.on_next = set_more, .user = b};
  listen(a, &ra);
  listen(both, &r);
  rac_property_batch_begin();
  rac_property_set(b, I(2));
  rac_property_set(a, I(2));
  CHECK(rac_property_batch_end() >= 0);
  CHECK_EVENTS(&r, "(1,1) (2,2) (2,7)");
}

typedef struct newcomers {
  rac_property *to;
  rac_signal *changes;
  recorder values, pairs;
  int seen;
} newcomers;

/* At the second value. */
static void let_newcomers_in(void *context, rac_value value) {
  newcomers *n = context;
  (void)value;
  if (++n->seen != 2) return;
  listen(n->to, &n->values);
  record(n->changes, &n->pairs);
}

TEST(who_comes_while_a_batch_is_heard_hears_what_comes_next) {
  owned rac_property *a = property(1);
  newcomers n = {.to = a, .changes = rac_property_changes(a)};
  rac_disposable *old =
      rac_subscribe_next(rac_property_as_signal(a), &n, let_newcomers_in, NULL);
  rac_property_batch_begin();
  rac_property_set(a, I(2));
  CHECK_STATUS(rac_property_batch_end(), RAC_OK);
  CHECK_EVENTS(&n.values, "2");
  rac_property_set(a, I(3));
  rac_property_batch_begin();
  rac_property_set(a, I(4));
  CHECK_STATUS(rac_property_batch_end(), RAC_OK);
  CHECK_EVENTS(&n.values, "2 3 4");
  CHECK_EVENTS(&n.pairs, "(2,3) (3,4)");
  rac_dispose(old);
  rac_release(old);
  finish(&n.values);
  finish(&n.pairs);
  rac_release(n.changes);
}

typedef struct stubborn {
  rac_property *sets;
  int calls, wrong;
  bool is_inside;
  char text[64];
} stubborn;

/* Sets what is being converted, unless it does that already. */
static rac_status set_while_converting(void *context, rac_value value,
                                       rac_value *out) {
  stubborn *self = context;
  char before[64];
  const char *text = "";
  *out = I(self->calls);
  if (self->is_inside || value.kind != RAC_STRING) return RAC_OK;
  self->is_inside = true;
  rac_value_get_string(value, &text, NULL);
  snprintf(before, sizeof before, "%s", text);
  snprintf(self->text, sizeof self->text,
           "a text of the call %d, and long enough", ++self->calls);
  rac_value other = rac_value_string_copy(self->text, strlen(self->text));
  rac_property_set(self->sets, other);
  rac_value_release(other);
  rac_value_get_string(value, &text, NULL);
  if (strcmp(text, before) != 0) self->wrong++;
  self->is_inside = false;
  return RAC_OK;
}

/* Law 21. */
TEST(what_a_conversion_is_lent_lives_until_it_returns) {
  rac_value text = rac_value_string_copy("a text that is allocated", 24);
  owned rac_property *left = property(0), *one = property(0),
                     *two = property(0);
  stubborn s = {.sets = left};
  owned rac_disposable *first = rac_property_bind_two_way_map(
      left, one, &s, copy_value, set_while_converting, NULL);
  owned rac_disposable *second = rac_property_bind_two_way_map(
      left, two, &s, copy_value, set_while_converting, NULL);
  rac_property_batch_begin();
  rac_property_set(left, text);
  rac_value_release(text);
  CHECK_STATUS(rac_property_batch_end(), RAC_OK);
  CHECK(s.calls > 1);
  CHECK_INT(s.wrong, 0);
  rac_dispose(first);
  rac_dispose(second);
}

/* ---- From several threads ---------------------------------------------------------- */

enum { ROUNDS = 2000 };
typedef struct twins {
  rac_property *a, *b, *both;
  atomic_int apart, heard;
} twins;

static rac_status same(void *context, const rac_value *elements, size_t count,
                       rac_value *out) {
  twins *t = context_target(context);
  (void)count;
  if (elements[0].bits != elements[1].bits) atomic_fetch_add(&t->apart, 1);
  *out = elements[0];
  return RAC_OK;
}

static void *set_twins(void *argument) {
  twins *t = argument;
  for (int i = 0; i < ROUNDS; i++) {
    rac_property_batch_begin();
    rac_property_set(i & 1 ? t->a : t->b, I(i));
    rac_property_set(i & 1 ? t->b : t->a, I(i));
    CHECK(rac_property_batch_end() >= 0);
  }
  return NULL;
}

static void *derive_twins(void *argument) {
  twins *t = argument;
  rac_property *two[] = {t->a, t->b};
  for (int i = 0; i < ROUNDS / 4; i++)
    rac_release(rac_property_combine_latest(two, 2, 0, CALLBACK_FOR(t, same)));
  return NULL;
}

TEST(what_only_batches_set_is_never_seen_apart) {
  twins t = {.a = property(0), .b = property(0)};
  rac_property *two[] = {t.a, t.b};
  t.both = rac_property_combine_latest(two, 2, 0, CALLBACK_FOR(&t, same));
  pthread_t threads[3];
  threads[0] = check_spawn(set_twins, &t);
  threads[1] = check_spawn(set_twins, &t);
  threads[2] = check_spawn(derive_twins, &t);
  for (int i = 0; i < 3; i++) check_join(threads[i]);
  WAIT_UNTIL(number(t.both) == ROUNDS - 1);
  CHECK_INT(t.apart, 0);
  rac_release(t.both);
  rac_release(t.a);
  rac_release(t.b);
}

/* Nothing is derived from them for long, so most batches are made at once. */
TEST(deriving_beside_batches_never_finds_them_apart) {
  twins t = {.a = property(0), .b = property(0)};
  pthread_t threads[3];
  threads[0] = check_spawn(set_twins, &t);
  threads[1] = check_spawn(set_twins, &t);
  threads[2] = check_spawn(derive_twins, &t);
  for (int i = 0; i < 3; i++) check_join(threads[i]);
  CHECK_INT(t.apart, 0);
  WAIT_UNTIL(number(t.a) == ROUNDS - 1 && number(t.b) == ROUNDS - 1);
  rac_release(t.a);
  rac_release(t.b);
}

typedef struct crowd {
  rac_property *to;
  rac_signal *changes;
  atomic_bool over;
} crowd;

/* Each comes while a value is heard, and is gone at once or later. */
static void come_and_go(void *context, rac_value value) {
  crowd *c = context;
  rac_signal *to = value.bits & 1 ? rac_property_as_signal(c->to) : c->changes;
  owned rac_disposable *newcomer =
      rac_subscribe_next(to, NULL, ignore_value, NULL);
  if (value.bits & 2) rac_dispose(newcomer);
}

static void *come_to_the_gate(void *argument) {
  crowd *c = argument;
  while (!atomic_load(&c->over)) {
    owned rac_disposable *passing = rac_subscribe_next(
        rac_property_as_signal(c->to), NULL, ignore_value, NULL);
    rac_dispose(passing);
  }
  return NULL;
}

/* A batch goes on outside the gate, where others come meanwhile. */
TEST(who_comes_while_a_batch_is_heard_is_let_in_at_the_gate) {
  crowd c = {.to = property(0)};
  c.changes = rac_property_changes(c.to);
  rac_disposable *host =
      rac_subscribe_next(rac_property_as_signal(c.to), &c, come_and_go, NULL);
  pthread_t other = check_spawn(come_to_the_gate, &c);
  for (int i = 1; i <= 300; i++) {
    rac_property_batch_begin();
    rac_property_set(c.to, I(i));
    CHECK(rac_property_batch_end() >= 0);
  }
  atomic_store(&c.over, true);
  check_join(other);
  WAIT_UNTIL(number(c.to) == 300);
  rac_dispose(host);
  rac_release(host);
  rac_release(c.changes);
  rac_release(c.to);
}
