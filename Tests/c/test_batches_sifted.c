/* Arrays that go through operators to who takes arrays: heard as if their
 * numbers had come one by one, also where nobody looks at each. */
#include <math.h>

#include "batch_recorder.h"
#include "shared_callbacks.h"

/* One of two that are sent the same, whole or one by one. */
typedef struct way {
  bool whole;
  int form;
  uint64_t seed; /* of what its callback does */
  rac_scheduler *clock;
  rac_subject *subject;
  rac_subscriber *subscriber; /* or this, when the source is a create */
  batch_recorder heard;
} way;

static const double doubles[] = {0, -0.0, 1, NAN, 2.5};

static void send_some(way *self, const int *chosen, size_t count) {
  double some_doubles[32];
  int64_t some[32];
  for (size_t i = 0; i < count; i++) {
    some[i] = chosen[i];
    some_doubles[i] = doubles[chosen[i]];
  }
  if (!self->whole) {
    for (size_t i = 0; i < count; i++) {
      rac_value value =
          self->form == DOUBLES ? rac_double(some_doubles[i]) : I(some[i]);
      if (self->subscriber)
        rac_subscriber_send(self->subscriber, value);
      else
        rac_subject_send(self->subject, value);
    }
  } else if (self->subscriber) {
    if (self->form == DOUBLES)
      rac_subscriber_send_array(self->subscriber, RAC_ARRAY_DOUBLES,
                                some_doubles, count);
    else
      rac_subscriber_send_array(self->subscriber, RAC_ARRAY_INT64S, some,
                                count);
  } else if (self->form == DOUBLES) {
    rac_subject_send_array(self->subject, RAC_ARRAY_DOUBLES, some_doubles,
                           count);
  } else {
    rac_subject_send_array(self->subject, RAC_ARRAY_INT64S, some, count);
  }
}

static void complete(way *self) {
  if (self->subscriber)
    rac_subscriber_send_completed(self->subscriber);
  else
    rac_subject_send_completed(self->subject);
}

static void act(batch_recorder *heard, size_t count) {
  way *self = heard->user;
  (void)count;
  switch (check_random(&self->seed) % 12) {
  case 0: {
    const int chosen[] = {(int)(check_random(&self->seed) % 5), 3};
    if (atomic_load(&heard->batches) < 20) send_some(self, chosen, 2);
    break;
  }
  case 1:
    if (self->seed % 4 == 0) rac_dispose(heard->subscription);
    break;
  case 2:
    if (self->seed % 4 == 0) complete(self);
    break;
  }
}

static rac_status same(void *context, rac_value value, rac_value *out) {
  (void)context;
  *out = value;
  return RAC_OK;
}

static rac_signal *more(rac_signal *source, uint64_t *seed, int form) {
  uint64_t random = check_random(seed);
  size_t few = random / 16 % 7;
  rac_signal *made;
  switch (random % 13) {
  case 0:
    made = rac_signal_take(source, few * 8);
    break;
  case 1:
  case 2:
    made = rac_signal_take(source, 1000);
    break;
  case 3:
  case 4:
  case 5:
    made = rac_signal_skip(source, few);
    break;
  case 6:
  case 7:
    made = rac_signal_ignore(source, form == DOUBLES && few < 5
                                         ? rac_double(doubles[few])
                                         : I((int64_t)few));
    break;
  case 8:
    made = rac_signal_map(source, NULL, same, NULL);
    break;
  case 9:
    made = few ? rac_signal_skip(source, 0) : rac_signal_ignore_values(source);
    break;
  default:
    made = rac_signal_distinct_until_changed(source);
  }
  rac_release(source);
  return made;
}

static rac_status keep_subscriber(void *context, rac_subscriber *subscriber,
                                  rac_disposable **out) {
  (void)out;
  *(rac_subscriber **)context = rac_retain(subscriber);
  return RAC_OK;
}

static void open(way *self, bool whole, uint64_t seed) {
  uint64_t state = seed;
  uint64_t random = check_random(&state);
  *self = (way){.whole = whole, .seed = seed};
  self->form = random % 2 ? DOUBLES : INT64S;
  self->clock = rac_scheduler_virtual();
  rac_signal *signal;
  if (random / 2 % 3 == 0) {
    signal = rac_signal_create(&self->subscriber, keep_subscriber, NULL);
  } else {
    self->subject = rac_subject_create();
    signal = rac_retain(rac_subject_as_signal(self->subject));
  }
  for (uint64_t stages = random / 6 % 5; stages > 0; stages--)
    signal = more(signal, &state, self->form);
  self->heard.user = self;
  self->heard.on_batch = act;
  self->heard.clock = self->clock;
  record_batches_as(signal, 1 + random / 30 % 9,
                    random / 300 % 2 ? 1 : INFINITY, self->clock, &self->heard,
                    random / 600 % 8 ? self->form : VALUES);
  rac_release(signal);
}

