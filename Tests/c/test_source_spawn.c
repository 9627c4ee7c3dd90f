/* Children that the library starts: their three ends, how they end, and that
 * nothing is left of them. */
#include "descriptors.h"
#include "process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <time.h>

enum { OUTPUT = RAC_SPAWN_OUTPUT, ERRORS = RAC_SPAWN_ERRORS };

static rac_signal *spawn(const char *script, rac_signal *input,
                         uint32_t options) {
  const char *arguments[] = {"sh", "-c", script, NULL};
  return rac_signal_spawn(arguments, NULL, NULL, input, options, 5, NULL);
}

/* What came, as "o:line e:line =status". */
typedef struct child {
  recorder r;
  char text[512];
  pid_t pid;
} child;

static void note_event(recorder *self, rac_value value) {
  child *all = self->user;
  char part[128] = "";
  rac_value what = rac_tuple_get(value, 1);
  int64_t event = rac_tuple_get(value, 0).bits;
  CHECK_INT(rac_tuple_count(value), 2);
  if (event == RAC_CHILD_STARTED) {
    CHECK_INT(self->nexts, 1);
    all->pid = (pid_t)what.bits;
    return;
  }
  if (event == RAC_CHILD_ENDED) {
    int status = (int)what.bits;
    snprintf(part, sizeof part, WIFEXITED(status) ? "=%d" : "!%d",
             WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status));
  } else {
    const void *bytes = NULL;
    const char *line = NULL;
    size_t length = 0;
    if (rac_value_get_string(what, &line, &length) != RAC_OK) {
      rac_value_get_bytes(what, &bytes, &length);
      line = bytes;
    }
    snprintf(part, sizeof part, "%c:%.*s ",
             event == RAC_CHILD_OUTPUT ? 'o' : 'e', (int)length, line);
  }
  strcat(all->text, part);
}

/* Takes over the signal. */
static void begin(child *self, rac_signal *signal) {
  memset(self, 0, sizeof *self);
  self->r.on_next = note_event;
  self->r.user = self;
  CHECK(signal != NULL);
  record_of(signal, &self->r);
}

/* Looks, and reaps none: that is the library's. */
static bool has_children(void) {
  siginfo_t found;
  return waitid(P_ALL, 0, &found, WEXITED | WNOHANG | WNOWAIT) == 0;
}

static void check_child(int line, rac_signal *signal, const char *expected) {
  child c;
  begin(&c, signal);
  RUN_UNTIL(c.r.ends == 1);
  check_text(__FILE__, line, "what came", c.text, expected);
  CHECK(strchr(c.r.text, '|') != NULL);
  await_end(&c.r);
  CHECK(!has_children());
}
#define CHECK_CHILD(signal, expected) check_child(__LINE__, signal, expected)

static bool is_there(pid_t pid) { return kill(pid, 0) == 0; }

TEST(its_status) {
  int before = open_descriptors();
  CHECK_CHILD(spawn("exit 0", NULL, 0), "=0");
  CHECK_CHILD(spawn("exit 3", NULL, 0), "=3");
  CHECK_CHILD(spawn("kill -9 $$", NULL, 0), "!9");
  CHECK_INT(open_descriptors(), before);
}

TEST(its_outputs) {
  CHECK_CHILD(spawn("echo a; echo b; printf c", NULL, OUTPUT),
              "o:a o:b o:c =0");
  CHECK_CHILD(spawn("echo a >&2; exit 1", NULL, ERRORS), "e:a =1");
  CHECK_CHILD(spawn("printf 'a\\nb\\n'", NULL, OUTPUT | RAC_SPAWN_BYTES),
              "o:a\nb\n =0");
  child c;
  begin(&c, spawn("echo a; echo b >&2", NULL, OUTPUT | ERRORS));
  RUN_UNTIL(c.r.ends == 1);
  CHECK(strstr(c.text, "o:a ") != NULL && strstr(c.text, "e:b ") != NULL);
  CHECK(strcmp(c.text + strlen(c.text) - 2, "=0") == 0);
  await_end(&c.r);
}

