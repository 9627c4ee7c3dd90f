/* A recording: which subscriptions there are, what passes through them, and
 * where they were made. docs/Recording.md */
#define _GNU_SOURCE
#include "recording.h"

#include "operators.h"

static rac_subject *named_subject(const char *name) {
  rac_subject *made = rac_subject_create();
  rac_signal_set_name(as_signal(made), name);
  return made;
}

static void begin_recording(uint32_t options) {
  /* The environment's, when all tests are recorded. */
  rac_record_stop();
  CHECK_STATUS(rac_record_start(recording_path(), options), RAC_OK);
}

/* Reads the file, which then goes. */
static recording end_recording(void) {
  CHECK_STATUS(rac_record_stop(), RAC_OK);
  recording made = recording_of(recording_path());
  unlink(recording_path());
  return made;
}

/* subject "orders" -> map "doubled", to which somebody is subscribed. */
static void play_chain(const char *script) {
  owned rac_subject *subject = named_subject("orders");
  owned rac_signal *mapped =
      rac_signal_map(as_signal(subject), CALLBACK(times_ten));
  rac_signal_set_name(mapped, "doubled");
  recorder r = {0};
  record(mapped, &r);
  play(subject, script);
  finish(&r);
}

TEST(a_recording_has_each_subscription_and_what_it_is_made_for) {
  begin_recording(0);
  play_chain("1 2");
  read_recording file = end_recording();
  REQUIRE(recording_is_sound(&file));
  CHECK_INT(file.header->state, 2);
  CHECK_INT(file.header->pid, getpid());
  CHECK(file.header->stop > 0);
  const file_slot *doubled = recording_find(&file, 1, "doubled");
  const file_slot *orders = recording_find(&file, 1, "orders");
  const file_slot *subject = recording_find(&file, 2, "orders");
  REQUIRE(doubled != NULL && orders != NULL && subject != NULL);
  CHECK_INT(doubled->below, 0);
  CHECK_INT(orders->below, doubled->node);
  CHECK_INT(orders->source, subject->node);
  CHECK_INT(doubled->source, 0);
  CHECK_INT(subject->detail, 1);
  CHECK_INT(doubled->values, 2);
  CHECK_INT(orders->values, 2);
  CHECK_INT(doubled->flags, 4 | 8); /* disposed, gone */
}

TEST(events_have_their_values_in_order_and_what_caused_them) {
  begin_recording(0);
  play_chain("1 2 |");
  read_recording file = end_recording();
  REQUIRE(recording_is_sound(&file));
  const file_slot *doubled = recording_find(&file, 1, "doubled");
  const file_slot *orders = recording_find(&file, 1, "orders");
  REQUIRE(doubled != NULL && orders != NULL);
  int64_t values[2] = {0};
  int count = 0;
  uint64_t time = 0;
  const file_event *event;
  for (uint64_t i = 0; (event = recording_event(&file, 0, i)) != NULL; i++) {
    CHECK(event->stamp >> 8 >= time);
    time = event->stamp >> 8;
    if ((event->stamp & 0xFF) != 3 || event->node != doubled->node) continue;
    if (count < 2) values[count] = (int64_t)event->bits;
    CHECK_INT(event->type, RAC_INT64);
    CHECK_INT(event->cause, orders->node);
    CHECK_INT(event->depth, 1);
    count++;
  }
  CHECK_INT(count, 2);
  CHECK_INT(values[0], 10);
  CHECK_INT(values[1], 20);
  CHECK_INT(recording_count(&file, 5, doubled->node), 1);
  CHECK_INT(recording_count(&file, 5, orders->node), 1);
  CHECK_INT(recording_count(&file, 6, 0), 0);
  CHECK_INT(doubled->flags, 1 | 8); /* completed, gone */
}

TEST(errors_and_texts_are_in_events) {
  static const char text[] =
      "a text that is longer than one event has room for";
  begin_recording(0);
  owned rac_subject *subject = named_subject("texts");
  RECORDER(r, as_signal(subject));
  rac_subject_send(subject, S(text));
  owned_value error = test_error(7);
  rac_subject_send_error(subject, error);
  read_recording file = end_recording();
  const file_slot *texts = recording_find(&file, 1, "texts");
  REQUIRE(texts != NULL);
  const file_event *first = recording_first(&file, 3, texts->node);
  const file_event *failed = recording_first(&file, 4, texts->node);
  REQUIRE(first != NULL && failed != NULL);
  CHECK_INT(first->length, strlen(text));
  CHECK_TEXT(recording_text_of(first).bytes, text);
  CHECK_INT(first[1].stamp & 0xFF, 31);
  CHECK_TEXT(recording_text_of(failed).bytes, "test 7: made by a test");
  CHECK_INT(texts->flags & 2, 2);
}

