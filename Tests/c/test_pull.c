/* Reading a signal when one has time for it: within a time, what is there, and
 * with a bound on what waits. */
#include "operators.h"

typedef struct reader {
  rac_bound *bound;
  rac_subject *subject;
  rac_sequence_iterator *each;
} reader;

static void begin(reader *self, size_t capacity, int32_t policy) {
  bool holds = policy == RAC_BOUND_WAIT || policy == RAC_BOUND_REFUSE;
  self->bound = rac_bound_create(capacity, policy);
  self->subject =
      holds ? rac_subject_create_bounded(self->bound) : rac_subject_create();
  owned rac_sequence *sequence =
      rac_sequence_from_signal(as_signal(self->subject), -1, self->bound);
  self->each = rac_sequence_iterate(sequence);
}

static void end(reader *self) {
  rac_release(self->each);
  CHECK_INT(rac_subject_subscriber_count(self->subject), 0);
  CHECK_INT(rac_bound_get(self->bound, RAC_BOUND_LENGTH), 0);
  rac_release(self->subject);
  rac_release(self->bound);
}

/* What can be read now, and what comes then. */
static void check_rest(reader *self, const char *expected, rac_status last) {
  char text[200] = "";
  size_t used = 0;
  rac_value value;
  rac_status status;
  while ((status = rac_sequence_next_for(self->each, 0, &value)) == RAC_OK)
    used += (size_t)snprintf(text + used, sizeof text - used, "%s%lld",
                             used ? " " : "", (long long)value.bits);
  CHECK_TEXT(text, expected);
  CHECK_STATUS(status, last);
  if (status != RAC_ESTREAM) CHECK_INT(value.kind, RAC_NIL);
  if (status == RAC_ESTREAM)
    CHECK_INT(rac_error_get_code(value), RAC_SIGNAL_OVERFLOW);
  rac_value_release(value);
}

static void check(int32_t policy, const char *heard, int dropped,
                  rac_status last) {
  reader r = {0};
  begin(&r, 2, policy);
  check_rest(&r, "", RAC_ETIMEDOUT);
  CHECK_TEXT(rac_last_error_function(), "rac_sequence_next_for");
  play(r.subject, "1 2 3 4");
  CHECK_INT(rac_bound_get(r.bound, RAC_BOUND_DROPPED), dropped);
  check_rest(&r, heard, last);
  end(&r);
}

TEST(the_oldest_gives_way) {
  check(RAC_BOUND_DROP_OLDEST, "3 4", 2, RAC_ETIMEDOUT);
}
TEST(the_newest_is_not_taken) {
  check(RAC_BOUND_DROP_NEWEST, "1 2", 2, RAC_ETIMEDOUT);
}
TEST(the_latest_alone_waits) { check(RAC_BOUND_LATEST, "4", 3, RAC_ETIMEDOUT); }
/* Law 16: behind what waits. Once read, it stays the end. */
TEST(too_many_are_an_error) { check(RAC_BOUND_ERROR, "1 2", 1, RAC_ESTREAM); }

TEST(who_sends_is_refused) {
  reader r = {0};
  begin(&r, 2, RAC_BOUND_REFUSE);
  CHECK_STATUS(rac_subject_send(r.subject, I(1)), RAC_OK);
  CHECK_STATUS(rac_subject_send(r.subject, I(2)), RAC_OK);
  CHECK_STATUS(rac_subject_send(r.subject, I(3)), RAC_EAGAIN);
  rac_value value;
  CHECK_STATUS(rac_sequence_next(r.each, &value), RAC_OK);
  CHECK_INT(value.bits, 1);
  CHECK_STATUS(rac_subject_send(r.subject, I(3)), RAC_OK);
  check_rest(&r, "2 3", RAC_ETIMEDOUT);
  end(&r);
}

TEST(the_end_is_behind_what_waits) {
  reader r = {0};
  begin(&r, 2, RAC_BOUND_DROP_OLDEST);
  play(r.subject, "1 2 3 |");
  CHECK_INT(rac_subject_subscriber_count(r.subject), 0);
  check_rest(&r, "2 3", RAC_EEMPTY);
  check_rest(&r, "", RAC_EEMPTY);
  end(&r);
}

TEST(nobody_who_could_send_is_the_end) {
  reader r = {0};
  begin(&r, 2, RAC_BOUND_DROP_OLDEST);
  play(r.subject, "1");
  rac_release(r.subject);
  check_rest(&r, "1", RAC_EEMPTY);
  rac_release(r.each);
  rac_release(r.bound);
}

TEST(a_time_is_waited_for_and_no_longer) {
  reader r = {0};
  begin(&r, 2, RAC_BOUND_DROP_OLDEST);
  rac_value value = I(1);
  double before = check_clock();
  CHECK_STATUS(rac_sequence_next_for(r.each, 0.01, &value), RAC_ETIMEDOUT);
  CHECK(check_clock() - before >= 0.01);
  CHECK_INT(value.kind, RAC_NIL);
  CHECK_STATUS(rac_sequence_next_for(r.each, 0, &value), RAC_ETIMEDOUT);
  CHECK_STATUS(rac_sequence_next_for(r.each, -1, &value), RAC_EINVAL);
  CHECK_STATUS(rac_sequence_next_for(NULL, 1, &value), RAC_ENULL);
  CHECK_STATUS(rac_sequence_next_for(NULL, 0, &value), RAC_ENULL);
  play(r.subject, "7");
  CHECK_STATUS(rac_sequence_next_for(r.each, 0, &value), RAC_OK);
  CHECK_INT(value.bits, 7);
  end(&r);
}

