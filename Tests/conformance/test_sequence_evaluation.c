/* When a sequence computes what, and what becomes of it; folds and searches. */
#include "sequences.h"

/* sequence-060: after the last value an empty sequence follows, where RAC's
 * tail is nil (docs/Differences.md) */
TEST(a_head_and_a_tail) {
  asked a = {0};
  owned rac_sequence *s = asked_sequence(&a), *rest = NULL, *end = NULL;
  CHECK_RESULT(rac_sequence_head(s, &out), "0");
  CHECK_STATUS(rac_sequence_tail(s, &rest), RAC_OK);
  CHECK_RESULT(rac_sequence_head(rest, &out), "1");
  CHECK_STATUS(rac_sequence_tail(rest, &end), RAC_OK);
  rac_value out = I(3);
  CHECK_STATUS(rac_sequence_head(end, &out), RAC_EEMPTY);
  CHECK_INT(out.kind, RAC_NIL);
  rac_sequence *none = s;
  CHECK_STATUS(rac_sequence_tail(end, &none), RAC_EEMPTY);
  CHECK(none == NULL);
  bool is_empty = true;
  CHECK_STATUS(rac_sequence_is_empty(s, &is_empty), RAC_OK);
  CHECK(!is_empty);
  CHECK_STATUS(rac_sequence_is_empty(end, &is_empty), RAC_OK);
  CHECK(is_empty);
}

/* sequence-061 */
TEST(each_callback_is_called_when_it_is_needed) {
  asked a = {0};
  owned rac_sequence *s = asked_sequence(&a), *rest = NULL;
  CHECK_INT(a.heads + a.tails, 0);
  CHECK_RESULT(rac_sequence_head(s, &out), "0");
  CHECK_INT(a.heads, 1);
  CHECK_INT(a.tails, 0);
  CHECK_STATUS(rac_sequence_tail(s, &rest), RAC_OK);
  CHECK_VALUES(s, "0 1");
  CHECK_VALUES(s, "0 1");
  CHECK_INT(a.heads, 1);
  CHECK_INT(a.tails, 1);
}

/* sequence-110 */
TEST(an_eager_sequence_computes_all) {
  asked a = {0};
  owned rac_sequence *s = asked_sequence(&a);
  CHECK_INT(a.heads + a.tails, 0);
  rac_sequence *eager = rac_sequence_eager(s);
  CHECK_INT(a.heads, 1);
  CHECK_INT(a.tails, 1);
  CHECK_SEQUENCE(eager, "0 1");
}

typedef struct circle {
  rac_sequence *self;
  atomic_int heads;
} circle;

static rac_status circle_head(void *context, rac_value *out) {
  circle *self = context_target(context);
  *out = I(atomic_fetch_add(&self->heads, 1));
  return RAC_OK;
}
static rac_status circle_tail(void *context, rac_sequence **out) {
  *out = rac_retain(((circle *)context_target(context))->self);
  return RAC_OK;
}

/* sequence-111: of one that follows itself; one head, also for five of them */
TEST(take_computes_no_more_than_it_takes) {
  circle c = {0};
  c.self = rac_sequence_create(context_new(&c, NULL), circle_head, circle_tail,
                               context_destroy);
  CHECK_SEQUENCE(rac_sequence_take(c.self, 1), "0");
  CHECK_INT(c.heads, 1);
  CHECK_SEQUENCE(rac_sequence_take(c.self, 5), "0 0 0 0 0");
  CHECK_INT(c.heads, 1);
  rac_release(c.self);
}

static rac_status bind_itself(void *context, rac_value value, bool *stop,
                              rac_sequence **out) {
  (void)context_target(context);
  (void)stop;
  *out = rac_sequence_return(value);
  return RAC_OK;
}

/* sequence-112 */
TEST(a_binding_computes_nothing_until_it_is_read) {
  asked a = {0};
  owned rac_sequence *s = asked_sequence(&a);
  SEQ(s, bind, CALLBACK(bind_itself));
  CHECK_INT(a.heads, 0);
  CHECK_RESULT(rac_sequence_head(s, &out), "0");
  CHECK_INT(a.heads, 1);
  CHECK_INT(a.tails, 0);
}

/* sequence-113 */
TEST(an_iterator_computes_one_value_at_a_time) {
  atomic_int calls = 0;
  owned rac_sequence *s = seq("1 2 3");
  SEQ(s, map, context_new(&calls, NULL), counted_times_ten, context_destroy);
  owned rac_sequence_iterator *each = rac_sequence_iterate(s);
  CHECK_INT(calls, 0);
  rac_value value;
  for (int i = 1; i <= 3; i++) {
    CHECK_STATUS(rac_sequence_next(each, &value), RAC_OK);
    CHECK_INT(value.bits, 10 * i);
    CHECK_INT(calls, i);
  }
  CHECK_STATUS(rac_sequence_next(each, &value), RAC_EEMPTY);
  CHECK_INT(value.kind, RAC_NIL);
}

/* Sequences of which each has a context of its own, so that one sees them go. */
typedef struct chain {
  int64_t number;
  atomic_int *destroyed;
} chain;

static rac_sequence *link_of(chain from);
static rac_status link_head(void *context, rac_value *out) {
  *out = I(((chain *)context)->number);
  return RAC_OK;
}
static rac_status link_tail(void *context, rac_sequence **out) {
  chain next = *(chain *)context;
  if (++next.number < 3) *out = link_of(next);
  return RAC_OK;
}
static void link_destroy(void *context) {
  atomic_fetch_add(((chain *)context)->destroyed, 1);
  free(context);
}
static rac_sequence *link_of(chain from) {
  chain *context = malloc(sizeof *context);
  if (!context) abort();
  *context = from;
  return rac_sequence_create(context, link_head, link_tail, link_destroy);
}