TEST(its_input) {
  owned rac_signal *texts = rac_signal_from_values(
      (rac_value[]){S("one\n"), S("two\nth"), S("ree\n")}, 3);
  CHECK_CHILD(spawn("cat", texts, OUTPUT), "o:one o:two o:three =0");
  CHECK_CHILD(spawn("cat", NULL, OUTPUT), "=0");
  /* It reads no more, and goes on. */
  CHECK_CHILD(spawn("exec <&-; sleep 0.05; echo a", texts, OUTPUT), "o:a =0");
  owned rac_subject *lines = rac_subject_create();
  child c;
  begin(&c, spawn("read a; echo $a; read b; echo $b",
                  rac_subject_as_signal(lines), OUTPUT));
  RUN_UNTIL(c.r.nexts == 1);
  rac_subject_send(lines, S("1\n"));
  RUN_UNTIL(c.r.nexts == 2);
  rac_subject_send(lines, S("2\n"));
  RUN_UNTIL(c.r.ends == 1);
  CHECK_TEXT(c.text, "o:1 o:2 =0");
  await_end(&c.r);
  CHECK_INT(rac_subject_subscriber_count(lines), 0);
  owned_value failure = test_error(7);
  owned rac_signal *failing = rac_signal_error(failure);
  begin(&c, spawn("cat", failing, OUTPUT));
  RUN_UNTIL(c.r.ends == 1);
  CHECK(strstr(c.r.text, "#7") != NULL);
  await_end(&c.r);
  RUN_UNTIL(!is_there(c.pid));
}

/* More than a pipe holds, in both directions. */
TEST(a_million_bytes_there_and_back) {
  enum { COUNT = 4000, SIZE = 250 };
  rac_value *texts = malloc(COUNT * sizeof *texts);
  char text[SIZE + 1];
  memset(text, 'x', SIZE);
  text[SIZE - 1] = '\n';
  text[SIZE] = 0;
  for (int i = 0; i < COUNT; i++) texts[i] = S(text);
  owned rac_signal *input = rac_signal_from_values(texts, COUNT);
  owned rac_signal *back = spawn("cat", input, OUTPUT);
  recorder r = {0};
  record(back, &r);
  while (r.ends == 0 && r.nexts <= COUNT + 2) {
    rac_main_run_for(0.01);
    r.used = 0;
  }
  CHECK_INT(r.nexts, COUNT + 2);
  await_end(&r);
  free(texts);
}

static void count_up(void *context, rac_value value) {
  (void)value;
  atomic_fetch_add((atomic_int *)context, 1);
}

/* 10,000,000 bytes for a child that stands still: law 26. How many of 100,000
 * texts are taken meanwhile; then it reads all of them. */
static int taken_of_100000(bool holds) {
  char text[101];
  memset(text, 'x', 100);
  text[100] = 0;
  atomic_int taken = 0;
  owned rac_scheduler *background = rac_scheduler_background(0, NULL);
  owned rac_sequence *range = rac_sequence_range(0, 1, 100000);
  owned rac_signal *numbers = rac_sequence_signal(range, background);
  owned rac_signal *texts = rac_signal_map_replace(numbers, S(text));
  owned rac_signal *counted = rac_signal_do_next(texts, &taken, count_up, NULL);
  child c;
  begin(&c, spawn("kill -STOP $$; wc -c", counted, OUTPUT));
  RUN_UNTIL(c.r.nexts == 1);
  RUN_UNTIL(atomic_load(&taken) >= (holds ? 600 : 100000));
  rac_main_run_for(0.05);
  int before = atomic_load(&taken);
  RUN_UNTIL((kill(c.pid, SIGCONT), c.r.ends == 1));
  CHECK_TEXT(c.text, "o:10000000 =0");
  await_end(&c.r);
  CHECK_INT(atomic_load(&taken), 100000);
  return before;
}

TEST(its_input_is_held) {
  int taken = taken_of_100000(true);
  /* Its pipe and the place are full. */
  CHECK(taken < 3000);
  rac_set_default_marks(false);
  CHECK_INT(taken_of_100000(false), 100000);
  rac_set_default_marks(true);
}

