/* Sequences of several makes, held to what all sequences do. */
#include "sequence_laws.h"

static rac_status zero(void *context, rac_value *out) {
  (void)context_target(context);
  *out = I(0);
  return RAC_OK;
}
static rac_status one_follows(void *context, rac_sequence **out) {
  (void)context_target(context);
  *out = rac_sequence_return(I(1));
  return RAC_OK;
}

static rac_sequence *made_by_callbacks(void) {
  return rac_sequence_create(context_new(NULL, NULL), zero, one_follows,
                             context_destroy);
}
static rac_sequence *eager(void) {
  rac_sequence *s = made_by_callbacks();
  SEQ0(s, eager);
  return s;
}
static rac_sequence *three_returns(void) {
  rac_sequence *s = rac_sequence_return(I(0));
  for (int i = 1; i < 3; i++) {
    owned rac_sequence *one = rac_sequence_return(I(i));
    SEQ(s, concat, one);
  }
  return s;
}
static rac_sequence *of_a_signal(void) {
  owned rac_signal *signal = cold("1 2 3 4 |", NULL);
  rac_sequence *s = rac_sequence_from_signal(signal, 0, NULL);
  return s;
}
/* Not a source of its own, but everything goes through it. */
static rac_sequence *mapped(void) {
  rac_sequence *s = seq("1 2 3");
  SEQ(s, map, CALLBACK(times_ten));
  return s;
}

static const sequence_source sources[] = {
    {"head and tail callbacks", made_by_callbacks, "0 1"},
    {"empty", rac_sequence_empty, ""},
    {"three returns", three_returns, "0 1 2"},
    {"eager", eager, "0 1"},
    {"a signal", of_a_signal, "1 2 3 4"},
    {"an operator", mapped, "10 20 30"}};

#define CHECK_LAW(law)                                                         \
  for_each_source(sources, sizeof sources / sizeof sources[0], law)

/* sequence-062, sequence-074, sequence-086, signal-199: over all sources */
TEST(a_loop_gives_the_values) { CHECK_LAW(iterates); }

/* sequence-063, sequence-099, signal-200: over all sources */
TEST(an_array_of_the_values) { CHECK_LAW(gives_an_array); }

/* sequence-064, sequence-076, sequence-100, signal-201: over all sources */
TEST(a_signal_on_the_immediate_scheduler) { CHECK_LAW(sends_at_once); }

/* sequence-065, sequence-089, sequence-101, signal-202: over all sources */
TEST(a_signal_on_a_background_scheduler) { CHECK_LAW(sends_in_the_background); }

/* sequence-066, sequence-090, sequence-102, signal-203: over all sources */
TEST(a_signal_yields_between_values) { CHECK_LAW(yields_between_values); }

/* sequence-067, sequence-079, sequence-091, sequence-103, signal-204: over
 * all sources */
TEST(a_sequence_equals_itself) { CHECK_LAW(equals_itself); }

/* sequence-068, sequence-080, sequence-092, sequence-104, signal-205: over
 * all sources */
TEST(it_equals_its_values_put_together) {
  CHECK_LAW(equals_concatenated_returns);
}

/* sequence-069, sequence-081, sequence-093, sequence-105: over all sources */
TEST(it_differs_from_another) { CHECK_LAW(differs_from_another); }

/* sequence-070, sequence-094, sequence-106: over all sources */
TEST(a_copy_is_the_same_one) { CHECK_LAW(is_its_own_copy); }

/* sequence-072, sequence-096, signal-209: over all sources */
TEST(a_right_fold_rebuilds_it) { CHECK_LAW(is_rebuilt_from_the_right); }

/* sequence-073, sequence-085, signal-210: over all sources */
TEST(a_left_fold_rebuilds_it) { CHECK_LAW(is_rebuilt_from_the_left); }
