/* rac_signal_write: order, parts, bounds, and how it ends. */
#include "descriptors.h"
#include "shared_callbacks.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <time.h>

static rac_signal *texts(const char *const *list, size_t count) {
  rac_value values[16];
  for (size_t i = 0; i < count; i++) values[i] = S(list[i]);
  return rac_signal_from_values(values, count);
}
#define TEXTS(...)                                                             \
  texts((const char *const[]){__VA_ARGS__},                                    \
        sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *))

/* Takes the source over. */
static rac_signal *written(rac_signal *source, int fd, int32_t ownership) {
  rac_signal *signal = rac_signal_write(source, fd, ownership, NULL, NULL);
  rac_release(source);
  return signal;
}

/* All that can be read now. */
static const char *read_now(int fd) {
  static char text[1 << 18];
  size_t length = 0;
  struct timespec moment = {0, 1000000};
  fcntl(fd, F_SETFL, O_NONBLOCK);
  for (int tries = 0; tries < 3;) {
    ssize_t got = read(fd, text + length, sizeof text - 1 - length);
    if (got == 0) break;
    if (got > 0) {
      length += (size_t)got;
    } else {
      tries++;
      nanosleep(&moment, NULL);
    }
  }
  text[length] = 0;
  return text;
}

static void check_written(int line, rac_signal *signal, const char *events,
                          int fd, const char *content) {
  int before = open_descriptors();
  recorder r = {0};
  record_of(signal, &r);
  RUN_UNTIL(r.ends == 1);
  check_text(__FILE__, line, "what was heard", r.text, events);
  check_text(__FILE__, line, "what was written", read_now(fd), content);
  await_end(&r);
  CHECK(open_descriptors() <= before);
}
#define CHECK_WRITTEN(...) check_written(__LINE__, __VA_ARGS__)

/* ---- What is written ----------------------------------------------------------- */

TEST(what_waits_goes_out_in_one_call) {
  int ends[2];
  make_pipe(ends);
  CHECK_WRITTEN(written(TEXTS("one ", "two ", "", "three"), ends[1], OWNED),
                "13 |", ends[0], "one two three");
  make_pipe(ends);
  CHECK_WRITTEN(written(rac_signal_empty(), ends[1], OWNED), "|", ends[0], "");
  close(ends[0]);
}

TEST(tuples_are_written_element_by_element) {
  int ends[2];
  make_pipe(ends);
  owned rac_signal *all = TEXTS("a", "b", "c");
  owned rac_signal *pairs = rac_signal_buffer_with_count(all, 2, 2);
  CHECK_WRITTEN(rac_signal_write(pairs, ends[1], OWNED, NULL, NULL), "3 |",
                ends[0], "abc");
  close(ends[0]);
}

TEST(sockets_terminals_and_files_are_written_to) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) abort();
  CHECK_WRITTEN(written(TEXTS("a", "b"), ends[1], OWNED), "2 |", ends[0], "ab");
  close(ends[0]);
  char name[] = "/tmp/rac-write-XXXXXX";
  int file = mkstemp(name);
  unlink(name);
  int other = dup(file);
  recorder r = {0};
  record_of(written(TEXTS("in a ", "file"), file, OWNED), &r);
  RUN_UNTIL(r.ends == 1);
  CHECK_EVENTS(&r, "9 |");
  lseek(other, 0, SEEK_SET);
  CHECK_TEXT(read_now(other), "in a file");
  await_end(&r);
  close(other);
  r = (recorder){0};
  record_of(written(TEXTS("gone"), open("/dev/null", O_WRONLY), OWNED), &r);
  RUN_UNTIL(r.ends == 1);
  CHECK_EVENTS(&r, "4 |");
  await_end(&r);
}

/* A socket that keeps messages apart. */
TEST(each_value_is_a_datagram) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_DGRAM, 0, ends) != 0) abort();
  recorder r = {0};
  record_of(written(TEXTS("one", "", "three"), ends[1], OWNED), &r);
  RUN_UNTIL(r.ends == 1);
  CHECK_EVENTS(&r, "3 3 8 |");
  char text[16];
  CHECK_INT(recv(ends[0], text, sizeof text, MSG_DONTWAIT), 3);
  CHECK_INT(recv(ends[0], text, sizeof text, MSG_DONTWAIT), 0);
  CHECK_INT(recv(ends[0], text, sizeof text, MSG_DONTWAIT), 5);
  await_end(&r);
  close(ends[0]);
}

