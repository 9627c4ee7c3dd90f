// The few things Swift cannot say; see CRACShims.h.
//
// SPDX-License-Identifier: MIT
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "CRACShims.h"
#include "pool.h"
#include "reserve.h"
#include "slabs.h"
#include "stack.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

// The engine's entry points below are Swift functions.
void rac_engine_boot(void);
void rac_engine_thread_exit(rac_thread *thread);
void rac_engine_forked(bool works);
void rac_engine_reinitialize(void);

// ---- The record of a thread --------------------------------------------------

rac_thread rac_shim_no_thread = {.depth = UINT32_MAX,
                                 .stack_margin = UINTPTR_MAX};
__thread rac_thread *rac_shim_tls
    __attribute__((tls_model("initial-exec"), visibility("hidden"))) =
        &rac_shim_no_thread;

// What belongs to a record and is the shims' own.
typedef struct record {
  rac_thread thread;
  // Held by the thread while `is_watched`: once that has ended, the kernel says
  // so to whoever tries to take it.
  pthread_mutex_t life;
  bool is_watched;
} record;

static pthread_mutex_t records_lock = PTHREAD_MUTEX_INITIALIZER;
static record *records;
static uint32_t record_count;
// Some thread's end was not told to the library, and more may come.
static bool some_end_untold;
static pthread_key_t exit_key;
static bool has_exit_key;
__thread bool rac_thread_is_ending
    __attribute__((tls_model("initial-exec"), visibility("hidden")));

static record *next_of(const record *self) {
  return (record *)self->thread.next;
}

// What a thread that has ended, or is about to, leaves to the others.
static void hand_over(rac_thread *thread) {
  rac_engine_thread_exit(thread);
  rac_reserve_thread_exit(thread);
  rac_shelves_thread_exit(thread);
}

static void set_free(rac_thread *thread) {
  pthread_mutex_lock(&records_lock);
  thread->in_use = 0;
  pthread_mutex_unlock(&records_lock);
}

// Under the lock.
static void end_watch(record *self) {
  self->is_watched = false;
  pthread_mutex_unlock(&self->life);
}

static void thread_exit(void *ended) {
  record *self = ended;
  hand_over(&self->thread);
  rac_shim_tls = &rac_shim_no_thread;
  rac_thread_is_ending = true;
  pthread_mutex_lock(&records_lock);
  if (self->is_watched) end_watch(self);
  self->thread.in_use = 0;
  pthread_mutex_unlock(&records_lock);
}

// Has the kernel tell when the calling thread has ended: thread_exit() may not
// be called. It is not when there was no key, and when the thread calls from the
// last of its destructors, which nothing tells apart from any other place. Under
// the lock.
static void watch(record *self) {
  if (pthread_mutex_trylock(&self->life) == 0) self->is_watched = true;
}

// A watched record whose thread is gone, still in use, and no more watched.
static record *take_abandoned(void) {
  pthread_mutex_lock(&records_lock);
  record *self = records;
  for (; self != NULL; self = next_of(self)) {
    if (self->is_watched && pthread_mutex_trylock(&self->life) == EOWNERDEAD) {
      pthread_mutex_consistent(&self->life);
      end_watch(self);
      some_end_untold = true;
      break;
    }
  }
  pthread_mutex_unlock(&records_lock);
  return self;
}

static void collect_abandoned(void) {
  record *self;
  while ((self = take_abandoned()) != NULL) {
    hand_over(&self->thread);
    set_free(&self->thread);
  }
}

// For threads that come when there is no memory: their calls can answer that.
static record *take_static_record(void) {
  static record spare[16];
  static size_t taken;
  if (taken == sizeof spare / sizeof *spare) rac_shim_fatal("out of memory");
  return &spare[taken++];
}

static void make_life(record *self);

static record *make_record(void) {
  record *self = rac_shim_allocate_zeroed(sizeof *self);
  if (self == NULL) self = take_static_record();
  rac_shelves_thread_start(&self->thread);
  make_life(self);
  self->thread.next = (rac_thread *)records;
  records = self;
  record_count++;
  return self;
}

// Everything but the counter, which goes on counting, and the link.
static void wipe(rac_thread *thread) {
  int64_t live = thread->live;
  memset(thread, 0, offsetof(rac_thread, next));
  thread->live = live;
}

// Whether to look now for threads whose end was not told: before the next record
// if there was such a thread, and otherwise whenever there are twice as many
// records as the last time. Under the lock.
static bool is_time_to_collect(bool is_new) {
  bool has_doubled = is_new && (record_count & (record_count - 1)) == 0;
  return some_end_untold || has_doubled;
}

