/* The handlers of POSIX signals that the host has beside the library's: whose runs,
 * in whichever order they were put in place. Each test has processes of its own,
 * because a number that was replaced once is remembered. */
#define _GNU_SOURCE
#include "children.h"
#include "descriptors.h"
#include "process.h"

#include <signal.h>

static rac_signal *numbers;
static recorder heard;
static volatile sig_atomic_t first_ran, second_ran, siginfo_ran;
static struct sigaction saved, saved_by_second;

static void first_handler(int number) {
  (void)number;
  first_ran++;
}

/* Both hand over to what they replaced, as handlers of libraries do. */
static void hand_over(const struct sigaction *to, int number, siginfo_t *info,
                      void *context) {
  if (to->sa_flags & SA_SIGINFO)
    to->sa_sigaction(number, info, context);
  else if (to->sa_handler != SIG_DFL && to->sa_handler != SIG_IGN)
    to->sa_handler(number);
}
static void calling_handler(int number, siginfo_t *info, void *context) {
  first_ran++;
  hand_over(&saved, number, info, context);
}
static void second_calling_handler(int number, siginfo_t *info, void *context) {
  second_ran++;
  hand_over(&saved_by_second, number, info, context);
}

static void siginfo_handler(int number, siginfo_t *info, void *context) {
  if (number == SIGUSR1 && info->si_signo == number &&
      info->si_pid == getpid() && context != NULL)
    siginfo_ran++;
}

static void put(int number, void (*handler)(int), struct sigaction *old) {
  struct sigaction action = {.sa_handler = handler};
  CHILD(sigaction(number, &action, old) == 0);
}

static void put_siginfo(int number, void (*handler)(int, siginfo_t *, void *),
                        int flags, struct sigaction *old) {
  struct sigaction action = {.sa_sigaction = handler,
                             .sa_flags = SA_SIGINFO | flags};
  CHILD(sigaction(number, &action, old) == 0);
}

static void subscribe(int number) {
  heard = (recorder){0};
  numbers = rac_signal_posix_signal(number, NULL);
  record(numbers, &heard);
  rac_release(numbers);
}

/* Raises the signal and waits until the subscription has heard it. */
static void is_heard(int number) {
  int before = heard.nexts;
  CHILD(kill(getpid(), number) == 0);
  double limit = check_clock() + 20;
  while (heard.nexts == before && check_clock() < limit) rac_main_drain(0);
  CHILD(heard.nexts == before + 1);
}

/* The host saves the library's handler, puts its own there, and gives the
 * library's back when nobody is subscribed any more. */
static void give_back_late(int number) {
  subscribe(number);
  put(number, first_handler, &saved);
  finish(&heard);
  CHILD(sigaction(number, &saved, NULL) == 0);
}

static void dies(void *context) {
  (void)context;
  give_back_late(SIGTERM);
  raise(SIGTERM);
}

TEST(a_handler_given_back_late_does_as_the_system_would) {
  if (IS_THREAD_SANITIZED) return; /* it keeps signals back */
  CHECK_INT(in_child(dies, NULL), -SIGTERM);
}

/* With signal(), which knows neither flags nor masks. */
static void dies_of_signal(void *context) {
  (void)context;
  subscribe(SIGTERM);
  void (*old)(int) = signal(SIGTERM, first_handler);
  finish(&heard);
  signal(SIGTERM, old);
  raise(SIGTERM);
}

TEST(a_handler_given_back_by_signal_does_so_too) {
  if (IS_THREAD_SANITIZED) return;
  CHECK_INT(in_child(dies_of_signal, NULL), -SIGTERM);
}

static void goes_on(void *context) {
  (void)context;
  /* What the system does of itself with this one is nothing. */
  give_back_late(SIGWINCH);
  raise(SIGWINCH);
  raise(SIGWINCH);
  CHILD(first_ran == 0);
  /* Ignored. */
  put(SIGUSR1, SIG_IGN, NULL);
  give_back_late(SIGUSR1);
  raise(SIGUSR1);
  /* A handler. */
  put(SIGUSR2, first_handler, NULL);
  give_back_late(SIGUSR2);
  raise(SIGUSR2);
  CHILD(first_ran == 1);
  /* Who subscribes hears them all the same. */
  subscribe(SIGUSR2);
  is_heard(SIGUSR2);
  CHILD(first_ran == 1);
  finish(&heard);
  raise(SIGUSR2);
  CHILD(first_ran == 2);
}

TEST(what_was_ignored_is_ignored_and_what_was_handled_handled) {
  CHECK_INT(in_child(goes_on, NULL), 0);
}

static void passes_siginfo(void *context) {
  (void)context;
  put_siginfo(SIGUSR1, siginfo_handler, 0, NULL);
  give_back_late(SIGUSR1);
  errno = 77;
  raise(SIGUSR1);
  CHILD(siginfo_ran == 1 && errno == 77);
}

