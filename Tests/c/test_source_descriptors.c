/* The descriptors of lines and chunks: who closes them, which are refused, and
 * how their errors are told. */
#include "descriptors.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/socket.h>

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
