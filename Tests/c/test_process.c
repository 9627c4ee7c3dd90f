/* The life of the process: fork, exit while workers are busy, dlclose. */
#include "check.h"
#include "children.h"
#include "process.h"
#include "rerun.h"
#include "second_library.h"

typedef struct family {
  rac_subject *subject;
  rac_signal *signal;
  rac_disposable *subscription, *disposable;
  rac_scheduler *scheduler;
  atomic_int destroyed;
  atomic_int runs;
} family;

static void count(void *context) {
  atomic_fetch_add(&((family *)context_target(context))->runs, 1);
}

static void use_in_child(void *argument) {
  family *f = argument;
  rac_value out;
  CHILD(rac_subject_send(f->subject, I(1)) == RAC_EFORK);
  CHILD(rac_last_error_code() == RAC_EFORK);
  CHILD(strcmp(rac_last_error_function(), "rac_subject_send") == 0);
  CHILD(rac_subject_send_completed(f->subject) == RAC_EFORK);
  CHILD(rac_subject_send_array(f->subject, RAC_ARRAY_INT64S, NULL, 0) ==
        RAC_EFORK);
  rac_batch_observer observer = RAC_BATCH_OBSERVER_INIT;
  rac_clear_last_error();
  CHILD(rac_subscribe_batches(f->signal, 2, 1, NULL, &observer) == NULL);
  CHILD(rac_last_error_code() == RAC_EFORK);
  CHILD(rac_subject_create() == NULL);
  CHILD(rac_last_error_code() == RAC_EFORK);
  CHILD(rac_signal_take(f->signal, 1) == NULL);
  CHILD(rac_subscribe_next(f->signal, NULL, NULL, NULL) == NULL);
  CHILD(rac_schedule(f->scheduler, context_new(f, &f->destroyed), count,
                     context_destroy) == NULL);
  CHILD(rac_signal_first(f->signal, -1, &out) == RAC_EFORK);
  CHILD(rac_main_drain(0) == RAC_EFORK);
  CHILD(rac_main_run_for(0) == RAC_EFORK);
  /* No-ops there: the parent's objects are not the child's. */
  CHILD(rac_dispose(f->subscription) == RAC_OK);
  CHILD(rac_dispose(f->disposable) == RAC_OK);
  CHILD(rac_release(f->subscription) == RAC_OK);
  CHILD(rac_release(f->subject) == RAC_OK);
  CHILD(atomic_load(&f->runs) == 0);
  /* What needs no engine still answers. */
  CHILD(rac_version() == RAC_VERSION);
  CHILD(strcmp(rac_status_name(RAC_EFORK), "RAC_EFORK") == 0);
}

static void wait_in_job(void *context) {
  family *f = context_target(context);
  while (atomic_load(&f->runs) == 0) check_pause();
}

/* Law 22: of a process with threads whatever it calls answers RAC_EFORK or does
 * nothing, until it begins anew. */
TEST(a_forked_child_gets_a_status_and_can_exit) {
  family f = {.subject = rac_subject_create()};
  f.signal = as_signal(f.subject);
  f.scheduler = rac_scheduler_background(0, NULL);
  f.disposable =
      rac_disposable_create(context_new(&f, NULL), count, context_destroy);
  recorder r = {0};
  f.subscription = record(f.signal, &r);
  /* With a worker in the middle of something. */
  int contexts = context_count();
  rac_release(rac_schedule(f.scheduler, context_new(&f, NULL), wait_in_job,
                           context_destroy));
  CHECK_INT(in_child(use_in_child, &f), 0);
  /* Nothing of it reached the parent. */
  CHECK_STATUS(rac_subject_send(f.subject, I(1)), RAC_OK);
  CHECK_EVENTS(&r, "1");
  CHECK_INT(atomic_load(&f.runs), 0);
  atomic_store(&f.runs, 1);
  WAIT_UNTIL(context_count() == contexts);
  finish(&r);
  rac_release(f.disposable);
  rac_release(f.scheduler);
  rac_release(f.subject);
}

/* ---- Values that hold what is the parent's --------------------------------- */

static rac_status never_asked(void *context, rac_value value, rac_value *out) {
  (void)context, (void)value, (void)out;
  return RAC_OK;
}

typedef struct legacy {
  rac_value values[4];
  atomic_int destroyed;
} legacy;

static void release_in_child(void *argument) {
  legacy *l = argument;
  for (int i = 0; i < 4; i++) rac_value_release(l->values[i]);
  CHILD(atomic_load(&l->destroyed) == 0);
}

