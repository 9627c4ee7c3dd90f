/* What the library keeps for each thread is given back when the thread ends,
 * also where it is hard to hear of that: where the host calls from the last of
 * its destructors, and where it left no key for the library's own. */
#include "check.h"
#include "process.h"
#include "rerun.h"
#include "second_library.h"

#include <limits.h>

/* ---- Destructors that call the library ------------------------------------ */

static pthread_key_t late_key;
static atomic_int late_calls;

/* Values, slots, an error that nobody takes: some of everything that a thread
 * keeps. */
static void use_library(void) {
  rac_value text = rac_value_string_copy("a string that needs memory", 26);
  CHECK_INT(text.kind, RAC_STRING);
  rac_value_release(text);
  rac_subject *subject = rac_subject_create();
  CHECK(subject != NULL);
  rac_release(rac_subscribe_next(as_signal(subject), NULL, NULL, NULL));
  CHECK(rac_subject_send(subject, I(1)) >= 0);
  rac_release(subject);
  owned_value error = test_error(1);
  rac_raise(error);
}

/* Again in every round that there is. */
static void call_late(void *rounds) {
  use_library();
  atomic_fetch_add(&late_calls, 1);
  intptr_t left = (intptr_t)rounds - 1;
  if (left > 0) pthread_setspecific(late_key, (void *)left);
}

static void *end_late(void *argument) {
  (void)argument;
  /* Behind the library's key, so that its destructor has run by then. */
  pthread_setspecific(late_key,
                      (void *)(intptr_t)PTHREAD_DESTRUCTOR_ITERATIONS);
  use_library();
  return NULL;
}

static void *end_at_once(void *argument) {
  (void)argument;
  use_library();
  return NULL;
}

static void run_threads(int64_t count) {
  while (count-- > 0) check_join(check_spawn(end_late, NULL));
}

TEST(threads_that_call_from_their_last_destructors_leave_nothing) {
  if (IS_THREAD_SANITIZED) return;
  rac_clear_last_error();
  if (pthread_key_create(&late_key, call_late) != 0) abort();
  run_threads(check_scaled(1000));
  int64_t before = resident();
  int64_t threads = check_scaled(IS_SANITIZED ? 3000 : 30000);
  atomic_store(&late_calls, 0);
  run_threads(threads);
  CHECK_INT(late_calls, threads * PTHREAD_DESTRUCTOR_ITERATIONS);
  /* It was 452 MB. */
  if (!IS_SANITIZED) CHECK(resident() - before < 4 << 20);
  /* The next one tidies up after the last. */
  check_join(check_spawn(end_at_once, NULL));
  pthread_key_delete(late_key);
}

/* The same, but nothing was called before the last round: of these the library's
 * own destructor hears nothing at all. */
static void call_at_last(void *rounds) {
  intptr_t left = (intptr_t)rounds - 1;
  if (left > 0) {
    pthread_setspecific(late_key, (void *)left);
  } else {
    use_library();
  }
}

static void *begin_late(void *argument) {
  (void)argument;
  pthread_setspecific(late_key,
                      (void *)(intptr_t)PTHREAD_DESTRUCTOR_ITERATIONS);
  return NULL;
}

static void run_late(int64_t count) {
  while (count-- > 0) check_join(check_spawn(begin_late, NULL));
}

TEST(threads_that_call_from_nothing_but_their_last_destructor_leave_nothing) {
  if (IS_THREAD_SANITIZED) return;
  if (pthread_key_create(&late_key, call_at_last) != 0) abort();
  run_late(check_scaled(1000));
  int64_t before = resident();
  run_late(check_scaled(IS_SANITIZED ? 3000 : 30000));
  /* It was 600 MB. */
  if (!IS_SANITIZED) CHECK(resident() - before < 4 << 20);
  check_join(check_spawn(end_at_once, NULL));
  pthread_key_delete(late_key);
}

enum { AT_ONCE = 50 };

