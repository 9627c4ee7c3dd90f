/* Failures: the thread's last error, chains over a failed call, and the errors
 * that callbacks raise. */
#include "raising.h"
#include "shared_callbacks.h"

#include <errno.h>

TEST(a_new_thread_has_no_error) {
  rac_clear_last_error();
  CHECK_STATUS(rac_last_error_code(), RAC_OK);
  CHECK_TEXT(rac_last_error_message(), "");
  CHECK_TEXT(rac_last_error_function(), "");
}

TEST(a_failure_names_its_function_and_says_why) {
  CHECK_STATUS(rac_subject_send(NULL, I(1)), RAC_ENULL);
  CHECK_STATUS(rac_last_error_code(), RAC_ENULL);
  CHECK_TEXT(rac_last_error_function(), "rac_subject_send");
  CHECK(strlen(rac_last_error_message()) > 5);
  owned rac_subject *subject = rac_subject_create();
  CHECK_STATUS(rac_dispose((rac_disposable *)subject), RAC_EKIND);
  CHECK_STATUS(rac_last_error_code(), RAC_EKIND);
}

/* Which of the arguments it was, by the kind of handle that is needed. */
TEST(a_refusal_says_what_is_needed_and_what_came) {
  owned rac_subject *subject = rac_subject_create();
  owned rac_scheduler *clock = rac_scheduler_virtual();
  owned rac_signal *never = rac_signal_never();
  rac_subject *gone = rac_subject_create();
  rac_release(gone);
#define REFUSED(call, text)                                                    \
  do {                                                                         \
    rac_clear_last_error();                                                    \
    CHECK((intptr_t)(call) <= 0);                                              \
    CHECK_TEXT(rac_last_error_message(), text);                                \
  } while (0)
  REFUSED(rac_signal_delay(NULL, 1, clock), "the signal is NULL");
  REFUSED(rac_signal_delay((rac_signal *)gone, 1, clock),
          "the signal was released, or never was one");
  REFUSED(rac_signal_delay(never, 1, (rac_scheduler *)gone),
          "the scheduler was released, or never was one");
  REFUSED(rac_signal_delay(never, 1, (rac_scheduler *)never),
          "a scheduler is needed, and this is a signal");
  REFUSED(rac_subscribe_next((rac_signal *)clock, NULL, NULL, NULL),
          "a signal is needed, and this is a virtual scheduler");
  REFUSED(rac_subject_send((rac_subject *)never, I(1)),
          "a subject is needed, and this is a signal");
  REFUSED(rac_property_set((rac_property *)subject, I(1)),
          "a property is needed, and this is a subject");
  REFUSED(rac_subscriber_send((rac_subscriber *)clock, I(1)),
          "a subscriber is needed, and this is a virtual scheduler");
  REFUSED(rac_dispose((rac_disposable *)subject),
          "a disposable is needed, and this is a subject");
  REFUSED(rac_virtual_step(rac_scheduler_main()),
          "a virtual scheduler is needed, and this is a scheduler");
  REFUSED(rac_release(gone), "the handle was released, or never was one");
#undef REFUSED
}

TEST(success_leaves_the_last_error) {
  rac_release((void *)1);
  CHECK_STATUS(rac_last_error_code(), RAC_ESTALE);
  rac_subject *subject = rac_subject_create();
  CHECK_STATUS(rac_subject_send(subject, I(1)), RAC_OK);
  CHECK_STATUS(rac_release(subject), RAC_OK);
  CHECK_STATUS(rac_last_error_code(), RAC_ESTALE);
  rac_clear_last_error();
  CHECK_STATUS(rac_last_error_code(), RAC_OK);
  CHECK_TEXT(rac_last_error_message(), "");
}

static void *fail_alone(void *argument) {
  (void)argument;
  CHECK_STATUS(rac_last_error_code(), RAC_OK);
  rac_dispose((rac_disposable *)1);
  CHECK_STATUS(rac_last_error_code(), RAC_ESTALE);
  return NULL;
}

TEST(each_thread_has_its_own) {
  rac_subject_send(NULL, I(1));
  check_join(check_spawn(fail_alone, NULL));
  CHECK_STATUS(rac_last_error_code(), RAC_ENULL);
}

