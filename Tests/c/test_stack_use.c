/* How much stack each operator takes for an event, a subscription, a disposal
 * and a release: what the engine reckons with must be enough. Prints the table
 * when RAC_PRINT_STACK_USE is set. */
#define _DEFAULT_SOURCE
#include <sys/mman.h>

#include "../../Sources/CRACShims/stack_levels.h"
#include "operator_table.h"
#include "shared_callbacks.h"

enum { STEPS = 8, LEVELS = 150 };

static const char *const steps[STEPS] = {"subscribe", "next",    "complete",
                                         "fail",      "dispose", "release",
                                         "free",      "build"};

/* ---- A stack that can be looked at ---------------------------------------------- */

enum { PAGE = 4096, SIZE = 32 << 20 };
static char *stack;

/* The bytes of it that the body has written to. */
static int64_t used(void *(*body)(void *), void *argument) {
  madvise(stack, SIZE, MADV_DONTNEED);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstack(&attributes, stack, SIZE);
  pthread_t thread;
  if (pthread_create(&thread, &attributes, body, argument) != 0) abort();
  pthread_attr_destroy(&attributes);
  pthread_join(thread, NULL);
  static unsigned char resident[SIZE / PAGE];
  if (mincore(stack, SIZE, resident) != 0) abort();
  int64_t untouched = 0;
  while (untouched < SIZE && !(resident[untouched / PAGE] & 1))
    untouched += PAGE;
  while (untouched < SIZE && stack[untouched] == 0) untouched++;
  return SIZE - untouched;
}

/* ---- What is measured -------------------------------------------------------------- */

typedef struct chain {
  int operator_;
  int levels;
  rac_subject *source, *other;
  rac_signal *signal;
  rac_disposable *subscription;
} chain;

static void hear(void *context, rac_value value) { (void)context, (void)value; }
static void hear_end(void *context) { (void)context; }

static void *build(void *argument) {
  chain *self = argument;
  self->source = rac_subject_create();
  self->other = rac_subject_create();
  self->signal = rac_retain(as_signal(self->source));
  for (int i = 0; i < self->levels; i++)
    RAC_ASSIGN(self->signal, operators[self->operator_].build(
                                 self->signal, as_signal(self->other)));
  return NULL;
}

static void *subscribe(void *argument) {
  chain *self = argument;
  rac_observer observer = RAC_OBSERVER_INIT;
  observer.next = hear;
  observer.error = hear;
  observer.completed = hear_end;
  rac_thread_attach();
  self->subscription = rac_subscribe(self->signal, &observer);
  rac_thread_detach();
  return NULL;
}

static void *send(void *argument) {
  chain *self = argument;
  rac_thread_attach();
  rac_subject_send(self->source, I(1));
  rac_subject_send(self->other, I(1));
  rac_subject_send(self->source, I(2));
  rac_thread_detach();
  return NULL;
}

static void *complete(void *argument) {
  chain *self = argument;
  rac_thread_attach();
  rac_subject_send_completed(self->source);
  rac_subject_send_completed(self->other);
  rac_thread_detach();
  return NULL;
}

static void *fail(void *argument) {
  chain *self = argument;
  rac_thread_attach();
  rac_subject_send_error(self->source, rac_value_nil());
  rac_thread_detach();
  return NULL;
}

static void *dispose(void *argument) {
  chain *self = argument;
  rac_dispose(self->subscription);
  return NULL;
}

static void *release(void *argument) {
  chain *self = argument;
  rac_release(self->signal);
  self->signal = NULL;
  return NULL;
}

static void *let_source_go(void *argument) {
  chain *self = argument;
  rac_release(self->source);
  self->source = NULL;
  return NULL;
}

static void clear(chain *self) {
  rac_release(self->signal);
  rac_release(self->source);
  rac_release(self->other);
  if (self->subscription != NULL) rac_dispose(self->subscription);
  rac_release(self->subscription);
  self->signal = NULL;
  self->source = self->other = NULL;
  self->subscription = NULL;
  rac_virtual_advance_by(v, 100);
  rac_main_drain(0);
}

static void measure(int operator_, int levels, int64_t use[STEPS]) {
  chain c = {.operator_ = operator_, .levels = levels};
  use[7] = used(build, &c);
  use[0] = used(subscribe, &c);
  use[1] = used(send, &c);
  use[2] = used(complete, &c);
  clear(&c);
  build(&c), subscribe(&c);
  use[3] = used(fail, &c);
  clear(&c);
  build(&c), subscribe(&c);
  use[4] = used(dispose, &c);
  use[5] = used(release, &c);
  clear(&c);
  build(&c), subscribe(&c);
  release(&c);
  use[6] = used(let_source_go, &c);
  clear(&c);
}

/* Levels that one of the operator makes: some are made of others. */
static int levels_of_one(int operator_) {
  enum { MOST = 4096 };
  rac_subject *source = rac_subject_create(), *other = rac_subject_create();
  rac_signal *signal = rac_retain(as_signal(source)), *next;
  int length = 0;
  while (length < MOST && (next = operators[operator_].build(
                               signal, as_signal(other))) != NULL) {
    RAC_ASSIGN(signal, next);
    length++;
  }
  rac_clear_last_error();
  rac_release(signal);
  rac_release(source);
  rac_release(other);
  return (MOST + length) / length - 1;
}

static void check_use(int operator_, int step, int64_t each, int levels) {
  int64_t reckoned = step == 0 ? RAC_STACK_OF_SUBSCRIPTION : RAC_STACK_OF_LEVEL;
  if (each <= reckoned * levels) return;
  printf("%s of %s: %lld bytes for %d levels\n", steps[step],
         operators[operator_].name, (long long)each, levels);
  check_fail(__FILE__, __LINE__, "no more than is reckoned with");
}

TEST(no_operator_takes_more_stack_than_is_reckoned_with) {
  bool prints = getenv("RAC_PRINT_STACK_USE") != NULL;
  stack = mmap(NULL, SIZE, PROT_READ | PROT_WRITE,
               MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  REQUIRE(stack != MAP_FAILED);
  v = rac_scheduler_virtual();
  standing = rac_scheduler_virtual();
  rac_set_log(NULL, ignore_line, NULL);
  if (prints) {
    printf("%-24s", "bytes an operator");
    for (int step = 0; step < STEPS; step++) printf(" %9s", steps[step]);
    printf(" %9s\n", "levels");
  }
  for (int i = 0; i < OPERATORS; i++) {
    int64_t less[STEPS], more[STEPS];
    measure(i, LEVELS, less);
    measure(i, 2 * LEVELS, more);
    int levels = levels_of_one(i);
    if (prints) printf("%-24s", operators[i].name);
    for (int step = 0; step < STEPS; step++) {
      int64_t each = (more[step] - less[step]) / LEVELS;
      if (prints) printf(" %9lld", (long long)each);
      check_use(i, step, each, levels);
    }
    if (prints) printf(" %9d\n", levels);
  }
  rac_set_log(NULL, NULL, NULL);
  rac_release(v);
  rac_release(standing);
  munmap(stack, SIZE);
}
