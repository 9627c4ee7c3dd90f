/* Properties: get, set, modify, their signals, what ends them. */
#include "properties.h"
#include "shared_callbacks.h"

TEST(set_and_get) {
  owned rac_property *p = property(1);
  CHECK_INT(number(p), 1);
  CHECK_STATUS(rac_property_set(p, I(2)), RAC_OK);
  CHECK_INT(number(p), 2);
  CHECK_STATUS(rac_property_set(p, rac_value_nil()), RAC_OK);
  rac_value value = I(7);
  CHECK_STATUS(rac_property_get(p, &value), RAC_OK);
  CHECK_INT(value.kind, RAC_NIL);
}

TEST(counted_values_come_and_go) {
  rac_value text = rac_value_string_copy("first", 5);
  owned rac_property *p = rac_property_create(text, RAC_PROPERTY_PLAIN);
  rac_value_release(text);
  rac_value got;
  rac_property_get(p, &got);
  CHECK(rac_value_equal(got, S("first")));
  /* A view is copied: the property keeps it. */
  char buffer[] = "second";
  rac_property_set(p, rac_value_string(buffer));
  buffer[0] = 'x';
  rac_value again;
  rac_property_get(p, &again);
  CHECK(rac_value_equal(again, S("second")));
  /* What was read before is the reader's. */
  CHECK(rac_value_equal(got, S("first")));
  rac_property_set(p, I(3));
  CHECK_INT(number(p), 3);
  rac_property_set(p, again);
  rac_value_release(again);
  rac_value_release(got);
  rac_property_get(p, &got);
  CHECK(rac_value_equal(got, S("second")));
  rac_value_release(got);
}

TEST(the_signal_sends_the_current_value_then_changes) {
  rac_property *p = property(1);
  RECORDER(early, rac_property_as_signal(p));
  rac_property_set(p, I(2));
  RECORDER(late, rac_property_as_signal(p));
  rac_property_set(p, I(3));
  CHECK_EVENTS(&early, "1 2 3");
  CHECK_EVENTS(&late, "2 3");
  rac_release(p);
  CHECK_EVENTS(&early, "1 2 3 |");
  CHECK_EVENTS(&late, "2 3 |");
}

TEST(an_equal_set_is_a_change_unless_the_property_is_distinct) {
  recorder plain = {0}, distinct = {0};
  rac_property *p = property(1);
  rac_property *d = rac_property_create(S("a"), RAC_PROPERTY_DISTINCT);
  record(rac_property_as_signal(p), &plain);
  record(rac_property_as_signal(d), &distinct);
  for (int i = 0; i < 2; i++) {
    rac_property_set(p, I(1));
    rac_property_set(d, S("a"));
    rac_property_set(d, rac_value_nil());
    rac_property_set(d, rac_value_nil());
  }
  CHECK_EVENTS(&plain, "1 1 1");
  CHECK_INT(atomic_load(&distinct.nexts), 4);
  rac_release(p);
  rac_release(d);
  await_end(&plain);
  await_end(&distinct);
}

TEST(changes_are_pairs) {
  rac_property *p = property(1);
  owned rac_signal *changes = rac_property_changes(p);
  RECORDER(r, changes);
  CHECK_EVENTS(&r, "");
  rac_property_set(p, I(2));
  rac_property_set(p, rac_value_nil());
  CHECK_EVENTS(&r, "(1,2) (2,nil)");
  rac_release(p);
  CHECK_EVENTS(&r, "(1,2) (2,nil) |");
}

TEST(modify_makes_the_next_value_of_the_current_one) {
  owned rac_property *p = property(1);
  CHECK_STATUS(rac_property_modify(p, CALLBACK(plus_one)), RAC_OK);
  CHECK_INT(number(p), 2);
  CHECK_STATUS(rac_property_modify(p, CALLBACK(map_not_two)), -22);
  CHECK_INT(number(p), 2);
}

/* Reentrancy: on_next of a recorder. */

static void set_higher(recorder *self, rac_value value) {
  if (value.bits >= 4) return;
  CHECK_STATUS(rac_property_set(self->user, I(value.bits + 1)), RAC_QUEUED);
  CHECK_INT(number(self->user), value.bits);
}

/* Laws 3 and 23: a set is a send. */
TEST(a_set_inside_a_callback_waits_for_its_turn) {
  owned rac_property *p = property(1);
  finished recorder first = {.on_next = set_higher, .user = p};
  RECORDER(second, rac_property_as_signal(p));
  record(rac_property_as_signal(p), &first);
  CHECK_EVENTS(&first, "1 2 3 4");
  CHECK_EVENTS(&second, "1 2 3 4");
  CHECK_INT(number(p), 4);
}

