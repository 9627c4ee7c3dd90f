/* What sequences have in common with signals: the operators of streams, read
 * from the head to the end. */
#include "sequences.h"
#include "shared_callbacks.h"

static rac_sequence *forever(void) {
  return rac_sequence_range(0, 0, SIZE_MAX);
}

/* sequence-001: nothing in it */
TEST(empty_has_no_values) { CHECK_SEQUENCE(rac_sequence_empty(), ""); }

/* sequence-003, sequence-004: two, and three */
TEST(concat_puts_one_behind_the_other) {
  rac_sequence *s = rac_sequence_return(I(0)), *one = rac_sequence_return(I(1)),
               *two = rac_sequence_return(I(2));
  SEQ(s, concat, one);
  CHECK_VALUES(s, "0 1");
  SEQ(s, concat, two);
  CHECK_SEQUENCE(s, "0 1 2");
  rac_release(one);
  rac_release(two);
}

/* ---- bind --------------------------------------------------------------- */

/* What the callback of a binding is to do: n + 1 unless it is said otherwise. */
typedef struct binding {
  int64_t empty_for; /* an empty sequence for this one */
  bool gives_none;
  bool stops;
  atomic_int calls;
} binding;

static rac_status bind_as_told(void *context, rac_value value, bool *stop,
                               rac_sequence **out) {
  binding *self = context_target(context);
  atomic_fetch_add(&self->calls, 1);
  *stop = self->stops;
  if (self->gives_none) return RAC_OK;
  *out = value.bits == self->empty_for ? rac_sequence_empty()
                                       : rac_sequence_return(I(value.bits + 1));
  return RAC_OK;
}

/* Binds and takes over the source. */
static void check_bind(rac_sequence *source, binding how, const char *expected,
                       int calls) {
  SEQ(source, bind, CALLBACK_FOR(&how, bind_as_told));
  CHECK_SEQUENCE(source, expected);
  CHECK_INT(how.calls, calls);
}

/* sequence-007, sequence-008, sequence-009: one value, two in order, and an
 * empty sequence among them */
TEST(bind_puts_together_what_the_callback_gives) {
  check_bind(rac_sequence_return(I(0)), (binding){.empty_for = -1}, "1", 1);
  check_bind(seq("0 1"), (binding){.empty_for = -1}, "1 2", 2);
  check_bind(seq("0 1 2"), (binding){.empty_for = 1}, "1 3", 3);
}

/* sequence-010, sequence-011, sequence-012: a source without an end is left at
 * once when the callback gives no sequence, or says stop */
TEST(bind_stops_when_it_is_told_to) {
  check_bind(forever(), (binding){.gives_none = true}, "", 1);
  check_bind(forever(), (binding){.empty_for = -1, .stops = true}, "1", 1);
  check_bind(forever(), (binding){.gives_none = true, .stops = true}, "", 1);
}

static rac_status count_calls(void *context, rac_value running, rac_value next,
                              size_t index, rac_value *out) {
  (void)context_target(context);
  (void)running;
  (void)next;
  *out = I((int64_t)index);
  return RAC_OK;
}

/* sequence-013: what a binding counts begins at 0 for every evaluation. A
 * sequence is evaluated once, so that is every sequence that is made. */
TEST(state_belongs_to_one_evaluation) {
  owned rac_sequence *source = seq("7 7 7");
  for (int i = 0; i < 2; i++) {
    rac_sequence *s =
        rac_sequence_scan_with_index(source, I(0), CALLBACK(count_calls));
    CHECK_VALUES(s, "0 1 2");
    CHECK_SEQUENCE(s, "0 1 2");
  }
}

static rac_status plus_one_or_empty(void *context, rac_value value,
                                    rac_sequence **out) {
  (void)context_target(context);
  *out = value.bits == 1 ? rac_sequence_empty()
                         : rac_sequence_return(I(value.bits + 1));
  return RAC_OK;
}
static rac_status plus_one_or_none(void *context, rac_value value,
                                   rac_sequence **out) {
  (void)context_target(context);
  if (value.bits != 1) *out = rac_sequence_return(I(value.bits + 1));
  return RAC_OK;
}

/* sequence-017, sequence-018: an empty sequence, and none, are left out and
 * stop nothing */
TEST(flatten_map_goes_on_after_an_empty_sequence) {
  owned rac_sequence *s = seq("0 1 2");
  CHECK_SEQUENCE(rac_sequence_flatten_map(s, CALLBACK(plus_one_or_empty)),
                 "1 3");
  CHECK_SEQUENCE(rac_sequence_flatten_map(s, CALLBACK(plus_one_or_none)),
                 "1 3");
}

