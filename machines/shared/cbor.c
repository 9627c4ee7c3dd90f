#include "cbor.h"

#include "opening.h"

rac_status (*open_value)(rac_value value, rac_value *out);

/* An entry of a stranger must not use up the stack. */
enum { DEPTH = 64 };

/* The major types, and the simple values. */
enum {
  UNSIGNED = 0,
  NEGATIVE = 1,
  BYTES = 2,
  TEXT = 3,
  ARRAY = 4,
  MAP = 5,
  TAG = 6,
  SIMPLE = 7
};
enum { FALSE_ = 20, TRUE_ = 21, NULL_ = 22, UNDEFINED = 23 };
enum { HALF = 25, SINGLE = 26, DOUBLE = 27 };
enum { OBJECT_TAG = 27 };

/* ---- Writing ------------------------------------------------------------ */

static size_t put_head(unsigned char *to, int major, uint64_t argument) {
  unsigned char first = (unsigned char)(major << 5);
  if (argument < 24) {
    to[0] = (unsigned char)(first | argument);
    return 1;
  }
  int size = argument <= 0xff         ? 0
             : argument <= 0xffff     ? 1
             : argument <= 0xffffffff ? 2
                                      : 3;
  to[0] = (unsigned char)(first | (24 + size));
  int count = 1 << size;
  for (int i = 0; i < count; i++)
    to[1 + i] = (unsigned char)(argument >> (8 * (count - 1 - i)));
  return 1 + (size_t)count;
}

static rac_status add_head(buffer *out, int major, uint64_t argument) {
  if (!buffer_reserve(out, 9)) return RAC_ENOMEM;
  out->length += put_head(out->bytes + out->length, major, argument);
  return RAC_OK;
}

static rac_status add_text(buffer *out, int major, const void *bytes,
                           size_t length) {
  rac_status status = add_head(out, major, length);
  if (status != RAC_OK) return status;
  return buffer_add(out, bytes, length) ? RAC_OK : RAC_ENOMEM;
}

static rac_status add_value(buffer *out, rac_value value, int depth);

/* The head of an object with so many arguments. */
static rac_status add_object(buffer *out, const char *name, size_t count) {
  rac_status status = add_head(out, TAG, OBJECT_TAG);
  if (status == RAC_OK) status = add_head(out, ARRAY, count + 1);
  if (status == RAC_OK) status = add_text(out, TEXT, name, strlen(name));
  return status;
}

static rac_status add_error(buffer *out, rac_value error, int depth) {
  const char *domain = rac_error_get_domain(error);
  const char *message = rac_error_get_message(error);
  rac_status status = add_object(out, "rac.error", 4);
  if (status == RAC_OK) status = add_text(out, TEXT, domain, strlen(domain));
  if (status == RAC_OK)
    status = add_value(out, rac_int64(rac_error_get_code(error)), depth);
  if (status == RAC_OK) status = add_text(out, TEXT, message, strlen(message));
  if (status == RAC_OK)
    status = add_value(out, rac_error_get_underlying(error), depth);
  return status;
}

static rac_status add_event(buffer *out, rac_value event, int depth) {
  int32_t type = rac_event_get_type(event);
  rac_value content = type == RAC_EVENT_ERROR ? rac_event_get_error(event)
                                              : rac_event_get_value(event);
  rac_status status = add_object(out, "rac.event", 2);
  if (status == RAC_OK) status = add_head(out, UNSIGNED, (uint64_t)type);
  if (status == RAC_OK) status = add_value(out, content, depth);
  return status;
}

static rac_status add_tuple(buffer *out, rac_value tuple, int depth) {
  size_t count = rac_tuple_count(tuple);
  rac_status status = add_head(out, ARRAY, count);
  for (size_t i = 0; status == RAC_OK && i < count; i++)
    status = add_value(out, rac_tuple_get(tuple, i), depth);
  return status;
}

static rac_status add_double(buffer *out, rac_value value) {
  uint64_t bits = (uint64_t)value.bits;
  unsigned char bytes[9] = {SIMPLE << 5 | DOUBLE};
  for (int i = 0; i < 8; i++)
    bytes[1 + i] = (unsigned char)(bits >> (56 - 8 * i));
  return buffer_add(out, bytes, sizeof bytes) ? RAC_OK : RAC_ENOMEM;
}

static rac_status add_value(buffer *out, rac_value value, int depth) {
  const void *bytes = NULL;
  const char *text = NULL;
  size_t length = 0;
  if (depth == DEPTH) return RAC_ERANGE;
  switch (value.kind) {
  case RAC_NIL:
    return add_head(out, SIMPLE, NULL_);
  case RAC_UNIT:
    return add_head(out, SIMPLE, UNDEFINED);
  case RAC_BOOL:
    return add_head(out, SIMPLE, value.bits ? TRUE_ : FALSE_);
  case RAC_INT64:
    if (value.bits < 0)
      return add_head(out, NEGATIVE, (uint64_t)(-1 - value.bits));
    return add_head(out, UNSIGNED, (uint64_t)value.bits);
  case RAC_DOUBLE:
    return add_double(out, value);
  case RAC_STRING:
    if (rac_value_get_string(value, &text, &length) != RAC_OK) return RAC_EKIND;
    return add_text(out, TEXT, text, length);
  case RAC_BYTES:
    if (rac_value_get_bytes(value, &bytes, &length) != RAC_OK) return RAC_EKIND;
    return add_text(out, BYTES, bytes, length);
  case RAC_TUPLE:
    return add_tuple(out, value, depth + 1);
  case RAC_ERROR:
    return add_error(out, value, depth + 1);
  case RAC_EVENT:
    return add_event(out, value, depth + 1);
  default:
    return RAC_EKIND;
  }
}

