/* Values made up, heard, and kept. Values are not checked by the library: each
 * owned one is released once here, and none is used after that.
 */
#include <math.h>

#include "fuzz.h"

/* ---- Objects ------------------------------------------------------------- */

atomic_int fuzz_objects;
static char the_object;

static void retain_object(void *object) {
  (void)object;
  atomic_fetch_add_explicit(&fuzz_objects, 1, memory_order_relaxed);
}
static void release_object(void *object) {
  (void)object;
  atomic_fetch_sub_explicit(&fuzz_objects, 1, memory_order_release);
}
static bool objects_are_equal(void *object, void *other) {
  return object == other;
}
static uint64_t hash_object(void *object) {
  (void)object;
  return 7;
}
static size_t describe_object(void *object, char *buffer, size_t capacity) {
  (void)object;
  return (size_t)snprintf(buffer, capacity, "an object");
}

static const rac_object_class object_class = {.size = sizeof object_class,
                                              .retain = retain_object,
                                              .release = release_object,
                                              .equal = objects_are_equal,
                                              .hash = hash_object,
                                              .describe = describe_object};
static const rac_object_class other_class = {.size = sizeof other_class,
                                             .retain = retain_object,
                                             .release = release_object};
static const rac_object_class wrong_class = {
    .size = 3, .retain = retain_object, .release = release_object};

const rac_object_class *fuzz_object_class(player *p) {
  if (fuzz_percent(p, 90)) return fuzz_flag(p) ? &object_class : &other_class;
  return fuzz_flag(p) ? &wrong_class : NULL;
}

static uint32_t number(player *p) {
  if (fuzz_percent(p, 4))
    return (uint32_t)fuzz_few(p) + (fuzz_flag(p) ? 0 : 900);
  return rac_object_class_register(fuzz_flag(p) ? &object_class : &other_class);
}

void fuzz_rac_value_object(player *p) {
  call c = fuzz_begin(p, FUNCTION_RAC_VALUE_OBJECT);
  rac_value lent = rac_value_object(&the_object, number(p));
  fuzz_take_value(p, rac_value_retain(lent));
  fuzz_end(p, &c);
}

/* A reference of its own, if it is taken. */
void fuzz_rac_value_object_owned(player *p) {
  call c = fuzz_begin(p, FUNCTION_RAC_VALUE_OBJECT_OWNED);
  rac_value owned = rac_value_object_owned(&the_object, number(p));
  if (owned.kind == RAC_OBJECT) retain_object(&the_object);
  fuzz_take_value(p, owned);
  fuzz_end(p, &c);
}

/* ---- Made up ------------------------------------------------------------- */

static rac_value scalar(player *p) {
  switch (fuzz_below(p, 12)) {
  case 0:
    return rac_value_nil();
  case 1:
    return rac_value_unit();
  case 2:
  case 3:
    return rac_value_bool(fuzz_flag(p));
  case 4:
    return rac_value_double(fuzz_percent(p, 10) ? NAN : 1.5);
  case 5:
    return rac_value_event_completed();
  case 6:
    return rac_value_pointer(fuzz_pointer(p), "fuzz", NULL);
  default:
    return rac_value_int64(fuzz_number(p));
  }
}

rac_value fuzz_error(player *p) {
  if (fuzz_percent(p, 20)) return rac_value_nil();
  return rac_value_error("fuzz", (int64_t)fuzz_below(p, 4), "made up");
}

/* Owned. */
static rac_value with_memory(player *p, call *c) {
  rac_value inner[2];
  switch (fuzz_below(p, 11)) {
  case 0:
    return rac_value_string_copy("copied", 6);
  case 1:
    return rac_value_bytes_copy("\x00\x01\x02", 3);
  case 2:
    retain_object(&the_object);
    return rac_value_object_owned(&the_object,
                                  rac_object_class_register(&object_class));
  case 10:
    return rac_object(&the_object, rac_object_class_register(&other_class));
  case 3:
    return rac_value_event_next(scalar(p));
  case 4:
    return fuzz_error(p);
  case 5:
    return rac_value_signal(fuzz_leaf_signal(p, c));
  case 6:
    return rac_value_signal(fuzz_leaf_signal(p, c));
  case 7:
    return rac_value_sequence(fuzz_leaf_sequence(p, c));
  default:
    inner[0] = scalar(p);
    inner[1] = scalar(p);
    return rac_value_tuple(inner, 2);
  }
}

/* Not sound: refused with a status. */
static rac_value unsound(player *p) {
  rac_value value = rac_value_nil();
  value.kind = (uint8_t)fuzz_below(p, 256);
  if (value.kind == RAC_STRING) value.bits = (int64_t)(intptr_t) "\xff";
  value.length = value.kind == RAC_STRING ? 1 : 0;
  return value;
}

