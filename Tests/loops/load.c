#include "load.h"

#include "../support/children.h"
#include "ticks.h"

#include <dirent.h>
#include <inttypes.h>
#include <pthread.h>
#include <rac.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { SENDERS = 2, RATE = 100000, MILLION = 1000000 };
/* An item: the sender above, its number below. */
enum { SENDER_SHIFT = 40 };

typedef struct sender {
  pthread_t thread;
  int64_t number;
  int64_t count;    /* how many it sends */
  int64_t next;     /* the number that is to be heard next */
  atomic_bool done; /* all is sent */
} sender;

static struct {
  sender senders[SENDERS];
  rac_subject *subject;
  rac_disposable *subscription, *timer;
  int64_t heard, wrong;
  int child; /* what became of the forked one; 0: all is well */
  ticks host, library;
  uint64_t objects;
  int descriptors;
  double seconds;
} load;

static void fail(const char *what) {
  fprintf(stderr, "%s: %s\n", what, rac_last_error_message());
  exit(1);
}

static int open_descriptors(void) {
  DIR *folder = opendir("/proc/self/fd");
  int count = 0;
  if (folder == NULL) return 0;
  while (readdir(folder) != NULL) count++;
  closedir(folder);
  return count;
}

static void pause_until(struct timespec *time, long nanoseconds) {
  time->tv_nsec += nanoseconds;
  if (time->tv_nsec >= 1000000000) {
    time->tv_nsec -= 1000000000;
    time->tv_sec++;
  }
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, time, NULL) != 0)
    continue;
}

/* ---- Sending and hearing -------------------------------------------------- */

/* A thousand times a second, as much as is due. */
static void *send_all(void *context) {
  sender *s = context;
  struct timespec time;
  int64_t sent = 0, due = 0;
  clock_gettime(CLOCK_MONOTONIC, &time);
  while (sent < s->count) {
    pause_until(&time, MILLION);
    for (due += RATE / SENDERS / 1000; sent < due && sent < s->count; sent++)
      rac_subject_send(load.subject,
                       rac_int64(s->number << SENDER_SHIFT | sent));
  }
  atomic_store(&s->done, true);
  return NULL;
}

static void hear(void *context, rac_value value) {
  sender *s = &load.senders[value.bits >> SENDER_SHIFT];
  int64_t number = value.bits & ((INT64_C(1) << SENDER_SHIFT) - 1);
  (void)context;
  if (number != s->next) load.wrong++;
  s->next = number + 1;
  load.heard++;
}

/* ---- Ticks ---------------------------------------------------------------- */

static void library_ticks(void *context) {
  (void)context;
  ticks_add(&load.library);
}

void load_tick(void) { ticks_add(&load.host); }

/* ---- From the beginning to the end ---------------------------------------- */

void load_before(void) {
  const char *seconds = getenv("RAC_LOOP_SECONDS");
  load.child = 1; /* until it has been tried */
  load.seconds = seconds != NULL ? atof(seconds) : 3;
  /* Both open what stays for the life of the process. */
  rac_main_fd();
  start_library_threads();
  /* What their first jobs still hold goes a moment later. */
  load.objects = rac_live_objects();
  for (int i = 0; i < 50; i++) {
    poll(NULL, 0, 1);
    uint64_t now = rac_live_objects();
    if (now < load.objects) load.objects = now;
  }
  load.descriptors = open_descriptors();
}

void load_start(void) {
  rac_scheduler *main_scheduler = rac_scheduler_main();
  rac_signal *signal;
  int i;
  load.subject = rac_subject_create();
  signal = rac_signal_deliver_on(rac_subject_as_signal(load.subject),
                                 main_scheduler);
  load.subscription = rac_subscribe_next(signal, NULL, hear, NULL);
  load.timer = rac_schedule_repeating(main_scheduler, 0.001 * LOAD_TICK_MS,
                                      0.001 * LOAD_TICK_MS, 0, NULL,
                                      library_ticks, NULL);
  if (load.subscription == NULL || load.timer == NULL) fail("load");
  rac_release(signal);
  rac_release(main_scheduler);
  ticks_begin(&load.host, 0.001 * LOAD_TICK_MS);
  ticks_begin(&load.library, 0.001 * LOAD_TICK_MS);
  for (i = 0; i < SENDERS; i++) {
    sender *s = &load.senders[i];
    s->number = i;
    s->count = (int64_t)(load.seconds * RATE / SENDERS);
    if (pthread_create(&s->thread, NULL, send_all, s) != 0) fail("a thread");
  }
}

bool load_is_over(void) {
  int64_t sent = 0;
  int i;
  for (i = 0; i < SENDERS; i++) {
    if (!atomic_load(&load.senders[i].done)) return false;
    sent += load.senders[i].count;
  }
  return load.heard >= sent;
}

static void nothing(void *context) { (void)context; }

void load_fork(bool (*turn)(void)) {
  rac_scheduler *main_scheduler = rac_scheduler_main();
  rac_disposable *job = rac_schedule(main_scheduler, NULL, nothing, NULL);
  pid_t child;
  start_library_threads();
  child = fork();
  if (child == 0) {
    int tries = 0;
    alarm(CHILD_SECONDS);
    while (tries < 100 && !turn()) tries++;
    _exit(tries < 100 ? 0 : 1);
  }
  if (child > 0) waitpid(child, &load.child, 0);
  rac_dispose(job);
  rac_release(job);
  rac_release(main_scheduler);
}

static int check(const char *loop, const char *what, bool holds) {
  if (!holds) fprintf(stderr, "FAILED: %s: %s\n", loop, what);
  return holds ? 0 : 1;
}

int load_end(const char *loop) {
  int64_t sent = 0, tries = 0;
  int i, failures = 0;
  bool is_host_late = !ticks_kept_up(&load.host);
  bool is_library_late = !ticks_kept_up(&load.library);
  for (i = 0; i < SENDERS; i++) {
    pthread_join(load.senders[i].thread, NULL);
    sent += load.senders[i].count;
  }
  rac_dispose(load.timer);
  rac_dispose(load.subscription);
  rac_release(load.timer);
  rac_release(load.subscription);
  rac_release(load.subject);
  /* What a worker still holds of a disposal is let go of soon. */
  while (rac_live_objects() > load.objects && tries++ < 10000)
    rac_main_run_for(0.001);

  failures += check(loop, "an item is lost", load.heard >= sent);
  failures += check(loop, "an item came twice", load.heard <= sent);
  failures += check(loop, "items are out of order", load.wrong == 0);
  failures += check(loop, "the host's timer is late", !is_host_late);
  failures += check(loop, "the library's timer is late", !is_library_late);
  failures +=
      check(loop, "objects are left", rac_live_objects() <= load.objects);
  failures += check(loop, "a forked child goes on", load.child == 0);
  failures += check(loop, "descriptors are left",
                    open_descriptors() == load.descriptors);
  printf("%s: %" PRId64 " items of %" PRId64 ", %" PRId64 " ticks of the host, "
         "%" PRId64 " of the library, %d checks failed\n",
         loop, load.heard, sent, load.host.count, load.library.count, failures);
  return failures == 0 ? 0 : 1;
}