/* Law 22: what the parent made goes without its destroy. */
TEST(a_forked_child_releases_values_to_no_effect) {
  start_library_threads();
  legacy l = {0};
  owned rac_signal *empty = rac_signal_empty();
  rac_signal *mapped = rac_signal_map(empty, context_new(NULL, &l.destroyed),
                                      never_asked, context_destroy);
  owned rac_sequence *none = rac_sequence_empty();
  rac_sequence *lazy = rac_sequence_map(none, context_new(NULL, &l.destroyed),
                                        never_asked, context_destroy);
  rac_property *property = rac_property_create(I(1), 0);
  l.values[0] = rac_value_signal(mapped);
  l.values[1] = rac_value_sequence(lazy);
  l.values[2] = rac_value_signal(rac_property_as_signal(property));
  l.values[3] = rac_value_tuple(l.values, 3);
  rac_release(property);
  rac_release(lazy);
  rac_release(mapped);
  CHECK_INT(in_child(release_in_child, &l), 0);
  CHECK_INT(atomic_load(&l.destroyed), 0);
  for (int i = 0; i < 4; i++) rac_value_release(l.values[i]);
  CHECK_INT(atomic_load(&l.destroyed), 2);
}

/* ---- Values of the child's own ---------------------------------------------- */

static atomic_int ended;
static void end_one(void *context) {
  atomic_fetch_add((atomic_int *)context, 1);
}
static void release_one(void *object) {
  atomic_fetch_add((atomic_int *)object, 1);
}
static const rac_object_class counted_class = {.size = sizeof counted_class,
                                               .release = release_one};

/* Six that have an end of the user's, in one. */
static rac_value family_of_values(void) {
  rac_value v[7] = {
      rac_value_string_owned("owned", 5, &ended, end_one),
      rac_value_pointer(&ended, "counted", end_one),
      rac_object(&ended, rac_object_class_register(&counted_class)),
      rac_value_string_copy("a copy", 6), rac_value_bytes_copy("bytes", 5)};
  v[5] = rac_value_error_underlying("test", 1, "made by a test", v[0]);
  v[6] = rac_value_event_next(v[1]);
  rac_value all = rac_value_tuple(v, 7);
  for (int i = 0; i < 7; i++) rac_value_release(v[i]);
  return all;
}

/* A thousand of 64 KB, one at a time, must not take 64 MB. */
static void make_and_release_often(void) {
  static char text[1 << 16];
  memset(text, 'a', sizeof text);
  int64_t before = resident();
  for (int i = 0; i < 1000; i++)
    rac_value_release(rac_value_string_copy(text, sizeof text));
  if (!IS_SANITIZED) CHILD(resident() - before < 4 << 20);
}

static void make_in_grandchild(void *argument) {
  rac_value_release(*(rac_value *)argument);
  CHILD(atomic_load(&ended) == 0);
  rac_value_release(family_of_values());
  CHILD(atomic_load(&ended) == 3);
}

static void make_in_child(void *argument) {
  uint64_t objects = rac_live_objects();
  rac_value mine = family_of_values();
  CHILD(rac_tuple_count(mine) == 7);
  CHILD(rac_value_equal(rac_tuple_get(mine, 3), S("a copy")));
  CHILD(rac_live_objects() == objects + 8);
  /* The parent's: the memory goes, what the user ends does not. */
  rac_value_release(rac_value_retain(*(rac_value *)argument));
  CHILD(rac_live_objects() == objects + 8);
  rac_value_release(*(rac_value *)argument);
  CHILD(rac_live_objects() == objects);
  CHILD(atomic_load(&ended) == 0);
  CHILD(in_child(make_in_grandchild, &mine) == 0);
  rac_value_release(mine);
  CHILD(rac_live_objects() == objects - 8);
  CHILD(atomic_load(&ended) == 3);
  make_and_release_often();
}

/* Law 22: but for values, which it makes and releases as ever. */
TEST(a_forked_child_makes_values_and_releases_them) {
  start_library_threads();
  atomic_store(&ended, 0);
  rac_value all = family_of_values();
  CHECK_INT(in_child(make_in_child, &all), 0);
  CHECK_INT(atomic_load(&ended), 0);
  rac_value_release(all);
  CHECK_INT(atomic_load(&ended), 3);
}

/* Whatever locks other threads of the parent hold. */
static void *churn_values(void *argument) {
  static const char *const names[] = {"a", "b", "c", "d", "e", "f", "g", "h"};
  for (int i = 0; !atomic_load((atomic_int *)argument); i++) {
    rac_value_release(family_of_values());
    rac_value_release(rac_value_pointer(NULL, names[i % 8], NULL));
  }
  return NULL;
}

static void name_pointers(void *argument) {
  (void)argument;
  CHILD(rac_value_pointer(NULL, "of the child's", NULL).kind == RAC_POINTER);
  make_and_release_often();
}

