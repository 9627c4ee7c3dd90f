/* Subjects without a memory: who hears what, and many senders at once. */
#include "check.h"

TEST(a_subject_sends_to_the_subscribers_of_the_moment) {
  owned rac_subject *subject = rac_subject_create();
  play(subject, "1");
  RECORDER(a, as_signal(subject));
  play(subject, "2");
  RECORDER(b, as_signal(subject));
  CHECK_INT(rac_subject_subscriber_count(subject), 2);
  play(subject, "3 nil |");
  CHECK_EVENTS(&a, "2 3 nil |");
  CHECK_EVENTS(&b, "3 nil |");
  CHECK_INT(rac_subject_subscriber_count(subject), 0);
}

TEST(a_send_without_subscribers_is_fine) {
  owned rac_subject *subject = rac_subject_create();
  CHECK_STATUS(rac_subject_send(subject, I(1)), RAC_OK);
  CHECK_STATUS(rac_subject_send_completed(subject), RAC_OK);
  CHECK_STATUS(rac_subject_send_completed(subject), RAC_OK);
}

TEST(subscribers_hear_in_the_order_they_came) {
  enum { COUNT = 200 };
  static recorder r[COUNT];
  memset(r, 0, sizeof r);
  owned rac_subject *subject = rac_subject_create();
  owned rac_scheduler *v = rac_scheduler_virtual();
  for (int i = 0; i < COUNT; i++) record(as_signal(subject), &r[i]);
  for (int i = 0; i < COUNT; i += 3) finish(&r[i]);
  CHECK_INT(rac_subject_subscriber_count(subject), COUNT - (COUNT + 2) / 3);
  play(subject, "1 2 |");
  for (int i = 0; i < COUNT; i++) {
    CHECK_EVENTS(&r[i], i % 3 == 0 ? "" : "1 2 |");
    if (i % 3 != 0) await_end(&r[i]);
  }
}

/* ---- Threads ------------------------------------------------------------ */

enum { SENDERS = 3 };

typedef struct sender {
  rac_subject *subject;
  int64_t name;
} sender;

static void *send_many(void *argument) {
  sender *self = argument;
  for (int64_t i = 0; i < check_scaled(30000); i++)
    CHECK(rac_subject_send(self->subject, I(self->name << 32 | i)) >= RAC_OK);
  return NULL;
}

typedef struct order {
  int64_t next[SENDERS];
  uint64_t hash;
} order;

static void note_order(recorder *self, rac_value value) {
  order *o = self->user;
  int64_t name = value.bits >> 32;
  if ((value.bits & 0xffffffff) != o->next[name]++)
    check_fail(__FILE__, __LINE__, "a sender's values are not in order");
  o->hash = o->hash * 31 + (uint64_t)value.bits;
}

/* Laws 2 and 3: one order for all, and nothing is lost. */
TEST(everyone_hears_racing_senders_in_the_same_order) {
  owned rac_subject *subject = rac_subject_create();
  order orders[4];
  memset(orders, 0, sizeof orders);
  recorder r[4];
  memset(r, 0, sizeof r);
  for (int i = 0; i < 4; i++) {
    r[i].on_next = note_order;
    r[i].user = &orders[i];
    record(as_signal(subject), &r[i]);
  }
  sender senders[SENDERS];
  pthread_t threads[SENDERS];
  for (int i = 0; i < SENDERS; i++) {
    senders[i] = (sender){subject, i};
    threads[i] = check_spawn(send_many, &senders[i]);
  }
  for (int i = 0; i < SENDERS; i++) check_join(threads[i]);
  rac_subject_send_completed(subject);
  for (int i = 0; i < 4; i++) {
    await_end(&r[i]);
    CHECK_INT(r[i].nexts, SENDERS * check_scaled(30000));
    CHECK(orders[i].hash == orders[0].hash);
  }
}
