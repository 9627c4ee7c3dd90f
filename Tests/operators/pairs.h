/* Two subjects under an operator, and lists of cold signals. */
#ifndef RAC_PAIRS_H
#define RAC_PAIRS_H

#include "operators.h"

typedef struct pair {
  rac_subject *a, *b;
} pair;

static inline pair pair_new(void) {
  return (pair){rac_subject_create(), rac_subject_create()};
}

static inline void pair_release(pair p) {
  CHECK_INT(rac_subject_subscriber_count(p.a), 0);
  CHECK_INT(rac_subject_subscriber_count(p.b), 0);
  rac_release(p.a);
  rac_release(p.b);
}

/* A script for two subjects: a1 b2 a| … */
static inline void play_pair(pair p, const char *script) {
  while (*script) {
    size_t length = strcspn(script, " ");
    char event[20];
    snprintf(event, sizeof event, "%.*s", (int)(length - 1), script + 1);
    play(*script == 'a' ? p.a : p.b, event);
    script += length + strspn(script + length, " ");
  }
}

typedef rac_signal *(*combine_fn)(rac_signal *, rac_signal *);

static inline void check_pair(int line, combine_fn combine, const char *script,
                              const char *expected) {
  pair p = pair_new();
  rac_signal *s = combine(as_signal(p.a), as_signal(p.b));
  recorder r = {0};
  record(s, &r);
  play_pair(p, script);
  check_text(__FILE__, line, script, r.text, expected);
  finish(&r);
  rac_release(s);
  pair_release(p);
}
#define CHECK_PAIR(combine, script, expected)                                  \
  check_pair(__LINE__, combine, script, expected)

static inline void
check_array(int line, rac_signal *(*combine)(rac_signal *const *, size_t),
            const char *const *scripts, size_t count, const char *expected) {
  rac_signal *signals[8];
  for (size_t i = 0; i < count; i++) signals[i] = cold(scripts[i], NULL);
  rac_signal *s = combine(signals, count);
  for (size_t i = 0; i < count; i++) rac_release(signals[i]);
  for (int round = 0; round < 2; round++) {
    RECORDER(r, s);
    check_text(__FILE__, line, "the result", r.text, expected);
  }
  rac_release(s);
}
#define CHECK_ARRAY(combine, expected, ...)                                    \
  do {                                                                         \
    const char *const scripts[] = {__VA_ARGS__};                               \
    check_array(__LINE__, combine, scripts, sizeof scripts / sizeof *scripts,  \
                expected);                                                     \
  } while (0)

static inline void release_all(rac_signal **signals, size_t count) {
  while (count > 0) rac_release(signals[--count]);
}

#endif
