/* The codec: all kinds there and back, what others write, and garbage. */
#include "check.h"

#include "cbor.h"

static rac_status back(rac_value value, rac_value *out) {
  buffer bytes = {0};
  cbor_item item;
  rac_status status = cbor_encode(&bytes, value);
  if (status == RAC_OK)
    status = cbor_decode(bytes.bytes, bytes.length, &item, out);
  if (status == RAC_OK) {
    rac_value kept = rac_value_retain(*out);
    rac_value_release(*out);
    *out = kept;
  }
  buffer_free(&bytes);
  return status;
}

static void check_same(rac_value value) {
  owned_value out = {0};
  CHECK_STATUS(back(value, &out), RAC_OK);
  if (!rac_value_equal(value, out)) {
    char text[200];
    rac_value_describe(out, text, sizeof text);
    CHECK_TEXT(text, "the same");
  }
}

TEST(numbers_come_back) {
  const int64_t numbers[] = {
      0,   1,   23,   24,   255,       256,       65535,     65536,    -1,
      -24, -25, -256, -257, INT32_MAX, 1LL << 32, INT64_MAX, INT64_MIN};
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
    check_same(rac_int64(numbers[i]));
  const double doubles[] = {0, -0.0, 1.5, 1e300, -1e-300};
  for (size_t i = 0; i < sizeof doubles / sizeof *doubles; i++)
    check_same(rac_double(doubles[i]));
}

TEST(all_that_can_travel_comes_back) {
  check_same((rac_value){0});
  check_same(rac_value_unit());
  check_same(rac_bool(true));
  check_same(rac_bool(false));
  check_same(rac_value_string(""));
  check_same(rac_value_string("a text of more than twenty-four bytes: äöü"));
  check_same(rac_value_string_view("with\0NUL", 8));
  check_same(rac_value_bytes_view("\xff\0\xfe", 3));
  rac_value parts[] = {rac_int64(1), rac_value_string("two"), (rac_value){0}};
  owned_value tuple = rac_value_tuple(parts, 3);
  check_same(tuple);
  owned_value none = rac_value_tuple(NULL, 0);
  check_same(none);
  owned_value error = rac_value_error("some.domain", -7, "what happened");
  check_same(error);
  owned_value deep = rac_value_error_underlying("d", 1, "m", tuple);
  check_same(deep);
  owned_value next = rac_value_event_next(tuple);
  check_same(next);
  owned_value failed = rac_value_event_error(error);
  check_same(failed);
  check_same(rac_value_event_completed());
}

TEST(an_error_keeps_its_parts) {
  owned_value error =
      rac_value_error_underlying("d", 42, "message", rac_int64(7));
  owned_value out = {0};
  CHECK_STATUS(back(error, &out), RAC_OK);
  CHECK_TEXT(rac_error_get_domain(out), "d");
  CHECK_TEXT(rac_error_get_message(out), "message");
  CHECK_INT(rac_error_get_code(out), 42);
  CHECK_INT(rac_error_get_underlying(out).bits, 7);
}

TEST(what_cannot_travel_is_refused_and_leaves_nothing) {
  buffer bytes = {0};
  int there = 0;
  rac_value pointer = rac_value_pointer(&there, NULL, NULL);
  owned_value tuple = rac_value_tuple(&pointer, 1);
  owned rac_signal *never = rac_signal_never();
  owned_value signal = rac_value_signal(never);
  CHECK(buffer_add(&bytes, "x", 1));
  CHECK_STATUS(cbor_encode(&bytes, pointer), RAC_EKIND);
  CHECK_STATUS(cbor_encode(&bytes, tuple), RAC_EKIND);
  CHECK_STATUS(cbor_encode(&bytes, signal), RAC_EKIND);
  CHECK_INT(bytes.length, 1);
  buffer_free(&bytes);
}

TEST(an_end_is_no_value) {
  buffer bytes = {0};
  cbor_item item;
  rac_value out;
  CHECK_STATUS(cbor_encode_end(&bytes, (rac_value){0}), RAC_OK);
  CHECK_STATUS(cbor_decode(bytes.bytes, bytes.length, &item, &out), RAC_OK);
  CHECK_INT(item, CBOR_END);
  bytes.length = 0;
  owned_value error = rac_value_error("d", 3, "m");
  CHECK_STATUS(cbor_encode_end(&bytes, error), RAC_OK);
  CHECK_STATUS(cbor_decode(bytes.bytes, bytes.length, &item, &out), RAC_OK);
  CHECK_INT(item, CBOR_END);
  CHECK_INT(rac_error_get_code(out), 3);
  rac_value_release(out);
  buffer_free(&bytes);
}

