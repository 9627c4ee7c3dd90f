/* Lines and chunks of descriptors: where they are cut, how they end, who closes
 * what. */
#include "descriptors.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>

enum { LENT = RAC_DESCRIPTOR_LENT, OWNED = RAC_DESCRIPTOR_OWNED };

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

static void remember_error(void *context, rac_value error) {
  *(rac_value *)context = rac_value_retain(error);
}

/* The error that the signal ends with, owned. Takes over the reference. */
static rac_value error_of(rac_signal *signal) {
  rac_value error = rac_value_nil();
  rac_observer observer = RAC_OBSERVER_INIT;
  observer.context = &error;
  observer.error = remember_error;
  owned rac_disposable *subscription = rac_subscribe(signal, &observer);
  rac_release(signal);
  RUN_UNTIL(error.kind == RAC_ERROR);
  return error;
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

static void count_up(void *context) {
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
      rac_scheduler_main(), 0.001, 0.001, 0, &ticks, count_up, NULL);
  RUN_UNTIL(ticks >= 5);
  rac_dispose(job);
  rac_release(job);
  CHECK_EVENTS(&r, "");
  finish(&r);
  run_a_little(); /* its job was in the queue */
}

/* ---- Ownership ----------------------------------------------------------------- */

TEST(a_lent_descriptor_stays_open) {
  int before = open_descriptors();
  int ends[2];
  make_pipe(ends);
  rac_signal *lines = rac_signal_lines(ends[0], LENT, 0, NULL);
  CHECK_INT(open_descriptors(), before + 2);
  recorder r = {0};
  record(lines, &r);
  CHECK(open_descriptors() > before + 2);
  finish(&r);
  CHECK_INT(open_descriptors(), before + 2);
  rac_release(lines);
  CHECK_INT(close(ends[0]), 0);
  CHECK_INT(close(ends[1]), 0);
}

TEST(an_owned_descriptor_is_closed_with_the_last_who_uses_it) {
  int before = open_descriptors();
  int ends[2];
  make_pipe(ends);
  rac_signal *lines = rac_signal_lines(ends[0], OWNED, 0, NULL);
  recorder r = {0};
  record(lines, &r);
  finish(&r);
  CHECK_INT(open_descriptors(), before + 2);
  recorder again = {0};
  record(lines, &again);
  rac_release(lines);
  write_text(ends[1], "x\n");
  RUN_UNTIL(again.nexts == 1);
  finish(&again);
  CHECK_INT(open_descriptors(), before + 1);
  close(ends[1]);
}

static rac_status give_signal(void *context, rac_value value,
                              rac_signal **out) {
  (void)value;
  *out = rac_retain(context);
  return RAC_OK;
}

/* Law 10 for descriptors: an inner signal answers when the source has ended. */
TEST(an_owned_descriptor_stays_open_for_inner_signals) {
  int before = open_descriptors();
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) abort();
  rac_subject *answers = rac_subject_create();
  rac_signal *lines = rac_signal_lines(ends[0], OWNED, 0, NULL);
  rac_signal *answered = rac_signal_flatten_map(
      lines, rac_subject_as_signal(answers), give_signal, NULL);
  rac_release(lines);
  recorder r = {0};
  record(answered, &r);
  rac_release(answered);
  write_text(ends[1], "asked\n");
  CHECK_INT(shutdown(ends[1], SHUT_WR), 0);
  RUN_UNTIL(rac_subject_subscriber_count(answers) == 1);
  run_a_little();
  CHECK_INT(r.ends, 0);
  CHECK_INT((int)write(ends[0], "answered", 8), 8);
  rac_subject_send_completed(answers);
  CHECK_INT(r.ends, 1);
  rac_release(answers);
  finish(&r);
  close(ends[1]);
  CHECK_INT(open_descriptors(), before);
}

/* A second subscription at the same time has a number of its own. */
TEST(an_owned_descriptor_is_read_by_its_own_number) {
  recorder r = {0}, other = {0};
  int ends[2];
  make_pipe(ends);
  rac_signal *lines = rac_signal_lines(ends[0], OWNED, 0, NULL);
  rac_main_run_for(0); /* the main scheduler has its descriptors */
  int before = open_descriptors();
  record(lines, &r);
  int alone = open_descriptors() - before;
  record(lines, &other);
  CHECK_INT(open_descriptors() - before - alone, 1);
  finish(&r);
  write_text(ends[1], "x\n");
  RUN_UNTIL(other.nexts == 1);
  finish(&other);
  CHECK_INT(open_descriptors(), before);
  /* The poll set and its wake-up come and go with what is in it. */
  rac_signal *lent = rac_signal_lines(ends[0], LENT, 0, NULL);
  r = (recorder){0};
  record(lent, &r);
  CHECK_INT(open_descriptors() - before, alone + 1);
  finish(&r);
  rac_release(lent);
  rac_release(lines);
  close(ends[1]);
}

