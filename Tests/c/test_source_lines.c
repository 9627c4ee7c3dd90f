/* Lines and chunks of descriptors: where they are cut, and how they end. */
#include "descriptors.h"
#include "shared_callbacks.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>

static int make_file(const char *content) {
  char name[] = "/tmp/rac-lines-XXXXXX";
  int fd = mkstemp(name);
  if (fd < 0) abort();
  unlink(name);
  write_text(fd, content);
  if (lseek(fd, 0, SEEK_SET) != 0) abort();
  return fd;
}

/* All that the signal sends, to its end; takes over the reference. */
static void check_whole(int line, rac_signal *signal, const char *expected) {
  int before = open_descriptors();
  recorder r = {0};
  record(signal, &r);
  rac_release(signal);
  RUN_UNTIL(r.ends == 1);
  check_text(__FILE__, line, "what was heard", r.text, expected);
  await_end(&r);
  CHECK(open_descriptors() <= before);
}
#define CHECK_WHOLE(signal, expected) check_whole(__LINE__, signal, expected)

/* Lines of a pipe that gets this and is closed. */
static rac_signal *lines_of(const char *text, size_t longest) {
  int ends[2];
  make_pipe(ends);
  write_text(ends[1], text);
  close(ends[1]);
  return rac_signal_lines(ends[0], OWNED, longest, NULL);
}

TEST(lines_are_cut_at_newlines_and_returns) {
  CHECK_WHOLE(lines_of("a\nbc\r\n\n\r\nd", 0), "a bc   d |");
  CHECK_WHOLE(lines_of("a\n", 0), "a |");
  CHECK_WHOLE(lines_of("\r", 0), "\r |");
  CHECK_WHOLE(lines_of("", 0), "|");
}

TEST(files_are_read_to_their_end) {
  CHECK_WHOLE(rac_signal_lines(make_file("one\ntwo\nthr"), OWNED, 0, NULL),
              "one two thr |");
  CHECK_WHOLE(rac_signal_lines(open("/dev/null", O_RDONLY), OWNED, 0, NULL),
              "|");
}

TEST(a_file_goes_on_where_it_was) {
  int file = make_file("one\ntwo\n");
  rac_signal *lines = rac_signal_lines(file, LENT, 0, NULL);
  rac_retain(lines);
  CHECK_WHOLE(lines, "one two |");
  if (pwrite(file, "three\n", 6, 8) != 6) abort();
  CHECK_WHOLE(lines, "three |");
  CHECK_INT(close(file), 0);
}

TEST(a_line_of_the_greatest_length) {
  CHECK_WHOLE(lines_of("abc\nabc\r\nabc", 3), "abc abc abc |");
  CHECK_WHOLE(lines_of("a\nabcd\nb\n", 3), "a #-5011");
  CHECK_WHOLE(lines_of("a\nabcd", 3), "a #-5011");
  CHECK_WHOLE(lines_of("a\nabcde", 3), "a #-5011");
}

TEST(a_line_that_is_too_long_says_so) {
  owned_value error = error_of(lines_of("abcd\n", 3));
  CHECK_TEXT(rac_error_get_domain(error), "rac");
  CHECK_INT(rac_error_get_code(error), RAC_ERANGE);
  CHECK_TEXT(rac_error_get_message(error), "a line is longer than was allowed");
}

/* Of a pipe that stays open, and as soon as it is known. */
static void check_open(int line, const char *text, const char *expected) {
  int ends[2];
  make_pipe(ends);
  recorder r = {0};
  record_of(rac_signal_lines(ends[0], OWNED, 3, NULL), &r);
  write_text(ends[1], text);
  RUN_UNTIL(strlen(r.text) >= strlen(expected));
  run_a_little();
  check_text(__FILE__, line, text, r.text, expected);
  rac_dispose(r.subscription);
  close(ends[1]);
  await_end(&r);
}

TEST(a_line_that_is_too_long_is_not_waited_for) {
  check_open(__LINE__, "abcd", "#-5011");
  check_open(__LINE__, "a\nabcd", "a #-5011");
  check_open(__LINE__, "abc\r\r", "#-5011");
  check_open(__LINE__, "abc", "");
  check_open(__LINE__, "abc\r", "");
  check_open(__LINE__, "abc\r\n", "abc");
}

