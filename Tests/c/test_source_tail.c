/* Files that grow: lines that come in parts, rotations of both kinds, where it
 * starts, and where a program goes on. */
#include "children.h"
#include "descriptors.h"
#include "process.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

static char folder[64], path[96], old[96];

static void make_folder(void) {
  strcpy(folder, "/tmp/rac-tail-XXXXXX");
  if (mkdtemp(folder) == NULL) abort();
  snprintf(path, sizeof path, "%s/log", folder);
  snprintf(old, sizeof old, "%s/log.1", folder);
}

static void remove_folder(void) {
  unlink(path);
  unlink(old);
  CHECK_INT(rmdir(folder), 0);
}

static void append(const char *file, const char *text) {
  int fd = open(file, O_WRONLY | O_CREAT | O_APPEND, 0600);
  if (fd < 0) abort();
  write_text(fd, text);
  close(fd);
}

static rac_signal *tail_from(int64_t start) {
  return rac_signal_tail(path, start, false, 0, NULL);
}

TEST(half_lines_are_put_together) {
  int before = open_descriptors();
  make_folder();
  append(path, "1\n2");
  RECORDER_OF(r, tail_from(RAC_TAIL_BEGINNING));
  RUN_UNTIL(r.nexts == 1);
  append(path, "3");
  run_a_little();
  CHECK_EVENTS(&r, "1");
  append(path, "4\r\n5\n\n6");
  RUN_UNTIL(r.nexts == 4);
  run_a_little();
  CHECK_EVENTS(&r, "1 234 5 ");
  finish(&r);
  CHECK_INT(open_descriptors(), before);
  remove_folder();
}

TEST(where_it_starts) {
  make_folder();
  append(path, "1\n2\n");
  RECORDER_OF(first, tail_from(RAC_TAIL_BEGINNING));
  RECORDER_OF(last, tail_from(RAC_TAIL_END));
  RECORDER_OF(second, tail_from(2));
  RECORDER_OF(behind, tail_from(5));
  append(path, "3\n");
  RUN_UNTIL(first.nexts == 3 && last.nexts == 1 && second.nexts == 2 &&
            behind.nexts == 3);
  CHECK_EVENTS(&first, "1 2 3");
  CHECK_EVENTS(&last, "3");
  CHECK_EVENTS(&second, "2 3");
  CHECK_EVENTS(&behind, "1 2 3");
  finish(&first);
  finish(&last);
  finish(&second);
  finish(&behind);
  remove_folder();
}

TEST(a_file_that_comes_later) {
  make_folder();
  RECORDER_OF(r, tail_from(RAC_TAIL_END));
  run_a_little();
  append(path, "1\n");
  RUN_UNTIL(r.nexts == 1);
  append(path, "2\n");
  RUN_UNTIL(r.nexts == 2);
  CHECK_EVENTS(&r, "1 2");
  finish(&r);
  remove_folder();
}

TEST(renamed_while_somebody_writes) {
  make_folder();
  append(path, "1\n");
  int writer = open(path, O_WRONLY | O_APPEND);
  RECORDER_OF(r, tail_from(RAC_TAIL_BEGINNING));
  RUN_UNTIL(r.nexts == 1);
  rename(path, old);
  write_text(writer, "2\n");
  RUN_UNTIL(r.nexts == 2);
  /* A rotation that makes the new one before the writer opens it. */
  close(open(path, O_WRONLY | O_CREAT, 0600));
  write_text(writer, "3\n");
  RUN_UNTIL(r.nexts == 3);
  write_text(writer, "4\nrest");
  close(writer);
  append(path, "5\n");
  RUN_UNTIL(r.nexts == 6);
  CHECK_EVENTS(&r, "1 2 3 4 rest 5");
  /* The old one is let go of: its changes wake nobody. */
  append(old, "6\n");
  append(path, "7\n");
  RUN_UNTIL(r.nexts == 7);
  CHECK_EVENTS(&r, "1 2 3 4 rest 5 7");
  finish(&r);
  remove_folder();
}

TEST(removed_and_made_anew) {
  make_folder();
  append(path, "1\n");
  RECORDER_OF(r, tail_from(RAC_TAIL_BEGINNING));
  RUN_UNTIL(r.nexts == 1);
  append(path, "2\n");
  unlink(path);
  append(path, "3\n");
  RUN_UNTIL(r.nexts == 3);
  CHECK_EVENTS(&r, "1 2 3");
  finish(&r);
  remove_folder();
}