TEST(what_is_no_text_ends_it_behind_what_was_sent) {
  int ends[2];
  make_pipe(ends);
  rac_value values[] = {S("a"), I(7), S("b")};
  rac_signal *signal =
      written(rac_signal_from_values(values, 3), ends[1], OWNED);
  CHECK_WRITTEN(rac_retain(signal), "1 #-5004", ends[0], "a");
  rac_release(signal);
  close(ends[0]);
}

TEST(an_error_comes_behind_what_was_sent) {
  int ends[2];
  make_pipe(ends);
  owned rac_signal *all = TEXTS("a", "b");
  owned_value error = rac_value_error("test", 9, "over");
  owned rac_signal *fails = rac_signal_error(error);
  CHECK_WRITTEN(written(rac_signal_concat(all, fails), ends[1], OWNED), "2 #9",
                ends[0], "ab");
  close(ends[0]);
}

/* ---- Room ----------------------------------------------------------------------- */

/* The pipe holds 64 KiB: the rest waits for its reader. Blocking mode stays. */
TEST(a_full_pipe_is_waited_for) {
  int ends[2];
  make_pipe(ends);
  static char large[200000];
  memset(large, 'x', sizeof large - 1);
  recorder r = {0};
  record_of(written(TEXTS("head ", large, " tail"), ends[1], OWNED), &r);
  run_a_little();
  CHECK_INT(r.ends, 0);
  CHECK(r.nexts > 0);
  size_t got = 0;
  char last = 0;
  while (r.ends == 0) {
    char part[50000];
    ssize_t length = read(ends[0], part, sizeof part);
    if (length <= 0) abort();
    got += (size_t)length;
    last = part[length - 1];
    rac_main_run_for(0.001);
  }
  while (got < sizeof large - 1 + 10) {
    char part[50000];
    ssize_t length = read(ends[0], part, sizeof part);
    if (length <= 0) break;
    got += (size_t)length;
    last = part[length - 1];
  }
  CHECK_INT(got, sizeof large - 1 + 10);
  CHECK_INT(last, 'l');
  await_end(&r);
  close(ends[0]);
}

/* A pipe that takes nothing. */
static void make_full_pipe(int ends[2]) {
  static const char zeros[4096];
  make_pipe(ends);
  fcntl(ends[1], F_SETFL, O_NONBLOCK);
  while (write(ends[1], zeros, sizeof zeros) > 0) {
  }
  fcntl(ends[1], F_SETFL, 0);
}

static void check_bounded(int line, int32_t policy, size_t capacity,
                          const char *expected, int dropped, int waits) {
  int ends[2];
  make_full_pipe(ends);
  owned rac_bound *bound = rac_bound_create(capacity, policy);
  owned rac_subject *source = rac_subject_create();
  RECORDER_OF(r, rac_signal_write(rac_subject_as_signal(source), ends[1], OWNED,
                                  bound, NULL));
  uint64_t waiting = rac_queued_values();
  run_a_little();
  const char *const list[] = {"11", "22", "33", "4444444444", "5"};
  for (int i = 0; i < 5; i++) rac_subject_send(source, S(list[i]));
  CHECK_INT(rac_bound_get(bound, RAC_BOUND_DROPPED), dropped);
  CHECK_INT(rac_queued_values() - waiting, waits);
  rac_subject_send_completed(source);
  char zeros[4096];
  for (int i = 0; i < 16; i++) {
    if (read(ends[0], zeros, sizeof zeros) != sizeof zeros) abort();
  }
  RUN_UNTIL(r.ends == 1);
  check_text(__FILE__, line, "what was written", read_now(ends[0]), expected);
  CHECK_INT(rac_bound_get(bound, RAC_BOUND_LENGTH), 0);
  CHECK_INT(rac_queued_values(), waiting);
  close(ends[0]);
}

TEST(a_bound_counts_bytes) {
  check_bounded(__LINE__, RAC_BOUND_DROP_NEWEST, 5, "112233", 2, 3);
  check_bounded(__LINE__, RAC_BOUND_DROP_OLDEST, 5, "5", 4, 1);
  check_bounded(__LINE__, RAC_BOUND_LATEST, 5, "5", 4, 1);
  check_bounded(__LINE__, RAC_BOUND_ERROR, 5, "112233", 1, 3);
  check_bounded(__LINE__, RAC_BOUND_DROP_NEWEST, 100, "11223344444444445", 0,
                5);
}