static void note_length(recorder *self, rac_value value) {
  *(int64_t *)self->user += value.length;
}

TEST(long_lines_grow_the_buffer) {
  enum { LENGTH = 60000 };
  char *text = malloc(2 * LENGTH + 3);
  memset(text, 'x', 2 * LENGTH + 1);
  text[LENGTH] = '\n';
  text[2 * LENGTH + 1] = '\n';
  text[2 * LENGTH + 2] = 0;
  int64_t length = 0;
  recorder r = {.on_next = note_length, .user = &length};
  rac_signal *lines = rac_signal_lines(make_file(text), OWNED, 0, NULL);
  free(text);
  rac_signal *counted = rac_signal_map_replace(lines, I(1));
  rac_release(counted);
  record(lines, &r);
  rac_release(lines);
  r.used = 0;
  RUN_UNTIL(r.ends == 1);
  CHECK_INT(length, 2 * LENGTH);
  CHECK_INT(r.nexts, 2);
  await_end(&r);
}

static void note_kind(recorder *self, rac_value value) {
  uint8_t *kinds = self->user;
  kinds[self->nexts - 1] = value.kind;
}

TEST(a_line_that_is_not_utf_8_is_bytes) {
  uint8_t kinds[4] = {0};
  recorder r = {.on_next = note_kind, .user = kinds};
  record_of(lines_of("caf\xc3\xa9\ncaf\xe9\n", 0), &r);
  RUN_UNTIL(r.ends == 1);
  CHECK_INT(kinds[0], RAC_STRING);
  CHECK_INT(kinds[1], RAC_BYTES);
  await_end(&r);
}

TEST(half_a_line_waits_for_the_rest) {
  int ends[2];
  make_pipe(ends);
  RECORDER_OF(r, rac_signal_lines(ends[0], OWNED, 0, NULL));
  write_text(ends[1], "ab");
  run_a_little();
  CHECK_EVENTS(&r, "");
  write_text(ends[1], "c\nd");
  RUN_UNTIL(r.nexts == 1);
  CHECK_EVENTS(&r, "abc");
  close(ends[1]);
  RUN_UNTIL(r.ends == 1);
  CHECK_EVENTS(&r, "abc d |");
}

static void add_bytes(recorder *self, rac_value value) {
  char *all = self->user;
  size_t length = 0;
  const void *bytes = NULL;
  CHECK_STATUS(rac_value_get_bytes(value, &bytes, &length), RAC_OK);
  strncat(all, bytes, length);
  strcat(all, " ");
}

TEST(chunks_are_what_was_written) {
  int ends[2];
  make_pipe(ends);
  char all[64] = "";
  recorder r = {.on_next = add_bytes, .user = all};
  record_of(rac_signal_chunks(ends[0], OWNED, 4, NULL), &r);
  write_text(ends[1], "ab");
  RUN_UNTIL(r.nexts == 1);
  write_text(ends[1], "cdefg");
  RUN_UNTIL(r.nexts == 3);
  close(ends[1]);
  RUN_UNTIL(r.ends == 1);
  CHECK_TEXT(all, "ab cdef g ");
  await_end(&r);
}

/* ---- Turns ------------------------------------------------------------------ */

TEST(a_drain_gives_as_many_lines_as_it_was_asked_for) {
  int ends[2];
  make_pipe(ends);
  recorder r = {0};
  record_of(rac_signal_lines(ends[0], OWNED, 0, NULL), &r);
  write_text(ends[1], "1\n2\n3\n4\n5\n");
  CHECK_INT(rac_main_drain(2), 2);
  CHECK_INT(r.nexts, 2);
  CHECK_INT(rac_main_drain(1), 1);
  CHECK_INT(r.nexts, 3);
  CHECK(rac_scheduler_next_deadline(rac_scheduler_main()) == 0);
  while (rac_main_drain(1) > 0) {
  }
  CHECK_EVENTS(&r, "1 2 3 4 5");
  close(ends[1]);
  RUN_UNTIL(r.ends == 1);
  await_end(&r);
}