static void close_way(way *self) {
  rac_release(self->subscriber);
  rac_release(self->subject);
  finish_batches(&self->heard);
  rac_release(self->clock);
}

static size_t play_both(uint64_t seed) {
  way whole, single;
  way *ways[] = {&whole, &single};
  uint64_t state = seed * 77;
  open(&whole, true, seed);
  open(&single, false, seed);
  for (int round = 0; round < 6; round++) {
    int chosen[32];
    size_t count = check_random(&state) % 30;
    double later = (double)(check_random(&state) % 5) * 0.3;
    /* Runs of the same number, so that distinct has something to do. */
    for (size_t i = 0; i < count; i++)
      chosen[i] = i > 0 && check_random(&state) % 2
                      ? chosen[i - 1]
                      : (int)(check_random(&state) % 5);
    for (int i = 0; i < 2; i++) {
      send_some(ways[i], chosen, count);
      rac_virtual_advance_by(ways[i]->clock, later);
    }
  }
  for (int i = 0; i < 2; i++) complete(ways[i]);
  if (strcmp(whole.heard.text, single.heard.text) != 0)
    printf("seed %llu\n", (unsigned long long)seed);
  CHECK_TEXT(whole.heard.text, single.heard.text);
  size_t length = whole.heard.used;
  close_way(&whole);
  close_way(&single);
  return length;
}

TEST(they_are_heard_as_if_they_came_one_by_one) {
  size_t length = 0;
  for (uint64_t seed = 1; seed <= 3000; seed++) length += play_both(seed);
  CHECK(length > 100000);
}

/* ---- What one by one cannot show ------------------------------------------- */

static void hear(void *context, const int64_t *numbers, size_t count) {
  memcpy(context, numbers, count * sizeof *numbers);
}

/* A run without end of what is dropped leaves room for what is not. */
TEST(what_is_dropped_takes_no_room) {
  static int64_t numbers[100000], heard[2];
  numbers[99999] = 1;
  rac_batch_observer observer = RAC_BATCH_OBSERVER_INIT;
  observer.next_int64s = hear;
  observer.context = heard;
  owned rac_subject *subject = rac_subject_create();
  owned rac_signal *signal =
      rac_signal_distinct_until_changed(rac_subject_as_signal(subject));
  rac_release(rac_subscribe_batches(signal, 2, INFINITY, NULL, &observer));
  heard[0] = 7;
  CHECK_STATUS(
      rac_subject_send_array(subject, RAC_ARRAY_INT64S, numbers, 100000),
      RAC_OK);
  CHECK_INT(heard[0], 0);
  CHECK_INT(heard[1], 1);
}

static void do_nothing(void *object) { (void)object; }
static void send_99(void *subject) {
  CHECK_STATUS(rac_subject_send(subject, I(99)), RAC_QUEUED);
}

/* What distinct has kept goes with the first number. */
TEST(what_an_object_sends_that_is_let_go_of_comes_next) {
  const rac_object_class talking = {
      .size = sizeof talking, .retain = do_nothing, .release = send_99};
  const int64_t numbers[] = {1, 2, 3};
  uint32_t class_number = rac_object_class_register(&talking);
  owned rac_subject *subject = rac_subject_create();
  owned rac_signal *distinct =
      rac_signal_distinct_until_changed(rac_subject_as_signal(subject));
  owned rac_signal *skipping = rac_signal_skip(distinct, 1);
  batch_recorder heard = {0};
  record_batches_as(skipping, 10, INFINITY, NULL, &heard, INT64S);
  CHECK_STATUS(rac_subject_send(subject, rac_object(subject, class_number)),
               RAC_OK);
  CHECK_STATUS(rac_subject_send_array(subject, RAC_ARRAY_INT64S, numbers, 3),
               RAC_OK);
  rac_subject_send_completed(subject);
  CHECK_TEXT(heard.text, "[1 99 2 3] |");
  finish_batches(&heard);
}