/* Alive, their records are theirs. */
TEST(many_threads_end_late_at_the_same_time) {
  if (IS_THREAD_SANITIZED) return;
  if (pthread_key_create(&late_key, call_late) != 0) abort();
  for (int64_t round = check_scaled(20); round > 0; round--) {
    pthread_t threads[AT_ONCE];
    for (int i = 0; i < AT_ONCE; i++) threads[i] = check_spawn(end_late, NULL);
    for (int i = 0; i < AT_ONCE; i++) check_join(threads[i]);
  }
  check_join(check_spawn(end_at_once, NULL));
  pthread_key_delete(late_key);
}

/* ---- No key ---------------------------------------------------------------- */

typedef struct library {
  rac_subject *(*subject_create)(void);
  rac_status (*subject_send)(rac_subject *, rac_value);
  rac_disposable *(*subscribe_next)(rac_signal *, void *, rac_next_fn,
                                    rac_destroy_fn);
  rac_status (*release)(void *);
  rac_value (*string_copy)(const char *, size_t);
  void (*value_release)(rac_value);
  uint64_t (*live_objects)(void);
} library;

static pthread_key_t keys[PTHREAD_KEYS_MAX];
static int key_count;

/* Some of everything, in a thread and after it has ended. */
static void *use_second(void *argument) {
  library *rac = argument;
  rac_value text = rac->string_copy("a string that needs memory", 26);
  rac_subject *subject = rac->subject_create();
  CHECK(subject != NULL);
  rac->release(rac->subscribe_next(as_signal(subject), NULL, NULL, NULL));
  CHECK(rac->subject_send(subject, text) >= 0);
  rac->release(subject);
  rac->value_release(text);
  for (int i = 0; i < key_count; i++) CHECK(!pthread_getspecific(keys[i]));
  return NULL;
}

static void use_second_in_threads(library *rac, int64_t count) {
  while (count-- > 0) check_join(check_spawn(use_second, rac));
}

static void check_keys(void) {
  for (int i = 0; i < key_count; i++)
    CHECK(pthread_getspecific(keys[i]) == &keys[i]);
}

static void live_without_key(void) {
  while (key_count < PTHREAD_KEYS_MAX &&
         pthread_key_create(&keys[key_count], NULL) == 0) {
    pthread_setspecific(keys[key_count], &keys[key_count]);
    key_count++;
  }
  void *loaded = load_second_library();
  REQUIRE(loaded != NULL);
  library rac;
  LOOK_UP(rac.subject_create, loaded, "rac_subject_create");
  LOOK_UP(rac.subject_send, loaded, "rac_subject_send");
  LOOK_UP(rac.subscribe_next, loaded, "rac_subscribe_next");
  LOOK_UP(rac.release, loaded, "rac_release");
  LOOK_UP(rac.string_copy, loaded, "rac_value_string_copy");
  LOOK_UP(rac.value_release, loaded, "rac_value_release");
  LOOK_UP(rac.live_objects, loaded, "rac_live_objects");
  check_keys();
  use_second_in_threads(&rac, check_scaled(200));
  int64_t before = resident();
  use_second_in_threads(&rac, check_scaled(3000));
  if (!IS_SANITIZED) CHECK(resident() - before < 2 << 20);
  check_keys();
  /* There is one again, and the library takes it. */
  pthread_key_delete(keys[--key_count]);
  use_second_in_threads(&rac, check_scaled(1000));
  pthread_key_t taken;
  CHECK(pthread_key_create(&taken, NULL) != 0);
  if (!IS_SANITIZED) CHECK(resident() - before < 2 << 20);
  check_keys();
  CHECK_INT(rac.live_objects(), 0);
}

TEST(where_all_keys_are_taken_they_stay_the_hosts) {
  if (getenv("RAC_TEST_KEYS")) {
    live_without_key();
    return;
  }
  if (!getenv("RAC_LIBRARY")) return;
  CHECK_INT(rerun("where_all_keys_are_taken", "RAC_TEST_KEYS", "1", NULL, 0),
            0);
}
