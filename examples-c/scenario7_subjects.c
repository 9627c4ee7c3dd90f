/* Scenario 7: subjects with a memory, and subscribers that join between the
 * sends. A behavior subject has a current value from the start and tells it to
 * everyone who joins; a replay subject repeats all it remembers, its end
 * included.
 *
 * SPDX-License-Identifier: MIT
 */
#include "stage.h"

/* Plays the same scene with any subject, and consumes it. */
static void play(const char *title, rac_subject *subject) {
  rac_signal *signal = rac_subject_as_signal(subject); /* lent */
  stage_scene(title);
  stage_subscribe(signal, "first");
  stage_until(1.0);
  rac_subject_send(subject, rac_value_int64(1));
  stage_until(1.5);
  stage_subscribe(signal, "second");
  stage_until(2.0);
  rac_subject_send(subject, rac_value_int64(2));
  stage_until(2.5);
  stage_subscribe(signal, "third");
  stage_until(3.0);
  rac_subject_send_completed(subject);
  stage_until(3.5);
  stage_subscribe(signal, "fourth");
  stage_until(4.0);
  /* The fourth subscriber of the behavior subject still waits for more: it
   * goes with the subject. */
  rac_release(subject);
}

int main(int argc, char **argv) {
  stage_open(argc, argv);
  play("behavior subject, 0 at first",
       rac_behavior_subject_create(rac_value_int64(0)));
  play("replay subject", rac_replay_subject_create(RAC_REPLAY_UNLIMITED));
  play("replay subject of capacity 1", rac_replay_subject_create(1));
  return stage_close();
}
