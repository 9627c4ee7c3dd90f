/* Values: every kind, what the accessors accept, equality, hashes, text. */
#include "check.h"

#include <math.h>

static void check_nil_after(rac_value value, rac_status code) {
  CHECK_INT(value.kind, RAC_NIL);
  CHECK_STATUS(rac_last_error_code(), code);
  CHECK(strlen(rac_last_error_message()) > 0);
  rac_clear_last_error();
}

TEST(a_value_is_sixteen_bytes_and_nil_is_zero) {
  CHECK_INT(sizeof(rac_value), 16);
  rac_value zero;
  memset(&zero, 0, sizeof zero);
  rac_value nil = rac_value_nil();
  CHECK(memcmp(&nil, &zero, sizeof zero) == 0);
}

TEST(scalars_come_back) {
  bool truth = false;
  int64_t number = 0;
  double real = 0;
  CHECK_STATUS(rac_value_get_bool(rac_value_bool(true), &truth), RAC_OK);
  CHECK(truth);
  CHECK_STATUS(rac_value_get_bool(rac_value_bool(false), &truth), RAC_OK);
  CHECK(!truth);
  int64_t numbers[] = {0, 1, -1, INT64_MIN, INT64_MAX};
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
    rac_value value = rac_value_int64(numbers[i]);
    CHECK_STATUS(rac_value_get_int64(value, &number), RAC_OK);
    CHECK(number == numbers[i] && value.bits == numbers[i]);
  }
  double reals[] = {0.0, -0.0, 1.5, -INFINITY, 5e-324};
  for (size_t i = 0; i < sizeof reals / sizeof *reals; i++) {
    CHECK_STATUS(rac_value_get_double(rac_value_double(reals[i]), &real),
                 RAC_OK);
    CHECK(memcmp(&real, &reals[i], sizeof real) == 0);
  }
  CHECK_STATUS(rac_value_get_double(rac_value_double(NAN), &real), RAC_OK);
  CHECK(isnan(real));
}

/* One value of every kind, in the order of their constants. */
enum { KINDS = RAC_UNIT + 1 };

static int thing;
static const rac_object_class thing_class = RAC_OBJECT_CLASS_INIT;

static void make_one_of_each(rac_value *values) {
  owned rac_signal *never = rac_signal_never();
  values[RAC_NIL] = rac_value_nil();
  values[RAC_BOOL] = rac_value_bool(true);
  values[RAC_INT64] = rac_value_int64(1);
  values[RAC_DOUBLE] = rac_value_double(1);
  values[RAC_STRING] = rac_value_string_copy("1", 1);
  values[RAC_BYTES] = rac_value_bytes_copy("1", 1);
  values[RAC_POINTER] = rac_value_pointer(&thing, "thing", NULL);
  values[RAC_OBJECT] =
      rac_value_object_owned(&thing, rac_object_class_register(&thing_class));
  values[RAC_TUPLE] = rac_value_tuple(&values[RAC_INT64], 1);
  values[RAC_ERROR] = test_error(1);
  values[RAC_SIGNAL] = rac_value_signal(never);
  values[RAC_EVENT] = rac_value_event_next(rac_value_int64(1));
  values[RAC_UNIT] = rac_value_unit();
}

static void release_all(rac_value *values) {
  for (int i = 0; i < KINDS; i++) rac_value_release(values[i]);
}

/* A struct that a program filled in as far as it is documented. */
static rac_value dirty(int64_t number) {
  rac_value value;
  memset(&value, 0xFF, sizeof value);
  value.kind = RAC_INT64;
  value.bits = number;
  return value;
}

static rac_status answer_dirty(void *context, rac_value value, rac_value *out) {
  (void)context;
  memset(out, 0xFF, sizeof *out);
  out->kind = RAC_INT64;
  out->bits = value.bits + 1;
  return RAC_OK;
}

static void check_clean(void *context, rac_value value) {
  CHECK_INT(value.kind, RAC_INT64);
  CHECK_INT(value.flags, 0);
  CHECK_INT(value.length, 0);
  ++*(int *)context;
}

