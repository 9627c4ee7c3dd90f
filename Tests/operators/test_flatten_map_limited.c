/* rac_signal_flatten_map_limited: signals of values that wait, as many as a bound
 * allows. */
#include "stage.h"

/* The signals of 1, 2 and 3 are b, c and d; a failure for 5. */
static rac_status signal_for(void *context, rac_value value, rac_signal **out) {
  stage *self = context_target(context);
  rac_subject *const inner[] = {NULL, self->b, self->c, self->d};
  if (value.bits == 5) return -55;
  *out = rac_retain(as_signal(inner[value.bits]));
  return RAC_OK;
}
#define EACH CALLBACK_FOR(&marbles, signal_for)

/* With room for one. */
#define CHECK_BOUNDED(made, policy, count, ...)                                \
  do {                                                                         \
    rac_bound *bound = rac_bound_create(1, policy);                            \
    CHECK_MARBLES(made, __VA_ARGS__);                                          \
    CHECK_INT(rac_bound_get(bound, RAC_BOUND_DROPPED), count);                 \
    CHECK_INT(rac_bound_get(bound, RAC_BOUND_LENGTH), 0);                      \
    rac_release(bound);                                                        \
  } while (0)

#define CONCAT rac_signal_flatten_map_limited(a, 1, bound, EACH)

TEST(one_at_a_time_it_drops_what_the_bound_says) {
  CHECK_BOUNDED(CONCAT, RAC_BOUND_DROP_OLDEST, 1, "-123|", "-----5|", "",
                "------67|", "-----567|");
  CHECK_BOUNDED(CONCAT, RAC_BOUND_DROP_NEWEST, 1, "-123|", "-----5|",
                "------67|", "", "-----567|");
  CHECK_BOUNDED(CONCAT, RAC_BOUND_LATEST, 1, "-123|", "-----5|", "",
                "------67|", "-----567|");
  CHECK_BOUNDED(CONCAT, RAC_BOUND_ERROR, 1, "-123|", "-----5|", "", "",
                "---#3");
  CHECK_BOUNDED(CONCAT, RAC_BOUND_ERROR, 0, "-5", "", "", "", "-#-55");
}

TEST(flatten_map_lets_so_many_run_and_one_wait) {
  CHECK_BOUNDED(rac_signal_flatten_map_limited(a, 2, bound, EACH),
                RAC_BOUND_DROP_OLDEST, 0, "-123|", "-----5|", "-------6|",
                "--------7|", "-----5-67|");
  CHECK_BOUNDED(rac_signal_flatten_map_limited(a, 0, bound, EACH),
                RAC_BOUND_DROP_NEWEST, 0, "-123|", "-----5|", "------6|",
                "-------78|", "-----5678|");
}

static rac_status no_value(void *context, rac_value value, rac_signal **out) {
  (void)context, (void)value;
  *out = rac_signal_never();
  return RAC_OK;
}

/* Whoever sends has the bound, too. */
TEST(who_sends_values_is_refused) {
  owned rac_bound *bound = rac_bound_create(2, RAC_BOUND_REFUSE);
  rac_subject *source = rac_subject_create_bounded(bound);
  owned rac_signal *made = rac_signal_flatten_map_limited(
      as_signal(source), 1, bound, NULL, no_value, NULL);
  owned rac_disposable *d = rac_subscribe_next(made, NULL, NULL, NULL);
  for (int i = 0; i < 3; i++)
    CHECK_STATUS(rac_subject_send(source, I(i)), RAC_OK);
  CHECK_STATUS(rac_subject_send(source, I(3)), RAC_EAGAIN);
  CHECK_INT(rac_bound_get(bound, RAC_BOUND_LENGTH), 2);
  rac_dispose(d);
  CHECK_STATUS(rac_subject_send(source, I(3)), RAC_OK);
  CHECK_INT(rac_bound_get(bound, RAC_BOUND_LENGTH), 0);
  rac_release(source);
}

/* What fails leaves the bound to others. */
TEST(arguments_are_checked_before_the_bound_is_taken) {
  owned rac_bound *bound = rac_bound_create(2, RAC_BOUND_DROP_OLDEST);
  owned rac_subject *source = rac_subject_create();
  CHECK(rac_signal_flatten_map_limited(as_signal(source), 1, bound, NULL, NULL,
                                       NULL) == NULL);
  CHECK_STATUS(rac_last_error_code(), RAC_ENULL);
  owned rac_signal *made = rac_signal_flatten_map_limited(
      as_signal(source), 1, bound, NULL, no_value, NULL);
  CHECK(made != NULL);
  CHECK(rac_signal_flatten_map_limited(as_signal(source), 1, bound, NULL,
                                       no_value, NULL) == NULL);
  CHECK_STATUS(rac_last_error_code(), RAC_EBUSY);
}

TEST(without_a_bound_all_wait) {
  CHECK_MARBLES(rac_signal_flatten_map_limited(a, 1, NULL, EACH), "-123|",
                "-----5|", "------67|", "---------8|", "-----567-8|");
  CHECK_MARBLES(rac_signal_flatten_map_limited(a, 1, RAC_BOUND_NONE, EACH),
                "-123|", "-----5|", "------67|", "---------8|", "-----567-8|");
}
