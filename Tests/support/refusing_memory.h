/* The memory that the library gets, refused when a test says so: every request
 * in turn, alone and with all that follow. Requests of the test itself and of
 * the C library are not refused. Include it in one file of a program, which
 * defines _GNU_SOURCE: it defines malloc() and its kin.
 *
 * With RAC_POOL=malloc in the environment every block of the library comes from
 * malloc(); otherwise small ones come from the pool, which asks with mprotect().
 * Sanitizers have a malloc() of their own, and there is nothing to do for
 * them. */
#ifndef RAC_REFUSING_MEMORY_H
#define RAC_REFUSING_MEMORY_H

#include <errno.h>
#include <link.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "check.h"
#include "rerun.h"

/* ---- The memory ------------------------------------------------------------- */

/* Of the calling thread: which of its requests are refused, counted from 1. */
static _Thread_local struct {
  bool on;
  bool pages_only; /* what is asked of malloc() is given */
  long from, to, asked, refused;
} memory;

enum { FOR_EVER = 1 << 30 };

/* From here on those requests of this thread are refused, … */
static inline void take_memory(void) {
  memory.on = true;
  memory.asked = memory.refused = 0;
}

/* … till here. How many were. */
static inline long give_memory(void) {
  memory.on = false;
  return memory.refused;
}

static inline void refuse_requests(long from, long to) {
  memory.from = from;
  memory.to = to;
}

/* Where the code of the library lies. */
static uintptr_t library_start, library_end;

static int find_library(struct dl_phdr_info *info, size_t size, void *data) {
  (void)size, (void)data;
  if (!strstr(info->dlpi_name, "librac.so")) return 0;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *part = &info->dlpi_phdr[i];
    if (part->p_type != PT_LOAD || !(part->p_flags & PF_X)) continue;
    library_start = info->dlpi_addr + part->p_vaddr;
    library_end = library_start + part->p_memsz;
  }
  return 1;
}

__attribute__((constructor)) static void find_librac(void) {
  dl_iterate_phdr(find_library, NULL);
}

static bool refuses(const void *caller) {
  if (!memory.on || (uintptr_t)caller < library_start ||
      (uintptr_t)caller >= library_end)
    return false;
  memory.asked++;
  if (memory.asked < memory.from || memory.asked > memory.to) return false;
  memory.refused++;
  errno = ENOMEM;
  return true;
}
#define REFUSES() refuses(__builtin_return_address(0))

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t size);

#define REFUSES_BLOCKS() (!memory.pages_only && REFUSES())

void *malloc(size_t size) {
  return REFUSES_BLOCKS() ? NULL : __libc_malloc(size);
}
void *calloc(size_t count, size_t size) {
  return REFUSES_BLOCKS() ? NULL : __libc_calloc(count, size);
}
void *realloc(void *block, size_t size) {
  return REFUSES_BLOCKS() ? NULL : __libc_realloc(block, size);
}
void *mmap(void *start, size_t size, int protection, int flags, int file,
           off_t offset) {
  if (REFUSES()) return MAP_FAILED;
  return (void *)syscall(SYS_mmap, start, size, protection, flags, file,
                         offset);
}
int mprotect(void *start, size_t size, int protection) {
  return REFUSES() ? -1 : (int)syscall(SYS_mprotect, start, size, protection);
}

/* ---- Each request in turn ---------------------------------------------------- */

/* The running attempt, for the message when the process ends after all. */
static char situation[200];

#define CHECK_HERE(condition)                                                  \
  ((condition) ? (void)0 : check_fail(__FILE__, __LINE__, situation))

typedef struct attempt {
  /* Calls take_memory() and give_memory() around what it tries. */
  void (*body)(void *argument);
  void *argument;
  long from, to, refused;
} attempt;

/* Set by the test: waits until the work that the body left to other threads and
 * schedulers is over. */
static void (*let_it_settle)(void);

/* In a thread that has no emergency reserve yet. */
static void *attempt_once(void *argument) {
  attempt *self = argument;
  int contexts = context_count();
  uint64_t objects = rac_live_objects();
  rac_clear_last_error();
  refuse_requests(self->from, self->to);
  self->body(self->argument);
  self->refused = memory.refused;
  for (int tries = 0; tries < 40000; tries++) {
    if (let_it_settle) let_it_settle();
    if (rac_live_objects() == objects && context_count() == contexts)
      return NULL;
    check_pause();
  }
  fprintf(stderr, "left behind: %s\n", situation);
  exit(3);
}

static void refuse_in_turn(const char *name, void (*body)(void *),
                           void *argument, bool once) {
  attempt one = {.body = body, .argument = argument};
  do {
    one.from++;
    one.to = once ? one.from : FOR_EVER;
    snprintf(situation, sizeof situation, "%s: %ld%s", name, one.from,
             once ? "" : " and all that follow");
    check_join(check_spawn(attempt_once, &one));
  } while (one.refused > 0 && one.from < 10000);
  CHECK_HERE(one.from < 10000);
}

/* Once, in a thread of its own; the body says what is refused. */
static inline void refuse_here(const char *name, void (*body)(void *),
                               void *argument) {
  attempt one = {.body = body, .argument = argument};
  snprintf(situation, sizeof situation, "%s", name);
  check_join(check_spawn(attempt_once, &one));
}

/* Tries the body again and again, each time in a thread of its own, until
 * nothing was left to be refused. It leaves nothing behind. */
static inline void refuse_each(const char *name, void (*body)(void *),
                               void *argument) {
  refuse_in_turn(name, body, argument, false);
  refuse_in_turn(name, body, argument, true);
}

/* ---- In a process of its own -------------------------------------------------- */

static inline void say_where(int number) {
  (void)number;
  if (write(STDERR_FILENO, situation, strlen(situation)) < 0) _exit(4);
  _exit(5);
}

static inline void run_alone(const char *test, const char *pool) {
  char said[4000];
  setenv("RAC_POOL", pool, 1);
  int status = rerun(test, "RAC_TEST_MEMORY", "1", said, sizeof said);
  CHECK_INT(status, 0);
  if (status != 0) fprintf(stderr, "with %s: %s\n", pool, said);
}

/* Defines a test whose body runs twice, with malloc() and with the pool, in
 * processes of their own: to end the process is what it must not do. */
#define TEST_BOTH_WAYS(name)                                                   \
  static void name##_alone(void);                                              \
  TEST(name) {                                                                 \
    if (getenv("RAC_TEST_MEMORY")) {                                           \
      signal(SIGABRT, say_where);                                              \
      name##_alone();                                                          \
      return;                                                                  \
    }                                                                          \
    run_alone(#name, "malloc");                                                \
    run_alone(#name, "pool");                                                  \
  }                                                                            \
  static void name##_alone(void)

static inline bool has_pool(void) {
  const char *pool = getenv("RAC_POOL");
  return !pool || strcmp(pool, "malloc") != 0;
}

#endif
