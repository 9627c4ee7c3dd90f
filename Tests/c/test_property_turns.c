/* Derived properties in graphs: one set, one run of each callback, values that
 * belong together. */
#include "properties.h"

/* How often a callback ran; one that fails at a value; what it does besides. */
typedef struct formula {
  int runs;
  int64_t fails_at;
  void (*besides)(struct formula *self);
  void *user;
} formula;

static void enter(formula *f) {
  f->runs++;
  if (f->besides) f->besides(f);
}

static rac_status plus_one(void *context, rac_value value, rac_value *out) {
  formula *f = context_target(context);
  enter(f);
  if (f->fails_at != 0 && value.bits == f->fails_at) return -77;
  *out = I(value.bits + 1);
  return RAC_OK;
}

static rac_status tenth(void *context, rac_value value, rac_value *out) {
  enter(context_target(context));
  *out = I(value.bits / 10);
  return RAC_OK;
}

static rac_status all_of(void *context, const rac_value *elements, size_t count,
                         rac_value *out) {
  enter(context_target(context));
  *out = rac_value_tuple(elements, count);
  return RAC_OK;
}

static rac_status sum_of(void *context, const rac_value *elements, size_t count,
                         rac_value *out) {
  int64_t sum = 0;
  enter(context_target(context));
  for (size_t i = 0; i < count; i++) sum += elements[i].bits;
  *out = I(sum);
  return RAC_OK;
}

static rac_property *mapped(rac_property *source, formula *f) {
  return rac_property_map(source, 0, CALLBACK_FOR(f, plus_one));
}

static rac_property *pair(rac_property *a, rac_property *b, formula *f) {
  rac_property *both[] = {a, b};
  return rac_property_combine_latest(both, 2, 0, CALLBACK_FOR(f, all_of));
}

static void listen(rac_property *to, recorder *r) {
  record(rac_property_as_signal(to), r);
}

/* ---- Shapes ----------------------------------------------------------------- */

/* Law 25. */
TEST(the_top_of_a_diamond_runs_once) {
  formula left = {0}, right = {0}, top = {0};
  owned rac_property *p = property(1);
  owned rac_property *a = mapped(p, &left), *b = mapped(p, &right);
  owned rac_property *both = pair(a, b, &top);
  finished recorder r = {0};
  listen(both, &r);
  CHECK_STATUS(rac_property_set(p, I(5)), RAC_OK);
  CHECK_STATUS(rac_property_set(p, I(7)), RAC_OK);
  CHECK_EVENTS(&r, "(2,2) (6,6) (8,8)");
  CHECK_INT(left.runs, 3);
  CHECK_INT(right.runs, 3);
  CHECK_INT(top.runs, 3);
}

/* Each step is made of the two before it: without turns the last would run as
 * often as the numbers of Fibonacci say. */
TEST(a_ladder_of_fifteen_runs_fifteen_callbacks) {
  enum { STEPS = 15 };
  formula step = {0};
  rac_property *ladder[STEPS + 2] = {property(1), NULL};
  ladder[1] = mapped(ladder[0], &step);
  for (int i = 2; i <= STEPS; i++) {
    rac_property *before[] = {ladder[i - 2], ladder[i - 1]};
    ladder[i] =
        rac_property_combine_latest(before, 2, 0, CALLBACK_FOR(&step, sum_of));
  }
  step.runs = 0;
  CHECK_STATUS(rac_property_set(ladder[0], I(2)), RAC_OK);
  CHECK_INT(step.runs, STEPS);
  /* 2, 3, 5, 8 … */
  CHECK_INT(number(ladder[5]), 21);
  for (int i = STEPS; i >= 0; i--) rac_release(ladder[i]);
}

TEST(what_lies_behind_no_change_is_not_computed) {
  formula coarse = {0}, behind = {0};
  owned rac_property *p = property(10);
  owned rac_property *tens =
      rac_property_map(p, RAC_PROPERTY_DISTINCT, CALLBACK_FOR(&coarse, tenth));
  owned rac_property *last = mapped(tens, &behind);
  for (int i = 11; i < 20; i++) rac_property_set(p, I(i));
  CHECK_INT(coarse.runs, 10);
  CHECK_INT(behind.runs, 1);
  rac_property_set(p, I(20));
  CHECK_INT(behind.runs, 2);
  CHECK_INT(number(last), 3);
}

