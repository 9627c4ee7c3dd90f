/* Threads with small stacks: calls inside each other, as deep as there is room.
 * What is deeper is refused, or left to a thread of the library. */

#define _DEFAULT_SOURCE
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include "small_stacks.h"

/* ---- Inside each other ---- */

typedef struct descent {
  rac_signal *signal;
  int depth, refused;
} descent;

static rac_status subscribe_again(void *context, rac_subscriber *subscriber,
                                  rac_disposable **out) {
  descent *self = context;
  (void)subscriber, (void)out;
  if (++self->depth < 2 * KB) {
    owned rac_disposable *d =
        rac_subscribe_next(self->signal, NULL, NULL, NULL);
    if (d == NULL) {
      self->refused++;
      CHECK_STATUS(rac_last_error_code(), RAC_ERANGE);
    }
  }
  return RAC_OK;
}

ON_SMALL_STACKS(subscriptions_inside_each_other_are_refused) {
  (void)argument;
  descent self = {NULL, 0, 0};
  self.signal = rac_signal_create(&self, subscribe_again, NULL);
  rac_release(rac_subscribe_next(self.signal, NULL, NULL, NULL));
  CHECK(self.depth > 10);
  CHECK_INT(self.refused, 1);
  rac_release(self.signal);
}

static rac_status defer_again(void *context, rac_signal **out) {
  descent *self = context;
  *out = ++self->depth < 4 * KB ? rac_retain(self->signal) : rac_signal_empty();
  return RAC_OK;
}

ON_SMALL_STACKS(defers_inside_each_other_end_with_an_error) {
  (void)argument;
  descent self = {NULL, 0, 0};
  self.signal = rac_signal_defer(&self, defer_again, NULL);
  hearing h = {0};
  rac_release(hear_signal(self.signal, &h));
  CHECK(self.depth > 10);
  CHECK_INT(h.errors, 1);
  CHECK_INT(h.code, RAC_ERANGE);
  CHECK_INT(h.destroyed, 1);
  rac_release(self.signal);
}

ON_SMALL_STACKS(connections_inside_each_other) {
  (void)argument;
  owned rac_signal *s = rac_signal_return(I(1));
  for (int i = 0; i < 3000; i++) {
    RAC_ASSIGN(s, rac_signal_map(s, NULL, one_more, NULL));
    RAC_ASSIGN(s, rac_signal_replay_lazily(s));
  }
  hearing h = {0};
  owned rac_disposable *subscription = hear_signal(s, &h);
  WAIT_UNTIL(atomic_load(&h.errors) + atomic_load(&h.completions) == 1);
  WAIT_UNTIL(atomic_load(&h.destroyed) == 1);
  if (h.errors) CHECK_INT(h.code, RAC_ERANGE);
}

/* ---- Gates that feed each other ---- */

/* Longer than the stacks are deep, and no longer: what binds a line both ways takes
 * the square of its length. */
enum { LINE = KB > 1024 ? 2048 : 1024 };

static void release_line(rac_property **line) {
  for (int i = 0; i < LINE; i++) rac_release(line[i]);
}

ON_SMALL_STACKS(many_properties_bound_both_ways_are_set) {
  (void)argument;
  rac_property *line[LINE];
  /* From the end: otherwise each takes its value back along the whole line. */
  for (int i = LINE - 1; i >= 0; i--) {
    line[i] = property(i);
    if (i + 1 < LINE)
      rac_release(rac_property_bind_two_way(line[i], line[i + 1]));
  }
  rac_status status = rac_property_set(line[0], I(-7));
  CHECK_STATUS(status, RAC_QUEUED);
  for (int i = 0; i < LINE; i++) WAIT_UNTIL(number(line[i]) == -7);
  release_line(line);
}

ON_SMALL_STACKS(many_properties_bound_one_way_are_set) {
  (void)argument;
  rac_property *line[LINE];
  for (int i = 0; i < LINE; i++) {
    line[i] = property(i);
    if (i > 0)
      rac_release(rac_property_bind(
          line[i], rac_property_as_signal(line[i - 1]), rac_value_nil()));
  }
  CHECK(rac_property_set(line[0], I(-7)) >= 0);
  WAIT_UNTIL(number(line[LINE - 1]) == -7);
  release_line(line);
}

