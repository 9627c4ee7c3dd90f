/* What signals share with other streams: the operators that look at one value
 * at a time. */
#include "streams.h"

/* ---- map, filter, ignore ------------------------------------------------ */

static rac_status plus_one(void *context, rac_value value, rac_value *out) {
  int *calls = context_target(context);
  if (calls) ++*calls;
  *out = I(value.bits + 1);
  return RAC_OK;
}

/* signal-019 */
TEST(map_sends_what_is_made_of_each_value) {
  int calls = 0;
  rac_signal *s = cold("0 1 2 |", NULL);
  APPLY(s, map, CALLBACK_FOR(&calls, plus_one));
  CHECK_SIGNAL(s, "1 2 3 |");
  CHECK_INT(calls, 3);
}

/* What comes out of a stream of values and nils is as many of the new one. */
TEST(map_replace_sends_one_value_for_each) {
  rac_signal *s = cold("0 nil 2 |", NULL);
  APPLY(s, map_replace, S("x"));
  CHECK_SIGNAL(s, "x x x |");
}

/* signal-021 */
TEST(filter_passes_what_it_says_yes_to) {
  rac_signal *s = cold("0 1 2 3 4 5 6 |", NULL);
  APPLY(s, filter, CALLBACK(is_even));
  CHECK_SIGNAL(s, "0 2 4 6 |");
}

/* signal-022 */
TEST(ignore_drops_a_value) {
  rac_signal *s = cold("0 1 2 1 4 1 6 |", NULL);
  APPLY(s, ignore, I(1));
  CHECK_SIGNAL(s, "0 2 4 6 |");
}

/* signal-023: the text counts, not where it lies */
TEST(ignore_compares_content) {
  char text[] = "drop";
  rac_value copy = rac_value_string_copy(text, 4);
  rac_signal *s = words("keep drop keep drop");
  APPLY(s, ignore, copy);
  CHECK_SIGNAL(s, "keep keep |");
  s = words("keep drop");
  APPLY(s, ignore, S(text));
  memcpy(text, "xxxx", 4);
  CHECK_SIGNAL(s, "keep |");
  rac_value_release(copy);
}

/* ---- startWith ---------------------------------------------------------- */

/* signal-024 */
TEST(start_with_sends_its_value_first) {
  rac_signal *s = rac_signal_return(I(1));
  APPLY(s, start_with, I(0));
  CHECK_SIGNAL(s, "0 1 |");
}

static void note_subscribed(recorder *self, rac_value value) {
  source *counts = self->user;
  if (value.bits == 0) CHECK_INT(counts->subscribed, 0);
}

/* The value has been heard before the source begins. */
TEST(start_with_subscribes_afterwards) {
  source counts = {0};
  rac_signal *s = cold("1 |", &counts);
  APPLY(s, start_with, I(0));
  recorder r = {.on_next = note_subscribed, .user = &counts};
  record(s, &r);
  CHECK_EVENTS(&r, "0 1 |");
  await_end(&r);
  rac_release(s);
}

/* ---- skip and take ------------------------------------------------------ */

