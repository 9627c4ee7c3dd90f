/* Which function is called next, and what is borrowed for it. */
#include "fuzz.h"

enum { WEIGHT = 1 << 14 };

static uint16_t choices[WEIGHT];
static size_t choice_count;
static struct {
  atomic_ullong calls, successes;
} counts[FUNCTIONS];

bool fuzz_begins_as_one(const char *name, const char *prefixes) {
  while (*prefixes != 0) {
    size_t length = strcspn(prefixes, ",");
    if (length > 0 && strncmp(name, prefixes, length) == 0) return true;
    prefixes += length + (prefixes[length] == ',');
  }
  return false;
}

bool fuzz_is_left_out(const char *name) {
  if (fuzz.only && !fuzz_begins_as_one(name, fuzz.only)) return true;
  if (fuzz.closes && fuzz_outlasts_close(name)) return true;
  const char *found = fuzz.without;
  size_t length = strlen(name);
  while (found && (found = strstr(found, name)) != NULL) {
    bool begins = found == fuzz.without || found[-1] == ',';
    if (begins && (found[length] == 0 || found[length] == ',')) return true;
    found += length;
  }
  return false;
}

void fuzz_set_up_calls(void) {
  choice_count = 0;
  for (int i = 0; i < FUNCTIONS; i++) {
    if (fuzz_is_left_out(fuzz_functions[i].name)) continue;
    for (int n = 0; n < fuzz_functions[i].weight; n++) {
      if (choice_count == WEIGHT) abort();
      choices[choice_count++] = (uint16_t)i;
    }
  }
  if (choice_count > 0) return;
  fputs("fuzz: nothing is left to be called\n", stderr);
  exit(2);
}

void fuzz_call_something(player *p) {
  fuzz_functions[choices[fuzz_below(p, choice_count)]].call(p);
}

call fuzz_begin(player *p, int function) {
  call c;
  c.function = function;
  c.cost = 0;
  c.is_immediate = false;
  c.is_after_close = fuzz_is_closed();
  c.owned = 0;
  c.block = NULL;
  c.before = p->function;
  p->function = fuzz_functions[function].name;
  p->calls++;
  if (fuzz.counts)
    atomic_fetch_add_explicit(&counts[function].calls, 1, memory_order_relaxed);
  if (fuzz.trace)
    fprintf(stderr, "%d.%d%*s %s", p->number, p->call, p->depth, "",
            p->function);
  return c;
}

void fuzz_end(player *p, call *c) {
  for (int i = 0; i < c->owned; i++) rac_value_release(c->owns[i]);
  if (c->block) {
    memset(c->block, 0x55, 1);
    free(c->block);
  }
  p->function = c->before;
}

static void count(call *c, bool succeeded) {
  if (fuzz.counts && succeeded)
    atomic_fetch_add_explicit(&counts[c->function].successes, 1,
                              memory_order_relaxed);
}

void fuzz_note(player *p, call *c, bool succeeded) {
  (void)p;
  count(c, succeeded);
  if (c->is_after_close && succeeded)
    fuzz_note_after_close(fuzz_functions[c->function].name, RAC_OK);
}

void fuzz_note_status(player *p, call *c, rac_status status) {
  (void)p;
  count(c, status >= 0);
  if (c->is_after_close)
    fuzz_note_after_close(fuzz_functions[c->function].name, status);
}

void fuzz_print_counts(void) {
  for (int i = 0; i < FUNCTIONS; i++)
    printf("%-48s %10llu %10llu\n", fuzz_functions[i].name,
           (unsigned long long)atomic_load(&counts[i].calls),
           (unsigned long long)atomic_load(&counts[i].successes));
}
