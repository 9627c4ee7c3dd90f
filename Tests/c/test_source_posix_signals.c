/* POSIX signals: who hears them, and whose handler is there before and after. */
#include "descriptors.h"
#include "process.h"
#include "shared_callbacks.h"

#include <signal.h>
#include <time.h>

static atomic_int host_heard;
static void host_handler(int number) {
  (void)number;
  atomic_fetch_add(&host_heard, 1);
}

static void install(int number, void (*handler)(int)) {
  struct sigaction action = {.sa_handler = handler};
  if (sigaction(number, &action, NULL) != 0) abort();
}

static void (*handler_of(int number))(int) {
  struct sigaction action;
  if (sigaction(number, NULL, &action) != 0) abort();
  return action.sa_handler;
}

TEST(a_signal_is_heard_and_its_handler_given_back) {
  int before = open_descriptors();
  install(SIGUSR1, host_handler);
  host_heard = 0;
  recorder r = {0};
  rac_signal *hangup = rac_signal_posix_signal(SIGUSR1, NULL);
  raise(SIGUSR1);
  CHECK_INT(host_heard, 1);
  record(hangup, &r);
  rac_release(hangup);
  raise(SIGUSR1);
  RUN_UNTIL(r.nexts == 1);
  kill(getpid(), SIGUSR1);
  RUN_UNTIL(r.nexts == 2);
  CHECK_EVENTS(&r, "10 10");
  CHECK_INT(host_heard, 1);
  finish(&r);
  CHECK(handler_of(SIGUSR1) == host_handler);
  raise(SIGUSR1);
  CHECK_INT(host_heard, 2);
  CHECK_INT(open_descriptors(), before);
  install(SIGUSR1, SIG_DFL);
}

TEST(several_subscriptions_hear_it) {
  recorder first = {0}, second = {0};
  owned rac_scheduler *background =
      rac_scheduler_background(RAC_PRIORITY_DEFAULT, NULL);
  owned rac_signal *here = rac_signal_posix_signal(SIGUSR1, NULL);
  owned rac_signal *there = rac_signal_posix_signal(SIGUSR1, background);
  record(here, &first);
  record(there, &second);
  raise(SIGUSR1);
  RUN_UNTIL(first.nexts == 1);
  WAIT_UNTIL(second.nexts == 1);
  finish(&first);
  CHECK(handler_of(SIGUSR1) != SIG_DFL);
  raise(SIGUSR1);
  WAIT_UNTIL(second.nexts == 2);
  finish(&second);
  CHECK(handler_of(SIGUSR1) == SIG_DFL);
}

TEST(numbers_are_kept_apart) {
  rac_signal *first = rac_signal_posix_signal(SIGUSR1, NULL);
  rac_signal *second = rac_signal_posix_signal(SIGRTMIN + 1, NULL);
  RECORDER(one, first);
  RECORDER(two, second);
  rac_release(first);
  rac_release(second);
  for (int i = 0; i < 3; i++) raise(SIGRTMIN + 1);
  raise(SIGUSR1);
  RUN_UNTIL(one.nexts == 1 && two.nexts == 3);
  run_a_little();
  CHECK_INT(one.nexts, 1);
  CHECK_INT(two.nexts, 3);
}

TEST(a_handler_that_came_later_stays) {
  recorder r = {0};
  rac_signal *signal = rac_signal_posix_signal(SIGUSR1, NULL);
  record(signal, &r);
  install(SIGUSR1, host_handler);
  finish(&r);
  CHECK(handler_of(SIGUSR1) == host_handler);
  /* The next one is given that back. */
  recorder again = {0};
  record(signal, &again);
  rac_release(signal);
  CHECK(handler_of(SIGUSR1) != host_handler);
  finish(&again);
  CHECK(handler_of(SIGUSR1) == host_handler);
  install(SIGUSR1, SIG_DFL);
}

TEST(an_ignored_signal_is_ignored_again) {
  install(SIGHUP, SIG_IGN);
  recorder r = {0};
  record_of(rac_signal_posix_signal(SIGHUP, NULL), &r);
  raise(SIGHUP);
  RUN_UNTIL(r.nexts == 1);
  finish(&r);
  CHECK(handler_of(SIGHUP) == SIG_IGN);
  install(SIGHUP, SIG_DFL);
}