TEST(a_chain_keeps_its_first_error) {
  rac_subject *stale = rac_subject_create();
  rac_release(stale);
  rac_clear_last_error();
  rac_signal *signal = rac_signal_take(as_signal(stale), 1);
  CHECK(signal == NULL);
  RAC_ASSIGN(signal, rac_signal_skip(signal, 1));
  RAC_ASSIGN(signal, rac_signal_map(signal, context_new(NULL, NULL), keep_value,
                                    context_destroy));
  RAC_ASSIGN(signal, rac_signal_delay(signal, -1, NULL));
  RAC_ASSIGN(signal, rac_signal_start_with(signal, I(1)));
  RAC_ASSIGN(signal, rac_signal_replay(signal));
  CHECK(signal == NULL);
  recorder r = {0};
  rac_observer observer = recorder_observer(&r);
  rac_disposable *subscription = rac_subscribe(signal, &observer);
  CHECK(subscription == NULL);
  CHECK_INT(r.destroyed, 1);
  CHECK_STATUS(rac_last_error_code(), RAC_ESTALE);
  CHECK_TEXT(rac_last_error_function(), "rac_signal_take");
  CHECK_EVENTS(&r, "");
}

TEST(a_null_source_without_an_earlier_error_is_one) {
  rac_clear_last_error();
  CHECK(rac_signal_take(NULL, 1) == NULL);
  CHECK_STATUS(rac_last_error_code(), RAC_ENULL);
  CHECK_TEXT(rac_last_error_function(), "rac_signal_take");
}

/* ---- Which NULL belongs to which failure --------------------------------- */

#define CHECK_LAST(code, function)                                             \
  do {                                                                         \
    CHECK_STATUS(rac_last_error_code(), code);                                 \
    CHECK_TEXT(rac_last_error_function(), function);                           \
  } while (0)

/* NULL, because of a failure of rac_signal_take(). */
static rac_signal *broken(void) {
  rac_subject *stale = rac_subject_create();
  rac_release(stale);
  rac_clear_last_error();
  return rac_signal_take(as_signal(stale), 1);
}

TEST(a_null_after_an_unrelated_failure_is_one_of_its_own) {
  rac_release((void *)1);
  CHECK(rac_signal_map(NULL, context_new(NULL, NULL), keep_value,
                       context_destroy) == NULL);
  CHECK_LAST(RAC_ENULL, "rac_signal_map");

  rac_release((void *)1);
  CHECK_STATUS(rac_subject_send(NULL, I(1)), RAC_ENULL);
  CHECK_LAST(RAC_ENULL, "rac_subject_send");
  CHECK_STATUS(rac_command_set_allows_concurrent_execution(NULL, true),
               RAC_ENULL);
  CHECK_LAST(RAC_ENULL, "rac_command_set_allows_concurrent_execution");
  CHECK(rac_connection_connect(NULL) == NULL);
  CHECK_LAST(RAC_ENULL, "rac_connection_connect");

  rac_main_run_for(-1);
  CHECK(rac_sequence_take(NULL, 1) == NULL);
  CHECK_LAST(RAC_ENULL, "rac_sequence_take");
  rac_release((void *)1);
  CHECK(rac_property_changes(NULL) == NULL);
  CHECK_LAST(RAC_ENULL, "rac_property_changes");

  rac_value out;
  rac_virtual_advance_to(NULL, -1);
  CHECK_STATUS(rac_property_get(NULL, &out), RAC_ENULL);
  CHECK_LAST(RAC_ENULL, "rac_property_get");
  CHECK_INT(rac_scheduler_now(NULL), -1);
  CHECK_LAST(RAC_ENULL, "rac_scheduler_now");
  rac_value_release(rac_value_signal((rac_signal *)1));
  CHECK_STATUS(rac_sequence_head(NULL, &out), RAC_ENULL);
  CHECK_LAST(RAC_ENULL, "rac_sequence_head");
}

