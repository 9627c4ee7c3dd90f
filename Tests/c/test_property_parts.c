/* Parts of a graph of derived properties that become one while a thread is inside
 * of one of them, in the orders that random graphs do not come to. */
#include "properties.h"
#include "shared_callbacks.h"

static rac_status packed(void *context, const rac_value *inputs, size_t count,
                         rac_value *out) {
  int64_t all = 0;
  (void)context;
  for (size_t i = 0; i < count; i++) all = 100 * all + inputs[i].bits;
  *out = I(all);
  return RAC_OK;
}

typedef struct part {
  rac_property *root, *derived;
  /* Holds whoever delivers 1 here. */
  rac_disposable *holding;
  atomic_bool is_inside, may_leave;
  pthread_t thread;
} part;

static void hold(void *context, rac_value value) {
  part *self = context;
  if (value.bits != 1) return;
  atomic_store(&self->is_inside, true);
  WAIT_UNTIL(atomic_load(&self->may_leave));
}

static void *set_one(void *root) {
  rac_property_set(root, I(1));
  return NULL;
}

static void make_part(part *self) {
  self->root = property(0);
  self->derived = rac_property_map(self->root, 0, NULL, pass_value, NULL);
}

/* A thread is inside from here on. */
static void enter(part *self) {
  self->holding = rac_subscribe_next(rac_property_as_signal(self->derived),
                                     self, hold, NULL);
  self->thread = check_spawn(set_one, self->root);
  WAIT_UNTIL(atomic_load(&self->is_inside));
}

static void leave(part *self) {
  atomic_store(&self->may_leave, true);
  check_join(self->thread);
}

static void drop_part(part *self) {
  if (self->holding) rac_dispose_and_wait(self->holding, -1);
  rac_release(self->holding);
  rac_release(self->derived);
  rac_release(self->root);
}

static rac_property *join(part *first, part *second) {
  rac_property *both[] = {first->derived, second->derived};
  return rac_property_combine_latest(both, 2, 0, NULL, packed, NULL);
}

/* Of two parts the larger one takes in the smaller. `a` is the smaller or the
 * larger of the two, so that either is joined to the other. */
static void join_while_inside(bool is_smaller) {
  part a = {0}, b = {0}, more = {0};
  make_part(&a);
  make_part(&b);
  make_part(&more);
  rac_property *weight = is_smaller ? join(&b, &more) : join(&a, &more);
  enter(&a);
  rac_property *both = join(&a, &b);
  /* Whoever comes to what the thread is at waits until it has left: nobody goes
   * past it, straight into the part that both have become. */
  recorder r = {0};
  record(rac_property_as_signal(a.derived), &r);
  CHECK_EVENTS(&r, "");
  recorder gone = {0};
  record(rac_property_as_signal(a.derived), &gone);
  rac_dispose(gone.subscription);
  /* The other part goes on. What is made of both has its place in it only when
   * the thread has left. */
  recorder rb = {0};
  record(rac_property_as_signal(b.derived), &rb);
  rac_status status = rac_property_set(b.root, I(2));
  CHECK(status == RAC_OK || status == RAC_QUEUED);
  CHECK_STATUS(rac_property_set(a.root, I(3)), RAC_QUEUED);
  CHECK_EVENTS(&r, "");
  CHECK_INT(number(a.derived), 1);
  leave(&a);
  CHECK_EVENTS(&r, "1 3");
  CHECK_EVENTS(&rb, "0 2");
  CHECK_INT(gone.nexts, 0);
  CHECK_INT(number(both), 302);
  CHECK_STATUS(rac_property_set(b.root, I(4)), RAC_OK);
  CHECK_STATUS(rac_property_set(a.root, I(5)), RAC_OK);
  CHECK_INT(number(both), 504);
  CHECK_EVENTS(&r, "1 3 5");
  CHECK_EVENTS(&rb, "0 2 4");
  finish(&r);
  finish(&rb);
  await_end(&gone);
  rac_release(both);
  rac_release(weight);
  drop_part(&a);
  drop_part(&b);
  drop_part(&more);
}

/* Law 25. */
TEST(who_comes_to_a_part_that_is_joined_waits_for_who_is_inside) {
  join_while_inside(true);
}
TEST(who_comes_to_a_part_that_takes_in_another_waits_too) {
  join_while_inside(false);
}
