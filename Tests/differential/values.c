/* Values as numbers: the kind, then what the kind needs. nil 0; a truth value,
 * an integer; a string as the number it spells; a tuple as its count and its
 * elements; an error as its domain and code; an event as its type and value; a
 * signal, which is only ever written, as the key of its group. */

#include "player.h"

#include <stdio.h>
#include <stdlib.h>

static const char *const domains[] = {"test", "rac.callback", "rac",
                                      "rac.signal"};
enum { DOMAINS = 4 };

static rac_value read_tuple(const int64_t **from) {
  rac_value elements[MAX_EVENTS] = {{0}};
  size_t count = (size_t) * (*from)++;
  for (size_t i = 0; i < count; i++) elements[i] = read_value(from);
  rac_value tuple = rac_value_tuple(elements, count);
  for (size_t i = 0; i < count; i++) rac_value_release(elements[i]);
  return tuple;
}

static rac_value read_event(const int64_t **from) {
  int64_t type = *(*from)++;
  rac_value value = read_value(from), event = rac_value_event_completed();
  if (type == RAC_EVENT_NEXT) event = rac_value_event_next(value);
  if (type == RAC_EVENT_ERROR) event = rac_value_event_error(value);
  rac_value_release(value);
  return event;
}

/* Owned. */
rac_value read_value(const int64_t **from) {
  switch (*(*from)++) {
  case RAC_BOOL:
    return rac_value_bool(*(*from)++ != 0);
  case RAC_INT64:
    return rac_value_int64(*(*from)++);
  case RAC_DOUBLE: {
    rac_value number = {RAC_DOUBLE, 0, 0, 0, *(*from)++};
    return number;
  }
  case RAC_STRING: {
    char text[24];
    int length = snprintf(text, sizeof text, "%lld", (long long)*(*from)++);
    return rac_value_string_copy(text, (size_t)length);
  }
  case RAC_TUPLE:
    return read_tuple(from);
  case RAC_ERROR: {
    int64_t domain = *(*from)++, code = *(*from)++;
    return rac_value_error(domains[domain], code, "");
  }
  case RAC_EVENT:
    return read_event(from);
  default:
    return rac_value_nil();
  }
}

static int64_t spelled(rac_value string) {
  const char *text = "";
  size_t length = 0;
  rac_value_get_string(string, &text, &length);
  return strtoll(text, NULL, 10);
}

/* The value or the error of an event. */
static rac_value inside(rac_value event) {
  return rac_event_get_type(event) == RAC_EVENT_ERROR
             ? rac_event_get_error(event)
             : rac_event_get_value(event);
}

/* What the callbacks count with, whatever the value is. */
int64_t number_of(rac_value value) {
  int64_t sum = 0;
  switch (value.kind) {
  case RAC_BOOL:
  case RAC_INT64:
    return value.bits;
  case RAC_STRING:
    return spelled(value);
  case RAC_TUPLE:
    for (size_t i = 0; i < rac_tuple_count(value); i++)
      sum += number_of(rac_tuple_get(value, i));
    return sum;
  case RAC_ERROR:
    return rac_error_get_code(value);
  case RAC_EVENT:
    return number_of(inside(value));
  default:
    return 0;
  }
}

static void write_error(rac_value error) {
  int64_t domain = 0;
  while (domain < DOMAINS &&
         strcmp(domains[domain], rac_error_get_domain(error)) != 0)
    domain++;
  write_down(domain);
  write_down(rac_error_get_code(error));
}

static void write_key(rac_value value) {
  rac_signal *signal = rac_value_to_signal(value);
  rac_value key = rac_value_nil();
  rac_signal_get_key(signal, &key);
  write_value(key);
  rac_release(signal);
}

void write_value(rac_value value) {
  write_down(value.kind);
  switch (value.kind) {
  case RAC_NIL:
    break;
  case RAC_BOOL:
  case RAC_INT64:
    write_down(value.bits);
    break;
  case RAC_STRING:
    write_down(spelled(value));
    break;
  case RAC_TUPLE:
    write_down((int64_t)rac_tuple_count(value));
    for (size_t i = 0; i < rac_tuple_count(value); i++)
      write_value(rac_tuple_get(value, i));
    break;
  case RAC_ERROR:
    write_error(value);
    break;
  case RAC_EVENT:
    write_down(rac_event_get_type(value));
    write_value(inside(value));
    break;
  case RAC_SIGNAL:
    write_key(value);
    break;
  default:
    write_down(value.bits);
    break;
  }
}