static record *take_record(bool *collects) {
  pthread_mutex_lock(&records_lock);
  // When all keys are taken there may be one later.
  if (!has_exit_key) {
    has_exit_key = pthread_key_create(&exit_key, thread_exit) == 0;
  }
  record *self = records;
  while (self != NULL && self->thread.in_use) self = next_of(self);
  bool is_new = self == NULL;
  if (is_new) {
    self = make_record();
  } else {
    wipe(&self->thread);
  }
  *collects = is_time_to_collect(is_new);
  self->thread.in_use = 1;
  self->thread.ready = RAC_READY_AT_FIRST;
  self->thread.system_id = (pid_t)syscall(SYS_gettid);
  self->thread.is_main = self->thread.system_id == getpid();
  watch(self);
  if (has_exit_key) pthread_setspecific(exit_key, self);
  pthread_mutex_unlock(&records_lock);
  return self;
}

rac_thread *rac_shim_thread_create(void) {
  bool collects;
  record *self = take_record(&collects);
  rac_stack_find(&self->thread);
  rac_shim_tls = &self->thread;
  if (collects) collect_abandoned();
  return &self->thread;
}

int64_t rac_shim_live_total(void) {
  int64_t total = 0;
  pthread_mutex_lock(&records_lock);
  for (record *self = records; self != NULL; self = next_of(self)) {
    total += __atomic_load_n(&self->thread.live, __ATOMIC_RELAXED);
  }
  pthread_mutex_unlock(&records_lock);
  return total;
}

// ---- Errors that callbacks raised ------------------------------------------------

// Alone in its line of memory, as all threads read it.
_Alignas(64) int32_t rac_shim_raised = 0;

// ---- Process -------------------------------------------------------------------

uint8_t rac_shim_state = RAC_WORKS;
uint32_t rac_shim_process = 0;
int64_t rac_shim_first_reference = 1;

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
// Looks at what other threads are writing.
#define LOOKS __attribute__((no_sanitize("thread")))
#endif
#endif
#ifndef LOOKS
#define LOOKS
#endif

// Whether a thread sleeps in the kernel. One that does not may be anywhere.
static bool is_asleep(int32_t system_id) {
  char path[48], text[256];
  snprintf(path, sizeof path, "/proc/self/task/%" PRId32 "/stat", system_id);
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return errno == ENOENT && access("/proc/self", F_OK) == 0;
  ssize_t length = read(file, text, sizeof text - 1);
  close(file);
  if (length <= 0) return false;
  text[length] = 0;
  // After the name, which may be anything.
  const char *state = strrchr(text, ')');
  return state != NULL && state[1] == ' ' && state[2] == 'S';
}

// No callback of a thread's is running, and nothing is being computed by it.
LOOKS static bool is_outside(const rac_thread *thread) {
  return (thread->depth | thread->subscribing | thread->calling |
          thread->awaited | thread->computing | thread->is_reaping) == 0;
}

// Whether a child finds all as it should be: the library has no threads, and the
// program's others are neither inside it nor on their way. One that sleeps and
// is inside nothing holds none of its locks. Under the lock.
static bool is_child_whole(void) {
  if (rac_shim_staff_present() != 0 || rac_shim_state != RAC_WORKS) {
    return false;
  }
  for (record *self = records; self != NULL; self = next_of(self)) {
    if (!self->thread.in_use || &self->thread == rac_shim_tls) continue;
    if (!is_outside(&self->thread) || !is_asleep(self->thread.system_id)) {
      return false;
    }
  }
  return true;
}

static bool child_is_whole;

// Held across fork(), so that the child finds it free.
static void before_fork(void) {
  pthread_mutex_lock(&records_lock);
  child_is_whole = is_child_whole();
  rac_slabs_before_fork();
}
static void in_parent(void) {
  rac_slabs_after_fork();
  pthread_mutex_unlock(&records_lock);
}

static void make_life(record *self) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_init(&self->life, &attributes);
  self->is_watched = false;
}

// The other threads are not there; what they have, if it is in order, is
// everybody's.
static void take_over(bool is_whole) {
  for (record *self = records; self != NULL; self = next_of(self)) {
    make_life(self);
    if (&self->thread == rac_shim_tls) {
      self->thread.system_id = getpid();
      self->thread.is_main = true;
      watch(self);
    } else if (is_whole && self->thread.in_use) {
      hand_over(&self->thread);
      self->thread.in_use = 0;
    }
  }
}

static void in_child(void) {
  in_parent();
  if (!child_is_whole) {
    __atomic_store_n(&rac_shim_state, RAC_IN_CHILD, __ATOMIC_RELAXED);
    rac_shim_process++;
    rac_shim_tls->step = NULL;
    rac_shim_first_reference += INT64_C(1) << 48;
  }
  take_over(child_is_whole);
  rac_shim_signals_forked();
  rac_engine_forked(child_is_whole);
}

