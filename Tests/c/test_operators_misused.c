/* Callbacks that answer with something else than what was asked for, and
 * counts at both ends of their range. */
#include "operators.h"

/* ---- A handle that is no signal where a signal is wanted ------------------- */

enum answer { NOTHING, DISPOSABLE, STALE, GARBAGE, OTHER_SUBJECT, ANSWERS };
static const char *const outcome[] = {"|", "#-5004", "#-5003", "#-5003", "5 |"};
static int asked;

static rac_status answer(void *context, rac_signal **out) {
  const enum answer *kind = context_target(context);
  asked++;
  switch (*kind) {
  case NOTHING:
    break;
  case DISPOSABLE:
    *out = (rac_signal *)rac_disposable_create(NULL, NULL, NULL);
    break;
  case STALE:
    *out = rac_signal_never();
    rac_release(*out);
    break;
  case GARBAGE:
    *out = (rac_signal *)(uintptr_t)0x1234567890abcdefu;
    break;
  default: /* a subject is a signal */
    *out = (rac_signal *)rac_replay_subject_create(SIZE_MAX);
    rac_subject_send((rac_subject *)*out, I(5));
    rac_subject_send_completed((rac_subject *)*out);
  }
  return RAC_OK;
}
static rac_status answer_value(void *context, rac_value value,
                               rac_signal **out) {
  (void)value;
  return answer(context, out);
}
static rac_status answer_bind(void *context, rac_value value, bool *stop,
                              rac_signal **out) {
  (void)value;
  (void)stop;
  return answer(context, out);
}

static rac_signal *ask(int by, enum answer *kind) {
  rac_signal *s = cold(by == 4 ? "#1" : "1 |", NULL);
  switch (by) {
  case 0:
    APPLY(s, flatten_map, CALLBACK_FOR(kind, answer_value));
    break;
  case 1:
    APPLY(s, bind, CALLBACK_FOR(kind, answer_bind));
    break;
  case 2:
    RAC_ASSIGN(s, rac_signal_defer(CALLBACK_FOR(kind, answer)));
    break;
  case 3:
    APPLY0(s, ignore_values);
    APPLY(s, then, CALLBACK_FOR(kind, answer));
    break;
  default:
    APPLY(s, catch, CALLBACK_FOR(kind, answer_value));
  }
  return s;
}

TEST(what_is_no_signal_is_an_error_and_nothing_is_empty) {
  for (int by = 0; by < 5; by++)
    for (enum answer kind = 0; kind < ANSWERS; kind++) {
      asked = 0;
      CHECK_SIGNAL(ask(by, &kind), outcome[kind]);
      CHECK_INT(asked, 1);
    }
}

/* ---- A signal where a value is wanted, and the reverse --------------------- */

static rac_status give_a_signal(void *context, rac_value value,
                                rac_value *out) {
  (void)context_target(context);
  rac_signal *inner = rac_signal_return(value);
  *out = rac_value_signal(inner);
  rac_release(inner);
  return RAC_OK;
}

/* A signal is a value like others, until somebody wants a number. */
TEST(a_signal_is_a_legal_value) {
  owned rac_signal *s = cold("1 2 |", NULL);
  APPLY(s, map, CALLBACK(give_a_signal));
  rac_signal *flat = rac_signal_flatten(s, 0);
  CHECK_SIGNAL(flat, "1 2 |");
  owned rac_signal *negated = rac_signal_not(s);
  RECORDER(r, negated);
  CHECK_EVENTS(&r, "#-5004");
}

TEST(a_value_is_no_signal) {
  for (size_t limit = 0; limit < 3; limit++) {
    rac_signal *s = cold("1 2 |", NULL);
    APPLY(s, flatten, limit);
    CHECK_SIGNAL(s, "#-5004");
  }
  rac_signal *s = cold("1 2 |", NULL);
  APPLY0(s, switch_to_latest);
  CHECK_SIGNAL(s, "#-5004");
  s = cold("1 2 |", NULL);
  APPLY0(s, dematerialize);
  CHECK_SIGNAL(s, "#-5004");
}

