/* Blocking reads: rac_signal_first, …_first_or_default, …_to_array and
 * …_wait_until_completed. */
#include <math.h>

#include "check.h"

TEST(blocking_reads_time_out) {
  owned rac_signal *never = rac_signal_never();
  rac_value out = I(1);
  CHECK_STATUS(rac_signal_first(never, 0.01, &out), RAC_ETIMEDOUT);
  CHECK_STATUS(rac_signal_to_array(never, 0.01, &out), RAC_ETIMEDOUT);
  CHECK_STATUS(rac_signal_wait_until_completed(never, 0.01, NULL),
               RAC_ETIMEDOUT);
  CHECK_STATUS(rac_signal_first(never, 0, &out), RAC_ETIMEDOUT);
}

TEST(first_or_default) {
  static const struct {
    const char *script;
    rac_status status;
    int64_t value, error;
  } cases[] = {{"1 2 3 |", RAC_OK, 1, 0}, {"|", RAC_OK, 5, 0},
               {"#7", RAC_ESTREAM, 5, 7}, {"1 #7", RAC_OK, 1, 0},
               {"1", RAC_OK, 1, 0},       {"", RAC_ETIMEDOUT, 5, 0}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    for (int pumps = 0; pumps < 2; pumps++) {
      source counts = {0};
      owned rac_signal *s = cold(cases[i].script, &counts);
      rac_value out = I(99), error = I(99);
      CHECK_STATUS(
          pumps ? rac_signal_asynchronous_first_or_default(s, 0.001, I(5), &out,
                                                           &error)
                : rac_signal_first_or_default(s, 0.001, I(5), &out, &error),
          cases[i].status);
      CHECK_INT(out.bits, cases[i].value);
      CHECK_INT(error.kind, cases[i].error ? RAC_ERROR : RAC_NIL);
      if (cases[i].error) CHECK_INT(rac_error_get_code(error), cases[i].error);
      rac_value_release(error);
      CHECK_INT(counts.disposed, 1);
    }
  }
}

TEST(a_default_is_given_away_owned) {
  rac_value text = rac_value_string_copy("text", 4), out = rac_value_nil();
  owned rac_signal *empty = rac_signal_empty();
  CHECK_STATUS(rac_signal_first_or_default(empty, 0, text, &out, NULL), RAC_OK);
  rac_value_release(text);
  const char *read = NULL;
  CHECK_STATUS(rac_value_get_string(out, &read, NULL), RAC_OK);
  CHECK_TEXT(read, "text");
  rac_value_release(out);
  CHECK_STATUS(rac_signal_first_or_default(empty, 0, I(1), NULL, NULL), RAC_OK);
  CHECK_STATUS(rac_signal_first_or_default(empty, NAN, I(1), &out, NULL),
               RAC_EINVAL);
  CHECK_INT(out.bits, 1);
  CHECK_STATUS(rac_signal_first_or_default(NULL, 0, I(1), &out, NULL),
               RAC_ENULL);
  CHECK_INT(out.bits, 1);
  rac_value nonsense = {200, 0, 0, 0, 1};
  CHECK_STATUS(rac_signal_first_or_default(empty, 0, nonsense, &out, NULL),
               RAC_EKIND);
  CHECK_INT(out.kind, RAC_NIL);
}