TEST(where_it_works) {
  const char *pwd[] = {"pwd", NULL}, *env[] = {"/usr/bin/env", NULL};
  const char *variables[] = {"ONE=1", "TWO=", NULL};
  CHECK_CHILD(rac_signal_spawn(pwd, NULL, "/", NULL, OUTPUT, 5, NULL),
              "o:/ =0");
  CHECK_CHILD(rac_signal_spawn(env, variables, NULL, NULL, OUTPUT, 5, NULL),
              "o:ONE=1 o:TWO= =0");
  setenv("RAC_TEST", "seen", 1);
  CHECK_CHILD(spawn("echo $RAC_TEST", NULL, OUTPUT), "o:seen =0");
  unsetenv("RAC_TEST");
  /* No descriptor of ours, no signal blocked or ignored that we only use so. */
  char expected[32] = "o:", other[16] = "";
  FILE *list = popen("ls /proc/self/fd | wc -l", "r");
  if (list == NULL || fgets(other, sizeof other, list) == NULL) abort();
  pclose(list);
  other[strcspn(other, "\n")] = 0;
  strcat(strcat(expected, other), " =0");
  CHECK_CHILD(spawn("ls /proc/self/fd | wc -l", NULL, OUTPUT), expected);
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  signal(SIGPIPE, SIG_IGN);
  CHECK_CHILD(spawn("kill -PIPE $$", NULL, OUTPUT), "!13");
  signal(SIGPIPE, SIG_DFL);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static int error_code(const char *program, const char *directory) {
  const char *arguments[] = {program, NULL};
  owned_value error = error_of(
      rac_signal_spawn(arguments, NULL, directory, NULL, OUTPUT, 5, NULL));
  CHECK_TEXT(rac_error_get_domain(error), RAC_SYSTEM_ERROR_DOMAIN);
  return (int)rac_error_get_code(error);
}

TEST(programs_that_are_none) {
  int before = open_descriptors();
  /* There vfork() is fork(), and the child's errno stays in the child. */
  if (!IS_THREAD_SANITIZED) {
    CHECK_INT(error_code("/there/is/none", NULL), ENOENT);
    CHECK_INT(error_code("there-is-no-such-program", NULL), ENOENT);
    CHECK_INT(error_code("", NULL), ENOENT);
    CHECK_INT(error_code("/etc/passwd", NULL), EACCES);
    CHECK_INT(error_code("true", "/there/is/none"), ENOENT);
  }
  CHECK_INT(open_descriptors(), before);
  CHECK(!has_children());
  const char *none[] = {NULL}, *some[] = {"true", NULL};
  CHECK(rac_signal_spawn(NULL, NULL, NULL, NULL, 0, 5, NULL) == NULL);
  CHECK_STATUS(rac_last_error_code(), RAC_ENULL);
  CHECK(rac_signal_spawn(none, NULL, NULL, NULL, 0, 5, NULL) == NULL);
  CHECK_STATUS(rac_last_error_code(), RAC_ENULL);
  CHECK(rac_signal_spawn(some, NULL, NULL, NULL, 16, 5, NULL) == NULL);
  CHECK_STATUS(rac_last_error_code(), RAC_EINVAL);
  CHECK(rac_signal_spawn(some, NULL, NULL, NULL, 0, -1, NULL) == NULL);
  CHECK_STATUS(rac_last_error_code(), RAC_EINVAL);
}

/* ---- Disposed ------------------------------------------------------------------ */

TEST(it_gets_sigterm) {
  int before = open_descriptors();
  child c;
  begin(&c, spawn("exec sleep 60", NULL, 0));
  RUN_UNTIL(c.r.nexts == 1);
  finish(&c.r);
  RUN_UNTIL(!is_there(c.pid));
  /* Before it was said to have started. */
  begin(&c, spawn("exec sleep 60", NULL, OUTPUT));
  finish(&c.r);
  RUN_UNTIL(!has_children());
  rac_main_drain(0);
  CHECK_INT(open_descriptors(), before);
}

TEST(and_then_sigkill) {
  const char *arguments[] = {
      "sh", "-c", "trap '' TERM; echo a; while :; do sleep 1; done", NULL};
  child c;
  begin(&c, rac_signal_spawn(arguments, NULL, NULL, NULL, OUTPUT, 0.2, NULL));
  RUN_UNTIL(c.r.nexts == 2);
  double disposed = check_clock();
  finish(&c.r);
  RUN_UNTIL(!is_there(c.pid));
  CHECK(check_clock() >= disposed + 0.19);
  begin(&c, rac_signal_spawn(arguments, NULL, NULL, NULL, OUTPUT, 0, NULL));
  RUN_UNTIL(c.r.nexts == 2);
  disposed = check_clock();
  finish(&c.r);
  RUN_UNTIL(!is_there(c.pid));
  rac_main_drain(0);
}

static void take_number(recorder *self, rac_value value) {
  child *c = self->user;
  const char *text = "0";
  if (rac_tuple_get(value, 0).bits == RAC_CHILD_OUTPUT)
    rac_value_get_string(rac_tuple_get(value, 1), &text, NULL);
  if (self->nexts > 1) c->pid = (pid_t)atoi(text);
}

TEST(its_group_goes_with_it) {
  child c = {.r = {.on_next = take_number, .user = &c}};
  record_of(spawn("sleep 60 & echo $!; wait", NULL, OUTPUT | RAC_SPAWN_GROUP),
            &c.r);
  RUN_UNTIL(c.r.nexts == 2);
  CHECK(is_there(c.pid));
  finish(&c.r);
  RUN_UNTIL(!is_there(c.pid));
  RUN_UNTIL(!has_children());
  rac_main_drain(0);
}

TEST(a_line_that_is_too_long_ends_it) {
  child c;
  begin(&c, spawn("head -c 70000 /dev/zero; exec sleep 60", NULL, OUTPUT));
  RUN_UNTIL(c.r.ends == 1);
  CHECK(strstr(c.r.text, "#-5011") != NULL);
  await_end(&c.r);
  RUN_UNTIL(!is_there(c.pid));
}

/* A full place below stops its outputs, and a pipe that is full stops it. */
TEST(its_outputs_rest) {
  enum { PLACES = 8 };
  owned rac_scheduler *slow = rac_scheduler_virtual();
  owned rac_bound *bound = rac_bound_create(PLACES, RAC_BOUND_WAIT);
  owned rac_signal *endless = spawn("while :; do echo a; done", NULL, OUTPUT);
  RECORDER_OF(r, rac_signal_deliver_on_bounded(endless, slow, bound));
  RUN_UNTIL(rac_bound_get(bound, RAC_BOUND_LENGTH) == PLACES);
  run_a_little();
  rac_virtual_step_all(slow);
  RUN_UNTIL(rac_bound_get(bound, RAC_BOUND_LENGTH) == PLACES);
  run_a_little();
  CHECK_INT(rac_bound_get(bound, RAC_BOUND_HIGHEST), PLACES);
  rac_dispose(r.subscription);
  rac_virtual_step_all(slow);
  finish(&r);
  RUN_UNTIL(!has_children());
  rac_main_drain(0);
}

static void stop_at_line(recorder *self, rac_value value) {
  if (rac_tuple_get(value, 0).bits == RAC_CHILD_OUTPUT)
    rac_dispose(self->subscription);
}

TEST(disposed_in_its_own_callback) {
  int before = open_descriptors();
  recorder r = {.on_next = stop_at_line};
  record_of(spawn("while :; do echo a; done", NULL, OUTPUT), &r);
  RUN_UNTIL(r.destroyed == 1);
  CHECK_INT(r.nexts, 2);
  finish(&r);
  RUN_UNTIL(!has_children());
  CHECK_INT(open_descriptors(), before);
}

/* ---- Many ---------------------------------------------------------------------- */

TEST(many_leave_nothing) {
  enum { AT_ONCE = 20 };
  const char *many = getenv("RAC_CHILDREN");
  int64_t rounds = (many                  ? atoll(many)
                    : IS_THREAD_SANITIZED ? 200
                                          : 2000) /
                   AT_ONCE;
  /* The poll set of a test before may still be open. */
  rac_main_drain(0);
  int before = open_descriptors();
  rac_scheduler *background =
      rac_scheduler_background(RAC_PRIORITY_DEFAULT, NULL);
  const char *arguments[] = {"echo", "a", NULL};
  owned rac_signal *echo =
      rac_signal_spawn(arguments, NULL, NULL, NULL, OUTPUT, 5, background);
  for (int64_t i = 0; i < rounds; i++) {
    child heard[AT_ONCE];
    for (int k = 0; k < AT_ONCE; k++) begin(&heard[k], rac_retain(echo));
    for (int k = 0; k < AT_ONCE; k++) {
      /* A few are disposed at some time. */
      if (k % 4 == 3) {
        finish(&heard[k].r);
        continue;
      }
      await_end(&heard[k].r);
      CHECK_TEXT(heard[k].text, "o:a =0");
    }
  }
  WAIT_UNTIL(!has_children());
  rac_release(background);
  WAIT_UNTIL(open_descriptors() <= before);
}
