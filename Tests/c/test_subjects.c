/* Subjects without a memory: who hears what. Many senders at once are in
 * test_sending_many_inside.c and test_stress.c. */
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