rac_value fuzz_value(player *p, call *c) {
  size_t which = fuzz_below(p, 100);
  rac_value value;
  if (which < 55) return scalar(p);
  if (which < 58) return unsound(p);
  if (which < 62) return rac_value_string_static("static");
  if (which < 68) {
    size_t size = 0;
    const char *text = fuzz_bytes(p, c, &size);
    if (text == NULL) return rac_value_nil();
    return fuzz_flag(p) ? rac_value_string_view(text, size)
                        : rac_value_bytes_view(text, size);
  }
  if (which < 85 && p->number >= 0) {
    value = p->values[fuzz_below(p, KEPT_VALUES)];
    /* A callback of this call may push it out. */
    value = rac_value_retain(value);
  } else {
    value = with_memory(p, c);
  }
  c->owns[c->owned++] = value;
  return value;
}

const rac_value *fuzz_values(player *p, call *c, size_t *count) {
  if (fuzz_percent(p, 4)) {
    if (fuzz_percent(p, 20)) *count = SIZE_MAX;
    return NULL;
  }
  for (size_t i = 0; i < *count; i++) c->list[i] = fuzz_value(p, c);
  return c->list;
}

rac_value fuzz_answer(player *p, rac_value lent) {
  if (fuzz_percent(p, 40)) return rac_value_retain(lent);
  if (fuzz_percent(p, 70)) return scalar(p);
  call c = {0};
  return with_memory(p, &c);
}

/* ---- Heard --------------------------------------------------------------- */

int fuzz_weigh(rac_value value, int limit) {
  int weight = 1;
  size_t count;
  switch (value.kind) {
  case RAC_TUPLE:
    count = rac_tuple_count(value);
    for (size_t i = 0; i < count && weight < limit; i++)
      weight += fuzz_weigh(rac_tuple_get(value, i), limit - weight);
    return weight;
  case RAC_EVENT:
    return weight + fuzz_weigh(rac_event_get_value(value), limit - 1);
  case RAC_ERROR:
    return weight + fuzz_weigh(rac_error_get_underlying(value), limit - 1);
  default:
    return weight;
  }
}

static atomic_uint heard;

void fuzz_hear_bytes(const void *bytes, size_t size) {
  unsigned sum = 0;
  for (size_t i = 0; i < size; i++) sum += ((const unsigned char *)bytes)[i];
  if (sum == 1u) atomic_fetch_add_explicit(&heard, 1, memory_order_relaxed);
}

void fuzz_hear_text(const char *text) {
  if (text) fuzz_hear_bytes(text, strlen(text));
}

static void look_at(rac_value value) {
  const char *text = NULL;
  const void *bytes = NULL;
  size_t size = 0;
  switch (value.kind) {
  case RAC_STRING:
    if (rac_value_get_string(value, &text, &size) == RAC_OK)
      fuzz_hear_bytes(text, size);
    break;
  case RAC_BYTES:
    if (rac_value_get_bytes(value, &bytes, &size) == RAC_OK)
      fuzz_hear_bytes(bytes, size);
    break;
  case RAC_ERROR:
    fuzz_hear_text(rac_error_get_message(value));
    break;
  default:
    break;
  }
}

void fuzz_hear_value(player *p, rac_value value) {
  look_at(value);
  if (value.flags == 0 || p->number < 0 || !fuzz_percent(p, 12)) return;
  if (fuzz_weigh(value, 64) < 64) fuzz_take_value(p, rac_value_retain(value));
}

/* Keeps nothing: a trace shows what a signal is made of, among it the signals that
 * a callback gave, and a value made of one, kept in what it is made of, would be
 * kept for ever. */
void fuzz_hear_trace(player *p, const rac_trace_event *event) {
  (void)p;
  if (event->size != sizeof *event || event->subscription == 0 ||
      event->thread == 0 || event->type < RAC_TRACE_SUBSCRIBE ||
      event->type > RAC_TRACE_LOST)
    fuzz_fail("a trace of a %d of subscription %d", (int)event->type,
              (int)event->subscription);
  fuzz_hear_text(event->name);
  look_at(event->value);
}

/* Keeps nothing, either: what it hears of is as free as a trace. */
void fuzz_hear_unhandled(player *p, const rac_unhandled_error *report) {
  (void)p;
  if (report->size != sizeof *report ||
      (report->error.kind != RAC_ERROR && report->error.kind != RAC_NIL))
    fuzz_fail("nobody handles a value of kind %d", report->error.kind);
  fuzz_hear_text(report->chain);
  look_at(report->error);
  if (report->value != NULL) look_at(*report->value);
}

void fuzz_hear_values(player *p, const rac_value *values, size_t count) {
  for (size_t i = 0; i < count; i++) fuzz_hear_value(p, values[i]);
}

void fuzz_take_value(player *p, rac_value value) {
  if (p->number < 0 || fuzz_weigh(value, 64) >= 64) {
    rac_value_release(value);
    return;
  }
  rac_value *place = &p->values[fuzz_below(p, KEPT_VALUES)];
  rac_value old = *place;
  *place = value;
  rac_value_release(old);
}

void fuzz_release_values(player *p) {
  for (int i = 0; i < KEPT_VALUES; i++) {
    rac_value value = p->values[i];
    p->values[i] = rac_value_nil();
    rac_value_release(value);
  }
}

void fuzz_rac_value_release(player *p) {
  call c = fuzz_begin(p, FUNCTION_RAC_VALUE_RELEASE);
  fuzz_take_value(p, rac_value_nil());
  fuzz_end(p, &c);
}
