/* Reading, and making values, when there is no memory: it answers RAC_ENOMEM,
 * and once there is memory again everything is as it was. */
#define _GNU_SOURCE 1

#include "check.h"
#include "process.h"

#if !IS_SANITIZED

#include "creation_table.h"
#include "refusing_memory.h"
#include "sequences.h"

static int refusals;

/* What a status and its error say fit each other. */
static bool is_refused(rac_status status) {
  if (status != RAC_ENOMEM) return false;
  CHECK_HERE(rac_last_error_code() == RAC_ENOMEM);
  refusals++;
  return true;
}

/* ---- Sequences ------------------------------------------------------------------ */

static rac_status sum(void *context, rac_value running, rac_value next,
                      rac_value *out) {
  (void)context;
  *out = I(running.bits + next.bits);
  return RAC_OK;
}
static rac_status sum_right(void *context, rac_value first,
                            const rac_value *rest, rac_value *out) {
  (void)context;
  if (rest == NULL) return RAC_PENDING;
  *out = I(first.bits + rest->bits);
  return RAC_OK;
}
static rac_status take_next(void *context, rac_value running, rac_value next,
                            rac_value *out) {
  (void)context, (void)running;
  *out = next;
  return RAC_OK;
}
static rac_status only_one(void *context, const rac_value *elements,
                           size_t count, rac_value *out) {
  (void)context, (void)count;
  *out = elements[0];
  return RAC_OK;
}
static rac_status is_large(void *context, rac_value value, bool *out) {
  (void)context;
  *out = value.bits >= 40;
  return RAC_OK;
}

enum { LAST = 40, KINDS = 5 };

/* 1, 2, … 40 in various ways, each anew. */
static rac_sequence *count_up(int kind) {
  rac_sequence *counted = rac_sequence_range(1, 1, LAST), *one = NULL;
  switch (kind) {
  case 0:
    break;
  case 1:
    SEQ(counted, map, CALLBACK(standard_key));
    break;
  case 2:
    SEQ(counted, filter, CALLBACK(standard_above));
    break;
  case 3:
    RAC_ASSIGN(counted, rac_sequence_generate(I(0), CALLBACK(generate)));
    SEQ(counted, take, LAST);
    break;
  default:
    one = rac_sequence_return(I(1));
    RAC_ASSIGN(counted, rac_sequence_range(2, 1, LAST - 1));
    RAC_ASSIGN(counted, rac_sequence_concat(one, counted));
    rac_release(one);
  }
  return counted;
}

typedef struct reading {
  const char *name;
  rac_status (*read)(rac_sequence *sequence, rac_value *out);
  int64_t result;
} reading;

static rac_status read_head(rac_sequence *sequence, rac_value *out) {
  return rac_sequence_head(sequence, out);
}
static rac_status read_tail(rac_sequence *sequence, rac_value *out) {
  rac_sequence *rest = NULL;
  rac_status status = rac_sequence_tail(sequence, &rest);
  if (status == RAC_OK) status = rac_sequence_head(rest, out);
  rac_release(rest);
  return status;
}
static rac_status read_array(rac_sequence *sequence, rac_value *out) {
  rac_value all;
  rac_status status = rac_sequence_to_array(sequence, &all);
  if (status == RAC_OK) *out = I((int64_t)rac_tuple_count(all));
  rac_value_release(all);
  return status;
}
static rac_status read_left(rac_sequence *sequence, rac_value *out) {
  return rac_sequence_fold_left(sequence, I(0), NULL, sum, out);
}
static rac_status read_right(rac_sequence *sequence, rac_value *out) {
  return rac_sequence_fold_right(sequence, I(0), NULL, sum_right, out);
}
static rac_status read_any(rac_sequence *sequence, rac_value *out) {
  bool answer = false;
  rac_status status = rac_sequence_any(sequence, NULL, is_large, &answer);
  *out = I(answer);
  return status;
}
static rac_status read_all(rac_sequence *sequence, rac_value *out) {
  bool answer = false;
  rac_status status = rac_sequence_all(sequence, NULL, is_large, &answer);
  *out = I(answer);
  return status;
}
static rac_status read_object(rac_sequence *sequence, rac_value *out) {
  return rac_sequence_object_passing_test(sequence, NULL, is_large, out);
}
static rac_status read_equal(rac_sequence *sequence, rac_value *out) {
  bool answer = false;
  rac_status status = rac_sequence_is_equal(sequence, numbers, &answer);
  *out = I(answer);
  return status;
}
static rac_status read_empty(rac_sequence *sequence, rac_value *out) {
  bool answer = true;
  rac_status status = rac_sequence_is_empty(sequence, &answer);
  *out = I(answer);
  return status;
}
static rac_status read_eager(rac_sequence *sequence, rac_value *out) {
  rac_sequence *eager = rac_sequence_eager(sequence);
  if (eager == NULL) return rac_last_error_code();
  rac_status status = rac_sequence_head(eager, out);
  rac_release(eager);
  return status;
}
static rac_status read_each(rac_sequence *sequence, rac_value *out) {
  rac_sequence_iterator *each = rac_sequence_iterate(sequence);
  if (each == NULL) return rac_last_error_code();
  int64_t total = 0;
  rac_status status;
  while ((status = rac_sequence_next(each, out)) == RAC_OK) total += out->bits;
  rac_release(each);
  *out = I(total);
  return status == RAC_EEMPTY ? RAC_OK : status;
}

