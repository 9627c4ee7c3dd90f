/* Errors that nobody handles: rac_set_unhandled_error(), and the line in the log
 * where there is no hook. */
#include <math.h>

#include "operators.h"
#include "shared_callbacks.h"

/* What a hook was told, as "chain: <error>" and " at <value>" for each. */
typedef struct told {
  char text[1000];
  atomic_int times, destroyed;
  rac_status nested;
} told;

static void append(char *text, size_t capacity, const char *more) {
  size_t used = strlen(text);
  snprintf(text + used, capacity - used, "%s", more);
}

static void tell(void *context, const rac_unhandled_error *report) {
  told *self = context_target(context);
  char text[200];
  CHECK_INT(report->size, sizeof *report);
  append(self->text, sizeof self->text, *self->text ? "; " : "");
  append(self->text, sizeof self->text, report->chain);
  append(self->text, sizeof self->text, ": ");
  rac_value_describe(report->error, text, sizeof text);
  append(self->text, sizeof self->text, text);
  if (report->value != NULL) {
    rac_value_describe(*report->value, text, sizeof text);
    append(self->text, sizeof self->text, " at ");
    append(self->text, sizeof self->text, text);
  }
  /* Inside of it the library works, and what would wait does not. */
  rac_signal *never = rac_signal_never();
  self->nested = rac_signal_first(never, -1, NULL);
  rac_release(never);
  atomic_fetch_add(&self->times, 1);
}

static void set_hook(told *self) {
  CHECK_STATUS(rac_set_unhandled_error(context_new(self, &self->destroyed),
                                       tell, context_destroy),
               RAC_OK);
}

static void unset_hook(told *self) {
  CHECK_STATUS(rac_set_unhandled_error(NULL, NULL, NULL), RAC_OK);
  CHECK_INT(self->destroyed, 1);
}

static void write_line(void *context, const char *line) {
  char *text = context_target(context);
  append(text, 1000, line);
  append(text, 1000, "\n");
}

static const char seven[] = "<error test 7: made by a test>";

static void complete(void *context) { (void)context_target(context); }

/* ---- Where it is told of ----------------------------------------------------- */

/* Every way in which callbacks come below a signal, with a destroy and without. */
enum { BARE, WITH_NEXT, WITH_COMPLETED, IN_BATCHES, INLINE, WAYS };

static rac_disposable *subscribe_by(int way, rac_signal *signal) {
  void *context = way == BARE ? NULL : context_new(NULL, NULL);
  rac_observer observer = {sizeof observer, context,        hear_value, NULL,
                           complete,        context_destroy};
  rac_batch_observer batches = RAC_BATCH_OBSERVER_INIT;
  batches.context = context;
  batches.destroy = context_destroy;
  switch (way) {
  case BARE:
    return rac_subscribe_next(signal, NULL, NULL, NULL);
  case WITH_NEXT:
    return rac_subscribe_next(signal, context, hear_value, context_destroy);
  case WITH_COMPLETED:
    return rac_subscribe(signal, &observer);
  case IN_BATCHES:
    return rac_subscribe_batches(signal, 10, INFINITY, NULL, &batches);
  default:
    observer.completed = NULL;
    return rac_subscribe_inline(signal, &observer, NULL);
  }
}

static rac_status fail_at_once(void *context, rac_subscriber *subscriber,
                               rac_disposable **out) {
  (void)context_target(context), (void)out;
  rac_value error = test_error(7);
  rac_subscriber_send(subscriber, I(1));
  rac_status status = rac_subscriber_send_error(subscriber, error);
  rac_value_release(error);
  return status < 0 ? status : RAC_OK;
}

/* A subject, a create signal, an operator over each, and one over several. */
enum { SUBJECT, CREATED, ABOVE_SUBJECT, ABOVE_CREATED, MERGED, SHAPES };

static rac_signal *make_shape(int shape, rac_subject *subject) {
  rac_signal *made = shape == CREATED || shape == ABOVE_CREATED
                         ? rac_signal_create(CALLBACK(fail_at_once))
                         : (rac_signal *)rac_retain(as_signal(subject));
  if (shape == ABOVE_SUBJECT || shape == ABOVE_CREATED)
    APPLY(made, map, CALLBACK(times_ten));
  if (shape == MERGED) {
    rac_signal *inputs[] = {made};
    RAC_ASSIGN(made, rac_signal_merge(inputs, 1));
  }
  return made;
}