/* sequence-019 */
TEST(map) {
  rac_sequence *s = seq("0 1 2");
  SEQ(s, map, CALLBACK(plus_one));
  CHECK_SEQUENCE(s, "1 2 3");
}

/* sequence-022 */
TEST(ignore) {
  rac_sequence *s = seq("0 1 2 3 4 5 6");
  SEQ(s, ignore, I(1));
  CHECK_SEQUENCE(s, "0 2 3 4 5 6");
  s = seq("nil 0 nil");
  SEQ(s, ignore, rac_value_nil());
  CHECK_SEQUENCE(s, "0");
}

/* sequence-023: equal text at another address */
TEST(ignore_compares_values) {
  char text[] = "ignore me";
  rac_value values[] = {S(text), S("and not me")};
  rac_sequence *s = rac_sequence_from_values(values, 2);
  SEQ(s, ignore, S("ignore me"));
  CHECK_SEQUENCE(s, "and not me");
}

/* sequence-025, sequence-026, sequence-027, sequence-028: of three values */
TEST(skip_and_take) {
  static const struct {
    size_t count;
    const char *skipped, *taken;
  } cases[] = {{0, "0 1 2", ""},
               {1, "1 2", "0"},
               {2, "2", "0 1"},
               {SIZE_MAX, "", "0 1 2"}};
  owned rac_sequence *s = seq("0 1 2");
  for (int i = 0; i < 4; i++) {
    CHECK_SEQUENCE(rac_sequence_skip(s, cases[i].count), cases[i].skipped);
    CHECK_SEQUENCE(rac_sequence_take(s, cases[i].count), cases[i].taken);
  }
}

/* sequence-029: none, one and two of them */
TEST(take_of_a_sequence_without_an_end) {
  owned rac_sequence *s = forever();
  CHECK_SEQUENCE(rac_sequence_take(s, 0), "");
  CHECK_SEQUENCE(rac_sequence_take(s, 1), "0");
  CHECK_SEQUENCE(rac_sequence_take(s, 2), "0 0");
}

/* ---- zip ---------------------------------------------------------------- */

static rac_sequence *words(const char *first, const char *second,
                           const char *third) {
  rac_value values[] = {S(first), S(second), S(third)};
  return rac_sequence_from_values(values, 3);
}

static rac_status sentence(void *context, const rac_value *elements,
                           size_t count, rac_value *out) {
  (void)context_target(context);
  char text[128] = "";
  for (size_t i = 0; i < count; i++) {
    if (i > 0) strcat(text, " ");
    format_value(elements[i], text + strlen(text), sizeof text - strlen(text));
  }
  *out = rac_value_string_copy(text, strlen(text));
  return RAC_OK;
}

/* Who, what they do, to what; and something without an end. */
typedef struct parts {
  rac_sequence *who, *verb, *what, *forever;
} parts;

static parts parts_new(void) {
  return (parts){words("Ada", "Bob", "Dea"), words("eats", "cooks", "jumps"),
                 words("fish", "bear", "rock"), forever()};
}
static void parts_release(parts self) {
  rac_release(self.who);
  rac_release(self.verb);
  rac_release(self.what);
  rac_release(self.forever);
}

/* sequence-033, sequence-034: with one without an end, and with itself */
TEST(zip_of_two) {
  owned rac_sequence *s = seq("0 1 2"), *endless = forever();
  rac_sequence *with_endless[] = {s, endless}, *with_itself[] = {s, s};
  CHECK_SEQUENCE(rac_sequence_zip(with_endless, 2), "(0,0) (1,0) (2,0)");
  CHECK_SEQUENCE(rac_sequence_zip(with_itself, 2), "(0,0) (1,1) (2,2)");
}

/* sequence-035, sequence-037, sequence-038: three, one more without an end, and
 * the same ones in several places */
TEST(zip_reduce) {
  parts p = parts_new();
  rac_sequence *three[] = {p.who, p.verb, p.what};
  rac_sequence *four[] = {p.who, p.verb, p.what, p.forever};
  rac_sequence *six[] = {p.who, p.verb, p.what, p.verb, p.who, p.what};
  CHECK_SEQUENCE(rac_sequence_zip_reduce(three, 3, CALLBACK(sentence)),
                 "Ada eats fish Bob cooks bear Dea jumps rock");
  CHECK_SEQUENCE(rac_sequence_zip_reduce(four, 4, CALLBACK(sentence)),
                 "Ada eats fish 0 Bob cooks bear 0 Dea jumps rock 0");
  CHECK_SEQUENCE(rac_sequence_zip_reduce(six, 6, CALLBACK(sentence)),
                 "Ada eats fish eats Ada fish Bob cooks bear cooks Bob bear "
                 "Dea jumps rock jumps Dea rock");
  parts_release(p);
}