#if defined(__x86_64__) || defined(__aarch64__)
static void ignore(void *context, rac_value value) {
  (void)context;
  (void)value;
}

__attribute__((noinline)) static rac_disposable *listen_here(rac_signal *s) {
  rac_disposable *made = rac_subscribe_next(s, NULL, ignore, NULL);
  /* No call in the end, which would leave no return address. */
  __asm__ volatile("" ::: "memory");
  return made;
}
#endif

TEST(a_subscription_knows_the_code_that_made_it) {
#if defined(__x86_64__) || defined(__aarch64__)
  begin_recording(0);
  owned rac_subject *subject = named_subject("here");
  rac_disposable *d = listen_here(as_signal(subject));
  rac_dispose(d);
  rac_release(d);
  read_recording file = end_recording();
  const file_slot *here = recording_find(&file, 1, "here");
  REQUIRE(here != NULL);
  char operation[100], place[100];
  uint64_t addresses[16];
  int count =
      recording_place(&file, here->place, operation, place, 100, addresses);
  CHECK_TEXT(operation, "subject");
  CHECK_TEXT(place, "");
  REQUIRE(count > 0);
  uint64_t function = (uint64_t)(uintptr_t)listen_here;
  bool is_found = false;
  for (int i = 0; i < count; i++)
    is_found |= addresses[i] > function && addresses[i] < function + 400;
  CHECK(is_found);
#endif
}

static size_t say_where(void *context, char *buffer, size_t capacity) {
  (void)context_target(context);
  return (size_t)snprintf(buffer, capacity, "app.py:12 main");
}

TEST(a_locator_says_where_instead) {
  begin_recording(0);
  CHECK_STATUS(rac_record_set_locator(CALLBACK(say_where)), RAC_OK);
  play_chain("1");
  CHECK_STATUS(rac_record_set_locator(NULL, NULL, NULL), RAC_OK);
  read_recording file = end_recording();
  const char *names[] = {"doubled", "orders"};
  const char *operators[] = {"map", "subject"};
  for (int i = 0; i < 2; i++) {
    const file_slot *found = recording_find(&file, 1, names[i]);
    REQUIRE(found != NULL);
    char operation[100], place[100];
    uint64_t addresses[16];
    recording_place(&file, found->place, operation, place, 100, addresses);
    CHECK_TEXT(operation, operators[i]);
    CHECK_TEXT(place, "app.py:12 main");
  }
}

TEST(notes_stand_between_the_events) {
  begin_recording(0);
  CHECK_STATUS(rac_record_note("second round"), RAC_OK);
  CHECK_STATUS(rac_record_note(NULL), RAC_ENULL);
  CHECK_STATUS(rac_record_note("\xff"), RAC_EUTF8);
  read_recording file = end_recording();
  const file_event *note = recording_first(&file, 28, 0);
  REQUIRE(note != NULL);
  CHECK_INT(note->length, 12);
  CHECK(memcmp(&note->extra, "second round", 12) == 0);
  CHECK_INT(recording_count(&file, 28, 0), 1);
}

TEST(counters_alone_until_somebody_asks_for_events) {
  begin_recording(RAC_RECORDS_COUNTERS);
  owned rac_subject *subject = named_subject("idle");
  RECORDER(r, as_signal(subject));
  play(subject, "1 2 3");
  uint32_t wanted = 1;
  int file = open(recording_path(), O_RDWR);
  CHECK_INT(pwrite(file, &wanted, sizeof wanted, 16), 4);
  close(file);
  play(subject, "4 5 |");
  read_recording made = end_recording();
  const file_slot *idle = recording_find(&made, 1, "idle");
  REQUIRE(idle != NULL);
  CHECK_INT(idle->values, 5);
  CHECK_INT(recording_count(&made, 3, idle->node), 2);
  CHECK_INT(recording_count(&made, 2, 0), 0);
  CHECK_INT(recording_count(&made, 5, idle->node), 1);
}

TEST(what_a_subscription_ends_in_is_its_target) {
  begin_recording(0);
  owned rac_subject *from = named_subject("from");
  owned rac_subject *to = named_subject("to");
  owned rac_disposable *d =
      rac_subscribe_subscriber(as_signal(from), rac_subject_as_subscriber(to));
  rac_dispose(d);
  read_recording file = end_recording();
  const file_slot *link = recording_find(&file, 1, "from");
  const file_slot *target = recording_find(&file, 2, "to");
  REQUIRE(link != NULL && target != NULL);
  CHECK_INT(link->target, target->node);
}

