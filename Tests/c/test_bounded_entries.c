/* Bounds where values enter: a subject and the subscriber of a create callback
 * that are sent to while they deliver, from inside a callback and from other
 * threads. */
#include "operators.h"

/* An entry of either kind: what is sent to, and the bound. */
typedef struct entry {
  rac_bound *bound;
  rac_subscriber *to;
  rac_signal *signal;
  rac_subject *subject;
  recorder heard;
  /* What the first value's callback sends, and what is answered. */
  int64_t first, last;
  rac_status answers[8];
  /* For a callback that takes long. */
  atomic_bool inside, leave;
} entry;

static rac_status keep_subscriber(void *context, rac_subscriber *subscriber,
                                  rac_disposable **out) {
  (void)out;
  entry *self = context_target(context);
  self->to = rac_retain(subscriber);
  return RAC_OK;
}

static void begin(entry *self, bool is_subject, size_t capacity,
                  int32_t policy) {
  self->bound = rac_bound_create(capacity, policy);
  if (is_subject) {
    self->subject = rac_subject_create_bounded(self->bound);
    self->signal = rac_retain(rac_subject_as_signal(self->subject));
    self->to = rac_retain(rac_subject_as_subscriber(self->subject));
  } else {
    self->signal = rac_signal_create_bounded(
        self->bound, CALLBACK_FOR(self, keep_subscriber));
  }
  record(self->signal, &self->heard);
  REQUIRE(self->to != NULL);
}

static void end(entry *self) {
  CHECK_INT(rac_bound_get(self->bound, RAC_BOUND_LENGTH), 0);
  finish(&self->heard);
  rac_release(self->to);
  rac_release(self->signal);
  rac_release(self->subject);
  rac_release(self->bound);
}

static void send_more(recorder *heard, rac_value value) {
  entry *self = heard->user;
  if (value.bits != 1) return;
  for (int64_t n = self->first; n <= self->last; n++)
    self->answers[n] = rac_subscriber_send(self->to, I(n));
}

/* Sends 1, whose callback sends 2 to 5. */
static void send_inside(entry *self) {
  self->first = 2;
  self->last = 5;
  self->heard.user = self;
  self->heard.on_next = send_more;
  CHECK_STATUS(rac_subscriber_send(self->to, I(1)), RAC_OK);
}

#define CHECK_ANSWERS(entry, two, three, four, five)                           \
  do {                                                                         \
    CHECK_STATUS((entry)->answers[2], two);                                    \
    CHECK_STATUS((entry)->answers[3], three);                                  \
    CHECK_STATUS((entry)->answers[4], four);                                   \
    CHECK_STATUS((entry)->answers[5], five);                                   \
  } while (0)

/* Law 4: what a bound with room for two does with what a callback sends. */
static void check_inside(bool is_subject) {
  {
    entry e = {0};
    begin(&e, is_subject, 2, RAC_BOUND_DROP_OLDEST);
    send_inside(&e);
    CHECK_ANSWERS(&e, RAC_QUEUED, RAC_QUEUED, RAC_QUEUED, RAC_QUEUED);
    CHECK_EVENTS(&e.heard, "1 4 5");
    CHECK_INT(rac_bound_get(e.bound, RAC_BOUND_DROPPED), 2);
    CHECK_INT(rac_bound_get(e.bound, RAC_BOUND_HIGHEST), 2);
    end(&e);
  }
  {
    entry e = {0};
    begin(&e, is_subject, 2, RAC_BOUND_DROP_NEWEST);
    send_inside(&e);
    CHECK_ANSWERS(&e, RAC_QUEUED, RAC_QUEUED, RAC_DROPPED, RAC_DROPPED);
    CHECK_EVENTS(&e.heard, "1 2 3");
    CHECK_INT(rac_bound_get(e.bound, RAC_BOUND_DROPPED), 2);
    end(&e);
  }
  {
    entry e = {0};
    begin(&e, is_subject, 2, RAC_BOUND_LATEST);
    send_inside(&e);
    CHECK_ANSWERS(&e, RAC_QUEUED, RAC_QUEUED, RAC_QUEUED, RAC_QUEUED);
    CHECK_EVENTS(&e.heard, "1 5");
    CHECK_INT(rac_bound_get(e.bound, RAC_BOUND_DROPPED), 3);
    end(&e);
  }
  {
    entry e = {0};
    begin(&e, is_subject, 2, RAC_BOUND_ERROR);
    send_inside(&e);
    CHECK_ANSWERS(&e, RAC_QUEUED, RAC_QUEUED, RAC_DROPPED, RAC_DROPPED);
    CHECK_EVENTS(&e.heard, "1 2 3 #3");
    CHECK_INT(rac_bound_get(e.bound, RAC_BOUND_DROPPED), 2);
    /* Law 13 for a subject; a subscription is over. */
    CHECK_STATUS(rac_subscriber_send(e.to, I(6)),
                 is_subject ? RAC_OK : RAC_EDONE);
    end(&e);
  }
  {
    entry e = {0};
    begin(&e, is_subject, 2, RAC_BOUND_REFUSE);
    send_inside(&e);
    CHECK_ANSWERS(&e, RAC_QUEUED, RAC_QUEUED, RAC_EAGAIN, RAC_EAGAIN);
    CHECK_EVENTS(&e.heard, "1 2 3");
    CHECK_INT(rac_bound_get(e.bound, RAC_BOUND_DROPPED), 0);
    end(&e);
  }
  {
    entry e = {0};
    begin(&e, is_subject, 2, RAC_BOUND_WAIT);
    send_inside(&e);
    CHECK_ANSWERS(&e, RAC_QUEUED, RAC_QUEUED, RAC_EDEADLK, RAC_EDEADLK);
    CHECK_EVENTS(&e.heard, "1 2 3");
    end(&e);
  }
}

