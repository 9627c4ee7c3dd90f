/* What `lines` reads ahead: of a file it goes back, of a pipe it is in the one
 * subscription that reads. */
#include "descriptors.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>

enum { TEN = 10 };

static int open_file(const char *content, int flags) {
  char name[] = "/tmp/rac-ahead-XXXXXX";
  int made = mkstemp(name);
  if (made < 0) abort();
  write_text(made, content);
  int file = open(name, flags);
  if (file < 0) abort();
  close(made);
  unlink(name);
  return file;
}

static const char ten[] = "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n";

static rac_signal *some_lines(int file, size_t count, rac_scheduler *where) {
  owned rac_signal *lines = rac_signal_lines(file, LENT, 0, where);
  rac_signal *some = rac_signal_take(lines, count);
  return some;
}

static void check_lines(int line, int file, size_t count,
                        const char *expected) {
  recorder r = {0};
  record_of(some_lines(file, count, NULL), &r);
  RUN_UNTIL(r.ends == 1);
  check_text(__FILE__, line, "what was heard", r.text, expected);
  await_end(&r);
}
#define CHECK_LINES(file, count, expected)                                     \
  check_lines(__LINE__, file, count, expected)

TEST(who_takes_a_few_lines_of_a_file_leaves_the_rest) {
  int file = open_file(ten, O_RDONLY);
  CHECK_LINES(file, 1, "1 |");
  CHECK_LINES(file, 1, "2 |");
  CHECK_INT(lseek(file, 0, SEEK_CUR), 4);
  CHECK_LINES(file, 3, "3 4 5 |");
  CHECK_LINES(file, 100, "6 7 8 9 10 |");
  CHECK_LINES(file, 1, "|");
  CHECK_INT(close(file), 0);
}

/* Whoever hears that one has ended may read at once: what was ahead of it is
 * given back before. The file is more than one read() gives. */
TEST(a_long_file_line_by_line_on_other_threads) {
  enum { LINES = 3000 };
  char *text = malloc(LINES * 16), *end = text;
  for (int i = 0; i < LINES; i++)
    end += sprintf(end, "%d%s\n", i, i % 2 ? "\r" : "");
  int file = open_file(text, O_RDONLY);
  free(text);
  rac_scheduler *worker = rac_scheduler_background(0, NULL);
  rac_signal *lines = rac_signal_lines(file, LENT, 0, worker);
  for (int i = 0; i < LINES; i++) {
    rac_value value;
    const char *heard = NULL;
    char expected[16];
    REQUIRE(rac_signal_first(lines, 20, &value) == RAC_OK);
    snprintf(expected, sizeof expected, "%d", i);
    CHECK_STATUS(rac_value_get_string(value, &heard, NULL), RAC_OK);
    CHECK_TEXT(heard, expected);
    rac_value_release(value);
  }
  rac_value none;
  CHECK_STATUS(rac_signal_first(lines, 20, &none), RAC_EEMPTY);
  rac_release(lines);
  rac_release(worker);
  CHECK_INT(close(file), 0);
}

static void read_in_the_end(recorder *self) {
  char rest[32] = "";
  ssize_t length = read(*(int *)self->user, rest, 4);
  CHECK_INT(length, 4);
  CHECK_TEXT(rest, "4\n5\n");
}

/* Law 8: upstream goes first, and its file with it. */
TEST(who_hears_the_end_reads_on) {
  int file = open_file(ten, O_RDONLY);
  recorder r = {.on_end = read_in_the_end, .user = &file};
  record_of(some_lines(file, 3, NULL), &r);
  RUN_UNTIL(r.ends == 1);
  await_end(&r);
  CHECK_LINES(file, 2, "6 7 |");
  CHECK_INT(close(file), 0);
}

/* Between two drains, when nothing is being delivered. */
TEST(a_disposal_between_two_turns_goes_back) {
  int file = open_file(ten, O_RDONLY);
  recorder r = {0};
  record_of(rac_signal_lines(file, LENT, 0, NULL), &r);
  CHECK_INT(rac_main_drain(4), 4);
  CHECK_INT(lseek(file, 0, SEEK_CUR), (int)sizeof ten - 1);
  finish(&r);
  CHECK_INT(lseek(file, 0, SEEK_CUR), 8);
  run_a_little(); /* its job was in the queue */
  CHECK_INT(close(file), 0);
}

/* A line that is too long was not delivered either: somebody with more room can
 * have it. */