TEST(inner_signals_are_made_for_their_operator) {
  begin_recording(0);
  owned rac_subject *outer = named_subject("outer");
  owned rac_subject *inner = named_subject("inner");
  owned rac_signal *flat = rac_signal_flatten(as_signal(outer), 0);
  rac_signal_set_name(flat, "flat");
  recorder r = {0};
  record(flat, &r);
  owned_value value = rac_value_signal(as_signal(inner));
  rac_subject_send(outer, value);
  play(inner, "5");
  finish(&r);
  read_recording file = end_recording();
  const file_slot *below = recording_find(&file, 1, "flat");
  const file_slot *made = recording_find(&file, 1, "inner");
  REQUIRE(below != NULL && made != NULL);
  CHECK_INT(made->below, below->node);
  CHECK_INT(made->place != 0, 1);
  CHECK_INT(below->values, 1);
}

TEST(a_recording_is_refused_where_it_cannot_be) {
  begin_recording(0);
  CHECK_STATUS(rac_record_start(recording_path(), 0), RAC_EBUSY);
  read_recording file = end_recording();
  CHECK(recording_is_sound(&file));
  CHECK_STATUS(rac_record_stop(), RAC_EDONE);
  CHECK_STATUS(rac_record_start(NULL, 0), RAC_ENULL);
  CHECK_STATUS(rac_record_start("", 0), RAC_EINVAL);
  CHECK_STATUS(rac_record_start(recording_path(), 2), RAC_EINVAL);
  CHECK_STATUS(rac_record_start("/no/such/folder/x", 0), RAC_EINVAL);
  CHECK_TEXT(rac_last_error_message(),
             "No such file or directory: /no/such/folder/x");
  CHECK_STATUS(rac_record_start("/dev/null", 0), RAC_EINVAL);
  CHECK(access("/dev/null", W_OK) == 0);
  FILE *letter = fopen(recording_path(), "w");
  REQUIRE(letter != NULL);
  fputs("no recording, but a letter", letter);
  fclose(letter);
  CHECK_STATUS(rac_record_start(recording_path(), 0), RAC_EINVAL);
  CHECK(access(recording_path(), F_OK) == 0);
  unlink(recording_path());
  char path[5000];
  memset(path, 'x', sizeof path);
  path[sizeof path - 1] = 0;
  CHECK_STATUS(rac_record_start(path, 0), RAC_EINVAL);
}

TEST(recordings_follow_one_another) {
  owned rac_subject *subject = named_subject("long");
  begin_recording(0);
  recorder old = {0};
  record(as_signal(subject), &old);
  play(subject, "1");
  recording first = end_recording();
  recording_free(&first);
  play(subject, "2");
  for (int round = 0; round < 3; round++) {
    begin_recording(0);
    recorder r = {0};
    record(as_signal(subject), &r);
    play(subject, "3 4");
    finish(&r);
    read_recording file = end_recording();
    REQUIRE(recording_is_sound(&file));
    const file_slot *found = recording_find(&file, 1, "long");
    REQUIRE(found != NULL);
    /* Not those of a subscription of before. */
    CHECK_INT(found->values, 2);
    CHECK_INT(recording_count(&file, 3, found->node), 2);
  }
  finish(&old);
}

/* The trace and a recording go side by side. */
static void count_trace(void *context, const rac_trace_event *event) {
  (void)event;
  ++*(int *)context_target(context);
}

TEST(a_trace_goes_on_when_a_recording_ends) {
  int traced = 0;
  begin_recording(0);
  rac_set_trace(context_new(&traced, NULL), count_trace, context_destroy);
  play_chain("1");
  int once = traced;
  CHECK(once > 0);
  read_recording file = end_recording();
  CHECK(recording_find(&file, 1, "orders") != NULL);
  play_chain("1");
  CHECK_INT(traced, 2 * once);
  rac_set_trace(NULL, NULL, NULL);
}

/* Properties are seen also where nobody listens. */
static rac_property *named_property(const char *name, int64_t initial) {
  rac_property *made =
      rac_property_create(rac_value_int64(initial), RAC_PROPERTY_PLAIN);
  rac_signal_set_name(rac_property_as_signal(made), name);
  return made;
}

/* The values of its events of a kind, as digits. */
static const char *digits_of(const recording *file, unsigned kind,
                             uint32_t node, char *digits) {
  const file_event *event;
  size_t used = 0;
  for (uint64_t i = 0; (event = recording_event(file, 0, i)) != NULL; i++)
    if ((event->stamp & 0xFF) == kind && event->node == node && used < 30)
      digits[used++] = (char)('0' + event->bits % 10);
  digits[used] = 0;
  return digits;
}

TEST(a_set_is_recorded_where_nobody_listens) {
  char digits[32];
  begin_recording(0);
  owned rac_property *volume = named_property("volume", 3);
  rac_property_set(volume, rac_value_int64(4));
  rac_property_set(volume, rac_value_int64(5));
  read_recording file = end_recording();
  const file_slot *found = recording_find(&file, 3, "volume");
  REQUIRE(found != NULL);
  CHECK_INT(found->values, 2);
  CHECK(found->place != 0);
  CHECK_TEXT(digits_of(&file, 32, found->node, digits), "3");
  CHECK_TEXT(digits_of(&file, 33, found->node, digits), "45");
  CHECK_INT(recording_first(&file, 33, found->node)->cause, 0);
}