/* What comes from a file stays there until there is room. */
TEST(a_full_place_holds_its_source_up) {
  enum { LINES = 20000 };
  int ends[2];
  FILE *file = tmpfile();
  for (int i = 0; i < LINES; i++) fprintf(file, "%09d\n", i);
  rewind(file);
  make_full_pipe(ends);
  owned rac_bound *bound = rac_bound_create(4000, RAC_BOUND_WAIT);
  owned rac_signal *lines = rac_signal_lines(fileno(file), LENT, 0, NULL);
  owned rac_signal *ended = rac_signal_add_delimiter(lines, S("\n"), 0);
  RECORDER_OF(r, rac_signal_write(ended, ends[1], OWNED, bound, NULL));
  run_a_little();
  CHECK(rac_bound_get(bound, RAC_BOUND_LENGTH) >= 4000);
  size_t got = 0;
  while (r.ends == 0 || got < 65536 + LINES * 10) {
    static char part[65536];
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    ssize_t length = read(ends[0], part, sizeof part);
    if (length == 0) break;
    if (length > 0) got += (size_t)length;
    rac_main_run_for(0.0001);
  }
  CHECK_INT(got, 65536 + LINES * 10);
  CHECK(rac_bound_get(bound, RAC_BOUND_HIGHEST) <= 4010);
  fclose(file);
  close(ends[0]);
}

/* ---- Ends ------------------------------------------------------------------------ */

static void check_failure(int line, int fd, int code, const char *message) {
  owned_value error = error_of(written(TEXTS("text"), fd, OWNED));
  check_system_error(__FILE__, line, error, code);
  check_text(__FILE__, line, "message", rac_error_get_message(error), message);
}

/* SIGPIPE ends a process by default. */
TEST(nobody_reads_any_more) {
  int ends[2];
  make_pipe(ends);
  close(ends[0]);
  check_failure(__LINE__, ends[1], EPIPE, "rac_signal_write: Broken pipe");
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) abort();
  close(ends[0]);
  check_failure(__LINE__, ends[1], EPIPE, "rac_signal_write: Broken pipe");
  sigset_t pending;
  sigpending(&pending);
  CHECK(!sigismember(&pending, SIGPIPE));
}

TEST(a_full_disk) {
  check_failure(__LINE__, open("/dev/full", O_WRONLY), ENOSPC,
                "rac_signal_write: No space left on device");
}

TEST(the_source_is_disposed_when_writing_fails) {
  int ends[2];
  make_pipe(ends);
  owned rac_subject *source = rac_subject_create();
  RECORDER_OF(r, rac_signal_write(rac_subject_as_signal(source), ends[1], OWNED,
                                  NULL, NULL));
  close(ends[0]);
  rac_subject_send(source, S("lost"));
  RUN_UNTIL(r.ends == 1);
  CHECK_INT(rac_subject_subscriber_count(source), 0);
  rac_subject_send(source, S("unheard"));
  CHECK_INT(r.nexts, 0);
}

/* The writing half alone is shut down: the answer can still be read. */
TEST(the_other_side_reads_the_end_of_what_was_handed_over) {
  for (int is_owned = 0; is_owned < 2; is_owned++) {
    int before = open_descriptors();
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) abort();
    int32_t ownership = is_owned ? OWNED : LENT;
    RECORDER_OF(lines, rac_signal_lines(ends[1], ownership, 0, NULL));
    RECORDER_OF(r, written(TEXTS("request"), ends[1], ownership));
    RUN_UNTIL(r.ends == 1);
    char text[16];
    CHECK_INT(recv(ends[0], text, sizeof text, MSG_DONTWAIT), 7);
    CHECK_INT(recv(ends[0], text, sizeof text, MSG_DONTWAIT),
              is_owned ? 0 : -1);
    write_text(ends[0], "answer\n");
    RUN_UNTIL(lines.nexts == 1);
    CHECK_INT(lines.ends, 0);
    close(ends[0]);
    RUN_UNTIL(lines.ends == 1);
    if (!is_owned) close(ends[1]);
    CHECK_INT(open_descriptors(), before);
  }
}