TEST(a_subject_that_is_sent_to_inside_a_callback) { check_inside(true); }
TEST(a_subscriber_that_is_sent_to_inside_a_callback) { check_inside(false); }

static const int64_t numbers[] = {2, 3, 4};

static void send_arrays(recorder *heard, rac_value value) {
  entry *self = heard->user;
  if (value.bits != 1) return;
  self->answers[0] =
      rac_subscriber_send_array(self->to, RAC_ARRAY_INT64S, numbers, 3);
  self->answers[1] =
      rac_subscriber_send_array(self->to, RAC_ARRAY_INT64S, numbers, 2);
  self->answers[2] =
      rac_subscriber_send_array(self->to, RAC_ARRAY_INT64S, numbers, 2);
  self->answers[3] =
      rac_subscriber_send_array(self->to, RAC_ARRAY_INT64S, numbers, 0);
}

static void send_arrays_inside(entry *self) {
  self->heard.user = self;
  self->heard.on_next = send_arrays;
  CHECK_STATUS(rac_subscriber_send(self->to, I(1)), RAC_OK);
}

/* All or nothing where a send is refused. */
static void check_arrays(bool is_subject) {
  {
    entry e = {0};
    begin(&e, is_subject, 3, RAC_BOUND_REFUSE);
    send_arrays_inside(&e);
    CHECK_STATUS(e.answers[0], RAC_QUEUED);
    CHECK_STATUS(e.answers[1], RAC_EAGAIN);
    CHECK_STATUS(e.answers[2], RAC_EAGAIN);
    CHECK_STATUS(e.answers[3], RAC_OK);
    CHECK_EVENTS(&e.heard, "1 2 3 4");
    end(&e);
  }
  {
    entry e = {0};
    begin(&e, is_subject, 2, RAC_BOUND_REFUSE);
    send_arrays_inside(&e);
    CHECK_STATUS(e.answers[0], RAC_ERANGE);
    CHECK_STATUS(e.answers[1], RAC_QUEUED);
    CHECK_STATUS(e.answers[2], RAC_EAGAIN);
    CHECK_EVENTS(&e.heard, "1 2 3");
    end(&e);
  }
  {
    entry e = {0};
    begin(&e, is_subject, 3, RAC_BOUND_WAIT);
    send_arrays_inside(&e);
    CHECK_STATUS(e.answers[0], RAC_QUEUED);
    CHECK_STATUS(e.answers[1], RAC_EDEADLK);
    CHECK_EVENTS(&e.heard, "1 2 3 4");
    end(&e);
  }
  {
    entry e = {0};
    begin(&e, is_subject, 2, RAC_BOUND_DROP_OLDEST);
    send_arrays_inside(&e);
    CHECK_STATUS(e.answers[0], RAC_QUEUED);
    CHECK_EVENTS(&e.heard, "1 2 3");
    CHECK_INT(rac_bound_get(e.bound, RAC_BOUND_DROPPED), 5);
    end(&e);
  }
  {
    entry e = {0};
    begin(&e, is_subject, 2, RAC_BOUND_DROP_NEWEST);
    send_arrays_inside(&e);
    CHECK_STATUS(e.answers[0], RAC_DROPPED);
    CHECK_EVENTS(&e.heard, "1 2 3");
    CHECK_INT(rac_bound_get(e.bound, RAC_BOUND_DROPPED), 5);
    end(&e);
  }
}