TEST(a_chain_goes_through_all_that_gives_handles) {
  rac_signal *s = broken();
  owned rac_signal *fine = rac_signal_never();
  rac_signal *several[] = {fine, s};
  CHECK(rac_signal_merge(several, 2) == NULL);
  CHECK(rac_signal_concat(fine, s) == NULL);
  CHECK(rac_signal_publish(s) == NULL);
  CHECK(rac_connection_connect(NULL) == NULL);
  CHECK(rac_sequence_from_signal(s, 0, NULL) == NULL);
  CHECK(rac_sequence_take(NULL, 1) == NULL);
  CHECK(rac_sequence_iterate(NULL) == NULL);
  CHECK(rac_sequence_signal(NULL, NULL) == NULL);
  CHECK(rac_subject_as_signal(NULL) == NULL);
  CHECK(rac_property_changes(NULL) == NULL);
  CHECK(rac_command_execute(NULL, I(1)) == NULL);
  CHECK(rac_subscribe_next(s, NULL, NULL, NULL) == NULL);
  CHECK(rac_scoped_disposable_create(NULL) == NULL);
  /* Looking at it, with nothing made since, does not end it either. */
  CHECK_LAST(RAC_ESTALE, "rac_signal_take");
  CHECK(rac_signal_skip(s, 1) == NULL);
  CHECK_LAST(RAC_ESTALE, "rac_signal_take");
}

TEST(a_chain_ends_where_no_handle_is_given) {
  rac_value out;
  CHECK_STATUS(rac_signal_first(broken(), 0, &out), RAC_ENULL);
  CHECK_LAST(RAC_ESTALE, "rac_signal_take");
  CHECK_STATUS(rac_signal_first(NULL, 0, &out), RAC_ENULL);
  CHECK_LAST(RAC_ENULL, "rac_signal_first");

  CHECK(!rac_subscriber_is_active((rac_subscriber *)broken()));
  CHECK(rac_signal_skip(NULL, 1) == NULL);
  CHECK_LAST(RAC_ENULL, "rac_signal_skip");
}

TEST(a_chain_that_was_looked_into_hides_nothing_that_comes_later) {
  CHECK(broken() == NULL);
  CHECK_STATUS(rac_last_error_code(), RAC_ESTALE);
  rac_signal *another = rac_signal_never();
  CHECK(rac_signal_skip(NULL, 1) == NULL);
  CHECK_LAST(RAC_ENULL, "rac_signal_skip");
  rac_release(another);

  CHECK(broken() == NULL);
  CHECK(strlen(rac_last_error_message()) > 0);
  CHECK_STATUS(rac_subject_send(NULL, I(1)), RAC_ENULL);
  CHECK_LAST(RAC_ENULL, "rac_subject_send");

  CHECK(broken() == NULL);
  rac_clear_last_error();
  CHECK(rac_signal_skip(NULL, 1) == NULL);
  CHECK_LAST(RAC_ENULL, "rac_signal_skip");
}

/* Whatever is made: it begins something else. */
TEST(every_handle_begins_another_chain) {
  owned rac_subject *subject = rac_subject_create(),
                    *other = rac_subject_create();
  owned rac_property *p = rac_property_create(I(1), RAC_PROPERTY_PLAIN);
  owned rac_disposable *serial = rac_serial_disposable_create();
  owned rac_disposable *inner = rac_disposable_create(NULL, NULL, NULL);
  rac_serial_disposable_set(serial, inner);
  for (int i = 0; i < 5; i++) {
    rac_release(broken());
    CHECK_STATUS(rac_last_error_code(), RAC_ESTALE);
    void *made = NULL;
    switch (i) {
    case 0:
      made = rac_subject_create();
      break;
    case 1:
      made = rac_subscribe_subscriber(as_signal(subject),
                                      rac_subject_as_subscriber(other));
      break;
    case 2:
      made = rac_sequence_empty();
      break;
    case 3:
      made = rac_property_bind(p, as_signal(subject), rac_value_nil());
      break;
    case 4:
      made = rac_serial_disposable_current(serial);
      break;
    }
    CHECK(made != NULL);
    CHECK(rac_signal_skip(NULL, 1) == NULL);
    CHECK_LAST(RAC_ENULL, "rac_signal_skip");
    if (i == 1 || i == 3) rac_dispose(made);
    rac_release(made);
  }
}

