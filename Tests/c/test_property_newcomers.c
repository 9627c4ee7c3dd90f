/* Who subscribes to a property while threads set it hears the current value and
 * every later one, in the order in which everybody hears them. */
#include "property_setters.h"

typedef struct log {
  int64_t *values;
  int64_t capacity;
  atomic_long used;
  atomic_int destroyed;
} log;

static void log_next(void *context, rac_value value) {
  log *self = context_target(context);
  long used = atomic_load_explicit(&self->used, memory_order_relaxed);
  if (used < self->capacity) self->values[used] = value.bits;
  atomic_store_explicit(&self->used, used + 1, memory_order_release);
}

static rac_disposable *log_to(log *self, rac_property *p, int64_t capacity) {
  self->capacity = capacity;
  self->values = calloc((size_t)capacity, sizeof *self->values);
  atomic_init(&self->used, 0);
  atomic_init(&self->destroyed, 0);
  return rac_subscribe_next(rac_property_as_signal(p),
                            context_new(self, &self->destroyed), log_next,
                            context_destroy);
}

/* Law 23: a value is heard once; a late one hears the last part of it. */
TEST(no_value_is_lost_or_seen_twice_and_newcomers_get_a_suffix) {
  int64_t count = check_scaled(60000), most = SETTERS * count + 1;
  owned rac_property *p = property(0);
  log first;
  rac_disposable *subscription = log_to(&first, p, most);
  atomic_int left = SETTERS;
  setter setters[SETTERS];
  pthread_t threads[SETTERS];
  for (int i = 0; i < SETTERS; i++) {
    setters[i] = (setter){p, i, count, &left};
    threads[i] = check_spawn(set_many, &setters[i]);
  }
  enum { LATE = 50 };
  static log late[LATE];
  rac_disposable *subscriptions[LATE];
  for (int i = 0; i < LATE; i++) subscriptions[i] = log_to(&late[i], p, most);
  for (int i = 0; i < SETTERS; i++) check_join(threads[i]);
  CHECK_STATUS(rac_settle(-1), RAC_OK);
  int64_t all = atomic_load(&first.used);
  CHECK(all <= most);
  /* Every setter's own values in its own order; of those that waited the last. */
  int64_t seen[SETTERS] = {0};
  for (int64_t i = 1; i < all; i++) {
    int64_t who = first.values[i] >> 32;
    CHECK(who >= 0 && who < SETTERS);
    CHECK((first.values[i] & 0xffffffff) > seen[who]);
    seen[who] = first.values[i] & 0xffffffff;
  }
  for (int i = 0; i < LATE; i++) {
    /* One more, behind whatever is still on its way. */
    long used = atomic_load(&late[i].used);
    CHECK(used >= 1 && used <= all);
    CHECK(memcmp(late[i].values, first.values + all - used,
                 (size_t)used * sizeof(int64_t)) == 0);
    rac_dispose_and_wait(subscriptions[i], -1);
    rac_release(subscriptions[i]);
    free(late[i].values);
  }
  rac_value last;
  rac_property_get(p, &last);
  CHECK_INT(last.bits, first.values[all - 1]);
  rac_dispose_and_wait(subscription, -1);
  rac_release(subscription);
  free(first.values);
}

/* ---- On the threads that set ---------------------------------------------- */

enum { NEWCOMERS = 8 };

typedef struct family {
  rac_property *property;
  int64_t count, all;
  log late[2][NEWCOMERS];
  rac_disposable *subscriptions[2][NEWCOMERS];
} family;

typedef struct member {
  family *family;
  int number;
} member;

static void *set_and_subscribe(void *argument) {
  member *self = argument;
  family *f = self->family;
  int come = 0;
  for (int64_t i = 1; i <= f->count; i++) {
    rac_property_set(f->property, I((int64_t)self->number << 32 | i));
    if (i * NEWCOMERS / f->count <= come || come == NEWCOMERS) continue;
    f->subscriptions[self->number][come] =
        log_to(&f->late[self->number][come], f->property, f->all);
    come++;
  }
  return NULL;
}

/* Law 23: also where the subscription is made in the background, because the
 * thread has no scheduler. */
TEST(newcomers_of_the_threads_that_set_hear_a_suffix) {
  static family f;
  memset(&f, 0, sizeof f);
  f.property = property(0);
  f.count = check_scaled(20000) + NEWCOMERS;
  f.all = 2 * f.count + 1;
  log whole;
  rac_disposable *subscription = log_to(&whole, f.property, f.all);
  member members[2] = {{&f, 0}, {&f, 1}};
  pthread_t threads[2];
  for (int i = 0; i < 2; i++)
    threads[i] = check_spawn(set_and_subscribe, &members[i]);
  for (int i = 0; i < 2; i++) check_join(threads[i]);
  CHECK_STATUS(rac_settle(-1), RAC_OK);
  int64_t all = atomic_load(&whole.used);
  for (int i = 0; i < 2 * NEWCOMERS; i++) {
    log *late = &f.late[i % 2][i / 2];
    long used = atomic_load(&late->used);
    CHECK(used >= 1 && used <= all);
    CHECK(memcmp(late->values, whole.values + all - used,
                 (size_t)used * sizeof(int64_t)) == 0);
    rac_dispose_and_wait(f.subscriptions[i % 2][i / 2], -1);
    rac_release(f.subscriptions[i % 2][i / 2]);
    free(late->values);
  }
  rac_dispose_and_wait(subscription, -1);
  rac_release(subscription);
  free(whole.values);
  rac_release(f.property);
}
