/* Connections: made, accepted, read and written, refused, and closed. */
#define _GNU_SOURCE
#include "children.h"
#include "descriptors.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>

/* ---- A server -------------------------------------------------------------------- */

/* The lines of a connection, written back. */
static rac_status echo(void *context, rac_value connection, rac_signal **out) {
  int fd = rac_socket_descriptor(connection);
  (void)context;
  owned rac_signal *lines = rac_signal_lines(fd, OWNED, 0, NULL);
  owned rac_signal *answers = rac_signal_add_delimiter(lines, S("\n"), 0);
  *out = rac_signal_write(answers, fd, OWNED, NULL, NULL);
  return *out != NULL ? RAC_OK : rac_last_error_code();
}

typedef struct server {
  char address[128];
  recorder served;
} server;

static void remember_address(void *context, rac_value address) {
  server *self = context;
  const char *text = NULL;
  if (rac_value_get_string(address, &text, NULL) == RAC_OK)
    snprintf(self->address, sizeof self->address, "%s", text);
}

/* A failing connection ends itself, and not the service. */
static rac_status ignore_failure(void *context, rac_value error,
                                 rac_signal **out) {
  (void)context;
  (void)error;
  *out = rac_signal_empty();
  return RAC_OK;
}
static rac_status echo_safely(void *context, rac_value connection,
                              rac_signal **out) {
  rac_signal *answered = NULL;
  rac_status status = echo(context, connection, &answered);
  *out = rac_signal_catch(answered, NULL, ignore_failure, NULL);
  rac_release(answered);
  return status;
}

static void serve(server *self, const char *address, rac_scheduler *scheduler) {
  owned rac_subject *bound = rac_subject_create();
  owned rac_disposable *hears = rac_subscribe_next(
      rac_subject_as_signal(bound), self, remember_address, NULL);
  owned rac_signal *clients = rac_signal_listen(address, 0, bound, scheduler);
  owned rac_signal *served =
      rac_signal_flatten_map(clients, NULL, echo_safely, NULL);
  record(served, &self->served);
}

static void stop(server *self) { finish(&self->served); }

static rac_status ask(void *context, rac_value connection, rac_signal **out) {
  int fd = rac_socket_descriptor(connection);
  owned rac_signal *question = rac_signal_return(S(context));
  owned rac_signal *sent = rac_signal_write(question, fd, OWNED, NULL, NULL);
  owned rac_signal *silent = rac_signal_ignore_values(sent);
  owned rac_signal *answers = rac_signal_lines(fd, OWNED, 0, NULL);
  rac_signal *both[] = {silent, answers};
  *out = rac_signal_merge(both, 2);
  return RAC_OK;
}

static rac_signal *asked(const char *address, char *question) {
  owned rac_signal *connection = rac_signal_connect(address, 10, NULL);
  return rac_signal_flatten_map(connection, question, ask, NULL);
}

static void check_service(const char *address, const char *expected) {
  int before = open_descriptors();
  server server = {0};
  serve(&server, address, NULL);
  check_text(__FILE__, __LINE__, "where it listens",
             expected != NULL ? server.address : "", expected ? expected : "");
  for (int i = 0; i < 3; i++) {
    RECORDER_OF(r, asked(server.address, "one\ntwo\nthree"));
    RUN_UNTIL(r.ends == 1);
    CHECK_EVENTS(&r, "one two three |");
  }
  stop(&server);
  CHECK_INT(open_descriptors(), before);
}

TEST(clients_are_served_at_each_kind_of_address) {
  check_service("127.0.0.1:0", NULL);
  check_service("[::1]:0", NULL);
  check_service("unix:@rac-test-of-sockets", "unix:@rac-test-of-sockets");
}

TEST(a_path_is_taken_over_when_nobody_listens_there) {
  char folder[] = "/tmp/rac-sockets-XXXXXX", path[64], file[64];
  if (mkdtemp(folder) == NULL) abort();
  snprintf(path, sizeof path, "unix:%s/socket", folder);
  snprintf(file, sizeof file, "unix:%s/file", folder);
  check_service(path, path);
  check_service(path, path);
  server first = {0};
  serve(&first, path, NULL);
  owned_value error = error_of(rac_signal_listen(path, 0, NULL, NULL));
  check_system_error(__FILE__, __LINE__, error, EADDRINUSE);
  stop(&first);
  /* Another file is never removed. */
  close(open(file + 5, O_CREAT | O_WRONLY, 0600));
  owned_value other = error_of(rac_signal_listen(file, 0, NULL, NULL));
  check_system_error(__FILE__, __LINE__, other, EADDRINUSE);
  unlink(file + 5);
  unlink(path + 5);
  rmdir(folder);
}