/* All of them, though nobody has looked in between. */
TEST(renamed_many_times) {
  int before = open_descriptors();
  make_folder();
  append(path, "0\n");
  RECORDER_OF(r, tail_from(RAC_TAIL_BEGINNING));
  RUN_UNTIL(r.nexts == 1);
  for (int i = 1; i <= 9; i++) {
    char line[16];
    snprintf(line, sizeof line, "%d\n", i);
    rename(path, old);
    append(path, line);
    rac_main_drain(0);
  }
  RUN_UNTIL(r.nexts == 10);
  CHECK_EVENTS(&r, "0 1 2 3 4 5 6 7 8 9");
  CHECK(open_descriptors() <= before + 4);
  finish(&r);
  CHECK_INT(open_descriptors(), before);
  remove_folder();
}

/* A rotation is taken back before anybody has written to the new file. */
TEST(renamed_and_back) {
  make_folder();
  append(path, "1\n");
  RECORDER_OF(r, tail_from(RAC_TAIL_BEGINNING));
  RUN_UNTIL(r.nexts == 1);
  rename(path, old);
  append(path, "");
  run_a_little();
  rename(old, path);
  run_a_little();
  append(path, "2\n");
  RUN_UNTIL(r.nexts == 2);
  append(path, "3\n");
  RUN_UNTIL(r.nexts == 3);
  CHECK_EVENTS(&r, "1 2 3");
  finish(&r);
  remove_folder();
}

TEST(cut_off) {
  make_folder();
  append(path, "first\nha");
  RECORDER_OF(r, tail_from(RAC_TAIL_BEGINNING));
  RUN_UNTIL(r.nexts == 1);
  CHECK_INT(truncate(path, 0), 0);
  append(path, "2\n");
  RUN_UNTIL(r.nexts == 3);
  CHECK_EVENTS(&r, "first ha 2");
  append(path, "3\n");
  RUN_UNTIL(r.nexts == 4);
  CHECK_EVENTS(&r, "first ha 2 3");
  finish(&r);
  remove_folder();
}

typedef struct place {
  int64_t offset, number;
  char lines[256];
} place;

static void note_place(recorder *self, rac_value value) {
  place *here = self->user;
  const char *text = NULL;
  CHECK_INT(rac_tuple_count(value), 3);
  here->offset = rac_tuple_get(value, 1).bits;
  here->number = rac_tuple_get(value, 2).bits;
  CHECK_STATUS(rac_value_get_string(rac_tuple_get(value, 0), &text, NULL),
               RAC_OK);
  strcat(strcat(here->lines, text), " ");
}

static int64_t number_of(const char *file) {
  struct stat status;
  return stat(file, &status) == 0 ? (int64_t)status.st_ino : 0;
}

/* A program that stops and goes on, once in the same file and once after this was
 * rotated. */
TEST(it_goes_on_where_it_stopped) {
  make_folder();
  append(path, "one\ntwo\r\nthree\nfo");
  place here = {0};
  recorder r = {.on_next = note_place, .user = &here};
  rac_signal *lines = rac_signal_tail(path, 0, true, 0, NULL);
  record_of(rac_signal_take(lines, 2), &r);
  rac_release(lines);
  RUN_UNTIL(r.ends == 1);
  await_end(&r);
  CHECK_INT(here.offset, 9);
  CHECK_INT(here.number, number_of(path));
  recorder again = {.on_next = note_place, .user = &here};
  record_of(rac_signal_tail(path, here.offset, true, 0, NULL), &again);
  RUN_UNTIL(again.nexts == 1);
  CHECK_INT(here.offset, 15);
  append(path, "ur\n");
  RUN_UNTIL(again.nexts == 2);
  CHECK_INT(here.offset, 20);
  int64_t before = here.number;
  rename(path, old);
  append(path, "five\n");
  RUN_UNTIL(again.nexts == 3);
  CHECK_INT(here.offset, 5);
  CHECK_INT(here.number, number_of(path));
  CHECK(here.number != before);
  CHECK_TEXT(here.lines, "one two three four five ");
  finish(&again);
  remove_folder();
}

