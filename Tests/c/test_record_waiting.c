/* A recording of what waits: values behind a scheduler, jobs, timers, senders
 * that are held up; what is dropped; properties, commands, and what the program
 * sends. docs/Recording.md */
#include "recording.h"

#include "operators.h"

static void begin_recording(void) {
  rac_record_stop();
  CHECK_STATUS(rac_record_start(recording_path(), 0), RAC_OK);
}

static recording end_recording(void) {
  CHECK_STATUS(rac_record_stop(), RAC_OK);
  recording made = recording_of(recording_path());
  unlink(recording_path());
  return made;
}

static rac_subject *named_subject(const char *name) {
  rac_subject *made = rac_subject_create();
  rac_signal_set_name(as_signal(made), name);
  return made;
}

/* The only node of that kind; NULL: none, or several. */
static const file_slot *only(const recording *file, uint8_t kind) {
  const file_slot *found = NULL;
  int count = 0;
  for (uint32_t i = 0; i < file->header->slots_used; i++) {
    if (recording_slots(file)[i].kind != kind) continue;
    found = recording_slots(file) + i;
    count++;
  }
  return count == 1 ? found : NULL;
}

TEST(values_that_wait_for_a_scheduler_are_counted) {
  begin_recording();
  owned rac_subject *subject = named_subject("readings");
  owned rac_scheduler *scheduler = rac_scheduler_virtual();
  owned rac_signal *delivered =
      rac_signal_deliver_on(as_signal(subject), scheduler);
  rac_signal_set_name(delivered, "to worker");
  recorder r = {0};
  record(delivered, &r);
  play(subject, "1 2 3 4 5");
  rac_virtual_step_all(scheduler);
  play(subject, "6 7");
  read_recording file = recording_of(recording_path());
  rac_virtual_step_all(scheduler);
  CHECK_EVENTS(&r, "1 2 3 4 5 6 7");
  rac_subject_send_completed(subject);
  rac_virtual_step_all(scheduler);
  await_end(&r);
  read_recording last = end_recording();
  const file_slot *found = recording_find(&file, 1, "to worker");
  const file_slot *above = recording_find(&file, 1, "readings");
  REQUIRE(found != NULL && above != NULL);
  CHECK_INT(above->below, found->node);
  CHECK_INT(above->values, 7);
  CHECK_INT(found->values, 5);
  CHECK_INT(found->waiting, 2);
  CHECK_INT(found->most, 5);
  CHECK_INT(recording_count(&last, 15, found->node), 2); /* 2 and 4 */
}

TEST(values_that_a_bound_drops_are_events) {
  begin_recording();
  owned rac_subject *subject = named_subject("orders");
  owned rac_scheduler *scheduler = rac_scheduler_virtual();
  owned rac_bound *bound = rac_bound_create(2, RAC_BOUND_DROP_OLDEST);
  owned rac_signal *delivered =
      rac_signal_deliver_on_bounded(as_signal(subject), scheduler, bound);
  rac_signal_set_name(delivered, "to clerk");
  recorder r = {0};
  record(delivered, &r);
  play(subject, "1 2 3 4 5");
  rac_virtual_step_all(scheduler);
  CHECK_EVENTS(&r, "4 5");
  rac_subject_send_completed(subject);
  rac_virtual_step_all(scheduler);
  await_end(&r);
  read_recording file = end_recording();
  const file_slot *found = recording_find(&file, 1, "to clerk");
  REQUIRE(found != NULL);
  CHECK_INT(found->lost, 3);
  CHECK_INT(found->values, 2);
  CHECK_INT(found->waiting, 0);
  CHECK(found->most >= 2 && found->most <= 3);
  CHECK_INT(recording_count(&file, 12, found->node), 3);
  const file_event *lost = recording_first(&file, 12, found->node);
  REQUIRE(lost != NULL);
  CHECK_INT(lost->extra, RAC_BOUND_DROP_OLDEST);
}

