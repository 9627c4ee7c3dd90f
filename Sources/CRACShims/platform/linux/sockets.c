// Connections of Linux: addresses as text, connecting without waiting, names
// resolved on a thread of their own, listening.
//
// SPDX-License-Identifier: MIT
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <arpa/inet.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#include "CRACPlatform.h"

// A program that is linked statically need not have it.
#pragma weak getaddrinfo
#pragma weak freeaddrinfo

typedef union address {
  struct sockaddr any;
  struct sockaddr_in v4;
  struct sockaddr_in6 v6;
  struct sockaddr_un local;
  struct sockaddr_storage all;
} address;

// An address as its text says it.
typedef struct target {
  int type;  // SOCK_STREAM, SOCK_DGRAM
  address at;
  socklen_t size;  // 0: the host is a name
  char host[256];
  char port[8];
} target;

// ---- Text -------------------------------------------------------------------

static int parse_local(const char *path, target *target) {
  struct sockaddr_un *local = &target->at.local;
  size_t length = strlen(path);
  bool is_abstract = path[0] == '@';
  if (length <= is_abstract || length >= sizeof local->sun_path) return -EINVAL;
  local->sun_family = AF_UNIX;
  memcpy(local->sun_path, path, length);
  if (is_abstract) local->sun_path[0] = 0;
  target->size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length +
                             !is_abstract);
  return 0;
}

static bool parse_number(const char *text, long *number) {
  char *end;
  if (*text < '0' || *text > '9') return false;
  *number = strtol(text, &end, 10);
  return *end == 0 && *number <= 65535;
}

// "fe80::1%2": the number of the network interface is behind the address.
static bool parse_v6(char *host, struct sockaddr_in6 *at) {
  char *zone = strchr(host, '%');
  long number = 0;
  if (zone != NULL) *zone++ = 0;
  if (zone != NULL && !parse_number(zone, &number)) return false;
  at->sin6_family = AF_INET6;
  at->sin6_scope_id = (uint32_t)number;
  return inet_pton(AF_INET6, host, &at->sin6_addr) == 1;
}

static int parse(const char *text, target *target) {
  memset(target, 0, sizeof *target);
  target->type = SOCK_STREAM;
  if (strncmp(text, "udp:", 4) == 0) {
    target->type = SOCK_DGRAM;
    text += 4;
  }
  if (strncmp(text, "unix:", 5) == 0) return parse_local(text + 5, target);
  bool is_bracketed = *text == '[';
  const char *start = text + is_bracketed;
  const char *end = is_bracketed ? strchr(start, ']') : strrchr(start, ':');
  long port = 0;
  if (end == NULL || end == start ||
      (size_t)(end - start) >= sizeof target->host ||
      end[is_bracketed] != ':' ||
      !parse_number(end + is_bracketed + 1, &port)) {
    return -EINVAL;
  }
  memcpy(target->host, start, (size_t)(end - start));
  snprintf(target->port, sizeof target->port, "%u", (unsigned)(uint16_t)port);
  if (inet_pton(AF_INET, target->host, &target->at.v4.sin_addr) == 1) {
    target->at.v4.sin_family = AF_INET;
    target->at.v4.sin_port = htons((uint16_t)port);
    target->size = sizeof target->at.v4;
  } else if (is_bracketed) {
    if (!parse_v6(target->host, &target->at.v6)) return -EINVAL;
    target->at.v6.sin6_port = htons((uint16_t)port);
    target->size = sizeof target->at.v6;
  } else if (strchr(target->host, ':') != NULL) {
    return -EINVAL;
  }
  return 0;
}

int rac_platform_address_check(const char *text, bool listens) {
  target target;
  int result = parse(text, &target);
  if (result == 0 && target.size == 0 && (listens || getaddrinfo == NULL))
    return -ENOSYS;
  return result < 0                   ? result
         : target.type == SOCK_STREAM ? RAC_ADDRESS_OF_STREAM
                                      : RAC_ADDRESS_OF_DATAGRAMS;
}

static void format(const address *at, socklen_t size, char *text, size_t room) {
  char host[INET6_ADDRSTRLEN] = "";
  text[0] = 0;
  if (at->any.sa_family == AF_INET) {
    inet_ntop(AF_INET, &at->v4.sin_addr, host, sizeof host);
    snprintf(text, room, "%s:%u", host, ntohs(at->v4.sin_port));
  } else if (at->any.sa_family == AF_INET6) {
    char zone[16] = "";
    if (at->v6.sin6_scope_id != 0)
      snprintf(zone, sizeof zone, "%%%u", at->v6.sin6_scope_id);
    inet_ntop(AF_INET6, &at->v6.sin6_addr, host, sizeof host);
    snprintf(text, room, "[%s%s]:%u", host, zone, ntohs(at->v6.sin6_port));
  } else if (at->any.sa_family == AF_UNIX) {
    size_t start = offsetof(struct sockaddr_un, sun_path);
    int length = size > start ? (int)(size - start) : 0;
    bool is_abstract = length > 0 && at->local.sun_path[0] == 0;
    snprintf(text, room, "unix:%s%.*s", is_abstract ? "@" : "",
             is_abstract ? length - 1 : length,
             at->local.sun_path + is_abstract);
  }
}