static void see_peer(recorder *self, rac_value connection) {
  int fd = rac_socket_descriptor(connection);
  snprintf(self->user, 64, "%s", rac_socket_peer(connection));
  CHECK(fcntl(fd, F_GETFL) & O_NONBLOCK);
  CHECK(fcntl(fd, F_GETFD) & FD_CLOEXEC);
}

TEST(a_connection_knows_its_peer_and_closes_with_its_value) {
  int before = open_descriptors();
  server server = {0};
  char peer[64] = "", client[64] = "";
  owned rac_subject *bound = rac_subject_create();
  owned rac_disposable *hears = rac_subscribe_next(
      rac_subject_as_signal(bound), &server, remember_address, NULL);
  recorder r = {.on_next = see_peer, .user = peer};
  record_of(rac_signal_listen("127.0.0.1:0", 5, bound, NULL), &r);
  recorder connected = {.on_next = see_peer, .user = client};
  record_of(rac_signal_connect(server.address, -1, NULL), &connected);
  RUN_UNTIL(r.nexts == 1 && connected.ends == 1);
  CHECK_TEXT(client, server.address);
  CHECK(strncmp(peer, "127.0.0.1:", 10) == 0);
  finish(&connected);
  finish(&r);
  CHECK_INT(open_descriptors(), before);
  CHECK_INT(rac_socket_descriptor(I(1)), -1);
  CHECK_STATUS(rac_last_error_code(), RAC_EKIND);
  CHECK_TEXT(rac_socket_peer(S("text")), "");
}

/* Law 26: the next connection stays with the system, and is heard in its turn. */
TEST(a_full_place_holds_connections) {
  int before = open_descriptors();
  server server = {0};
  recorder r = {0}, connected[5] = {{0}};
  owned rac_scheduler *slow = rac_scheduler_virtual();
  owned rac_subject *at = rac_subject_create();
  owned rac_disposable *hears = rac_subscribe_next(
      rac_subject_as_signal(at), &server, remember_address, NULL);
  owned rac_bound *places = rac_bound_create(2, RAC_BOUND_WAIT);
  owned rac_signal *clients = rac_signal_listen("127.0.0.1:0", 5, at, NULL);
  record_of(rac_signal_deliver_on_bounded(clients, slow, places), &r);
  for (int i = 0; i < 5; i++) {
    record_of(rac_signal_connect(server.address, -1, NULL), &connected[i]);
    RUN_UNTIL(connected[i].ends == 1);
    finish(&connected[i]);
  }
  rac_main_run_for(0.05);
  CHECK_INT(rac_bound_get(places, RAC_BOUND_LENGTH), 2);
  while (r.nexts < 5) {
    rac_virtual_step_all(slow);
    rac_main_run_for(0.01);
  }
  CHECK_INT(rac_bound_get(places, RAC_BOUND_HIGHEST), 2);
  rac_dispose(r.subscription);
  rac_virtual_step_all(slow);
  await_end(&r);
  CHECK_INT(open_descriptors(), before);
}

/* A part of a name has at most 63 characters: nobody is asked for it. */
static const char no_such_name[] =
    "a234567890b234567890c234567890d234567890e234567890f234567890g234567890:80";

TEST(names_are_resolved) {
  int before = open_descriptors();
  server server = {0};
  serve(&server, "127.0.0.1:0", NULL);
  char address[64];
  snprintf(address, sizeof address, "localhost%s",
           strrchr(server.address, ':'));
  RECORDER_OF(r, asked(address, "named"));
  RUN_UNTIL(r.ends == 1);
  CHECK_EVENTS(&r, "named |");
  owned_value error = error_of(rac_signal_connect(no_such_name, -1, NULL));
  CHECK_TEXT(rac_error_get_domain(error), RAC_SYSTEM_ERROR_DOMAIN);
  stop(&server);
  /* One that nobody waits for any more. */
  recorder gone = {0};
  record_of(rac_signal_connect(no_such_name, -1, NULL), &gone);
  finish(&gone);
  for (int i = 0; i < 2000 && open_descriptors() > before; i++) check_pause();
  CHECK_INT(open_descriptors(), before);
}

/* ---- What goes wrong ------------------------------------------------------------- */