TEST(private_fields_of_scalars_are_not_read) {
  int calls = 0;
  owned rac_subject *subject = rac_replay_subject_create(RAC_REPLAY_UNLIMITED);
  owned rac_signal *mapped =
      rac_signal_map(rac_subject_as_signal(subject), NULL, answer_dirty, NULL);
  owned rac_signal *kept = rac_signal_replay(mapped);
  rac_subject_send(subject, dirty(1));
  rac_value pair[] = {dirty(2), dirty(3)};
  rac_subject_send_array(subject, RAC_ARRAY_VALUES, pair, 2);
  rac_release(rac_subscribe_next(kept, &calls, check_clean, NULL));
  CHECK_INT(calls, 3);
  rac_value tuple = rac_value_tuple(pair, 2);
  check_clean(&calls, rac_tuple_get(tuple, 1));
  rac_value_release(tuple);
  rac_value copy = rac_value_retain(dirty(4));
  check_clean(&calls, copy);
  rac_value_release(dirty(5));
  CHECK(rac_value_equal(dirty(6), rac_value_int64(6)));
}

static void check_same(rac_value inlined, rac_value called) {
  CHECK(memcmp(&inlined, &called, sizeof inlined) == 0);
}

TEST(inlined_scalars_are_the_same) {
  check_same(rac_int64(INT64_MIN), rac_value_int64(INT64_MIN));
  check_same(rac_bool(true), rac_value_bool(true));
  check_same(rac_bool(false), rac_value_bool(false));
  check_same(rac_double(-0.5), rac_value_double(-0.5));
}

TEST(every_accessor_refuses_every_other_kind) {
  rac_value values[KINDS];
  make_one_of_each(values);
  for (int kind = 0; kind < KINDS; kind++) {
    rac_value value = values[kind];
    bool truth = false;
    int64_t number = 0;
    double real = 0;
    const char *text = NULL;
    const void *bytes = NULL;
    void *pointer = NULL;
    size_t length = 0;
#define REFUSES(accepted, call)                                                \
  CHECK_STATUS(call, kind == (accepted) ? RAC_OK : RAC_EKIND)
    CHECK_INT(value.kind, kind);
    REFUSES(RAC_BOOL, rac_value_get_bool(value, &truth));
    REFUSES(RAC_INT64, rac_value_get_int64(value, &number));
    REFUSES(RAC_DOUBLE, rac_value_get_double(value, &real));
    REFUSES(RAC_STRING, rac_value_get_string(value, &text, &length));
    REFUSES(RAC_BYTES, rac_value_get_bytes(value, &bytes, &length));
    REFUSES(RAC_POINTER, rac_value_get_pointer(value, NULL, &pointer));
    REFUSES(RAC_OBJECT, rac_value_get_object(value, 0, &pointer));
#undef REFUSES
    CHECK_INT(rac_tuple_count(value), kind == RAC_TUPLE ? 1 : 0);
    rac_signal *signal = rac_value_to_signal(value);
    CHECK((signal != NULL) == (kind == RAC_SIGNAL));
    rac_release(signal);
    /* nil is a legal error. */
    if (kind != RAC_ERROR && kind != RAC_NIL) {
      rac_clear_last_error();
      CHECK_TEXT(rac_error_get_domain(value), "");
      CHECK_INT(rac_error_get_code(value), 0);
      CHECK_TEXT(rac_error_get_message(value), "");
      CHECK_INT(rac_error_get_underlying(value).kind, RAC_NIL);
      CHECK_STATUS(rac_last_error_code(), RAC_EKIND);
    }
  }
  release_all(values);
}