void rac_shim_reinitialize(void) {
  rac_shim_staff = 0;
  rac_engine_reinitialize();
  __atomic_store_n(&rac_shim_state, RAC_WORKS, __ATOMIC_RELAXED);
}

__attribute__((constructor)) static void boot(void) {
  rac_shelves_boot();
  rac_pool_boot();
  pthread_atfork(before_fork, in_parent, in_child);
  rac_engine_boot();
}

_Noreturn void rac_shim_fatal(const char *message) {
  fprintf(stderr, "librac: %s\n", message);
  abort();
}

const char *rac_shim_environment(const char *name) { return getenv(name); }

uint64_t rac_shim_thread_id(void) { return (uint64_t)syscall(SYS_gettid); }

// ---- What Embedded Swift imports ---------------------------------------------------

#ifdef RAC_EMBEDDED

// Embedded Swift seeds its hasher with this one, which glibc has only since
// 2.36; our own keeps the library loadable on older systems.
__attribute__((visibility("hidden"))) void arc4random_buf(void *buffer,
                                                          size_t size) {
  char *at = buffer;
  while (size > 0) {
    ssize_t got = getrandom(at, size, 0);
    if (got < 0) {
      if (errno == EINTR) continue;
      rac_shim_fatal("the system gives no random bytes");
    }
    at += got;
    size -= (size_t)got;
  }
}

#endif

// ---- Memory ---------------------------------------------------------------------

void *rac_shim_allocate(size_t size) {
  void *block = rac_pool_allocate(size ? size : 1);
  if (block == NULL) rac_shim_fatal("out of memory");
  return block;
}

void *rac_shim_allocate_checked(size_t size) {
  return rac_pool_allocate(size ? size : 1);
}

void *rac_shim_allocate_zeroed(size_t size) { return calloc(1, size); }

void *rac_shim_enlarge_checked(void *block, size_t size, size_t larger) {
  // A small block may be the pool's, which realloc() does not know.
  if (size > RAC_RESERVE_BLOCK) return realloc(block, larger);
  void *moved = rac_pool_allocate(larger);
  if (moved != NULL && size > 0) memcpy(moved, block, size);
  if (moved != NULL) free(block);
  return moved;
}

void *rac_shim_enlarge(void *block, size_t size, size_t larger) {
  void *moved = rac_shim_enlarge_checked(block, size, larger);
  if (moved == NULL) rac_shim_fatal("out of memory");
  return moved;
}

void rac_shim_free(void *block) { free(block); }

void rac_shim_copy(void *to, const void *from, size_t size) {
  if (size > 0) memcpy(to, from, size);
}

int rac_shim_compare(const void *a, const void *b, size_t size) {
  return size > 0 ? memcmp(a, b, size) : 0;
}

size_t rac_shim_length(const char *string) { return strlen(string); }

// ---- Locks and waiting -------------------------------------------------------------

static struct timespec timespec_of(int64_t nanoseconds) {
  struct timespec time = {nanoseconds / 1000000000, nanoseconds % 1000000000};
  return time;
}

bool rac_shim_futex_wait(const void *word, uint32_t expected,
                         int64_t deadline) {
  struct timespec time = timespec_of(deadline > 0 ? deadline : 0);
  // Unlike FUTEX_WAIT this one counts from no moment: signals do not prolong it.
  long result = syscall(SYS_futex, word, FUTEX_WAIT_BITSET_PRIVATE, expected,
                        deadline == RAC_SHIM_NEVER ? NULL : &time, NULL,
                        FUTEX_BITSET_MATCH_ANY);
  return !(result < 0 && errno == ETIMEDOUT);
}

void rac_shim_futex_wake(const void *word, int32_t count) {
  syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, count, NULL, NULL, 0);
}

struct start {
  void (*body)(void *);
  void *context;
  char name[16];
};

static void *run_thread(void *argument) {
  struct start start = *(struct start *)argument;
  free(argument);
  pthread_setname_np(pthread_self(), start.name);
  start.body(start.context);
  return NULL;
}

// A thread of the library's is not one that the program's handlers run on, or that
// takes away what the program blocks in all of its own. What a thread does wrong
// itself cannot be blocked, and a profiler looks at all.
static void block_signals(sigset_t *before) {
  static const int let_through[] = {SIGSEGV, SIGBUS,  SIGFPE, SIGILL,
                                    SIGTRAP, SIGABRT, SIGSYS, SIGPROF};
  sigset_t blocked;
  sigfillset(&blocked);
  for (size_t i = 0; i < sizeof let_through / sizeof *let_through; i++) {
    sigdelset(&blocked, let_through[i]);
  }
  pthread_sigmask(SIG_SETMASK, &blocked, before);
}

