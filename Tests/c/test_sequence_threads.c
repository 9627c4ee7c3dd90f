/* Sequences that several threads read, and what must not wait for itself. */
#include "sequences.h"
#include "shared_callbacks.h"

enum { readers = 4 };

typedef struct shared {
  rac_sequence *sequence;
  int64_t sum;
} shared;

static rac_status sum(void *context, rac_value running, rac_value next,
                      rac_value *out) {
  (void)context;
  *out = I(running.bits + next.bits);
  return RAC_OK;
}

static void *read_all(void *argument) {
  shared *self = argument;
  rac_value out = rac_value_nil();
  CHECK_STATUS(rac_sequence_fold_left(self->sequence, I(0), NULL, sum, &out),
               RAC_OK);
  self->sum = out.bits;
  return NULL;
}

static void read_from_threads(rac_sequence *s, int64_t expected) {
  pthread_t threads[readers];
  shared each[readers];
  for (int i = 0; i < readers; i++) {
    each[i] = (shared){s, 0};
    threads[i] = check_spawn(read_all, &each[i]);
  }
  for (int i = 0; i < readers; i++) {
    check_join(threads[i]);
    CHECK_INT(each[i].sum, expected);
  }
}

TEST(what_several_threads_read_is_computed_once) {
  atomic_int calls = 0;
  int64_t count = check_scaled(100000);
  owned rac_sequence *s = rac_sequence_range(1, 1, (size_t)count);
  SEQ(s, map, context_new(&calls, NULL), counted_times_ten, context_destroy);
  read_from_threads(s, 10 * count * (count + 1) / 2);
  CHECK_INT(calls, count);
}

static rac_status repeat_one(void *context, rac_value value,
                             rac_sequence **out) {
  atomic_fetch_add((atomic_int *)context_target(context), 1);
  *out = rac_sequence_range(value.bits, 0, 2);
  return RAC_OK;
}

TEST(so_are_the_sequences_inside_others) {
  atomic_int calls = 0;
  int64_t count = check_scaled(3000);
  owned rac_sequence *s = rac_sequence_range(1, 1, (size_t)count);
  SEQ(s, flatten_map, context_new(&calls, NULL), repeat_one, context_destroy);
  SEQ(s, skip, 0);
  read_from_threads(s, count * (count + 1));
  CHECK_INT(calls, count);
}

static atomic_int taken;
static void *take_each(void *iterator) {
  rac_value value;
  while (rac_sequence_next(iterator, &value) == RAC_OK)
    atomic_fetch_add(&taken, 1);
  return NULL;
}

TEST(threads_that_share_an_iterator_get_each_value_once) {
  int64_t count = check_scaled(100000);
  atomic_store(&taken, 0);
  rac_sequence *s = rac_sequence_range(1, 1, (size_t)count);
  SEQ(s, map, CALLBACK(times_ten));
  owned rac_sequence_iterator *each = rac_sequence_iterate(s);
  rac_release(s);
  pthread_t threads[readers];
  for (int i = 0; i < readers; i++) threads[i] = check_spawn(take_each, each);
  for (int i = 0; i < readers; i++) check_join(threads[i]);
  CHECK_INT(taken, count);
}

/* ---- Waiting for oneself ------------------------------------------------ */

typedef struct self_reader {
  rac_sequence *sequence;
  rac_sequence_iterator *iterator;
  rac_status status;
} self_reader;

static rac_status read_itself(void *context, rac_value value, rac_value *out) {
  self_reader *self = context_target(context);
  self->status = self->iterator ? rac_sequence_next(self->iterator, NULL)
                                : rac_sequence_to_array(self->sequence, NULL);
  *out = value;
  return RAC_OK;
}