typedef struct pair {
  rac_property *property;
  recorder inner;
  bool has_joined;
} pair;

static void set_and_join(recorder *self, rac_value value) {
  pair *pair = self->user;
  if (pair->has_joined || value.bits != 2) return;
  pair->has_joined = true;
  CHECK_STATUS(rac_property_set(pair->property, I(3)), RAC_QUEUED);
  record(rac_property_as_signal(pair->property), &pair->inner);
  /* Here and now, although the property is delivering. */
  CHECK_EVENTS(&pair->inner, "2");
  CHECK_STATUS(rac_property_set(pair->property, I(4)), RAC_QUEUED);
}

/* Law 23: the current value, and what has yet to come. */
TEST(a_subscriber_from_inside_a_callback_misses_nothing) {
  pair pair = {.property = property(1)};
  recorder outer = {.on_next = set_and_join, .user = &pair};
  record(rac_property_as_signal(pair.property), &outer);
  CHECK_STATUS(rac_property_set(pair.property, I(2)), RAC_OK);
  /* Of the two sets that waited the last counts. */
  CHECK_EVENTS(&outer, "1 2 4");
  CHECK_EVENTS(&pair.inner, "2 4");
  finish(&outer);
  finish(&pair.inner);
  rac_release(pair.property);
}

static void count_heard(void *context, rac_value value) {
  (void)value;
  ++*(int64_t *)context;
}

typedef struct crowd {
  rac_property *property;
  int64_t size;
  int64_t heard;
} crowd;

static void bring_a_crowd(recorder *self, rac_value value) {
  crowd *crowd = self->user;
  rac_signal *signal = rac_property_as_signal(crowd->property);
  for (int64_t i = 0; value.bits == 2 && i < crowd->size; i++)
    rac_release(rac_subscribe_next(signal, &crowd->heard, count_heard, NULL));
}

/* In time that grows with their number, not with its square. */
TEST(a_crowd_of_subscribers_from_inside_a_callback) {
  crowd crowd = {.property = property(1), .size = check_scaled(100000)};
  recorder outer = {.on_next = bring_a_crowd, .user = &crowd};
  record(rac_property_as_signal(crowd.property), &outer);
  rac_property_set(crowd.property, I(2));
  CHECK_INT(crowd.heard, crowd.size);
  rac_property_set(crowd.property, I(3));
  CHECK_INT(crowd.heard, 2 * crowd.size);
  finish(&outer);
  rac_release(crowd.property);
}

static void join_in_greeting(recorder *self, rac_value value) {
  (void)value;
  pair *pair = self->user;
  if (pair->has_joined) return;
  pair->has_joined = true;
  record(rac_property_as_signal(pair->property), &pair->inner);
  rac_dispose(pair->inner.subscription);
  rac_release(pair->inner.subscription);
  pair->inner.subscription = NULL;
  atomic_store(&pair->inner.destroyed, 0);
  pair->inner.text[0] = 0;
}

TEST(a_subscriber_that_leaves_in_its_greeting_is_gone) {
  pair pair = {.property = property(1)};
  recorder outer = {.on_next = join_in_greeting, .user = &pair};
  record(rac_property_as_signal(pair.property), &outer);
  rac_property_set(pair.property, I(2));
  CHECK_EVENTS(&outer, "1 2");
  CHECK_EVENTS(&pair.inner, "");
  finish(&outer);
  rac_release(pair.property);
}

static void release_it(recorder *self, rac_value value) {
  if (value.bits == 2) CHECK_STATUS(rac_release(self->user), RAC_OK);
}

TEST(released_inside_its_own_callback) {
  rac_property *p = property(1);
  finished recorder r = {.on_next = release_it, .user = p};
  record(rac_property_as_signal(p), &r);
  rac_property_set(p, I(2));
  CHECK_EVENTS(&r, "1 2 |");
  CHECK_STATUS(rac_property_set(p, I(3)), RAC_ESTALE);
}

TEST(first_gives_the_current_value) {
  owned rac_property *p = property(5);
  rac_value value;
  CHECK_STATUS(rac_signal_first(rac_property_as_signal(p), 0, &value), RAC_OK);
  CHECK_INT(value.bits, 5);
}

