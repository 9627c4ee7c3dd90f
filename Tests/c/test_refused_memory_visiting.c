/* A visit for a garbage collector when there is no memory to remember what it
 * entered and claimed: less is visited, and everything goes on. And a process that
 * forks in the middle of one. */
#define _GNU_SOURCE 1

#include "check.h"
#include "process.h"

#if !IS_SANITIZED

#include "forked.h"
#include "refusing_memory.h"

/* More than its lists hold before they grow. */
enum { MANY = 70, HANDLES = 3 * MANY };

typedef struct collected {
  void *handles[HANDLES];
  int64_t heard;
  int visited;
  pid_t child;
} collected;

static void hear(void *context, rac_value value) {
  (void)value;
  collected *self = context_target(context);
  self->heard++;
}
static rac_status same(void *context, rac_value value, rac_value *out) {
  (void)context;
  *out = rac_value_retain(value);
  return RAC_OK;
}
static void count_visit(void *context, void *held, rac_destroy_fn destroy) {
  (void)held;
  CHECK(destroy != NULL);
  ((collected *)context)->visited++;
}

static void make(collected *self) {
  for (int i = 0; i < MANY; i++) {
    rac_subject *subject = rac_subject_create();
    rac_release(rac_subscribe_next(as_signal(subject), context_new(self, NULL),
                                   hear, context_destroy));
    rac_sequence *numbers = rac_sequence_range(i, 1, 3);
    rac_property *property = rac_property_create(I(i), 0);
    rac_release(rac_subscribe_next(rac_property_as_signal(property),
                                   context_new(self, NULL), hear,
                                   context_destroy));
    self->handles[3 * i] = subject;
    self->handles[3 * i + 1] = rac_sequence_map(
        numbers, context_new(NULL, NULL), same, context_destroy);
    self->handles[3 * i + 2] = property;
    rac_release(numbers);
  }
  self->heard = 0;
}

/* As if nobody had looked. */
static void use_and_release(collected *self) {
  for (int i = 0; i < MANY; i++) {
    CHECK_HERE(rac_subject_send(self->handles[3 * i], I(1)) == RAC_OK);
    CHECK_HERE(rac_property_set(self->handles[3 * i + 2], I(-1)) == RAC_OK);
    rac_value first;
    CHECK_HERE(rac_sequence_head(self->handles[3 * i + 1], &first) == RAC_OK);
    CHECK_HERE(first.bits == i);
  }
  CHECK_HERE(self->heard == 2 * MANY);
  for (int i = 0; i < HANDLES; i++) rac_release(self->handles[i]);
}

static int most_visited;
static long refusals;

static void visit_without_memory(void *argument) {
  (void)argument;
  collected self = {.visited = 0};
  make(&self);
  take_memory();
  rac_status status =
      rac_visit_contexts(self.handles, HANDLES, count_visit, &self);
  refusals += give_memory();
  CHECK_HERE(status == RAC_OK);
  CHECK_HERE(self.visited <= HANDLES);
  if (self.visited > most_visited) most_visited = self.visited;
  use_and_release(&self);
}

TEST_BOTH_WAYS(a_visit_that_finds_no_memory_leaves_everything_as_it_was) {
  refuse_each("visiting", visit_without_memory, NULL);
  CHECK_INT(most_visited, HANDLES);
  CHECK(refusals > 0 || has_pool());
}

static void visit_and_fork(void *context, void *held, rac_destroy_fn destroy) {
  collected *self = context;
  count_visit(self, held, destroy);
  if (self->visited == HANDLES / 2) self->child = fork();
}

/* Both sides come out of the visit, and all gates are open behind it. */
static void fork_in_a_visit(void *argument) {
  (void)argument;
  collected self = {.child = -1};
  make(&self);
  CHILD(rac_visit_contexts(self.handles, HANDLES, visit_and_fork, &self) ==
        RAC_OK);
  CHILD(self.child >= 0);
  CHILD(self.visited == HANDLES);
  use_and_release(&self);
  CHILD(context_count() == 0);
  if (self.child == 0) {
    use_everything();
    _exit(0);
  }
  int status = -1;
  CHILD(waitpid(self.child, &status, 0) == self.child);
  CHILD(status == 0);
}

TEST(a_fork_in_the_middle_of_a_visit) { alone(fork_in_a_visit); }

#else

TEST(sanitizers_have_memory_of_their_own) {}

#endif
