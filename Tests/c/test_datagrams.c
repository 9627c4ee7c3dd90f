/* Datagrams: sent by a connection, and by a socket that listens, which answers each
 * sender by its address. */
#define _GNU_SOURCE
#include "children.h"
#include "descriptors.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>

/* ---- A connection ---------------------------------------------------------------- */

static rac_status send_datagrams(void *context, rac_value connection,
                                 rac_signal **out) {
  rac_value words[] = {S("one"), S("two")};
  owned rac_signal *source = rac_signal_from_values(words, 2);
  (void)context;
  *out = rac_signal_write(source, rac_socket_descriptor(connection), OWNED,
                          NULL, NULL);
  return RAC_OK;
}

TEST(datagrams_have_the_same_functions) {
  struct sockaddr_in at = {.sin_family = AF_INET};
  socklen_t size = sizeof at;
  at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  int fd = socket(AF_INET, SOCK_DGRAM, 0);
  if (bind(fd, (struct sockaddr *)&at, size) != 0) abort();
  getsockname(fd, (struct sockaddr *)&at, &size);
  char address[64], text[16];
  snprintf(address, sizeof address, "udp:127.0.0.1:%d", ntohs(at.sin_port));
  owned rac_signal *connection = rac_signal_connect(address, -1, NULL);
  RECORDER_OF(r,
              rac_signal_flatten_map(connection, NULL, send_datagrams, NULL));
  RUN_UNTIL(r.ends == 1);
  CHECK_EVENTS(&r, "3 6 |");
  CHECK_INT(recv(fd, text, sizeof text, 0), 3);
  CHECK_INT(recv(fd, text, sizeof text, 0), 3);
  close(fd);
}

/* ---- A server -------------------------------------------------------------------- */

static rac_status answer(void *context, rac_value datagram, rac_value *out) {
  const char *text = "";
  size_t length = 0;
  char answer[64];
  (void)context;
  rac_value_get_text(rac_tuple_get(datagram, 0), &text, &length);
  snprintf(answer, sizeof answer, "<%.*s>", (int)length, text);
  rac_value parts[] = {S(answer), rac_tuple_get(datagram, 1)};
  *out = rac_value_tuple(parts, 2);
  return RAC_OK;
}

static rac_status serve(void *context, rac_value socket, rac_signal **out) {
  int fd = rac_socket_descriptor(socket);
  (void)context;
  CHECK_TEXT(rac_socket_peer(socket), "");
  owned rac_signal *datagrams = rac_signal_datagrams(fd, OWNED, 0, NULL);
  owned rac_signal *answers = rac_signal_map(datagrams, NULL, answer, NULL);
  *out = rac_signal_write(answers, fd, OWNED, NULL, NULL);
  return *out != NULL ? RAC_OK : rac_last_error_code();
}

static void remember_address(void *context, rac_value address) {
  const char *text = NULL;
  if (rac_value_get_string(address, &text, NULL) == RAC_OK)
    snprintf(context, 128, "%s", text);
}

/* A socket of the test's own, that sends to the address. */
static int client_of(const char *where) {
  struct sockaddr_in at = {.sin_family = AF_INET};
  struct sockaddr_in6 at6 = {.sin6_family = AF_INET6};
  bool is_v6 = where[0] == '[';
  uint16_t port = htons((uint16_t)atoi(strrchr(where, ':') + 1));
  at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  at.sin_port = at6.sin6_port = port;
  at6.sin6_addr = in6addr_loopback;
  int fd = socket(is_v6 ? AF_INET6 : AF_INET, SOCK_DGRAM | SOCK_NONBLOCK, 0);
  if (connect(fd, is_v6 ? (struct sockaddr *)&at6 : (struct sockaddr *)&at,
              is_v6 ? sizeof at6 : sizeof at) != 0)
    abort();
  return fd;
}

static void check_answer(int fd, const char *question, const char *expected) {
  char text[64];
  ssize_t length = -1;
  CHECK(send(fd, question, strlen(question), 0) >= 0);
  RUN_UNTIL(length >= 0 || (length = recv(fd, text, sizeof text - 1, 0)) >= 0);
  text[length < 0 ? 0 : length] = 0;
  CHECK_TEXT(text, expected);
}

static void check_service(const char *address) {
  int before = open_descriptors();
  char where[128] = "";
  owned rac_subject *bound = rac_subject_create();
  owned rac_disposable *hears = rac_subscribe_next(
      rac_subject_as_signal(bound), where, remember_address, NULL);
  owned rac_signal *sockets = rac_signal_listen(address, 0, bound, NULL);
  recorder r = {0};
  record_of(rac_signal_flatten_map(sockets, NULL, serve, NULL), &r);
  int first = client_of(where), second = client_of(where);
  check_answer(first, "one", "<one>");
  check_answer(second, "two", "<two>");
  check_answer(first, "", "<>");
  CHECK_INT(r.ends, 0);
  CHECK_EVENTS(&r, "5 10 12");
  close(first);
  close(second);
  finish(&r);
  CHECK_INT(open_descriptors(), before);
}