/* ---- Counts ---------------------------------------------------------------- */

TEST(counts_of_nothing_and_of_everything) {
  owned rac_signal *source = cold("1 2 |", NULL), *broken = cold("1 #3", NULL);
  CHECK_SIGNAL(rac_signal_take_last(source, 0), "|");
  CHECK_SIGNAL(rac_signal_take_last(source, SIZE_MAX), "1 2 |");
  CHECK_SIGNAL(rac_signal_take(source, SIZE_MAX), "1 2 |");
  CHECK_SIGNAL(rac_signal_skip(source, SIZE_MAX), "|");
  /* 0 is for ever, so something else has to end it. */
  rac_signal *retried = rac_signal_retry(broken, 0);
  APPLY(retried, take, 4);
  CHECK_SIGNAL(retried, "1 1 1 1 |");
  retried = rac_signal_retry(broken, SIZE_MAX);
  APPLY(retried, take, 4);
  CHECK_SIGNAL(retried, "1 1 1 1 |");
  for (size_t limit = 0; limit != 1; limit = limit == 0 ? SIZE_MAX : 1) {
    rac_signal *s = rac_signal_map(source, CALLBACK(give_a_signal));
    APPLY(s, flatten, limit);
    CHECK_SIGNAL(s, "1 2 |");
  }
}

TEST(a_replay_of_nothing_and_of_everything) {
  for (size_t capacity = 0; capacity != 1;
       capacity = capacity == 0 ? SIZE_MAX : 1) {
    rac_subject *replay = rac_replay_subject_create(capacity);
    for (int i = 0; i < 3; i++) rac_subject_send(replay, I(i));
    rac_subject_send_completed(replay);
    recorder r = {0};
    record(rac_subject_as_signal(replay), &r);
    CHECK_EVENTS(&r, capacity == 0 ? "|" : "0 1 2 |");
    finish(&r);
    rac_release(replay);
  }
}

/* ---- Nothing to combine ------------------------------------------------------ */

static rac_status count_elements(void *context, const rac_value *elements,
                                 size_t count, rac_value *out) {
  (void)context_target(context);
  (void)elements;
  *out = I((int64_t)count);
  return RAC_OK;
}

TEST(combining_no_signals_completes) {
  CHECK_SIGNAL(rac_signal_merge(NULL, 0), "|");
  CHECK_SIGNAL(rac_signal_zip(NULL, 0), "|");
  CHECK_SIGNAL(rac_signal_combine_latest(NULL, 0), "|");
  CHECK_SIGNAL(rac_signal_zip_reduce(NULL, 0, CALLBACK(count_elements)), "|");
  CHECK_SIGNAL(
      rac_signal_combine_latest_reduce(NULL, 0, CALLBACK(count_elements)), "|");
}

/* ---- Times ------------------------------------------------------------------- */

/* What lies further away than the clock can say is as far away as it can. */
TEST(huge_times_never_come) {
  const double huge[] = {1e18, 1e300, 1.0 / 0.0};
  for (size_t i = 0; i < sizeof huge / sizeof *huge; i++) {
    owned rac_scheduler *v = rac_scheduler_virtual();
    owned rac_subject *subject = rac_subject_create();
    rac_signal *source = as_signal(subject);
    rac_signal *made[] = {
        rac_signal_timeout(source, huge[i], v),
        rac_signal_buffer_with_time(source, huge[i], v),
        rac_signal_interval(huge[i], v),
    };
    recorder r[3] = {{0}, {0}, {0}};
    for (int k = 0; k < 3; k++) record(made[k], &r[k]);
    rac_subject_send(subject, I(1));
    CHECK_STATUS(rac_virtual_advance_by(v, 1e6), RAC_OK);
    CHECK_EVENTS(&r[0], "1");
    CHECK_EVENTS(&r[1], "");
    CHECK_EVENTS(&r[2], "");
    for (int k = 0; k < 3; k++) {
      finish(&r[k]);
      rac_release(made[k]);
    }
  }
}