void rac_platform_address(int fd, bool of_peer, char *text, size_t room) {
  address at;
  socklen_t size = sizeof at;
  memset(&at, 0, sizeof at);
  text[0] = 0;
  int result = of_peer ? getpeername(fd, &at.any, &size)
                       : getsockname(fd, &at.any, &size);
  if (result == 0) format(&at, size, text, room);
}

// ---- Datagrams --------------------------------------------------------------

int64_t rac_platform_receive(int fd, void *buffer, size_t size, char *from,
                             size_t room, size_t *length) {
  address at;
  memset(&at, 0, sizeof at);
  struct iovec place = {buffer, size};
  struct msghdr message = {.msg_name = &at,
                           .msg_namelen = sizeof at,
                           .msg_iov = &place,
                           .msg_iovlen = 1};
  ssize_t got;
  do {
    got = recvmsg(fd, &message, MSG_DONTWAIT | MSG_TRUNC);
  } while (got < 0 && errno == EINTR);
  if (got < 0) return -errno;
  format(&at, message.msg_namelen, from, room);
  *length = (size_t)got;
  return (size_t)got < size ? got : (int64_t)size;
}

bool rac_platform_is_destination(const char *text) {
  target target;
  return *text == 0 || (parse(text, &target) == 0 && target.size > 0);
}

int64_t rac_platform_send_to(int fd, const char *to, const void *start,
                             size_t length) {
  target target;
  // A sender without an address cannot be answered.
  if (*to == 0 || parse(to, &target) != 0) return (int64_t)length;
  ssize_t got;
  do {
    got = sendto(fd, start, length, MSG_NOSIGNAL | MSG_DONTWAIT, &target.at.any,
                 target.size);
  } while (got < 0 && errno == EINTR);
  if (got >= 0) return got;
  switch (errno) {
  case ECONNREFUSED:
  case EHOSTDOWN:
  case EHOSTUNREACH:
  case ENETDOWN:
  case ENETUNREACH:
  case ENOBUFS:
  case ENOENT:
  case EPERM:
    return (int64_t)length;  // lost, as others are on their way
  default:
    return -errno;
  }
}

// ---- Names ------------------------------------------------------------------

// Shared by the thread that looks a name up and the subscription that asked: the
// last of them frees it.
typedef struct lookup {
  int references;
  int event;
  pid_t process;
  int error;
  struct addrinfo *found;
  target target;
} lookup;

static void let_go(lookup *lookup) {
  // The other one may free it as soon as this one has gone. In a forked child
  // there is no such thread.
  int inherited = lookup->process != getpid() ? lookup->event : -1;
  if (__atomic_sub_fetch(&lookup->references, 1, __ATOMIC_ACQ_REL) > 0) {
    if (inherited >= 0) close(inherited);
    return;
  }
  if (lookup->found != NULL) freeaddrinfo(lookup->found);
  close(lookup->event);
  free(lookup);
}

static void *look_up(void *argument) {
  lookup *self = argument;
  struct addrinfo hints = {.ai_family = AF_UNSPEC,
                           .ai_socktype = self->target.type};
  int result =
      getaddrinfo(self->target.host, self->target.port, &hints, &self->found);
  self->error = result == 0            ? 0
                : result == EAI_SYSTEM ? errno
                : result == EAI_AGAIN  ? EAGAIN
                : result == EAI_MEMORY ? ENOMEM
                                       : ENXIO;
  rac_platform_event_post(self->event);
  let_go(self);
  return NULL;
}

// ThreadSanitizer does not see that the event orders the two.
static int begin_lookup(const target *target, lookup **out) {
  lookup *self = calloc(1, sizeof *self);
  if (self == NULL) return -ENOMEM;
  self->references = 2;
  self->process = getpid();
  self->target = *target;
  self->event = rac_platform_event_open(false);
  int result = self->event < 0 ? self->event : 0;
  if (result == 0) {
    sigset_t all, before;
    pthread_attr_t attributes;
    pthread_t thread;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    result = -pthread_create(&thread, &attributes, look_up, self);
    pthread_attr_destroy(&attributes);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (result != 0) close(self->event);
  }
  if (result != 0) {
    free(self);
    return result;
  }
  *out = self;
  return self->event;
}

// ---- Connecting -------------------------------------------------------------

// `set` is readable when there is something to look at: the name is known, or
// the socket has connected or failed to.
struct rac_connecting {
  int set;
  int socket;
  int error;
  lookup *lookup;
  const struct addrinfo *next;  // of those that were found
};