/* sequence-114: with n there, n - 1 has gone; with the end, the last one */
TEST(an_iterator_lets_go_of_what_it_has_passed) {
  atomic_int destroyed = 0;
  rac_sequence *s = link_of((chain){0, &destroyed});
  owned rac_sequence_iterator *each = rac_sequence_iterate(s);
  rac_release(s);
  rac_value value;
  for (int i = 0; i < 3; i++) {
    CHECK_STATUS(rac_sequence_next(each, &value), RAC_OK);
    CHECK_INT(value.bits, i);
    CHECK_INT(destroyed, i);
  }
  CHECK_STATUS(rac_sequence_next(each, &value), RAC_EEMPTY);
  CHECK_INT(destroyed, 3);
}

static void *let_go_of(void *sequence) {
  rac_release(sequence);
  return NULL;
}

/* sequence-115: on a stack of 64 KB, when all of it was computed */
TEST(a_long_sequence_goes_without_much_stack) {
  rac_sequence *s = rac_sequence_range(0, 1, 10000);
  SEQ(s, map, CALLBACK(times_ten));
  SEQ0(s, eager);
  pthread_attr_t attributes;
  pthread_t thread;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, 64 * 1024);
  REQUIRE(pthread_create(&thread, &attributes, let_go_of, s) == 0);
  pthread_join(thread, NULL);
  pthread_attr_destroy(&attributes);
}

/* ---- Folds and searches ------------------------------------------------- */

static rac_status minus(void *context, rac_value running, rac_value next,
                        rac_value *out) {
  (void)context;
  *out = I(running.bits - next.bits);
  return RAC_OK;
}
static rac_status minus_rest(void *context, rac_value value,
                             const rac_value *rest, rac_value *out) {
  (void)context;
  if (!rest) return RAC_PENDING;
  *out = I(value.bits - rest->bits);
  return RAC_OK;
}
static rac_status the_first(void *context, rac_value value,
                            const rac_value *rest, rac_value *out) {
  (void)context;
  (void)rest;
  *out = rac_value_retain(value);
  return RAC_OK;
}
static rac_status the_rest(void *context, rac_value value,
                           const rac_value *rest, rac_value *out) {
  (void)context;
  (void)value;
  if (!rest) return RAC_PENDING;
  *out = rac_value_retain(*rest);
  return RAC_OK;
}

/* sequence-117: from the left */
TEST(fold_left_begins_at_the_start) {
  owned rac_sequence *s = seq("1 2 3");
  CHECK_RESULT(rac_sequence_fold_left(s, I(0), NULL, minus, &out), "-6");
}

/* sequence-118: a callback that answers without the rest */
TEST(fold_right_is_lazy) {
  asked a = {0};
  owned rac_sequence *s = asked_sequence(&a);
  CHECK_RESULT(rac_sequence_fold_right(s, I(1), NULL, the_first, &out), "0");
  CHECK_INT(a.heads, 1);
  CHECK_INT(a.tails, 0);
}

/* sequence-119: the start is innermost */
TEST(fold_right_ends_at_the_start) {
  owned rac_sequence *s = seq("0 1 2");
  CHECK_RESULT(rac_sequence_fold_right(s, I(3), NULL, the_rest, &out), "3");
}

/* sequence-120: from the right */
TEST(fold_right_begins_at_the_end) {
  owned rac_sequence *s = seq("1 2 3");
  CHECK_RESULT(rac_sequence_fold_right(s, I(0), NULL, minus_rest, &out), "2");
}

static rac_status is_number(void *context, rac_value value, bool *out) {
  *out = value.bits == (int64_t)(intptr_t)context;
  return RAC_OK;
}
static rac_status is_positive(void *context, rac_value value, bool *out) {
  (void)context;
  *out = value.bits > 0;
  return RAC_OK;
}
static rac_status is_below_two(void *context, rac_value value, bool *out) {
  (void)context;
  *out = value.bits < 2;
  return RAC_OK;
}
static rac_status is_negative(void *context, rac_value value, bool *out) {
  (void)context;
  *out = value.bits < 0;
  return RAC_OK;
}

/* sequence-121, sequence-122: found, and not */
TEST(any) {
  owned rac_sequence *s = seq("0 1 2");
  bool answer = false;
  CHECK_STATUS(rac_sequence_any(s, NULL, is_positive, &answer), RAC_OK);
  CHECK(answer);
  CHECK_STATUS(rac_sequence_any(s, (void *)3, is_number, &answer), RAC_OK);
  CHECK(!answer);
}

/* sequence-124 */
TEST(all) {
  owned rac_sequence *s = seq("0 1 2");
  bool answer = true;
  CHECK_STATUS(rac_sequence_all(s, NULL, is_below_two, &answer), RAC_OK);
  CHECK(!answer);
  SEQ(s, take, 2);
  CHECK_STATUS(rac_sequence_all(s, NULL, is_below_two, &answer), RAC_OK);
  CHECK(answer);
}

/* sequence-125, sequence-126: the leftmost, and none */
TEST(object_passing_test) {
  owned rac_sequence *s = seq("0 1 2");
  CHECK_RESULT(rac_sequence_object_passing_test(s, NULL, is_positive, &out),
               "1");
  CHECK_STATUS(rac_sequence_object_passing_test(s, NULL, is_negative, NULL),
               RAC_EEMPTY);
}