ON_SMALL_STACKS(many_properties_derived_from_each_other_are_set) {
  (void)argument;
  rac_property *line[LINE];
  line[0] = property(0);
  for (int i = 1; i < LINE; i++)
    line[i] = rac_property_map(line[i - 1], 0, NULL, one_more, NULL);
  CHECK_STATUS(rac_property_set(line[0], I(5000)), RAC_OK);
  CHECK_INT(number(line[LINE - 1]), 5000 + LINE - 1);
  release_line(line);
}

typedef struct hop {
  rac_subject *next;
  atomic_int *heard;
  size_t frame;
} hop;

/* A frame as large as a callback likes. */
static void hop_on(void *context, rac_value value) {
  hop *self = context;
  volatile char frame[2000];
  size_t size = self->frame < sizeof frame ? self->frame : sizeof frame;
  for (size_t i = 0; i < size; i += 100) frame[i] = (char)i;
  if (self->next == NULL) {
    atomic_fetch_add(self->heard, 1);
  } else {
    CHECK(rac_subject_send(self->next, value) >= 0);
  }
  (void)frame[0];
}

ON_SMALL_STACKS(subjects_feed_each_other_by_callbacks_with_large_frames) {
  (void)argument;
  enum { HOPS = 300 };
  static rac_subject *subjects[HOPS];
  static hop hops[HOPS];
  static atomic_int heard;
  atomic_store(&heard, 0);
  for (int i = 0; i < HOPS; i++) subjects[i] = rac_subject_create();
  for (int i = 0; i < HOPS; i++) {
    hops[i] = (hop){i + 1 < HOPS ? subjects[i + 1] : NULL, &heard, 2000};
    rac_release(
        rac_subscribe_next(as_signal(subjects[i]), &hops[i], hop_on, NULL));
  }
  for (int i = 0; i < 10; i++) {
    CHECK(rac_subject_send(subjects[0], I(1)) >= 0);
    WAIT_UNTIL(atomic_load(&heard) == i + 1);
  }
  for (int i = 0; i < HOPS; i++) rac_release(subjects[i]);
}

/* A merge at every step is a gate at every step. */
ON_SMALL_STACKS(merges_of_merges_made_as_deep_as_the_stack_allows) {
  (void)argument;
  owned rac_subject *subject = rac_subject_create(),
                    *other = rac_subject_create();
  rac_signal *s = rac_retain(as_signal(subject)), *longest = rac_retain(s);
  for (int i = 0; i < LONGEST; i++) {
    rac_signal *two[] = {longest, as_signal(other)};
    rac_signal *next = rac_signal_merge(two, 2);
    if (next == NULL) break;
    /* What was just made may be too long a few bytes further in. */
    RAC_ASSIGN(s, longest);
    longest = next;
  }
  rac_release(longest);
  hearing h = {0};
  owned rac_disposable *subscription = hear_signal(s, &h);
  CHECK(subscription != NULL);
  CHECK(rac_subject_send(subject, I(1)) >= 0);
  WAIT_UNTIL(atomic_load(&h.nexts) == 1);
  CHECK(rac_subject_send(other, I(1)) >= 0);
  WAIT_UNTIL(atomic_load(&h.nexts) > 50);
  rac_dispose(subscription);
  WAIT_UNTIL(atomic_load(&h.destroyed) == 1);
  rac_release(s);
}

/* ---- Commands and sequences that ask each other ---- */

enum { ROW = 4 * KB };

typedef struct row {
  rac_command *commands[ROW];
  rac_sequence *sequences[ROW];
  atomic_int executed;
  int refused;
} row;

typedef struct place {
  row *row;
  int index;
} place;

