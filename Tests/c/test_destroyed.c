/* Every function that takes a destroy and a handle: whatever is wrong with the
 * handle, and when the callback is missing, the call fails, says so, and
 * destroys the context once before it returns. */
#include "commands.h"
#include "operator_table.h"
#include "sequence_table.h"

#include "refused.h"

/* Handles that nothing is wrong with. */
static struct {
  rac_signal *signal;
  rac_scheduler *clock;
  rac_property *property;
  rac_sequence *sequence;
} good;

static void set_up(void) {
  good.signal = rac_signal_never();
  good.clock = rac_scheduler_virtual();
  good.property = rac_property_create(I(0), 0);
  good.sequence = seq("1");
}
static void tear_down(void) {
  rac_release(good.signal);
  rac_release(good.clock);
  rac_release(good.property);
  rac_release(good.sequence);
}

/* ---- Operators -------------------------------------------------------------- */

/* What an operator is applied to: the source, the other sources, a scheduler. */
typedef struct handles {
  void *source, *other, *clock;
} handles;

#define VALUE(n) I(n)
#define COUNT(n) n
#define SECONDS(n) n
#define SOURCE h->source
#define OTHER h->other
#define CLOCK h->clock
#define ROOM room
#define LIST (void *)&h->source, 1
#define CASES &(rac_value){0}, (void *)&h->other, 1, h->other
#define FUNCTION(type, f) CONTEXT, F(rac_##type##_fn), context_destroy
#define FUNCTIONS(type, f, type2, g)                                           \
  CONTEXT, F(rac_##type##_fn), F(rac_##type2##_fn), context_destroy
#define SIGNAL_OPERATOR(name, result, ...)                                     \
  static void *signal_##name(const handles *h) {                               \
    return rac_signal_##name(__VA_ARGS__);                                     \
  }
#define SEQUENCE_OPERATOR(name, result, ...)                                   \
  static void *sequence_##name(const handles *h) {                             \
    return rac_sequence_##name(__VA_ARGS__);                                   \
  }
#include "../operators/operators.def"

typedef void *(*call_fn)(const handles *h);
static const call_fn signal_calls[] = {
#define SIGNAL_OPERATOR(name, ...) signal_##name,
#include "../operators/operators.def"
};
static const call_fn sequence_calls[] = {
#define SEQUENCE_OPERATOR(name, ...) sequence_##name,
#include "../operators/operators.def"
};

static void refuse_operator(int line, int i, handles h) {
  begin();
  refused(line, operators[i].name, signal_calls[i](&h) == NULL,
          operator_takes(i, TAKES_CALLBACK));
}

static void signals(int line, rac_signal *h) {
  for (int i = 0; i < OPERATORS; i++) {
    if (h == good.signal && !operator_takes(i, NEEDS_CALLBACK)) continue;
    refuse_operator(line, i, (handles){h, good.signal, good.clock});
  }
  REFUSED(
      rac_lift(&h, 1, NULL, CONTEXT, F(rac_reduce_each_fn), context_destroy));
  REFUSED(rac_lift_arguments(h, NULL, CONTEXT, F(rac_reduce_each_fn),
                             context_destroy));
}

static void schedulers(int line, rac_scheduler *h) {
  REFUSED(
      rac_signal_start_eagerly(h, CONTEXT, F(rac_start_fn), context_destroy));
  REFUSED(
      rac_signal_start_lazily(h, CONTEXT, F(rac_start_fn), context_destroy));
  REFUSED(rac_schedule(h, CONTEXT, F(rac_action_fn), context_destroy));
  REFUSED(rac_schedule_after(h, 1, CONTEXT, F(rac_action_fn), context_destroy));
  REFUSED(rac_schedule_repeating(h, 1, 1, 1, CONTEXT, F(rac_action_fn),
                                 context_destroy));
  REFUSED(
      rac_schedule_recursive(h, CONTEXT, F(rac_recursive_fn), context_destroy));
}

static void properties(int line, rac_property *h) {
  REFUSED_STATUS(
      rac_property_modify(h, CONTEXT, F(rac_map_fn), context_destroy));
  REFUSED(rac_property_map(h, 0, CONTEXT, F(rac_map_fn), context_destroy));
  REFUSED(rac_property_combine_latest(&h, 1, 0, CONTEXT, F(rac_reduce_each_fn),
                                      context_destroy));
  REFUSED(rac_property_bind_two_way_map(h, h, CONTEXT, F(rac_map_fn),
                                        F(rac_map_fn), context_destroy));
}