TEST(a_handler_gets_its_siginfo) {
  CHECK_INT(in_child(passes_siginfo, NULL), 0);
}

/* One that is to run once does so; then the system's own. */
static void runs_once(void *context) {
  (void)context;
  put_siginfo(SIGUSR1, siginfo_handler, (int)SA_RESETHAND, NULL);
  give_back_late(SIGUSR1);
  raise(SIGUSR1);
  CHILD(siginfo_ran == 1);
  raise(SIGUSR1);
}

TEST(a_handler_for_once_runs_once) {
  if (IS_THREAD_SANITIZED) return;
  CHECK_INT(in_child(runs_once, NULL), -SIGUSR1);
}

/* Stopped and continued: the handler is there again. */
static void stops(void *context) {
  (void)context;
  give_back_late(SIGTSTP);
  raise(SIGTSTP);
  struct sigaction now;
  CHILD(sigaction(SIGTSTP, NULL, &now) == 0);
  CHILD(now.sa_sigaction == saved.sa_sigaction);
}

TEST(a_stopped_process_goes_on) {
  if (IS_THREAD_SANITIZED) return;
  fflush(NULL);
  pid_t pid = fork();
  if (pid == 0) {
    /* The system stops no process of a group that nobody could continue. */
    setpgid(0, 0);
    stops(NULL);
    LEAVE(0);
  }
  int status = 0;
  CHECK_INT(waitpid(pid, &status, WUNTRACED), pid);
  if (WIFSTOPPED(status)) {
    kill(pid, SIGCONT);
    CHECK_INT(await_child(pid), 0);
  } else {
    CHECK_INT(status, 0);
  }
}

/* ---- Handlers that came later ------------------------------------------------- */

static void takes_over_again(void *context) {
  (void)context;
  subscribe(SIGUSR1);
  put(SIGUSR1, first_handler, NULL);
  /* Nobody heard this one. */
  raise(SIGUSR1);
  CHILD(rac_main_drain(0) == 0 && heard.nexts == 0 && first_ran == 1);
  recorder second = {0};
  record_of(rac_signal_posix_signal(SIGUSR1, NULL), &second);
  is_heard(SIGUSR1);
  CHILD(second.nexts == 1 && first_ran == 1);
  finish(&second);
  is_heard(SIGUSR1);
  finish(&heard);
  /* The host has its own again. */
  raise(SIGUSR1);
  CHILD(first_ran == 2);
}

TEST(every_subscription_takes_over) {
  CHECK_INT(in_child(takes_over_again, NULL), 0);
}

/* The host's handler calls the library's, which is below it and above it. */
static void does_not_go_round(void *context) {
  (void)context;
  put_siginfo(SIGUSR1, siginfo_handler, 0, NULL);
  subscribe(SIGUSR1);
  put_siginfo(SIGUSR1, calling_handler, 0, &saved);
  recorder second = {0};
  is_heard(SIGUSR1);
  CHILD(first_ran == 1);
  record_of(rac_signal_posix_signal(SIGUSR1, NULL), &second);
  is_heard(SIGUSR1);
  CHILD(first_ran == 1 && second.nexts == 1);
  put_siginfo(SIGUSR1, second_calling_handler, 0, &saved_by_second);
  is_heard(SIGUSR1);
  CHILD(second_ran == 1 && first_ran == 1);
  finish(&heard);
  finish(&second);
  /* From the second to the library's to the first to the library's to the one
   * that was there before all. */
  raise(SIGUSR1);
  CHILD(second_ran == 2 && first_ran == 2 && siginfo_ran == 1);
}

TEST(handlers_that_call_each_other_do_not_go_round) {
  CHECK_INT(in_child(does_not_go_round, NULL), 0);
}

/* A host that puts another one there again and again. */
static void changes_often(void *context) {
  (void)context;
  for (int i = 0; i < 100; i++) {
    subscribe(SIGUSR1);
    is_heard(SIGUSR1);
    if (i % 4 == 1) put(SIGUSR1, first_handler, NULL);
    if (i % 4 == 2) put_siginfo(SIGUSR1, siginfo_handler, i % 8 * 4, NULL);
    if (i % 4 == 3) put(SIGUSR1, SIG_IGN, NULL);
    finish(&heard);
    int first = first_ran, other = siginfo_ran;
    if (i > 0) raise(SIGUSR1);
    CHILD(first_ran == first + (i % 4 == 1));
    CHILD(siginfo_ran == other + (i % 4 == 2));
    put(SIGUSR1, i % 2 ? SIG_IGN : SIG_DFL, NULL);
  }
}

TEST(a_host_may_change_its_mind_often) {
  CHECK_INT(in_child(changes_often, NULL), 0);
}