static rac_status execute_next(void *context, rac_value input,
                               rac_signal **out) {
  place *self = context;
  atomic_fetch_add(&self->row->executed, 1);
  *out = self->index + 1 < ROW
             ? rac_command_execute(self->row->commands[self->index + 1], input)
             : rac_signal_return(input);
  return RAC_OK;
}

ON_SMALL_STACKS(commands_execute_each_other) {
  (void)argument;
  static row r;
  static place places[ROW];
  memset(&r, 0, sizeof r);
  for (int i = 0; i < ROW; i++) {
    places[i] = (place){&r, i};
    r.commands[i] = rac_command_create(NULL, rac_scheduler_immediate(),
                                       &places[i], execute_next, NULL);
  }
  hearing h = {0};
  rac_signal *execution = rac_command_execute(r.commands[0], I(1));
  rac_disposable *subscription = hear_signal(execution, &h);
  WAIT_UNTIL(atomic_load(&h.destroyed) == 1);
  /* The last one for which there was room: its function gave no signal. */
  CHECK(r.executed > 10);
  CHECK_INT(h.errors, 1);
  CHECK_INT(h.code, RAC_COMMAND_NO_SIGNAL);
  rac_release(subscription);
  rac_release(execution);
  for (int i = 0; i < ROW; i++) rac_release(r.commands[i]);
}

/* What is refused was not begun: the reader makes do without. */
static rac_status read_next(void *context, rac_value *out) {
  place *self = context;
  if (self->index + 1 == ROW) return *out = I(1), RAC_OK;
  rac_status status =
      rac_sequence_head(self->row->sequences[self->index + 1], out);
  if (status == RAC_ERANGE) {
    self->row->refused = self->index + 1;
    *out = I(2);
    return RAC_OK;
  }
  return status;
}

ON_SMALL_STACKS(sequences_that_read_each_other_are_refused) {
  (void)argument;
  static row r;
  static place places[ROW];
  r.refused = 0;
  for (int i = 0; i < ROW; i++) {
    places[i] = (place){&r, i};
    r.sequences[i] = rac_sequence_create(&places[i], read_next, NULL, NULL);
  }
  rac_value value;
  CHECK_STATUS(rac_sequence_head(r.sequences[0], &value), RAC_OK);
  CHECK_INT(value.bits, 2);
  CHECK(r.refused > 10);
  /* It can still be read: bit by bit. */
  for (int i = ROW - 1; i >= r.refused; i--)
    CHECK_STATUS(rac_sequence_head(r.sequences[i], &value), RAC_OK);
  CHECK_INT(value.bits, 1);
  for (int i = 0; i < ROW; i++) rac_release(r.sequences[i]);
}

/* ---- A stack that is not the thread's ---- */

typedef struct fiber {
  ucontext_t thread, own;
  rac_status sent, nested;
  int nexts;
} fiber;

/* On the fiber; the thread's own stack has no room for such a chain. */
static void on_fiber(int high, int low) {
  fiber *self = (fiber *)(((uintptr_t)(unsigned)high << 32) | (unsigned)low);
  hearing h = {0};
  rac_subject *subject = rac_subject_create(), *first = rac_subject_create();
  owned rac_signal *signal = chain_of(as_signal(subject), 2000);
  owned rac_disposable *subscription = hear_signal(signal, &h);
  CHECK(subscription != NULL);
  self->sent = rac_subject_send(subject, I(1));
  /* Gates inside gates look at the stack, too. */
  rac_disposable *tie[20];
  rac_subject *at = rac_retain(first);
  for (int i = 0; i < 20; i++) {
    rac_subject *next = i < 19 ? rac_subject_create() : rac_retain(subject);
    tie[i] = rac_subscribe_subscriber(as_signal(at),
                                      rac_subject_as_subscriber(next));
    RAC_ASSIGN(at, next);
  }
  self->nested = rac_subject_send(first, I(1));
  self->nexts = h.nexts;
  for (int i = 0; i < 20; i++) {
    rac_dispose(tie[i]);
    rac_release(tie[i]);
  }
  rac_release(at);
  rac_release(first);
  rac_dispose(subscription);
  CHECK_INT(h.destroyed, 1);
  rac_release(subject);
}