/* Once each, by the signal's name. */
static void check_shape(int shape, int way, const char *name) {
  told t = {.text = ""};
  set_hook(&t);
  rac_subject *subject = rac_subject_create();
  rac_signal *signal = make_shape(shape, subject);
  if (name != NULL) rac_signal_set_name(signal, name);
  rac_disposable *subscription = subscribe_by(way, signal);
  REQUIRE(subscription != NULL);
  CHECK_INT(t.times, shape == CREATED || shape == ABOVE_CREATED);
  play(subject, "1 #7");
  char expected[100];
  snprintf(expected, sizeof expected, "%s: %s", name ? name : "", seven);
  CHECK_TEXT(t.text, expected);
  CHECK_INT(t.times, 1);
  CHECK_STATUS(t.nested, RAC_EDEADLK);
  CHECK(rac_is_disposed(subscription));
  rac_release(subscription);
  rac_release(signal);
  rac_release(subject);
  unset_hook(&t);
}

/* Law 17. */
TEST(every_subscription_without_an_error_callback_tells) {
  for (int shape = 0; shape < SHAPES; shape++)
    for (int way = 0; way < WAYS; way++) {
      check_shape(shape, way, NULL);
      check_shape(shape, way, "readings");
    }
}

/* Law 17. */
TEST(one_that_has_a_callback_for_errors_does_not) {
  told t = {.text = ""};
  set_hook(&t);
  for (int shape = 0; shape < SHAPES; shape++) {
    owned rac_subject *subject = rac_subject_create();
    owned rac_signal *signal = make_shape(shape, subject);
    rac_signal_set_name(signal, "readings");
    RECORDER(r, signal);
    play(subject, "#7");
    CHECK_INT(r.ends, 1);
  }
  CHECK_INT(t.times, 0);
  unset_hook(&t);
}

/* Laws 7 and 8: what was disposed tells nothing; upstream goes before. */
TEST(what_was_disposed_tells_nothing_and_upstream_goes_first) {
  told t = {.text = ""};
  set_hook(&t);
  for (int shape = 0; shape < SHAPES; shape++) {
    if (shape == CREATED || shape == ABOVE_CREATED) continue;
    owned rac_subject *subject = rac_subject_create();
    owned rac_signal *signal = make_shape(shape, subject);
    owned rac_disposable *subscription = subscribe_by(WITH_NEXT, signal);
    rac_dispose(subscription);
    play(subject, "#7");
  }
  CHECK_INT(t.times, 0);
  source upstream = {0};
  rac_signal *signal = cold("1 #7", &upstream);
  rac_release(subscribe_by(WITH_NEXT, signal));
  CHECK_INT(t.times, 1);
  CHECK_INT(upstream.disposed, 1);
  rac_release(signal);
  unset_hook(&t);
}

/* Names are recorded: it is the whole chain. */
TEST(the_chain_is_named_while_names_are_recorded) {
  told t = {.text = ""};
  set_hook(&t);
  rac_subject *subject = rac_subject_create();
  rac_signal_set_name(as_signal(subject), "clock");
  rac_set_names_enabled(true);
  rac_signal *even = rac_signal_filter(as_signal(subject), CALLBACK(is_even));
  rac_signal *tens = rac_signal_map(even, CALLBACK(map_not_two));
  rac_set_names_enabled(false);
  rac_release(subscribe_by(BARE, tens));
  rac_subject_send(subject, I(1));
  CHECK_TEXT(t.text, "");
  rac_subject_send(subject, I(2));
  CHECK_TEXT(
      t.text,
      "[[clock] -filter:] -map:: "
      "<error rac.callback -22: a callback returned -22: Invalid argument>");
  rac_release(tens);
  rac_release(even);
  rac_release(subject);
  unset_hook(&t);
}

TEST(an_error_that_ends_a_binding_is_told_of) {
  told t = {.text = ""};
  set_hook(&t);
  rac_property *p = rac_property_create(I(0), RAC_PROPERTY_PLAIN);
  rac_signal_set_name(rac_property_as_signal(p), "price");
  rac_subject *s = rac_subject_create();
  rac_release(rac_property_bind(p, as_signal(s), rac_value_nil()));
  play(s, "1 #7");
  char expected[100];
  snprintf(expected, sizeof expected, "price: %s", seven);
  CHECK_TEXT(t.text, expected);
  rac_release(s);
  rac_release(p);
  unset_hook(&t);
}

/* ---- The log ------------------------------------------------------------------ */

