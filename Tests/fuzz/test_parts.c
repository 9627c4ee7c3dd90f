/* Parts of the fuzzer, step by step. */
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

int main(void) {
  player *p = fuzz_player();
  /* Callbacks do nothing. */
  fuzz_begin_contexts(true);
  return test_endings(p) ? EXIT_SUCCESS : EXIT_FAILURE;
}