TEST(a_callback_that_reads_what_it_computes) {
  self_reader self = {0};
  rac_sequence *s = seq("1 2");
  SEQ(s, map, CALLBACK_FOR(&self, read_itself));
  self.sequence = s;
  CHECK_RESULT(rac_sequence_head(s, &out), "1");
  CHECK_STATUS(self.status, RAC_EDEADLK);
  CHECK_TEXT(rac_last_error_function(), "rac_sequence_to_array");
  self.iterator = rac_sequence_iterate(s);
  CHECK_STATUS(rac_sequence_next(self.iterator, NULL), RAC_OK);
  CHECK_STATUS(rac_sequence_next(self.iterator, NULL), RAC_OK);
  CHECK_STATUS(self.status, RAC_EDEADLK);
  rac_release(self.iterator);
  CHECK_SEQUENCE(s, "1 2");
}

static rac_status head_of_itself(void *context, rac_value *out) {
  self_reader *self = context_target(context);
  self->status = rac_sequence_head(self->sequence, out);
  return self->status;
}
static rac_status tail_of_itself(void *context, rac_sequence **out) {
  self_reader *self = context_target(context);
  return rac_sequence_tail(self->sequence, out);
}

TEST(a_head_and_a_tail_that_are_their_own) {
  self_reader self = {0};
  rac_sequence *s = self.sequence =
      rac_sequence_create(context_new(&self, NULL), head_of_itself,
                          tail_of_itself, context_destroy);
  CHECK_VALUES(s, "#-5008");
  CHECK_STATUS(self.status, RAC_EDEADLK);
  rac_release(s);
  s = self.sequence =
      rac_sequence_create(context_new(&self, NULL), head_of_itself,
                          tail_of_itself, context_destroy);
  rac_sequence *rest = NULL;
  CHECK_STATUS(rac_sequence_tail(s, &rest), RAC_OK);
  CHECK_SEQUENCE(rest, "#-5008");
  rac_release(s);
}

/* Two sequences, each of whose heads reads the other's. */
typedef struct crossing {
  rac_sequence *other;
  atomic_int *arrived;
  rac_status status;
} crossing;

static rac_status head_of_the_other(void *context, rac_value *out) {
  crossing *self = context_target(context);
  atomic_fetch_add(self->arrived, 1);
  WAIT_UNTIL(atomic_load(self->arrived) == 2);
  self->status = rac_sequence_head(self->other, NULL);
  *out = I(1);
  return RAC_OK;
}
TEST(threads_that_would_wait_for_each_other) {
  for (int64_t i = check_scaled(100); i > 0; i--) {
    atomic_int arrived = 0;
    crossing a = {NULL, &arrived, 0}, b = {NULL, &arrived, 0};
    owned rac_sequence *first = rac_sequence_create(
        context_new(&a, NULL), head_of_the_other, NULL, context_destroy);
    owned rac_sequence *second = rac_sequence_create(
        context_new(&b, NULL), head_of_the_other, NULL, context_destroy);
    a.other = second;
    b.other = first;
    pthread_t threads[] = {check_spawn(read_head, first),
                           check_spawn(read_head, second)};
    check_join(threads[0]);
    check_join(threads[1]);
    /* One gave up, so that the other could go on. */
    CHECK((a.status == RAC_OK) != (b.status == RAC_OK));
    CHECK(a.status == RAC_EDEADLK || b.status == RAC_EDEADLK);
  }
}

/* A thread waits for a signal, and a job for that thread: the job gives up. */
static atomic_int job_status;
static void read_in_a_job(void *context) {
  atomic_store(&job_status, rac_sequence_head(context_target(context), NULL));
}

TEST(a_job_does_not_wait_for_who_waits_for_a_signal) {
  owned rac_scheduler *background = rac_scheduler_background(0, NULL);
  owned rac_subject *subject = rac_subject_create();
  owned rac_sequence *s =
      rac_sequence_from_signal(as_signal(subject), -1, NULL);
  SEQ(s, map, CALLBACK(times_ten));
  atomic_store(&job_status, 1);
  pthread_t thread = check_spawn(read_head, s);
  /* Before or after the thread has begun to wait. */
  rac_disposable *job = rac_schedule(background, context_new(s, NULL),
                                     read_in_a_job, context_destroy);
  WAIT_UNTIL(atomic_load(&job_status) == RAC_EDEADLK);
  rac_release(job);
  rac_subject_send(subject, I(1));
  check_join(thread);
  CHECK_RESULT(rac_sequence_head(s, &out), "10");
}