TEST(lines_that_are_too_long) {
  make_folder();
  append(path, "123\n1234\n");
  owned_value error = error_of(rac_signal_tail(path, 0, false, 3, NULL));
  CHECK_INT(rac_error_get_code(error), RAC_ERANGE);
  CHECK_TEXT(rac_error_get_domain(error), "rac");
  unlink(path);
  append(path, "123\n");
  RECORDER_OF(r, rac_signal_tail(path, 0, false, 3, NULL));
  RUN_UNTIL(r.nexts == 1);
  append(path, "123");
  run_a_little();
  CHECK_EVENTS(&r, "123");
  append(path, "4");
  RUN_UNTIL(r.ends == 1);
  CHECK_EVENTS(&r, "123 #-5011");
  await_end(&r);
  remove_folder();
}

TEST(what_the_system_refuses) {
  int before = open_descriptors();
  make_folder();
  remove_folder();
  owned_value none = error_of(tail_from(RAC_TAIL_END));
  check_system_error(__FILE__, __LINE__, none, ENOENT);
  make_folder();
  append(path, "");
  CHECK_INT(chmod(path, 0), 0);
  if (getuid() != 0) {
    owned_value denied = error_of(tail_from(RAC_TAIL_END));
    check_system_error(__FILE__, __LINE__, denied, EACCES);
  }
  unlink(path);
  mkdir(path, 0700);
  owned_value no_file = error_of(tail_from(0));
  check_system_error(__FILE__, __LINE__, no_file, EISDIR);
  rmdir(path);
  /* The lines that are there come before its directory is missed. */
  RECORDER_OF(r, tail_from(0));
  append(path, "1\nrest");
  unlink(path);
  rmdir(folder);
  RUN_UNTIL(r.ends == 1);
  CHECK_EVENTS(&r, "#2");
  await_end(&r);
  make_folder();
  append(path, "1\nrest");
  RECORDER_OF(read, tail_from(0));
  unlink(path);
  rmdir(folder);
  RUN_UNTIL(read.ends == 1);
  CHECK_EVENTS(&read, "1 rest #2");
  await_end(&read);
  CHECK_INT(open_descriptors(), before);
}

TEST(arguments) {
  CHECK(rac_signal_tail(NULL, 0, false, 0, NULL) == NULL);
  CHECK_STATUS(rac_last_error_code(), RAC_ENULL);
  CHECK(rac_signal_tail("", 0, false, 0, NULL) == NULL);
  CHECK_STATUS(rac_last_error_code(), RAC_EINVAL);
  CHECK(rac_signal_tail("/tmp/x", -2, false, 0, NULL) == NULL);
  CHECK_STATUS(rac_last_error_code(), RAC_EINVAL);
  CHECK(rac_signal_tail("/tmp/x", 0, false, (1u << 30) + 1, NULL) == NULL);
  CHECK_STATUS(rac_last_error_code(), RAC_EINVAL);
  char *endless = malloc(5001);
  memset(endless, 'x', 5000);
  endless[5000] = 0;
  owned_value error = error_of(rac_signal_tail(endless, 0, false, 0, NULL));
  check_system_error(__FILE__, __LINE__, error, ENAMETOOLONG);
  free(endless);
}

/* ---- In a forked child, while the library has no thread ----------------------- */

static recorder of_parent;
static int without;

static void child_with_tail(void *argument) {
  (void)argument;
  double limit = check_clock() + 10;
  while (of_parent.ends == 0 && check_clock() < limit) rac_main_run_for(0.01);
  CHILD(strcmp(of_parent.text, "1 #-5010") == 0);
  CHILD(open_descriptors() <= without);
}

static void parent_with_tail(void *argument) {
  (void)argument;
  without = open_descriptors();
  record_of(tail_from(0), &of_parent);
  while (of_parent.nexts == 0) rac_main_run_for(0.01);
  CHILD(in_child(child_with_tail, NULL) == 0);
  /* The child has not taken the watches with it. */
  rename(path, old);
  append(old, "2\n");
  append(path, "3\n");
  double limit = check_clock() + 10;
  while (of_parent.nexts < 3 && check_clock() < limit) rac_main_run_for(0.01);
  append(path, "4\n");
  while (of_parent.nexts < 4 && check_clock() < limit) rac_main_run_for(0.01);
  CHILD(strcmp(of_parent.text, "1 2 3 4") == 0);
  finish(&of_parent);
}

