/* Long and deep sequences: no more stack than short ones need, on the main
 * thread's stack and on one of 256 KB. */
#include "sequences.h"
#include "shared_callbacks.h"

static int64_t million(void) { return check_scaled(1000000); }
/* For what is slower than it is deep. */
static int64_t many(void) { return check_scaled(200000); }

static rac_status sum_right(void *context, rac_value value,
                            const rac_value *rest, rac_value *out) {
  (void)context;
  if (!rest) return RAC_PENDING;
  *out = I(value.bits + rest->bits);
  return RAC_OK;
}
static rac_status no_multiple(void *context, rac_value value, bool *out) {
  (void)context_target(context);
  *out = value.bits % 1000 == 0;
  return RAC_OK;
}

static void check_sum(rac_sequence *s, int64_t expected) {
  rac_value out;
  CHECK_STATUS(rac_sequence_fold_left(s, I(0), NULL, add_up, &out), RAC_OK);
  CHECK_INT(out.bits, expected);
}

static void folds(void) {
  int64_t n = million();
  rac_sequence *s = rac_sequence_range(1, 1, (size_t)n);
  SEQ(s, map, CALLBACK(times_ten));
  check_sum(s, 5 * n * (n + 1));
  rac_value out;
  CHECK_STATUS(rac_sequence_fold_right(s, I(0), NULL, sum_right, &out), RAC_OK);
  CHECK_INT(out.bits, 5 * n * (n + 1));
  rac_release(s); /* with a million values */
}

static void filtered(void) {
  int64_t n = million();
  owned rac_sequence *s = rac_sequence_range(1, 1, (size_t)n);
  SEQ(s, filter, CALLBACK(no_multiple));
  check_sum(s, 1000 * (n / 1000) * (n / 1000 + 1) / 2);
}

static rac_status empty_or_last(void *context, rac_value value,
                                rac_sequence **out) {
  int64_t last = *(int64_t *)context_target(context);
  if (value.bits == last) *out = rac_sequence_return(value);
  return RAC_OK;
}

static void flattened(void) {
  int64_t n = many();
  owned rac_sequence *s = rac_sequence_range(1, 1, (size_t)n);
  SEQ(s, flatten_map, CALLBACK_FOR(&n, empty_or_last));
  check_sum(s, n);
}

static void concatenated(bool to_the_left) {
  int64_t n = many();
  owned rac_sequence *one = rac_sequence_return(I(1)),
                     *s = rac_sequence_empty();
  for (int64_t i = 0; i < n; i++)
    RAC_ASSIGN(s, to_the_left ? rac_sequence_concat(s, one)
                              : rac_sequence_concat(one, s));
  owned rac_sequence *unread = rac_sequence_concat(s, s);
  check_sum(s, n);
  check_sum(s, n);
}
static void concatenated_to_the_left(void) { concatenated(true); }
static void concatenated_to_the_right(void) { concatenated(false); }

/* n, and what follows is one of its kind put behind another sequence: each
 * sequence that is read gives way to the next. */
static rac_sequence *counting(int64_t n);
static rac_status counting_head(void *context, rac_value *out) {
  *out = I((int64_t)(intptr_t)context);
  return RAC_OK;
}
static rac_status counting_tail(void *context, rac_sequence **out) {
  owned rac_sequence *none = rac_sequence_empty();
  owned rac_sequence *next = counting((int64_t)(intptr_t)context + 1);
  *out = rac_sequence_concat(none, next);
  return RAC_OK;
}
static rac_sequence *counting(int64_t n) {
  return rac_sequence_create((void *)(intptr_t)n, counting_head, counting_tail,
                             NULL);
}

static void made_by_their_tails(void) {
  int64_t n = many();
  owned rac_sequence *s = counting(1);
  SEQ(s, take, (size_t)n);
  check_sum(s, n * (n + 1) / 2);
}

/* A sequence in a sequence in a sequence … */
static void nested(void) {
  owned rac_sequence *s = rac_sequence_empty();
  for (int64_t i = many(); i > 0; i--) {
    owned_value value = rac_value_sequence(s);
    RAC_ASSIGN(s, rac_sequence_return(value));
  }
}

static void of_a_signal(void) {
  int64_t n = many();
  owned rac_subject *subject = rac_subject_create();
  owned rac_sequence *s = rac_sequence_from_signal(as_signal(subject), 0, NULL);
  for (int64_t i = 1; i <= n; i++) rac_subject_send(subject, I(i));
  rac_subject_send_completed(subject);
  check_sum(s, n * (n + 1) / 2);
}

static void count_next(void *context, rac_value value) {
  *(int64_t *)context_target(context) += value.bits;
}

static void to_a_signal(void) {
  int64_t n = many(), total = 0;
  owned rac_sequence *s = rac_sequence_range(1, 1, (size_t)n);
  owned rac_signal *signal = rac_sequence_signal(s, rac_scheduler_immediate());
  rac_observer observer = RAC_OBSERVER_INIT;
  observer.context = context_new(&total, NULL);
  observer.next = count_next;
  observer.destroy = context_destroy;
  rac_release(rac_subscribe(signal, &observer));
  CHECK_INT(total, n * (n + 1) / 2);
}

static void (*const cases[])(void) = {folds,
                                      filtered,
                                      flattened,
                                      concatenated_to_the_left,
                                      nested,
                                      concatenated_to_the_right,
                                      made_by_their_tails,
                                      of_a_signal,
                                      to_a_signal};

static void *run_cases(void *unused) {
  (void)unused;
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) cases[i]();
  return NULL;
}

TEST(on_the_main_thread) { run_cases(NULL); }

TEST(on_a_small_stack) {
  pthread_attr_t attributes;
  pthread_t thread;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, 256 * 1024);
  REQUIRE(pthread_create(&thread, &attributes, run_cases, NULL) == 0);
  pthread_join(thread, NULL);
  pthread_attr_destroy(&attributes);
}

/* ---- Chains ------------------------------------------------------------- */

TEST(a_chain_has_at_most_4096_operators) {
  rac_sequence *s = rac_sequence_range(1, 1, 3);
  for (int i = 0; i < 4095; i++) SEQ(s, skip, 0);
  REQUIRE(s != NULL);
  CHECK(rac_sequence_map(s, CALLBACK(times_ten)) == NULL);
  CHECK_INT(rac_last_error_code(), RAC_ERANGE);
  CHECK_SEQUENCE(s, "1 2 3");
}

/* s(n) is what a callback makes of s(n - 1), and each is deep: no chain is too
 * long by itself. */
static rac_status deeper(void *context, rac_value value, rac_sequence **out) {
  int64_t *left = context_target(context);
  rac_sequence *s = rac_sequence_return(value);
  if (--*left > 0) SEQ(s, flatten_map, CALLBACK_FOR(left, deeper));
  *out = s;
  return RAC_OK;
}

TEST(evaluations_inside_each_other_are_limited) {
  int64_t left = 100;
  owned rac_sequence *s = rac_sequence_return(I(1));
  SEQ(s, flatten_map, CALLBACK_FOR(&left, deeper));
  CHECK_SEQUENCE(s, "1");
  left = 100000;
  s = rac_sequence_return(I(1));
  SEQ(s, flatten_map, CALLBACK_FOR(&left, deeper));
  rac_value out;
  CHECK_STATUS(rac_sequence_head(s, &out), RAC_ERANGE);
  rac_value_release(out);
}
