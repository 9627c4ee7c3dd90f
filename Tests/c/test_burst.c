/* A burst: very many objects that are made, and freed in random order. What
 * comes afterwards finds the process as it was: its memory is back with the
 * system, old handles are stale, and new objects lie in order. */
#include "process.h"
#include "shared_callbacks.h"

/* Even places have subjects, odd ones what has subscribed to the one before. */
typedef struct burst {
  int64_t count;
  void **handles;
  int64_t *order;
  int64_t peak;
} burst;

static burst *burst_new(int64_t count) {
  burst *self = calloc(1, sizeof *self);
  if (!self) abort();
  self->count = count / 2 * 2;
  self->handles = calloc((size_t)self->count, sizeof *self->handles);
  self->order = calloc((size_t)self->count, sizeof *self->order);
  if (!self->handles || !self->order) abort();
  uint64_t random = 1;
  for (int64_t i = 0; i < self->count; i++) {
    int64_t other = (int64_t)(check_random(&random) % (uint64_t)(i + 1));
    self->order[i] = self->order[other];
    self->order[other] = i;
    self->handles[i] = self; /* the page is there from now on */
  }
  return self;
}

static void burst_free(burst *self) {
  free(self->handles);
  free(self->order);
  free(self);
}

static void make_all(burst *self) {
  for (int64_t i = 0; i < self->count; i += 2) {
    rac_subject *subject = rac_subject_create();
    self->handles[i] = subject;
    self->handles[i + 1] =
        rac_subscribe_next(as_signal(subject), NULL, ignore_value, NULL);
  }
  self->peak = resident();
}

static void release(burst *self, int64_t i) {
  if (i % 2) rac_dispose(self->handles[i]);
  CHECK_STATUS(rac_release(self->handles[i]), RAC_OK);
}

static void *release_all(void *argument) {
  burst *self = argument;
  for (int64_t i = 0; i < self->count; i++) release(self, self->order[i]);
  return NULL;
}

/* Where the pool is: elsewhere malloc decides what goes back. */
static void check_resident(int64_t now, int64_t limit) {
#ifdef RAC_EMBEDDED
  CHECK(now <= limit);
#else
  (void)now, (void)limit;
#endif
}

enum { LEFT = 1 << 20 };

TEST(what_a_burst_took_goes_back) {
  burst *all = burst_new(check_scaled(600000));
  int64_t before = resident();
  make_all(all);
  int64_t peak = all->peak;
  check_resident(before + 100 * all->count, peak);
  release_all(all);
  check_resident(resident(), before + LEFT);
  make_all(all);
  check_resident(all->peak, peak + peak / 20);
  release_all(all);
  check_resident(resident(), before + LEFT);
  burst_free(all);
}

TEST(another_thread_frees_it) {
  burst *all = burst_new(check_scaled(600000));
  int64_t before = resident();
  make_all(all);
  check_join(check_spawn(release_all, all));
  check_resident(resident(), before + LEFT);
  burst_free(all);
}

TEST(its_handles_are_stale_for_good) {
  burst *old = burst_new(check_scaled(200000));
  burst *later = burst_new(check_scaled(200000));
  for (int round = 0; round < 3; round++) {
    make_all(old);
    release_all(old);
    make_all(later);
    int64_t stale = 0;
    for (int64_t i = 0; i < old->count; i++)
      stale += rac_retain(old->handles[i]) == NULL;
    CHECK_INT(stale, old->count);
    release_all(later);
  }
  burst_free(old);
  burst_free(later);
}

/* The part of a handle that says where it lies. */
static uint64_t place(const void *handle) {
  return (uint64_t)(uintptr_t)handle & 0x7FFFFFF;
}

TEST(what_is_made_next_lies_in_order) {
  /* Not scaled: of few objects too many are the last of their slab. */
  burst *all = burst_new(200000);
  make_all(all);
  release_all(all);
  make_all(all);
  int64_t near = 0;
  for (int64_t i = 2; i < all->count; i += 2)
    near += place(all->handles[i]) - place(all->handles[i - 2]) < 16;
  CHECK(near * 100 > all->count / 2 * 95);
  release_all(all);
  burst_free(all);
}
