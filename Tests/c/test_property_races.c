/* Properties that several threads set, read, bind and let go. */
#include "property_setters.h"
#include "shared_callbacks.h"

/* ---- Reads see whole values ---------------------------------------------- */

typedef struct reading {
  rac_property *property;
  atomic_bool stop;
  atomic_long reads;
} reading;

/* A number, a double of the same, or a pair of twice the same. */
static bool is_whole(rac_value value) {
  double number;
  switch (value.kind) {
  case RAC_INT64:
    return (value.bits & 0xffff) == (value.bits >> 16 & 0xffff);
  case RAC_DOUBLE:
    return rac_value_get_double(value, &number) == RAC_OK &&
           number == (double)(int64_t)number;
  case RAC_TUPLE:
    return rac_tuple_count(value) == 2 &&
           rac_tuple_get(value, 0).bits == rac_tuple_get(value, 1).bits;
  default:
    return value.kind == RAC_NIL;
  }
}

static void *read_many(void *argument) {
  reading *self = argument;
  long reads = 0;
  while (!atomic_load_explicit(&self->stop, memory_order_relaxed)) {
    rac_value value;
    if (rac_property_get(self->property, &value) != RAC_OK ||
        !is_whole(value)) {
      CHECK(!"a torn value");
      break;
    }
    rac_value_release(value);
    reads++;
  }
  atomic_fetch_add(&self->reads, reads);
  return NULL;
}

static void set_one(rac_property *p, uint64_t number) {
  int64_t half = (int64_t)(number & 0x7fff);
  rac_value pair;
  switch (number >> 20 & 3) {
  case 0:
    rac_property_set(p, I(half << 16 | half));
    break;
  case 1:
    rac_property_set(p, rac_value_double((double)half));
    break;
  default:
    pair = rac_value_tuple((rac_value[]){I(half), I(half)}, 2);
    rac_property_set(p, pair);
    rac_value_release(pair);
  }
}

/* Law 23: as it was set. */
TEST(readers_see_whole_values) {
  reading reading = {.property = rac_property_create(rac_value_nil(), 0)};
  pthread_t readers[2];
  for (int i = 0; i < 2; i++) readers[i] = check_spawn(read_many, &reading);
  uint64_t state = 1;
  for (int64_t i = 0, count = check_scaled(200000); i < count; i++)
    set_one(reading.property, check_random(&state));
  atomic_store(&reading.stop, true);
  for (int i = 0; i < 2; i++) check_join(readers[i]);
  rac_release(reading.property);
}

/* A reader beside setters on two threads, each in the other's way. */
static void *set_some(void *argument) {
  setter *self = argument;
  uint64_t state = (uint64_t)self->number;
  for (int64_t i = 0; i < self->count; i++)
    set_one(self->property, check_random(&state));
  return NULL;
}

TEST(readers_beside_several_setters) {
  reading reading = {.property = rac_property_create(rac_value_nil(), 0)};
  pthread_t reader = check_spawn(read_many, &reading);
  setter setters[2];
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) {
    setters[i] = (setter){reading.property, i + 5, check_scaled(50000), NULL};
    threads[i] = check_spawn(set_some, &setters[i]);
  }
  for (int i = 0; i < 2; i++) check_join(threads[i]);
  atomic_store(&reading.stop, true);
  check_join(reader);
  rac_release(reading.property);
}

/* ---- Reads of what is going away ----------------------------------------- */

static void *read_until_stale(void *argument) {
  reading *self = argument;
  rac_status status;
  do {
    rac_value value;
    status = rac_property_get(self->property, &value);
    if (status == RAC_OK) CHECK(is_whole(value));
    rac_value_release(value);
  } while (status == RAC_OK);
  CHECK_STATUS(status, RAC_ESTALE);
  return NULL;
}

