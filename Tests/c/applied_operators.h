/* Every operator of operators.def as a function that applies it to a signal, and to
 * another one where it takes two. Whoever includes this says before what the
 * function is called, APPLIED(name), and what stands for callbacks, FUNCTION and
 * FUNCTIONS; for counts that are not to be as they are written, PASSING and DROPPED. */
#define SIGNAL_OPERATOR(name, result, ...)                                     \
  static rac_signal *APPLIED(name)(rac_signal * s, rac_signal * other) {       \
    rac_signal *made = NULL;                                                   \
    (void)other;                                                               \
    rac_signal *applied = rac_signal_##name(__VA_ARGS__);                      \
    if (made != NULL) rac_release(made);                                       \
    return applied;                                                            \
  }
#define SOURCE s
#define TUPLES (made = with_tuples(s))
#define EVENTS (made = rac_signal_materialize(s))
#define SIGNALS (made = with_nil(s))
#define OTHER other
#define TRIGGER (made = rac_signal_return(I(1)))
#define LIST (rac_signal *const[]){s, other}, 2
#define CASES &(rac_value){RAC_INT64, 0, 0, 0, 1}, &other, 1, other
#define VALUE(n) I(n)
#define COUNT(n) n
#define SECONDS(n) n
#define CLOCK v
#define STANDING standing
#define ROOM room
#include "../operators/operators.def"
#undef APPLIED