TEST(an_owned_descriptor_is_closed_by_a_call_that_fails) {
  int before = open_descriptors();
  int ends[2];
  make_pipe(ends);
  CHECK(rac_signal_lines(ends[0], OWNED, 0, rac_scheduler_immediate()) == NULL);
  CHECK_STATUS(rac_last_error_code(), RAC_EINVAL);
  CHECK(rac_signal_lines(ends[1], OWNED, 0, NULL) == NULL);
  CHECK_STATUS(rac_last_error_code(), RAC_EINVAL);
  CHECK_INT(open_descriptors(), before);
  make_pipe(ends);
  CHECK(rac_signal_lines(ends[0], 2, 0, NULL) == NULL);
  CHECK_STATUS(rac_last_error_code(), RAC_EINVAL);
  CHECK_INT(close(ends[0]), 0);
  CHECK_INT(close(ends[1]), 0);
}

TEST(a_descriptor_closed_under_its_source_goes_on) {
  int ends[2], others[2];
  make_pipe(ends);
  rac_signal *lines = rac_signal_lines(ends[0], LENT, 0, NULL);
  recorder r = {0};
  record(lines, &r);
  write_text(ends[1], "1\n");
  close(ends[0]);
  /* The number is used again, for something else. */
  make_pipe(others);
  CHECK_INT(others[0], ends[0]);
  write_text(others[1], "foreign\n");
  write_text(ends[1], "2\n");
  RUN_UNTIL(r.nexts == 2);
  CHECK_EVENTS(&r, "1 2");
  rac_value error = error_of(lines);
  check_system_error(__FILE__, __LINE__, error, EBADF);
  CHECK_TEXT(rac_error_get_message(error),
             "rac_signal_lines: Bad file descriptor");
  rac_value_release(error);
  close(ends[1]);
  RUN_UNTIL(r.ends == 1);
  await_end(&r);
  char text[16];
  CHECK_INT(read(others[0], text, sizeof text), 8);
  close(others[0]);
  close(others[1]);
}

/* ---- Bad input ------------------------------------------------------------------- */

TEST(bad_descriptors_are_refused) {
  int ends[2];
  make_pipe(ends);
  rac_scheduler *clock = rac_scheduler_virtual();
  struct {
    rac_signal *made;
    rac_status status;
  } calls[] = {
      {rac_signal_lines(-1, LENT, 0, NULL), RAC_EINVAL},
      {rac_signal_chunks(999, OWNED, 0, NULL), RAC_EINVAL},
      {rac_signal_readable(ends[1], LENT, NULL), RAC_EINVAL},
      {rac_signal_writable(ends[0], LENT, NULL), RAC_EINVAL},
      {rac_signal_lines(ends[0], LENT, 0, rac_scheduler_immediate()),
       RAC_EINVAL},
      {rac_signal_lines(ends[0], LENT, 0, clock), RAC_EINVAL},
  };
  for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
    CHECK(calls[i].made == NULL);
  const size_t most = (size_t)1 << 30;
  CHECK(rac_signal_lines(ends[0], LENT, most + 1, NULL) == NULL);
  CHECK_STATUS(rac_last_error_code(), RAC_EINVAL);
  CHECK_TEXT(rac_last_error_message(), "more bytes than 2^30");
  CHECK(rac_signal_chunks(ends[0], LENT, SIZE_MAX, NULL) == NULL);
  CHECK_STATUS(rac_last_error_code(), RAC_EINVAL);
  rac_release(rac_signal_lines(ends[0], LENT, most, NULL));
  rac_release(clock);
  CHECK(rac_signal_lines(ends[0], LENT, 0, clock) == NULL);
  CHECK_STATUS(rac_last_error_code(), RAC_ESTALE);
  CHECK(rac_signal_lines(-1, LENT, 0, NULL) == NULL);
  CHECK_STATUS(rac_last_error_code(), RAC_EINVAL);
  CHECK_TEXT(rac_last_error_message(), "the descriptor is not open");
  CHECK_TEXT(rac_last_error_function(), "rac_signal_lines");
  CHECK_INT(close(ends[0]), 0);
  CHECK_INT(close(ends[1]), 0);
}

TEST(an_error_of_the_descriptor_ends_the_stream) {
  rac_value error =
      error_of(rac_signal_lines(open("/", O_RDONLY), OWNED, 0, NULL));
  check_system_error(__FILE__, __LINE__, error, EISDIR);
  rac_value_release(error);
  /* A connection that was reset. */
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) abort();
  write_text(ends[0], "unread");
  close(ends[1]);
  error = error_of(rac_signal_chunks(ends[0], OWNED, 0, NULL));
  check_system_error(__FILE__, __LINE__, error, ECONNRESET);
  rac_value_release(error);
}

/* ---- Disposal ---------------------------------------------------------------------- */

static void dispose_mine(recorder *self, rac_value value) {
  (void)value;
  rac_dispose(self->subscription);
}

TEST(disposal_from_inside_stops_at_once) {
  int before = open_descriptors();
  rac_signal *lines = lines_of("1\n2\n3\n", 0);
  recorder r = {.on_next = dispose_mine};
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
