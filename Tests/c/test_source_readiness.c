/* Descriptors that become readable and writable: level-triggered, one value at a
 * time, ended by what the descriptor ends with. */
#include "descriptors.h"
#include "process.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/socket.h>

static void read_one(recorder *self, rac_value value) {
  char byte;
  int64_t fd = -1;
  CHECK_STATUS(rac_value_get_int64(value, &fd), RAC_OK);
  if (read((int)fd, &byte, 1) == 1) strncat(self->user, &byte, 1);
}

TEST(what_is_left_is_said_again) {
  int ends[2];
  make_pipe(ends);
  char read_so_far[16] = "";
  recorder r = {.on_next = read_one, .user = read_so_far};
  record_of(rac_signal_readable(ends[0], LENT, NULL), &r);
  run_a_little();
  CHECK_INT(r.nexts, 0);
  write_text(ends[1], "abc");
  RUN_UNTIL(r.nexts == 3);
  CHECK_TEXT(read_so_far, "abc");
  run_a_little();
  CHECK_INT(r.nexts, 3);
  write_text(ends[1], "d");
  close(ends[1]);
  RUN_UNTIL(r.ends == 1);
  CHECK_TEXT(read_so_far, "abcd");
  CHECK_INT(r.nexts, 4);
  CHECK(strchr(r.text, '|') != NULL);
  await_end(&r);
  close(ends[0]);
}

TEST(it_is_said_once_a_turn) {
  int ends[2];
  make_pipe(ends);
  recorder r = {0};
  record_of(rac_signal_readable(ends[0], OWNED, NULL), &r);
  write_text(ends[1], "unread");
  CHECK_INT(rac_main_drain(0), 1);
  CHECK_INT(r.nexts, 1);
  CHECK_INT(rac_main_drain(0), 1);
  CHECK_INT(r.nexts, 2);
  finish(&r);
  CHECK_INT(rac_main_drain(0), 0);
  close(ends[1]);
}

TEST(two_sources_of_one_descriptor) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) abort();
  recorder reads = {0}, others = {0}, writes = {0};
  rac_signal *readable = rac_signal_readable(ends[0], LENT, NULL);
  rac_signal *writable = rac_signal_writable(ends[0], LENT, NULL);
  record(readable, &reads);
  record(readable, &others);
  record_of(rac_signal_take(writable, 1), &writes);
  rac_release(readable);
  rac_release(writable);
  RUN_UNTIL(writes.ends == 1);
  CHECK_INT(reads.nexts + others.nexts, 0);
  write_text(ends[1], "x");
  RUN_UNTIL(reads.nexts > 0 && others.nexts > 0);
  finish(&reads);
  finish(&others);
  await_end(&writes);
  close(ends[0]);
  close(ends[1]);
}

TEST(a_full_pipe_is_not_writable) {
  int ends[2];
  char block[4096] = {0};
  make_pipe(ends);
  fcntl(ends[1], F_SETFL, O_NONBLOCK);
  while (write(ends[1], block, sizeof block) > 0) {
  }
  recorder r = {0};
  rac_signal *writable = rac_signal_writable(ends[1], LENT, NULL);
  record_of(rac_signal_take(writable, 1), &r);
  rac_release(writable);
  run_a_little();
  CHECK_INT(r.nexts, 0);
  CHECK(read(ends[0], block, sizeof block) > 0);
  RUN_UNTIL(r.ends == 1);
  CHECK_INT(r.nexts, 1);
  await_end(&r);
  close(ends[0]);
  close(ends[1]);
}

static void check_end(int line, rac_signal *signal, int code) {
  owned_value error = error_of(signal);
  check_system_error(__FILE__, line, error, code);
}

TEST(nobody_reads_any_more) {
  int ends[2];
  make_pipe(ends);
  close(ends[0]);
  check_end(__LINE__, rac_signal_writable(ends[1], OWNED, NULL), EPIPE);
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) abort();
  close(ends[0]);
  check_end(__LINE__, rac_signal_writable(ends[1], OWNED, NULL), EPIPE);
  /* And what was written was not read. */
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) abort();
  if (write(ends[1], "x", 1) != 1) abort();
  close(ends[0]);
  check_end(__LINE__, rac_signal_writable(ends[1], OWNED, NULL), ECONNRESET);
}