TEST(each_sender_is_answered) {
  check_service("udp:127.0.0.1:0");
  check_service("udp:[::1]:0");
}

/* ---- One after the other ---------------------------------------------------------- */

static void take_number(recorder *self, rac_value socket) {
  *(int *)self->user = dup(rac_socket_descriptor(socket));
}

/* A socket that listens, and where. */
static int listening_at(const char *address, char where[128]) {
  int fd = -1;
  owned rac_subject *bound = rac_subject_create();
  owned rac_disposable *hears = rac_subscribe_next(
      rac_subject_as_signal(bound), where, remember_address, NULL);
  recorder r = {.on_next = take_number, .user = &fd};
  record_of(rac_signal_listen(address, 0, bound, NULL), &r);
  RUN_UNTIL(r.ends == 1);
  await_end(&r);
  return fd;
}

/* Writes down the bytes, and the length. */
static void note(recorder *self, rac_value datagram) {
  const char *text = "";
  char *notes = self->user;
  size_t length = 0, end = strlen(notes);
  CHECK_INT(rac_tuple_count(datagram), 3);
  CHECK_INT(rac_tuple_get(datagram, 0).kind, RAC_BYTES);
  rac_value_get_text(rac_tuple_get(datagram, 0), &text, &length);
  int64_t whole = rac_tuple_get(datagram, 2).bits;
  snprintf(notes + end, 64 - end, "%.*s/%d ", (int)length, text, (int)whole);
}

TEST(a_datagram_that_is_too_long_is_cut_off) {
  char where[128] = "", notes[64] = "";
  int fd = listening_at("udp:127.0.0.1:0", where);
  int client = client_of(where);
  const char *texts[] = {"abcdef", "", "abcd"};
  recorder r = {.on_next = note, .user = notes};
  record_of(rac_signal_datagrams(fd, OWNED, 4, NULL), &r);
  for (int i = 0; i < 3; i++) send(client, texts[i], strlen(texts[i]), 0);
  RUN_UNTIL(r.nexts == 3);
  CHECK_TEXT(notes, "abcd/6 /0 abcd/4 ");
  close(client);
  finish(&r);
}

/* Law 26: the others stay with the system. */
TEST(a_full_place_holds_datagrams) {
  char where[128] = "", notes[64] = "";
  int fd = listening_at("udp:127.0.0.1:0", where);
  int client = client_of(where);
  owned rac_scheduler *slow = rac_scheduler_virtual();
  owned rac_bound *few = rac_bound_create(2, RAC_BOUND_WAIT);
  owned rac_signal *datagrams = rac_signal_datagrams(fd, OWNED, 0, NULL);
  recorder r = {.on_next = note, .user = notes};
  record_of(rac_signal_deliver_on_bounded(datagrams, slow, few), &r);
  for (int i = 0; i < 6; i++) send(client, &"abcdef"[i], 1, 0);
  RUN_UNTIL(rac_bound_get(few, RAC_BOUND_LENGTH) == 2);
  run_a_little();
  CHECK_INT(rac_bound_get(few, RAC_BOUND_LENGTH), 2);
  RUN_UNTIL((rac_virtual_step_all(slow), r.nexts == 6));
  CHECK_TEXT(notes, "a/1 b/1 c/1 d/1 e/1 f/1 ");
  CHECK_INT(rac_bound_get(few, RAC_BOUND_HIGHEST), 2);
  close(client);
  rac_dispose(r.subscription);
  rac_virtual_step_all(slow);
  await_end(&r);
  run_a_little();
}

/* ---- Where nobody is -------------------------------------------------------------- */

static rac_value datagram_to(const char *text, const char *address) {
  rac_value parts[] = {S(text), S(address)};
  return rac_value_tuple(parts, 2);
}

TEST(what_cannot_be_delivered_is_lost) {
  char where[128] = "", text[128] = "";
  int fd = listening_at("udp:unix:@rac-test-of-datagrams", where);
  int other = listening_at("udp:unix:@rac-test-of-others", text);
  CHECK_TEXT(where, "unix:@rac-test-of-datagrams");
  rac_value values[] = {datagram_to("none", ""),
                        datagram_to("gone", "unix:@rac-test-of-nobody"),
                        datagram_to("heard", "unix:@rac-test-of-others")};
  owned rac_signal *source = rac_signal_from_values(values, 3);
  RECORDER_OF(r, rac_signal_write(source, fd, OWNED, NULL, NULL));
  RUN_UNTIL(r.ends == 1);
  CHECK_EVENTS(&r, "4 8 13 |");
  CHECK_INT(recv(other, text, sizeof text, MSG_DONTWAIT), 5);
  close(other);
  for (int i = 0; i < 3; i++) rac_value_release(values[i]);
}