TEST(accessors_need_somewhere_to_write) {
  rac_value values[KINDS];
  make_one_of_each(values);
  CHECK_STATUS(rac_value_get_bool(values[RAC_BOOL], NULL), RAC_ENULL);
  CHECK_STATUS(rac_value_get_int64(values[RAC_INT64], NULL), RAC_ENULL);
  CHECK_STATUS(rac_value_get_double(values[RAC_DOUBLE], NULL), RAC_ENULL);
  CHECK_STATUS(rac_value_get_string(values[RAC_STRING], NULL, NULL), RAC_ENULL);
  CHECK_STATUS(rac_value_get_bytes(values[RAC_BYTES], NULL, NULL), RAC_ENULL);
  CHECK_STATUS(rac_value_get_pointer(values[RAC_POINTER], NULL, NULL),
               RAC_ENULL);
  CHECK_STATUS(rac_value_get_object(values[RAC_OBJECT], 0, NULL), RAC_ENULL);
  const char *text = NULL;
  CHECK_STATUS(rac_value_get_string(values[RAC_STRING], &text, NULL), RAC_OK);
  CHECK_TEXT(text, "1");
  release_all(values);
}

TEST(values_of_different_kinds_differ) {
  rac_value a[KINDS], b[KINDS];
  make_one_of_each(a);
  make_one_of_each(b);
  for (int i = 0; i < KINDS; i++) {
    for (int j = 0; j < KINDS; j++) {
      /* Two signals are never the same one here; true, 1 and 1.0 are. */
      bool numbers =
          i >= RAC_BOOL && i <= RAC_DOUBLE && j >= RAC_BOOL && j <= RAC_DOUBLE;
      bool same = numbers || (i == j && i != RAC_SIGNAL);
      if (rac_value_equal(a[i], b[j]) != same) {
        CHECK_INT(i * 100 + j, -1);
      }
    }
    CHECK(rac_value_equal(a[i], a[i]));
    if (i != RAC_SIGNAL) {
      CHECK(rac_value_hash(a[i]) == rac_value_hash(b[i]));
    }
  }
  release_all(a);
  release_all(b);
}

/* Exactly: a double that an integer would be rounded to is another number. */
TEST(numbers_of_different_kinds) {
  static const int64_t two53 = INT64_C(1) << 53;
  const struct {
    rac_value a, b;
    bool same;
  } cases[] = {{I(0), rac_value_double(-0.0), true},
               {I(0), rac_value_bool(false), true},
               {rac_value_double(0.0), rac_value_bool(false), true},
               {I(2), rac_value_bool(true), false},
               {rac_value_double(0.5), rac_value_bool(true), false},
               {I(1), rac_value_double(1.5), false},
               {I(two53), rac_value_double(9007199254740992.0), true},
               {I(two53 + 1), rac_value_double(9007199254740992.0), false},
               {I(INT64_MAX), rac_value_double(9223372036854775808.0), false},
               {I(INT64_MIN), rac_value_double(-9223372036854775808.0), true},
               {I(INT64_MIN), rac_value_double(-1e300), false},
               {I(0), rac_value_double(NAN), false},
               {I(0), rac_value_double(INFINITY), false},
               {I(0), rac_value_nil(), false}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    rac_value a = cases[i].a, b = cases[i].b;
    CHECK_INT(rac_value_equal(a, b), cases[i].same);
    CHECK_INT(rac_value_equal(b, a), cases[i].same);
    if (cases[i].same) CHECK(rac_value_hash(a) == rac_value_hash(b));
    rac_value one = rac_value_tuple(&a, 1), other = rac_value_tuple(&b, 1);
    CHECK_INT(rac_value_equal(one, other), cases[i].same);
    if (cases[i].same) CHECK(rac_value_hash(one) == rac_value_hash(other));
    rac_value_release(one);
    rac_value_release(other);
  }
}

TEST(doubles_are_equal_as_numbers_and_nan_equals_itself) {
  CHECK(rac_value_equal(rac_value_double(0.0), rac_value_double(-0.0)));
  CHECK(rac_value_hash(rac_value_double(0.0)) ==
        rac_value_hash(rac_value_double(-0.0)));
  CHECK(rac_value_equal(rac_value_double(NAN), rac_value_double(NAN)));
  CHECK(rac_value_hash(rac_value_double(NAN)) ==
        rac_value_hash(rac_value_double(-NAN)));
  CHECK(!rac_value_equal(rac_value_double(1), rac_value_double(2)));
}