TEST(arrays_to_a_subject_with_a_bound) { check_arrays(true); }
TEST(arrays_to_a_subscriber_with_a_bound) { check_arrays(false); }

/* Outside callbacks an array that waits goes in as there is room. */
TEST(an_array_longer_than_the_capacity_goes_through_one_by_one) {
  entry e = {0};
  begin(&e, true, 2, RAC_BOUND_WAIT);
  CHECK_STATUS(rac_subscriber_send_array(e.to, RAC_ARRAY_INT64S, numbers, 3),
               RAC_OK);
  CHECK_EVENTS(&e.heard, "2 3 4");
  end(&e);
}

static void hear_slowly(recorder *heard, rac_value value) {
  entry *self = heard->user;
  if (value.bits != 1) return;
  atomic_store(&self->inside, true);
  WAIT_UNTIL(atomic_load(&self->leave));
}

static void *send_one(void *argument) {
  entry *self = argument;
  CHECK_STATUS(rac_subscriber_send(self->to, I(1)), RAC_OK);
  return NULL;
}

/* Another thread delivers 1, and does so until it is told to leave. */
static pthread_t deliver_slowly(entry *self) {
  self->heard.user = self;
  self->heard.on_next = hear_slowly;
  pthread_t thread = check_spawn(send_one, self);
  WAIT_UNTIL(atomic_load(&self->inside));
  return thread;
}

static void let_deliver(entry *self, pthread_t thread) {
  atomic_store(&self->leave, true);
  check_join(thread);
}

