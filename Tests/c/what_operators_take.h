/* operators.def with a bit for each argument. Whoever includes it says before what
 * becomes of a row; it may be included more than once. */
#include "standard_callbacks.h"

#define SOURCE TAKES_SOURCE
#define FAILING TAKES_SOURCE | NEEDS_ERROR
#define OTHER TAKES_OTHER
#define LIST TAKES_LIST
#define CASES TAKES_CASES
#define VALUE(n) TAKES_NUMBER
#define COUNT(n) TAKES_NUMBER
#define SECONDS(n) TAKES_SECONDS
#define PLAIN(n) TAKES_NUMBER
#define CHOICE(c) TAKES_NUMBER
#define CLOCK TAKES_CLOCK
#define MAYBE_CLOCK TAKES_MAYBE_CLOCK
#define ROOM TAKES_ROOM
#define OPTIONAL(type, f) TAKES_##type
#define FUNCTION(type, f) NEEDS_CALLBACK | TAKES_##type
#define FUNCTIONS(type, f, type2, g)                                           \
  NEEDS_CALLBACK | TAKES_##type | TAKES_##type2
#include "../operators/operators.def"