static int begin(rac_connecting *self, int type, const struct sockaddr *at,
                 socklen_t size) {
  int one = 1;
  self->socket = socket(at->sa_family, type | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (self->socket < 0) return -errno;
  if (type == SOCK_STREAM && at->sa_family != AF_UNIX)
    setsockopt(self->socket, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
  int result;
  do {
    result = connect(self->socket, at, size);
  } while (result != 0 && errno == EINTR);
  result = result == 0 || errno == EINPROGRESS ? 0 : -errno;
  if (result == 0) {
    result = rac_platform_poll_change(self->set, RAC_POLL_ONCE, self->socket,
                                      true, 0);
  }
  if (result == 0) return 0;
  close(self->socket);
  self->socket = -1;
  return result;
}

int rac_platform_connect_open(const char *text, rac_connecting **out) {
  target target;
  int result = parse(text, &target);
  rac_connecting *self = result == 0 ? calloc(1, sizeof *self) : NULL;
  if (self == NULL) return result == 0 ? -ENOMEM : result;
  self->socket = -1;
  self->set = rac_platform_poll_open();
  if (self->set < 0) {
    result = self->set;
  } else if (target.size > 0) {
    result = begin(self, target.type, &target.at.any, target.size);
  } else {
    int event = begin_lookup(&target, &self->lookup);
    result = event < 0 ? event
                       : rac_platform_poll_change(self->set, RAC_POLL_ADD,
                                                  event, false, 0);
  }
  if (result < 0) {
    rac_platform_connect_close(self);
    return result;
  }
  *out = self;
  return self->set;
}

int rac_platform_connect_step(rac_connecting *self) {
  if (self->lookup != NULL && self->next == NULL && self->socket < 0) {
    if (!rac_platform_event_take(self->lookup->event)) return -EAGAIN;
    if (self->lookup->error != 0) return -self->lookup->error;
    self->next = self->lookup->found;
  }
  while (true) {
    if (self->socket >= 0) {
      int readiness = rac_platform_readiness(self->socket, true);
      if (readiness > 0) {
        int connected = self->socket;
        rac_platform_poll_change(self->set, RAC_POLL_REMOVE, connected, true,
                                 0);
        self->socket = -1;
        return connected;
      }
      if (readiness == 0) {
        rac_platform_poll_change(self->set, RAC_POLL_REARM, self->socket, true,
                                 0);
        return -EAGAIN;
      }
      self->error = readiness;
      close(self->socket);
      self->socket = -1;
    }
    // The last failure is told, as nobody asked for the others.
    if (self->next == NULL) return self->error;
    const struct addrinfo *now = self->next;
    self->next = now->ai_next;
    int result =
        begin(self, self->lookup->target.type, now->ai_addr, now->ai_addrlen);
    if (result < 0) self->error = result;
  }
}

void rac_platform_connect_close(rac_connecting *self) {
  if (self->lookup != NULL) let_go(self->lookup);
  if (self->socket >= 0) close(self->socket);
  if (self->set >= 0) close(self->set);
  free(self);
}

// ---- Listening --------------------------------------------------------------

// A path whose socket nobody listens at.
static bool is_stale(const target *target) {
  const struct sockaddr_un *local = &target->at.local;
  struct stat status;
  if (local->sun_family != AF_UNIX || local->sun_path[0] == 0 ||
      syscall(SYS_newfstatat, AT_FDCWD, local->sun_path, &status,
              AT_SYMLINK_NOFOLLOW) != 0 ||
      !S_ISSOCK(status.st_mode)) {
    return false;
  }
  int probe = socket(AF_UNIX, target->type | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (probe < 0) return false;
  bool is_refused = connect(probe, &target->at.any, target->size) != 0 &&
                    errno == ECONNREFUSED;
  close(probe);
  return is_refused;
}

int rac_platform_listen(const char *text, int backlog) {
  target target;
  int result = parse(text, &target);
  if (result != 0) return result;
  int one = 1;
  bool is_stream = target.type == SOCK_STREAM;
  int fd = socket(target.at.any.sa_family,
                  target.type | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (fd < 0) return -errno;
  // To datagrams it means that another socket may take them.
  if (is_stream && target.at.any.sa_family != AF_UNIX)
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
  result = bind(fd, &target.at.any, target.size);
  if (result != 0 && errno == EADDRINUSE && is_stale(&target)) {
    unlink(target.at.local.sun_path);
    result = bind(fd, &target.at.any, target.size);
  }
  if (result == 0 && is_stream)
    result = listen(fd, backlog > 0 ? backlog : SOMAXCONN);
  if (result == 0) return fd;
  int error = errno;
  close(fd);
  return -error;
}

int rac_platform_accept(int fd) {
  int one = 1;
  int got = accept4(fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
  if (got >= 0) {
    setsockopt(got, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    return got;
  }
  switch (errno) {
  case EMFILE:
  case ENFILE:
  case ENOBUFS:
  case ENOMEM:
    return -EMFILE;
  case EBADF:
  case EINVAL:
  case ENOTSOCK:
  case EOPNOTSUPP:
    return -errno;
  default:  // of the connection that did not come about
    return -EAGAIN;
  }
}