/* One that changes is enough, and those that did not are as they were. */
TEST(an_input_that_does_not_change_keeps_its_value) {
  formula coarse = {0}, fine = {0}, top = {0};
  owned rac_property *p = property(10);
  owned rac_property *tens =
      rac_property_map(p, RAC_PROPERTY_DISTINCT, CALLBACK_FOR(&coarse, tenth));
  owned rac_property *next = mapped(p, &fine);
  owned rac_property *both = pair(tens, next, &top);
  finished recorder r = {0};
  listen(both, &r);
  rac_property_set(p, I(11));
  rac_property_set(p, I(25));
  CHECK_EVENTS(&r, "(1,11) (1,12) (2,26)");
  CHECK_INT(top.runs, 3);
}

/* ---- Ends and failures ---------------------------------------------------- */

TEST(a_failure_ends_what_is_made_of_it_and_nothing_else) {
  formula bad = {.fails_at = 13}, good = {0}, top = {0}, other = {0};
  owned rac_property *p = property(1);
  owned rac_property *a = mapped(p, &bad), *b = mapped(p, &good);
  owned rac_property *both = pair(a, b, &top), *alone = mapped(b, &other);
  finished recorder ra = {0}, rb = {0}, rboth = {0}, ralone = {0};
  listen(a, &ra);
  listen(b, &rb);
  listen(both, &rboth);
  listen(alone, &ralone);
  int runs = top.runs;
  CHECK_STATUS(rac_property_set(p, I(13)), RAC_OK);
  CHECK_INT(top.runs, runs);
  rac_property_set(p, I(2));
  CHECK_EVENTS(&ra, "2 #-77");
  CHECK_EVENTS(&rb, "2 14 3");
  CHECK_EVENTS(&rboth, "(2,2) #-77");
  CHECK_EVENTS(&ralone, "3 15 4");
  CHECK_INT(number(a), 2);
}

static char order[64];

static void note_end(recorder *self) { strcat(order, self->user); }

TEST(ends_come_by_height) {
  formula f = {0};
  rac_property *p = property(1);
  owned rac_property *low = mapped(p, &f), *middle = mapped(low, &f);
  owned rac_property *high = pair(low, middle, &f);
  recorder rl = {.on_end = note_end, .user = "low "};
  recorder rm = {.on_end = note_end, .user = "middle "};
  recorder rh = {.on_end = note_end, .user = "high "};
  order[0] = 0;
  listen(high, &rh);
  listen(low, &rl);
  listen(middle, &rm);
  rac_release(p);
  CHECK_TEXT(order, "low middle high ");
  CHECK_INT(number(high) == -1, 1);
  await_end(&rl);
  await_end(&rm);
  await_end(&rh);
}

/* ---- From inside ------------------------------------------------------------ */

typedef struct watch {
  rac_property *low, *high, *root;
  int64_t differs;
} watch;

static void compare(recorder *self, rac_value value) {
  watch *w = self->user;
  (void)value;
  /* All that the turn computed is there, whoever is told first. */
  if (number(w->high) != number(w->low) + 1) w->differs++;
  if (number(w->root) != number(w->low) - 1) w->differs++;
}

TEST(who_is_told_sees_the_whole_turn) {
  formula f = {0};
  owned rac_property *p = property(1);
  owned rac_property *low = mapped(p, &f), *high = mapped(low, &f);
  watch w = {low, high, p, 0};
  finished recorder rl = {.on_next = compare, .user = &w};
  finished recorder rh = {.on_next = compare, .user = &w};
  finished recorder rp = {.on_next = compare, .user = &w};
  listen(p, &rp);
  listen(low, &rl);
  listen(high, &rh);
  for (int i = 2; i < 10; i++) rac_property_set(p, I(i));
  CHECK_INT(w.differs, 0);
  CHECK_INT(rh.nexts, 9);
}

typedef struct setter {
  rac_property *target;
  rac_status status;
  int64_t below;
} setter;

static void set_next(recorder *self, rac_value value) {
  setter *s = self->user;
  if (value.bits >= s->below) return;
  s->status = rac_property_set(s->target, I(value.bits + 1));
}

