/* Changes of files: what is said of a file, of a directory, and when the path is
 * another file's, or nobody's. */
#include "descriptors.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/inotify.h>
#include <sys/stat.h>

static char folder[64];

static const char *path_of(const char *name) {
  static char paths[8][128];
  static int next;
  char *path = paths[next++ % 8];
  snprintf(path, sizeof paths[0], "%s/%s", folder, name);
  return path;
}

static void make_folder(void) {
  strcpy(folder, "/tmp/rac-files-XXXXXX");
  if (mkdtemp(folder) == NULL) abort();
}

static void write_file(const char *name, const char *text) {
  int fd = open(path_of(name), O_WRONLY | O_CREAT | O_APPEND, 0600);
  if (fd < 0) abort();
  write_text(fd, text);
  close(fd);
}

typedef struct changes {
  recorder r;
  char text[512];
  uint32_t last, cookie;
} changes;

static const char *word(uint32_t what) {
  switch (what & IN_ALL_EVENTS) {
  case IN_MODIFY:
    return "modified";
  case IN_CREATE:
    return "created";
  case IN_DELETE:
    return "deleted";
  case IN_MOVED_FROM:
    return "from";
  case IN_MOVED_TO:
    return "to";
  case IN_DELETE_SELF:
    return "removed";
  case IN_MOVE_SELF:
    return "renamed";
  case IN_ATTRIB:
    return "attributes";
  case IN_CLOSE_WRITE:
    return "written";
  default:
    return "?";
  }
}

static void note_change(recorder *self, rac_value value) {
  changes *all = self->user;
  const rac_value *parts[3];
  rac_value part;
  const char *name = NULL;
  CHECK_INT(rac_tuple_count(value), 3);
  (void)parts;
  part = rac_tuple_get(value, 0);
  all->last = (uint32_t)part.bits;
  part = rac_tuple_get(value, 2);
  all->cookie = (uint32_t)part.bits;
  part = rac_tuple_get(value, 1);
  CHECK_STATUS(rac_value_get_string(part, &name, NULL), RAC_OK);
  size_t used = strlen(all->text);
  snprintf(all->text + used, sizeof all->text - used, "%s%s%s ",
           word(all->last), *name ? ":" : "", name);
}

static void watch(changes *self, const char *path, uint32_t what) {
  memset(self, 0, sizeof *self);
  self->r.on_next = note_change;
  self->r.user = self;
  owned rac_signal *signal = rac_signal_file_changes(path, what, NULL);
  CHECK(signal != NULL);
  record(signal, &self->r);
}

TEST(what_happens_in_a_directory) {
  int before = open_descriptors();
  changes all;
  make_folder();
  watch(&all, folder, 0);
  write_file("a", "1");
  RUN_UNTIL(all.r.nexts == 2);
  CHECK_TEXT(all.text, "created:a modified:a ");
  rename(path_of("a"), path_of("b"));
  RUN_UNTIL(all.r.nexts == 4);
  CHECK_TEXT(all.text, "created:a modified:a from:a to:b ");
  CHECK(all.cookie != 0);
  unlink(path_of("b"));
  mkdir(path_of("c"), 0700);
  RUN_UNTIL(all.r.nexts == 6);
  CHECK_TEXT(all.text, "created:a modified:a from:a to:b deleted:b created:c ");
  CHECK(all.last & IN_ISDIR);
  rmdir(path_of("c"));
  rmdir(folder);
  RUN_UNTIL(all.r.ends == 1);
  CHECK(strstr(all.text, "deleted:c removed ") != NULL);
  CHECK(strchr(all.r.text, '|') != NULL);
  await_end(&all.r);
  CHECK_INT(open_descriptors(), before);
}

TEST(what_happens_to_a_file) {
  changes all;
  make_folder();
  write_file("log", "1\n");
  watch(&all, path_of("log"), 0);
  write_file("log", "2\n");
  RUN_UNTIL(all.r.nexts == 1);
  CHECK_TEXT(all.text, "modified ");
  /* Not what was not asked for. */
  chmod(path_of("log"), 0644);
  run_a_little();
  CHECK_TEXT(all.text, "modified ");
  unlink(path_of("log"));
  RUN_UNTIL(all.r.ends == 1);
  CHECK_TEXT(all.text, "modified removed ");
  await_end(&all.r);
  rmdir(folder);
}