static void run_fiber(void *argument) {
  fiber *self = argument;
  enum { SIZE = 8 << 20 };
  void *stack = mmap(NULL, SIZE, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  REQUIRE(stack != MAP_FAILED);
  getcontext(&self->own);
  self->own.uc_stack.ss_sp = stack;
  self->own.uc_stack.ss_size = SIZE;
  self->own.uc_link = &self->thread;
  uintptr_t address = (uintptr_t)self;
  makecontext(&self->own, (void (*)(void))on_fiber, 2, (int)(address >> 32),
              (int)address);
  swapcontext(&self->thread, &self->own);
  munmap(stack, SIZE);
}

/* Below the thread's stack or above it: how full that is says nothing. */
TEST(a_foreign_stack_is_not_taken_for_a_full_one) {
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    fiber f = {.sent = RAC_QUEUED};
    on_stack(sizes[i], run_fiber, &f);
    CHECK_STATUS(f.sent, RAC_OK);
    CHECK_STATUS(f.nested, RAC_OK);
    CHECK_INT(f.nexts, 2);
  }
}

/* ---- The first thread ---- */

/* This program once more, with a limit for the stack of its first thread. */
TEST(the_stack_of_the_first_thread_is_known) {
  const char *variable = "RAC_ON_THE_FIRST_THREAD";
  if (getenv(variable) == NULL) {
    char command[200];
    snprintf(command, sizeof command,
             "ulimit -s %d && %s=1 exec /proc/%d/exe the_first_thread",
             KB * 256 / 1024, variable, (int)getpid());
    CHECK_INT(system(command), 0);
    return;
  }
  subscriptions_inside_each_other_are_refused_body(NULL);
  defers_inside_each_other_end_with_an_error_body(NULL);
  many_properties_bound_both_ways_are_set_body(NULL);
  merges_of_merges_made_as_deep_as_the_stack_allows_body(NULL);
  sequences_that_read_each_other_are_refused_body(NULL);
}

/* ---- Made with room, taken apart without ---- */

enum { IN_A_ROW = 3900 / (KB / 1024) };

static rac_sequence *long_sequence(void) {
  rac_sequence *long_one = rac_sequence_range(0, 1, 10);
  for (int i = 0; i < IN_A_ROW; i++)
    RAC_ASSIGN(long_one, rac_sequence_map(long_one, NULL, one_more, NULL));
  CHECK(long_one != NULL);
  return long_one;
}

static rac_signal *connections_in_a_row(rac_signal *source) {
  rac_signal *signal = rac_retain(source);
  for (int i = 0; i < IN_A_ROW; i++) {
    owned rac_connection *shared = rac_signal_publish(signal);
    RAC_ASSIGN(signal, rac_connection_autoconnect(shared));
  }
  CHECK(signal != NULL);
  return signal;
}

static void release_it(void *handle) { rac_release(handle); }
static void dispose_it(void *handle) {
  CHECK_STATUS(rac_dispose(handle), RAC_OK);
}

TEST(long_sequences_are_released_on_small_stacks) {
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    on_stack(sizes[i], release_it, long_sequence());
    on_fresh_stack(sizes[i], release_it, long_sequence());
  }
}

static void *dispose_connections(void *argument) {
  size_t kilobytes = *(size_t *)argument;
  for (int fresh = 0; fresh < 2; fresh++) {
    owned rac_subject *subject = rac_subject_create();
    owned rac_signal *signal = connections_in_a_row(as_signal(subject));
    hearing h = {0};
    owned rac_disposable *d = hear_signal(signal, &h);
    CHECK(d != NULL);
    (fresh ? on_fresh_stack : on_stack)(kilobytes, dispose_it, d);
    WAIT_UNTIL(atomic_load(&h.destroyed) == 1);
    WAIT_UNTIL(rac_subject_subscriber_count(subject) == 0);
  }
  return NULL;
}

TEST(connections_in_a_row_are_disposed_on_small_stacks) {
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
    check_join(check_spawn(dispose_connections, (void *)&sizes[i]));
}