TEST(without_a_hook_it_is_a_line_in_the_log) {
  char text[1000] = "";
  rac_set_log(context_new(text, NULL), write_line, context_destroy);
  rac_subject *subject = rac_subject_create();
  rac_release(subscribe_by(WITH_NEXT, as_signal(subject)));
  play(subject, "#7");
  rac_signal_set_name(as_signal(subject), "readings");
  rac_release(subscribe_by(WITH_COMPLETED, as_signal(subject)));
  play(subject, "#7");
  rac_value at = I(3);
  CHECK_STATUS(rac_report_unhandled_error("here", rac_value_nil(), &at),
               RAC_OK);
  CHECK_TEXT(text,
             "rac: nobody handles the error: <error test 7: made by a "
             "test>\n"
             "rac: nobody handles the error of \"readings\": <error test 7: "
             "made by a test>\n"
             "rac: nobody handles the error of \"here\": nil, at the value "
             "3\n");
  rac_release(subject);
  /* A hook that does nothing: silence. */
  told t = {.text = ""};
  set_hook(&t);
  text[0] = 0;
  CHECK_STATUS(rac_report_unhandled_error("here", rac_value_nil(), &at),
               RAC_OK);
  CHECK_TEXT(text, "");
  CHECK_INT(t.times, 1);
  unset_hook(&t);
  rac_set_log(NULL, NULL, NULL);
}

/* ---- Reported by a binding ------------------------------------------------------ */

TEST(a_binding_reports_chain_error_and_value) {
  told t = {.text = ""};
  set_hook(&t);
  rac_value error = test_error(7), at = S("5 °C");
  CHECK_STATUS(rac_report_unhandled_error("map <- clock", error, &at), RAC_OK);
  CHECK_STATUS(rac_report_unhandled_error(NULL, error, NULL), RAC_OK);
  char expected[200];
  snprintf(expected, sizeof expected, "map <- clock: %s at 5 °C; : %s", seven,
           seven);
  CHECK_TEXT(t.text, expected);
  CHECK_STATUS(rac_report_unhandled_error("x", I(1), NULL), RAC_EKIND);
  CHECK_STATUS(rac_report_unhandled_error("\xff", error, NULL), RAC_EUTF8);
  at = S("\xff");
  CHECK_STATUS(rac_report_unhandled_error("x", error, &at), RAC_EUTF8);
  CHECK_INT(t.times, 2);
  rac_value_release(error);
  unset_hook(&t);
}

/* ---- The hook itself ------------------------------------------------------------ */

/* Law 9. */
TEST(a_hook_lives_until_it_is_replaced) {
  told first = {.text = ""}, second = {.text = ""};
  uint64_t before = rac_live_objects();
  set_hook(&first);
  CHECK(rac_live_objects() > before);
  set_hook(&second);
  CHECK_INT(first.destroyed, 1);
  unset_hook(&second);
  CHECK_INT(rac_live_objects(), before);
  /* Without a function there is no hook, and nobody needs the context. */
  atomic_int destroyed = 0;
  CHECK_STATUS(rac_set_unhandled_error(context_new(NULL, &destroyed), NULL,
                                       context_destroy),
               RAC_OK);
  CHECK_INT(destroyed, 1);
}

/* From inside it may take itself away: that call goes on to its end. */
static void replace_itself(void *context, const rac_unhandled_error *report) {
  told *self = context_target(context);
  (void)report;
  CHECK_STATUS(rac_set_unhandled_error(NULL, NULL, NULL), RAC_OK);
  CHECK_INT(self->destroyed, 0);
  self->times++;
}

TEST(a_hook_may_take_itself_away) {
  told t = {.text = ""};
  rac_set_unhandled_error(context_new(&t, &t.destroyed), replace_itself,
                          context_destroy);
  CHECK_STATUS(rac_report_unhandled_error(NULL, rac_value_nil(), NULL), RAC_OK);
  CHECK_INT(t.times, 1);
  CHECK_INT(t.destroyed, 1);
}

/* Law 2 is about one subscription: a hook is called on several threads at once. */
static void *fail_often(void *argument) {
  owned rac_subject *subject = rac_subject_create();
  (void)argument;
  for (int64_t i = check_scaled(2000); i > 0; i--) {
    rac_release(subscribe_by(WITH_NEXT, as_signal(subject)));
    play(subject, "#7");
  }
  return NULL;
}
static void count_only(void *context, const rac_unhandled_error *report) {
  told *self = context_target(context);
  (void)report;
  atomic_fetch_add(&self->times, 1);
}

TEST(errors_of_many_threads_and_hooks_that_change) {
  enum { THREADS = 3 };
  told t = {.text = ""};
  pthread_t threads[THREADS];
  rac_set_unhandled_error(context_new(&t, NULL), count_only, context_destroy);
  for (int i = 0; i < THREADS; i++) threads[i] = check_spawn(fail_often, NULL);
  for (int64_t i = check_scaled(2000); i > 0; i--)
    rac_set_unhandled_error(context_new(&t, NULL), count_only, context_destroy);
  for (int i = 0; i < THREADS; i++) check_join(threads[i]);
  CHECK_INT(t.times, THREADS * check_scaled(2000));
  CHECK_STATUS(rac_set_unhandled_error(NULL, NULL, NULL), RAC_OK);
}