TEST(a_property_may_go_while_it_is_read) {
  for (int64_t i = 0, count = check_scaled(300); i < count; i++) {
    rac_value pair = rac_value_tuple((rac_value[]){I(i), I(i)}, 2);
    reading reading = {.property = rac_property_create(pair, 0)};
    rac_value_release(pair);
    pthread_t reader = check_spawn(read_until_stale, &reading);
    for (int64_t n = 0; n < 50; n++)
      set_one(reading.property, (uint64_t)n << 20);
    rac_release(reading.property);
    /* Another may get the slot at once: the old handle must not read it. */
    owned rac_property *next = rac_property_create(I(1), 0);
    check_join(reader);
  }
}

/* ---- modify -------------------------------------------------------------- */

static void *modify_many(void *argument) {
  setter *self = argument;
  for (int64_t i = 0; i < self->count; i++)
    rac_property_modify(self->property, CALLBACK(plus_one));
  return NULL;
}

TEST(no_modification_is_lost) {
  int64_t count = check_scaled(20000);
  owned rac_property *p = property(0);
  setter setters[SETTERS];
  pthread_t threads[SETTERS];
  for (int i = 0; i < SETTERS; i++) {
    setters[i] = (setter){p, i, count, NULL};
    threads[i] = check_spawn(modify_many, &setters[i]);
  }
  for (int i = 0; i < SETTERS; i++) check_join(threads[i]);
  rac_value value = {0};
  WAIT_UNTIL(rac_property_get(p, &value) == RAC_OK &&
             value.bits == SETTERS * count);
}

/* ---- Derived properties --------------------------------------------------- */

static rac_status sum(void *context, const rac_value *elements, size_t count,
                      rac_value *out) {
  atomic_long *calls = context_target(context);
  atomic_fetch_add_explicit(calls, 1, memory_order_relaxed);
  *out = I(0);
  for (size_t i = 0; i < count; i++) out->bits += elements[i].bits & 0xffffffff;
  return RAC_OK;
}

TEST(a_derived_property_made_while_its_sources_change_is_up_to_date) {
  int64_t count = check_scaled(20000);
  rac_property *p[2] = {property(0), property(0)};
  atomic_int left = 2;
  setter setters[2];
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) {
    setters[i] = (setter){p[i], 0, count, &left};
    threads[i] = check_spawn(set_many, &setters[i]);
  }
  enum { MANY = 20 };
  rac_property *derived[MANY];
  atomic_long calls[MANY];
  for (int i = 0; i < MANY; i++) {
    atomic_init(&calls[i], 0);
    derived[i] =
        rac_property_combine_latest(p, 2, 0, CALLBACK_FOR(&calls[i], sum));
  }
  for (int i = 0; i < 2; i++) check_join(threads[i]);
  for (int i = 0; i < MANY; i++) {
    rac_value value = {0};
    WAIT_UNTIL(rac_property_get(derived[i], &value) == RAC_OK &&
               value.bits == 2 * count);
    CHECK(atomic_load(&calls[i]) <= 2 * count + 1);
    rac_release(derived[i]);
  }
  for (int i = 0; i < 2; i++) rac_release(p[i]);
}

/* ---- Bindings -------------------------------------------------------------- */

static void *bind_many(void *argument) {
  setter *self = argument;
  owned rac_signal *one = rac_signal_return(I(1));
  for (int64_t i = 0; i < self->count; i++) {
    owned rac_disposable *binding =
        rac_property_bind(self->property, one, rac_value_nil());
    if (binding == NULL) CHECK_STATUS(rac_last_error_code(), RAC_EBUSY);
    if (binding != NULL) rac_dispose(binding);
  }
  return NULL;
}

TEST(threads_that_bind_get_one_binding_at_a_time) {
  rac_set_subscribe_inline(true);
  rac_property *p = property(0);
  setter setters[2];
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) {
    setters[i] = (setter){p, i, check_scaled(5000), NULL};
    threads[i] = check_spawn(bind_many, &setters[i]);
  }
  for (int i = 0; i < 2; i++) check_join(threads[i]);
  rac_signal *one = rac_signal_return(I(7));
  rac_disposable *binding = rac_property_bind(p, one, rac_value_nil());
  CHECK(binding != NULL);
  rac_release(binding);
  rac_release(one);
  rac_release(p);
  rac_set_subscribe_inline(false);
}
