/* An operator drops what a callback raised that succeeds. */
#include "operator_table.h"
#include "raising.h"

TEST(an_operator_discards_what_a_callback_raised_that_succeeds) {
  int tried = 0;
  for (int i = 0; i < OPERATORS; i++) {
    if (!operator_takes(i, RETURNS_STATUS)) continue;
    tried++;
    uint64_t before = rac_live_objects();
    v = rac_scheduler_virtual();
    standing = rac_scheduler_virtual();
    bool needs_error = operator_takes(i, NEEDS_ERROR);
    rac_signal *source_ = cold(needs_error ? "1 #3" : "1 2 3 |", NULL);
    rac_signal *other = cold("4 |", NULL);
    rac_signal *s = operators[i].build(source_, other);
    recorder r = {0};
    in_callback = raise_for_nothing;
    record(s, &r);
    rac_virtual_step_all(v);
    in_callback = NULL;
    finish(&r);
    CHECK(needs_error || strchr(r.text, '#') == NULL);
    rac_release(s);
    rac_release(source_);
    rac_release(other);
    rac_release(v);
    rac_release(standing);
    check_gone(operators[i].name, before);
  }
  CHECK(tried > 20);
}