/* The same for a thread that waits where it releases what it has computed with:
 * in no callback of a send's or a job's, so it may wait. */
typedef struct released {
  rac_signal *signal;
  rac_sequence *sequence;
  rac_status first;
  atomic_int head;
} released;

static void retain_nothing(void *object) { (void)object; }
static void wait_when_released(void *object) {
  released *self = object;
  self->first = rac_signal_first(self->signal, 5, NULL);
}
static const rac_object_class waiting_class = {.size = sizeof(rac_object_class),
                                               .retain = retain_nothing,
                                               .release = wait_when_released};

/* The object, and then 1. */
static rac_status generate_both(void *context, rac_value state,
                                rac_value *next_state, rac_value *out) {
  *next_state = I(1);
  *out = state.bits == 0 ? rac_object(context_target(context),
                                      rac_object_class_register(&waiting_class))
                         : I(1);
  return RAC_OK;
}
static rac_status is_integer(void *context, rac_value value, bool *out) {
  (void)context;
  *out = value.kind == RAC_INT64;
  return RAC_OK;
}
static rac_status read_what_waits(void *context, rac_value value,
                                  rac_value *out) {
  released *self = context_target(context);
  atomic_store(&self->head, rac_sequence_head(self->sequence, NULL));
  *out = value;
  return RAC_OK;
}

TEST(a_send_does_not_wait_for_who_waits_while_it_computes) {
  owned rac_subject *subject = rac_subject_create();
  released self = {NULL, NULL, 1, 1};
  self.signal = rac_signal_map(as_signal(subject), context_new(&self, NULL),
                               read_what_waits, context_destroy);
  self.sequence = rac_sequence_generate(I(0), context_new(&self, NULL),
                                        generate_both, context_destroy);
  SEQ(self.sequence, filter, CALLBACK(is_integer));
  pthread_t thread = check_spawn(read_head, self.sequence);
  WAIT_UNTIL(rac_subject_subscriber_count(subject) == 1);
  rac_subject_send(subject, I(1));
  check_join(thread);
  CHECK_STATUS(self.first, RAC_OK);
  CHECK_STATUS(self.head, RAC_EDEADLK);
  rac_release(self.sequence);
  rac_release(self.signal);
}

static rac_status wait_for_signal(void *context, rac_value value,
                                  rac_value *out) {
  rac_subject *subject = context_target(context);
  *out = value;
  return rac_signal_first(as_signal(subject), -1, NULL);
}

TEST(what_blocks_does_not_in_a_callback_of_a_sequence) {
  owned rac_subject *subject = rac_subject_create();
  rac_sequence *s = seq("1");
  SEQ(s, map, CALLBACK_FOR(subject, wait_for_signal));
  CHECK_SEQUENCE(s, "#-5008");
}

/* ---- Signals that are read while they send ------------------------------ */

static atomic_bool sending;
static void *send_on(void *subject) {
  for (int64_t i = 1; atomic_load(&sending); i++)
    rac_subject_send(subject, I(i));
  return NULL;
}

TEST(what_is_sent_while_the_last_reader_goes) {
  owned rac_subject *subject = rac_subject_create();
  atomic_store(&sending, true);
  pthread_t thread = check_spawn(send_on, subject);
  for (int64_t i = check_scaled(3000); i > 0; i--) {
    rac_sequence *s = rac_sequence_from_signal(as_signal(subject), -1, NULL);
    SEQ(s, take, (size_t)i % 4);
    owned rac_sequence_iterator *each = rac_sequence_iterate(s);
    rac_release(s);
    rac_value value = rac_value_nil(), next;
    while (rac_sequence_next(each, &next) == RAC_OK) {
      CHECK(value.kind == RAC_NIL || next.bits == value.bits + 1);
      value = next;
    }
  }
  atomic_store(&sending, false);
  check_join(thread);
  CHECK_INT(rac_subject_subscriber_count(subject), 0);
}

