/* What is printed when something fails, crashes or hangs: always the seed, the
 * round, and the command that plays it again.
 */
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "fuzz.h"

static atomic_int failures;
static _Atomic uint64_t current_round;
/* When the round hangs; 0: nothing is played. */
static atomic_llong deadline;
player *fuzz_players[MOST_THREADS + 1];

int fuzz_failures(void) { return atomic_load(&failures); }

static void say_where(const char *what) {
  char text[1024];
  const char *set = fuzz_set_name(), *only = set ? set : fuzz.only;
  int length = snprintf(
      text, sizeof text,
      "fuzz: %s: seed %llu, round %llu\n  again: --seed %llu --round %llu "
      "--rounds 1 --threads %d --per-round %d%s%s%s\n",
      what, (unsigned long long)fuzz.seed,
      (unsigned long long)atomic_load(&current_round),
      (unsigned long long)fuzz.seed,
      (unsigned long long)atomic_load(&current_round), fuzz.threads,
      fuzz.per_round, fuzz.closes ? " --close" : "",
      set    ? " --set "
      : only ? " --only "
             : "",
      only ? only : "");
  if (length > 0) (void)!write(STDERR_FILENO, text, (size_t)length);
}

void fuzz_fail(const char *format, ...) {
  char text[256];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  /* Of a hundred the first tell it. */
  if (atomic_fetch_add(&failures, 1) < 100) {
    char line[400];
    player *p = fuzz_player();
    snprintf(line, sizeof line, "%s (thread %d, call %d, in %s)", text,
             p->number, p->call, p->function);
    say_where(line);
  }
}

/* ---- Crashes and hangs --------------------------------------------------- */

/* What the players write meanwhile: a race that ThreadSanitizer is not to report
 * from inside of a report, where it would wait for itself. */
__attribute__((no_sanitize("thread"))) static void print_players(void) {
  char text[256];
  for (int i = 0; i <= MOST_THREADS; i++) {
    player *p = fuzz_players[i];
    if (p == NULL) continue;
    int length = snprintf(text, sizeof text, "  thread %d: call %d, in %s\n",
                          p->number, p->call, p->function ? p->function : "");
    if (length > 0) (void)!write(STDERR_FILENO, text, (size_t)length);
  }
}

/* Somebody who looks into this process, and prints what there is. */
static void run(char **arguments) {
  extern char **environ;
  pid_t other;
  if (posix_spawnp(&other, arguments[0], NULL, NULL, arguments, environ) == 0)
    waitpid(other, NULL, 0);
}

/* The stacks of all threads, as gdb prints them. */
static void print_stacks(void) {
  char process[16];
  snprintf(process, sizeof process, "%d", (int)getpid());
  run((char *[]){"gdb", "-batch", "-nx", "-p", process, "-ex",
                 "thread apply all bt 100", NULL});
}

/* What is alive, and who holds it. */
void fuzz_print_living(void) {
  char process[16];
  snprintf(process, sizeof process, "%d", (int)getpid());
  run((char *[]){"python3", FUZZ_LIVING, process, NULL});
}

void fuzz_print_threads(void) {
  print_players();
  print_stacks();
}

static time_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec;
}

/* A thread and no signal: ThreadSanitizer holds signals back until the thread
 * that gets one waits for something, and one that hangs may never do. */
static void *watch(void *unused) {
  (void)unused;
  for (;;) {
    nanosleep(&(struct timespec){.tv_sec = 1}, NULL);
    long long until = atomic_load(&deadline);
    if (until == 0 || now() <= until) continue;
    say_where("HANGS");
    fuzz_print_threads();
    signal(SIGABRT, SIG_DFL);
    abort();
  }
  return NULL;
}

static void when_crashing(int number) {
  /* A crash in here is not to come back to here. */
  signal(number, SIG_DFL);
  say_where("CRASHES");
  fuzz_print_threads();
  raise(number);
}

static void when_sanitizer_dies(void) {
  say_where("the sanitizer stops it");
  print_players();
}

void __sanitizer_set_death_callback(void (*callback)(void))
    __attribute__((weak));

void fuzz_watch(void) {
  prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0);
  pthread_t watcher;
  if (pthread_create(&watcher, NULL, watch, NULL) != 0) abort();
  pthread_detach(watcher);
  if (__sanitizer_set_death_callback) {
    __sanitizer_set_death_callback(when_sanitizer_dies);
    return;
  }
  signal(SIGSEGV, when_crashing);
  signal(SIGBUS, when_crashing);
  signal(SIGILL, when_crashing);
  signal(SIGFPE, when_crashing);
  signal(SIGABRT, when_crashing);
  signal(SIGTRAP, when_crashing);
}

void fuzz_watch_round(uint64_t round) {
  atomic_store(&current_round, round);
  atomic_store(&deadline, now() + fuzz.patience);
}

void fuzz_watch_no_more(void) { atomic_store(&deadline, 0); }

/* ---- Every call ---------------------------------------------------------- */

void fuzz_show_handle(player *p, const void *handle) {
  fprintf(stderr, " %#llx", (unsigned long long)(uintptr_t)handle);
  (void)p;
}

void fuzz_show_handles(player *p, void *const *handles, size_t count) {
  fprintf(stderr, " [");
  for (size_t i = 0; i < count && i < LITTLE; i++)
    fuzz_show_handle(p, handles[i]);
  fprintf(stderr, " ]");
}

void fuzz_show_value(player *p, rac_value value) {
  (void)p;
  char text[64] = "";
  rac_value_describe(value, text, sizeof text);
  fprintf(stderr, " <%d %s>", value.kind, text);
}

void fuzz_show_context(player *p, void *context) {
  (void)p;
  fprintf(stderr, " context#%u", fuzz_context_number(context));
}

void fuzz_show_number(player *p, int64_t number) {
  (void)p;
  fprintf(stderr, " %lld", (long long)number);
}

void fuzz_show_double(player *p, double number) {
  (void)p;
  fprintf(stderr, " %g", number);
}

void fuzz_show_text(player *p, const char *text) {
  (void)p;
  fprintf(stderr, " %s", text ? text : "NULL");
}

void fuzz_show_end(player *p) {
  (void)p;
  fprintf(stderr, "\n");
}

void fuzz_show_callback(player *p, const char *type, void *context) {
  fprintf(stderr, "%d.%d%*s- %s context#%u\n", p->number, p->call, p->depth, "",
          type, fuzz_context_number(context));
}
