/* The part of examples-c/log_shipper.c between the logs and the sink, in virtual
 * time: a diagram stands for the logs, and one for the sink's answers. */
#define main log_shipper_main
#include "../../examples-c/log_shipper.c"
#undef main

#include "diagrams.h"

static void forward(void *subject, rac_value value) {
  rac_subject_send(subject, value);
}

static rac_value batch_of(const char *head, const char *lines) {
  rac_value parts[] = {rac_value_string(head),
                       rac_value_bytes_view(lines, strlen(lines))};
  return rac_value_tuple(parts, 2);
}

/* The batches of lines that a signal stands for. */
static rac_signal *batches_of(rac_signal *lines, log_file *log,
                              rac_subject *answers, rac_scheduler *clock) {
  made = stored = session = 0;
  RAC_AUTO rac_signal *ends =
      rac_signal_step(lines, 0, log, gather, NULL, NULL);
  return in_batches(ends, answers, clock);
}

/* A character is a tenth of a second: a batch has the lines of two. */
static void ship(const char *logs, const char *sink, const char *expected) {
  uint64_t live = rac_live_objects();
  rac_marbles m;
  rac_marbles_open(&m, 0.1);
  log_file log = {.is_named = true};
  rac_marbles_value(&m, 'x', batch_of("batch 0 1 2\n", "a\nb\n"));
  rac_marbles_value(&m, 'y', batch_of("batch 0 2 1\n", "c\n"));
  rac_subject *answers = rac_subject_create();
  rac_signal *batches =
      batches_of(rac_marbles_hot(&m, logs), &log, answers, m.clock);
  rac_disposable *answering =
      rac_subscribe_next(rac_marbles_hot(&m, sink), answers, forward, NULL);
  RAC_MARBLES_EXPECT(&m, batches, NULL, expected);
  CHECK_INT(rac_marbles_close(&m), 0);
  rac_release(answering);
  rac_release(batches);
  rac_release(answers);
  CHECK_INT(rac_live_objects(), live);
}

static void note_length(void *length, rac_value batch) {
  size_t lines = 0;
  const char *text;
  rac_value_get_text(rac_tuple_get(batch, 1), &text, &lines);
  *(size_t *)length = lines;
}

TEST(a_full_batch_does_not_wait) {
  uint64_t live = rac_live_objects();
  size_t length = 0;
  log_file log = {.is_named = true};
  rac_subject *lines = rac_subject_create(), *answers = rac_subject_create();
  rac_scheduler *clock = rac_scheduler_virtual();
  rac_signal *batches =
      batches_of(rac_subject_as_signal(lines), &log, answers, clock);
  rac_disposable *heard =
      rac_subscribe_next(batches, &length, note_length, NULL);
  for (int i = 0; i < LINES - 1; i++)
    rac_subject_send(lines, rac_value_string("line"));
  CHECK_INT(length, 0);
  rac_subject_send(lines, rac_value_string("line"));
  CHECK_INT(length, 5 * LINES);
  rac_subject_send(answers, rac_value_nil());
  rac_subject_send(lines, rac_value_string("one"));
  log.is_named = false;
  rac_subject_send(lines, rac_value_string("of no interest"));
  rac_virtual_advance_by(clock, 0.2);
  CHECK_INT(length, 4);
  rac_dispose(heard);
  rac_release(heard);
  rac_release(batches);
  rac_release(clock);
  rac_release(answers);
  rac_release(lines);
  CHECK_INT(rac_live_objects(), live);
}

TEST(a_batch_waits_for_the_answer_to_the_one_before) {
  ship("-ab------c|", "-----a---------a", "---x------y----|");
  ship("-ab------c|", "------------a--a", "---x--------y--|");
  /* No answer to the last one: the program does not end. */
  ship("-ab------c|", "-----a----------", "---x------y");
  /* The end does not wait for the time of a batch. */
  ship("-ab|", "------a", "---x--|");
}

TEST(answers_to_what_was_sent_twice) {
  uint64_t live = rac_live_objects();
  rac_marbles m;
  rac_marbles_open(&m, 1);
  stored = 0;
  const char *texts[] = {"1", "2", "3"};
  for (int i = 0; i < 3; i++)
    rac_marbles_value(&m, *texts[i], rac_value_string_copy(texts[i], 1));
  rac_subject *answers = rac_subject_create();
  rac_signal *lines = rac_signal_do_next(rac_marbles_hot(&m, "-1-1-3-2-2-3|"),
                                         answers, answered, NULL);
  RAC_MARBLES_EXPECT(&m, rac_subject_as_signal(answers), NULL, "-1-----2---3");
  RAC_MARBLES_EXPECT(&m, lines, NULL, "-1-1-3-2-2-3|");
  CHECK_INT(rac_marbles_close(&m), 0);
  CHECK_INT(stored, 3);
  rac_release(lines);
  rac_release(answers);
  CHECK_INT(rac_live_objects(), live);
}

TEST(a_later_connection_gets_the_batch_that_is_on_its_way) {
  uint64_t live = rac_live_objects();
  rac_marbles m;
  rac_marbles_open(&m, 1);
  rac_subject *batch = rac_behavior_subject_create(rac_value_string(""));
  rac_signal *begun =
      rac_signal_do_next(rac_marbles_hot(&m, "--x---y"), batch, begin, NULL);
  RAC_MARBLES_EXPECT(&m, begun, NULL, "--x---y");
  /* A connection that is lost, no connection, and one that stays. */
  rac_signal *tries[] = {rac_marbles_cold(&m, "-c--#"),
                         rac_marbles_cold(&m, "#"), rac_marbles_cold(&m, "c")};
  rac_signal *connection = rac_marbles_turns(&m, tries, 3);
  rac_value sent = rac_value_signal(rac_subject_as_signal(batch));
  rac_signal *written = rac_signal_map_replace(connection, sent);
  RAC_ASSIGN(written, rac_signal_flatten(written, 0));
  RAC_ASSIGN(written,
             rac_signal_retry_with_backoff(written, 1, 2, 8, 0, 0, m.clock));
  rac_marbles_value(&m, 'e', rac_value_string_copy("", 0));
  RAC_MARBLES_EXPECT(&m, written, NULL, "-ex----y");
  rac_release(written);
  rac_value_release(sent);
  rac_release(begun);
  CHECK_INT(rac_marbles_close(&m), 0);
  rac_release(batch);
  CHECK_INT(rac_live_objects(), live);
}