TEST(signals_that_wait_in_a_flatten_are_counted) {
  begin_recording();
  owned rac_subject *outer = named_subject("outer");
  owned rac_subject *inner = named_subject("inner");
  owned rac_signal *flat = rac_signal_flatten(as_signal(outer), 1);
  rac_signal_set_name(flat, "flat");
  recorder r = {0};
  record(flat, &r);
  owned_value value = rac_value_signal(as_signal(inner));
  for (int i = 0; i < 4; i++) rac_subject_send(outer, value);
  play(inner, "1 2");
  rac_subject_send_completed(inner);
  read_recording file = recording_of(recording_path());
  finish(&r);
  read_recording last = end_recording();
  const file_slot *found = recording_find(&file, 1, "flat");
  REQUIRE(found != NULL);
  CHECK_INT(found->most, 3);
  CHECK_INT(found->waiting, 2);
  CHECK_INT(found->values, 2);
  CHECK(recording_is_sound(&last));
}

static void do_nothing(void *context) { (void)context_target(context); }

TEST(jobs_are_asked_for_begin_and_end) {
  begin_recording();
  owned rac_scheduler *scheduler = rac_scheduler_background(0, "worker");
  atomic_int destroyed = 0;
  for (int i = 0; i < 3; i++) {
    owned rac_disposable *d = rac_schedule(
        scheduler, context_new(NULL, &destroyed), do_nothing, context_destroy);
    CHECK(d != NULL);
  }
  WAIT_UNTIL(destroyed == 3);
  rac_settle(5);
  read_recording file = end_recording();
  const file_slot *found = recording_find(&file, 4, "worker");
  REQUIRE(found != NULL);
  CHECK_INT(found->detail, 3);
  CHECK_INT(found->values, 3);
  CHECK_INT(found->waiting, 0);
  CHECK_INT(recording_count(&file, 17, found->node), 3);
  CHECK_INT(recording_count(&file, 18, found->node), 3);
  CHECK_INT(recording_count(&file, 19, found->node), 3);
  const file_event *asked = recording_first(&file, 17, found->node);
  const file_event *begins = recording_first(&file, 18, found->node);
  const file_event *ends = recording_first(&file, 19, found->node);
  REQUIRE(asked != NULL && begins != NULL && ends != NULL);
  CHECK_INT(asked->extra, begins->extra);
  CHECK_INT(begins->extra, ends->extra);
  CHECK(asked->stamp >> 8 <= begins->stamp >> 8);
  CHECK_INT((begins->stamp >> 8) <= (ends->stamp >> 8), 1);
}

TEST(a_scheduler_that_nobody_runs_has_jobs_that_wait) {
  begin_recording();
  owned rac_scheduler *scheduler = rac_scheduler_virtual();
  owned rac_disposable *d =
      rac_schedule_after(scheduler, 1, CALLBACK(do_nothing));
  read_recording file = recording_of(recording_path());
  rac_dispose(d);
  read_recording last = end_recording();
  const file_slot *found = only(&file, 4);
  REQUIRE(found != NULL);
  CHECK_INT(found->detail, 4);
  CHECK_INT(found->waiting, 1);
  CHECK_INT(found->values, 0);
  CHECK_INT(recording_count(&last, 22, 0), 1);
}