TEST(nobody_listens) {
  int before = open_descriptors();
  server server = {0};
  serve(&server, "127.0.0.1:0", NULL);
  stop(&server);
  owned_value error = error_of(rac_signal_connect(server.address, -1, NULL));
  check_system_error(__FILE__, __LINE__, error, ECONNREFUSED);
  CHECK_TEXT(rac_error_get_message(error),
             "rac_signal_connect: Connection refused");
  owned_value other = error_of(rac_signal_connect("unix:/no/such", -1, NULL));
  check_system_error(__FILE__, __LINE__, other, ENOENT);
  CHECK_INT(open_descriptors(), before);
}

/* The queue of the listener is full: nobody answers any more. */
TEST(the_time_to_connect_is_limited) {
  struct sockaddr_in at = {.sin_family = AF_INET};
  socklen_t size = sizeof at;
  int clients[4];
  at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  int fd = socket(AF_INET, SOCK_STREAM, 0);
  if (bind(fd, (struct sockaddr *)&at, size) != 0 || listen(fd, 0) != 0)
    abort();
  getsockname(fd, (struct sockaddr *)&at, &size);
  for (int i = 0; i < 4; i++) {
    clients[i] = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
    connect(clients[i], (struct sockaddr *)&at, size);
  }
  int before = open_descriptors();
  char address[64];
  snprintf(address, sizeof address, "127.0.0.1:%d", ntohs(at.sin_port));
  owned_value error = error_of(rac_signal_connect(address, 0.05, NULL));
  CHECK_TEXT(rac_error_get_domain(error), "rac.signal");
  CHECK_INT(rac_error_get_code(error), RAC_SIGNAL_TIMED_OUT);
  CHECK_INT(open_descriptors(), before);
  for (int i = 0; i < 4; i++) close(clients[i]);
  close(fd);
}

TEST(addresses_that_are_none) {
  const char *const wrong[] = {"",        "host",   "host:",     ":80",
                               "::1:80",  "[::1]",  "[host]:80", "host:65536",
                               "host:8x", "unix:",  "unix:@",    "[::1:80",
                               "udp:",    "host:-1"};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    CHECK(rac_signal_connect(wrong[i], -1, NULL) == NULL);
    CHECK_STATUS(rac_last_error_code(), RAC_EINVAL);
    CHECK(rac_signal_listen(wrong[i], 0, NULL, NULL) == NULL);
  }
  char longest[200];
  memset(longest, 'x', sizeof longest);
  memcpy(longest, "unix:/", 6);
  longest[199] = 0;
  CHECK(rac_signal_listen(longest, 0, NULL, NULL) == NULL);
  CHECK_STATUS(rac_last_error_code(), RAC_EINVAL);
  CHECK(rac_signal_listen("localhost:0", 0, NULL, NULL) == NULL);
  CHECK(rac_signal_listen("udp:localhost:0", 0, NULL, NULL) == NULL);
  CHECK(rac_signal_connect(NULL, -1, NULL) == NULL);
  CHECK_STATUS(rac_last_error_code(), RAC_ENULL);
}

/* The value keeps what nobody else has. */
static rac_value kept;
static void keep(recorder *self, rac_value connection) {
  (void)self;
  kept = rac_value_retain(connection);
}

TEST(a_kept_connection_stays_open) {
  int before = open_descriptors();
  server server = {0};
  serve(&server, "127.0.0.1:0", NULL);
  recorder r = {.on_next = keep};
  record_of(rac_signal_connect(server.address, -1, NULL), &r);
  RUN_UNTIL(r.ends == 1);
  finish(&r);
  write_text(rac_socket_descriptor(kept), "later\n");
  RECORDER_OF(lines,
              rac_signal_lines(rac_socket_descriptor(kept), OWNED, 0, NULL));
  rac_value_release(kept);
  RUN_UNTIL(lines.nexts == 1);
  CHECK_EVENTS(&lines, "later");
  finish(&lines);
  stop(&server);
  CHECK_INT(open_descriptors(), before);
}

/* ---- Without descriptors --------------------------------------------------------- */

static void child_without_descriptors(void *argument) {
  (void)argument;
  server server = {0};
  serve(&server, "unix:@rac-test-without-descriptors", NULL);
  struct sockaddr_un at = {.sun_family = AF_UNIX};
  const char *name = "rac-test-without-descriptors";
  memcpy(at.sun_path + 1, name, strlen(name));
  socklen_t size =
      (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + strlen(name));
  int client = socket(AF_UNIX, SOCK_STREAM, 0);
  int taken[64], count = 0;
  struct rlimit limit = {48, 48};
  CHILD(setrlimit(RLIMIT_NOFILE, &limit) == 0);
  while (count < 64 && (taken[count] = dup(client)) >= 0) count++;
  CHILD(connect(client, (struct sockaddr *)&at, size) == 0);
  CHILD(write(client, "waits\n", 6) == 6);
  /* It rests meanwhile. */
  clock_t before = clock();
  rac_main_run_for(0.5);
  CHILD(clock() - before < CLOCKS_PER_SEC / 5);
  while (count > 0) close(taken[--count]);
  char text[16] = "";
  fcntl(client, F_SETFL, O_NONBLOCK);
  for (int i = 0; i < 1000 && read(client, text, sizeof text) < 0; i++)
    rac_main_run_for(0.01);
  CHILD(strcmp(text, "waits\n") == 0);
}

