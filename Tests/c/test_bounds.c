/* The handle of a bound: what it is made of, and what it answers. */
#include <math.h>

#include "operators.h"

TEST(a_bound_says_what_it_was_made_of) {
  static const int32_t policies[] = {
      RAC_BOUND_DROP_OLDEST, RAC_BOUND_DROP_NEWEST, RAC_BOUND_LATEST,
      RAC_BOUND_ERROR,       RAC_BOUND_WAIT,        RAC_BOUND_REFUSE};
  for (size_t i = 0; i < 6; i++) {
    rac_bound *bound = rac_bound_create(5, policies[i]);
    REQUIRE(bound != NULL);
    CHECK_INT(rac_bound_get(bound, RAC_BOUND_CAPACITY),
              policies[i] == RAC_BOUND_LATEST ? 1 : 5);
    CHECK_INT(rac_bound_get(bound, RAC_BOUND_POLICY), policies[i]);
    CHECK_INT(rac_bound_get(bound, RAC_BOUND_LENGTH), 0);
    CHECK_INT(rac_bound_get(bound, RAC_BOUND_HIGHEST), 0);
    CHECK_INT(rac_bound_get(bound, RAC_BOUND_DROPPED), 0);
    CHECK_STATUS(rac_release(bound), RAC_OK);
    CHECK_INT(rac_bound_get(bound, RAC_BOUND_CAPACITY), 0);
    CHECK_STATUS(rac_last_error_code(), RAC_ESTALE);
  }
}

TEST(a_capacity_of_nothing_and_unknown_policies_are_refused) {
  CHECK(rac_bound_create(0, RAC_BOUND_WAIT) == NULL);
  CHECK_STATUS(rac_last_error_code(), RAC_EINVAL);
  CHECK_TEXT(rac_last_error_function(), "rac_bound_create");
  CHECK(rac_bound_create(0, RAC_BOUND_LATEST) == NULL);
  static const int32_t unknown[] = {0, -1, 7, 1000000, INT32_MIN, INT32_MAX};
  for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++) {
    rac_clear_last_error();
    CHECK(rac_bound_create(1, unknown[i]) == NULL);
    CHECK_STATUS(rac_last_error_code(), RAC_EINVAL);
  }
}

TEST(the_largest_capacity_is_one) {
  owned rac_bound *bound = rac_bound_create(SIZE_MAX, RAC_BOUND_REFUSE);
  owned rac_subject *subject = rac_subject_create_bounded(bound);
  owned rac_scheduler *scheduler = rac_scheduler_virtual();
  owned rac_signal *signal =
      rac_signal_deliver_on_bounded(as_signal(subject), scheduler, bound);
  RECORDER(r, signal);
  for (int i = 0; i < 1000; i++)
    CHECK_STATUS(rac_subject_send(subject, rac_value_nil()), RAC_OK);
  CHECK_INT(rac_bound_get(bound, RAC_BOUND_LENGTH), 1000);
  rac_dispose(r.subscription);
  CHECK_INT(rac_bound_get(bound, RAC_BOUND_LENGTH), 0);
  rac_virtual_step_all(scheduler);
}

TEST(other_handles_are_no_bounds_and_bounds_no_others) {
  owned rac_signal *never = rac_signal_never();
  rac_bound *wrong = (rac_bound *)(void *)never;
  CHECK_INT(rac_bound_get(NULL, RAC_BOUND_CAPACITY), 0);
  CHECK_INT(rac_bound_get(wrong, RAC_BOUND_POLICY), 0);
  CHECK_STATUS(rac_last_error_code(), RAC_EKIND);
  CHECK_INT(rac_bound_get(wrong, RAC_BOUND_LENGTH), 0);
  CHECK_INT(rac_bound_get(wrong, RAC_BOUND_HIGHEST), 0);
  CHECK_INT(rac_bound_get(wrong, RAC_BOUND_DROPPED), 0);
  CHECK_STATUS(rac_bound_set_timeout(NULL, 1), RAC_ENULL);
  CHECK_STATUS(rac_bound_set_timeout(wrong, 1), RAC_EKIND);
  CHECK(rac_subject_create_bounded(wrong) == NULL);
  CHECK_STATUS(rac_last_error_code(), RAC_EKIND);
  owned rac_bound *bound = rac_bound_create(1, RAC_BOUND_WAIT);
  CHECK(rac_subscribe_next((rac_signal *)(void *)bound, NULL, NULL, NULL) ==
        NULL);
  CHECK_STATUS(rac_last_error_code(), RAC_EKIND);
  CHECK_STATUS(rac_dispose((rac_disposable *)(void *)bound), RAC_EKIND);
  CHECK_STATUS(rac_bound_set_timeout(bound, (double)NAN), RAC_EINVAL);
  CHECK_STATUS(rac_bound_set_timeout(bound, (double)INFINITY), RAC_OK);
  CHECK_STATUS(rac_bound_set_timeout(bound, -1), RAC_OK);
  CHECK_STATUS(rac_bound_set_timeout(bound, 0), RAC_OK);
}