TEST(a_connection_that_is_refused) {
  struct sockaddr_in address = {.sin_family = AF_INET};
  socklen_t size = sizeof address;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  int server = socket(AF_INET, SOCK_STREAM, 0);
  if (bind(server, (struct sockaddr *)&address, size) != 0) abort();
  if (getsockname(server, (struct sockaddr *)&address, &size) != 0) abort();
  close(server);
  int client = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
  if (connect(client, (struct sockaddr *)&address, size) == 0) abort();
  if (errno != EINPROGRESS && errno != ECONNREFUSED) abort();
  rac_signal *writable = rac_signal_writable(client, OWNED, NULL);
  if (errno == ECONNREFUSED)
    rac_release(writable);
  else
    check_end(__LINE__, writable, ECONNREFUSED);
}

static void accept_one(recorder *self, rac_value value) {
  *(int *)self->user = accept((int)value.bits, NULL, NULL);
}

TEST(a_listening_socket_and_its_connections) {
  struct sockaddr_in address = {.sin_family = AF_INET};
  socklen_t size = sizeof address;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  int server = socket(AF_INET, SOCK_STREAM, 0);
  if (bind(server, (struct sockaddr *)&address, size) != 0 ||
      listen(server, 1) != 0 ||
      getsockname(server, (struct sockaddr *)&address, &size) != 0)
    abort();
  int accepted = -1;
  finished recorder r = {.on_next = accept_one, .user = &accepted};
  record_of(rac_signal_readable(server, OWNED, NULL), &r);
  int client = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
  recorder connected = {0};
  if (connect(client, (struct sockaddr *)&address, size) != 0 &&
      errno != EINPROGRESS)
    abort();
  rac_signal *writable = rac_signal_writable(client, LENT, NULL);
  record_of(rac_signal_take(writable, 1), &connected);
  rac_release(writable);
  RUN_UNTIL(accepted >= 0 && connected.ends == 1);
  CHECK_INT(connected.nexts, 1);
  await_end(&connected);
  /* The other side has gone: there is nothing left to read. */
  RECORDER_OF(rest, rac_signal_readable(client, OWNED, NULL));
  close(accepted);
  RUN_UNTIL(rest.ends == 1);
  CHECK_EVENTS(&rest, "|");
}

TEST(a_file_is_always_ready) {
  recorder r = {0};
  rac_signal *readable =
      rac_signal_readable(open("/dev/null", O_RDONLY), OWNED, NULL);
  record_of(rac_signal_take(readable, 3), &r);
  rac_release(readable);
  RUN_UNTIL(r.ends == 1);
  CHECK_INT(r.nexts, 3);
  await_end(&r);
}

/* ---- The main scheduler -------------------------------------------------------- */

static bool is_ready(int fd) {
  struct pollfd look = {.fd = fd, .events = POLLIN};
  return poll(&look, 1, 0) == 1;
}

/* Whoever polls the main scheduler's descriptor sees what its sources see. */
TEST(the_descriptor_of_the_main_scheduler_stands_for_them) {
  int main_fd = rac_main_fd(), ends[2], more[2];
  make_pipe(ends);
  make_pipe(more);
  char text[16] = "";
  recorder r = {.on_next = read_one, .user = text};
  record_of(rac_signal_readable(ends[0], OWNED, NULL), &r);
  while (rac_main_drain(0) > 0) {
  }
  CHECK(!is_ready(main_fd));
  CHECK(rac_scheduler_next_deadline(rac_scheduler_main()) == -1);
  write_text(ends[1], "a");
  CHECK(is_ready(main_fd));
  CHECK(rac_scheduler_next_deadline(rac_scheduler_main()) == 0);
  CHECK_INT(rac_main_drain(0), 1);
  CHECK_TEXT(text, "a");
  while (rac_main_drain(0) > 0) {
  }
  CHECK(!is_ready(main_fd));
  /* The last one goes, and another one comes: it is another set. */
  finish(&r);
  CHECK(!is_ready(main_fd));
  recorder again = {0};
  record_of(rac_signal_readable(more[0], OWNED, NULL), &again);
  write_text(more[1], "b");
  CHECK(is_ready(main_fd));
  CHECK_INT(rac_main_drain(1), 1);
  finish(&again);
  while (rac_main_drain(0) > 0) {
  }
  close(ends[1]);
  close(more[1]);
}