static void check_elsewhere(bool is_subject) {
  static const struct {
    int32_t policy;
    rac_status third;
    const char *heard;
  } cases[] = {{RAC_BOUND_DROP_OLDEST, RAC_QUEUED, "1 3 4"},
               {RAC_BOUND_DROP_NEWEST, RAC_DROPPED, "1 2 3"},
               {RAC_BOUND_LATEST, RAC_QUEUED, "1 4"},
               {RAC_BOUND_ERROR, RAC_DROPPED, "1 2 3 #3"},
               {RAC_BOUND_REFUSE, RAC_EAGAIN, "1 2 3"},
               {RAC_BOUND_WAIT, RAC_ETIMEDOUT, "1 2 3"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    entry e = {0};
    begin(&e, is_subject, 2, cases[i].policy);
    rac_bound_set_timeout(e.bound, 0.002);
    pthread_t thread = deliver_slowly(&e);
    CHECK_STATUS(rac_subscriber_send(e.to, I(2)), RAC_QUEUED);
    CHECK_STATUS(rac_subscriber_send(e.to, I(3)), RAC_QUEUED);
    CHECK_STATUS(rac_subscriber_send(e.to, I(4)), cases[i].third);
    let_deliver(&e, thread);
    CHECK_EVENTS(&e.heard, cases[i].heard);
    end(&e);
  }
}

TEST(a_subject_that_another_thread_delivers) { check_elsewhere(true); }
TEST(a_subscriber_that_another_thread_delivers) { check_elsewhere(false); }

/* Law 3: a value that gives way takes no end and no subscription with it, and
 * what was sent before an end comes before it. */
TEST(ends_subscriptions_and_disposals_keep_their_places) {
  entry e = {0};
  begin(&e, true, 1, RAC_BOUND_DROP_OLDEST);
  recorder newcomer = {0}, later = {0}, leaver = {0};
  record(e.signal, &leaver);
  pthread_t thread = deliver_slowly(&e);
  CHECK_STATUS(rac_subscriber_send(e.to, I(2)), RAC_QUEUED);
  record(e.signal, &newcomer);
  rac_dispose(leaver.subscription);
  CHECK_STATUS(rac_subscriber_send(e.to, I(3)), RAC_QUEUED);
  CHECK_STATUS(rac_subscriber_send_completed(e.to), RAC_QUEUED);
  record(e.signal, &later);
  CHECK_STATUS(rac_subscriber_send(e.to, I(4)), RAC_QUEUED);
  CHECK_INT(rac_bound_get(e.bound, RAC_BOUND_LENGTH), 1);
  let_deliver(&e, thread);
  CHECK_EVENTS(&e.heard, "1 |");
  CHECK_EVENTS(&newcomer, "|");
  CHECK_EVENTS(&later, "4");
  CHECK_EVENTS(&leaver, "");
  CHECK_INT(rac_bound_get(e.bound, RAC_BOUND_DROPPED), 2);
  finish(&leaver);
  await_end(&newcomer);
  finish(&later);
  end(&e);
}

/* Once one overflow is on its way, others say no more. */
TEST(a_flood_into_a_bound_that_makes_errors_makes_one) {
  entry e = {0};
  begin(&e, true, 1, RAC_BOUND_ERROR);
  pthread_t thread = deliver_slowly(&e);
  rac_subscriber_send(e.to, I(2));
  uint64_t objects = rac_live_objects();
  for (int i = 0; i < 1000; i++)
    CHECK_STATUS(rac_subscriber_send(e.to, I(3)), RAC_DROPPED);
  CHECK_INT(rac_live_objects() - objects < 10, true);
  let_deliver(&e, thread);
  CHECK_EVENTS(&e.heard, "1 2 #3");
  CHECK_INT(rac_bound_get(e.bound, RAC_BOUND_DROPPED), 1000);
  end(&e);
}

/* A subject with a bound that is subscribed to something: nobody is there who
 * could wait, and nothing is lost. */
TEST(what_a_signal_sends_into_a_subject_that_waits_is_taken) {
  entry e = {0};
  begin(&e, true, 1, RAC_BOUND_WAIT);
  rac_subject *source = rac_subject_create();
  rac_release(rac_subscribe_subscriber(as_signal(source), e.to));
  pthread_t thread = deliver_slowly(&e);
  for (int i = 2; i < 6; i++)
    CHECK_STATUS(rac_subject_send(source, I(i)), RAC_OK);
  CHECK_INT(rac_bound_get(e.bound, RAC_BOUND_LENGTH), 4);
  let_deliver(&e, thread);
  CHECK_EVENTS(&e.heard, "1 2 3 4 5");
  rac_release(source);
  end(&e);
}

TEST(each_subscriber_of_a_bounded_create_has_room_of_its_own) {
  entry e = {0};
  begin(&e, false, 1, RAC_BOUND_REFUSE);
  rac_subscriber *first = e.to;
  recorder second = {0};
  record(e.signal, &second);
  pthread_t thread;
  rac_subscriber *other = e.to;
  e.to = first;
  thread = deliver_slowly(&e);
  CHECK_STATUS(rac_subscriber_send(first, I(2)), RAC_QUEUED);
  CHECK_STATUS(rac_subscriber_send(first, I(3)), RAC_EAGAIN);
  CHECK_STATUS(rac_subscriber_send(other, I(4)), RAC_OK);
  let_deliver(&e, thread);
  CHECK_EVENTS(&second, "4");
  CHECK_EVENTS(&e.heard, "1 2");
  finish(&second);
  CHECK_STATUS(rac_subscriber_send(other, I(5)), RAC_EDONE);
  rac_release(other);
  end(&e);
}

TEST(handles_of_bounded_entries_are_checked_as_others) {
  owned rac_bound *bound = rac_bound_create(1, RAC_BOUND_REFUSE);
  rac_subject *subject = rac_subject_create_bounded(bound);
  CHECK_STATUS(rac_subject_send(as_signal(bound) ? (void *)bound : NULL, I(1)),
               RAC_EKIND);
  CHECK_STATUS(rac_property_set((void *)subject, I(1)), RAC_EKIND);
  CHECK_STATUS(rac_subject_send_error(subject, rac_value_nil()), RAC_OK);
  CHECK_INT(rac_subject_subscriber_count(subject), 0);
  CHECK(rac_subscriber_is_active(rac_subject_as_subscriber(subject)));
  CHECK_STATUS(rac_release(subject), RAC_OK);
  CHECK_STATUS(rac_subject_send(subject, I(1)), RAC_ESTALE);
  CHECK_STATUS(rac_subject_send_array(subject, RAC_ARRAY_INT64S, numbers, 3),
               RAC_ESTALE);
}

/* Texts and what is lent are kept while they wait. */
TEST(values_of_all_kinds_wait) {
  entry e = {0};
  begin(&e, true, 3, RAC_BOUND_DROP_OLDEST);
  pthread_t thread = deliver_slowly(&e);
  char text[] = "lent";
  CHECK_STATUS(rac_subscriber_send(e.to, rac_value_string(text)), RAC_QUEUED);
  memset(text, 'x', 4);
  rac_value error = test_error(7);
  CHECK_STATUS(rac_subscriber_send(e.to, error), RAC_QUEUED);
  rac_value_release(error);
  CHECK_STATUS(rac_subscriber_send(e.to, rac_value_nil()), RAC_QUEUED);
  let_deliver(&e, thread);
  CHECK(strstr(e.heard.text, "lent") != NULL);
  CHECK(strstr(e.heard.text, "nil") != NULL);
  end(&e);
}
