/* Names, the log, and what holds for both hooks. */
#include "operators.h"
#include "shared_callbacks.h"

static void check_name(int line, rac_signal *signal, const char *expected) {
  char text[200];
  CHECK_INT(rac_signal_describe(signal, text, sizeof text), strlen(expected));
  check_text(__FILE__, line, "the name", text, expected);
}
#define CHECK_NAME(signal, expected) check_name(__LINE__, signal, expected)

TEST(a_signal_has_no_name_until_it_is_given_one) {
  owned rac_signal *s = rac_signal_never();
  CHECK_NAME(s, "");
  CHECK_STATUS(rac_signal_set_name(s, "näme"), RAC_OK);
  CHECK_NAME(s, "näme");
  CHECK_STATUS(rac_signal_set_name(s, "other"), RAC_OK);
  CHECK_NAME(s, "other");
  CHECK_STATUS(rac_signal_set_name(s, ""), RAC_OK);
  CHECK_NAME(s, "");
}

TEST(describing_follows_the_rules_of_snprintf) {
  owned rac_signal *s = rac_signal_never();
  rac_signal_set_name(s, "abcdef");
  char text[8];
  memset(text, 'x', sizeof text);
  CHECK_INT(rac_signal_describe(s, NULL, 0), 6);
  CHECK_INT(rac_signal_describe(s, text, 4), 6);
  CHECK_TEXT(text, "abc");
  CHECK_INT(text[4], 'x');
}

TEST(operators_name_their_signals_while_that_is_on) {
  owned rac_signal *s = rac_signal_never();
  rac_signal_set_name(s, "source");
  owned rac_signal *off = rac_signal_map(s, CALLBACK(times_ten));
  rac_set_names_enabled(true);
  owned rac_signal *on = rac_signal_map(s, CALLBACK(times_ten));
  owned rac_signal *further = rac_signal_take(on, 2);
  rac_set_names_enabled(false);
  CHECK_NAME(off, "");
  char text[200];
  rac_signal_describe(on, text, sizeof text);
  CHECK(strncmp(text, "[source] -map", 13) == 0);
  size_t length = strlen(text);
  char whole[200];
  rac_signal_describe(further, whole, sizeof whole);
  CHECK(whole[0] == '[' && strncmp(whole + 1, text, length) == 0);
  CHECK(strstr(whole, "take") != NULL);
}

TEST(a_subject_has_a_name_too) {
  owned rac_subject *subject = rac_subject_create();
  CHECK_STATUS(rac_signal_set_name(as_signal(subject), "subject"), RAC_OK);
  CHECK_NAME(as_signal(subject), "subject");
}

TEST(names_of_long_chains_do_not_eat_the_stack) {
  rac_set_names_enabled(true);
  owned rac_signal *one = rac_signal_return(I(1)), *s = rac_signal_return(I(1));
  for (int i = 0; i < 2000; i++) APPLY(s, concat, one);
  char text[64];
  CHECK(rac_signal_describe(s, text, sizeof text) > 0);
  rac_set_names_enabled(false);
}

/* ---- Named while it is used ---------------------------------------------- */

typedef struct naming {
  rac_signal *signal;
  const char *name;
  atomic_int *ready;
} naming;

/* Nothing but the library orders what the threads do. */
static int64_t begin_naming(naming *self) {
  atomic_fetch_add_explicit(self->ready, 1, memory_order_relaxed);
  while (atomic_load_explicit(self->ready, memory_order_relaxed) < 4) {
  }
  return check_scaled(100000);
}

static void *name_often(void *argument) {
  naming *self = argument;
  for (int64_t i = begin_naming(self); i > 0; i--)
    CHECK_STATUS(rac_signal_set_name(self->signal, self->name), RAC_OK);
  return NULL;
}

static void *describe_often(void *argument) {
  naming *self = argument;
  char text[64];
  for (int64_t i = begin_naming(self); i > 0; i--) {
    rac_signal_describe(self->signal, text, sizeof text);
    if (strcmp(text, "left left left left") != 0) CHECK_TEXT(text, "right");
  }
  return NULL;
}

