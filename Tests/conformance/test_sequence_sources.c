/* Sequences of everything that C has in place of Foundation's collections.
 *
 * A dictionary's keys, values and pairs, and sets, are arrays of a program's
 * here, an enumerator is a generator, an index set a range. What could change
 * is changed once the sequence was made. nil in a tuple stays nil: there is
 * no NSNull (docs/Differences.md). */
#include "sequence_laws.h"

#define HUNDRED                                                                \
  "0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 " \
  "28 29 30 31 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 "   \
  "52 53 54 55 56 57 58 59 60 61 62 63 64 65 66 67 68 69 70 71 72 73 74 75 "   \
  "76 77 78 79 80 81 82 83 84 85 86 87 88 89 90 91 92 93 94 95 96 97 98 99"

static rac_status below_five(void *context, rac_value state,
                             rac_value *next_state, rac_value *out) {
  (void)state;
  (void)next_state;
  int *each = context;
  if (*each == 5) return RAC_EEMPTY;
  *out = I((*each)++);
  return RAC_OK;
}
/* It consumes what it goes through, once. */
static rac_sequence *enumerator(void) {
  return rac_sequence_generate(rac_value_nil(), calloc(1, sizeof(int)),
                               below_five, free);
}

static rac_sequence *hundred(bool changed_afterwards) {
  rac_value values[100];
  for (int i = 0; i < 100; i++) values[i] = I(i);
  rac_sequence *s = rac_sequence_from_values(values, 100);
  for (int i = 0; i < 100 && changed_afterwards; i++) values[i] = I(-1);
  return s;
}
static rac_sequence *array(void) { return hundred(false); }
static rac_sequence *changed_array(void) { return hundred(true); }

/* One field of each entry, or both. */
static rac_sequence *dictionary(int field, bool changed_afterwards) {
  char key[] = "foo";
  rac_value entries[3][2] = {
      {S(key), S("bar")}, {S("baz"), S("buzz")}, {I(5), rac_value_nil()}};
  rac_value values[3];
  for (int i = 0; i < 3; i++)
    values[i] = field < 2 ? rac_value_retain(entries[i][field])
                          : rac_value_tuple(entries[i], 2);
  rac_sequence *s = rac_sequence_from_values(values, 3);
  for (int i = 0; i < 3; i++) rac_value_release(values[i]);
  if (changed_afterwards) {
    key[0] = 'x';
    memset(values, 0, sizeof values);
  }
  return s;
}
static rac_sequence *pairs(void) { return dictionary(2, false); }
static rac_sequence *keys(void) { return dictionary(0, false); }
static rac_sequence *values(void) { return dictionary(1, false); }
static rac_sequence *changed_pairs(void) { return dictionary(2, true); }
static rac_sequence *changed_keys(void) { return dictionary(0, true); }
static rac_sequence *changed_values(void) { return dictionary(1, true); }

static rac_sequence *text(bool changed_afterwards) {
  char word[] = "foobar";
  rac_sequence *s = rac_sequence_from_elements(S(word));
  if (changed_afterwards) memset(word, 'x', 6);
  return s;
}
static rac_sequence *string(void) { return text(false); }
static rac_sequence *changed_string(void) { return text(true); }

static rac_sequence *tuple(void) {
  rac_value elements[] = {S("foo"), rac_value_nil(), S("bar"), rac_value_nil()};
  owned_value tuple = rac_value_tuple(elements, 4);
  rac_sequence *s = rac_sequence_from_elements(tuple);
  return s;
}