TEST(a_set_in_a_callback_is_a_turn_of_its_own) {
  formula f = {0}, top = {0};
  owned rac_property *p = property(1), *q = property(1);
  owned rac_property *a = mapped(p, &f), *both = pair(p, a, &top);
  setter same = {p, 0, 4}, other = {q, 0, 9};
  finished recorder r = {.on_next = set_next, .user = &same}, rb = {0};
  listen(both, &rb);
  listen(a, &r);
  /* Greeted with 2, in a turn, it has set 2. */
  CHECK_STATUS(same.status, RAC_QUEUED);
  CHECK_EVENTS(&rb, "(1,2) (3,4)");
  rac_property_set(p, I(1));
  CHECK_STATUS(same.status, RAC_QUEUED);
  CHECK_EVENTS(&rb, "(1,2) (3,4) (1,2) (3,4)");
  finished recorder rq = {.on_next = set_next, .user = &other};
  listen(p, &rq);
  rac_property_set(p, I(5));
  CHECK_STATUS(other.status, RAC_OK);
  CHECK_INT(number(q), 6);
}

typedef struct maker {
  rac_property *of[2];
  rac_property *made;
  formula f;
  recorder heard;
} maker;

static void make_once(recorder *self, rac_value value) {
  maker *m = self->user;
  (void)value;
  if (m->made != NULL || self->nexts < 2) return;
  m->made = pair(m->of[0], m->of[1], &m->f);
  listen(m->made, &m->heard);
}

TEST(one_made_in_a_turn_is_of_that_turn) {
  formula f = {0};
  owned rac_property *p = property(1);
  owned rac_property *low = mapped(p, &f), *high = mapped(low, &f);
  maker m = {.of = {low, high}};
  recorder r = {.on_next = make_once, .user = &m};
  listen(low, &r);
  rac_property_set(p, I(2));
  CHECK_EVENTS(&m.heard, "(3,4)");
  rac_property_set(p, I(3));
  CHECK_EVENTS(&m.heard, "(3,4) (4,5)");
  CHECK_INT(m.f.runs, 2);
  finish(&r);
  finish(&m.heard);
  rac_release(m.made);
}

static void release_it(recorder *self, rac_value value) {
  rac_property **property = self->user;
  (void)value;
  if (self->nexts > 1 && *property) {
    rac_release(*property);
    *property = NULL;
  }
}

TEST(one_released_in_a_turn_completes_and_the_rest_goes_on) {
  formula f = {0};
  owned rac_property *p = property(1);
  rac_property *low = mapped(p, &f), *high = mapped(low, &f);
  recorder r = {.on_next = release_it, .user = &high}, rh = {0};
  listen(high, &rh);
  listen(low, &r);
  rac_property_set(p, I(2));
  CHECK(high == NULL);
  CHECK_EVENTS(&rh, "3 4 |");
  rac_property_set(p, I(3));
  CHECK_EVENTS(&r, "2 3 4");
  await_end(&rh);
  finish(&r);
  rac_release(low);
}

/* ---- Callbacks that reach where they should not ----------------------------- */

static void set_root(formula *self) {
  rac_property *root = self->user;
  if (self->runs == 2) CHECK_STATUS(rac_property_set(root, I(100)), RAC_QUEUED);
}

TEST(a_callback_that_sets_its_own_source_has_a_turn_after_this_one) {
  owned rac_property *p = property(1);
  formula f = {.besides = set_root, .user = p};
  owned rac_property *a = mapped(p, &f);
  finished recorder r = {0};
  listen(a, &r);
  CHECK(rac_property_set(p, I(2)) >= 0);
  CHECK_EVENTS(&r, "2 3 101");
  CHECK_INT(f.runs, 3);
}

static void derive_of_itself(formula *self) {
  maker *m = self->user;
  if (self->runs == 2) m->made = mapped(m->of[0], &m->f);
}

TEST(a_callback_may_derive_from_what_is_being_computed) {
  maker m = {.of = {NULL}};
  formula f = {.besides = derive_of_itself, .user = &m};
  owned rac_property *p = property(1);
  owned rac_property *a = m.of[0] = mapped(p, &f);
  CHECK_STATUS(rac_property_set(p, I(2)), RAC_OK);
  REQUIRE(m.made != NULL);
  CHECK_INT(number(m.made), 4);
  rac_property_set(p, I(3));
  CHECK_INT(number(m.made), 5);
  rac_release(m.made);
}