TEST(a_server_without_descriptors_tries_again) {
  CHECK_INT(in_child(child_without_descriptors, NULL), 0);
}

/* ---- Forks ----------------------------------------------------------------------- */

static server forked;

static void child_of_server(void *argument) {
  (void)argument;
  for (int i = 0; i < 1000 && forked.served.ends == 0; i++)
    rac_main_run_for(0.01);
  CHILD(strcmp(forked.served.text, "#-5010") == 0);
}

static void parent_with_server(void *argument) {
  (void)argument;
  serve(&forked, "127.0.0.1:0", NULL);
  CHILD(in_child(child_of_server, NULL) == 0);
  recorder r = {0};
  record_of(asked(forked.address, "after"), &r);
  for (int i = 0; i < 1000 && r.ends == 0; i++) rac_main_run_for(0.01);
  CHILD(strcmp(r.text, "after |") == 0);
}

TEST(a_forked_child_does_not_serve) {
  CHECK_INT(in_child(parent_with_server, NULL), 0);
}

/* What waits is written once, by the parent. */
static int pipe_ends[2];
static recorder writing;

static void child_of_writer(void *argument) {
  (void)argument;
  char all[70000];
  CHILD(read(pipe_ends[0], all, sizeof all) > 0);
  for (int i = 0; i < 1000 && writing.ends == 0; i++) rac_main_run_for(0.01);
  CHILD(strcmp(writing.text, "#-5010") == 0);
}

static void parent_with_writer(void *argument) {
  static char zeros[4096];
  (void)argument;
  make_pipe(pipe_ends);
  fcntl(pipe_ends[0], F_SETFL, O_NONBLOCK);
  fcntl(pipe_ends[1], F_SETFL, O_NONBLOCK);
  while (write(pipe_ends[1], zeros, sizeof zeros) > 0) {
  }
  owned rac_signal *text = rac_signal_return(S("once"));
  record_of(rac_signal_write(text, pipe_ends[1], OWNED, NULL, NULL), &writing);
  rac_main_run_for(0.02);
  CHILD(in_child(child_of_writer, NULL) == 0);
  for (int i = 0; i < 1000 && writing.ends == 0; i++) rac_main_run_for(0.01);
  CHILD(strcmp(writing.text, "4 |") == 0);
  char left[16] = "";
  CHILD(read(pipe_ends[0], left, sizeof left) == 4 &&
        memcmp(left, "once", 4) == 0);
}

TEST(a_forked_child_does_not_write) {
  CHECK_INT(in_child(parent_with_writer, NULL), 0);
}

/* After this the library has threads. */
/* ---- Many ------------------------------------------------------------------------ */

static rac_status connect_next(void *context, rac_value number,
                               rac_signal **out) {
  (void)number;
  *out = asked(context, "x");
  return RAC_OK;
}

TEST(many_connections_leave_no_descriptor) {
  int before = open_descriptors();
  int many = (int)check_scaled(2000);
  if (getenv("RAC_MANY_CONNECTIONS") != NULL)
    many = atoi(getenv("RAC_MANY_CONNECTIONS"));
  owned rac_scheduler *worker = rac_scheduler_background(0, "server");
  server server = {0};
  serve(&server, "unix:@rac-test-many", worker);
  owned rac_signal *once = rac_signal_return(I(1));
  owned rac_signal *often = rac_signal_repeat(once);
  owned rac_signal *times = rac_signal_take(often, (size_t)many);
  owned rac_signal *answers = rac_signal_flatten_map_limited(
      times, 20, NULL, "unix:@rac-test-many", connect_next, NULL);
  RECORDER_OF(r, rac_signal_count(answers));
  double limit = check_clock() + 1000;
  while (r.ends == 0 && check_clock() < limit) rac_main_run_for(0.05);
  char expected[32];
  snprintf(expected, sizeof expected, "%d |", many);
  CHECK_EVENTS(&r, expected);
  stop(&server);
  for (int i = 0; i < 20000 && open_descriptors() > before; i++) check_pause();
  CHECK(open_descriptors() <= before);
}