/* A sequence without a bound takes the time of the call, too, not its own. */
TEST(the_time_of_the_call_counts_for_every_sequence) {
  owned rac_subject *subject = rac_subject_create();
  owned rac_sequence *sequence =
      rac_sequence_from_signal(as_signal(subject), -1, NULL);
  rac_assign((void **)&sequence,
             rac_sequence_map(sequence, CALLBACK(times_ten)));
  owned rac_sequence_iterator *each = rac_sequence_iterate(sequence);
  rac_value value;
  CHECK_STATUS(rac_sequence_next_for(each, 0.002, &value), RAC_ETIMEDOUT);
  CHECK_STATUS(rac_sequence_next_for(each, 0, &value), RAC_ETIMEDOUT);
  play(subject, "1 2");
  CHECK_STATUS(rac_sequence_next_for(each, 0, &value), RAC_OK);
  CHECK_INT(value.bits, 10);
  CHECK_STATUS(rac_sequence_next_for(each, 0.002, &value), RAC_OK);
  CHECK_INT(value.bits, 20);
  CHECK_STATUS(rac_sequence_next_for(each, 0, &value), RAC_ETIMEDOUT);
}

typedef struct hold {
  atomic_bool inside, leave;
} hold;

static rac_status compute_slowly(void *context, rac_value value,
                                 rac_value *out) {
  hold *self = context;
  atomic_store(&self->inside, true);
  WAIT_UNTIL(atomic_load(&self->leave));
  *out = value;
  return RAC_OK;
}

static void *read_one(void *each) {
  rac_value value;
  CHECK_STATUS(rac_sequence_next(each, &value), RAC_OK);
  return NULL;
}

/* Nor for another thread, which computes what this one asks for. */
TEST(no_more_is_waited_for_another_thread) {
  hold h = {0};
  owned rac_sequence *range = rac_sequence_range(1, 1, 3);
  owned rac_sequence *slow = rac_sequence_map(range, &h, compute_slowly, NULL);
  owned rac_sequence_iterator *first = rac_sequence_iterate(slow);
  owned rac_sequence_iterator *second = rac_sequence_iterate(slow);
  pthread_t other = check_spawn(read_one, first);
  WAIT_UNTIL(atomic_load(&h.inside));
  rac_value value;
  CHECK_STATUS(rac_sequence_next_for(second, 0, &value), RAC_ETIMEDOUT);
  CHECK_STATUS(rac_sequence_next_for(second, 0.002, &value), RAC_ETIMEDOUT);
  CHECK_STATUS(rac_sequence_next_for(first, 0, &value), RAC_ETIMEDOUT);
  atomic_store(&h.leave, true);
  check_join(other);
  CHECK_STATUS(rac_sequence_next_for(second, 0, &value), RAC_OK);
  CHECK_INT(value.bits, 1);
}

static void read_inside(recorder *heard, rac_value value) {
  reader *self = heard->user;
  rac_value out;
  CHECK_STATUS(rac_sequence_next_for(self->each, 0, &out),
               value.bits == 1 ? RAC_ETIMEDOUT : RAC_OK);
  if (value.bits != 1) return;
  CHECK_STATUS(rac_sequence_next_for(self->each, 5, &out), RAC_EDEADLK);
  CHECK_STATUS(rac_sequence_next(self->each, &out), RAC_EDEADLK);
}

/* Law 6. */
TEST(inside_a_callback_one_may_try) {
  reader r = {0};
  begin(&r, 2, RAC_BOUND_DROP_OLDEST);
  rac_subject *other = rac_subject_create();
  recorder heard = {.on_next = read_inside, .user = &r};
  record(as_signal(other), &heard);
  rac_subject_send(other, I(1));
  rac_subject_send(r.subject, I(1));
  rac_subject_send(other, I(2));
  finish(&heard);
  rac_release(other);
  end(&r);
}

/* What was read is part of the sequence, for whoever holds it. */
TEST(a_sequence_with_a_bound_is_the_same_when_it_is_read_again) {
  owned rac_bound *bound = rac_bound_create(2, RAC_BOUND_DROP_OLDEST);
  owned rac_subject *subject = rac_subject_create();
  owned rac_sequence *sequence =
      rac_sequence_from_signal(as_signal(subject), -1, bound);
  play(subject, "1 2 3");
  rac_sequence_iterator *each = rac_sequence_iterate(sequence);
  rac_value value;
  CHECK_STATUS(rac_sequence_next(each, &value), RAC_OK);
  CHECK_INT(value.bits, 2);
  play(subject, "4 5 |");
  rac_release(each);
  rac_value all;
  CHECK_STATUS(rac_sequence_to_array(sequence, &all), RAC_OK);
  CHECK_INT(rac_tuple_count(all), 3);
  CHECK_INT(rac_tuple_get(all, 0).bits, 2);
  CHECK_INT(rac_tuple_get(all, 2).bits, 5);
  rac_value_release(all);
}

TEST(arguments_are_checked) {
  owned rac_bound *bound = rac_bound_create(2, RAC_BOUND_DROP_OLDEST);
  owned rac_signal *never = rac_signal_never();
  CHECK(rac_sequence_from_signal(NULL, -1, bound) == NULL);
  rac_clear_last_error();
  owned rac_sequence *sequence = rac_sequence_from_signal(never, -1, bound);
  CHECK(sequence != NULL);
  CHECK(rac_sequence_from_signal(never, -1, bound) == NULL);
  CHECK_STATUS(rac_last_error_code(), RAC_EBUSY);
}