static void sequences(int line, rac_sequence *h) {
  for (int i = 0; i < SEQUENCE_OPERATORS; i++) {
    if (h == good.sequence && !sequence_operator_takes(i, NEEDS_CALLBACK))
      continue;
    begin();
    refused(line, sequence_operators[i].name,
            sequence_calls[i](&(handles){h, h, NULL}) == NULL,
            sequence_operator_takes(i, TAKES_CALLBACK));
  }
}

/* These do without a callback, or without a signal. */
static void lenient(int line, rac_signal *h) {
  REFUSED(rac_subscribe_next(h, CONTEXT, F(rac_next_fn), context_destroy));
  REFUSED(
      rac_command_create(h, NULL, CONTEXT, F(rac_execute_fn), context_destroy));
}

/* ---- Handles --------------------------------------------------------------- */

static void all(int line, void *h) {
  signals(line, h);
  schedulers(line, h);
  properties(line, h);
  sequences(line, h);
}

/* Law 9, where there is no handle. */
TEST(no_handle) {
  set_up();
  has_callback = true;
  rac_clear_last_error();
  all(__LINE__, NULL);
  /* The error of the call before is there: the chain is broken already. */
  all(__LINE__, NULL);
  has_callback = false;
  all(__LINE__, NULL);
  tear_down();
}

TEST(stale_handles) {
  void *released[] = {rac_signal_never(), rac_scheduler_virtual(),
                      rac_property_create(I(0), 0), seq("1")};
  for (int i = 0; i < 4; i++) rac_release(released[i]);
  set_up();
  has_callback = true;
  for (int i = 0; i < 4; i++) {
    all(__LINE__, released[i]);
    lenient(__LINE__, released[i]);
  }
  all(__LINE__, (void *)(uintptr_t)0xdeadbeefdeadbeef);
  all(__LINE__, (void *)(uintptr_t)UINTPTR_MAX);
  tear_down();
}

TEST(handles_of_another_kind) {
  void *disposable = rac_disposable_create(NULL, NULL, NULL);
  void *command = rac_command_create(NULL, NULL, NULL, do_work, NULL);
  set_up();
  has_callback = true;
  all(__LINE__, disposable);
  all(__LINE__, command);
  lenient(__LINE__, command);
  rac_release(disposable);
  rac_release(command);
  tear_down();
  while (rac_main_drain(0) > 0) {
  }
}

/* The source is all right, and one of the others is not. */
TEST(other_handles) {
  void *stale = rac_subject_create();
  void *disposable = rac_disposable_create(NULL, NULL, NULL);
  void *const bad[] = {NULL, stale, disposable};
  rac_release(stale);
  set_up();
  has_callback = true;
  int tried = 0;
  for (int i = 0; i < OPERATORS; i++)
    for (int k = 0; k < 3; k++) {
      handles other = {good.signal, bad[k], good.clock};
      handles clock = {good.signal, good.signal, bad[k]};
      rac_clear_last_error();
      if (operator_takes(i, TAKES_OTHER | TAKES_CASES))
        refuse_operator(__LINE__, i, other), tried++;
      if (operator_takes(i, TAKES_CLOCK) ||
          (operator_takes(i, TAKES_MAYBE_CLOCK) && bad[k] != NULL))
        refuse_operator(__LINE__, i, clock), tried++;
    }
  CHECK(tried > 3 * 10);
  rac_release(disposable);
  tear_down();
}

TEST(no_callback) {
  set_up();
  has_callback = false;
  signals(__LINE__, good.signal);
  schedulers(__LINE__, good.clock);
  properties(__LINE__, good.property);
  sequences(__LINE__, good.sequence);
  tear_down();
}

/* ---- No context ---------------------------------------------------------- */

/* A destroy is asked for whatever the context is: NULL is one. */
TEST(a_null_context_is_destroyed_when_a_call_fails) {
  set_up();
  has_null_context = true;
  for (int i = 0; i < 2; i++) {
    has_callback = i == 0;
    rac_clear_last_error();
    all(__LINE__, NULL);
    all(__LINE__, (void *)(uintptr_t)0xdeadbeefdeadbeef);
    has_callback = false;
    signals(__LINE__, good.signal);
  }
  has_null_context = false;
  tear_down();
}
