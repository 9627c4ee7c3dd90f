/* Counters: what they count, who reports them, and that a recording has them. */
#define _GNU_SOURCE
#include "operators.h"
#include "recording.h"

TEST(a_counter_is_added_to_set_and_read) {
  owned rac_counter *lag = rac_counter_create("redis orders: lag");
  REQUIRE(lag != NULL);
  CHECK_INT(rac_counter_get(lag), 0);
  CHECK_STATUS(rac_counter_add(lag, 5), RAC_OK);
  CHECK_STATUS(rac_counter_add(lag, -7), RAC_OK);
  CHECK_INT(rac_counter_get(lag), -2);
  CHECK_STATUS(rac_counter_set(lag, INT64_MAX), RAC_OK);
  CHECK_STATUS(rac_counter_add(lag, 1), RAC_OK);
  CHECK(rac_counter_get(lag) == INT64_MIN);
}

TEST(what_is_no_counter_is_refused) {
  owned rac_signal *never = rac_signal_never();
  rac_counter *wrong = (rac_counter *)(void *)never;
  CHECK(rac_counter_create(NULL) == NULL);
  CHECK_STATUS(rac_last_error_code(), RAC_ENULL);
  CHECK(rac_counter_create("") == NULL);
  CHECK_STATUS(rac_last_error_code(), RAC_EINVAL);
  CHECK(rac_counter_create("\xff") == NULL);
  CHECK_STATUS(rac_last_error_code(), RAC_EUTF8);
  CHECK_STATUS(rac_counter_add(NULL, 1), RAC_ENULL);
  CHECK_STATUS(rac_counter_add(wrong, 1), RAC_EKIND);
  CHECK_STATUS(rac_counter_set(wrong, 1), RAC_EKIND);
  CHECK_INT(rac_counter_get(wrong), 0);
  CHECK_STATUS(rac_last_error_code(), RAC_EKIND);
  rac_counter *gone = rac_counter_create("gone");
  rac_release(gone);
  CHECK_STATUS(rac_counter_add(gone, 1), RAC_ESTALE);
  CHECK_STATUS(rac_subject_send((rac_subject *)(void *)gone, I(1)), RAC_ESTALE);
}

typedef struct found {
  int count;
  size_t value;
} found;

static void look(void *context, const char *kind, const char *name,
                 size_t references, size_t value) {
  found *self = context;
  if (strcmp(name, "errors") != 0) return;
  CHECK_TEXT(kind, "counter");
  CHECK_INT(references, 1);
  self->count++;
  self->value = value;
}

TEST(the_report_of_live_handles_has_its_value) {
  owned rac_counter *errors = rac_counter_create("errors");
  rac_counter_add(errors, 12);
  found here = {0};
  rac_report_live_handles(&here, look);
  CHECK_INT(here.count, 1);
  CHECK_INT(here.value, 12);
  rac_counter_set(errors, -1);
  rac_report_live_handles(&here, look);
  CHECK_INT(here.value, 0);
}

static void *count_up(void *counter) {
  for (int64_t i = 0, count = check_scaled(100000); i < count; i++)
    rac_counter_add(counter, 1);
  return NULL;
}

static int64_t recorded(const char *name, uint8_t *flags) {
  read_recording file = recording_of(recording_path());
  const file_slot *slot =
      recording_is_sound(&file) ? recording_find(&file, 8, name) : NULL;
  *flags = slot == NULL ? UINT8_MAX : slot->flags;
  return slot == NULL ? INT64_MAX : (int64_t)slot->values;
}

TEST(a_recording_has_those_of_before_and_all_that_threads_count) {
  uint8_t flags;
  rac_record_stop();
  owned rac_counter *before = rac_counter_create("before");
  rac_counter_set(before, -3);
  CHECK_STATUS(rac_record_start(recording_path(), RAC_RECORDS_COUNTERS),
               RAC_OK);
  rac_counter *counter = rac_counter_create("values");
  CHECK_INT(recorded("before", &flags), -3);
  CHECK_INT(recorded("values", &flags), 0);
  pthread_t other = check_spawn(count_up, counter);
  count_up(counter);
  check_join(other);
  CHECK_INT(recorded("values", &flags), 2 * check_scaled(100000));
  CHECK_INT(flags, 0);
  rac_release(counter);
  recorded("values", &flags);
  CHECK_INT(flags, 8); /* gone */
  CHECK_STATUS(rac_record_stop(), RAC_OK);
  rac_counter_add(before, 1);
  CHECK_INT(recorded("before", &flags), -3);
  unlink(recording_path());
}
