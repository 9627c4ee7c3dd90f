/* rac_signal_buffer_with_count: tuples of so many, so far apart. */
#include "stage.h"

static void check_buffer(int line, const char *script, size_t count,
                         size_t skip, const char *expected) {
  rac_signal *source = cold(script, NULL);
  rac_signal *s = rac_signal_buffer_with_count(source, count, skip);
  recorder r = {0};
  record(s, &r);
  await_end(&r);
  check_text(__FILE__, line, script, r.text, expected);
  finish(&r);
  rac_release(s);
  rac_release(source);
}

TEST(buffers_side_by_side) {
  check_buffer(__LINE__, "1 2 3 4 |", 2, 2, "(1,2) (3,4) |");
  check_buffer(__LINE__, "1 2 3 |", 2, 2, "(1,2) (3) |");
  check_buffer(__LINE__, "1 |", 1, 1, "(1) |");
  check_buffer(__LINE__, "|", 2, 2, "|");
}

TEST(buffers_that_overlap) {
  check_buffer(__LINE__, "1 2 3 |", 2, 1, "(1,2) (2,3) (3) |");
  check_buffer(__LINE__, "1 2 |", 3, 1, "(1,2) (2) |");
}

TEST(buffers_with_gaps) {
  check_buffer(__LINE__, "1 2 3 4 5 |", 2, 3, "(1,2) (4,5) |");
  check_buffer(__LINE__, "1 2 3 4 |", 1, 3, "(1) (4) |");
  check_buffer(__LINE__, "1 2 3 |", 1, SIZE_MAX, "(1) |");
}

TEST(an_error_drops_what_has_gathered) {
  check_buffer(__LINE__, "1 2 3 #4", 2, 2, "(1,2) #4");
}

TEST(nothing_cannot_be_gathered) {
  owned rac_signal *source = cold("1 |", NULL);
  CHECK(rac_signal_buffer_with_count(source, 0, 1) == NULL);
  CHECK_STATUS(rac_last_error_code(), RAC_EINVAL);
  CHECK(rac_signal_buffer_with_count(source, 1, 0) == NULL);
  CHECK_STATUS(rac_last_error_code(), RAC_EINVAL);
}