TEST(timers_are_asked_for_and_fire) {
  begin_recording();
  owned rac_scheduler *scheduler = rac_scheduler_background(0, "clock");
  atomic_int destroyed = 0;
  owned rac_disposable *d =
      rac_schedule_after(scheduler, 0.01, context_new(NULL, &destroyed),
                         do_nothing, context_destroy);
  CHECK(d != NULL);
  WAIT_UNTIL(destroyed == 1);
  rac_settle(5);
  read_recording file = end_recording();
  const file_slot *found = recording_find(&file, 4, "clock");
  REQUIRE(found != NULL);
  const file_event *asked = recording_first(&file, 20, found->node);
  const file_event *fired = recording_first(&file, 21, found->node);
  const file_event *begins = recording_first(&file, 18, found->node);
  REQUIRE(asked != NULL && fired != NULL && begins != NULL);
  CHECK_INT(asked->extra, fired->extra);
  CHECK_INT(fired->extra, begins->extra);
  int64_t deadline = (int64_t)asked->bits;
  int64_t since = deadline - (int64_t)(asked->stamp >> 8);
  CHECK(since > 0 && since <= 10100000);
  /* The clock is read now and then only. */
  CHECK((int64_t)(fired->stamp >> 8) >= deadline - 10000);
}

typedef struct sender {
  rac_subject *subject;
  atomic_bool is_done;
} sender;

static void *send_second(void *of) {
  sender *self = of;
  rac_subject_send(self->subject, I(2));
  rac_subject_send(self->subject, I(3));
  atomic_store(&self->is_done, true);
  return NULL;
}

TEST(a_sender_that_waits_for_room_is_held_up) {
  begin_recording();
  owned rac_bound *bound = rac_bound_create(1, RAC_BOUND_WAIT);
  owned rac_subject *subject = rac_subject_create_bounded(bound);
  owned rac_scheduler *scheduler = rac_scheduler_virtual();
  owned rac_signal *delivered =
      rac_signal_deliver_on_bounded(as_signal(subject), scheduler, bound);
  recorder r = {0};
  record(delivered, &r);
  rac_subject_send(subject, I(1));
  sender s = {subject, false};
  pthread_t thread = check_spawn(send_second, &s);
  WAIT_UNTIL(rac_queued_values() >= 1);
  for (int i = 0; i < 20; i++) check_pause();
  while (!atomic_load(&s.is_done)) {
    rac_virtual_step_all(scheduler);
    check_pause();
  }
  check_join(thread);
  rac_virtual_step_all(scheduler);
  CHECK_EVENTS(&r, "1 2 3");
  rac_subject_send_completed(subject);
  rac_virtual_step_all(scheduler);
  await_end(&r);
  read_recording file = end_recording();
  const file_slot *found = only(&file, 5);
  REQUIRE(found != NULL);
  CHECK_INT(found->detail, RAC_BOUND_WAIT);
  CHECK(found->slow >= 1);
  CHECK_INT(recording_count(&file, 13, found->node), found->slow);
  CHECK_INT(recording_count(&file, 14, found->node), found->slow);
}

TEST(what_the_program_sends_is_recorded_without_subscribers) {
  begin_recording();
  owned rac_subject *subject = named_subject("prices");
  rac_subject_send(subject, I(7));
  int64_t many[] = {8, 9};
  rac_subject_send_array(subject, RAC_INT64, many, 2);
  rac_subject_send_completed(subject);
  read_recording file = end_recording();
  const file_slot *found = recording_find(&file, 2, "prices");
  REQUIRE(found != NULL);
  CHECK_INT(found->values, 3);
  CHECK_INT(recording_count(&file, 9, found->node), 3);
  CHECK_INT(recording_count(&file, 11, found->node), 1);
  const file_event *first = recording_first(&file, 9, found->node);
  REQUIRE(first != NULL);
  CHECK_INT(first->bits, 7);
  CHECK_INT(first->cause, 0);
}

TEST(a_derived_property_has_edges) {
  begin_recording();
  rac_property *price = rac_property_create(I(2), RAC_PROPERTY_PLAIN);
  rac_signal_set_name(rac_property_as_signal(price), "price");
  rac_property *shown =
      rac_property_map(price, RAC_PROPERTY_PLAIN, CALLBACK(times_ten));
  rac_signal_set_name(rac_property_as_signal(shown), "shown");
  read_recording file = recording_of(recording_path());
  rac_release(shown);
  rac_release(price);
  read_recording last = end_recording();
  const file_slot *from = recording_find(&file, 3, "price");
  const file_slot *to = recording_find(&file, 3, "shown");
  const file_slot *edge = only(&file, 7);
  REQUIRE(from != NULL && to != NULL && edge != NULL);
  CHECK_INT(edge->source, from->node);
  CHECK_INT(edge->below, to->node);
  const file_slot *gone = only(&last, 7);
  CHECK(gone != NULL && (gone->flags & 8));
}