TEST(equal_strings_have_equal_hashes_however_they_are_held) {
  owned_value copy = rac_value_string_copy("same", 4);
  rac_value values[] = {S("same"), rac_value_string_view("same thing", 4),
                        rac_value_string_static("same"), copy};
  for (int i = 0; i < 4; i++) {
    for (int j = 0; j < 4; j++) {
      CHECK(rac_value_equal(values[i], values[j]));
      CHECK(rac_value_hash(values[i]) == rac_value_hash(values[j]));
    }
    CHECK(!rac_value_equal(values[i], S("other")));
    CHECK(!rac_value_equal(values[i], S("sam")));
  }
}

TEST(hashes_spread) {
  enum { COUNT = 1000 };
  uint64_t hashes[COUNT];
  int clashes = 0;
  for (int i = 0; i < COUNT; i++) {
    hashes[i] = rac_value_hash(I(i)) % 4096;
    for (int j = 0; j < i; j++) clashes += hashes[i] == hashes[j];
  }
  /* 122 are to be expected of a good one. */
  CHECK(clashes < 400);
}

static void check_description(int line, rac_value value, const char *expected) {
  char text[200];
  size_t length = rac_value_describe(value, text, sizeof text);
  check_text(__FILE__, line, "the description", text, expected);
  CHECK_INT(length, strlen(expected));
}

TEST(descriptions_are_readable) {
  check_description(__LINE__, rac_value_nil(), "nil");
  check_description(__LINE__, rac_value_bool(true), "true");
  check_description(__LINE__, rac_value_bool(false), "false");
  check_description(__LINE__, I(INT64_MIN), "-9223372036854775808");
  check_description(__LINE__, rac_value_double(0.1), "0.1");
  check_description(__LINE__, S("plain"), "plain");
  rac_value parts[] = {I(1), rac_value_nil(), S("x")};
  rac_value tuple = rac_value_tuple(parts, 3);
  check_description(__LINE__, tuple, "(1, nil, x)");
  rac_value_release(tuple);
  char text[200];
  owned_value error = rac_value_error("net", 404, "not found");
  rac_value_describe(error, text, sizeof text);
  CHECK(strstr(text, "net") && strstr(text, "404") &&
        strstr(text, "not found"));
}

TEST(descriptions_follow_the_rules_of_snprintf) {
  char text[8];
  memset(text, 'x', sizeof text);
  CHECK_INT(rac_value_describe(I(123456), NULL, 0), 6);
  CHECK_INT(rac_value_describe(I(123456), text, 0), 6);
  CHECK_INT(text[0], 'x');
  CHECK_INT(rac_value_describe(I(123456), text, 1), 6);
  CHECK_TEXT(text, "");
  CHECK_INT(rac_value_describe(I(123456), text, 4), 6);
  CHECK_TEXT(text, "123");
  CHECK_INT(text[4], 'x');
  CHECK_INT(rac_value_describe(I(123456), text, 7), 6);
  CHECK_TEXT(text, "123456");
  /* What is cut can still be decoded. */
  CHECK_INT(rac_value_describe(S("\u00e4\u00e4"), text, 4), 4);
  CHECK_TEXT(text, "\u00e4");
  CHECK_INT(rac_value_describe(S("\U0001f600"), text, 4), 4);
  CHECK_TEXT(text, "");
}

/* Law 19: nil is kept in tuples. */
TEST(tuples_keep_nils_and_lend_their_elements) {
  rac_value kept = rac_value_string_copy("kept", 4);
  rac_value parts[] = {rac_value_nil(), I(2), kept, rac_value_nil()};
  owned_value tuple = rac_value_tuple(parts, 4);
  rac_value_release(kept);
  CHECK_INT(rac_tuple_count(tuple), 4);
  CHECK_INT(rac_tuple_get(tuple, 0).kind, RAC_NIL);
  CHECK_INT(rac_tuple_get(tuple, 1).bits, 2);
  const char *text = NULL;
  CHECK_STATUS(rac_value_get_string(rac_tuple_get(tuple, 2), &text, NULL),
               RAC_OK);
  CHECK_TEXT(text, "kept");
  CHECK_INT(rac_tuple_get(tuple, 3).kind, RAC_NIL);
  CHECK_INT(rac_tuple_get(tuple, 4).kind, RAC_NIL);
  CHECK_INT(rac_tuple_get(tuple, SIZE_MAX).kind, RAC_NIL);
}

