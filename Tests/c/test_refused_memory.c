/* What makes something when there is no memory: it answers RAC_ENOMEM, destroys
 * what it was given, and leaves nothing behind. */
#define _GNU_SOURCE 1

#include "check.h"
#include "process.h"

#if !IS_SANITIZED

#include "creation_table.h"
#include "refusing_memory.h"

static void step_all(void) {
  rac_virtual_step_all(v);
  rac_main_drain(0);
}

static void begin(void) {
  set_up();
  let_it_settle = step_all;
}

/* ---- Whatever makes a handle ------------------------------------------------- */

static int successes, failures;

static void check_made(const creation *self, void *handle, int contexts) {
  if (handle == NULL) {
    failures++;
    CHECK_HERE(rac_last_error_code() == RAC_ENOMEM);
    /* An operator's row may call others first. */
    if (self->function != NULL)
      CHECK_HERE(strcmp(rac_last_error_function(), self->function) == 0);
    CHECK_HERE(context_count() == contexts);
  } else {
    successes++;
    rac_dispose(handle);
    rac_release(handle);
  }
}

static void make(void *argument) {
  const creation *self = argument;
  int contexts = context_count();
  take_memory();
  void *handle = self->make();
  give_memory();
  check_made(self, handle, contexts);
}

static int current_operator;
static void *make_operator(void) {
  return operators[current_operator].build(as_signal(subject),
                                           as_signal(another));
}

/* Everything that makes something: the operators, and the others. */
enum { ALL = OPERATORS + CREATIONS_COUNT };

static creation creation_at(int i) {
  if (i >= OPERATORS) return creations[i - OPERATORS];
  current_operator = i;
  return (creation){operators[i].name, NULL, make_operator};
}

TEST_BOTH_WAYS(what_makes_something_answers) {
  begin();
  for (int i = 0; i < ALL; i++) {
    creation self = creation_at(i);
    failures = 0;
    refuse_each(self.name, make, &self);
    /* Of the pool there may be enough for all of it. */
    CHECK_HERE(failures > 0 || has_pool());
  }
  tear_down();
}

/* The callbacks that are called while something is made make something, too. */
static void make_inside(void) {
  rac_release(rac_property_create(I(1), 0));
  rac_release(rac_subject_create());
}

TEST_BOTH_WAYS(callbacks_make_something_too) {
  begin();
  in_callback = make_inside;
  for (int i = 0; i < ALL; i++) {
    creation self = creation_at(i);
    refuse_each(self.name, make, &self);
  }
  in_callback = NULL;
  tear_down();
}

/* What a thread puts by, and what has to be left of it. */
enum { PUT_BY = 32, ENOUGH = 24 };

static void make_of_the_least(void *argument) {
  const creation *self = argument;
  rac_value texts[PUT_BY - ENOUGH];
  int contexts = context_count();
  rac_release(rac_disposable_create(NULL, NULL, NULL));
  refuse_requests(1, FOR_EVER);
  take_memory();
  for (int i = 0; i < PUT_BY - ENOUGH; i++) {
    texts[i] = rac_value_string_copy("text", 4);
    CHECK_HERE(texts[i].kind == RAC_STRING || has_pool());
  }
  void *handle = self->make();
  give_memory();
  check_made(self, handle, contexts);
  for (int i = 0; i < PUT_BY - ENOUGH; i++) rac_value_release(texts[i]);
}

TEST_BOTH_WAYS(what_is_put_by_is_enough) {
  begin();
  successes = failures = 0;
  for (int i = 0; i < ALL; i++) {
    creation self = creation_at(i);
    refuse_here(self.name, make_of_the_least, &self);
  }
  /* All but those that say that they need more, and as often. */
  CHECK(has_pool() || successes > failures * 4);
  tear_down();
}

/* ---- What gives no handle ------------------------------------------------------ */

static rac_status set_nothing(void *context) {
  (void)context;
  return RAC_OK;
}

static void begin_and_end(void *argument) {
  (void)argument;
  int contexts = context_count();
  void *context = context_new(NULL, NULL);
  take_memory();
  rac_status begun = rac_property_batch_begin();
  if (begun == RAC_OK) rac_property_batch_end();
  rac_status ran = rac_property_batch(context, set_nothing, context_destroy);
  give_memory();
  CHECK_HERE(begun == RAC_OK || begun == RAC_ENOMEM);
  CHECK_HERE(ran == RAC_OK || ran == RAC_ENOMEM);
  CHECK_HERE(context_count() == contexts);
}

TEST_BOTH_WAYS(a_batch_is_begun_or_not) {
  refuse_each("batch", begin_and_end, NULL);
}

/* ---- Handles ------------------------------------------------------------------ */