static rac_sequence *range(void) { return rac_sequence_range(0, 1, 10); }
static rac_sequence *empty_range(void) { return rac_sequence_range(0, 1, 0); }
static rac_sequence *bytes(bool changed_afterwards) {
  unsigned char numbers[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
  rac_sequence *s =
      rac_sequence_from_elements(rac_value_bytes_view(numbers, sizeof numbers));
  if (changed_afterwards) memset(numbers, 7, sizeof numbers);
  return s;
}
static rac_sequence *small_numbers(void) { return bytes(false); }
static rac_sequence *changed_numbers(void) { return bytes(true); }

static const sequence_source sources[] = {
    {"a generator", enumerator, "0 1 2 3 4"},
    {"an array, an ordered set", array, HUNDRED},
    {"an array that changes", changed_array, HUNDRED},
    {"pairs", pairs, "(foo,bar) (baz,buzz) (5,nil)"},
    {"keys, a set", keys, "foo baz 5"},
    {"values", values, "bar buzz nil"},
    {"pairs that change", changed_pairs, "(foo,bar) (baz,buzz) (5,nil)"},
    {"keys that change, a set", changed_keys, "foo baz 5"},
    {"values that change", changed_values, "bar buzz nil"},
    {"a string", string, "f o o b a r"},
    {"a string that changes", changed_string, "f o o b a r"},
    {"a tuple", tuple, "foo nil bar nil"},
    {"a range", range, "0 1 2 3 4 5 6 7 8 9"},
    {"no range", empty_range, ""},
    {"bytes", small_numbers, "0 1 2 3 4 5 6 7 8 9"},
    {"bytes that change", changed_numbers, "0 1 2 3 4 5 6 7 8 9"}};

#define CHECK_LAW(law)                                                         \
  for_each_source(sources, sizeof sources / sizeof sources[0], law)

/* sequence-sources-001, sequence-sources-025, sequence-sources-038,
 * sequence-sources-062, sequence-sources-074, sequence-sources-086,
 * sequence-sources-098, sequence-sources-110, sequence-sources-122,
 * sequence-sources-158, sequence-sources-170, sequence-sources-183,
 * sequence-sources-195, sequence-sources-207, sequence-sources-219: over all
 * sources */
TEST(a_loop_gives_the_values) { CHECK_LAW(iterates); }

/* sequence-sources-014, sequence-sources-026, sequence-sources-087,
 * sequence-sources-099, sequence-sources-111, sequence-sources-123,
 * sequence-sources-135, sequence-sources-147, sequence-sources-159,
 * sequence-sources-171, sequence-sources-196, sequence-sources-208,
 * sequence-sources-220: over all sources */
TEST(an_array_of_the_values) { CHECK_LAW(gives_an_array); }

/* sequence-sources-003, sequence-sources-015, sequence-sources-027,
 * sequence-sources-040, sequence-sources-052, sequence-sources-064,
 * sequence-sources-076, sequence-sources-088, sequence-sources-100,
 * sequence-sources-112, sequence-sources-124, sequence-sources-136,
 * sequence-sources-160, sequence-sources-197, sequence-sources-209: over all
 * sources */
TEST(a_signal_on_the_immediate_scheduler) { CHECK_LAW(sends_at_once); }

/* sequence-sources-004, sequence-sources-016, sequence-sources-028,
 * sequence-sources-053, sequence-sources-065, sequence-sources-077,
 * sequence-sources-089, sequence-sources-101, sequence-sources-125,
 * sequence-sources-137, sequence-sources-173, sequence-sources-186,
 * sequence-sources-198, sequence-sources-210, sequence-sources-222: over all
 * sources */
TEST(a_signal_on_a_background_scheduler) { CHECK_LAW(sends_in_the_background); }

/* sequence-sources-005, sequence-sources-017, sequence-sources-029,
 * sequence-sources-078, sequence-sources-090, sequence-sources-114,
 * sequence-sources-126, sequence-sources-138, sequence-sources-162,
 * sequence-sources-174, sequence-sources-187, sequence-sources-199,
 * sequence-sources-223: over all sources */
TEST(a_signal_yields_between_values) { CHECK_LAW(yields_between_values); }

/* sequence-sources-018, sequence-sources-030, sequence-sources-043,
 * sequence-sources-067, sequence-sources-079, sequence-sources-091,
 * sequence-sources-115, sequence-sources-127, sequence-sources-139,
 * sequence-sources-151, sequence-sources-163, sequence-sources-200,
 * sequence-sources-212, sequence-sources-224: over all sources */
TEST(a_sequence_equals_itself) { CHECK_LAW(equals_itself); }

/* sequence-sources-007, sequence-sources-019, sequence-sources-031,
 * sequence-sources-056, sequence-sources-068, sequence-sources-092,
 * sequence-sources-116, sequence-sources-152, sequence-sources-164,
 * sequence-sources-189, sequence-sources-213: over all sources */
TEST(it_equals_its_values_put_together) {
  CHECK_LAW(equals_concatenated_returns);
}

/* sequence-sources-020, sequence-sources-032, sequence-sources-045,
 * sequence-sources-057, sequence-sources-069, sequence-sources-081,
 * sequence-sources-105, sequence-sources-129, sequence-sources-141,
 * sequence-sources-177, sequence-sources-190, sequence-sources-214,
 * sequence-sources-226: over all sources */
TEST(it_differs_from_another) { CHECK_LAW(differs_from_another); }

/* sequence-sources-009, sequence-sources-033, sequence-sources-046,
 * sequence-sources-058, sequence-sources-082, sequence-sources-094,
 * sequence-sources-106, sequence-sources-130, sequence-sources-142,
 * sequence-sources-154, sequence-sources-166, sequence-sources-191,
 * sequence-sources-203, sequence-sources-215: over all sources */
TEST(a_copy_is_the_same_one) { CHECK_LAW(is_its_own_copy); }

/* sequence-sources-011, sequence-sources-035, sequence-sources-048,
 * sequence-sources-060, sequence-sources-072, sequence-sources-084,
 * sequence-sources-096, sequence-sources-108, sequence-sources-144,
 * sequence-sources-156, sequence-sources-168, sequence-sources-180,
 * sequence-sources-193, sequence-sources-229: over all sources */
TEST(a_right_fold_rebuilds_it) { CHECK_LAW(is_rebuilt_from_the_right); }

/* sequence-sources-012, sequence-sources-024, sequence-sources-036,
 * sequence-sources-049, sequence-sources-061, sequence-sources-109,
 * sequence-sources-121, sequence-sources-133, sequence-sources-145,
 * sequence-sources-157, sequence-sources-169, sequence-sources-181,
 * sequence-sources-194, sequence-sources-206, sequence-sources-218,
 * sequence-sources-230: over all sources */
TEST(a_left_fold_rebuilds_it) { CHECK_LAW(is_rebuilt_from_the_left); }

static rac_status first_of_two(void *context, const rac_value *elements,
                               size_t count, rac_value *out) {
  (void)context_target(context);
  CHECK_INT(count, 2);
  *out = rac_value_retain(elements[0]);
  return RAC_OK;
}

/* sequence-sources-037: as many as buffers are long elsewhere */
TEST(sixteen_zeros_zipped_with_themselves) {
  owned rac_sequence *zeros = seq("0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0");
  rac_sequence *both[] = {zeros, zeros};
  CHECK_SEQUENCE(rac_sequence_zip_reduce(both, 2, CALLBACK(first_of_two)),
                 "0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0");
}

/* sequence-sources-182: a heart and a diamond, each asked to be in colour */
TEST(a_character_has_its_variation_selector) {
  CHECK_SEQUENCE(
      rac_sequence_from_elements(S("\xe2\x99\xa5\xef\xb8\x8f\xe2\x99\xa6"
                                   "\xef\xb8\x8f")),
      "\xe2\x99\xa5\xef\xb8\x8f \xe2\x99\xa6\xef\xb8\x8f");
}
