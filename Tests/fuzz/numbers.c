/* Numbers, texts and times made up.
 *
 * One thread that is to do the same every time gets no time that a clock could
 * reach, or miss, while the round goes on.
 */
#include <math.h>

#include "fuzz.h"

uint64_t fuzz_mix(uint64_t a, uint64_t b, uint64_t c) {
  uint64_t x =
      a + 0x9E3779B97F4A7C15u * (b + 1) + 0xD1B54A32D192ED03u * (c + 1);
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
  return x ^ (x >> 31);
}

uint64_t fuzz_random(player *p) {
  uint64_t x = p->random += 0x9E3779B97F4A7C15u;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
  return x ^ (x >> 31);
}

bool fuzz_flag(player *p) { return fuzz_random(p) & 1; }

int64_t fuzz_number(player *p) {
  switch (fuzz_below(p, 32)) {
  case 0:
    return INT64_MAX;
  case 1:
    return INT64_MIN;
  case 2:
    return -1;
  case 3:
    return (int64_t)fuzz_random(p);
  default:
    return (int64_t)fuzz_below(p, 8);
  }
}

size_t fuzz_size(player *p) {
  static const size_t sizes[] = {0, 1, 1, 2, 2, 3, 4, 8, 100, SIZE_MAX};
  return sizes[fuzz_below(p, sizeof sizes / sizeof *sizes)];
}

size_t fuzz_few(player *p) { return fuzz_below(p, 9); }

size_t fuzz_little(player *p) { return fuzz_below(p, LITTLE); }

enum { MANY = 600 };

size_t fuzz_many(player *p) {
  return fuzz_percent(p, 90) ? fuzz_below(p, 8) : fuzz_below(p, MANY);
}

/* ---- Times --------------------------------------------------------------- */

static double wrong_time(player *p) { return fuzz_flag(p) ? NAN : -0.25; }

double fuzz_seconds(player *p, call *c) {
  if (fuzz_percent(p, 6)) return wrong_time(p);
  if (c->is_immediate) return fuzz_percent(p, 90) ? 0 : 1e-5;
  if (fuzz_percent(p, 6)) return fuzz_flag(p) ? INFINITY : 1e9;
  if (fuzz.threads == 1) return 1 + (double)fuzz_below(p, 3);
  if (fuzz_percent(p, 30)) return 0;
  return 2e-5 * (double)(1u << fuzz_below(p, 8));
}

double fuzz_period(player *p, call *c) {
  if (fuzz_percent(p, 6)) return wrong_time(p);
  if (fuzz_percent(p, 4)) return c->is_immediate ? 0 : INFINITY;
  if (fuzz.threads == 1) return 1 + (double)fuzz_below(p, 3);
  return 2e-4 * (double)(1u << fuzz_below(p, 8));
}

/* As far as a virtual clock may go in one call. */
double fuzz_moment(player *p, call *c) {
  (void)c;
  if (fuzz_percent(p, 6)) return wrong_time(p);
  return (fuzz.threads == 1 ? 1.0 : 1e-3) * (double)fuzz_below(p, 5);
}

double fuzz_timeout(player *p, call *c) {
  (void)c;
  if (fuzz_percent(p, 3)) return NAN;
  return fuzz.threads == 1 || fuzz_flag(p) ? 0 : 5e-5;
}

/* ---- Texts --------------------------------------------------------------- */

static const char *const texts[] = {
    "a",
    "",
    "name",
    "ein Wort, l\xc3\xa4nger als die anderen Worte",
    "\xf0\x9f\x90\x9d",
    "no \xff text",
    "\xe2\x82"};

const char *fuzz_text(player *p, call *c) {
  (void)c;
  if (fuzz_percent(p, 4)) return NULL;
  return texts[fuzz_below(p, sizeof texts / sizeof *texts)];
}

const void *fuzz_lasting_bytes(player *p, call *c, size_t *size) {
  const char *text = fuzz_text(p, c);
  *size = text ? strlen(text) : fuzz_below(p, 2);
  return text;
}

const void *fuzz_bytes(player *p, call *c, size_t *size) {
  const void *text = fuzz_lasting_bytes(p, c, size);
  if (text == NULL || c->block != NULL) return text;
  c->block = malloc(*size + 1);
  if (c->block == NULL) abort();
  return memcpy(c->block, text, *size + 1);
}

/* ---- Arrays -------------------------------------------------------------- */

size_t fuzz_count_of(player *p, int32_t type) {
  return type == RAC_ARRAY_VALUES ? fuzz_little(p) : fuzz_many(p);
}

const void *fuzz_elements(player *p, call *c, int32_t type, size_t *count) {
  static const int64_t integers[MANY] = {1, 2, 3, INT64_MIN, INT64_MAX};
  static const double doubles[MANY] = {1, 2.5, NAN, INFINITY, -0.0, 1e300};
  if (type == RAC_ARRAY_VALUES) return fuzz_values(p, c, count);
  if (!fuzz_percent(p, 4))
    return type == RAC_ARRAY_INT64S ? (const void *)integers : doubles;
  *count = fuzz_percent(p, 80) ? *count : SIZE_MAX;
  return NULL;
}

void *fuzz_pointer(player *p) {
  static char target;
  return fuzz_percent(p, 10) ? NULL : &target;
}