uint8_t rac_shim_staff = 0;

bool rac_shim_start_thread(void (*body)(void *), void *context,
                           const char *name) {
  struct start *start = malloc(sizeof *start);
  if (start == NULL) return false;
  start->body = body;
  start->context = context;
  snprintf(start->name, sizeof start->name, "%s", name);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  rac_stack_widen(&attributes);
  pthread_t thread;
  sigset_t before;
  block_signals(&before);
  int result = pthread_create(&thread, &attributes, run_thread, start);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  pthread_attr_destroy(&attributes);
  if (result != 0) free(start);
  return result == 0;
}

int32_t rac_shim_processor_count(void) {
  long count = sysconf(_SC_NPROCESSORS_ONLN);
  return count < 1 ? 1 : (int32_t)count;
}

// ---- Time ------------------------------------------------------------------------

int64_t rac_shim_now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

void rac_shim_sleep_until(int64_t deadline) {
  if (deadline <= 0) return;
  struct timespec time = timespec_of(deadline);
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, NULL) ==
         EINTR) {
  }
}

// ---- The descriptor of the main loop -----------------------------------------------

static bool add_to_poll(const rac_wakeup *wakeup, int fd) {
  struct epoll_event event;
  memset(&event, 0, sizeof event);
  event.events = EPOLLIN;  // level-triggered
  return epoll_ctl(wakeup->poll_fd, EPOLL_CTL_ADD, fd, &event) == 0;
}

bool rac_shim_wakeup_open(rac_wakeup *wakeup) {
  rac_wakeup opened = {
      epoll_create1(EPOLL_CLOEXEC), eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK),
      timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK)};
  if (opened.poll_fd >= 0 && opened.event_fd >= 0 && opened.timer_fd >= 0 &&
      add_to_poll(&opened, opened.event_fd) &&
      add_to_poll(&opened, opened.timer_fd)) {
    *wakeup = opened;
    return true;
  }
  if (opened.poll_fd >= 0) close(opened.poll_fd);
  if (opened.event_fd >= 0) close(opened.event_fd);
  if (opened.timer_fd >= 0) close(opened.timer_fd);
  return false;
}

static bool take_number(int *fresh, int number) {
  if (dup3(*fresh, number, O_CLOEXEC) < 0) return false;
  close(*fresh);
  *fresh = number;
  return true;
}

bool rac_shim_wakeup_renew(rac_wakeup *wakeup) {
  rac_wakeup old = *wakeup, fresh;
  *wakeup = (rac_wakeup){-1, -1, -1};
  // Closed first: a process may have as many as it is allowed.
  close(old.event_fd);
  close(old.timer_fd);
  if (!rac_shim_wakeup_open(&fresh)) return false;
  *wakeup = fresh;
  return take_number(&wakeup->poll_fd, old.poll_fd);
}

void rac_shim_wakeup_signal(const rac_wakeup *wakeup) {
  uint64_t one = 1;
  // EAGAIN means the counter is already far from zero: readable all the same.
  while (write(wakeup->event_fd, &one, sizeof one) < 0 && errno == EINTR) {
  }
}

bool rac_shim_wakeup_clear(const rac_wakeup *wakeup) {
  uint64_t count;
  ssize_t got;
  while ((got = read(wakeup->event_fd, &count, sizeof count)) < 0 &&
         errno == EINTR) {
  }
  return got > 0;
}

void rac_shim_wakeup_arm(const rac_wakeup *wakeup, int64_t deadline) {
  struct itimerspec spec;
  memset(&spec, 0, sizeof spec);
  spec.it_value.tv_sec = deadline / 1000000000;
  spec.it_value.tv_nsec = deadline % 1000000000;
  timerfd_settime(wakeup->timer_fd, TFD_TIMER_ABSTIME, &spec, NULL);
}

// ---- Text ------------------------------------------------------------------------

static size_t printed(int length) { return length < 0 ? 0 : (size_t)length; }

size_t rac_shim_print_int(char *buffer, size_t capacity, int64_t value) {
  return printed(snprintf(buffer, capacity, "%" PRId64, value));
}

// The shortest form that reads back as the same number.
size_t rac_shim_print_double(char *buffer, size_t capacity, double value) {
  char text[40];
  for (int digits = 15; digits <= 17; digits++) {
    snprintf(text, sizeof text, "%.*g", digits, value);
    if (strtod(text, NULL) == value) break;
  }
  return printed(snprintf(buffer, capacity, "%s", text));
}

size_t rac_shim_print_pointer(char *buffer, size_t capacity,
                              const void *value) {
  return printed(snprintf(buffer, capacity, "0x%" PRIxPTR, (uintptr_t)value));
}

void rac_shim_write_error(const char *line) { fprintf(stderr, "%s\n", line); }