/* Slots are asked for by the page. */
TEST_BOTH_WAYS(handles_run_out) {
  enum { MANY_SUBJECTS = 100000 };
  static rac_subject *subjects[MANY_SUBJECTS];
  int count = 0;
  refuse_requests(1, FOR_EVER);
  while (count < MANY_SUBJECTS) {
    /* Of the memory for the objects there is enough. */
    if (count % 64 == 0) rac_release(rac_disposable_create(NULL, NULL, NULL));
    take_memory();
    subjects[count] = rac_subject_create();
    give_memory();
    if (!subjects[count]) break;
    count++;
  }
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

/* ---- Threads -------------------------------------------------------------------- */

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
  rac_subject *made = rac_subject_create();
  CHECK(made != NULL);
  rac_release(made);
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

/* ---- Disposables ---------------------------------------------------------------- */

TEST_BOTH_WAYS(a_compound_disposable_cannot_grow) {
  enum { MEMBERS = 1000 };
  rac_disposable *compound = rac_compound_disposable_create();
  atomic_int destroyed = 0;
  int added = 0;
  for (int i = 0; i < MEMBERS; i++) {
    rac_disposable *member = rac_disposable_create(
        context_new(NULL, &destroyed), NULL, context_destroy);
    refuse_requests(1, i % 3 ? FOR_EVER : 0);
    take_memory();
    rac_status status = rac_compound_disposable_add(compound, member);
    give_memory();
    if (status == RAC_OK) added++;
    if (status != RAC_OK) CHECK_STATUS(status, RAC_ENOMEM);
    CHECK(!rac_is_disposed(member));
    rac_release(member);
  }
  CHECK(added < MEMBERS && added > MEMBERS / 3);
  CHECK_INT(destroyed, MEMBERS - added);
  rac_release(compound);
  CHECK_INT(destroyed, MEMBERS);
}

static void make_without_slots(void *argument) {
  const creation *self = argument;
  int contexts = context_count();
  memory.pages_only = true;
  refuse_requests(1, FOR_EVER);
  take_memory();
  check_made(self, self->make(), contexts);
  give_memory();
}

enum { LEFT = 10 };

/* A thread that ends leaves its slots to the others. */
static void *release_some(void *argument) {
  for (int i = 0; i < LEFT; i++) rac_release(((rac_subject **)argument)[i]);
  return NULL;
}

/* There are a few left: enough for what a thread puts by, and then for some of
 * what is made. */
TEST_BOTH_WAYS(everything_is_made_of_the_last_slots) {
  enum { MOST_SUBJECTS = 100000 };
  static rac_subject *subjects[MOST_SUBJECTS];
  int count = 0;
  begin();
  memory.pages_only = true;
  refuse_requests(1, FOR_EVER);
  take_memory();
  while (count < MOST_SUBJECTS && (subjects[count] = rac_subject_create()))
    count++;
  CHECK(count < MOST_SUBJECTS || has_pool());
  check_join(check_spawn(release_some, subjects));
  successes = failures = 0;
  for (int i = 0; i < ALL; i++) {
    creation self = creation_at(i);
    refuse_here(self.name, make_without_slots, &self);
  }
  give_memory();
  CHECK(successes > failures || has_pool());
  while (count > LEFT) rac_release(subjects[--count]);
  tear_down();
}

/* ---- Properties --------------------------------------------------------------- */

/* Where its value is looked up there is no memory for it: then it is asked. */
TEST_BOTH_WAYS(a_property_is_read_where_nothing_is_looked_up) {
  rac_property *first = NULL, *second = NULL;
  rac_release(rac_disposable_create(NULL, NULL, NULL));
  for (int n = 1; n < 100 && first == NULL; n++) {
    refuse_requests(n, FOR_EVER);
    take_memory();
    first = rac_property_create(I(1), 0);
    give_memory();
  }
  REQUIRE(first != NULL);
  rac_value value;
  CHECK_STATUS(rac_property_get(first, &value), RAC_OK);
  CHECK_INT(value.bits, 1);
  CHECK_STATUS(rac_property_set(first, S("text")), RAC_OK);
  CHECK_STATUS(rac_property_get(first, &value), RAC_OK);
  CHECK(rac_value_equal(value, S("text")));
  rac_value_release(value);
  second = rac_property_create(I(2), 0);
  recorder r = {0};
  record(rac_property_as_signal(first), &r);
  CHECK_STATUS(rac_property_set(first, I(3)), RAC_OK);
  CHECK_STATUS(rac_property_get(second, &value), RAC_OK);
  CHECK_INT(value.bits, 2);
  CHECK_STATUS(rac_property_get(first, &value), RAC_OK);
  CHECK_INT(value.bits, 3);
  rac_release(first);
  CHECK(rac_property_get(first, &value) == RAC_ESTALE);
  await_end(&r);
  CHECK_EVENTS(&r, "text 3 |");
  rac_release(second);
}

/* ---- Jobs with a date --------------------------------------------------------- */

static void count_run(void *context) {
  atomic_fetch_add((atomic_int *)context_target(context), 1);
}

/* The list of those that wait cannot grow: the one more is refused, the others
 * stay. */
TEST_BOTH_WAYS(dated_jobs_are_refused) {
  enum { MANY_JOBS = 4000 };
  rac_scheduler *clock = rac_scheduler_virtual();
  atomic_int runs = 0, destroyed = 0;
  int refused_jobs = 0;
  for (int i = 0; i < MANY_JOBS; i++) {
    rac_release(rac_disposable_create(NULL, NULL, NULL));
    /* One in three must do without what is larger than a small block. */
    refuse_requests(1, i % 3 == 0 ? FOR_EVER : 0);
    take_memory();
    rac_disposable *job = rac_schedule_after(
        clock, i, context_new(&runs, &destroyed), count_run, context_destroy);
    give_memory();
    if (job == NULL) {
      CHECK_STATUS(rac_last_error_code(), RAC_ENOMEM);
      CHECK_INT(destroyed, ++refused_jobs);
    }
    rac_release(job);
  }
  CHECK(refused_jobs > 0);
  CHECK_INT(runs, 0);
  rac_virtual_step_all(clock);
  CHECK_INT(runs, MANY_JOBS - refused_jobs);
  rac_release(clock);
}

#else

TEST(sanitizers_have_memory_of_their_own) {}

#endif