static void *derive_often(void *argument) {
  naming *self = argument;
  for (int64_t i = begin_naming(self); i > 0; i--) {
    char text[64];
    owned rac_signal *taken = rac_signal_take(self->signal, 1);
    rac_signal_describe(taken, text, sizeof text);
    if (strncmp(text, "[left left left left]", 21) != 0)
      CHECK(strncmp(text, "[right]", 7) == 0);
  }
  return NULL;
}

TEST(a_signal_may_be_named_while_others_name_describe_and_use_it) {
  owned rac_subject *subject = rac_subject_create();
  atomic_int ready = 0;
  naming left = {as_signal(subject), "left left left left", &ready};
  naming right = {as_signal(subject), "right", &ready};
  rac_signal_set_name(as_signal(subject), "right");
  rac_set_names_enabled(true);
  pthread_t threads[] = {
      check_spawn(name_often, &left), check_spawn(name_often, &right),
      check_spawn(describe_often, &left), check_spawn(derive_often, &right)};
  for (int i = 0; i < 4; i++) check_join(threads[i]);
  rac_set_names_enabled(false);
}

static void *name_and_let_go(void *argument) {
  naming *self = argument;
  rac_signal_set_name(self->signal, self->name);
  rac_release(self->signal);
  atomic_store_explicit(self->ready, 1, memory_order_relaxed);
  return NULL;
}

/* The chain keeps the signal, and goes last, on another thread. */
TEST(a_signal_goes_on_another_thread_than_it_was_named_on) {
  for (int64_t i = check_scaled(50); i > 0; i--) {
    atomic_int done = 0;
    naming self = {rac_signal_never(), "named", &done};
    rac_signal *chain = rac_signal_take(self.signal, 1);
    pthread_t thread = check_spawn(name_and_let_go, &self);
    while (atomic_load_explicit(&done, memory_order_relaxed) == 0) {
    }
    rac_release(chain);
    check_join(thread);
  }
}

/* ---- The hooks and their contexts ---------------------------------------- */

typedef struct lines {
  char text[1000];
} lines;

static void write_log(void *context, const char *line) {
  lines *self = context_target(context);
  size_t used = strlen(self->text);
  snprintf(self->text + used, sizeof self->text - used, "%s\n", line);
}

/* ---- Both hooks --------------------------------------------------------- */

/* They are what a count of live objects finds when nothing else is there. */
TEST(a_hook_counts_as_live_until_it_is_replaced) {
  lines t = {""};
  uint64_t before = rac_live_objects();
  rac_set_log(context_new(&t, NULL), write_log, context_destroy);
  CHECK(rac_live_objects() > before);
  rac_set_log(NULL, NULL, NULL);
  CHECK_INT(rac_live_objects(), before);
  rac_set_trace(context_new(NULL, NULL), ignore_trace, context_destroy);
  CHECK(rac_live_objects() > before);
  CHECK_STATUS(rac_set_trace(NULL, NULL, NULL), RAC_OK);
  CHECK_INT(rac_live_objects(), before);
}

TEST(the_hooks_contexts_are_destroyed_when_replaced) {
  lines a = {""}, b = {""};
  atomic_int first = 0, second = 0;
  rac_set_log(context_new(&a, &first), write_log, context_destroy);
  CHECK_INT(first, 0);
  rac_set_log(context_new(&b, &second), write_log, context_destroy);
  CHECK_INT(first, 1);
  rac_set_log(NULL, NULL, NULL);
  CHECK_INT(second, 1);
  first = second = 0;
  rac_set_trace(context_new(NULL, &first), ignore_trace, context_destroy);
  rac_set_trace(context_new(NULL, &second), ignore_trace, context_destroy);
  CHECK_INT(first, 1);
  CHECK_STATUS(rac_set_trace(NULL, NULL, NULL), RAC_OK);
  CHECK_INT(second, 1);
}