static const reading readings[] = {
    {"head", read_head, 1},      {"tail", read_tail, 2},
    {"array", read_array, LAST}, {"left", read_left, LAST *(LAST + 1) / 2},
    {"any", read_any, 1},        {"right", read_right, LAST *(LAST + 1) / 2},
    {"all", read_all, 0},        {"object", read_object, 40},
    {"equal", read_equal, 0},    {"is_empty", read_empty, 0},
    {"eager", read_eager, 1},    {"each", read_each, LAST *(LAST + 1) / 2},
};
enum { READINGS = sizeof readings / sizeof *readings };

static int current_kind;

static void read_without_memory(void *argument) {
  const reading *self = argument;
  rac_sequence *sequence = count_up(current_kind);
  rac_value out = rac_value_nil();
  take_memory();
  rac_status status = self->read(sequence, &out);
  give_memory();
  if (is_refused(status)) status = self->read(sequence, &out);
  CHECK_HERE(status == RAC_OK);
  CHECK_HERE(out.kind == RAC_INT64 && out.bits == self->result);
  rac_release(sequence);
}

TEST_BOTH_WAYS(every_reading_can_be_repeated) {
  set_up();
  for (current_kind = 0; current_kind < KINDS; current_kind++) {
    for (int i = 0; i < READINGS; i++) {
      refuse_each(readings[i].name, read_without_memory, (void *)&readings[i]);
    }
  }
  CHECK(refusals > 100 || has_pool());
  tear_down();
}

/* What one level was sure of those below it may have used up. */
static rac_sequence *single;
static rac_status give_single(void *context, rac_value value,
                              rac_sequence **out) {
  (void)context, (void)value;
  *out = rac_retain(single);
  return RAC_OK;
}

enum { LEVELS = 60 };

static rac_sequence *nested_in(int kind) {
  rac_sequence *counted = rac_sequence_range(1, 1, 3);
  for (int i = 0; i < LEVELS; i++) {
    switch (kind) {
    case 0:
      SEQ(counted, map, CALLBACK(standard_key));
      break;
    case 1:
      SEQ(counted, scan, I(0), CALLBACK(take_next));
      break;
    case 2:
      SEQ(counted, flatten_map, CALLBACK(give_single));
      break;
    default:
      RAC_ASSIGN(counted,
                 rac_sequence_zip_reduce(&counted, 1, CALLBACK(only_one)));
    }
  }
  return counted;
}

static void read_nested(void *argument) {
  rac_sequence *sequence = nested_in(*(int *)argument);
  rac_value out;
  take_memory();
  rac_status status = read_array(sequence, &out);
  give_memory();
  if (is_refused(status)) status = read_array(sequence, &out);
  CHECK_HERE(status == RAC_OK && out.bits == 3);
  rac_release(sequence);
}

TEST_BOTH_WAYS(sequences_in_sequences_can_be_read_again) {
  set_up();
  single = rac_sequence_return(I(1));
  for (int kind = 0; kind < 4; kind++)
    refuse_each("levels", read_nested, &kind);
  rac_release(single);
  CHECK(refusals > 100 || has_pool());
  tear_down();
}

/* Of texts and of several sequences: what a value is made of is not lost. */
static rac_sequence *zipped(void) {
  rac_sequence *parts[] = {rac_sequence_range(1, 1, LAST),
                           rac_sequence_from_elements(rac_value_string_static(
                               "abcdefghijklmnopqrstuvwxyzabcdefghijklmn"))};
  rac_sequence *zip = rac_sequence_zip(parts, 2);
  rac_release(parts[0]);
  rac_release(parts[1]);
  return zip;
}

static void read_tuples(void *argument) {
  (void)argument;
  rac_sequence_iterator *each = NULL;
  rac_sequence *zip = zipped();
  RAC_ASSIGN(each, rac_sequence_iterate(zip));
  int64_t number_ = 0;
  rac_status status = RAC_OK;
  while (status != RAC_EEMPTY) {
    rac_value tuple;
    take_memory();
    status = rac_sequence_next(each, &tuple);
    give_memory();
    if (is_refused(status)) status = rac_sequence_next(each, &tuple);
    if (status == RAC_EEMPTY) break;
    CHECK_HERE(status == RAC_OK && rac_tuple_count(tuple) == 2);
    CHECK_HERE(rac_tuple_get(tuple, 0).bits == ++number_);
    CHECK_HERE(rac_tuple_get(tuple, 1).length == 1);
    rac_value_release(tuple);
  }
  CHECK_HERE(number_ == LAST);
  rac_release(each);
  rac_release(zip);
}

