/* Views of texts without a NUL behind them, while a send lends them. */
#include "check.h"
#include "process.h"

#include <stdlib.h>
#include <ucontext.h>

static const char letters[] = "first and more";

#define FIRST rac_value_string_view(letters, 5)

typedef struct {
  const char *lent;   /* what rac_value_get_text() gives */
  const char *ending; /* what rac_value_get_string() gives */
  char copy[16];
} reader;

static void read_text(void *context, rac_value value) {
  reader *it = context;
  size_t length = 0;
  CHECK_STATUS(rac_value_get_text(value, &it->lent, &length), RAC_OK);
  CHECK_INT(length, 5);
  CHECK(memcmp(it->lent, "first", 5) == 0);
}

static void read_string(void *context, rac_value value) {
  reader *it = context;
  size_t length = 0;
  CHECK_STATUS(rac_value_get_string(value, &it->ending, &length), RAC_OK);
  CHECK_INT(length, 5);
  snprintf(it->copy, sizeof it->copy, "%s", it->ending);
}

TEST(a_view_is_lent_as_it_is) {
  owned rac_subject *subject = rac_subject_create();
  reader it = {0};
  rac_release(rac_subscribe_next(as_signal(subject), &it, read_text, NULL));
  CHECK_STATUS(rac_subject_send(subject, FIRST), RAC_OK);
  CHECK(it.lent == letters);
}

TEST(a_nul_is_made_once_for_all_that_ask_for_it) {
  owned rac_subject *subject = rac_subject_create();
  reader a = {0}, b = {0};
  rac_release(rac_subscribe_next(as_signal(subject), &a, read_string, NULL));
  rac_release(rac_subscribe_next(as_signal(subject), &b, read_string, NULL));
  CHECK_STATUS(rac_subject_send(subject, FIRST), RAC_OK);
  CHECK_TEXT(a.copy, "first");
  CHECK_TEXT(b.copy, "first");
  CHECK(a.ending == b.ending && a.ending != letters);
}

/* ---- Texts of every length, by every way ------------------------------------ */

enum { LONGEST = 70 };

typedef struct {
  const char *text;
  size_t length;
  int heard;
  bool asks;
} listener;

static void hear_text(void *context, rac_value value) {
  listener *it = context;
  const char *text = NULL, *ending = NULL;
  size_t length = 0;
  CHECK_STATUS(rac_value_get_text(value, &text, &length), RAC_OK);
  CHECK_INT(length, it->length);
  CHECK(memcmp(text, it->text, length) == 0);
  it->heard++;
  if (!it->asks) return;
  CHECK_STATUS(rac_value_get_string(value, &ending, NULL), RAC_OK);
  CHECK_INT(strlen(ending), it->length);
  CHECK(memcmp(ending, it->text, length) == 0);
}

/* As a view, as a view with a NUL, as one that stays, and as a copy. */
static void send_in_every_form(rac_subscriber *to, listener *it) {
  char whole[LONGEST + 1];
  memcpy(whole, it->text, it->length);
  whole[it->length] = '\0';
  owned_value copy = rac_value_string_copy(it->text, it->length);
  rac_value forms[] = {rac_value_string_view(it->text, it->length),
                       rac_value_string(whole), rac_value_string_static(whole),
                       copy};
  for (int i = 0; i < 4; i++) {
    for (int asks = 0; asks < 2; asks++) {
      it->asks = asks;
      CHECK_STATUS(rac_subscriber_send(to, forms[i]), RAC_OK);
    }
  }
  /* Nothing is lent any more. */
  const char *text = whole;
  CHECK_STATUS(rac_value_get_string(forms[0], &text, NULL), RAC_EINVAL);
}

static rac_status send_all_forms(void *context, rac_subscriber *to,
                                 rac_disposable **out) {
  (void)out;
  send_in_every_form(to, context);
  return RAC_OK;
}