/* Two signals that one number was handed over to close it once, with the last. */
TEST(a_descriptor_handed_over_twice_is_closed_with_the_last) {
  int before = open_descriptors();
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) abort();
  rac_signal *lines = rac_signal_lines(ends[1], OWNED, 0, NULL);
  rac_signal *writing = written(rac_signal_never(), ends[1], OWNED);
  CHECK(rac_signal_write(NULL, ends[1], OWNED, NULL, NULL) == NULL);
  rac_release(writing);
  write_text(ends[0], "x\n");
  RECORDER(r, lines);
  RUN_UNTIL(r.nexts == 1);
  rac_release(lines);
  finish(&r);
  CHECK_INT(open_descriptors(), before + 1);
  close(ends[0]);
}

static void set_flag(void *context) { atomic_store((atomic_int *)context, 1); }

TEST(a_disposal_drops_what_waits) {
  int before = open_descriptors();
  atomic_int destroyed = 0;
  int ends[2];
  make_full_pipe(ends);
  owned rac_subject *source = rac_subject_create();
  owned rac_signal *signal = rac_signal_write(rac_subject_as_signal(source),
                                              ends[1], OWNED, NULL, NULL);
  rac_observer observer = RAC_OBSERVER_INIT;
  observer.context = &destroyed;
  observer.destroy = set_flag;
  owned rac_disposable *subscription = rac_subscribe(signal, &observer);
  rac_subject_send(source, S("waits"));
  run_a_little();
  rac_dispose(subscription);
  CHECK_INT(destroyed, 1);
  CHECK_INT(rac_subject_subscriber_count(source), 0);
  rac_release(rac_retain(signal));
  close(ends[0]);
  CHECK_INT(open_descriptors(), before + 1);
}

/* Law 11: nobody can send any more, and that is silent. */
TEST(it_goes_with_its_source) {
  atomic_int destroyed = 0;
  int ends[2];
  make_pipe(ends);
  rac_subject *source = rac_subject_create();
  rac_signal *signal = rac_signal_write(rac_subject_as_signal(source), ends[1],
                                        OWNED, NULL, NULL);
  rac_observer observer = RAC_OBSERVER_INIT;
  observer.context = &destroyed;
  observer.destroy = set_flag;
  rac_release(rac_subscribe(signal, &observer));
  rac_release(signal);
  rac_subject_send(source, S("last"));
  rac_release(source);
  RUN_UNTIL(destroyed == 1);
  CHECK_TEXT(read_now(ends[0]), "last");
  close(ends[0]);
}

/* ---- Threads --------------------------------------------------------------------- */

TEST(a_worker_writes_while_others_send) {
  int ends[2];
  make_pipe(ends);
  owned rac_scheduler *reader = rac_scheduler_background(0, "reader");
  owned rac_scheduler *writer = rac_scheduler_background(0, "writer");
  owned rac_scheduler *sender = rac_scheduler_background(0, "sender");
  owned rac_signal *once = TEXTS("one line of a text that is written often\n");
  owned rac_signal *often = rac_signal_repeat(once);
  owned rac_signal *many = rac_signal_take(often, 20000);
  owned rac_signal *elsewhere = rac_signal_subscribe_on(many, sender);
  owned rac_signal *lines = rac_signal_lines(ends[0], OWNED, 0, reader);
  owned rac_signal *count = rac_signal_count(lines);
  recorder all = {0}, out = {0};
  record(count, &all);
  record_of(rac_signal_write(elsewhere, ends[1], OWNED, NULL, writer), &out);
  await_end(&all);
  await_end(&out);
  CHECK_EVENTS(&all, "20000 |");
}

TEST(arguments_that_are_wrong) {
  int ends[2];
  int before = open_descriptors();
  owned rac_signal *source = rac_signal_empty();
  make_pipe(ends);
  CHECK(rac_signal_write(source, ends[0], OWNED, NULL, NULL) == NULL);
  CHECK_STATUS(rac_last_error_code(), RAC_EINVAL);
  rac_clear_last_error();
  CHECK(rac_signal_write(NULL, ends[1], OWNED, NULL, NULL) == NULL);
  CHECK_STATUS(rac_last_error_code(), RAC_ENULL);
  /* Those of the test before may close late. */
  CHECK(open_descriptors() <= before);
}