static void count_job(void *context) {
  atomic_fetch_add((atomic_int *)context, 1);
}

TEST(a_long_file_leaves_others_their_turn) {
  rac_signal *zeros =
      rac_signal_chunks(open("/dev/zero", O_RDONLY), OWNED, 1, NULL);
  recorder r = {0};
  record_of(rac_signal_ignore_values(zeros), &r);
  rac_release(zeros);
  atomic_int ticks = 0;
  rac_disposable *job = rac_schedule_repeating(
      rac_scheduler_main(), 0.001, 0.001, 0, &ticks, count_job, NULL);
  RUN_UNTIL(ticks >= 5);
  rac_dispose(job);
  rac_release(job);
  CHECK_EVENTS(&r, "");
  finish(&r);
  run_a_little(); /* its job was in the queue */
}

/* ---- Disposal ---------------------------------------------------------------------- */

TEST(disposal_from_inside_stops_at_once) {
  int before = open_descriptors();
  rac_signal *lines = lines_of("1\n2\n3\n", 0);
  recorder r = {.on_next = dispose_self};
  record(lines, &r);
  rac_release(lines);
  RUN_UNTIL(r.nexts == 1);
  run_a_little();
  CHECK_EVENTS(&r, "1");
  finish(&r);
  CHECK_INT(open_descriptors(), before);
}

static int at_end;

static void count_descriptors(recorder *self) {
  (void)self;
  at_end = open_descriptors();
}

TEST(the_descriptor_is_closed_before_the_end_is_heard) {
  int before = open_descriptors();
  rac_signal *lines = lines_of("1\n", 0);
  recorder r = {.on_end = count_descriptors};
  record(lines, &r);
  rac_release(lines);
  RUN_UNTIL(r.ends == 1);
  /* The owned number is held by whoever hears the end, and the poller's two are
   * the poller's. */
  CHECK(at_end <= before + 3);
  await_end(&r);
  CHECK_INT(open_descriptors(), before);
}

/* The values that were passed by and those that were kept are the same. */
TEST(kept_lines_stay_what_they_were) {
  rac_signal *lines = lines_of("1\n22\n333\n", 0);
  rac_signal *all = rac_signal_collect(lines);
  rac_release(lines);
  CHECK_WHOLE(all, "(1,22,333) |");
}

static void interrupt_me(int number) { (void)number; }

TEST(interrupted_waits_go_on) {
  struct sigaction action = {.sa_handler = interrupt_me}, before;
  sigaction(SIGUSR2, &action, &before);
  int ends[2];
  make_pipe(ends);
  recorder r = {0};
  record_of(rac_signal_lines(ends[0], OWNED, 0, NULL), &r);
  for (int i = 0; i < 3; i++) {
    if (fork() == 0) {
      nanosleep(&(struct timespec){0, 3000000}, NULL);
      kill(getppid(), SIGUSR2);
      _exit(0);
    }
    rac_main_run_for(0.03);
  }
  write_text(ends[1], "x\n");
  close(ends[1]);
  RUN_UNTIL(r.ends == 1);
  CHECK_EVENTS(&r, "x |");
  await_end(&r);
  /* The last of them may be late. */
  while (wait(NULL) > 0 || errno == EINTR) errno = 0;
  sigaction(SIGUSR2, &before, NULL);
}

/* ---- What a callback leaves behind --------------------------------------------------- */

static void set_in_no_batch(recorder *self, rac_value value) {
  CHECK_STATUS(rac_property_batch_begin(), RAC_EDEADLK);
  CHECK_STATUS(rac_property_set(self->user, I(value.length)), RAC_OK);
}

/* One that was not ended would take in what comes with the next line. */
TEST(the_callback_of_a_line_begins_no_batch) {
  owned rac_property *property = rac_property_create(I(0), 0);
  recorder r = {.on_next = set_in_no_batch, .user = property};
  record_of(lines_of("a\nabc\n", 0), &r);
  RUN_UNTIL(r.ends == 1);
  rac_value value;
  CHECK_STATUS(rac_property_get(property, &value), RAC_OK);
  CHECK_INT(value.bits, 3);
  await_end(&r);
}