/* sequence-039, sequence-040, sequence-041, sequence-042, sequence-043: one,
 * three, none. An array is the only list of sequences that there is in C. */
TEST(zip_of_a_list) {
  parts p = parts_new();
  rac_sequence *list[] = {p.who, p.verb, p.what};
  CHECK_SEQUENCE(rac_sequence_zip(list, 1), "(Ada) (Bob) (Dea)");
  CHECK_SEQUENCE(rac_sequence_zip(list, 3),
                 "(Ada,eats,fish) (Bob,cooks,bear) (Dea,jumps,rock)");
  CHECK_SEQUENCE(rac_sequence_zip(NULL, 0), "");
  parts_release(p);
}

/* sequence-044, sequence-045: empty ones among them. An array is the only list
 * of sequences that there is in C. */
TEST(concat_of_a_list) {
  rac_sequence *list[] = {
      seq("0 1 2"),         rac_sequence_empty(), seq("3"),
      rac_sequence_empty(), rac_sequence_empty(), seq("4 5 6 7")};
  CHECK_SEQUENCE(rac_sequence_concat_all(list, 6), "0 1 2 3 4 5 6 7");
  for (int i = 0; i < 6; i++) rac_release(list[i]);
}

/* sequence-046: the start is not among the values */
TEST(scan) {
  rac_sequence *s = seq("1 2 3 4");
  SEQ(s, scan, I(0), CALLBACK(add));
  CHECK_SEQUENCE(s, "1 3 6 10");
}

/* ---- Predicates --------------------------------------------------------- */

/* The context is the number to compare with. */
static rac_status at_most(void *context, rac_value value, bool *out) {
  *out = value.bits <= (int64_t)(intptr_t)context;
  return RAC_OK;
}
static rac_status at_least(void *context, rac_value value, bool *out) {
  *out = value.bits >= (int64_t)(intptr_t)context;
  return RAC_OK;
}
static rac_status less(void *context, rac_value value, bool *out) {
  *out = value.bits < (int64_t)(intptr_t)context;
  return RAC_OK;
}
#define NUMBER(n, f) (void *)(intptr_t)(n), f, NULL

/* sequence-048, sequence-049, sequence-050, sequence-052: up to a value, as long
 * as a predicate holds, to the end, and out of what has none */
TEST(taking_with_a_predicate) {
  owned rac_sequence *s = seq("0 1 2 3 0 2 4"),
                     *counter = rac_sequence_range(1, 1, SIZE_MAX);
  CHECK_SEQUENCE(rac_sequence_take_until_predicate(s, NUMBER(3, at_least)),
                 "0 1 2");
  CHECK_SEQUENCE(rac_sequence_take_while(s, NUMBER(1, at_most)), "0 1");
  CHECK_SEQUENCE(rac_sequence_take_while(s, NUMBER(10, at_most)),
                 "0 1 2 3 0 2 4");
  CHECK_SEQUENCE(rac_sequence_take_while(counter, NUMBER(5, at_most)),
                 "1 2 3 4 5");
}

/* sequence-053, sequence-054, sequence-055, sequence-056: what has begun goes
 * on; all, and nothing, skipped */
TEST(skipping_with_a_predicate) {
  owned rac_sequence *s = seq("0 1 2 3 0 2 4");
  CHECK_SEQUENCE(rac_sequence_skip_until_predicate(s, NUMBER(3, at_least)),
                 "3 0 2 4");
  CHECK_SEQUENCE(rac_sequence_skip_while(s, NUMBER(1, at_most)), "2 3 0 2 4");
  CHECK_SEQUENCE(rac_sequence_skip_while(s, NUMBER(10, at_most)), "");
  CHECK_SEQUENCE(rac_sequence_skip_while(s, NUMBER(0, less)), "0 1 2 3 0 2 4");
}

static rac_status joined(void *context, const rac_value *elements, size_t count,
                         rac_value *out) {
  (void)context_target(context);
  char text[64] = "";
  for (size_t i = 0; i < count; i++)
    format_value(elements[i], text + strlen(text), sizeof text - strlen(text));
  *out = rac_value_string_copy(text, strlen(text));
  return RAC_OK;
}

/* sequence-059 */
TEST(reduce_each) {
  rac_sequence *first = words("foo", "buzz", ""),
               *second = words("bar", "baz", "_"), *both[] = {first, second};
  rac_sequence *s = rac_sequence_zip(both, 2);
  SEQ(s, reduce_each, CALLBACK(joined));
  CHECK_SEQUENCE(s, "foobar buzzbaz _");
  rac_release(first);
  rac_release(second);
}