TEST(a_property_of_before_is_recorded_from_its_next_set_on) {
  char digits[32];
  owned rac_property *volume = named_property("volume", 3);
  begin_recording(0);
  rac_property_set(volume, rac_value_int64(4));
  read_recording file = end_recording();
  const file_slot *found = recording_find(&file, 3, "volume");
  REQUIRE(found != NULL);
  CHECK_TEXT(digits_of(&file, 32, found->node, digits), "3");
  CHECK_TEXT(digits_of(&file, 33, found->node, digits), "4");
}

static rac_status last_digit(void *context, rac_value value, rac_value *out) {
  (void)context;
  *out = rac_value_int64(value.bits % 10);
  return RAC_OK;
}

TEST(a_derived_property_changes_with_what_it_is_derived_from) {
  char digits[32];
  begin_recording(0);
  owned rac_property *base = named_property("base", 1);
  owned rac_property *tens =
      rac_property_map(base, RAC_PROPERTY_DISTINCT, CALLBACK(last_digit));
  rac_signal_set_name(rac_property_as_signal(tens), "digit");
  rac_property_set(base, rac_value_int64(12));
  rac_property_set(base, rac_value_int64(22));
  rac_property_set(base, rac_value_int64(23));
  read_recording file = end_recording();
  const file_slot *source = recording_find(&file, 3, "base");
  const file_slot *derived = recording_find(&file, 3, "digit");
  REQUIRE(source != NULL && derived != NULL);
  CHECK_TEXT(digits_of(&file, 33, source->node, digits), "223");
  CHECK_TEXT(digits_of(&file, 33, derived->node, digits), "23");
  const file_slot *edge = recording_find(&file, 7, "");
  REQUIRE(edge != NULL);
  CHECK_INT(edge->below, derived->node);
  CHECK_INT(edge->source, source->node);
}

TEST(properties_change_for_a_cause) {
  char digits[32];
  begin_recording(0);
  owned rac_property *left = named_property("left", 1);
  owned rac_property *right = named_property("right", 2);
  owned rac_property *bound = named_property("bound", 0);
  owned rac_disposable *tie = rac_property_bind_two_way(left, right);
  owned rac_disposable *binding =
      rac_property_bind(bound, rac_property_as_signal(left), rac_value_nil());
  rac_property_set(left, rac_value_int64(7));
  rac_property_batch_begin();
  rac_property_set(left, rac_value_int64(8));
  rac_property_batch_end();
  read_recording file = end_recording();
  const file_slot *one = recording_find(&file, 3, "left");
  const file_slot *two = recording_find(&file, 3, "right");
  const file_slot *three = recording_find(&file, 3, "bound");
  REQUIRE(one != NULL && two != NULL && three != NULL);
  CHECK_TEXT(digits_of(&file, 33, one->node, digits), "278");
  CHECK_TEXT(digits_of(&file, 33, two->node, digits), "78");
  CHECK_TEXT(digits_of(&file, 33, three->node, digits), "278");
  CHECK_INT(recording_first(&file, 33, two->node)->cause, one->node);
  const file_slot *link = recording_find(&file, 1, "left");
  REQUIRE(link != NULL);
  CHECK_INT(recording_first(&file, 33, three->node)->cause, link->node);
  CHECK_INT(link->target, three->node);
}

/* A disposal is recorded when it happens, also while a callback runs. */
typedef struct disposing {
  rac_disposable *subscription;
} disposing;

static void dispose_first(void *context, rac_value value) {
  disposing *self = context;
  (void)value;
  rac_record_note("before");
  rac_dispose(self->subscription);
  rac_record_note("after");
}

TEST(a_disposal_is_recorded_when_it_happens) {
  begin_recording(0);
  owned rac_subject *subject = named_subject("keys");
  owned rac_signal *mapped =
      rac_signal_map(as_signal(subject), CALLBACK(times_ten));
  rac_signal_set_name(mapped, "tens");
  disposing self = {0};
  self.subscription = rac_subscribe_next(mapped, &self, dispose_first, NULL);
  rac_subject_send(subject, rac_value_int64(1));
  rac_release(self.subscription);
  read_recording file = end_recording();
  const file_event *event;
  int state = 0, disposals = 0;
  for (uint64_t i = 0; (event = recording_event(&file, 0, i)) != NULL; i++) {
    unsigned kind = event->stamp & 0xFF;
    if (kind == 28) state++;
    if (kind != 6) continue;
    CHECK_INT(state, 1);
    CHECK_INT(event->depth, 2);
    disposals++;
  }
  CHECK_INT(disposals, 2);
}