TEST(every_status_has_its_name) {
  static const struct {
    rac_status status;
    const char *name;
  } names[] = {{RAC_OK, "RAC_OK"},           {RAC_QUEUED, "RAC_QUEUED"},
               {RAC_PENDING, "RAC_PENDING"}, {RAC_EINVAL, "RAC_EINVAL"},
               {RAC_ENULL, "RAC_ENULL"},     {RAC_ESTALE, "RAC_ESTALE"},
               {RAC_EKIND, "RAC_EKIND"},     {RAC_EDONE, "RAC_EDONE"},
               {RAC_ENOMEM, "RAC_ENOMEM"},   {RAC_EUTF8, "RAC_EUTF8"},
               {RAC_EDEADLK, "RAC_EDEADLK"}, {RAC_ETIMEDOUT, "RAC_ETIMEDOUT"},
               {RAC_EFORK, "RAC_EFORK"},     {RAC_ERANGE, "RAC_ERANGE"},
               {RAC_EBUSY, "RAC_EBUSY"},     {RAC_EEMPTY, "RAC_EEMPTY"},
               {RAC_ESTREAM, "RAC_ESTREAM"}, {RAC_EUSER, "RAC_EUSER"}};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    CHECK_TEXT(rac_status_name(names[i].status), names[i].name);
  CHECK(rac_status_name(12345) != NULL);
  CHECK(rac_status_name(INT32_MIN) != NULL);
}

TEST(the_version_agrees_with_the_header) {
  CHECK_INT(rac_version(), RAC_VERSION);
  char text[32];
  snprintf(text, sizeof text, "%d.%d.%d", RAC_VERSION_MAJOR, RAC_VERSION_MINOR,
           RAC_VERSION_PATCH);
  CHECK_TEXT(rac_version_string(), text);
}

/* ---- Errors that callbacks raise ---------------------------------------- */

static rac_status raise_value(void *context, rac_value value, rac_value *out) {
  (void)out;
  rac_status status = *(rac_status *)context_target(context);
  if (status == RAC_EUSER) {
    owned_value error = rac_value_error("mine", value.bits, "raised");
    status = rac_raise(error);
  }
  return status;
}

static rac_signal *raising(rac_status *status) {
  rac_signal *signal = cold("7 8 |", NULL);
  RAC_ASSIGN(signal, rac_signal_map(signal, context_new(status, NULL),
                                    raise_value, context_destroy));
  return signal;
}

/* Law 17: the error that it raised. */
TEST(a_raised_error_reaches_the_subscriber) {
  rac_status status = RAC_EUSER;
  heard error = error_of(raising(&status));
  CHECK_TEXT(error.domain, "mine");
  CHECK_INT(error.code, 7);
  CHECK_TEXT(error.message, "raised");
}

/* Law 17: without one its status is the code, and named. */
TEST(a_bare_status_becomes_an_error_of_its_own) {
  rac_status statuses[] = {RAC_EINVAL, RAC_EKIND, -4096, INT32_MIN, -ENOENT};
  const char *const names[] = {"RAC_EINVAL", "RAC_EKIND", "-4096",
                               "-2147483648", "-2: No such file or directory"};
  for (int i = 0; i < 5; i++) {
    heard error = error_of(raising(&statuses[i]));
    CHECK_TEXT(error.domain, "rac.callback");
    CHECK_INT(error.code, statuses[i]);
    char message[60];
    snprintf(message, sizeof message, "a callback returned %s", names[i]);
    CHECK_TEXT(error.message, message);
  }
}

static rac_status raise_errno(void *context, rac_value value, rac_value *out) {
  (void)context, (void)value, (void)out;
  errno = ENOENT;
  return rac_raise_errno(errno, "open");
}

/* No status is an errno with its sign turned, so none is taken for the other. */
TEST(an_errno_is_an_error_of_the_system) {
  rac_signal *one = rac_signal_return(I(1));
  heard error = error_of(rac_signal_map(one, NULL, raise_errno, NULL));
  rac_release(one);
  CHECK_TEXT(error.domain, RAC_SYSTEM_ERROR_DOMAIN);
  CHECK_INT(error.code, ENOENT);
  CHECK_TEXT(error.message, "open: No such file or directory");
  CHECK(RAC_EINVAL < -4095 && RAC_EAGAIN < -4095 && RAC_EUSER < -4095);
  const int32_t none[] = {0, -ENOENT, 4096, INT32_MIN};
  for (int i = 0; i < 4; i++)
    CHECK_STATUS(rac_raise_errno(none[i], "open"), RAC_EINVAL);
  CHECK_STATUS(rac_raise_errno(EIO, NULL), RAC_EUSER);
}

TEST(a_positive_status_is_success) {
  rac_status status = RAC_QUEUED;
  CHECK_SIGNAL(raising(&status), "nil nil |");
}

TEST(raising_answers_user_and_nil_is_a_legal_error) {
  CHECK_STATUS(rac_raise(rac_value_nil()), RAC_EUSER);
  CHECK_STATUS(rac_raise(I(1)), RAC_EKIND);
}