rac_status cbor_encode(buffer *out, rac_value value) {
  size_t before = out->length;
  rac_value opened;
  rac_status status = opened_value(value, &opened);
  if (status != RAC_OK) return status;
  status = add_value(out, opened, 0);
  rac_value_release(opened);
  if (status != RAC_OK) out->length = before;
  return status;
}

rac_status cbor_encode_end(buffer *out, rac_value error) {
  size_t before = out->length;
  rac_status status = add_object(out, "rac.end", 1);
  if (status == RAC_OK) status = add_value(out, error, 0);
  if (status != RAC_OK) out->length = before;
  return status;
}

/* ---- Reading ------------------------------------------------------------ */

typedef struct input {
  const unsigned char *next, *end;
} input;

static size_t left(const input *in) { return (size_t)(in->end - in->next); }

/* A head: its major type, the five bits of its argument, the argument. */
static rac_status take_head(input *in, int *major, int *info, uint64_t *out) {
  if (left(in) == 0) return RAC_EINVAL;
  unsigned char first = *in->next++;
  *major = first >> 5;
  *info = first & 31;
  *out = (uint64_t)*info;
  if (*info < 24) return RAC_OK;
  /* 28 to 30 are no CBOR, and 31 is of a length that is not said. */
  if (*info > 27) return *info == 31 ? RAC_EKIND : RAC_EINVAL;
  size_t count = (size_t)1 << (*info - 24);
  if (left(in) < count) return RAC_EINVAL;
  uint64_t argument = 0;
  for (size_t i = 0; i < count; i++) argument = argument << 8 | *in->next++;
  *out = argument;
  return RAC_OK;
}

static double half(uint64_t bits) {
  int exponent = (int)(bits >> 10 & 31);
  double mantissa = (double)(bits & 1023), value;
  if (exponent == 31)
    value = mantissa == 0 ? __builtin_inf() : __builtin_nan("");
  else if (exponent == 0)
    value = mantissa / (1 << 24);
  else
    value = (mantissa + 1024) * (double)((uint64_t)1 << exponent) / (1 << 25);
  return bits >> 15 ? -value : value;
}

static rac_status take_simple(int info, uint64_t argument, rac_value *out) {
  uint32_t word = (uint32_t)argument;
  float single;
  double number;
  switch (info) {
  case FALSE_:
  case TRUE_:
    *out = rac_bool(info == TRUE_);
    return RAC_OK;
  case NULL_:
    *out = (rac_value){0};
    return RAC_OK;
  case UNDEFINED:
    *out = rac_value_unit();
    return RAC_OK;
  case HALF:
    *out = rac_double(half(argument));
    return RAC_OK;
  case SINGLE:
    memcpy(&single, &word, sizeof single);
    *out = rac_double(single);
    return RAC_OK;
  case DOUBLE:
    memcpy(&number, &argument, sizeof number);
    *out = rac_double(number);
    return RAC_OK;
  default:
    return RAC_EKIND;
  }
}

static rac_status take_value(input *in, int depth, rac_value *out);

/* An array's elements, owned, in memory to be freed. */
static rac_status take_elements(input *in, uint64_t count, int depth,
                                rac_value **out) {
  /* An element has a byte at least, so no number makes us ask for much. */
  if (count > left(in)) return RAC_EINVAL;
  rac_value *elements = calloc((size_t)count + 1, sizeof *elements);
  if (elements == NULL) return RAC_ENOMEM;
  rac_status status = RAC_OK;
  for (size_t i = 0; status == RAC_OK && i < count; i++)
    status = take_value(in, depth, &elements[i]);
  *out = elements;
  return status;
}

static void free_elements(rac_value *elements, uint64_t count) {
  for (size_t i = 0; elements != NULL && i < count; i++)
    rac_value_release(elements[i]);
  free(elements);
}

static rac_status checked(rac_value made, rac_value *out) {
  *out = made;
  return made.kind == RAC_NIL ? rac_last_error_code() : RAC_OK;
}

static rac_status take_array(input *in, uint64_t count, int depth,
                             rac_value *out) {
  rac_value *elements = NULL;
  rac_status status = take_elements(in, count, depth, &elements);
  if (status == RAC_OK)
    status = checked(rac_value_tuple(elements, (size_t)count), out);
  free_elements(elements, count);
  return status;
}