/* A place that has its value goes, and with it the next one, which is being
 * filled. */
TEST(what_is_sent_while_a_place_goes) {
  owned rac_subject *subject = rac_subject_create();
  atomic_store(&sending, true);
  pthread_t thread = check_spawn(send_on, subject);
  for (int64_t i = check_scaled(3000); i > 0; i--) {
    owned rac_sequence *s =
        rac_sequence_from_signal(as_signal(subject), -1, NULL);
    CHECK_STATUS(rac_sequence_head(s, NULL), RAC_OK);
  }
  atomic_store(&sending, false);
  check_join(thread);
  CHECK_INT(rac_subject_subscriber_count(subject), 0);
}

/* Whoever computes gives up after a moment; another one goes on. */
static void *read_patiently(void *sequence) {
  rac_status status;
  while ((status = rac_sequence_to_array(sequence, NULL)) == RAC_ETIMEDOUT) {
  }
  CHECK_STATUS(status, RAC_OK);
  return NULL;
}

TEST(one_who_gives_up_leaves_the_rest_to_those_who_wait) {
  owned rac_subject *subject = rac_subject_create();
  owned rac_sequence *s =
      rac_sequence_from_signal(as_signal(subject), 0.001, NULL);
  SEQ(s, map, CALLBACK(times_ten));
  pthread_t threads[readers];
  for (int i = 0; i < readers; i++) threads[i] = check_spawn(read_patiently, s);
  for (int i = 0; i < 20; i++) {
    check_pause();
    rac_subject_send(subject, I(i));
  }
  rac_subject_send_completed(subject);
  for (int i = 0; i < readers; i++) check_join(threads[i]);
}

/* Sequences whose heads read some of the others, in whatever circles: everybody
 * gets an answer, and each head is computed once. */
enum { nodes = 24 };

typedef struct node {
  rac_sequence **all;
  int reads[3];
  atomic_int calls;
} node;

static rac_status head_of_some_others(void *context, rac_value *out) {
  node *self = context_target(context);
  atomic_fetch_add(&self->calls, 1);
  for (int i = 0; i < 3; i++) {
    rac_status status = rac_sequence_head(self->all[self->reads[i]], NULL);
    CHECK(status == RAC_OK || status == RAC_EDEADLK);
  }
  *out = I(1);
  return RAC_OK;
}

typedef struct visitor {
  rac_sequence **all;
  int first;
} visitor;

static void *visit_all(void *argument) {
  visitor *self = argument;
  for (int i = 0; i < nodes; i++)
    CHECK_STATUS(rac_sequence_head(self->all[(self->first + i) % nodes], NULL),
                 RAC_OK);
  return NULL;
}

TEST(threads_that_read_in_circles) {
  uint64_t state = 5;
  for (int64_t round = check_scaled(400); round > 0; round--) {
    rac_sequence *all[nodes];
    node each[nodes];
    for (int i = 0; i < nodes; i++) {
      each[i].all = all;
      atomic_init(&each[i].calls, 0);
      for (int k = 0; k < 3; k++)
        each[i].reads[k] = (int)(check_random(&state) % nodes);
      all[i] = rac_sequence_create(context_new(&each[i], NULL),
                                   head_of_some_others, NULL, context_destroy);
    }
    pthread_t threads[readers];
    visitor visitors[readers];
    for (int i = 0; i < readers; i++) {
      visitors[i] = (visitor){all, i * nodes / readers};
      threads[i] = check_spawn(visit_all, &visitors[i]);
    }
    for (int i = 0; i < readers; i++) check_join(threads[i]);
    for (int i = 0; i < nodes; i++) {
      CHECK_INT(each[i].calls, 1);
      rac_release(all[i]);
    }
  }
}
