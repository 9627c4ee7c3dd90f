/* Children that are forked in a callback on a thread of the library's, and return from
 * it there: nothing of what waits in the parent is theirs to do. */
#define _GNU_SOURCE
#include "forked.h"
#include "sleeping.h"

#include <dirent.h>
#include <signal.h>

enum { LOOKS = 20, MOST_LOOKS = 1000 };

/* ---- Seen from the parent ------------------------------------------------------ */

/* The process's only thread sleeps: how often it went to sleep, or was made to leave
 * the processor, until now. -1: it does not, or there are more. */
static long naps_of(pid_t pid) {
  char path[64], line[128], state = 0;
  long threads = 0, naps = 0, number = 0;
  snprintf(path, sizeof path, "/proc/%d/status", pid);
  FILE *file = fopen(path, "r");
  if (file == NULL) return -1;
  while (fgets(line, sizeof line, file) != NULL) {
    if (sscanf(line, "State: %c", &state) == 1) continue;
    if (sscanf(line, "Threads: %ld", &threads) == 1) continue;
    if (sscanf(line, "voluntary_ctxt_switches: %ld", &number) == 1 ||
        sscanf(line, "nonvoluntary_ctxt_switches: %ld", &number) == 1)
      naps += number;
  }
  fclose(file);
  return state == 'S' && threads == 1 ? naps : -1;
}

static bool stands_still(pid_t pid) {
  long before = -1;
  for (int looks = 0, same = 0; looks < MOST_LOOKS; looks++) {
    long now = naps_of(pid);
    same = now >= 0 && now == before ? same + 1 : 0;
    if (same == LOOKS) return true;
    before = now;
    poll(NULL, 0, 5);
  }
  return false;
}

/* ---- Callbacks that fork -------------------------------------------------------- */

typedef struct forking {
  rac_scheduler *home, *other;
  rac_subject *subject;
  bool begins_anew;
  atomic_int child, done;
  pid_t parent;
} forking;

static void *begin_anew(void *argument) {
  (void)argument;
  let_it_sleep();
  CHILD(rac_reinitialize() == RAC_OK);
  use_everything();
  CHILD(rac_settle(5) == RAC_OK);
  CHILD(rac_close(5) == RAC_OK);
  _exit(0);
}

static void fork_once(void *context) {
  forking *self = context;
  if (atomic_load(&self->child) != 0) return;
  pid_t pid = fork();
  if (pid != 0) {
    atomic_store(&self->child, pid);
    return;
  }
  alarm(CHILD_SECONDS);
  atomic_store(&self->child, -1);
  if (!self->begins_anew) return;
  atomic_store(&sleeper, getpid());
  check_spawn(begin_anew, NULL);
}

/* What waits behind it, on this scheduler and on another one, is the parent's. */
static void done(void *context) {
  forking *self = context;
  CHILD(getpid() == self->parent);
  atomic_fetch_add(&self->done, 1);
}

static void fork_in_job(void *context) {
  forking *self = context;
  rac_release(rac_schedule(self->home, self, done, NULL));
  rac_release(rac_schedule(self->other, self, done, NULL));
  fork_once(self);
}

static void fork_on_value(void *context, rac_value value) {
  (void)value;
  fork_once(context);
}
static void done_with_value(void *context, rac_value value) {
  (void)value;
  done(context);
}

static void in_a_job(forking *self) {
  rac_release(rac_schedule(self->home, self, fork_in_job, NULL));
}

/* The thread of timers runs it itself, from the second time on. */
static void in_a_timer(forking *self) {
  start_library_threads();
  rac_release(rac_schedule_after(self->home, 0.001, self, fork_in_job, NULL));
}

/* One delivery passes values to another scheduler: the forked one is in between. */
static void in_a_delivery(forking *self) {
  owned rac_signal *here =
      rac_signal_deliver_on(as_signal(self->subject), self->home);
  rac_release(rac_subscribe_next(here, self, fork_on_value, NULL));
  owned rac_signal *there = rac_signal_deliver_on(here, self->other);
  rac_release(rac_subscribe_next(there, self, done_with_value, NULL));
  rac_subject_send(self->subject, I(1));
  rac_subject_send(self->subject, I(2));
}

static forking start(void) {
  return (forking){.home = rac_scheduler_background(0, NULL),
                   .other = rac_scheduler_background(0, NULL),
                   .subject = rac_subject_create(),
                   .parent = getpid()};
}

static void end(forking *self) {
  for (int i = 0; atomic_load(&self->done) < 2 && i < 20000; i++)
    poll(NULL, 0, 1);
  CHILD(atomic_load(&self->done) == 2);
  rac_release(self->home);
  rac_release(self->other);
  rac_release(self->subject);
}

static void stand_still(void (*begin)(forking *)) {
  forking self = start();
  begin(&self);
  for (int i = 0; atomic_load(&self.child) == 0 && i < 20000; i++)
    poll(NULL, 0, 1);
  pid_t child = atomic_load(&self.child);
  bool stands = stands_still(child);
  kill(child, stands ? SIGTERM : SIGKILL);
  int status = await_child(child);
  CHILD(stands && status == -SIGTERM);
  end(&self);
}

#define STANDS_STILL(where)                                                    \
  static void stand_still_##where(void *argument) {                            \
    (void)argument;                                                            \
    stand_still(where);                                                        \
  }                                                                            \
  TEST(a_child_stands_still_that_was_forked_##where) {                         \
    alone(stand_still_##where);                                                \
  }

/* Law 22. */
STANDS_STILL(in_a_job)
STANDS_STILL(in_a_timer)
STANDS_STILL(in_a_delivery)

static void start_anew(void *argument) {
  (void)argument;
  forking self = start();
  self.begins_anew = true;
  in_a_job(&self);
  for (int i = 0; atomic_load(&self.child) == 0 && i < 20000; i++)
    poll(NULL, 0, 1);
  CHILD(await_child(atomic_load(&self.child)) == 0);
  end(&self);
}

/* Law 22: nor does what stands still stay in anybody's way. */
TEST(another_thread_of_such_a_child_begins_anew) { alone(start_anew); }
