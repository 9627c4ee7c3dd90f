#include "proxy.h"

#include <arpa/inet.h>
#include <poll.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum { PAIRS = 16 };

typedef struct pair {
  int ends[2];
  long long left; /* bytes until it is cut */
} pair;

static int reach_port(int port) {
  struct sockaddr_in address = {.sin_family = AF_INET};
  address.sin_port = htons((uint16_t)port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (connect(fd, (struct sockaddr *)&address, sizeof address) != 0) abort();
  return fd;
}

static int socket_at(const char *path, bool listens) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
  int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  int status = listens
                   ? bind(fd, (struct sockaddr *)&address, sizeof address)
                   : connect(fd, (struct sockaddr *)&address, sizeof address);
  if (status != 0 || (listens && listen(fd, 16) != 0)) abort();
  return fd;
}

static void cut(pair *self) {
  close(self->ends[0]);
  close(self->ends[1]);
  self->ends[0] = -1;
}

/* Passes on what one end has said; false when the pair is over. */
static bool pass(proxy *self, pair *of, int from) {
  char bytes[4096];
  ssize_t length = read(of->ends[from], bytes, sizeof bytes);
  if (length <= 0) return false;
  bool is_cut = !atomic_load(&self->is_whole) && of->left < length;
  if (is_cut) length = of->left;
  for (ssize_t done = 0; done < length;) {
    ssize_t more = send(of->ends[1 - from], bytes + done,
                        (size_t)(length - done), MSG_NOSIGNAL);
    if (more <= 0) return false;
    done += more;
  }
  of->left -= length;
  if (is_cut) atomic_fetch_add(&self->cuts, 1);
  return !is_cut;
}

static void *run_proxy(void *argument) {
  proxy *self = argument;
  pair pairs[PAIRS];
  for (int i = 0; i < PAIRS; i++) pairs[i].ends[0] = -1;
  while (!atomic_load(&self->is_over)) {
    struct pollfd polled[1 + 2 * PAIRS] = {{self->listener, POLLIN, 0}};
    for (int i = 0; i < 2 * PAIRS; i++) {
      const pair *of = &pairs[i / 2];
      polled[1 + i] =
          (struct pollfd){of->ends[0] < 0 ? -1 : of->ends[i % 2], POLLIN, 0};
    }
    poll(polled, 1 + 2 * PAIRS, 10);
    for (int i = 0; i < 2 * PAIRS; i++) {
      pair *of = &pairs[i / 2];
      if (of->ends[0] < 0 || polled[1 + i].revents == 0) continue;
      if (!pass(self, of, i % 2)) cut(of);
    }
    if (polled[0].revents == 0) continue;
    int client = accept(self->listener, NULL, NULL), free_one = 0;
    while (free_one < PAIRS && pairs[free_one].ends[0] >= 0) free_one++;
    if (client < 0 || free_one == PAIRS) abort();
    int broker = self->broker != NULL ? socket_at(self->broker, false)
                                      : reach_port(self->port);
    uint64_t most = self->most == 0 ? 200000 : self->most;
    pairs[free_one] = (pair){{client, broker},
                             (long long)(check_random(&self->state) % most)};
  }
  for (int i = 0; i < PAIRS; i++)
    if (pairs[i].ends[0] >= 0) cut(&pairs[i]);
  close(self->listener);
  return NULL;
}

void proxy_start(proxy *self, const char *folder) {
  self->state = 11;
  snprintf(self->socket, sizeof self->socket, "%.60s/proxy", folder);
  self->listener = socket_at(self->socket, true);
  self->thread = check_spawn(run_proxy, self);
}

void proxy_stop(proxy *self) {
  atomic_store(&self->is_over, true);
  check_join(self->thread);
}