TEST_BOTH_WAYS(no_value_of_a_zip_is_lost) {
  refuse_each("zip", read_tuples, NULL);
}

/* ---- Values --------------------------------------------------------------------- */

static void retain_object(void *object) { ++*(int *)object; }
static void release_object(void *object) { --*(int *)object; }
static const rac_object_class object_class = {.size = sizeof object_class,
                                              .retain = retain_object,
                                              .release = release_object};

static int object_references;
static char letters[3000];

#define VALUES(X)                                                              \
  X(string_copy, rac_value_string_copy(letters, sizeof letters - 1))           \
  X(bytes_copy, rac_value_bytes_copy(letters, sizeof letters - 1))             \
  X(string_owned, rac_value_string_owned("text", 4, context_new(NULL, NULL),   \
                                         context_destroy))                     \
  X(pointer, rac_value_pointer(context_new(NULL, NULL), "made by a test",      \
                               context_destroy))                               \
  X(object,                                                                    \
    rac_value_retain(rac_object(&object_references,                            \
                                rac_object_class_register(&object_class))))    \
  X(tuple, rac_value_tuple(&long_text, 1))                                     \
  X(tuple_of_view, rac_value_tuple(&view, 1))                                  \
  X(by_adding, rac_tuple_by_adding(tuple_value, long_text))                    \
  X(error, rac_value_error("domain", 1, "message"))                            \
  X(underlying, rac_value_error_underlying("domain", 1, "message", long_text)) \
  X(event_next, rac_value_event_next(long_text))                               \
  X(event_error, rac_value_event_error(error_value))                           \
  X(retain, rac_value_retain(view))                                            \
  X(kept_copy, rac_value_retain(cut))

static rac_value view, cut, error_value;

#define MAKER(name, call)                                                      \
  static rac_value value_##name(void) { return call; }
VALUES(MAKER)

typedef struct maker {
  const char *name;
  rac_value (*make)(void);
} maker;
#define MAKER_LINE(name, call) {#name, value_##name},
static const maker value_makers[] = {VALUES(MAKER_LINE)};

static void make_value(void *argument) {
  const maker *self = argument;
  int contexts = context_count();
  take_memory();
  rac_value value = self->make();
  give_memory();
  if (value.kind == RAC_NIL) {
    CHECK_HERE(is_refused(rac_last_error_code()));
    CHECK_HERE(context_count() == contexts);
  }
  rac_value_release(value);
  CHECK_HERE(object_references == 0);
}

TEST_BOTH_WAYS(every_value_is_made_or_refused) {
  set_up();
  memset(letters, 'a', sizeof letters - 1);
  view = rac_value_string(letters);
  cut = rac_value_string_view(letters, 2000);
  error_value = test_error(1);
  for (size_t i = 0; i < sizeof value_makers / sizeof *value_makers; i++) {
    refusals = 0;
    refuse_each(value_makers[i].name, make_value, (void *)&value_makers[i]);
    CHECK_HERE(refusals > 0 || has_pool());
  }
  rac_value_release(error_value);
  tear_down();
}

/* ---- Signals that are waited for ------------------------------------------------- */

static void read_first(void *argument) {
  rac_value value = rac_value_nil();
  rac_thread_attach();
  take_memory();
  rac_status status = rac_signal_first(argument, 5, &value);
  give_memory();
  if (status == RAC_ESTREAM) {
    CHECK_HERE(rac_error_get_code(value) == RAC_ENOMEM);
    refusals++;
  } else if (!is_refused(status)) {
    CHECK_HERE(status == RAC_OK && value.bits == 1);
  }
  rac_value_release(value);
}

static void read_everything(void *argument) {
  rac_value value = rac_value_nil();
  rac_thread_attach();
  take_memory();
  rac_status status = rac_signal_to_array(argument, 5, &value);
  give_memory();
  if (status == RAC_ESTREAM) {
    CHECK_HERE(rac_error_get_code(value) == RAC_ENOMEM);
    refusals++;
  } else if (!is_refused(status)) {
    CHECK_HERE(status == RAC_OK && rac_tuple_count(value) == 100);
  }
  rac_value_release(value);
}

TEST_BOTH_WAYS(blocking_reads_answer) {
  set_up();
  refuse_each("first", read_first, returning);
  refuse_each("first of created", read_first, created);
  rac_value values[100];
  for (int i = 0; i < 100; i++) values[i] = I(i);
  rac_signal *hundred = rac_signal_from_values(values, 100);
  refuse_each("to_array", read_everything, hundred);
  CHECK(refusals > 0 || has_pool());
  rac_release(hundred);
  tear_down();
}

#else

TEST(sanitizers_have_memory_of_their_own) {}

#endif
