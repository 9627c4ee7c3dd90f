/* RACTuple, packing, unpacking and adding. */
#include "operators.h"

#define NIL rac_value_nil()

/* As recorders write values. */
static const char *text_of(rac_value value) {
  static char text[200];
  format_value(value, text, sizeof text);
  return text;
}

#define PACK(...)                                                              \
  rac_value_tuple((rac_value[]){__VA_ARGS__},                                  \
                  sizeof((rac_value[]){__VA_ARGS__}) / sizeof(rac_value))

/* ---- Unpacking ------------------------------------------------------------ */

typedef struct unpacking {
  size_t given, wanted; /* of "foo", nil, "bar" */
  const char *expected[4];
} unpacking;

static const unpacking unpackings[] = {
    {1, 1, {"foo"}},
    {2, 2, {"foo", "nil"}},
    {3, 3, {"foo", "nil", "bar"}},
    {1, 3, {"foo", "nil", "nil"}},
    {3, 1, {"foo"}},
    {0, 2, {"nil", "nil"}},
};

/* tuple-001, tuple-002, tuple-003, tuple-004, tuple-005: each variable gets its
 * value, nil where there is none; what is too much is left out, and so are
 * variables beyond the count */
TEST(unpacking_a_tuple) {
  rac_value values[] = {S("foo"), NIL, S("bar")};
  for (size_t i = 0; i < sizeof unpackings / sizeof *unpackings; i++) {
    const unpacking *u = &unpackings[i];
    owned_value tuple = rac_value_tuple(values, u->given);
    rac_value out[] = {I(-1), I(-1), I(-1), I(-1)};
    CHECK_STATUS(rac_tuple_unpack(tuple, out, u->wanted), RAC_OK);
    for (size_t v = 0; v < 4; v++)
      CHECK_TEXT(text_of(out[v]), v < u->wanted ? u->expected[v] : "-1");
  }
}

/* tuple-006: a value that was retained outlives the tuple */
TEST(an_unpacked_value_can_be_kept) {
  rac_value text = rac_value_string_copy("a text of its own", 17);
  rac_value tuple = PACK(text), out;
  rac_value_release(text);
  rac_tuple_unpack(tuple, &out, 1);
  owned_value kept = rac_value_retain(out);
  rac_value_release(tuple);
  CHECK_TEXT(text_of(kept), "a text of its own");
}

TEST(what_cannot_be_unpacked) {
  rac_value tuple = PACK(I(1)), out[] = {I(-1), I(-1)};
  CHECK_STATUS(rac_tuple_unpack(I(1), out, 2), RAC_EKIND);
  CHECK_TEXT(text_of(out[1]), "nil");
  CHECK_STATUS(rac_tuple_unpack(tuple, NULL, 1), RAC_ENULL);
  CHECK_STATUS(rac_tuple_unpack(tuple, NULL, 0), RAC_OK);
  CHECK_STATUS(rac_tuple_unpack(NIL, NULL, 0), RAC_EKIND);
  rac_value_release(tuple);
}

/* ---- Packing and equality -------------------------------------------------- */

/* Made one after the other by adding. */
static rac_value grown(size_t count, const rac_value *values) {
  rac_value tuple = rac_value_tuple(NULL, 0);
  for (size_t i = 0; i < count; i++) {
    rac_value larger = rac_tuple_by_adding(tuple, values[i]);
    CHECK_INT(rac_tuple_count(larger), i + 1);
    CHECK_INT(rac_tuple_count(tuple), i);
    rac_value_release(tuple);
    tuple = larger;
  }
  return tuple;
}

/* tuple-007, tuple-009, tuple-013, tuple-015, tuple-017, tuple-019, tuple-021:
 * tuples of the same values are equal in both directions and have one hash,
 * however they were made. There is one kind of tuple, not one for each count */
TEST(tuples_are_equal_by_their_values) {
  rac_value values[] = {S("foo"), S("bar"), S("buzz"), S("fizz"), S("bizz")};
  for (size_t count = 1; count <= 5; count++) {
    owned_value packed = rac_value_tuple(values, count);
    owned_value plain = grown(count, values);
    CHECK(rac_value_equal(packed, plain));
    CHECK(rac_value_equal(plain, packed));
    CHECK(rac_value_hash(plain) == rac_value_hash(packed));
    owned_value other = rac_value_tuple(values, count - 1);
    CHECK(!rac_value_equal(packed, other));
    CHECK(!rac_value_equal(other, packed));
  }
}