TEST(values_work_in_a_child_of_many_threads) {
  /* AddressSanitizer's own locks stay as they were when another thread forked. */
  if (IS_SANITIZED) return;
  atomic_int stop = 0;
  pthread_t a = check_spawn(churn_values, &stop);
  pthread_t b = check_spawn(churn_values, &stop);
  for (int64_t i = check_scaled(60); i > 0; i--)
    CHECK_INT(in_child(name_pointers, NULL), 0);
  atomic_store(&stop, 1);
  check_join(a);
  check_join(b);
}

static void do_nothing(void *argument) { (void)argument; }

static void fork_inside(recorder *self, rac_value value) {
  (void)value;
  CHECK_INT(in_child(self->user ? use_in_child : do_nothing, self->user), 0);
}

TEST(forking_inside_a_callback) {
  start_library_threads();
  family f = {.subject = rac_subject_create()};
  f.signal = as_signal(f.subject);
  f.scheduler = rac_scheduler_immediate();
  f.disposable = rac_disposable_create(NULL, NULL, NULL);
  recorder r = {.on_next = fork_inside, .user = &f};
  f.subscription = record(f.signal, &r);
  play(f.subject, "1");
  r.on_next = NULL;
  play(f.subject, "2 |");
  CHECK_EVENTS(&r, "1 2 |");
  await_end(&r);
  rac_release(f.disposable);
  rac_release(f.subject);
}

static atomic_bool stop_churning;

static void *churn(void *argument) {
  rac_subject *subject = argument;
  while (!atomic_load(&stop_churning)) {
    RECORDER(r, as_signal(subject));
    rac_subject_send(subject, I(1));
  }
  return NULL;
}

static void release_everything(void *argument) {
  for (int i = 0; i < 100; i++) {
    CHILD(rac_subject_create() == NULL);
    CHILD(rac_release(argument) == RAC_OK);
  }
}

TEST(forking_while_other_threads_are_inside_the_library) {
  start_library_threads();
  owned rac_subject *subject = rac_subject_create();
  atomic_store(&stop_churning, false);
  pthread_t a = check_spawn(churn, subject), b = check_spawn(churn, subject);
  for (int64_t i = check_scaled(60); i > 0; i--)
    CHECK_INT(in_child(release_everything, subject), 0);
  atomic_store(&stop_churning, true);
  check_join(a);
  check_join(b);
}

/* ---- Exit --------------------------------------------------------------- */

static void run_long(void *context) {
  (void)context;
  for (;;) check_pause();
}
static void run_often(void *context) { (void)context; }

static void exit_while_busy(void) {
  rac_scheduler *a = rac_scheduler_background(0, NULL);
  rac_scheduler *b = rac_scheduler_background(0, NULL);
  rac_release(rac_schedule(a, NULL, run_long, NULL));
  rac_release(rac_schedule_repeating(b, 0, 0.0001, 0, NULL, run_often, NULL));
  rac_release(rac_schedule_after(b, 3600, NULL, run_often, NULL));
  check_pause();
  exit(42);
}

TEST(the_process_may_exit_while_workers_are_busy) {
  if (getenv("RAC_TEST_EXIT")) exit_while_busy();
  for (int i = 0; i < 10; i++)
    CHECK_INT(rerun("the_process_may_exit", "RAC_TEST_EXIT", "1", NULL, 0), 42);
}

/* ---- dlclose ------------------------------------------------------------ */

typedef rac_scheduler *(*background_fn)(int32_t, const char *);
typedef rac_disposable *(*repeating_fn)(rac_scheduler *, double, double, double,
                                        void *, rac_action_fn, rac_destroy_fn);
typedef rac_status (*handle_fn)(void *);

TEST(dlclose_with_workers_alive) {
  if (!getenv("RAC_LIBRARY")) return;
  void *library = load_second_library();
  REQUIRE(library != NULL);
  background_fn background = NULL;
  repeating_fn repeating = NULL;
  handle_fn dispose = NULL, release = NULL;
  LOOK_UP(background, library, "rac_scheduler_background");
  LOOK_UP(repeating, library, "rac_schedule_repeating");
  LOOK_UP(dispose, library, "rac_dispose");
  LOOK_UP(release, library, "rac_release");
  REQUIRE(background && repeating && dispose && release);
  family f = {.subject = NULL};
  int contexts = context_count();
  rac_scheduler *scheduler = background(0, NULL);
  rac_disposable *d = repeating(scheduler, 0, 0.0005, 0, context_new(&f, NULL),
                                count, context_destroy);
  WAIT_UNTIL(atomic_load(&f.runs) > 0);
  CHECK_INT(dlclose(library), 0);
  int runs = atomic_load(&f.runs);
  /* The workers' code is still there. */
  WAIT_UNTIL(atomic_load(&f.runs) > runs + 5);
  CHECK_STATUS(dispose(d), RAC_OK);
  WAIT_UNTIL(context_count() == contexts);
  CHECK_STATUS(release(d), RAC_OK);
  CHECK_STATUS(release(scheduler), RAC_OK);
}
