/* Parts of the fuzzer, step by step: what it must not forget, and must not
 * take for a failure.
 */
#include "handles.c"

options fuzz = {.threads = 3};

static bool check(bool is_so, const char *what) {
  if (!is_so) fprintf(stderr, "test_parts: not so: %s\n", what);
  return is_so;
}

/* ---- What a thread of the library's lets go of while the round ends ------ */

static int disposed;

static void note_disposed(void *context) {
  (void)context;
  disposed++;
}

static bool test_endings(player *p) {
  uint64_t objects = rac_live_objects();
  /* Others are there before it, and after the pools were emptied. */
  end_later(rac_disposable_create(NULL, note_disposed, NULL));
  unsigned place = take_place();
  fuzz_empty_pools(p);
  end_later(rac_disposable_create(NULL, note_disposed, NULL));
  fuzz_empty_pools(p);
  bool is_good = check(disposed == 2, "those that are there are disposed");
  end_at(place, rac_disposable_create(NULL, note_disposed, NULL));
  fuzz_empty_pools(p);
  is_good &= check(disposed == 3, "so is the one that comes late");
  return is_good & check(rac_live_objects() == objects, "all are released");
}

/* ---- Disposals of nothing ------------------------------------------------ */

static void *make_subscription(player *p) {
  rac_destroy_fn destroy;
  void *context;
  do context = fuzz_context(p, SUBSCRIPTION, &destroy);
  while (context == NULL);
  return context;
}

/* A context in use for a second time has no disposable yet. */
static bool test_null(player *p) {
  void *context = make_subscription(p), *other = NULL;
  /* In the same place as NULL. */
  fuzz_note_subscription(context, (void *)(uintptr_t)(1 << 20));
  fuzz_rac_destroy_fn(context);
  while ((other = make_subscription(p)) != context) fuzz_rac_destroy_fn(other);
  fuzz_note_disposed(p, NULL, false);
  fuzz_leave(fuzz_enter(context), context);
  fuzz_rac_destroy_fn(context);
  return check(fuzz_failures() == 0, "NULL is nobody's disposable");
}

int main(void) {
  player *p = fuzz_player();
  /* Callbacks do nothing. */
  fuzz_begin_contexts(true);
  bool is_good = test_endings(p);
  is_good &= test_null(p);
  return is_good ? EXIT_SUCCESS : EXIT_FAILURE;
}