TEST(a_file_goes_back_to_the_line_that_was_too_long) {
  int file = open_file("a\nlong\nb\n", O_RDONLY);
  rac_signal *lines = rac_signal_lines(file, LENT, 3, NULL);
  recorder r = {0};
  record(lines, &r);
  rac_release(lines);
  RUN_UNTIL(r.ends == 1);
  CHECK_EVENTS(&r, "a #-5011");
  await_end(&r);
  CHECK_LINES(file, 9, "long b |");
  CHECK_INT(close(file), 0);
}

/* ---- Who else has the file ---------------------------------------------------- */

static void move_elsewhere(recorder *self, rac_value value) {
  (void)value;
  if (lseek(*(int *)self->user, 14, SEEK_SET) != 14) abort();
}

TEST(a_file_that_somebody_else_has_moved_stays_there) {
  int file = open_file(ten, O_RDONLY);
  recorder r = {.on_next = move_elsewhere, .user = &file};
  record_of(some_lines(file, 1, NULL), &r);
  RUN_UNTIL(r.ends == 1);
  await_end(&r);
  CHECK_LINES(file, 1, "8 |");
  CHECK_INT(close(file), 0);
}

/* A write to the end moves where it is read, too. */
static void append(recorder *self, rac_value value) {
  (void)value;
  write_text(*(int *)self->user, "11\n");
}

TEST(a_file_that_is_appended_to_meanwhile_is_not_moved_back) {
  int file = open_file(ten, O_RDWR | O_APPEND);
  CHECK_LINES(file, 2, "1 2 |");
  recorder r = {.on_next = append, .user = &file};
  record_of(some_lines(file, 1, NULL), &r);
  RUN_UNTIL(r.ends == 1);
  CHECK_EVENTS(&r, "3 |");
  await_end(&r);
  CHECK_INT(lseek(file, 0, SEEK_CUR), (int)sizeof ten - 1 + 3);
  CHECK_INT(close(file), 0);
}

/* It has no place to go back to. */
TEST(a_device_is_left_alone) {
  int zero = open("/dev/null", O_RDONLY);
  CHECK_LINES(zero, 1, "|");
  CHECK_INT(close(zero), 0);
}

/* ---- Pipes ----------------------------------------------------------------------- */

static int pipe_of_ten(void) {
  int ends[2];
  make_pipe(ends);
  write_text(ends[1], ten);
  close(ends[1]);
  return ends[0];
}

/* Two heads and the rest, of one subscription. */
TEST(takes_of_published_lines_part_what_a_pipe_gives) {
  owned rac_signal *lines = rac_signal_lines(pipe_of_ten(), OWNED, 0, NULL);
  owned rac_connection *connection = rac_signal_publish(lines);
  owned rac_signal *all = rac_connection_signal(connection);
  owned rac_signal *head = rac_signal_take(all, 1);
  owned rac_signal *label = rac_signal_map_replace(head, I(0));
  owned rac_signal *parts = rac_signal_concat(head, label);
  RAC_ASSIGN(parts, rac_signal_concat(parts, all));
  RECORDER(first, parts);
  RECORDER(then, head);
  owned rac_disposable *reading = rac_connection_connect(connection);
  RUN_UNTIL(first.ends == 1);
  CHECK_EVENTS(&first, "1 0 3 4 5 6 7 8 9 10 |");
  CHECK_EVENTS(&then, "1 |");
}

/* On other threads, so that the one that reads may wait. */
TEST(a_sequence_of_lines_reads_a_pipe_one_by_one) {
  owned rac_scheduler *worker = rac_scheduler_background(0, NULL);
  rac_signal *lines = rac_signal_lines(pipe_of_ten(), OWNED, 0, worker);
  rac_sequence *rest = rac_sequence_from_signal(lines, 20, NULL);
  rac_release(lines);
  for (int i = 1; i <= TEN; i++) {
    rac_value value;
    const char *heard = NULL;
    char expected[16];
    CHECK_STATUS(rac_sequence_head(rest, &value), RAC_OK);
    snprintf(expected, sizeof expected, "%d", i);
    CHECK_STATUS(rac_value_get_string(value, &heard, NULL), RAC_OK);
    CHECK_TEXT(heard, expected);
    rac_value_release(value);
    rac_sequence *tail = NULL;
    CHECK_STATUS(rac_sequence_tail(rest, &tail), RAC_OK);
    rac_release(rest);
    rest = tail;
  }
  CHECK_STATUS(rac_sequence_head(rest, NULL), RAC_EEMPTY);
  rac_release(rest);
}
