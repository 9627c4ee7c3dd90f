/* Rounds in which one of the threads closes the library, in the middle of the
 * calls of all. That is for good, so each is played by a process of its own.
 */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include <math.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "fuzz.h"

/* An answer of RAC_OK has come: no callback runs, and none will. */
static atomic_bool is_closed; /* relaxed: nothing of ours hides a race */
static atomic_bool has_begun;

bool fuzz_is_closed(void) {
  return atomic_load_explicit(&is_closed, memory_order_relaxed);
}

/* ---- What may be answered ------------------------------------------------ */

/* Letting go, the last value of a property, and what needs none but the caller. */
static const char works[] =
    "rac_release,rac_dispose,rac_is_disposed,rac_value_,rac_tuple_,rac_error_,"
    "rac_event_,rac_property_get,rac_property_batch_cancel,rac_set_,rac_object_"
    "class_register,"
    "rac_scheduler_main,rac_scheduler_immediate,rac_scheduler_current,"
    "rac_thread_,rac_visit_contexts,rac_last_error,rac_record_set_locator";

/* What is wrong with the arguments may be said first. */
static bool is_of_arguments(rac_status status) {
  return status == RAC_EINVAL || status == RAC_ENULL || status == RAC_EKIND ||
         status == RAC_EUTF8 || status == RAC_EDEADLK;
}

void fuzz_note_after_close(const char *name, rac_status status) {
  if (status == RAC_ECLOSED || is_of_arguments(status)) return;
  if (fuzz_begins_as_one(name, works)) return;
  fuzz_fail("%s answers %s after rac_close", name, rac_status_name(status));
}

/* But the hooks of one who waits in rac_close itself, beside another who closes. */
bool fuzz_is_late(const player *p, const char *function) {
  if (!fuzz_is_closed()) return false;
  if (strcmp(p->function, "rac_close") != 0) return true;
  return function != NULL &&
         !fuzz_begins_as_one(function,
                             "rac_set_blocking_hook,rac_set_interruption_hook");
}

/* A hook may have it end before its time. */
static bool is_right(player *p, double timeout, bool was_closed,
                     rac_status status) {
  if (timeout != timeout) return status == RAC_EINVAL;
  if (p->depth > 0) return status == RAC_EDEADLK;
  return status == RAC_OK || (status == RAC_ETIMEDOUT && !was_closed);
}

static rac_status close_library(player *p, double timeout) {
  const char *before = p->function;
  bool was_closed = fuzz_is_closed();
  p->function = "rac_close";
  p->calls++;
  if (fuzz.trace) {
    fprintf(stderr, "%d.%d%*s rac_close", p->number, p->call, p->depth, "");
    fuzz_show_double(p, timeout);
    fuzz_show_end(p);
  }
  rac_status status = rac_close(timeout);
  if (!is_right(p, timeout, was_closed, status))
    fuzz_fail("rac_close(%g) answers %s", timeout, rac_status_name(status));
  if (status == RAC_OK)
    atomic_store_explicit(&is_closed, true, memory_order_relaxed);
  p->function = before;
  return status;
}

static void close_somehow(player *p) {
  static const double timeouts[] = {0,  0,         5e-5,     1e-3, 0.02,
                                    -1, -INFINITY, INFINITY, 1e12, NAN};
  close_library(p, timeouts[fuzz_below(p, sizeof timeouts / sizeof *timeouts)]);
}

/* ---- What is left out ------------------------------------------------------- */

/* Subscribed to for good, without a disposable: rings of these are let go when
 * they are stopped, which nobody can be any more. */
bool fuzz_outlasts_close(const char *name) {
  return fuzz_begins_as_one(name,
                            "rac_signal_publish,rac_signal_replay,"
                            "rac_sequence_from_signal,rac_command_execute");
}

/* ---- When ----------------------------------------------------------------- */

/* Once one has begun others join in, and it is called again. */
void fuzz_perhaps_close(player *p, int number) {
  if (!fuzz.closes) return;
  uint64_t first = fuzz_mix(fuzz.seed, p->round, 1u << 30) %
                   (uint64_t)(fuzz.per_round / fuzz.threads * fuzz.threads);
  p->random = fuzz_mix(fuzz.seed, p->round, (1u << 31) + (uint64_t)number);
  bool is_first = (uint64_t)number == first;
  if (is_first) atomic_store(&has_begun, true);
  if (is_first || (atomic_load(&has_begun) && fuzz_percent(p, 2)))
    close_somehow(p);
}

/* Which is refused, and closes nothing. */
void fuzz_perhaps_close_inside(player *p) {
  if (fuzz.closes && fuzz_percent(p, 1)) close_somehow(p);
}

static time_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec;
}

/* Nothing goes on any more, so that it comes to its end. */
void fuzz_close_at_last(player *p) {
  if (!fuzz.closes) return;
  time_t end = now() + fuzz.patience / 2;
  while (close_library(p, 0.01) == RAC_ETIMEDOUT && now() < end) continue;
  if (!fuzz_is_closed()) fuzz_fail("the library cannot be closed");
}

/* ---- A process of its own ------------------------------------------------ */

static atomic_ullong *calls;

static void play(uint64_t round) {
  fuzz_watch();
  fuzz_watch_round(round);
  bool is_good = fuzz_play_round(round);
  fuzz_watch_no_more();
  atomic_store(calls, fuzz_calls_made());
  /* And what a sanitizer has to say at the end. */
  exit(is_good ? EXIT_SUCCESS : EXIT_FAILURE);
}

bool fuzz_play_in_child(uint64_t round) {
  if (calls == NULL)
    calls = mmap(NULL, sizeof *calls, PROT_READ | PROT_WRITE,
                 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (calls == MAP_FAILED) abort();
  uint64_t before = fuzz_calls_made();
  atomic_store(calls, before);
  fflush(NULL);
  pid_t child = fork();
  if (child < 0) abort();
  if (child == 0) play(round);
  int status = 0;
  waitpid(child, &status, 0);
  /* What was before the child has made, too. */
  fuzz_add_calls(atomic_load(calls) - before);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return true;
  fprintf(stderr, "fuzz: the process of round %llu ends with %s %d\n",
          (unsigned long long)round, WIFEXITED(status) ? "status" : "signal",
          WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status));
  return false;
}