static rac_status execute(void *context, rac_value input, rac_signal **out) {
  (void)context_target(context);
  *out = rac_signal_return(input);
  return RAC_OK;
}

TEST(executions_of_a_command_begin_and_end) {
  begin_recording();
  rac_command *command =
      rac_command_create(NULL, rac_scheduler_immediate(), CALLBACK(execute));
  owned rac_signal *result = rac_command_execute(command, I(1));
  CHECK(result != NULL);
  rac_release(command);
  read_recording file = end_recording();
  const file_slot *found = only(&file, 6);
  REQUIRE(found != NULL);
  CHECK_INT(found->values, 1);
  CHECK_INT(recording_count(&file, 25, found->node), 1);
  CHECK_INT(recording_count(&file, 26, found->node), 1);
  CHECK_INT(found->waiting, 0);
}

static void ignore_unhandled(void *context, const rac_unhandled_error *report) {
  (void)context;
  (void)report;
}

TEST(a_call_that_answers_null_is_an_event) {
  begin_recording();
  CHECK(rac_signal_map(NULL, NULL, NULL, NULL) == NULL);
  CHECK(rac_signal_take(NULL, 1) == NULL); /* no further one of the chain */
  CHECK(strstr(rac_last_error_message(), "NULL") != NULL);
  read_recording file = end_recording();
  const file_event *refused = recording_first(&file, 29, 0);
  REQUIRE(refused != NULL);
  CHECK_INT(refused->stamp & 0xFF, 29);
  CHECK_TEXT(recording_text_of(refused).bytes,
             "rac_signal_map: the signal is NULL");
  CHECK_INT(recording_count(&file, 29, 0), 1);
  CHECK_INT(recording_count(&file, 23, 0), 1);
}

TEST(an_error_that_nobody_handles_is_an_event) {
  begin_recording();
  rac_set_unhandled_error(NULL, ignore_unhandled, NULL);
  owned rac_subject *subject = named_subject("failing");
  owned rac_disposable *d =
      rac_subscribe_next(as_signal(subject), NULL, NULL, NULL);
  CHECK(d != NULL);
  owned_value error = test_error(5);
  rac_subject_send_error(subject, error);
  rac_set_unhandled_error(NULL, NULL, NULL);
  read_recording file = end_recording();
  const file_slot *found = recording_find(&file, 1, "failing");
  REQUIRE(found != NULL);
  const file_event *unhandled = recording_first(&file, 27, found->node);
  REQUIRE(unhandled != NULL);
  CHECK_TEXT(recording_text_of(unhandled).bytes, "test 5: made by a test");
}

static rac_status take_long(void *context, rac_value value, rac_value *out) {
  (void)context_target(context);
  double end = check_clock() + 0.003;
  while (check_clock() < end) {
  }
  *out = value;
  return RAC_OK;
}

TEST(a_callback_that_takes_long_is_an_event) {
  begin_recording();
  owned rac_subject *subject = named_subject("slow");
  owned rac_signal *mapped =
      rac_signal_map(as_signal(subject), CALLBACK(take_long));
  RECORDER(r, mapped);
  play(subject, "1");
  read_recording file = end_recording();
  const file_slot *found = recording_find(&file, 1, "slow");
  REQUIRE(found != NULL);
  CHECK(found->slow >= 2800);
  const file_event *event = recording_first(&file, 16, found->node);
  REQUIRE(event != NULL);
  CHECK(event->bits >= 2800000);
}
