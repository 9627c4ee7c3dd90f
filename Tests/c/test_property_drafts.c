/* Derived properties that have a value and no place in the graph yet, because a
 * thread is in the turn: what others make of them meanwhile. */
#include "properties.h"
#include "shared_callbacks.h"

static rac_status added(void *context, const rac_value *inputs, size_t count,
                        rac_value *out) {
  int64_t all = 0;
  (void)context;
  for (size_t i = 0; i < count; i++) all += inputs[i].bits;
  *out = I(all);
  return RAC_OK;
}

#define LONG_TEXT "a text that is too long to lie in the value itself"

static rac_status text(void *context, rac_value value, rac_value *out) {
  (void)context, (void)value;
  *out = rac_value_string_copy(LONG_TEXT, strlen(LONG_TEXT));
  return RAC_OK;
}

typedef struct scene {
  /* The thread of the test is in the turn of the first one's part. */
  rac_property *root, *other, *text, *made, *waiting, *late;
  void (*inside)(struct scene *self);
  atomic_int stage, wrong;
  pthread_t thread;
} scene;

static void act_inside(void *context, rac_value value) {
  scene *self = context;
  if (value.bits == 1) self->inside(self);
}

static bool is_text(rac_value value) {
  const char *read = NULL;
  return rac_value_get_string(value, &read, NULL) == RAC_OK &&
         strcmp(read, LONG_TEXT) == 0;
}

/* Makes two parts, of which the second stays what it is when they are joined; and
 * has `inside` called in the turn of the first. */
static void play_scene(scene *self) {
  rac_property *more = property(0);
  self->root = property(0);
  self->other = property(1);
  rac_property *heavy[] = {self->other, more};
  rac_property *first = rac_property_map(more, 0, NULL, pass_value, NULL);
  rac_property *second =
      rac_property_map(self->other, 0, NULL, pass_value, NULL);
  rac_property *both =
      rac_property_combine_latest(heavy, 2, 0, NULL, added, NULL);
  self->text = rac_property_map(self->root, 0, NULL, text, NULL);
  rac_property *derived =
      rac_property_map(self->root, 0, NULL, pass_value, NULL);
  rac_release(rac_subscribe_next(rac_property_as_signal(derived), self,
                                 act_inside, NULL));
  rac_property_set(self->root, I(1));
  atomic_store(&self->stage, 2);
  check_join(self->thread);
  CHECK_INT(atomic_load(&self->wrong), 0);
  rac_release(derived);
  rac_release(both);
  rac_release(second);
  rac_release(first);
  rac_release(more);
  rac_release(self->other);
  rac_release(self->root);
}

/* Whether this is the thread that has yet to run a callback slowly. */
static _Thread_local bool is_late;

static void *derive_late(void *context) {
  scene *self = context;
  is_late = true;
  self->late = rac_property_map(self->made, 0, NULL, pass_value, NULL);
  return NULL;
}

/* From another thread; until that is in the callback of a draft that it derives
 * from. */
static void derive_elsewhere(scene *self) {
  self->thread = check_spawn(derive_late, self);
  WAIT_UNTIL(atomic_load(&self->stage) == 1);
}

/* There, until the turn is over. Whether it was there. */
static bool linger(scene *self) {
  if (!is_late) return false;
  is_late = false;
  atomic_store(&self->stage, 1);
  WAIT_UNTIL(atomic_load(&self->stage) == 2);
  return true;
}

static rac_status look_at_text(void *context, const rac_value *inputs,
                               size_t count, rac_value *out) {
  scene *self = context;
  (void)count;
  if (!is_text(inputs[0])) atomic_fetch_add(&self->wrong, 1);
  *out = inputs[1];
  return RAC_OK;
}

/* ---- The value of a draft that is released ----------------------------------- */

static rac_status read_slowly(void *context, const rac_value *inputs,
                              size_t count, rac_value *out) {
  linger(context);
  return look_at_text(context, inputs, count, out);
}

static void release_draft(scene *self) {
  rac_release(self->text);
  self->text = rac_property_map(self->root, 0, NULL, text, NULL);
  rac_property *inputs[] = {self->text, self->other};
  self->made =
      rac_property_combine_latest(inputs, 2, 0, self, read_slowly, NULL);
  CHECK_STATUS(rac_property_set(self->other, I(2)), RAC_OK);
  derive_elsewhere(self);
  rac_release(self->text);
}

TEST(a_draft_that_is_released_keeps_its_value_for_who_is_at_it) {
  scene self = {.inside = release_draft};
  play_scene(&self);
  CHECK_INT(number(self.late), 2);
  rac_release(self.made);
  rac_release(self.late);
}

/* ---- What is made of one that has gone ---------------------------------------- */

static rac_status derive_inside(void *context, const rac_value *inputs,
                                size_t count, rac_value *out) {
  scene *self = context;
  (void)count;
  if (linger(self))
    rac_release(rac_property_map(self->waiting, 0, NULL, pass_value, NULL));
  *out = inputs[1];
  return RAC_OK;
}

static void release_settled(scene *self) {
  rac_property *inputs[] = {self->root, self->other};
  self->made =
      rac_property_combine_latest(inputs, 2, 0, self, derive_inside, NULL);
  rac_property *of_draft[] = {self->text, self->made};
  self->waiting =
      rac_property_combine_latest(of_draft, 2, 0, self, look_at_text, NULL);
  CHECK_STATUS(rac_property_set(self->other, I(2)), RAC_OK);
  derive_elsewhere(self);
  rac_release(self->text);
}

TEST(a_draft_is_not_made_anew_of_what_has_gone) {
  scene self = {.inside = release_settled};
  play_scene(&self);
  rac_release(self.waiting);
  rac_release(self.made);
  rac_release(self.late);
}

/* ---- Callbacks that ask for what they make ------------------------------------ */

static void *derive_nothing(void *context) { return context; }

static rac_status derive_from_itself(void *context, rac_value value,
                                     rac_value *out) {
  scene *self = context;
  atomic_fetch_add(&self->wrong, 1);
  if (self->made != NULL)
    rac_release(rac_property_map(self->made, 0, NULL, pass_value, NULL));
  *out = value;
  return RAC_OK;
}

static void derive_from_draft(scene *self) {
  rac_release(self->text);
  self->made = rac_property_map(self->root, 0, self, derive_from_itself, NULL);
  self->late = rac_property_map(self->made, 0, NULL, pass_value, NULL);
  CHECK(atomic_load(&self->wrong) < 16);
  atomic_store(&self->wrong, 0);
}

TEST(a_draft_that_is_derived_from_in_its_own_callback) {
  scene self = {.inside = derive_from_draft};
  self.thread = check_spawn(derive_nothing, NULL);
  play_scene(&self);
  CHECK_INT(number(self.late), 1);
  rac_release(self.made);
  rac_release(self.late);
}

static rac_status read_itself(void *context, rac_value value, rac_value *out) {
  scene *self = context;
  self->stage++;
  if (self->made != NULL) number(self->made);
  *out = I(value.bits * 10);
  return RAC_OK;
}

TEST(a_batch_that_reads_what_reads_itself) {
  scene self = {.root = property(1)};
  self.made = rac_property_map(self.root, 0, &self, read_itself, NULL);
  CHECK_STATUS(rac_property_batch_begin(), RAC_OK);
  rac_property_set(self.root, I(2));
  CHECK_INT(number(self.made), 20);
  CHECK(self.stage < 16);
  CHECK_STATUS(rac_property_batch_end(), RAC_OK);
  CHECK_INT(number(self.made), 20);
  rac_release(self.made);
  rac_release(self.root);
}
