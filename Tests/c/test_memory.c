/* Memory that one thread takes and another gives back, and too little of it.
 *
 * The figures are looked at in ordinary builds only: sanitizers keep what was
 * freed, and need more addresses than this leaves them. */
#include "operators.h"
#include "process.h"
#include "shared_callbacks.h"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- Made here, freed there --------------------------------------------- */

enum { LINE = 1024, AT_ONCE = 64 };

typedef struct made {
  rac_subject *subject;
  rac_disposable *subscription;
  rac_value value;
} made;

/* One thread puts in, the other takes out. */
typedef struct line {
  made things[LINE];
  atomic_llong put, taken;
  int64_t total;
  bool disposes;
} line;

static void *free_all(void *argument) {
  line *self = argument;
  for (int64_t i = 0; i < self->total; i++) {
    while (atomic_load(&self->put) <= i) check_pause();
    made *thing = &self->things[i % LINE];
    if (self->disposes) rac_dispose(thing->subscription);
    rac_release(thing->subscription);
    rac_subject_send(thing->subject, thing->value);
    rac_release(thing->subject);
    rac_value_release(thing->value);
    atomic_store(&self->taken, i + 1);
  }
  return NULL;
}

static void make(made *thing, bool sends) {
  thing->subject = rac_subject_create();
  thing->subscription =
      rac_subscribe_next(as_signal(thing->subject), NULL, ignore_value, NULL);
  thing->value = rac_value_string_copy("a string that needs memory", 26);
  /* Then it belongs to this thread when the other one comes. */
  if (sends) rac_subject_send(thing->subject, thing->value);
}

static void make_all(line *self) {
  for (int64_t i = 0; i < self->total; i++) {
    while (i - atomic_load(&self->taken) >= LINE) check_pause();
    make(&self->things[i % LINE], i % 16 == 0);
    if (i % AT_ONCE == AT_ONCE - 1 || i + 1 == self->total)
      atomic_store(&self->put, i + 1);
  }
}

static void pass_on(int64_t total, bool disposes) {
  line *self = calloc(1, sizeof *self);
  if (!self) abort();
  self->total = total;
  self->disposes = disposes;
  pthread_t thread = check_spawn(free_all, self);
  make_all(self);
  check_join(thread);
  free(self);
}

TEST(a_million_objects_are_made_here_and_freed_there) {
  pass_on(check_scaled(20000), true);
  int64_t before = resident();
  for (int i = 0; i < 10; i++) pass_on(check_scaled(30000), i % 2);
  /* At 300 bytes for each it would be 90 MB. */
  if (!IS_SANITIZED) CHECK(resident() - before < 8 << 20);
}

static void *make_and_end(void *argument) {
  (void)argument;
  for (int i = 0; i < 100; i++) {
    made thing;
    make(&thing, true);
    rac_release(thing.subscription);
    rac_release(thing.subject);
    rac_value_release(thing.value);
  }
  return NULL;
}

TEST(what_ended_threads_had_is_used_again) {
  check_join(check_spawn(make_and_end, NULL));
  int64_t before = resident();
  for (int64_t i = check_scaled(2000); i > 0; i--)
    check_join(check_spawn(make_and_end, NULL));
  if (!IS_SANITIZED) CHECK(resident() - before < 4 << 20);
}

/* ---- How much each takes -------------------------------------------------- */

TEST(a_subject_takes_little) {
  enum { MANY = 100000 };
  rac_subject **all = malloc(MANY * sizeof *all);
  if (!all) abort();
  for (int i = 0; i < MANY; i++) all[i] = NULL;
  int64_t before = resident();
  for (int i = 0; i < MANY; i++) all[i] = rac_subject_create();
  int64_t each = (resident() - before) / MANY;
  /* 160 with the pool, and 192 with malloc(), where nothing lay about from
   * before. */
  if (!IS_SANITIZED && each > 200) {
    fprintf(stderr, "%lld bytes\n", (long long)each);
    CHECK(each <= 200);
  }
  for (int i = 0; i < MANY; i++) rac_release(all[i]);
  free(all);
}

/* ---- Few addresses ------------------------------------------------------ */

static void *send_one(void *argument) {
  CHECK(rac_subject_send(argument, I(2)) >= 0);
  return NULL;
}

/* Run by the tests below in a process of its own. */
TEST(something_of_everything) {
  rac_subject *subject = rac_subject_create();
  rac_scheduler *scheduler = rac_scheduler_background(0, NULL);
  rac_signal *signal = rac_signal_map(as_signal(subject), CALLBACK(times_ten));
  APPLY(signal, deliver_on, scheduler);
  recorder r = {0};
  record(signal, &r);
  rac_release(signal);
  CHECK(rac_subject_send(subject, I(1)) >= 0);
  check_join(check_spawn(send_one, subject));
  CHECK(rac_subject_send_completed(subject) >= 0);
  await_end(&r);
  CHECK_EVENTS(&r, "10 20 |");
  rac_release(subject);
  rac_release(scheduler);
  pass_on(1000, false);
}

/* Runs that test with so many bytes of addresses; how it ended, and what it
 * wrote to the standard error. */
static int run_with(rlim_t addresses, char *text, size_t capacity) {
  int ends[2], status = 0;
  if (pipe(ends) != 0) abort();
  pid_t child = fork();
  if (child == 0) {
    struct rlimit limit = {addresses, addresses}, none = {0, 0};
    setrlimit(RLIMIT_CORE, &none);
    setrlimit(RLIMIT_AS, &limit);
    dup2(ends[1], STDERR_FILENO);
    dup2(ends[1], STDOUT_FILENO);
    close(ends[0]);
    execl("/proc/self/exe", "test_memory", "something_of_everything",
          (char *)NULL);
    _exit(127);
  }
  close(ends[1]);
  size_t used = 0;
  ssize_t got;
  while (used + 1 < capacity &&
         (got = read(ends[0], text + used, capacity - used - 1)) > 0)
    used += (size_t)got;
  text[used] = 0;
  close(ends[0]);
  waitpid(child, &status, 0);
  return status;
}

/* The pool asks for 16 GB of addresses. Without them malloc does its work. */
TEST(it_works_where_the_pool_gets_no_addresses) {
  if (IS_SANITIZED) return;
  char text[1000];
  int status = run_with((rlim_t)6 << 30, text, sizeof text);
  CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  CHECK_TEXT(text, "1 passed, 0 failed\n");
}

/* The table of handles asks for 4 GB, and takes less. */
TEST(it_works_where_handles_get_few_addresses) {
  if (IS_SANITIZED) return;
  char text[1000];
  int status = run_with((rlim_t)256 << 20, text, sizeof text);
  CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  CHECK_TEXT(text, "1 passed, 0 failed\n");
}

/* Without any nothing goes. The limit rises to where the program's own
 * libraries find their place, which is not yet enough for the handles. */
TEST(it_says_why_it_cannot_work) {
  if (IS_SANITIZED) return;
  static const char *const said = "librac: no addresses for handles\n";
  char text[1000] = "";
  int status = 0;
  for (rlim_t megabytes = 4; megabytes < 256; megabytes++) {
    status = run_with(megabytes << 20, text, sizeof text);
    if (strcmp(text, said) == 0 || (WIFEXITED(status) && !WEXITSTATUS(status)))
      break;
  }
  CHECK(WIFSIGNALED(status));
  CHECK_TEXT(text, said);
}