/* The name of an object, in the bytes. */
static rac_status take_name(input *in, const char **name, size_t *length) {
  int major, info;
  uint64_t argument;
  rac_status status = take_head(in, &major, &info, &argument);
  if (status != RAC_OK) return status;
  if (major != TEXT) return RAC_EKIND;
  if (argument > left(in)) return RAC_EINVAL;
  *name = (const char *)in->next;
  *length = (size_t)argument;
  in->next += argument;
  return RAC_OK;
}

static bool is_named(const char *name, size_t length, const char *text) {
  return length == strlen(text) && memcmp(name, text, length) == 0;
}

/* A text with a NUL behind it, owned: the bytes have none. */
static const char *text_of(rac_value *value) {
  const char *text = NULL;
  rac_value copy = rac_value_retain(*value);
  rac_value_release(*value);
  *value = copy;
  return rac_value_get_string(copy, &text, NULL) == RAC_OK ? text : NULL;
}

static rac_status error_of(rac_value *of, rac_value *out) {
  if (of[0].kind != RAC_STRING || of[1].kind != RAC_INT64 ||
      of[2].kind != RAC_STRING)
    return RAC_EKIND;
  const char *domain = text_of(&of[0]), *message = text_of(&of[2]);
  if (domain == NULL || message == NULL) return rac_last_error_code();
  if (of[3].kind == RAC_NIL)
    return checked(rac_value_error(domain, of[1].bits, message), out);
  return checked(rac_value_error_underlying(domain, of[1].bits, message, of[3]),
                 out);
}

static rac_status event_of(rac_value *of, rac_value *out) {
  if (of[0].kind != RAC_INT64) return RAC_EKIND;
  switch (of[0].bits) {
  case RAC_EVENT_NEXT:
    return checked(rac_value_event_next(of[1]), out);
  case RAC_EVENT_ERROR:
    return checked(rac_value_event_error(of[1]), out);
  case RAC_EVENT_COMPLETED:
    *out = rac_value_event_completed();
    return RAC_OK;
  default:
    return RAC_EKIND;
  }
}

/* The items after tag 27. An end is no value, so it is only where `item` is. */
static rac_status take_object(input *in, int depth, cbor_item *item,
                              rac_value *out) {
  int major, info;
  uint64_t count;
  const char *name = NULL;
  size_t length = 0;
  rac_value *of = NULL;
  rac_status status = take_head(in, &major, &info, &count);
  if (status != RAC_OK) return status;
  if (major != ARRAY || count < 2 || count > 5) return RAC_EKIND;
  status = take_name(in, &name, &length);
  if (status != RAC_OK) return status;
  count--;
  status = take_elements(in, count, depth, &of);
  if (status == RAC_OK) {
    if (count == 4 && is_named(name, length, "rac.error"))
      status = error_of(of, out);
    else if (count == 2 && is_named(name, length, "rac.event"))
      status = event_of(of, out);
    else if (count == 1 && is_named(name, length, "rac.end") && item != NULL &&
             (of[0].kind == RAC_NIL || of[0].kind == RAC_ERROR)) {
      *item = CBOR_END;
      *out = of[0];
      of[0] = (rac_value){0};
    } else
      status = RAC_EKIND;
  }
  free_elements(of, count);
  return status;
}

static rac_status take_item(input *in, int depth, cbor_item *item,
                            rac_value *out) {
  int major, info;
  uint64_t argument;
  rac_status status = take_head(in, &major, &info, &argument);
  if (status != RAC_OK) return status;
  if (depth == DEPTH) return RAC_ERANGE;
  switch (major) {
  case UNSIGNED:
  case NEGATIVE:
    if (argument > INT64_MAX) return RAC_ERANGE;
    *out = rac_int64(major == UNSIGNED ? (int64_t)argument
                                       : -1 - (int64_t)argument);
    return RAC_OK;
  case BYTES:
  case TEXT:
    if (argument > left(in)) return RAC_EINVAL;
    *out = major == TEXT
               ? rac_value_string_view((const char *)in->next, (size_t)argument)
               : rac_value_bytes_view(in->next, (size_t)argument);
    in->next += argument;
    return out->kind == RAC_NIL ? RAC_ERANGE : RAC_OK;
  case ARRAY:
    return take_array(in, argument, depth + 1, out);
  case TAG:
    if (argument != OBJECT_TAG) return RAC_EKIND;
    return take_object(in, depth + 1, item, out);
  case SIMPLE:
    return take_simple(info, argument, out);
  default:
    return RAC_EKIND;
  }
}

static rac_status take_value(input *in, int depth, rac_value *out) {
  return take_item(in, depth, NULL, out);
}

rac_status cbor_decode(const void *bytes, size_t length, cbor_item *item,
                       rac_value *out) {
  input in = {bytes, (const unsigned char *)bytes + length};
  *item = CBOR_VALUE;
  *out = (rac_value){0};
  rac_status status = take_item(&in, 0, item, out);
  if (status == RAC_OK && left(&in) > 0) status = RAC_EINVAL;
  if (status != RAC_OK) {
    rac_value_release(*out);
    *out = (rac_value){0};
  }
  return status;
}
