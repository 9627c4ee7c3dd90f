/* Memory is refused to a thread's first call, and to handles by the thousand. */
#define _GNU_SOURCE 1

#include "check.h"
#include "process.h"

#if !IS_SANITIZED

#include "refusing_memory.h"

/* ---- Threads ------------------------------------------------------------------ */

static void *first_call(void *argument) {
  refuse_requests(1, FOR_EVER);
  take_memory();
  /* The pool may have some for it. */
  rac_subject *early = rac_subject_create();
  CHECK(early == NULL || has_pool());
  CHECK_STATUS(rac_last_error_code(), early ? RAC_OK : RAC_ENOMEM);
  rac_release(early);
  give_memory();
  atomic_fetch_sub((atomic_int *)argument, 1);
  /* All of them at a time, so that none gets what another one had. */
  while (atomic_load((atomic_int *)argument) > 0) check_pause();
  owned rac_subject *made = rac_subject_create();
  CHECK(made != NULL);
  return NULL;
}

/* For its first call a thread needs a place where to write down why it failed. */
TEST_BOTH_WAYS(a_thread_comes_when_there_is_no_memory) {
  enum { COMERS = 12 };
  atomic_int coming = COMERS;
  pthread_t threads[COMERS];
  for (int i = 0; i < COMERS; i++)
    threads[i] = check_spawn(first_call, &coming);
  for (int i = 0; i < COMERS; i++) check_join(threads[i]);
}

/* ---- Handles ------------------------------------------------------------------ */

/* Slots are asked for by the page. */
TEST_BOTH_WAYS(handles_run_out) {
  enum { MANY_SUBJECTS = 100000 };
  static rac_subject *subjects[MANY_SUBJECTS];
  int count = 0;
  memory.pages_only = true;
  refuse_requests(1, FOR_EVER);
  take_memory();
  while (count < MANY_SUBJECTS && (subjects[count] = rac_subject_create()))
    count++;
  give_memory();
  CHECK(count < MANY_SUBJECTS);
  CHECK_STATUS(rac_last_error_code(), RAC_ENOMEM);
  for (int i = 0; i < count; i++)
    CHECK_STATUS(rac_subject_send(subjects[i], I(i)), RAC_OK);
  /* There is memory again. */
  rac_subject *another_one = rac_subject_create();
  CHECK(another_one != NULL);
  rac_release(another_one);
  while (count > 0) rac_release(subjects[--count]);
}

#else

TEST(sanitizers_have_memory_of_their_own) {}

#endif