TEST(texts_of_every_length_come_in_every_form) {
  char letters_of_all[LONGEST];
  for (int i = 0; i < LONGEST; i++) letters_of_all[i] = (char)('!' + i);
  for (size_t length = 0; length <= LONGEST; length++) {
    owned rac_subject *subject = rac_subject_create();
    rac_subscriber *to = rac_subject_as_subscriber(subject);
    listener it = {letters_of_all, length, 0, false};
    owned rac_signal *cold = rac_signal_create(&it, send_all_forms, NULL);
    rac_release(rac_subscribe_next(as_signal(subject), &it, hear_text, NULL));
    send_in_every_form(to, &it);
    CHECK_INT(it.heard, 8);
    rac_release(rac_subscribe_next(cold, &it, hear_text, NULL));
    CHECK_INT(it.heard, 16);
    /* Two subscribers. */
    rac_release(rac_subscribe_next(as_signal(subject), &it, hear_text, NULL));
    send_in_every_form(to, &it);
    CHECK_INT(it.heard, 32);
  }
}

static void send_another(void *subject, rac_value value) {
  const char *before = NULL, *after = NULL;
  CHECK_STATUS(rac_value_get_string(value, &before, NULL), RAC_OK);
  CHECK_STATUS(rac_subject_send(subject, rac_value_string_view("others", 5)),
               RAC_OK);
  CHECK_STATUS(rac_value_get_string(value, &after, NULL), RAC_OK);
  CHECK(before == after);
  CHECK_TEXT(after, "first");
}

TEST(sends_inside_each_other_lend_a_text_each) {
  owned rac_subject *outer = rac_subject_create();
  owned rac_subject *inner = rac_subject_create();
  reader it = {0};
  rac_release(rac_subscribe_next(as_signal(outer), inner, send_another, NULL));
  rac_release(rac_subscribe_next(as_signal(inner), &it, read_string, NULL));
  CHECK_STATUS(rac_subject_send(outer, FIRST), RAC_OK);
  CHECK_TEXT(it.copy, "other");
}

static rac_status pass_on(void *context, rac_value value, rac_value *out) {
  (void)context;
  *out = value;
  return RAC_OK;
}

TEST(what_keeps_a_view_or_passes_it_on_has_a_copy) {
  owned rac_subject *subject = rac_replay_subject_create(1);
  owned rac_signal *mapped =
      rac_signal_map(as_signal(subject), NULL, pass_on, NULL);
  owned rac_property *property = rac_property_create(rac_value_nil(), 0);
  char buffer[] = "first and more";
  reader it = {0};
  rac_release(rac_subscribe_next(mapped, &it, read_string, NULL));
  rac_value view = rac_value_string_view(buffer, 5);
  CHECK_STATUS(rac_subject_send(subject, view), RAC_OK);
  CHECK_STATUS(rac_property_set(property, view), RAC_OK);
  CHECK_TEXT(it.copy, "first");
  memset(buffer, 'x', sizeof buffer - 1);
  RECORDER(r, as_signal(subject));
  CHECK_EVENTS(&r, "first");
  owned_value now = rac_value_nil();
  CHECK_STATUS(rac_property_get(property, &now), RAC_OK);
  const char *text = NULL;
  CHECK_STATUS(rac_value_get_string(now, &text, NULL), RAC_OK);
  CHECK_TEXT(text, "first");
}

static void send_again(void *subject, rac_value value) {
  if (value.length == 5)
    CHECK_STATUS(rac_subject_send(subject, rac_value_string_view("again", 4)),
                 RAC_QUEUED);
}

/* Law 3: it waits, and is a copy then. */
TEST(a_view_that_waits_is_a_copy) {
  owned rac_subject *subject = rac_subject_create();
  rac_release(
      rac_subscribe_next(as_signal(subject), subject, send_again, NULL));
  RECORDER(r, as_signal(subject));
  CHECK_STATUS(rac_subject_send(subject, FIRST), RAC_OK);
  CHECK_EVENTS(&r, "first agai");
}

TEST(outside_of_sends_there_is_no_nul) {
  const char *text = "before";
  size_t length = 77;
  CHECK_STATUS(rac_value_get_string(FIRST, &text, &length), RAC_EINVAL);
  CHECK_TEXT(rac_last_error_function(), "rac_value_get_string");
  CHECK_TEXT(text, "before");
  CHECK_INT(length, 77);
  CHECK_STATUS(rac_value_get_string(FIRST, NULL, NULL), RAC_ENULL);
  CHECK_STATUS(rac_value_get_text(FIRST, &text, NULL), RAC_OK);
  CHECK(text == letters);
}

