/* Memory is refused: every request in turn, alone and with all that follow, while
 * a program makes, subscribes, sends and reads. A call answers RAC_ENOMEM and has
 * done nothing, or it works, or it needs more than the emergency reserve of its
 * thread and the process ends with one line. Nothing is left behind: attempt_once()
 * looks at live objects and contexts. docs/Shortages.md */
#define _GNU_SOURCE 1

#include "process.h"
#include "shared_callbacks.h"

#if !IS_SANITIZED

#include "creation_table.h"
#include "refusing_memory.h"
#include "sequences.h"

/* Whether memory was what the last call lacked. */
static bool is_refused(rac_status status) {
  if (status != RAC_ENOMEM) return false;
  CHECK_HERE(rac_last_error_code() == RAC_ENOMEM);
  return true;
}

static void step_all(void) {
  rac_virtual_step_all(v);
  rac_main_drain(0);
}

/* ---- Making ------------------------------------------------------------------- */

static void check_made(const creation *self, void *handle, int contexts) {
  if (handle != NULL) {
    rac_dispose(handle);
    rac_release(handle);
    return;
  }
  CHECK_HERE(is_refused(rac_last_error_code()));
  /* An operator's row may call others first. */
  if (self->function != NULL)
    CHECK_HERE(strcmp(rac_last_error_function(), self->function) == 0);
  CHECK_HERE(context_count() == contexts);
}

static int current;
static void *make_operator(void) {
  return operators[current].build(as_signal(subject), as_signal(another));
}

static creation creation_at(int i) {
  current = i;
  return i < OPERATORS ? (creation){operators[i].name, NULL, make_operator}
                       : creations[i - OPERATORS];
}

static void make(int i) {
  creation self = creation_at(i);
  int contexts = context_count();
  take_memory();
  void *handle = self.make();
  give_memory();
  check_made(&self, handle, contexts);
}

/* The callbacks that are called while something is made make something, too. */
static void make_inside(void) {
  rac_release(rac_property_create(I(1), 0));
  rac_release(rac_subject_create());
}

static void make_with_callbacks(int i) {
  in_callback = make_inside;
  make(i);
  in_callback = NULL;
}

/* ---- Values ------------------------------------------------------------------- */

static void retain_object(void *object) { ++*(int *)object; }
static void release_object(void *object) { --*(int *)object; }
static const rac_object_class object_class = {.size = sizeof object_class,
                                              .retain = retain_object,
                                              .release = release_object};
static int object_references;
static char letters[3000];
static rac_value view, cut, error_value;

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

#define MAKER(name, call)                                                      \
  static rac_value value_##name(void) { return call; }
VALUES(MAKER)
#define MAKER_LINE(name, call) value_##name,
static rac_value (*const value_makers[])(void) = {VALUES(MAKER_LINE)};
enum { VALUE_MAKERS = sizeof value_makers / sizeof *value_makers };

static void make_value(int i) {
  int contexts = context_count();
  take_memory();
  rac_value value = value_makers[i]();
  give_memory();
  if (value.kind == RAC_NIL) {
    CHECK_HERE(is_refused(rac_last_error_code()));
    CHECK_HERE(context_count() == contexts);
  }
  rac_value_release(value);
  CHECK_HERE(object_references == 0);
}

/* ---- Subscribing and sending ---------------------------------------------------- */

static rac_signal *source_at(int i) {
  rac_value values[] = {I(1), I(2), I(3)};
  switch (i) {
  case 0:
    return rac_retain(created);
  case 1:
    return rac_signal_defer(CALLBACK(make_signal));
  case 2:
    return rac_signal_from_values(values, 3);
  case 3:
    return rac_retain(number);
  case 4:
    return rac_sequence_signal(numbers, rac_scheduler_immediate());
  default:
    return rac_connection_autoconnect(connection);
  }
}
enum { SOURCES = 6 };

/* Some values are sent from inside, so that they have to wait. */
static int answers;
static void answer(recorder *self, rac_value value) {
  (void)self, (void)value;
  if (answers > 0 && answers-- > 0) rac_subject_send(subject, I(9));
}

static void send_everything(void) {
  rac_subject_send(subject, I(1));
  rac_subject_send(subject, long_text);
  rac_subject_send(subject, S("a text that is lent"));
  rac_subject_send(another, I(1));
  rac_subject_send(subject, I(2));
  step_all();
  rac_subject_send_completed(subject);
  step_all();
}

static void subscribe_and_send(rac_signal *signal, bool to_subscribe) {
  recorder r = {.on_next = answer, .nests = true};
  rac_observer observer = recorder_observer(&r);
  int contexts = context_count();
  answers = 2;
  if (to_subscribe) take_memory();
  r.subscription = rac_subscribe(signal, &observer);
  if (r.subscription == NULL) {
    give_memory();
    CHECK_HERE(is_refused(rac_last_error_code()));
    CHECK_HERE(context_count() < contexts && r.destroyed == 1 && r.used == 0);
  } else {
    if (!to_subscribe) take_memory();
    send_everything();
    give_memory();
    rac_dispose(r.subscription);
    step_all();
    await_end(&r);
    CHECK_HERE(r.destroyed == 1);
  }
  rac_release(signal);
}

