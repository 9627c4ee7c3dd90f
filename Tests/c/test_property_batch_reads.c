/* What a thread reads between the beginning and the end of its batch: what the
 * batch has set, which no other thread sees. */
#include "properties.h"

static rac_status plus_ten(void *context, rac_value value, rac_value *out) {
  atomic_int *calls = context_target(context);
  if (calls) atomic_fetch_add(calls, 1);
  *out = I(value.bits + 10);
  return RAC_OK;
}

static rac_status sum_of(void *context, const rac_value *elements, size_t count,
                         rac_value *out) {
  atomic_int *calls = context_target(context);
  if (calls) atomic_fetch_add(calls, 1);
  int64_t sum = 0;
  for (size_t i = 0; i < count; i++) sum += elements[i].bits;
  *out = I(sum);
  return RAC_OK;
}

static void *sees_zero(void *property) {
  CHECK_INT(number(property), 0);
  return NULL;
}
static void *sets_seven(void *property) {
  CHECK_STATUS(rac_property_set(property, I(7)), RAC_OK);
  return NULL;
}
static void on_another_thread(void *(*body)(void *), rac_property *property) {
  check_join(check_spawn(body, property));
}

/* Law 25. */
TEST(a_batch_reads_what_it_has_set) {
  owned rac_property *v = property(0);
  atomic_int calls = 0;
  recorder r = {0};
  record(rac_property_as_signal(v), &r);
  rac_property_batch_begin();
  rac_property_set(v, I(number(v) + 1));
  rac_property_set(v, I(number(v) + 1));
  CHECK_STATUS(rac_property_modify(v, CALLBACK_FOR(&calls, plus_ten)),
               RAC_QUEUED);
  CHECK_INT(number(v), 12);
  on_another_thread(sees_zero, v);
  CHECK_STATUS(rac_property_batch_end(), RAC_OK);
  CHECK_INT(number(v), 12);
  CHECK_INT(calls, 1);
  CHECK_EVENTS(&r, "0 12");
  finish(&r);
}

/* Law 25. Conversions run at the end. */
TEST(a_property_that_is_bound_to_one_of_the_batch_changes_at_the_end) {
  owned rac_property *left = property(0), *right = property(0);
  owned rac_disposable *binding = rac_property_bind_two_way(left, right);
  rac_property_batch_begin();
  rac_property_set(left, I(1));
  CHECK_INT(number(left), 1);
  CHECK_INT(number(right), 0);
  CHECK_STATUS(rac_property_batch_end(), RAC_OK);
  CHECK_INT(number(right), 1);
}

TEST(a_batch_inside_reads_what_the_one_around_it_has_set) {
  owned rac_property *v = property(0);
  rac_property_batch_begin();
  rac_property_set(v, I(1));
  rac_property_batch_begin();
  CHECK_INT(number(v), 1);
  rac_property_set(v, I(2));
  CHECK_INT(number(v), 2);
  rac_property_batch_cancel();
  CHECK_INT(number(v), 1);
  rac_property_batch_end();
  CHECK_INT(number(v), 1);
}

/* What others set meanwhile is not lost. */
TEST(a_modification_is_made_again_of_what_is_there_in_the_end) {
  owned rac_property *v = property(0);
  atomic_int calls = 0;
  rac_property_batch_begin();
  rac_property_modify(v, CALLBACK_FOR(&calls, plus_ten));
  rac_property_modify(v, CALLBACK_FOR(&calls, plus_ten));
  CHECK_INT(number(v), 20);
  on_another_thread(sets_seven, v);
  CHECK_INT(number(v), 20);
  rac_property_batch_end();
  CHECK_INT(number(v), 27);
  CHECK_INT(calls, 4);
}

static rac_status refuse(void *context, rac_value value, rac_value *out) {
  (void)context, (void)value, (void)out;
  return -9;
}

TEST(a_modification_that_fails_says_so_at_once) {
  owned rac_property *v = property(0);
  rac_property_batch_begin();
  CHECK_STATUS(rac_property_modify(v, CALLBACK(refuse)), -9);
  CHECK_INT(number(v), 0);
  CHECK_STATUS(rac_property_batch_end(), RAC_OK);
}

/* ---- Derived properties ------------------------------------------------------ */

/* a   b   c
 *  \ / \ /
 *   ab  bc
 *    \ /
 *    all  */