/* Law 9. */
TEST(a_signal_that_cannot_be_made_destroys_its_context) {
  atomic_int destroyed = 0;
  CHECK(rac_signal_create_bounded(NULL, context_new(NULL, &destroyed), NULL,
                                  context_destroy) == NULL);
  CHECK_INT(destroyed, 1);
  owned rac_bound *bound = rac_bound_create(1, RAC_BOUND_ERROR);
  CHECK(rac_signal_create_bounded(bound, context_new(NULL, &destroyed), NULL,
                                  context_destroy) == NULL);
  CHECK_STATUS(rac_last_error_code(), RAC_ENULL);
  CHECK_INT(destroyed, 2);
  /* It was not given to anything. */
  owned rac_subject *subject = rac_subject_create_bounded(bound);
  CHECK(subject != NULL);
}

static rac_status send_two(void *context, rac_subscriber *subscriber,
                           rac_disposable **out) {
  (void)context, (void)out;
  rac_subscriber_send(subscriber, I(1));
  rac_subscriber_send(subscriber, I(2));
  return rac_subscriber_send_completed(subscriber);
}

/* NULL is the default of each place, which is none. */
TEST(a_place_may_have_no_bound) {
  rac_bound *const none[] = {NULL, RAC_BOUND_NONE};
  for (int i = 0; i < 2; i++) {
    owned rac_subject *subject = rac_subject_create_bounded(none[i]);
    rac_signal *s = as_signal(subject);
    rac_signal *made[] = {
        rac_signal_deliver_on_bounded(s, rac_scheduler_immediate(), none[i]),
        rac_signal_merge_bounded(&s, 1, none[i]),
        rac_signal_flatten_bounded(s, 1, none[i]),
        rac_signal_create_bounded(none[i], NULL, send_two, NULL)};
    recorder r = {0};
    record(made[0], &r);
    CHECK_STATUS(rac_subject_send(subject, I(1)), RAC_OK);
    CHECK_EVENTS(&r, "1");
    finish(&r);
    CHECK_SIGNAL(rac_retain(made[3]), "1 2 |");
    for (int k = 0; k < 4; k++) {
      CHECK(made[k] != NULL);
      rac_release(made[k]);
    }
  }
}

/* What it was given to keeps it. */
TEST(a_bound_may_be_released_at_once) {
  rac_bound *bound = rac_bound_create(1, RAC_BOUND_REFUSE);
  owned rac_subject *subject = rac_subject_create_bounded(bound);
  rac_release(bound);
  RECORDER(r, as_signal(subject));
  CHECK_STATUS(rac_subject_send(subject, I(1)), RAC_OK);
  CHECK_EVENTS(&r, "1");
  CHECK_INT(rac_bound_get(bound, RAC_BOUND_LENGTH), 0);
  CHECK_STATUS(rac_last_error_code(), RAC_ESTALE);
}

static void find_bound(void *context, const char *kind, const char *name,
                       size_t references, size_t subscribers) {
  (void)name, (void)references, (void)subscribers;
  if (strcmp(kind, "bound") == 0) ++*(int *)context;
}

TEST(the_report_of_live_handles_names_it) {
  owned rac_bound *bound = rac_bound_create(1, RAC_BOUND_WAIT);
  int found = 0;
  rac_report_live_handles(&found, find_bound);
  CHECK_INT(found, 1);
}

TEST(the_statuses_have_names) {
  CHECK_TEXT(rac_status_name(RAC_EAGAIN), "RAC_EAGAIN");
  CHECK_TEXT(rac_status_name(RAC_DROPPED), "RAC_DROPPED");
}
