/* The callbacks that the operators of the differential test are given, under
 * the names that operators.def has for them. Their context is a copy of the
 * node's parameters and of its signals but the first. The first parameter is a
 * number at which the callback fails. */
#ifndef RAC_DIFFERENTIAL_CALLBACKS_H
#define RAC_DIFFERENTIAL_CALLBACKS_H

#include "player.h"

#include <stdlib.h>

enum { FAILURE = -50 };

struct knowledge {
  int64_t parameters[MAX_PARAMETERS];
  rac_signal *signals[MAX_SIGNALS];
  int64_t count;
};

static void *know(const struct node *node) {
  struct knowledge *it = calloc(1, sizeof *it);
  if (it == NULL) abort();
  memcpy(it->parameters, node->parameters, sizeof it->parameters);
  for (size_t i = 1; i < node->count; i++)
    it->signals[it->count++] = rac_retain(node->signals[i]);
  contexts++;
  return it;
}

static void forget(void *context) {
  struct knowledge *it = context;
  for (int64_t i = 0; i < it->count; i++) rac_release(it->signals[i]);
  free(it);
  contexts--;
}

static int64_t parameter(void *context, int which) {
  return ((struct knowledge *)context)->parameters[which];
}
static rac_status verdict(void *context, int64_t number) {
  return number == parameter(context, 0) ? FAILURE : RAC_OK;
}

static rac_status times_ten(void *context, rac_value value, rac_value *out) {
  *out = rac_int64(number_of(value) * 10);
  return verdict(context, number_of(value));
}
static rac_status above(void *context, rac_value value, bool *out) {
  *out = number_of(value) > parameter(context, 1);
  return verdict(context, number_of(value));
}
static rac_status not_above(void *context, rac_value value, bool *out) {
  rac_status status = above(context, value, out);
  *out = !*out;
  return status;
}
static rac_status add(void *context, rac_value running, rac_value next,
                      rac_value *out) {
  *out = rac_int64(number_of(running) + number_of(next));
  return verdict(context, number_of(next));
}
static rac_status add_indexed(void *context, rac_value running, rac_value next,
                              size_t index, rac_value *out) {
  *out = rac_int64(number_of(running) + number_of(next) * ((int64_t)index + 1));
  return verdict(context, number_of(next));
}
static rac_status pair(void *context, rac_value previous, rac_value next,
                       rac_value *out) {
  rac_value both[2] = {previous, next};
  *out = rac_value_tuple(both, 2);
  return verdict(context, number_of(next));
}
static rac_status sum(void *context, const rac_value *elements, size_t count,
                      rac_value *out) {
  int64_t total = 0;
  for (size_t i = 0; i < count; i++) total += number_of(elements[i]);
  *out = rac_int64(total);
  return verdict(context, total);
}
/* By the same as `key`, and so that many are equal; nil is the least. */
static int64_t rank(rac_value value) {
  return value.kind == RAC_NIL ? INT64_MIN : number_of(value) % 3;
}
static rac_status order(void *context, rac_value value, rac_value other,
                        int32_t *out) {
  *out = (rank(value) > rank(other)) - (rank(value) < rank(other));
  *out *= 7;
  return verdict(context, number_of(value));
}
static rac_status key(void *context, rac_value value, rac_value *out) {
  if (value.kind != RAC_NIL) *out = rac_int64(number_of(value) % 3);
  return verdict(context, number_of(value));
}
/* Even ones twice, as the number of the value and as itself, odd ones not at all;
 * the second parameter ends the stream. Before a completion how many there were;
 * an error with that code is a completion. */
static rac_status steps(void *context, rac_step *step, rac_value value,
                        rac_value *out) {
  int64_t *count = step->state, number = number_of(value);
  if (step->event == RAC_EVENT_ERROR)
    return number == parameter(context, 1) ? RAC_STEP_COMPLETE : RAC_OK;
  if (step->event == RAC_EVENT_COMPLETED) {
    *out = rac_int64(*count);
    return RAC_OK;
  }
  ++*count;
  if (number % 2 == 0) {
    rac_step_send(step, rac_int64(*count));
    *out = rac_value_retain(value);
  }
  if (number == parameter(context, 1)) return RAC_STEP_COMPLETE;
  return verdict(context, number);
}
static void cleared(void *context, void *state) {
  (void)state;
  (void)parameter(context, 0);
}
/* For operators that call it once, or once for each subscription. */
static rac_status make_value(void *context, rac_value *out) {
  char text[] = "7";
  *out = rac_value_string_copy(text, 1);
  return parameter(context, 1) != 0 ? FAILURE : RAC_OK;
}
static rac_status attempt(void *context, rac_value value) {
  if (number_of(value) != parameter(context, 0)) return RAC_OK;
  rac_value error = rac_value_error("test", number_of(value), "");
  rac_status status = rac_raise(error);
  rac_value_release(error);
  return status;
}

/* One of the signals, by the value's number; a string gives none. */
static rac_status choose(void *context, rac_value value, rac_signal **out) {
  struct knowledge *it = context;
  int64_t place = number_of(value) % it->count;
  if (place < 0) place += it->count;
  if (value.kind != RAC_STRING) *out = rac_retain(it->signals[place]);
  return verdict(context, number_of(value));
}
/* For 1 to 4 the first two values of a signal, each as one less. */
static rac_status one_less(void *context, rac_value value, rac_signal **out) {
  int64_t number = number_of(value);
  if (number < 1 || number > 4) return verdict(context, number);
  rac_status status = choose(context, value, out);
  if (*out == NULL) return status;
  rac_signal *two = rac_signal_take(*out, 2);
  rac_release(*out);
  *out = rac_signal_map_replace(two, rac_int64(number - 1));
  rac_release(two);
  return status;
}
/* One of the signals in turn; after the last one none. */
static rac_status again_once(void *context, rac_value value, size_t index,
                             rac_signal **out) {
  struct knowledge *it = context;
  if ((int64_t)index < it->count) *out = rac_retain(it->signals[index]);
  return verdict(context, number_of(value));
}
static rac_status acquire(void *context, rac_value *out) {
  *out = rac_value_string_copy("7", 1);
  return parameter(context, 1) == 3 ? FAILURE : RAC_OK;
}
static rac_status choose_or_stop(void *context, rac_value value, bool *stop,
                                 rac_signal **out) {
  *stop = number_of(value) == parameter(context, 1);
  return choose(context, value, out);
}
static rac_status the_signal(void *context, rac_signal **out) {
  struct knowledge *it = context;
  if (it->parameters[1] == 0) *out = rac_retain(it->signals[0]);
  return it->parameters[1] == 1 ? FAILURE : RAC_OK;
}
static rac_status use_signal(void *context, rac_value value, rac_signal **out) {
  return number_of(value) == 7 ? the_signal(context, out) : FAILURE;
}
/* The chosen signal as a value. nil and strings stay what they are. */
static rac_status as_signal_value(void *context, rac_value value,
                                  rac_value *out) {
  rac_signal *signal = NULL;
  if (value.kind != RAC_NIL) choose(context, value, &signal);
  *out = signal != NULL ? rac_value_signal(signal) : rac_value_retain(value);
  rac_release(signal);
  return RAC_OK;
}

static void called_with(void *context, rac_value value) {
  if (parameter(context, 0) != 0) write_event(CALLED, value);
}
static void called(void *context) { called_with(context, rac_value_nil()); }

#endif /* RAC_DIFFERENTIAL_CALLBACKS_H */
