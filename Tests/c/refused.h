/* Calls that fail, and destroy the context they were given once before they
 * return. `line` is that of the test. Include it last: with it context_destroy is
 * that of a context which may be NULL. */
#ifndef RAC_REFUSED_H
#define RAC_REFUSED_H

#include "check.h"

static inline void not_called(void) { CHECK(!"called"); }
static bool has_callback, has_null_context;
static atomic_int destroyed;

static inline void destroy_null(void *context) {
  CHECK(context == NULL);
  atomic_fetch_add(&destroyed, 1);
}

#define F(type) (has_callback ? (type)not_called : NULL)
#define CONTEXT (has_null_context ? NULL : context_new(NULL, &destroyed))
#define context_destroy (has_null_context ? destroy_null : context_destroy)

static inline void begin(void) { atomic_store(&destroyed, 0); }
static inline void refused(int line, const char *what, bool has_failed,
                           int contexts) {
  if (!has_failed) check_fail(__BASE_FILE__, line, what);
  if (rac_last_error_code() >= 0) check_fail(__BASE_FILE__, line, what);
  check_int(__BASE_FILE__, line, what, atomic_load(&destroyed), contexts);
}
#define REFUSED(call) (begin(), refused(line, #call, (call) == NULL, 1))
#define REFUSED_STATUS(call) (begin(), refused(line, #call, (call) < 0, 1))

#endif