TEST(a_sender_without_an_address_is_heard) {
  char where[128] = "", notes[64] = "";
  struct sockaddr_un at = {.sun_family = AF_UNIX};
  const char *name = "rac-test-of-senders";
  int fd = listening_at("udp:unix:@rac-test-of-senders", where);
  int client = socket(AF_UNIX, SOCK_DGRAM, 0);
  memcpy(at.sun_path + 1, name, strlen(name));
  recorder r = {.on_next = note, .user = notes};
  record_of(rac_signal_datagrams(fd, OWNED, 0, NULL), &r);
  CHECK_INT(sendto(client, "text", 4, 0, (struct sockaddr *)&at,
                   (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 +
                               strlen(name))),
            4);
  RUN_UNTIL(r.nexts == 1);
  CHECK_TEXT(notes, "text/4 ");
  close(client);
  finish(&r);
}

/* ---- What goes wrong -------------------------------------------------------------- */

static rac_value error_of_writing(rac_value value) {
  char where[128] = "";
  int fd = listening_at("udp:127.0.0.1:0", where);
  owned rac_signal *source = rac_signal_return(value);
  return error_of(rac_signal_write(source, fd, OWNED, NULL, NULL));
}

TEST(what_is_no_datagram_is_refused) {
  static char longest[70000];
  memset(longest, '1', sizeof longest - 1);
  rac_value one = S("x"), two[] = {S("x"), I(1)};
  rac_value large[] = {rac_value_bytes_view(longest, sizeof longest),
                       S("127.0.0.1:9")};
  struct {
    rac_value value;
    int code;
  } cases[] = {{I(1), RAC_EKIND},
               {S("x"), RAC_EKIND},
               {rac_value_tuple(&one, 1), RAC_EKIND},
               {rac_value_tuple(two, 2), RAC_EKIND},
               {datagram_to("x", "localhost:80"), RAC_EINVAL},
               {datagram_to("x", "127.0.0.1"), RAC_EINVAL},
               {datagram_to("x", longest), RAC_EINVAL},
               {rac_value_tuple(large, 2), EMSGSIZE}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    owned_value error = error_of_writing(cases[i].value);
    CHECK_INT(rac_error_get_code(error), cases[i].code);
    CHECK_TEXT(rac_error_get_domain(error),
               cases[i].code > 0 ? RAC_SYSTEM_ERROR_DOMAIN : "rac");
    rac_value_release(cases[i].value);
  }
}

TEST(other_descriptors_are_refused) {
  int before = open_descriptors(), ends[2];
  make_pipe(ends);
  CHECK(rac_signal_datagrams(ends[0], OWNED, 0, NULL) == NULL);
  CHECK_STATUS(rac_last_error_code(), RAC_EINVAL);
  close(ends[1]);
  int stream = socket(AF_INET, SOCK_STREAM, 0);
  CHECK(rac_signal_datagrams(stream, OWNED, 0, NULL) == NULL);
  CHECK(rac_signal_datagrams(-1, LENT, 0, NULL) == NULL);
  CHECK_STATUS(rac_last_error_code(), RAC_EINVAL);
  CHECK_INT(open_descriptors(), before);
}

TEST(an_address_that_is_taken) {
  char folder[] = "/tmp/rac-datagrams-XXXXXX", path[64], where[128] = "";
  if (mkdtemp(folder) == NULL) abort();
  snprintf(path, sizeof path, "udp:unix:%s/socket", folder);
  close(listening_at(path, where));
  /* Nobody listens there any more. */
  int fd = listening_at(path, where);
  owned_value error = error_of(rac_signal_listen(path, 0, NULL, NULL));
  check_system_error(__FILE__, __LINE__, error, EADDRINUSE);
  close(fd);
  char taken[160];
  fd = listening_at("udp:127.0.0.1:0", where);
  snprintf(taken, sizeof taken, "udp:%s", where);
  owned_value other = error_of(rac_signal_listen(taken, 0, NULL, NULL));
  check_system_error(__FILE__, __LINE__, other, EADDRINUSE);
  close(fd);
  unlink(path + 9);
  rmdir(folder);
}

static void child_without_descriptors(void *none) {
  (void)none;
  owned rac_signal *sockets =
      rac_signal_listen("udp:127.0.0.1:0", 0, NULL, NULL);
  struct rlimit limit = {48, 48};
  CHILD(setrlimit(RLIMIT_NOFILE, &limit) == 0);
  while (dup(0) >= 0) continue;
  owned_value error = error_of(rac_retain(sockets));
  CHILD(rac_error_get_code(error) == EMFILE);
}

TEST(a_process_without_descriptors_is_told) {
  CHECK_INT(in_child(child_without_descriptors, NULL), 0);
}