TEST(removed_while_somebody_has_it_open) {
  changes all;
  make_folder();
  write_file("log", "1\n");
  int held = open(path_of("log"), O_RDONLY);
  watch(&all, path_of("log"), 0);
  unlink(path_of("log"));
  RUN_UNTIL(all.r.ends == 1);
  CHECK_TEXT(all.text, "removed ");
  await_end(&all.r);
  close(held);
  rmdir(folder);
}

TEST(another_file_takes_its_place) {
  changes all;
  make_folder();
  write_file("log", "1\n");
  write_file("new", "2\n");
  int held = open(path_of("log"), O_RDONLY);
  watch(&all, path_of("log"), IN_MODIFY);
  rename(path_of("new"), path_of("log"));
  RUN_UNTIL(all.r.ends == 1);
  CHECK_TEXT(all.text, "removed ");
  await_end(&all.r);
  close(held);
  unlink(path_of("log"));
  rmdir(folder);
}

TEST(renamed_and_made_anew) {
  changes all;
  make_folder();
  write_file("log", "1\n");
  watch(&all, path_of("log"), 0);
  rename(path_of("log"), path_of("log.1"));
  RUN_UNTIL(all.r.ends == 1);
  CHECK_TEXT(all.text, "renamed ");
  await_end(&all.r);
  /* The next subscription is to what is there now. */
  watch(&all, path_of("log"), 0);
  RUN_UNTIL(all.r.ends == 1);
  CHECK_EVENTS(&all.r, "#2");
  CHECK_INT(ENOENT, 2);
  await_end(&all.r);
  write_file("log", "2\n");
  watch(&all, path_of("log"), 0);
  write_file("log", "3\n");
  RUN_UNTIL(all.r.nexts == 1);
  CHECK_TEXT(all.text, "modified ");
  finish(&all.r);
  unlink(path_of("log"));
  unlink(path_of("log.1"));
  rmdir(folder);
}

TEST(what_was_asked_for) {
  changes all;
  make_folder();
  watch(&all, folder, IN_CLOSE_WRITE | IN_ATTRIB | IN_ONLYDIR);
  write_file("a", "1");
  RUN_UNTIL(all.r.nexts == 1);
  CHECK_TEXT(all.text, "written:a ");
  chmod(folder, 0755);
  RUN_UNTIL(all.r.nexts == 2);
  CHECK_TEXT(all.text, "written:a attributes ");
  finish(&all.r);
  unlink(path_of("a"));
  rmdir(folder);
}

/* More than fits into one read, a few a turn. */
TEST(a_thousand_changes) {
  enum { FILES = 500 };
  changes all;
  make_folder();
  watch(&all, folder, IN_CREATE | IN_DELETE);
  all.r.on_next = NULL;
  for (int i = 0; i < FILES; i++) {
    char name[64];
    snprintf(name, sizeof name, "a_name_that_is_rather_long_%d", i);
    int fd = open(path_of(name), O_WRONLY | O_CREAT, 0600);
    if (fd < 0) abort();
    close(fd);
    unlink(path_of(name));
  }
  while (all.r.nexts < 2 * FILES) {
    int before = all.r.nexts;
    int64_t drained = rac_main_drain(7);
    all.r.used = 0;
    if (drained <= 0) break;
    CHECK(all.r.nexts - before <= 7);
  }
  CHECK_INT(all.r.nexts, 2 * FILES);
  all.r.used = 0;
  finish(&all.r);
  rmdir(folder);
}

TEST(paths_that_are_none) {
  CHECK(rac_signal_file_changes(NULL, 0, NULL) == NULL);
  CHECK_STATUS(rac_last_error_code(), RAC_ENULL);
  CHECK(rac_signal_file_changes("/tmp", 1u << 31, NULL) == NULL);
  CHECK_STATUS(rac_last_error_code(), RAC_EINVAL);
  changes all;
  watch(&all, "/tmp/rac/there/is/no/such/file", 0);
  RUN_UNTIL(all.r.ends == 1);
  CHECK_EVENTS(&all.r, "#2");
  await_end(&all.r);
  watch(&all, "", 0);
  RUN_UNTIL(all.r.ends == 1);
  CHECK_EVENTS(&all.r, "#2");
  await_end(&all.r);
  watch(&all, "/dev/null", IN_ONLYDIR | IN_MODIFY);
  RUN_UNTIL(all.r.ends == 1);
  CHECK_EVENTS(&all.r, "#20");
  CHECK_INT(ENOTDIR, 20);
  await_end(&all.r);
}