static void subscribe_to_operator(int i) {
  subscribe_and_send(creation_at(i).make(), true);
}
static void send_through_operator(int i) {
  subscribe_and_send(creation_at(i).make(), false);
}
static void subscribe_to_source(int i) {
  subscribe_and_send(source_at(i), true);
}

enum { MANY_STAGES = 500 };

/* More than the reserve has. */
static void subscribe_to_many(int i) {
  rac_signal *chain = rac_retain(subject), *list[MANY_STAGES];
  for (int k = 0; k < MANY_STAGES; k++) {
    list[k] = as_signal(subject);
    if (i == 1) APPLY(chain, take_until, as_signal(another));
  }
  if (i == 0) RAC_ASSIGN(chain, rac_signal_merge(list, MANY_STAGES));
  subscribe_and_send(chain, true);
}

/* ---- Reading ------------------------------------------------------------------ */

static rac_sequence *zipped(void) {
  rac_sequence *parts[] = {rac_sequence_range(1, 1, 5), rac_retain(numbers)};
  SEQ(parts[0], map, CALLBACK(standard_key));
  rac_sequence *zip = rac_sequence_zip(parts, 2);
  rac_release(parts[0]);
  rac_release(parts[1]);
  return zip;
}

/* What was refused is not lost. */
static void read_each(int i) {
  (void)i;
  owned rac_sequence *zip = zipped();
  owned rac_sequence_iterator *each = rac_sequence_iterate(zip);
  rac_value tuple;
  int count = 0;
  for (rac_status status = RAC_OK; status != RAC_EEMPTY;) {
    take_memory();
    status = rac_sequence_next(each, &tuple);
    give_memory();
    if (is_refused(status)) status = rac_sequence_next(each, &tuple);
    if (status == RAC_EEMPTY) break;
    CHECK_HERE(status == RAC_OK && rac_tuple_get(tuple, 0).bits == ++count);
    rac_value_release(tuple);
  }
  CHECK_HERE(count == 3);
}

static void read_all(int i) {
  owned rac_sequence *counted = rac_sequence_range(1, 1, 40);
  owned_value out = rac_value_nil();
  SEQ(counted, map, CALLBACK(standard_key));
  take_memory();
  rac_status status =
      i == 0 ? rac_sequence_to_array(counted, &out)
             : rac_sequence_fold_left(counted, I(0), NULL, add_up, &out);
  give_memory();
  CHECK_HERE(status == RAC_OK || is_refused(status));
}

static void wait_for(int i) {
  owned_value value = rac_value_nil();
  rac_thread_attach();
  take_memory();
  rac_status status = i == 0 ? rac_signal_first(created, 5, &value)
                             : rac_signal_to_array(created, 5, &value);
  give_memory();
  CHECK_HERE(status == RAC_OK || status == RAC_ESTREAM || is_refused(status));
}

static rac_status set_nothing(void *context) {
  (void)context;
  return RAC_OK;
}

static void batch(int i) {
  (void)i;
  take_memory();
  rac_status begun = rac_property_batch_begin();
  if (begun == RAC_OK) rac_property_batch_end();
  rac_status ran =
      rac_property_batch(context_new(NULL, NULL), set_nothing, context_destroy);
  give_memory();
  CHECK_HERE(begun == RAC_OK || begun == RAC_ENOMEM);
  CHECK_HERE(ran == RAC_OK || ran == RAC_ENOMEM);
}

static int visited;
static void count_visit(void *context, void *held, rac_destroy_fn destroy) {
  (void)context, (void)held;
  CHECK(destroy != NULL);
  visited++;
}

enum { VISITED = 70 };

/* Less is visited, and everything goes on. */
static void visit(int i) {
  void *handles[VISITED];
  visited = i;
  for (int k = 0; k < VISITED; k++)
    handles[k] = rac_sequence_map(numbers, CALLBACK(standard_key));
  take_memory();
  rac_status status = rac_visit_contexts(handles, VISITED, count_visit, NULL);
  give_memory();
  CHECK_HERE(status == RAC_OK && visited <= VISITED);
  for (int k = 0; k < VISITED; k++) {
    rac_value first;
    CHECK_HERE(rac_sequence_head(handles[k], &first) == RAC_OK);
    rac_release(handles[k]);
  }
}

/* ---- Each request, until the process ends ----------------------------------------- */

/* So often a body is played, with other arguments. `answers`: it never ends the
 * process. */
