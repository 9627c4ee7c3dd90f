/* Few descriptors: the main scheduler works without any, and what the host
 * opens meanwhile is the host's. */
#include "rerun.h"
#include "shared_callbacks.h"

#include <poll.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

enum { STANDARD = 3, MOST = 6 };

static void count(void *context) {
  atomic_fetch_add((atomic_int *)context_target(context), 1);
}

static void set_limit(rlim_t descriptors) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) abort();
  limit.rlim_cur = descriptors;
  if (setrlimit(RLIMIT_NOFILE, &limit) != 0) abort();
}

/* As many as the limit leaves; how many. */
static int open_files(int files[MOST]) {
  for (int count = 0; count < MOST; count++) {
    char name[] = "./rac-descriptors-XXXXXX";
    files[count] = mkstemp(name);
    if (files[count] < 0) return count;
    unlink(name);
  }
  return MOST;
}

/* Everything that wakes whoever waits for the main scheduler. */
static void use_main_scheduler(void) {
  rac_scheduler *main_scheduler = rac_scheduler_main();
  atomic_int runs = 0;
  while (rac_main_drain(0) > 0) {
  }
  rac_release(rac_schedule(main_scheduler, context_new(&runs, NULL), count,
                           context_destroy));
  CHECK(rac_scheduler_next_deadline(rac_scheduler_main()) == 0);
  CHECK_INT(rac_main_drain(0), 1);
  rac_release(rac_schedule_after(main_scheduler, 0.01, context_new(&runs, NULL),
                                 count, context_destroy));
  rac_disposable *never = rac_schedule_after(
      main_scheduler, 3600, context_new(&runs, NULL), count, context_destroy);
  CHECK_STATUS(rac_main_run_for(0.05), RAC_OK);
  CHECK_INT(runs, 2);
  rac_dispose(never);
  rac_release(never);
  CHECK_STATUS(rac_main_stop(), RAC_OK);
  CHECK_STATUS(rac_main_run(), RAC_OK);
}

static void *send_later(void *subject) {
  WAIT_UNTIL(rac_subject_subscriber_count(subject) == 1);
  check_pause();
  rac_subject_send_completed(subject);
  return NULL;
}

/* A run that sleeps is woken. */
static void wait_for_another_thread(void) {
  owned rac_subject *subject = rac_replay_subject_create(1);
  owned rac_signal *signal =
      rac_signal_deliver_on(as_signal(subject), rac_scheduler_main());
  pthread_t thread = check_spawn(send_later, subject);
  rac_value value = rac_value_nil();
  CHECK_STATUS(
      rac_signal_asynchronous_first_or_default(signal, 10, value, NULL, NULL),
      RAC_OK);
  check_join(thread);
}

static bool is_readable(int fd, int milliseconds) {
  struct pollfd look = {.fd = fd, .events = POLLIN};
  return poll(&look, 1, milliseconds) == 1 && (look.revents & POLLIN);
}

/* A process with `limit` descriptors, three of which are taken. */
static void live_with(int limit) {
  for (int fd = STANDARD; fd < 256; fd++) close(fd);
  set_limit((rlim_t)limit);
  if (limit < STANDARD + 3) {
    CHECK_INT(rac_main_fd(), -1);
    CHECK_STATUS(rac_last_error_code(), RAC_ENOMEM);
  }
  int files[MOST];
  int opened = open_files(files);
  CHECK_INT(opened, limit - STANDARD);
  use_main_scheduler();
  wait_for_another_thread();
  CHECK_INT(rac_main_fd(), -1);
  use_main_scheduler();
  for (int i = 0; i < opened; i++) {
    struct stat file;
    CHECK_INT(fstat(files[i], &file), 0);
    CHECK_INT(file.st_size, 0);
  }
  /* Now there are some: what waits already makes it readable. */
  atomic_int runs = 0;
  rac_release(rac_schedule(rac_scheduler_main(), context_new(&runs, NULL),
                           count, context_destroy));
  rac_release(rac_schedule_after(rac_scheduler_main(), 0,
                                 context_new(&runs, NULL), count,
                                 context_destroy));
  set_limit((rlim_t)limit + 3);
  int fd = rac_main_fd();
  CHECK_INT(fd, limit);
  CHECK_INT(rac_main_fd(), fd);
  CHECK(is_readable(fd, 5000));
  CHECK_INT(rac_main_drain(0), 2);
  CHECK(!is_readable(fd, 0));
  rac_release(rac_schedule_after(rac_scheduler_main(), 0,
                                 context_new(&runs, NULL), count,
                                 context_destroy));
  CHECK(is_readable(fd, 5000));
  CHECK_INT(rac_main_drain(0), 1);
  for (int i = 0; i < opened; i++) close(files[i]);
  /* For those who look for leaks. */
  set_limit(256);
}

TEST(the_main_scheduler_works_without_descriptors) {
  const char *limit = getenv("RAC_TEST_DESCRIPTORS");
  if (limit) {
    live_with(atoi(limit));
    return;
  }
  static const char *const limits[] = {"3", "4", "5", "6"};
  for (int i = 0; i < 4; i++)
    CHECK_INT(rerun("works_without_descriptors", "RAC_TEST_DESCRIPTORS",
                    limits[i], NULL, 0),
              0);
}

/* Opened by whichever thread asks first, while others bring work. */
static atomic_int arrived;

static void *ask(void *fd) {
  atomic_fetch_add(&arrived, 1);
  while (atomic_load(&arrived) < 2) {
  }
  atomic_store((atomic_int *)fd, rac_main_fd());
  return NULL;
}

static void open_while_work_comes(void) {
  atomic_int runs = 0, fd = -1;
  pthread_t thread = check_spawn(ask, &fd);
  atomic_fetch_add(&arrived, 1);
  while (atomic_load(&arrived) < 2) {
  }
  rac_release(rac_schedule(rac_scheduler_main(), context_new(&runs, NULL),
                           count, context_destroy));
  check_join(thread);
  CHECK(is_readable(fd, 5000));
  CHECK_INT(rac_main_drain(0), 1);
}

TEST(work_that_comes_while_the_descriptor_is_opened_makes_it_readable) {
  if (getenv("RAC_TEST_DESCRIPTORS")) {
    open_while_work_comes();
    return;
  }
  for (int64_t i = check_scaled(40); i > 0; i--)
    CHECK_INT(rerun("while_the_descriptor_is_opened", "RAC_TEST_DESCRIPTORS",
                    "", NULL, 0),
              0);
}