/* signal-025, signal-026: none, one, two, and more than there are */
TEST(skip_drops_the_first_values) {
  static const struct {
    size_t count;
    const char *expected;
  } cases[] = {
      {0, "0 1 2 |"}, {1, "1 2 |"}, {2, "2 |"}, {4, "|"}, {SIZE_MAX, "|"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    rac_signal *s = cold("0 1 2 |", NULL);
    APPLY(s, skip, cases[i].count);
    /* Each subscription counts for itself. */
    rac_retain(s);
    CHECK_SIGNAL(s, cases[i].expected);
    CHECK_SIGNAL(s, cases[i].expected);
  }
}

/* signal-027, signal-028: none, one, two, and more than there are */
TEST(take_passes_the_first_values) {
  static const struct {
    size_t count;
    const char *expected;
  } cases[] = {{0, "|"},       {1, "0 |"},     {2, "0 1 |"},
               {3, "0 1 2 |"}, {4, "0 1 2 |"}, {SIZE_MAX, "0 1 2 |"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    source counts = {0};
    rac_signal *s = cold("0 1 2 |", &counts);
    APPLY(s, take, cases[i].count);
    CHECK_SIGNAL(s, cases[i].expected);
    CHECK_INT(counts.subscribed, cases[i].count == 0 ? 0 : 1);
    CHECK_INT(counts.disposed, counts.subscribed);
  }
}

/* signal-029: the stream stops when it has sent enough, or never starts */
TEST(take_ends_an_endless_stream) {
  const char *const expected[] = {"|", "7 |", "7 7 |"};
  for (size_t i = 0; i < 3; i++) {
    progression units = {7, 0, {0}};
    rac_signal *s = endless(&units);
    APPLY(s, take, i);
    CHECK_SIGNAL(s, expected[i]);
    CHECK_INT(units.counts.subscribed, i == 0 ? 0 : 1);
    CHECK_INT(units.counts.disposed, units.counts.subscribed);
  }
}

/* One that sends as time goes by stops as well. */
TEST(take_ends_a_stream_that_goes_on_in_time) {
  rac_scheduler *clock = rac_scheduler_virtual();
  rac_signal *s = rac_signal_interval(clock, 1);
  APPLY(s, take, 2);
  recorder r = {.clock = clock};
  record(s, &r);
  rac_virtual_step_all(clock);
  CHECK_EVENTS(&r, "1:0 2:1 2:|");
  await_end(&r);
  rac_release(s);
  rac_release(clock);
}

/* signal-030 */
TEST(take_one_of_one) {
  rac_signal *s = rac_signal_return(I(7));
  APPLY(s, take, 1);
  CHECK_SIGNAL(s, "7 |");
}

/* ---- scan --------------------------------------------------------------- */

/* signal-046: the start is where it begins, in each subscription, and is not
 * sent */
TEST(scan_sends_the_running_result) {
  rac_signal *s = cold("1 2 3 4 |", NULL);
  APPLY(s, scan, I(0), CALLBACK(add));
  rac_retain(s);
  CHECK_SIGNAL(s, "1 3 6 10 |");
  CHECK_SIGNAL(s, "1 3 6 10 |");
  s = rac_signal_empty();
  APPLY(s, scan, I(9), CALLBACK(add));
  CHECK_SIGNAL(s, "|");
}

static rac_status add_with_index(void *context, rac_value running,
                                 rac_value next, size_t index, rac_value *out) {
  (void)context_target(context);
  *out = I(running.bits + next.bits + (int64_t)index);
  return RAC_OK;
}

/* signal-047 */
TEST(scan_with_index_counts_from_0) {
  rac_signal *s = cold("1 2 3 4 |", NULL);
  APPLY(s, scan_with_index, I(0), CALLBACK(add_with_index));
  rac_retain(s);
  CHECK_SIGNAL(s, "1 4 9 16 |");
  CHECK_SIGNAL(s, "1 4 9 16 |");
}

/* ---- takeUntil and takeWhile with a predicate --------------------------- */

static rac_status up_to(void *context, rac_value value, bool *out) {
  *out = value.bits <= *(int64_t *)context_target(context);
  return RAC_OK;
}

static rac_status beyond(void *context, rac_value value, bool *out) {
  *out = value.bits > *(int64_t *)context_target(context);
  return RAC_OK;
}

typedef rac_signal *(*predicated)(rac_signal *, void *, rac_predicate_fn,
                                  rac_destroy_fn);

static void check_predicate(int line, predicated operator,
                            rac_predicate_fn predicate, int64_t limit,
                            const char *script, const char *expected) {
  rac_signal *source = cold(script, NULL);
  rac_signal *s = operator(source, CALLBACK_FOR(&limit, predicate));
  rac_release(source);
  rac_retain(s);
  check_signal(__FILE__, line, script, s, expected);
  check_signal(__FILE__, line, script, s, expected);
}

/* signal-049, signal-050: some, all, none; what comes after the first that
 * fails is not asked about */
TEST(take_while_passes_values_until_one_fails) {
  predicated take_while = rac_signal_take_while_block;
  check_predicate(__LINE__, take_while, up_to, 1, "0 1 2 3 0 |", "0 1 |");
  check_predicate(__LINE__, take_while, up_to, 10, "0 1 2 3 0 |",
                  "0 1 2 3 0 |");
  check_predicate(__LINE__, take_while, up_to, -1, "0 1 |", "|");
  check_predicate(__LINE__, take_while, up_to, 1, "0 !4", "0 !4");
}

TEST(take_until_passes_values_until_one_matches) {
  predicated take_until = rac_signal_take_until_block;
  check_predicate(__LINE__, take_until, beyond, 1, "0 1 2 0 |", "0 1 |");
  check_predicate(__LINE__, take_until, beyond, 10, "0 1 2 0 |", "0 1 2 0 |");
  check_predicate(__LINE__, take_until, beyond, -1, "0 1 |", "|");
}

/* signal-052 */
TEST(take_while_ends_an_endless_stream) {
  progression numbers = {1, 1, {0}};
  int64_t limit = 5;
  rac_signal *s = endless(&numbers);
  APPLY(s, take_while_block, CALLBACK_FOR(&limit, up_to));
  CHECK_SIGNAL(s, "1 2 3 4 5 |");
  CHECK_INT(numbers.counts.disposed, 1);
}

TEST(take_until_ends_an_endless_stream) {
  progression numbers = {1, 1, {0}};
  int64_t limit = 3;
  rac_signal *s = endless(&numbers);
  APPLY(s, take_until_block, CALLBACK_FOR(&limit, beyond));
  CHECK_SIGNAL(s, "1 2 3 |");
  CHECK_INT(numbers.counts.disposed, 1);
}

/* ---- skipUntil and skipWhile -------------------------------------------- */

/* signal-054, signal-056: some; all pass where the first one fails already */
TEST(skip_while_drops_values_until_one_fails) {
  predicated skip_while = rac_signal_skip_while_block;
  check_predicate(__LINE__, skip_while, up_to, 1, "0 1 2 3 0 2 4 |",
                  "2 3 0 2 4 |");
  check_predicate(__LINE__, skip_while, up_to, -1, "0 1 2 |", "0 1 2 |");
  check_predicate(__LINE__, skip_while, up_to, 9, "0 1 2 |", "|");
  check_predicate(__LINE__, skip_while, up_to, 9, "0 !4", "!4");
}

TEST(skip_until_drops_values_until_one_matches) {
  predicated skip_until = rac_signal_skip_until_block;
  check_predicate(__LINE__, skip_until, beyond, 1, "0 1 2 3 0 2 |",
                  "2 3 0 2 |");
  check_predicate(__LINE__, skip_until, beyond, -1, "0 1 |", "0 1 |");
  check_predicate(__LINE__, skip_until, beyond, 9, "0 1 |", "|");
}

/* ---- combinePrevious and reduceEach ------------------------------------- */

static rac_status check_chain(void *context, rac_value previous, rac_value next,
                              rac_value *out) {
  rac_value *expected = context_target(context);
  CHECK(rac_value_equal(previous, *expected));
  *expected = next;
  *out = next;
  return RAC_OK;
}

/* signal-057: the callback sees nil, then the values themselves */
TEST(combine_previous_begins_with_the_start) {
  rac_value expected = rac_value_nil();
  rac_signal *s = cold("1 2 3 |", NULL);
  APPLY(s, combine_previous, rac_value_nil(),
        CALLBACK_FOR(&expected, check_chain));
  CHECK_SIGNAL(s, "1 2 3 |");
  CHECK_INT(expected.bits, 3);
}

static rac_status with_hyphen(void *context, rac_value previous, rac_value next,
                              rac_value *out) {
  const rac_value both[] = {previous, next};
  return joined(context, both, 2, out);
}

/* signal-058: what the callback makes is not what it gets next */
TEST(combine_previous_does_not_feed_back) {
  rac_signal *s = cold("1 2 3 |", NULL);
  APPLY(s, combine_previous, I(1), CALLBACK_FOR("-", with_hyphen));
  rac_retain(s);
  CHECK_SIGNAL(s, "1-1 1-2 2-3 |");
  CHECK_SIGNAL(s, "1-1 1-2 2-3 |");
}

static rac_value pair(const char *first, const char *second) {
  const rac_value both[] = {S(first), S(second)};
  return rac_value_tuple(both, 2);
}

/* signal-059 */
TEST(reduce_each_unpacks_tuples) {
  rac_value tuples[] = {pair("foo", "bar"), pair("buzz", "baz"), pair("", "_")};
  rac_signal *s = rac_signal_from_values(tuples, 3);
  APPLY(s, reduce_each, CALLBACK_FOR("", joined));
  CHECK_SIGNAL(s, "foobar buzzbaz _ |");
  for (int i = 0; i < 3; i++) rac_value_release(tuples[i]);
}

/* ---- distinctUntilChanged ----------------------------------------------- */

/* signal-113, signal-114, signal-115: numbers, nils between, nils first */
TEST(distinct_until_changed_drops_repetitions) {
  static const char *const cases[][2] = {{"1 2 2 1 1 |", "1 2 1 |"},
                                         {"1 nil nil nil 1 |", "1 nil 1 |"},
                                         {"nil nil 1 |", "nil 1 |"},
                                         {"1 1 !4", "1 !4"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    rac_signal *s = cold(cases[i][0], NULL);
    APPLY0(s, distinct_until_changed);
    rac_retain(s);
    CHECK_SIGNAL(s, cases[i][1]);
    CHECK_SIGNAL(s, cases[i][1]);
  }
}

/* Content counts, and so does the kind: 1 and 1.0 differ. */
TEST(distinct_until_changed_compares_content) {
  rac_signal *s = words("a a b");
  APPLY0(s, distinct_until_changed);
  CHECK_SIGNAL(s, "a b |");
  const rac_value ones[] = {I(1), rac_value_double(1), rac_value_bool(true)};
  s = rac_signal_from_values(ones, 3);
  APPLY0(s, distinct_until_changed);
  CHECK_SIGNAL(s, "1 1 true |");
}
