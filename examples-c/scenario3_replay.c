/* Scenario 3: a subject beside a replay subject. A late subscriber of the
 * subject has missed the first package; one of the replay subject gets it at
 * once, as if it had been there.
 *
 * SPDX-License-Identifier: MIT
 */
#include "stage.h"

static void send_to_both(rac_subject *subject, rac_subject *replay,
                         const char *package) {
  rac_value value = rac_value_string(package); /* a view: nothing to release */
  stage_print("sending %s", package);
  rac_subject_send(subject, value);
  rac_subject_send(replay, value);
}

int main(int argc, char **argv) {
  stage_open(argc, argv);
  rac_subject *subject = rac_subject_create();
  rac_subject *replay = rac_replay_subject_create(RAC_REPLAY_UNLIMITED);
  if (subject == NULL || replay == NULL) stage_fail("subjects");

  stage_until(0.1);
  stage_print("first joins");
  stage_subscribe(rac_subject_as_signal(subject), "first, from the subject");
  stage_subscribe(rac_subject_as_signal(replay), "first, from the replay");

  stage_until(1.0);
  send_to_both(subject, replay, "package 1");

  stage_until(1.1);
  stage_print("second joins");
  stage_subscribe(rac_subject_as_signal(subject), "second, from the subject");
  stage_subscribe(rac_subject_as_signal(replay), "second, from the replay");

  stage_until(2.0);
  send_to_both(subject, replay, "package 2");

  stage_until(3.0);
  rac_subject_send_completed(subject);
  rac_subject_send_completed(replay);
  rac_release(subject);
  rac_release(replay);
  return stage_close();
}
