/* Arrays that are sent to who takes arrays: handed on as they are, and heard as
 * if their numbers had come one by one. */
#include <math.h>

#include "batch_recorder.h"

enum { WAITS, GOES };
static const double limits[] = {INFINITY, 1};

typedef struct stream {
  rac_scheduler *clock;
  rac_subject *subject;
  batch_recorder heard;
} stream;

static stream *current;

static void begin(stream *self, int limit, size_t count, int form) {
  *self = (stream){0};
  current = self;
  self->clock = rac_scheduler_virtual();
  self->subject = rac_subject_create();
  record_batches_as(as_signal(self->subject), count, limits[limit], self->clock,
                    &self->heard, form);
}

static void end(stream *self, const char *expected) {
  CHECK_TEXT(self->heard.text, expected);
  finish_batches(&self->heard);
  rac_release(self->subject);
  rac_release(self->clock);
}

static rac_status send(rac_subject *subject, int64_t first, size_t count) {
  int64_t numbers[16];
  for (size_t i = 0; i < count; i++) numbers[i] = first + (int64_t)i;
  return rac_subject_send_array(subject, RAC_ARRAY_INT64S, numbers, count);
}

TEST(arrays_of_any_length_make_batches) {
  for (int limit = WAITS; limit <= GOES; limit++) {
    stream s;
    begin(&s, limit, 3, INT64S);
    CHECK_STATUS(send(s.subject, 1, 7), RAC_OK);
    CHECK_TEXT(s.heard.text, "[1 2 3] [4 5 6]");
    send(s.subject, 8, 1);
    send(s.subject, 9, 5);
    rac_subject_send(s.subject, I(14));
    send(s.subject, 15, 0);
    rac_subject_send_completed(s.subject);
    end(&s, "[1 2 3] [4 5 6] [7 8 9] [10 11 12] [13 14] |");
  }
}

TEST(what_is_of_another_form_is_looked_at) {
  const double halves[] = {0.5, 1.5, 2.5};
  for (int limit = WAITS; limit <= GOES; limit++) {
    stream s;
    begin(&s, limit, 2, DOUBLES);
    send(s.subject, 1, 3);
    rac_subject_send_array(s.subject, RAC_ARRAY_DOUBLES, halves, 3);
    end(&s, "[1 2] [3 0.5] [1.5 2.5]");
    begin(&s, limit, 2, VALUES);
    send(s.subject, 1, 3);
    rac_subject_send_array(s.subject, RAC_ARRAY_DOUBLES, halves, 3);
    end(&s, "[1 2] [3 0.5] [1.5 2.5]");
    begin(&s, limit, 2, INT64S);
    send(s.subject, 1, 3);
    rac_subject_send_array(s.subject, RAC_ARRAY_DOUBLES, halves, 3);
    CHECK_INT(s.heard.ends, 1);
    end(&s, s.heard.text);
  }
}

/* ---- Nobody copies a whole one ------------------------------------------- */

static const int64_t *heard_at;
static void hear_where(void *context, const int64_t *numbers, size_t count) {
  (void)context;
  heard_at = count == 4 ? numbers : NULL;
}

static rac_status send_array(void *context, rac_subscriber *subscriber,
                             rac_disposable **out) {
  (void)out;
  return rac_subscriber_send_array(subscriber, RAC_ARRAY_INT64S, context, 4);
}

TEST(a_whole_one_is_not_copied) {
  int64_t numbers[] = {1, 2, 3, 4};
  rac_batch_observer observer = RAC_BATCH_OBSERVER_INIT;
  observer.next_int64s = hear_where;
  rac_subject *subject = rac_subject_create();
  for (int limit = WAITS; limit <= GOES; limit++) {
    owned rac_disposable *subscription = rac_subscribe_batches(
        as_signal(subject), 4, limits[limit], NULL, &observer);
    rac_subject_send_array(subject, RAC_ARRAY_INT64S, numbers, 4);
    CHECK(heard_at == numbers);
    rac_dispose(subscription);
  }
  rac_release(subject);
  heard_at = NULL;
  owned rac_signal *created = rac_signal_create(numbers, send_array, NULL);
  rac_release(rac_subscribe_batches(created, 4, INFINITY, NULL, &observer));
  CHECK(heard_at == numbers);
}

/* ---- From inside --------------------------------------------------------- */

static void send_more(batch_recorder *heard, size_t count) {
  (void)count;
  if (atomic_load(&heard->batches) > 2) return;
  CHECK_STATUS(send(current->subject, 100 * atomic_load(&heard->batches), 2),
               RAC_QUEUED);
}

/* As if the numbers had come one by one. */
TEST(what_a_callback_sends_comes_before_the_rest) {
  for (int limit = WAITS; limit <= GOES; limit++) {
    stream s;
    begin(&s, limit, 3, INT64S);
    s.heard.on_batch = send_more;
    send(s.subject, 1, 8);
    end(&s, "[1 2 3] [100 101 4] [200 201 5] [6 7 8]");
  }
}

static void stop(batch_recorder *heard, size_t count) {
  (void)count;
  rac_dispose(heard->subscription);
}

TEST(a_disposal_keeps_the_rest_back) {
  for (int limit = WAITS; limit <= GOES; limit++) {
    stream s;
    begin(&s, limit, 2, INT64S);
    s.heard.on_batch = stop;
    CHECK_STATUS(send(s.subject, 1, 8), RAC_OK);
    end(&s, "[1 2]");
  }
}

static void complete(batch_recorder *heard, size_t count) {
  (void)heard, (void)count;
  rac_subject_send_completed(current->subject);
}

TEST(an_end_from_inside_keeps_the_rest_back) {
  for (int limit = WAITS; limit <= GOES; limit++) {
    stream s;
    begin(&s, limit, 2, INT64S);
    s.heard.on_batch = complete;
    CHECK_STATUS(send(s.subject, 1, 8), RAC_OK);
    end(&s, "[1 2] |");
  }
}

/* ---- By time ------------------------------------------------------------- */

TEST(what_is_left_of_an_array_waits_its_own_time) {
  stream s;
  begin(&s, GOES, 3, INT64S);
  send(s.subject, 1, 2);
  rac_virtual_advance_to(s.clock, 0.5);
  send(s.subject, 3, 2);
  rac_virtual_advance_to(s.clock, 1.25);
  CHECK_TEXT(s.heard.text, "[1 2 3]");
  rac_virtual_advance_to(s.clock, 1.5);
  CHECK_TEXT(s.heard.text, "[1 2 3] [4]");
  send(s.subject, 5, 3);
  rac_virtual_advance_to(s.clock, 9);
  end(&s, "[1 2 3] [4] [5 6 7]");
}
