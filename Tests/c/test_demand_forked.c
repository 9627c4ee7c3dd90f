/* Demand where the library is closed, and in a forked child: each in a child of
 * its own, before this process has threads. */
#include "children.h"
#include "closing.h"
#include "demand.h"

static void close_while_held(void *argument) {
  (void)argument;
  uint64_t objects = rac_live_objects();
  rac_scheduler *slow = background();
  rac_scheduler *reader = background();
  rac_bound *bound = rac_bound_create(2, RAC_BOUND_WAIT);
  rac_subject *blocks = rac_subject_create();
  rac_signal *source = numbers(1000);
  rac_signal *lines = lines_of(1000, reader);
  rac_signal *both = rac_signal_merge_with(source, lines);
  rac_signal *inner = always(both, as_signal(blocks));
  rac_signal *line = rac_signal_deliver_on(inner, slow);
  rac_signal *signal = rac_signal_flatten_bounded(line, 1, bound);
  rac_disposable *d = listen(signal);
  double limit = check_clock() + 10;
  while (waiting(bound) < 2 && check_clock() < limit) check_pause();
  CHILD(waiting(bound) >= 2);
  rac_settle(10);
  close_and_watch();
  rac_dispose(d);
  void *all[] = {slow,  reader, bound, blocks, source, lines,
                 inner, both,   line,  signal, d};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) rac_release(all[i]);
  CHILD(context_count() == 0);
  CHILD(rac_live_objects() == objects);
}

TEST(closing_lets_go_of_what_is_held) { alone(close_while_held); }

static recorder held;

static void child_of_a_held(void *argument) {
  (void)argument;
  double limit = check_clock() + 10;
  while (held.ends == 0 && check_clock() < limit) rac_main_run_for(0.01);
  CHILD(held.ends == 1);
}

static void fork_while_held(void *argument) {
  owned rac_scheduler *main = rac_scheduler_main();
  owned rac_bound *bound = rac_bound_create(2, RAC_BOUND_WAIT);
  owned rac_subject *blocks = rac_subject_create();
  owned rac_signal *lines = lines_of(1000, main);
  owned rac_signal *inner = always(lines, as_signal(blocks));
  owned rac_signal *signal = rac_signal_flatten_bounded(inner, 1, bound);
  record(signal, &held);
  RUN_UNTIL(waiting(bound) == 2);
  run_a_little();
  CHILD(in_child(child_of_a_held, argument) == 0);
  CHILD(held.ends == 0);
  rac_dispose(held.subscription);
}

TEST(in_a_forked_child_a_held_source_ends) {
  CHECK_INT(in_child(fork_while_held, NULL), 0);
}
