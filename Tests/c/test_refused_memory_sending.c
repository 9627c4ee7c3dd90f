/* Sending when there is no memory. What makes nothing new needs none; what has to
 * keep a value, or an event for later, cannot say that it could not: then the
 * process ends, with a message and in no other way. */
#define _GNU_SOURCE 1

#include "check.h"
#include "process.h"

#if !IS_SANITIZED

#include "creation_table.h"
#include "refusing_memory.h"

static void step_all(void) {
  rac_virtual_step_all(v);
  rac_main_drain(0);
}

/* What happens while memory is refused, and what it happens to. */
typedef struct scene {
  rac_signal *signal;
  /* The thread has nothing left of what it had put by. */
  bool is_bare;
  int answers;
} scene;

enum { ENOUGH = 64 };

/* Uses that up. */
static int use_up(rac_value texts[ENOUGH]) {
  long from = memory.from;
  int count = 0;
  refuse_requests(1, FOR_EVER);
  take_memory();
  while (count < ENOUGH) {
    texts[count] = rac_value_string_copy("text", 4);
    if (texts[count++].kind == RAC_NIL) break;
  }
  give_memory();
  refuse_requests(from, FOR_EVER);
  return count;
}

/* Some values are sent from inside, so that they have to wait. */
static scene *playing;
static void answer(recorder *self, rac_value value) {
  (void)self, (void)value;
  if (playing->answers > 0 && playing->answers-- > 0)
    rac_subject_send(subject, I(9));
}

static void send_without_memory(void *argument) {
  scene *self = argument;
  rac_value text_ = rac_value_string_copy("a text that is counted", 22);
  rac_value texts[ENOUGH];
  recorder r = {.on_next = answer, .nests = true};
  playing = self;
  self->answers = 2;
  record(self->signal, &r);
  int used = self->is_bare ? use_up(texts) : 0;
  take_memory();
  rac_subject_send(subject, I(1));
  rac_subject_send(subject, text_);
  rac_subject_send(subject, S("a text that is lent"));
  rac_subject_send(another, I(1));
  rac_subject_send(subject, I(2));
  rac_virtual_step_all(v);
  rac_main_drain(0);
  rac_subject_send_completed(subject);
  rac_virtual_step_all(v);
  rac_main_drain(0);
  give_memory();
  while (used > 0) rac_value_release(texts[--used]);
  rac_value_release(text_);
  step_all();
  finish(&r);
}

/* ---- Until it ends -------------------------------------------------------------- */

/* The request that a process has come to, for the next one to go on behind. */
static int scene_number;
static long first_request;

static void say_number(int number) {
  char said[100];
  (void)number;
  int length =
      snprintf(said, sizeof said, "at %d %ld\n", scene_number, first_request);
  if (write(STDERR_FILENO, said, (size_t)length) < 0) _exit(4);
  _exit(5);
}

static void keep_quiet(void *context, const char *line) {
  (void)context, (void)line;
}

/* Goes through the requests of the scenes from the one on that is named. */
static void play_scenes(const char *from, rac_signal *(*signal_of)(int),
                        int count) {
  long request = 0;
  if (sscanf(from, "%d %ld", &scene_number, &request) != 2) abort();
  signal(SIGABRT, say_number);
  set_up();
  rac_set_log(NULL, keep_quiet, NULL);
  let_it_settle = step_all;
  for (; scene_number < 2 * count; scene_number++, request = 1) {
    scene self = {.signal = signal_of(scene_number / 2),
                  .is_bare = scene_number % 2};
    attempt one = {.body = send_without_memory, .argument = &self};
    do {
      one.from = first_request = request++;
      one.to = FOR_EVER;
      snprintf(situation, sizeof situation, "%d: %ld", scene_number, one.from);
      check_join(check_spawn(attempt_once, &one));
    } while (one.refused > 0);
    rac_release(self.signal);
  }
  rac_set_log(NULL, NULL, NULL);
  tear_down();
}

/* Has another process go on behind every request whose refusal ended one; how
 * many did. */
static int play_all(const char *test, const char *pool) {
  int ended = 0, number_ = 0;
  long request = 1;
  setenv("RAC_POOL", pool, 1);
  while (ended < 5000) {
    char from[40], said[4000];
    snprintf(from, sizeof from, "%d %ld", number_, request);
    int status = rerun(test, "RAC_TEST_MEMORY", from, said, sizeof said);
    if (status == 0) return ended;
    if (status != 5 || sscanf(said, "librac: out of memory\nat %d %ld",
                              &number_, &request) != 2) {
      fprintf(stderr, "after %s, %s: %d, %s\n", from, pool, status, said);
      CHECK(status == 5);
      return ended;
    }
    ended++;
    request++;
  }
  return ended;
}

#define TEST_SCENES(name, signal_of, count)                                    \
  TEST(name) {                                                                 \
    const char *from = getenv("RAC_TEST_MEMORY");                              \
    if (from) {                                                                \
      play_scenes(from, signal_of, count);                                     \
    } else {                                                                   \
      int ended = play_all(#name, "malloc");                                   \
      CHECK(ended > 100);                                                      \
      play_all(#name, "pool");                                                 \
    }                                                                          \
  }

static rac_signal *operator_at(int i) {
  return operators[i].build(as_signal(subject), as_signal(another));
}
TEST_SCENES(sending_through_operators, operator_at, OPERATORS)

/* ---- Where nothing is kept ------------------------------------------------------ */

static void send_a_lot(void *argument) {
  recorder r = {0};
  record(argument, &r);
  take_memory();
  for (int i = 0; i < 1000; i++)
    CHECK_HERE(rac_subject_send(subject, I(i)) == RAC_OK);
  give_memory();
  CHECK_HERE(memory.asked == 0);
  finish(&r);
}

/* The usual send asks for no memory at all. */
TEST_BOTH_WAYS(a_send_asks_for_nothing) {
  set_up();
  refuse_each("subject", send_a_lot, subject);
  rac_signal *chain = rac_retain(subject);
  APPLY(chain, map, CALLBACK(standard_key));
  APPLY(chain, filter, CALLBACK(standard_above));
  APPLY(chain, take, 5000);
  refuse_each("chain", send_a_lot, chain);
  rac_release(chain);
  tear_down();
}

#else

TEST(sanitizers_have_memory_of_their_own) {}

#endif