TEST(derived_properties_are_computed_of_what_the_batch_has_set) {
  owned rac_property *a = property(0), *b = property(0), *c = property(0);
  atomic_int calls = 0, of_bc = 0;
  rac_property *of_ab[] = {a, b}, *of_c[] = {b, c};
  owned rac_property *ab =
      rac_property_combine_latest(of_ab, 2, 0, CALLBACK_FOR(&calls, sum_of));
  owned rac_property *bc =
      rac_property_combine_latest(of_c, 2, 0, CALLBACK_FOR(&of_bc, sum_of));
  rac_property *both[] = {ab, bc};
  owned rac_property *all =
      rac_property_combine_latest(both, 2, 0, CALLBACK_FOR(&calls, sum_of));
  recorder r = {0};
  record(rac_property_as_signal(all), &r);
  calls = of_bc = 0;
  rac_property_batch_begin();
  CHECK_INT(number(all), 0);
  CHECK_INT(calls, 0);
  rac_property_set(a, I(1));
  CHECK_INT(number(all), 1);
  /* What comes from nothing that was set is not computed. */
  CHECK_INT(calls, 2);
  CHECK_INT(of_bc, 0);
  rac_property_set(b, I(10));
  CHECK_INT(number(all), 21);
  on_another_thread(sees_zero, all);
  on_another_thread(sees_zero, ab);
  CHECK_STATUS(rac_property_batch_end(), RAC_OK);
  CHECK_INT(number(all), 21);
  CHECK_EVENTS(&r, "0 21");
  finish(&r);
}

static rac_status one_more(void *context, rac_value value, rac_value *out) {
  (void)context;
  if (value.bits == 5) return -9;
  *out = I(value.bits + 1);
  return RAC_OK;
}

TEST(a_callback_that_fails_leaves_the_value_before) {
  owned rac_property *v = property(0);
  owned rac_property *next = rac_property_map(v, 0, CALLBACK(one_more));
  rac_property_batch_begin();
  rac_property_set(v, I(5));
  CHECK_INT(number(next), 1);
  rac_property_set(v, I(6));
  CHECK_INT(number(next), 7);
  rac_property_batch_cancel();
  CHECK_INT(number(next), 1);
}

static rac_status and_one(void *context, rac_value value, rac_value *out) {
  (void)context;
  *out = I(value.bits + 1);
  return RAC_OK;
}

/* Law 25: however many in a row. */
TEST(a_long_row_takes_no_stack) {
  enum { LONG = 100000 };
  rac_property *first = property(0), *last = first;
  rac_property **row = malloc(LONG * sizeof *row);
  for (int i = 0; i < LONG; i++)
    last = row[i] = rac_property_map(last, 0, NULL, and_one, NULL);
  rac_property_batch_begin();
  rac_property_set(first, I(100));
  CHECK_INT(number(last), 100 + LONG);
  rac_property_batch_cancel();
  CHECK_INT(number(last), LONG);
  for (int i = LONG - 1; i >= 0; i--) rac_release(row[i]);
  rac_release(first);
  free(row);
}

/* ---- Beside others ------------------------------------------------------------ */

typedef struct crowd {
  rac_property *a, *b, *sum;
  atomic_bool is_over;
} crowd;

/* Both have the same value, in every turn. */
static void *set_both(void *context) {
  crowd *self = context;
  for (int64_t i = 1; !atomic_load(&self->is_over); i++) {
    rac_property_batch_begin();
    rac_property_set(self->a, I(i));
    rac_property_set(self->b, I(-i));
    rac_property_batch_end();
  }
  return NULL;
}
static void *come_and_go(void *context) {
  crowd *self = context;
  while (!atomic_load(&self->is_over)) {
    rac_property *made = rac_property_map(self->sum, 0, context_new(NULL, NULL),
                                          plus_ten, context_destroy);
    rac_property_batch_begin();
    rac_property_set(self->a, I(0));
    number(made);
    rac_property_batch_cancel();
    rac_release(made);
  }
  return NULL;
}

TEST(what_the_batch_has_not_set_is_of_one_turn) {
  crowd self = {.a = property(0), .b = property(0)};
  owned rac_property *c = property(0);
  rac_property *three[] = {self.a, self.b, c};
  self.sum = rac_property_combine_latest(three, 3, 0, CALLBACK(sum_of));
  pthread_t threads[2] = {check_spawn(set_both, &self),
                          check_spawn(come_and_go, &self)};
  for (int64_t i = 0; i < check_scaled(2000); i++) {
    rac_property_batch_begin();
    rac_property_set(c, I(i));
    CHECK_INT(number(self.sum), i);
    CHECK(rac_property_batch_end() >= 0);
  }
  atomic_store(&self.is_over, true);
  for (int i = 0; i < 2; i++) check_join(threads[i]);
  CHECK_STATUS(rac_settle(-1), RAC_OK);
  rac_release(self.sum);
  rac_release(self.a);
  rac_release(self.b);
}