TEST(of_the_parent_it_ends_in_the_child) {
  make_folder();
  append(path, "1\n");
  CHECK_INT(in_child(parent_with_tail, NULL), 0);
  remove_folder();
}

/* ---- Under load -------------------------------------------------------------- */

enum { LINES = 40000, ROTATIONS = 40 };

static atomic_int expected;

/* Writes by descriptors of its own, as a logger does, and rotates. */
static void *write_and_rotate(void *argument) {
  int fd = -1;
  (void)argument;
  for (int i = 0; i < LINES; i++) {
    char line[32];
    if (i % (LINES / ROTATIONS) == 0) {
      if (fd >= 0) close(fd);
      /* A file that comes and goes between two looks is missed. */
      WAIT_UNTIL(atomic_load(&expected) > i - LINES / ROTATIONS);
      if (i > 0) rename(path, old);
      fd = open(path, O_WRONLY | O_CREAT | O_APPEND, 0600);
    }
    int size = snprintf(line, sizeof line, "%d\n", i);
    /* In two parts, now and then. */
    int part = i % 7 == 0 ? size / 2 : size;
    if (write(fd, line, (size_t)part) != part) abort();
    if (part < size &&
        write(fd, line + part, (size_t)(size - part)) != size - part)
      abort();
  }
  close(fd);
  return NULL;
}

static void expect_number(void *context, rac_value value) {
  const char *text = "";
  (void)context;
  rac_value_get_string(value, &text, NULL);
  CHECK_INT(atoi(text), atomic_load(&expected));
  atomic_store(&expected, atoi(text) + 1);
}

TEST(every_line_once_and_in_order) {
  int before = open_descriptors();
  make_folder();
  rac_scheduler *background =
      rac_scheduler_background(RAC_PRIORITY_DEFAULT, NULL);
  owned rac_signal *lines =
      rac_signal_tail(path, RAC_TAIL_BEGINNING, false, 0, background);
  owned rac_disposable *reading =
      rac_subscribe_next(lines, NULL, expect_number, NULL);
  pthread_t writer = check_spawn(write_and_rotate, NULL);
  check_join(writer);
  WAIT_UNTIL(atomic_load(&expected) == LINES);
  CHECK_STATUS(rac_dispose_and_wait(reading, 10), RAC_OK);
  rac_release(background);
  WAIT_UNTIL(open_descriptors() == before);
  remove_folder();
}

static void count_line(void *context, rac_value value) {
  (void)value;
  ++*(int *)context;
}

/* Law 26: a full place stops it. */
TEST(a_full_place_stops_it) {
  enum { LINES = 800, PLACES = 8 };
  make_folder();
  FILE *file = fopen(path, "w");
  if (file == NULL) abort();
  for (int i = 0; i < LINES; i++) fprintf(file, "%d\n", i);
  fclose(file);
  owned rac_scheduler *slow = rac_scheduler_virtual();
  owned rac_bound *bound = rac_bound_create(PLACES, RAC_BOUND_WAIT);
  owned rac_signal *tail = tail_from(RAC_TAIL_BEGINNING);
  owned rac_signal *signal = rac_signal_deliver_on_bounded(tail, slow, bound);
  int heard = 0;
  owned rac_disposable *d =
      rac_subscribe_next(signal, &heard, count_line, NULL);
  while (heard < LINES) {
    RUN_UNTIL(rac_bound_get(bound, RAC_BOUND_LENGTH) == PLACES);
    rac_virtual_step_all(slow);
  }
  CHECK_INT(rac_bound_get(bound, RAC_BOUND_HIGHEST), PLACES);
  rac_dispose(d);
  rac_virtual_step_all(slow);
  run_a_little();
  remove_folder();
}

TEST(disposed_in_between) {
  int before = open_descriptors();
  make_folder();
  append(path, "1\n2\n3\n");
  owned rac_signal *lines = tail_from(0);
  for (int i = 0; i < 3; i++) {
    RECORDER_OF(r, rac_signal_take(lines, (size_t)i));
    RUN_UNTIL(r.ends == 1);
    CHECK_INT(r.nexts, i);
    await_end(&r);
  }
  for (int i = 0; i < 3; i++) {
    RECORDER(r, lines);
    rac_main_drain((size_t)i);
    finish(&r);
  }
  rac_main_drain(0);
  CHECK_INT(open_descriptors(), before);
  remove_folder();
}