/* tuple-008: nil is an element like any other, and no missing one */
TEST(a_packed_nil) {
  rac_value a = PACK(NIL), b = PACK(NIL), empty = rac_value_tuple(NULL, 0);
  CHECK(rac_value_equal(a, b));
  CHECK(!rac_value_equal(a, empty));
  CHECK_INT(rac_tuple_count(a), 1);
  rac_value_release(a);
  rac_value_release(b);
  rac_value_release(empty);
}

/* tuple-014, tuple-018, tuple-020, tuple-022: what tells tuples of different
 * sizes apart is their count */
TEST(a_tuple_knows_its_count) {
  rac_value values[] = {I(1), I(2), I(3), I(4), I(5)};
  for (size_t count = 0; count <= 5; count++) {
    owned_value tuple = rac_value_tuple(values, count);
    CHECK_INT(tuple.kind, RAC_TUPLE);
    CHECK_INT(rac_tuple_count(tuple), count);
    for (size_t i = 0; i < count; i++)
      CHECK_INT(rac_tuple_get(tuple, i).bits, i + 1);
    /* Out of range, also what is before an empty one's first. */
    CHECK_INT(rac_tuple_get(tuple, count).kind, RAC_NIL);
    CHECK_INT(rac_tuple_get(tuple, SIZE_MAX).kind, RAC_NIL);
  }
}

/* ---- Adding ---------------------------------------------------------------- */

/* tuple-010, tuple-011: a new tuple with one more, nil or not, in the end, and
 * the others where they were */
TEST(adding_to_a_tuple) {
  owned_value tuple = PACK(S("foo"), NIL, S("bar"));
  rac_value more = rac_tuple_by_adding(tuple, S("buzz"));
  CHECK_TEXT(text_of(more), "(foo,nil,bar,buzz)");
  CHECK_TEXT(text_of(tuple), "(foo,nil,bar)");
  rac_value_release(more);
  more = rac_tuple_by_adding(tuple, NIL);
  CHECK_INT(rac_tuple_count(more), 4);
  CHECK_INT(rac_tuple_get(more, 3).kind, RAC_NIL);
  rac_value_release(more);
}

/* tuple-012: a value that stands for nothing, as NSNull did, is not nil. Here
 * that is any value a program chooses, such as a NULL pointer */
TEST(adding_a_null_that_is_not_nil) {
  rac_value null = rac_value_pointer(NULL, "null", NULL), tuple = PACK(I(1));
  owned_value with_null = rac_tuple_by_adding(tuple, null);
  owned_value with_nil = rac_tuple_by_adding(tuple, NIL);
  CHECK_INT(rac_tuple_get(with_null, 1).kind, RAC_POINTER);
  CHECK(rac_value_equal(rac_tuple_get(with_null, 1), null));
  CHECK(!rac_value_equal(with_null, with_nil));
  rac_value_release(tuple);
}

/* tuple-023, tuple-024, tuple-025: one, two and three elements become two,
 * three and four, equal to tuples that were made of so many */
TEST(adding_to_tuples_of_every_size) {
  rac_value values[] = {S("foo"), S("bar"), S("buzz"), S("fizz"), S("bizz")};
  for (size_t count = 0; count < 5; count++) {
    owned_value tuple = rac_value_tuple(values, count);
    owned_value more = rac_tuple_by_adding(tuple, values[count]);
    owned_value expected = rac_value_tuple(values, count + 1);
    CHECK(rac_value_equal(more, expected));
  }
}

/* What is added is kept: views are copied. */
TEST(what_is_added_is_the_tuples_own) {
  char text[] = "before";
  rac_value tuple = PACK(I(1)), more = rac_tuple_by_adding(tuple, S(text));
  rac_value_release(tuple);
  memcpy(text, "after!", 6);
  CHECK_TEXT(text_of(more), "(1,before)");
  rac_value_release(more);
}

TEST(what_cannot_be_added) {
  owned_value tuple = PACK(I(1));
  rac_value bad = {.kind = 200};
  CHECK_INT(rac_tuple_by_adding(I(1), I(2)).kind, RAC_NIL);
  CHECK_STATUS(rac_last_error_code(), RAC_EKIND);
  rac_clear_last_error();
  CHECK_INT(rac_tuple_by_adding(tuple, bad).kind, RAC_NIL);
  CHECK_STATUS(rac_last_error_code(), RAC_EKIND);
  rac_clear_last_error();
  CHECK_INT(rac_tuple_by_adding(tuple, S("\xff")).kind, RAC_NIL);
  CHECK_STATUS(rac_last_error_code(), RAC_EUTF8);
  rac_value made_up = {.kind = RAC_TUPLE};
  CHECK_INT(rac_tuple_by_adding(made_up, I(2)).kind, RAC_NIL);
}
