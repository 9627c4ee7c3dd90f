/* rac_marbles.h in a line, for the tests of operators.
 *
 *     CHECK_DIAGRAM(rac_signal_merge_with(a, b), "-1-3-|",
 *                                                "--2|",
 *                                                "-123-|");
 *
 * The operator's a, b and c are hot signals that play the first diagrams; the
 * last one is expected. The letters in diagrams stand for those signals, sent as
 * values; v is the clock.
 */
#ifndef RAC_DIAGRAMS_H
#define RAC_DIAGRAMS_H

#include <rac_marbles.h>

#include "check.h"

/* The source at that place; one that the test does not name is silent. */
static inline rac_signal *diagram_source(rac_marbles *m, size_t place,
                                         const char *const *diagrams) {
  size_t count = 0;
  while (diagrams[count + 1]) count++;
  rac_signal *made = rac_marbles_hot(m, place < count ? diagrams[place] : "-");
  rac_marbles_value(m, (char)('a' + place), rac_value_signal(made));
  return made;
}

static inline const char *last_diagram(const char *const *diagrams) {
  while (diagrams[1]) diagrams++;
  return *diagrams;
}

#define CHECK_DIAGRAM(operator, ...)                                           \
  do {                                                                         \
    const char *const diagrams[] = {__VA_ARGS__, NULL};                        \
    rac_marbles marbles;                                                       \
    rac_marbles_open(&marbles, 1);                                             \
    rac_signal *a = diagram_source(&marbles, 0, diagrams);                     \
    rac_signal *b = diagram_source(&marbles, 1, diagrams);                     \
    rac_signal *c = diagram_source(&marbles, 2, diagrams);                     \
    rac_scheduler *v = marbles.clock;                                          \
    (void)a, (void)b, (void)c, (void)v;                                        \
    rac_signal *result = operator;                                             \
    rac_marbles_expect(&marbles, result, NULL, last_diagram(diagrams),         \
                       #operator, __FILE__, __LINE__);                         \
    rac_release(result);                                                       \
    CHECK_INT(rac_marbles_close(&marbles), 0);                                 \
  } while (0)

#endif
