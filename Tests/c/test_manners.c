/* What rac.h has for C besides functions: variables that release themselves,
 * and subscriptions that nobody holds. */
#include "operators.h"

TEST(variables_release_what_they_hold) {
  uint64_t live = rac_live_objects();
  atomic_int ran = 0, destroyed = 0;
  {
    RAC_AUTO rac_subject *subject = rac_subject_create();
    RAC_AUTO rac_signal *signal = rac_retain(as_signal(subject));
    RAC_AUTO rac_signal *nothing = NULL;
    RAC_AUTO_VALUE rac_value text = rac_value_string_copy("a text", 6);
    RAC_AUTO_VALUE rac_value number = I(1);
    RAC_AUTO_DISPOSE rac_disposable *scope = rac_disposable_create(
        context_new(&ran, &destroyed), NULL, context_destroy);
    RAC_ASSIGN(signal, rac_signal_start_with(signal, text));
    RAC_ASSIGN(signal, rac_signal_start_with(signal, number));
    CHECK(signal != NULL && nothing == NULL && scope != NULL);
    CHECK_INT(atomic_load(&destroyed), 0);
  }
  CHECK_INT(atomic_load(&destroyed), 1);
  CHECK_INT(rac_live_objects(), live);
}

/* Left by return as well as by its end; disposed, not only released. */
static int left_early(rac_subject *subject, recorder *r, bool early) {
  rac_observer observer = rac_observer_init(r, NULL, NULL, NULL, NULL);
  RAC_AUTO_DISPOSE rac_disposable *subscription =
      rac_subscribe(as_signal(subject), &observer);
  if (early) return (int)rac_subject_subscriber_count(subject);
  return -1;
}

TEST(a_disposable_is_disposed_however_the_scope_is_left) {
  owned rac_subject *subject = rac_subject_create();
  recorder r = {0};
  CHECK_INT(left_early(subject, &r, true), 1);
  CHECK_INT(rac_subject_subscriber_count(subject), 0);
  CHECK_INT(left_early(subject, &r, false), -1);
  CHECK_INT(rac_subject_subscriber_count(subject), 0);
}

static void count(void *context, rac_value value) {
  (void)value;
  atomic_fetch_add((atomic_int *)context_target(context), 1);
}

TEST(a_subscription_that_nobody_holds) {
  rac_subject *subject = rac_subject_create();
  atomic_int values = 0, destroyed = 0;
  CHECK_STATUS(rac_subscribe_detached(as_signal(subject),
                                      context_new(&values, &destroyed), count,
                                      NULL, NULL, context_destroy),
               RAC_OK);
  play(subject, "1 2");
  CHECK_INT(atomic_load(&values), 2);
  CHECK_INT(atomic_load(&destroyed), 0);
  play(subject, "|");
  CHECK_INT(atomic_load(&destroyed), 1);
  rac_release(subject);
  CHECK_STATUS(rac_subscribe_detached(as_signal(subject),
                                      context_new(&values, &destroyed), count,
                                      NULL, NULL, context_destroy),
               RAC_ESTALE);
  CHECK_INT(atomic_load(&destroyed), 2);
}

static void send_on(void *context, rac_value value) {
  rac_subject_send(context, value);
}

/* The subscription has a reference of its own to what it sends to. */
TEST(a_handle_as_a_context) {
  rac_subject *from = rac_subject_create(), *to = rac_subject_create();
  RECORDER(r, as_signal(to));
  rac_subscribe_detached(as_signal(from), rac_retain(to), send_on, NULL, NULL,
                         rac_release_context);
  rac_release(to);
  play(from, "1 2 |");
  CHECK_EVENTS(&r, "1 2");
  CHECK_STATUS(rac_subject_send(to, I(1)), RAC_ESTALE);
  rac_release_context(NULL);
  rac_release(from);
}

static rac_status jam(void *context, rac_value value, rac_value *out) {
  (void)context, (void)value, (void)out;
  return rac_raise_error("printer", 5, "jam");
}

TEST(an_error_is_raised_and_not_left_behind) {
  uint64_t live = rac_live_objects();
  rac_value error = rac_value_nil();
  RAC_AUTO rac_signal *s = rac_signal_return(I(1));
  RAC_ASSIGN(s, rac_signal_map(s, NULL, jam, NULL));
  CHECK_STATUS(rac_signal_first(s, 1, &error), RAC_ESTREAM);
  CHECK_TEXT(rac_error_get_domain(error), "printer");
  CHECK_INT(rac_error_get_code(error), 5);
  CHECK_TEXT(rac_error_get_message(error), "jam");
  rac_value_release(error);
  RAC_ASSIGN(s, NULL);
  CHECK_INT(rac_live_objects(), live);
}