static void stop_main(recorder *self, rac_value value) {
  (void)self, (void)value;
  rac_main_stop();
}

static void stop_now(void *context) {
  (void)context;
  rac_main_stop();
}

static void *write_later(void *context) {
  check_pause();
  write_text(*(int *)context, "x");
  return NULL;
}

/* A run sleeps where it hears of a descriptor, of a job and of a timer. */
TEST(a_run_is_woken_by_all_there_is) {
  int ends[2];
  make_pipe(ends);
  recorder r = {.on_next = stop_main};
  rac_signal *readable = rac_signal_readable(ends[0], OWNED, NULL);
  record(readable, &r);
  pthread_t writer = check_spawn(write_later, &ends[1]);
  CHECK_STATUS(rac_main_run(), RAC_OK);
  check_join(writer);
  CHECK_INT(r.nexts, 1);
  finish(&r);
  rac_release(readable);
  /* Nothing is left to read: only the others wake it. */
  int quiet[2];
  make_pipe(quiet);
  recorder none = {0};
  readable = rac_signal_readable(quiet[0], OWNED, NULL);
  record(readable, &none);
  rac_release(readable);
  rac_release(
      rac_schedule_after(rac_scheduler_main(), 0.01, NULL, stop_now, NULL));
  CHECK_STATUS(rac_main_run(), RAC_OK);
  rac_scheduler *background =
      rac_scheduler_background(RAC_PRIORITY_DEFAULT, NULL);
  rac_release(rac_schedule_after(background, 0.01, NULL, stop_now, NULL));
  CHECK_STATUS(rac_main_run(), RAC_OK);
  rac_release(background);
  finish(&none);
  close(ends[1]);
  close(quiet[1]);
}

/* Subscribed to by another thread while the main one sleeps. */
static recorder late;
static void *subscribe_later(void *context) {
  check_pause();
  owned rac_signal *readable = rac_signal_readable(*(int *)context, LENT, NULL);
  record(readable, &late);
  return NULL;
}

TEST(a_run_that_sleeps_hears_of_a_new_one) {
  int number = eventfd(1, EFD_CLOEXEC);
  late = (recorder){.on_next = stop_main};
  pthread_t thread = check_spawn(subscribe_later, &number);
  CHECK_STATUS(rac_main_run(), RAC_OK);
  check_join(thread);
  CHECK(late.nexts >= 1);
  finish(&late);
  while (rac_main_drain(0) > 0) {
  }
  close(number);
}

static bool wakes_nobody(void) {
  struct rusage before, after;
  getrusage(RUSAGE_SELF, &before);
  rac_main_run_for(0.3);
  getrusage(RUSAGE_SELF, &after);
  return after.ru_nvcsw - before.ru_nvcsw <= 5 || IS_SANITIZED;
}

/* An idle source costs nothing: nobody wakes up to look. Threads of before may be on
 * their way to sleep for some time: the best of a few tries. */
TEST(an_idle_source_wakes_nobody) {
  rac_scheduler *background =
      rac_scheduler_background(RAC_PRIORITY_DEFAULT, NULL);
  int ends[2];
  make_pipe(ends);
  recorder here = {0}, there = {0};
  rac_signal *mine = rac_signal_lines(ends[0], LENT, 0, NULL);
  rac_signal *others = rac_signal_lines(ends[0], LENT, 0, background);
  record(mine, &here);
  record(others, &there);
  rac_main_run_for(0.05);
  int tries = 10;
  while (tries > 0 && !wakes_nobody()) tries--;
  CHECK(tries > 0);
  finish(&here);
  finish(&there);
  rac_release(mine);
  rac_release(others);
  rac_release(background);
  close(ends[0]);
  close(ends[1]);
}

TEST(no_descriptor_is_left) {
  int ends[2];
  make_pipe(ends);
  struct rlimit before, none;
  getrlimit(RLIMIT_NOFILE, &before);
  none = before;
  none.rlim_cur = (rlim_t)ends[1] + 1; /* all below are taken */
  rac_signal *signals[] = {rac_signal_readable(ends[0], LENT, NULL),
                           rac_signal_posix_signal(SIGUSR1, NULL),
                           rac_signal_at_time(1, NULL),
                           rac_signal_child_exit(getpid(), NULL),
                           rac_signal_file_changes("/", 0, NULL)};
  for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
    recorder r = {0};
    setrlimit(RLIMIT_NOFILE, &none);
    record(signals[i], &r);
    setrlimit(RLIMIT_NOFILE, &before);
    RUN_UNTIL(r.ends == 1);
    CHECK_INT(EMFILE, 24);
    CHECK_EVENTS(&r, "#24");
    await_end(&r);
    rac_release(signals[i]);
  }
  struct sigaction action;
  sigaction(SIGUSR1, NULL, &action);
  CHECK(action.sa_handler == SIG_DFL);
  close(ends[0]);
  close(ends[1]);
}