TEST(tuples_compare_element_by_element) {
  rac_value a_parts[] = {I(1), S("a")}, b_parts[] = {I(1), S("b")};
  rac_value a = rac_value_tuple(a_parts, 2), b = rac_value_tuple(b_parts, 2);
  owned_value twin = rac_value_tuple(a_parts, 2);
  owned_value shorter = rac_value_tuple(a_parts, 1);
  CHECK(rac_value_equal(a, twin) && rac_value_hash(a) == rac_value_hash(twin));
  CHECK(!rac_value_equal(a, b) && !rac_value_equal(a, shorter));
  rac_value_release(a);
  rac_value_release(b);
}

TEST(tuples_and_errors_nested_a_million_deep_need_little_stack) {
  rac_value twins[] = {I(1), I(1)};
  for (int64_t i = check_scaled(1000000); i > 0; i--) {
    for (int k = 0; k < 2; k++) {
      rac_value outer = i % 3
                            ? rac_value_tuple(&twins[k], 1)
                            : rac_value_error_underlying("d", 1, "m", twins[k]);
      rac_value_release(twins[k]);
      twins[k] = outer;
    }
  }
  /* None of them may walk down without a limit: what is too deep to compare
   * counts as different. */
  char text[64];
  CHECK(rac_value_describe(twins[0], text, sizeof text) > 0);
  CHECK(rac_value_hash(twins[0]) == rac_value_hash(twins[1]));
  CHECK(!rac_value_equal(twins[0], twins[1]));
  for (int k = 0; k < 2; k++) rac_value_release(twins[k]);
}

TEST(a_tuple_needs_its_elements) {
  check_nil_after(rac_value_tuple(NULL, 1), RAC_ENULL);
}

TEST(errors_carry_domain_code_message_and_a_cause) {
  rac_value cause = test_error(-7);
  owned_value error =
      rac_value_error_underlying("outer", INT64_MAX, "message ü", cause);
  rac_value_release(cause);
  CHECK_INT(error.kind, RAC_ERROR);
  CHECK_TEXT(rac_error_get_domain(error), "outer");
  CHECK_INT(rac_error_get_code(error), INT64_MAX);
  CHECK_TEXT(rac_error_get_message(error), "message ü");
  CHECK_INT(rac_error_get_code(rac_error_get_underlying(error)), -7);
  CHECK_INT(rac_error_get_underlying(rac_error_get_underlying(error)).kind,
            RAC_NIL);
}

TEST(errors_compare_by_content) {
  rac_value a = test_error(1), b = test_error(1), c = test_error(2);
  owned_value d = rac_value_error("other", 1, "made by a test");
  CHECK(rac_value_equal(a, b) && rac_value_hash(a) == rac_value_hash(b));
  CHECK(!rac_value_equal(a, c) && !rac_value_equal(a, d));
  rac_value_release(a);
  rac_value_release(b);
  rac_value_release(c);
}

TEST(an_unknown_kind_is_refused_not_believed) {
  rac_value forged = rac_value_nil();
  forged.kind = 200;
  forged.bits = 42;
  int64_t number = 0;
  const char *text = NULL;
  char buffer[32];
  CHECK_STATUS(rac_value_get_int64(forged, &number), RAC_EKIND);
  CHECK_STATUS(rac_value_get_string(forged, &text, NULL), RAC_EKIND);
  CHECK(rac_value_describe(forged, buffer, sizeof buffer) < sizeof buffer);
  rac_value_release(rac_value_retain(forged));
}

TEST(retain_and_release_do_nothing_to_scalars) {
  uint64_t before = rac_live_objects();
  for (int i = 0; i < 1000; i++) {
    CHECK_INT(rac_value_retain(I(i)).bits, i);
    rac_value_release(I(i));
    rac_value_release(rac_value_nil());
    rac_value_release(S("view"));
  }
  CHECK_INT(rac_live_objects(), before);
}