TEST(a_handle_made_of_a_value_does_not_end_the_property) {
  rac_property *p = property(1);
  rac_value value = rac_value_signal(rac_property_as_signal(p));
  RECORDER_OF(r, rac_value_to_signal(value));
  rac_value_release(value);
  rac_property_set(p, I(2));
  CHECK_EVENTS(&r, "1 2");
  rac_release(p);
  CHECK_EVENTS(&r, "1 2 |");
}

TEST(retaining_what_is_lent_as_a_signal_retains_the_property) {
  rac_property *p = property(1);
  rac_signal *lent = rac_retain(rac_property_as_signal(p));
  RECORDER(r, lent);
  rac_release(p);
  CHECK_EVENTS(&r, "1");
  CHECK_STATUS(rac_property_set(p, I(2)), RAC_OK);
  CHECK_EVENTS(&r, "1 2");
  rac_release(lent);
  CHECK_EVENTS(&r, "1 2 |");
}

/* Whatever else there is of it: a signal of its changes here. */
TEST(a_property_that_is_gone_keeps_no_value) {
  atomic_int destroyed = 0;
  rac_value text = rac_value_string_owned(
      "kept", 4, context_new(NULL, &destroyed), context_destroy);
  rac_property *p = rac_property_create(text, RAC_PROPERTY_PLAIN);
  rac_value_release(text);
  owned rac_signal *changes = rac_property_changes(p);
  RECORDER(r, changes);
  CHECK_INT(destroyed, 0);
  rac_release(p);
  CHECK_INT(destroyed, 1);
  CHECK_EVENTS(&r, "|");
}

TEST(bad_input) {
  rac_value value = I(9);
  CHECK(rac_property_create(I(1), 2) == NULL);
  CHECK_STATUS(rac_last_error_code(), RAC_EINVAL);
  CHECK(rac_property_create((rac_value){.kind = 77}, 0) == NULL);
  CHECK_STATUS(rac_last_error_code(), RAC_EKIND);
  CHECK_STATUS(rac_property_get(NULL, &value), RAC_ENULL);
  CHECK_INT(value.kind, RAC_NIL);
  CHECK_STATUS(rac_property_set(NULL, I(1)), RAC_ENULL);
  rac_clear_last_error();
  CHECK(rac_property_as_signal(NULL) == NULL);
  CHECK(rac_property_changes(NULL) == NULL);
  CHECK_STATUS(rac_property_modify(NULL, CALLBACK(times_ten)), RAC_ENULL);
  CHECK_STATUS(
      rac_property_modify(NULL, context_new(NULL, NULL), NULL, context_destroy),
      RAC_ENULL);

  rac_subject *subject = rac_subject_create();
  rac_property *no_property = (rac_property *)subject;
  CHECK_STATUS(rac_property_get(no_property, &value), RAC_EKIND);
  CHECK_STATUS(rac_property_set(no_property, I(1)), RAC_EKIND);
  CHECK_STATUS(rac_property_set(no_property, S("text")), RAC_EKIND);
  CHECK(rac_property_as_signal(no_property) == NULL);
  rac_release(subject);

  rac_property *p = property(1);
  CHECK_STATUS(rac_property_get(p, NULL), RAC_ENULL);
  CHECK_STATUS(rac_property_set(p, (rac_value){.kind = 77}), RAC_EKIND);
  CHECK_STATUS(rac_property_set(p, S("\xff")), RAC_EUTF8);
  CHECK_STATUS(rac_subject_send((rac_subject *)p, I(2)), RAC_EKIND);
  CHECK_STATUS(rac_subject_send_completed((rac_subject *)p), RAC_EKIND);
  CHECK_INT(number(p), 1);
  rac_release(p);
  CHECK_STATUS(rac_property_get(p, &value), RAC_ESTALE);
  CHECK_STATUS(rac_property_set(p, I(1)), RAC_ESTALE);
  CHECK(rac_property_as_signal(p) == NULL);
  CHECK_STATUS(rac_property_get((rac_property *)(uintptr_t)~0ull, &value),
               RAC_ESTALE);
}

TEST(a_distinct_property_compares_numbers_of_all_kinds) {
  owned rac_property *p = rac_property_create(I(5), RAC_PROPERTY_DISTINCT);
  RECORDER(r, rac_property_as_signal(p));
  CHECK_STATUS(rac_property_set(p, rac_value_double(5)), RAC_OK);
  CHECK_STATUS(rac_property_set(p, rac_value_double(6)), RAC_OK);
  CHECK_STATUS(rac_property_set(p, I(6)), RAC_OK);
  CHECK_INT(atomic_load(&r.nexts), 2);
}