static void release_source(formula *self) {
  rac_property **source = self->user;
  if (self->runs == 2 && *source) {
    rac_release(*source);
    *source = NULL;
  }
}

TEST(a_callback_may_release_what_it_is_computed_from) {
  rac_property *p = property(1), *q = property(1);
  formula f = {.besides = release_source, .user = &q};
  owned rac_property *a = pair(p, q, &f);
  recorder r = {0};
  listen(a, &r);
  rac_property_set(p, I(2));
  CHECK(q == NULL);
  CHECK_EVENTS(&r, "(1,1) (2,1) |");
  await_end(&r);
  rac_release(p);
}

static rac_status at_most_five(void *context, rac_value value, rac_value *out) {
  enter(context_target(context));
  *out = I(value.bits < 5 ? value.bits + 1 : 5);
  return RAC_OK;
}

/* Bound to what is made of it, a property goes round until nothing changes. */
TEST(a_cycle_through_a_binding_ends_where_nothing_changes) {
  formula f = {0};
  owned rac_property *p = rac_property_create(I(1), RAC_PROPERTY_DISTINCT);
  owned rac_property *next = rac_property_map(p, RAC_PROPERTY_DISTINCT,
                                              CALLBACK_FOR(&f, at_most_five));
  owned rac_disposable *binding =
      rac_property_bind(p, rac_property_as_signal(next), rac_value_nil());
  WAIT_UNTIL(number(p) == 5);
  rac_property_set(p, I(3));
  WAIT_UNTIL(number(p) == 5);
  rac_dispose(binding);
}

/* ---- What else is in a graph ------------------------------------------------- */

static rac_status get_field(void *context, rac_value *out) {
  *out = I(*(int64_t *)context_target(context));
  return RAC_OK;
}
static rac_status set_field(void *context, rac_value value) {
  *(int64_t *)context_target(context) = value.bits;
  return RAC_OK;
}

/* The field may change behind the property's back: who derives from it asks. */
TEST(an_adapter_is_asked_when_something_is_derived_from_it) {
  int64_t field = 1;
  formula f = {0}, g = {0}, top = {0};
  owned rac_property *p = rac_property_create_adapter(
      0, context_new(&field, NULL), get_field, set_field, context_destroy);
  owned rac_property *first = mapped(p, &f);
  field = 7;
  owned rac_property *second = mapped(p, &g), *both = pair(first, second, &top);
  CHECK_INT(number(first), 8);
  CHECK_INT(number(second), 8);
  finished recorder r = {0};
  listen(both, &r);
  rac_property_set(p, I(9));
  CHECK_EVENTS(&r, "(8,8) (10,10)");
}

/* What arrives from the other side is a set as any other. */
TEST(a_bound_property_in_a_diamond_has_one_turn_a_change) {
  formula f = {0}, g = {0}, top = {0};
  owned rac_property *left = property(1), *right = property(1);
  owned rac_disposable *binding = rac_property_bind_two_way(left, right);
  owned rac_property *a = mapped(right, &f), *b = mapped(right, &g);
  owned rac_property *both = pair(a, b, &top);
  finished recorder r = {0};
  listen(both, &r);
  CHECK_STATUS(rac_property_set(left, I(5)), RAC_OK);
  CHECK_STATUS(rac_property_set(right, I(6)), RAC_OK);
  CHECK_EVENTS(&r, "(2,2) (6,6) (7,7)");
  CHECK_INT(top.runs, 3);
}

/* Those that nobody holds any more go at once, however many they are. */
TEST(a_thousand_of_one_root_are_let_go_of_in_any_order) {
  enum { MANY = 1000 };
  static rac_property *all[MANY];
  formula f = {0};
  owned rac_property *p = property(0);
  uint64_t before = rac_live_objects();
  for (int i = 0; i < MANY; i++) all[i] = mapped(p, &f);
  rac_property_set(p, I(1));
  CHECK_INT(f.runs, 2 * MANY);
  for (int i = 0; i < MANY; i += 2) rac_release(all[i]);
  rac_property_set(p, I(2));
  CHECK_INT(f.runs, 2 * MANY + MANY / 2);
  for (int i = MANY - 1; i > 0; i -= 2) rac_release(all[i]);
  rac_property_set(p, I(3));
  CHECK_INT(f.runs, 2 * MANY + MANY / 2);
  CHECK_INT(rac_live_objects(), before);
}