TEST(numbers_out_of_range) {
  const int bad[] = {0,      -1, SIGKILL, SIGSTOP, SIGSEGV, SIGBUS,   SIGFPE,
                     SIGILL, 32, 33,      65,      1000000, INT32_MIN};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    CHECK(rac_signal_posix_signal(bad[i], NULL) == NULL);
    CHECK_STATUS(rac_last_error_code(), RAC_EINVAL);
    CHECK_TEXT(rac_last_error_function(), "rac_signal_posix_signal");
  }
  owned rac_signal *last = rac_signal_posix_signal(SIGRTMAX, NULL);
  CHECK(last != NULL);
}

/* ---- Our threads --------------------------------------------------------------- */

static atomic_int blocked;
static void look_at_mask(void *context) {
  sigset_t mask;
  (void)context;
  pthread_sigmask(SIG_SETMASK, NULL, &mask);
  blocked = sigismember(&mask, SIGTERM) && sigismember(&mask, SIGUSR1) &&
                    sigismember(&mask, SIGCHLD) && !sigismember(&mask, SIGSEGV)
                ? 1
                : 2;
}

TEST(the_threads_of_the_library_block_signals) {
  sigset_t before, after;
  pthread_sigmask(SIG_SETMASK, NULL, &before);
  rac_scheduler *background =
      rac_scheduler_background(RAC_PRIORITY_DEFAULT, NULL);
  rac_release(rac_schedule(background, NULL, look_at_mask, NULL));
  WAIT_UNTIL(blocked != 0);
  CHECK_INT(blocked, 1);
  rac_release(background);
  pthread_sigmask(SIG_SETMASK, NULL, &after);
  for (int number = 1; number < 32; number++)
    CHECK_INT(sigismember(&before, number), sigismember(&after, number));
}

/* A host that blocks a number in all of its threads and waits for it by itself is
 * not disturbed by threads that the library starts. */
TEST(a_host_that_waits_for_signals_gets_them) {
  sigset_t set, before;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR2);
  pthread_sigmask(SIG_BLOCK, &set, &before);
  kill(getpid(), SIGUSR2);
  struct timespec limit = {5, 0};
  CHECK_INT(sigtimedwait(&set, NULL, &limit), SIGUSR2);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
}

/* ---- Many ------------------------------------------------------------------------- */

static atomic_bool is_over;
static void *raise_always(void *context) {
  (void)context;
  while (!is_over) kill(getpid(), SIGUSR1);
  return NULL;
}

/* Descriptors are opened and closed while handlers on other threads write. */
TEST(a_storm_of_subscriptions) {
  int before = open_descriptors();
  install(SIGUSR1, host_handler);
  rac_scheduler *background =
      rac_scheduler_background(RAC_PRIORITY_DEFAULT, NULL);
  rac_signal *here = rac_signal_posix_signal(SIGUSR1, NULL);
  rac_signal *there = rac_signal_posix_signal(SIGUSR1, background);
  is_over = false;
  pthread_t threads[2] = {check_spawn(raise_always, NULL),
                          check_spawn(raise_always, NULL)};
  int64_t rounds = check_scaled(IS_SANITIZED ? 300 : 2000);
  for (int64_t i = 0; i < rounds; i++) {
    owned rac_disposable *mine =
        rac_subscribe_next(here, NULL, ignore_value, NULL);
    owned rac_disposable *others =
        rac_subscribe_next(there, NULL, ignore_value, NULL);
    if (i % 8 == 0) rac_main_drain(0);
    rac_dispose(mine);
    rac_dispose_and_wait(others, 10);
  }
  is_over = true;
  check_join(threads[0]);
  check_join(threads[1]);
  while (rac_main_drain(0) > 0) {
  }
  CHECK(handler_of(SIGUSR1) == host_handler);
  install(SIGUSR1, SIG_DFL);
  rac_release(here);
  rac_release(there);
  rac_release(background);
  WAIT_UNTIL(open_descriptors() == before);
}