/* ---- A background scheduler ------------------------------------------------------ */

static void echo(recorder *self, rac_value value) {
  char byte;
  int *ends = self->user;
  (void)value;
  if (read(ends[0], &byte, 1) == 1 && write(ends[1], &byte, 1) != 1) abort();
}

TEST(on_a_background_scheduler) {
  int before = open_descriptors();
  rac_scheduler *background =
      rac_scheduler_background(RAC_PRIORITY_DEFAULT, NULL);
  int there[2], back[2];
  make_pipe(there);
  make_pipe(back);
  int ends[2] = {there[0], back[1]};
  recorder r = {.on_next = echo, .user = ends};
  record_of(rac_signal_readable(there[0], LENT, background), &r);
  for (int i = 0; i < 1000; i++) {
    char byte = (char)i;
    if (write(there[1], &byte, 1) != 1 || read(back[0], &byte, 1) != 1) abort();
    CHECK(byte == (char)i);
  }
  finish(&r);
  CHECK_INT(r.nexts, 1000);
  rac_release(background);
  for (int i = 0; i < 2; i++) {
    close(there[i]);
    close(back[i]);
  }
  WAIT_UNTIL(open_descriptors() == before);
}

/* Subscribing and disposing on one thread, writing on another, sources on both
 * kinds of schedulers. */
enum { STORM_PIPES = 4 };
static atomic_bool storm_is_over;
static int storm[STORM_PIPES][2];

static void *write_always(void *context) {
  (void)context;
  for (unsigned i = 0; !storm_is_over; i++) {
    char byte = 'x';
    if (write(storm[i % STORM_PIPES][1], &byte, 1) != 1 && errno != EAGAIN)
      abort();
  }
  return NULL;
}

static void drink(void *context, rac_value value) {
  char bytes[64];
  (void)context;
  while (read((int)value.bits, bytes, sizeof bytes) == sizeof bytes) {
  }
}

TEST(a_storm_of_subscriptions) {
  int before = open_descriptors();
  rac_scheduler *background =
      rac_scheduler_background(RAC_PRIORITY_DEFAULT, NULL);
  rac_signal *signals[2 * STORM_PIPES];
  for (int i = 0; i < STORM_PIPES; i++) {
    make_pipe(storm[i]);
    fcntl(storm[i][0], F_SETFL, O_NONBLOCK);
    fcntl(storm[i][1], F_SETFL, O_NONBLOCK);
    signals[2 * i] = rac_signal_readable(storm[i][0], LENT, background);
    signals[2 * i + 1] = rac_signal_readable(storm[i][0], LENT, NULL);
  }
  storm_is_over = false;
  pthread_t writer = check_spawn(write_always, NULL);
  rac_disposable *subscriptions[2 * STORM_PIPES] = {NULL};
  int64_t rounds = check_scaled(4000);
  for (int64_t i = 0; i < rounds; i++) {
    int at = (int)(i * 7 % (2 * STORM_PIPES));
    rac_dispose(subscriptions[at]);
    rac_release(subscriptions[at]);
    subscriptions[at] = rac_subscribe_next(signals[at], NULL, drink, NULL);
    if (i % 16 == 0) rac_main_drain(0);
  }
  for (int i = 0; i < 2 * STORM_PIPES; i++) {
    rac_dispose_and_wait(subscriptions[i], 10);
    rac_release(subscriptions[i]);
    rac_release(signals[i]);
  }
  storm_is_over = true;
  check_join(writer);
  while (rac_main_drain(0) > 0) {
  }
  rac_release(background);
  for (int i = 0; i < STORM_PIPES; i++) {
    close(storm[i][0]);
    close(storm[i][1]);
  }
  WAIT_UNTIL(open_descriptors() == before);
}
