/* Sequences that are made of each other, read by several threads in any order;
 * and those of a signal, exchanged while it sends. */
#include "sequences.h"

enum { READERS = 4 };

/* ---- A web of sequences ------------------------------------------------------ */

enum { NODES = 40 };
static rac_sequence *web[NODES];
static size_t numbers[NODES];

/* One of those before: the web has no circles. */
static rac_status one_before(void *context, rac_value value,
                             rac_sequence **out) {
  size_t *number = context_target(context);
  *out = rac_retain(web[(uint64_t)value.bits % *number]);
  return RAC_OK;
}

static rac_sequence *node(size_t i, uint64_t *seed) {
  if (i < 4) {
    rac_sequence *range = rac_sequence_range((int64_t)i, 1, 30);
    SEQ(range, map, CALLBACK(times_ten));
    return range;
  }
  rac_sequence *two[] = {web[check_random(seed) % i],
                         web[check_random(seed) % i]};
  switch (check_random(seed) % 6) {
  case 0:
    return rac_sequence_concat(two[0], two[1]);
  case 1:
    return rac_sequence_zip(two, 2);
  case 2:
    return rac_sequence_map(two[0], CALLBACK(times_ten));
  case 3:
    return rac_sequence_scan(two[0], I(0), CALLBACK(add));
  case 4:
    return rac_sequence_take(two[0], 20);
  default:
    numbers[i] = i;
    rac_sequence *few = rac_sequence_take(two[0], 6);
    SEQ(few, flatten_map, CALLBACK_FOR(&numbers[i], one_before));
    return few;
  }
}

static void *walk(void *number) {
  uint64_t seed = (uint64_t)(uintptr_t)number;
  for (int64_t i = check_scaled(300); i > 0; i--) {
    rac_sequence *at = rac_retain(web[check_random(&seed) % NODES]);
    for (uint64_t left = check_random(&seed) % 50; at && left > 0; left--) {
      rac_value value;
      rac_sequence *rest = NULL;
      rac_status status = rac_sequence_head(at, &value);
      CHECK(status == RAC_OK || status == RAC_EEMPTY);
      rac_value_release(value);
      if (status == RAC_OK) CHECK_STATUS(rac_sequence_tail(at, &rest), RAC_OK);
      rac_release(at);
      at = rest;
    }
    rac_release(at);
  }
  return NULL;
}

TEST(a_web_of_sequences_that_threads_read_in_any_order) {
  uint64_t seed = 5;
  for (int64_t round = check_scaled(10); round > 0; round--) {
    pthread_t threads[READERS];
    for (size_t i = 0; i < NODES; i++) web[i] = node(i, &seed);
    for (long i = 0; i < READERS; i++)
      threads[i] = check_spawn(walk, (void *)(round * READERS + i));
    for (int i = 0; i < READERS; i++) check_join(threads[i]);
    for (size_t i = 0; i < NODES; i++) rac_release(web[i]);
  }
}

/* ---- Of a signal --------------------------------------------------------------- */

static rac_subject *subject;
static atomic_bool is_over;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static rac_sequence *newest;

static void *send_numbers(void *unused) {
  for (int64_t i = 1; !atomic_load(&is_over); i++) {
    rac_subject_send(subject, I(i));
    if (i % 50 == 0) check_pause();
  }
  return unused;
}

/* Some of them give up when a value does not come. */
static rac_sequence *listen(bool is_patient) {
  rac_sequence *s = rac_sequence_from_signal(rac_subject_as_signal(subject),
                                             is_patient ? -1 : 0.0005, NULL);
  SEQ(s, map, CALLBACK(times_ten));
  return s;
}

static rac_sequence *exchange(rac_sequence *fresh) {
  pthread_mutex_lock(&mutex);
  rac_sequence *before = newest;
  if (fresh) {
    newest = fresh;
  } else {
    rac_retain(before);
  }
  pthread_mutex_unlock(&mutex);
  return before;
}

static void *follow(void *number) {
  uint64_t seed = (uint64_t)(uintptr_t)number;
  for (int64_t i = check_scaled(300); i > 0; i--) {
    rac_sequence *at = exchange(NULL), *rest;
    int64_t last = 0;
    for (uint64_t left = check_random(&seed) % 8; left > 0; left--) {
      rac_value value;
      rac_status status = rac_sequence_head(at, &value);
      if (status == RAC_ETIMEDOUT) continue;
      CHECK_STATUS(status, RAC_OK);
      CHECK(last == 0 || value.bits == last + 10);
      last = value.bits;
      CHECK_STATUS(rac_sequence_tail(at, &rest), RAC_OK);
      rac_release(at);
      at = rest;
    }
    rac_release(at);
    if (check_random(&seed) % 4 == 0)
      rac_release(exchange(listen(check_random(&seed) % 2)));
  }
  return NULL;
}

TEST(sequences_of_a_signal_exchanged_while_it_sends) {
  pthread_t sender, threads[READERS];
  subject = rac_subject_create();
  newest = listen(true);
  atomic_store(&is_over, false);
  sender = check_spawn(send_numbers, NULL);
  for (long i = 0; i < READERS; i++)
    threads[i] = check_spawn(follow, (void *)(i + 1));
  for (int i = 0; i < READERS; i++) check_join(threads[i]);
  rac_release(newest);
  atomic_store(&is_over, true);
  check_join(sender);
  CHECK_INT(rac_subject_subscriber_count(subject), 0);
  rac_release(subject);
}
