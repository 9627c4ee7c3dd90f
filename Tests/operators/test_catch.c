/* rac_signal_catch and rac_signal_catch_to: what follows an error. */
#include "stage.h"

typedef struct rescue {
  const char *script;
  rac_status status;
  int calls;
  int64_t code;
} rescue;

static rac_status go_on(void *context, rac_value error, rac_signal **out) {
  rescue *self = context_target(context);
  self->calls++;
  self->code = rac_error_get_code(error);
  if (self->script) *out = cold(self->script, NULL);
  return self->status;
}

static void check_catch(int line, const char *script, rescue how,
                        const char *expected, int calls) {
  rac_signal *s = cold(script, NULL);
  APPLY(s, catch, CALLBACK_FOR(&how, go_on));
  recorder r = {0};
  record(s, &r);
  check_text(__FILE__, line, script, r.text, expected);
  CHECK_INT(how.calls, calls);
  finish(&r);
  rac_release(s);
}

TEST(catch_goes_on_with_another_signal) {
  check_catch(__LINE__, "1 #5", (rescue){.script = "2 3 |"}, "1 2 3 |", 1);
  check_catch(__LINE__, "1 |", (rescue){.script = "2 |"}, "1 |", 0);
  /* Not caught again. */
  check_catch(__LINE__, "#5", (rescue){.script = "2 #6"}, "2 #6", 1);
  check_catch(__LINE__, "#5", (rescue){.script = NULL}, "|", 1);
  check_catch(__LINE__, "#5", (rescue){.script = "2 |", .status = -7}, "#-7",
              1);
}

TEST(catch_gets_the_error_as_its_value) {
  rescue how = {.script = "|"};
  rac_signal *s = cold("#5", NULL);
  APPLY(s, catch, CALLBACK_FOR(&how, go_on));
  CHECK_SIGNAL(s, "|");
  CHECK_INT(how.code, 5);
}

TEST(catch_to_goes_on_with_that_signal) {
  owned rac_signal *other = cold("8 |", NULL);
  rac_signal *s = cold("1 #5", NULL);
  APPLY(s, catch_to, other);
  rac_retain(s);
  CHECK_SIGNAL(s, "1 8 |");
  CHECK_SIGNAL(s, "1 8 |");
}

TEST(catch_to_in_time) {
  CHECK_MARBLES(rac_signal_catch_to(a, b), "-1|", "-7-8|", "-1|");
  CHECK_MARBLES(rac_signal_catch_to(a, b), "-1#7", "-7-8|", "-1-8|");
  CHECK_MARBLES(rac_signal_catch_to(a, b), "", "---8|", "");
  CHECK_MARBLES(rac_signal_catch_to(a, b), "-|", "--#5", "-|");
}

/* The callback fails at the first of the two values that take_last sends when its
 * source has completed: what collect sends at the completion that follows is no
 * business of catch's any more. */
TEST(what_was_caught_sends_nothing_more) {
  rac_signal *s = cold("2 3 |", NULL), *other = cold("7", NULL);
  APPLY(s, take_last, 2);
  APPLY(s, map, CALLBACK(map_not_two));
  APPLY0(s, collect);
  APPLY(s, catch_to, other);
  CHECK_SIGNAL(s, "7");
  rac_release(other);
}

TEST(disposing_a_catch_disposes_what_it_went_on_with) {
  source first = {0}, second = {0};
  owned rac_signal *other = cold("8", &second);
  owned rac_signal *s = cold("1 #5", &first);
  APPLY(s, catch_to, other);
  recorder r = {0};
  record(s, &r);
  CHECK_EVENTS(&r, "1 8");
  CHECK_INT(first.disposed, 1);
  CHECK_INT(second.disposed, 0);
  finish(&r);
  CHECK_INT(second.disposed, 1);
}

/* ---- What RAC's specs demand --------------------------------------------- */

/* What the handler goes on with. */
typedef struct recovery {
  rac_signal *signal;
  int calls;
  int64_t code;
} recovery;

static rac_status recover(void *context, rac_value error, rac_signal **out) {
  recovery *self = context_target(context);
  self->calls++;
  self->code = rac_error_get_code(error);
  *out = rac_retain(self->signal);
  return RAC_OK;
}

/* signal-177: the handler gets the error */
TEST(an_error_is_followed_by_another_signal) {
  recovery r = {cold("41", NULL), 0, 0};
  rac_signal *s = cold("1 #7", NULL);
  APPLY(s, catch, CALLBACK_FOR(&r, recover));
  CHECK_SIGNAL(s, "1 41");
  CHECK_INT(r.calls, 1);
  CHECK_INT(r.code, 7);
  rac_release(r.signal);
}

/* signal-177: not asked when there is no error */
TEST(catch_lets_a_completion_pass) {
  recovery r = {cold("41", NULL), 0, 0};
  rac_signal *s = cold("1 |", NULL);
  APPLY(s, catch, CALLBACK_FOR(&r, recover));
  CHECK_SIGNAL(s, "1 |");
  CHECK_INT(r.calls, 0);
  rac_release(r.signal);
}

/* signal-179: once, not again */
TEST(an_error_of_the_signal_gone_on_with_is_not_caught) {
  recovery r = {cold("41 #8", NULL), 0, 0};
  rac_signal *s = cold("#7", NULL), *to = cold("#7", NULL);
  APPLY(s, catch, CALLBACK_FOR(&r, recover));
  CHECK_SIGNAL(s, "41 #8");
  CHECK_INT(r.calls, 1);
  APPLY(to, catch_to, r.signal);
  CHECK_SIGNAL(to, "41 #8");
  rac_release(r.signal);
}

/* signal-180: also through catchTo */
TEST(disposing_either_catch_disposes_what_it_went_on_with) {
  for (int form = 0; form < 2; form++) {
    source counts = {0};
    recovery r = {cold("41", &counts), 0, 0};
    stage t;
    stage_open(&t);
    stage_hear(
        &t, form ? rac_signal_catch_to(as_signal(t.a), r.signal)
                 : rac_signal_catch(as_signal(t.a), CALLBACK_FOR(&r, recover)));
    play(t.a, "1 #7");
    CHECK_EVENTS(&t.heard, "1 41");
    CHECK_INT(counts.disposed, 0);
    rac_dispose(t.heard.subscription);
    CHECK_INT(counts.disposed, 1);
    stage_close(&t);
    rac_release(r.signal);
  }
}

/* Writes what it has, and fails all the same. */
static rac_status fail_to_recover(void *context, rac_value error,
                                  rac_signal **out) {
  (void)error;
  *out = rac_retain(context_target(context));
  return -9;
}
static rac_status recover_with_nothing(void *context, rac_value error,
                                       rac_signal **out) {
  (void)context_target(context);
  (void)error;
  (void)out;
  return RAC_OK;
}

/* signal-177, signal-179: RAC asserted that there is a signal; none is an empty
 * one here, and a failure of the handler takes the error's place */
TEST(a_handler_without_a_signal) {
  source counts = {0};
  rac_signal *s = cold("1 #7", NULL), *other = cold("8 |", &counts);
  rac_signal *failing =
      rac_signal_catch(s, CALLBACK_FOR(other, fail_to_recover));
  CHECK_SIGNAL(failing, "1 #-9");
  CHECK_INT(counts.subscribed, 0);
  APPLY(s, catch, CALLBACK(recover_with_nothing));
  CHECK_SIGNAL(s, "1 |");
  rac_release(other);
}