static rac_status read_text(const char *bytes, size_t length, char *text) {
  cbor_item item;
  rac_value out;
  *text = 0;
  rac_status status = cbor_decode(bytes, length, &item, &out);
  if (status != RAC_OK) return status;
  rac_value_describe(out, text, 200);
  rac_value_release(out);
  return status;
}

#define CHECK_READS(bytes, expected)                                           \
  do {                                                                         \
    char text[200];                                                            \
    CHECK_STATUS(read_text(bytes, sizeof bytes - 1, text), RAC_OK);            \
    CHECK_TEXT(text, expected);                                                \
  } while (0)
#define CHECK_REFUSES(bytes, status)                                           \
  do {                                                                         \
    char text[200];                                                            \
    CHECK_STATUS(read_text(bytes, sizeof bytes - 1, text), status);            \
  } while (0)

/* The examples of RFC 8949, appendix A. */
TEST(numbers_of_others_are_read) {
  CHECK_READS("\xf9\x3c\x00", "1");
  CHECK_READS("\xf9\xc4\x00", "-4");
  CHECK_READS("\xf9\x7b\xff", "65504");
  CHECK_READS("\xf9\x04\x00", "6.103515625e-05");
  CHECK_READS("\xf9\x7c\x00", "inf");
  CHECK_READS("\xfa\x47\xc3\x50\x00", "100000");
  CHECK_READS("\x1b\x00\x00\x00\xe8\xd4\xa5\x10\x00", "1000000000000");
  CHECK_READS("\x39\x03\xe7", "-1000");
  CHECK_READS("\x83\x01\x82\x02\x03\x82\x04\x05", "(1, (2, 3), (4, 5))");
  CHECK_READS("\x18\x01", "1");
}

TEST(what_is_no_value_is_refused) {
  CHECK_REFUSES("", RAC_EINVAL);
  CHECK_REFUSES("\x18", RAC_EINVAL);
  CHECK_REFUSES("\x01\x02", RAC_EINVAL);
  CHECK_REFUSES("\x62\x61", RAC_EINVAL);
  CHECK_REFUSES("\xa0", RAC_EKIND);
  CHECK_REFUSES("\xc1\x01", RAC_EKIND);
  CHECK_REFUSES("\x9f\xff", RAC_EKIND);
  CHECK_REFUSES("\xfc", RAC_EINVAL);
  CHECK_REFUSES("\x1b\xff\xff\xff\xff\xff\xff\xff\xff", RAC_ERANGE);
  CHECK_REFUSES("\x9b\xff\xff\xff\xff\xff\xff\xff\xff", RAC_EINVAL);
  CHECK_REFUSES("\x81\xd8\x1b\x82\x67rac.end\xf6", RAC_EKIND);
  char deep[300];
  memset(deep, 0x81, sizeof deep);
  char text[200];
  CHECK_STATUS(read_text(deep, sizeof deep, text), RAC_ERANGE);
}

/* Of random bytes, and of good ones of which some were changed. */
TEST(garbage_is_never_more_than_an_error) {
  uint64_t state = 7;
  rac_value parts[] = {rac_int64(1000), rac_value_string("two"),
                       rac_double(0.5)};
  owned_value tuple = rac_value_tuple(parts, 3);
  owned_value error = rac_value_error_underlying("d", 1, "m", tuple);
  buffer good = {0};
  CHECK_STATUS(cbor_encode(&good, error), RAC_OK);
  int64_t read = 0, rounds = check_scaled(200000);
  for (int64_t i = 0; i < rounds; i++) {
    unsigned char bytes[64];
    size_t length = check_random(&state) % sizeof bytes;
    for (size_t j = 0; j < length; j++)
      bytes[j] = (unsigned char)check_random(&state);
    if (i % 2 == 1) {
      length = good.length < sizeof bytes ? good.length : sizeof bytes;
      memcpy(bytes, good.bytes, length);
      bytes[check_random(&state) % length] =
          (unsigned char)check_random(&state);
    }
    /* In a block of its own, so that a sanitizer sees where it ends. */
    unsigned char *exact = malloc(length + 1);
    memcpy(exact, bytes, length);
    cbor_item item;
    rac_value out;
    if (cbor_decode(exact, length, &item, &out) == RAC_OK) read++;
    rac_value_release(out);
    free(exact);
  }
  CHECK(read > 0 && read < rounds);
  buffer_free(&good);
}