static const struct {
  const char *name;
  void (*body)(int i);
  int count;
  bool answers;
} acts[] = {
    {"make", make, OPERATORS + CREATIONS_COUNT, false},
    {"make inside", make_with_callbacks, OPERATORS + CREATIONS_COUNT, false},
    {"value", make_value, VALUE_MAKERS, true},
    {"subscribe", subscribe_to_operator, OPERATORS, false},
    {"source", subscribe_to_source, SOURCES, false},
    {"send", send_through_operator, OPERATORS, false},
    {"many", subscribe_to_many, 2, false},
    {"read each", read_each, 1, false},
    {"read all", read_all, 2, false},
    {"wait", wait_for, 2, false},
    {"batch", batch, 1, true},
    {"visit", visit, 1, false},
};
enum { ACTS = sizeof acts / sizeof *acts };

/* Where it is: the act, its argument, whether only one request is refused, and
 * which. */
static struct {
  int act, argument, alone;
  long request;
} at;

static void say_where_it_ended(int number) {
  char said[100];
  (void)number;
  int length = snprintf(said, sizeof said, "at %d %d %d %ld\n", at.act,
                        at.argument, at.alone, at.request);
  if (write(STDERR_FILENO, said, (size_t)length) < 0) _exit(4);
  _exit(5);
}

static bool read_where(const char *said) {
  return sscanf(said, "at %d %d %d %ld", &at.act, &at.argument, &at.alone,
                &at.request) == 4;
}

static void play_one(void *unused) {
  (void)unused;
  acts[at.act].body(at.argument);
}

/* Whether there was something left to refuse. */
static bool try_request(void) {
  attempt one = {.body = play_one, .from = at.request};
  one.to = at.alone ? at.request : FOR_EVER;
  snprintf(situation, sizeof situation, "%s %d: %s%ld", acts[at.act].name,
           at.argument, at.alone ? "alone " : "", at.request);
  check_join(check_spawn(attempt_once, &one));
  return one.refused > 0 && at.request < 3000;
}

static void play_from(const char *where) {
  REQUIRE(read_where(where));
  signal(SIGABRT, say_where_it_ended);
  set_up();
  /* As `created` sets it, when it is bound to it. */
  rac_property_set(text, I(1));
  memset(letters, 'a', sizeof letters - 1);
  view = rac_value_string(letters);
  cut = rac_value_string_view(letters, 2000);
  error_value = test_error(1);
  rac_set_log(NULL, ignore_line, NULL);
  let_it_settle = step_all;
  for (; at.act < ACTS; at.act++, at.argument = 0)
    for (; at.argument < acts[at.act].count; at.argument++, at.alone = 0)
      for (; at.alone < 2; at.alone++, at.request = 1)
        while (try_request()) at.request += at.request < 60 ? 1 : 97;
  rac_set_log(NULL, NULL, NULL);
  rac_value_release(error_value);
  tear_down();
}

/* Another process goes on behind every request whose refusal ended one; how many
 * did. */
static int play_all(const char *pool) {
  int ended = 0;
  char where[100] = "at 0 0 0 1", said[4000];
  setenv("RAC_POOL", pool, 1);
  for (; ended < 20000; ended++) {
    int status = rerun("each_request_is_refused", "RAC_TEST_MEMORY", where,
                       said, sizeof said);
    if (status == 0) return ended;
    static const char line[] = "librac: out of memory\n";
    bool has_line = strncmp(said, line, sizeof line - 1) == 0;
    if (status != 5 || !has_line || !read_where(said + sizeof line - 1) ||
        acts[at.act].answers) {
      fprintf(stderr, "after %s, %s: %d, %s\n", where, pool, status, said);
      break;
    }
    at.request += at.request < 60 ? 1 : 97;
    snprintf(where, sizeof where, "at %d %d %d %ld", at.act, at.argument,
             at.alone, at.request);
  }
  check_fail(__FILE__, __LINE__, "a process ended otherwise");
  return ended;
}

TEST(each_request_is_refused) {
  const char *where = getenv("RAC_TEST_MEMORY");
  if (where != NULL) {
    play_from(where);
  } else {
    CHECK(play_all("malloc") > 10);
    play_all("pool");
  }
}

/* ---- Sending ------------------------------------------------------------------ */

static void send_a_lot(void *argument) {
  RECORDER(r, argument);
  take_memory();
  for (int i = 0; i < 1000; i++)
    CHECK_HERE(rac_subject_send(subject, I(i)) == RAC_OK);
  give_memory();
  CHECK_HERE(memory.asked == 0);
}

/* The usual send asks for no memory at all. */
TEST_BOTH_WAYS(a_send_asks_for_nothing) {
  set_up();
  refuse_each("subject", send_a_lot, subject);
  rac_signal *chain = rac_retain(subject);
  APPLY(chain, map, CALLBACK(standard_key));
  APPLY(chain, filter, CALLBACK(standard_above));
  APPLY(chain, take, 5000);
  refuse_each("chain", send_a_lot, chain);
  rac_release(chain);
  tear_down();
}

#else

TEST(sanitizers_have_memory_of_their_own) {}

#endif