TEST(get_text_reads_strings_and_bytes) {
  const char *text = NULL;
  size_t length = 0;
  CHECK_STATUS(
      rac_value_get_text(rac_value_bytes_view("\xff\0", 2), &text, &length),
      RAC_OK);
  CHECK(length == 2 && memcmp(text, "\xff\0", 2) == 0);
  owned_value copy = rac_value_string_copy("text", 4);
  CHECK_STATUS(rac_value_get_text(copy, &text, &length), RAC_OK);
  CHECK_TEXT(text, "text");
  CHECK_INT(length, 4);
  CHECK_STATUS(rac_value_get_text(I(1), &text, &length), RAC_EKIND);
  CHECK_STATUS(rac_value_get_text(copy, NULL, &length), RAC_ENULL);
}

TEST(a_static_string_that_is_not_utf8_is_refused_where_it_is_sent) {
  owned rac_subject *subject = rac_subject_create();
  RECORDER(r, as_signal(subject));
  rac_value good = rac_value_string_static("letters \xc3\xa4 and more");
  CHECK_STATUS(rac_subject_send(subject, good), RAC_OK);
  CHECK_STATUS(rac_subject_send(subject, rac_value_string_static("\xc3")),
               RAC_EUTF8);
  CHECK_STATUS(rac_subject_send(subject, rac_value_string_view("a\xc3", 2)),
               RAC_EUTF8);
  CHECK_EVENTS(&r, "letters \xc3\xa4 and more");
}

/* ---- Fibers ---------------------------------------------------------------- */

enum { STACK = 1 << 18 };

typedef struct {
  ucontext_t own, thread;
  char *stack;
  const char *text;
  char heard[16];
} fiber;

static void wait_and_read(void *context, rac_value value) {
  fiber *it = context;
  const char *text = NULL;
  swapcontext(&it->own, &it->thread);
  CHECK_STATUS(rac_value_get_string(value, &text, NULL), RAC_OK);
  snprintf(it->heard, sizeof it->heard, "%s", text);
}

static void send_on_fiber(int high, int low) {
  fiber *it = (fiber *)((uintptr_t)(unsigned)high << 32 | (unsigned)low);
  owned rac_subject *subject = rac_subject_create();
  rac_release(rac_subscribe_next(as_signal(subject), it, wait_and_read, NULL));
  CHECK_STATUS(rac_subject_send(subject, rac_value_string_view(it->text, 5)),
               RAC_OK);
}

static void begin_fiber(fiber *it, const char *text) {
  uintptr_t address = (uintptr_t)it;
  *it = (fiber){.stack = malloc(STACK), .text = text};
  getcontext(&it->own);
  it->own.uc_stack.ss_sp = it->stack;
  it->own.uc_stack.ss_size = STACK;
  it->own.uc_link = &it->thread;
  makecontext(&it->own, (void (*)(void))send_on_fiber, 2, (int)(address >> 32),
              (int)address);
  swapcontext(&it->thread, &it->own);
}

/* Nothing of its stack may be looked at afterwards. */
static void end_fiber(fiber *it) {
  swapcontext(&it->thread, &it->own);
  memset(it->stack, 0x5a, STACK);
  free(it->stack);
}

TEST(fibers_end_their_sends_in_any_order) {
  fiber first, second;
  const char *text = letters;
  /* It would have to be told of each switch. */
  if (IS_THREAD_SANITIZED) return;
  begin_fiber(&first, "first");
  begin_fiber(&second, "other");
  end_fiber(&first);
  CHECK_STATUS(rac_value_get_string(FIRST, &text, NULL), RAC_EINVAL);
  end_fiber(&second);
  CHECK_TEXT(first.heard, "first");
  CHECK_TEXT(second.heard, "other");
  CHECK_STATUS(rac_value_get_string(FIRST, &text, NULL), RAC_EINVAL);
  CHECK(text == letters);
}
