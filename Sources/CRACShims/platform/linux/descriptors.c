// Descriptors of Linux: reading without waiting, children, changes of files.
//
// System calls that older C libraries have no function for are made by number:
// an older kernel answers ENOSYS.
//
// SPDX-License-Identifier: MIT
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "CRACPlatform.h"

#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifndef SYS_pidfd_open
#define SYS_pidfd_open 434
#endif
#ifndef SYS_preadv2
#define SYS_preadv2 (-1)
#endif
#ifndef RWF_NOWAIT
#define RWF_NOWAIT 8
#endif
#ifndef SYS_pwritev2
#define SYS_pwritev2 (-1)
#endif
enum { WAIT_FOR_PIDFD = 3, MOST_PIECES = 64 };

static int answer(int result) { return result < 0 ? -errno : result; }

// ---- Descriptors ------------------------------------------------------------

// stat() and its like are new symbols in a C library of 2021.
static bool identify(int fd, const char *path, int flags,
                     rac_identity *identity) {
  struct stat status;
  if (syscall(SYS_newfstatat, fd, path, &status, flags) != 0) return false;
  *identity = (rac_identity){status.st_dev, status.st_ino};
  return true;
}

static bool identify_open(int fd, rac_identity *identity) {
  return identify(fd, "", AT_EMPTY_PATH, identity);
}

static bool is_same(rac_identity a, rac_identity b) {
  return a.device == b.device && a.inode == b.inode;
}

int rac_platform_look(int fd, bool writing, rac_identity *identity) {
  int flags = fcntl(fd, F_GETFL);
  if (flags < 0 || !identify_open(fd, identity)) return -errno;
  int wrong = writing ? O_RDONLY : O_WRONLY;
  return (flags & O_ACCMODE) == wrong || (flags & O_PATH) ? -EACCES : 0;
}

bool rac_platform_is(int fd, rac_identity identity) {
  rac_identity now;
  return identify_open(fd, &now) && is_same(now, identity);
}

int rac_platform_duplicate(int fd, rac_identity identity) {
  int copy = answer(fcntl(fd, F_DUPFD_CLOEXEC, 3));
  if (copy < 0 || rac_platform_is(copy, identity)) return copy;
  close(copy);
  return -EBADF;
}

// The error of a socket; `otherwise` for a descriptor that has none.
static int failure_of(int fd, int otherwise) {
  int error = 0;
  socklen_t size = sizeof error;
  if (getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size) != 0)
    return otherwise;
  return error != 0 ? -error : otherwise;
}

int rac_platform_readiness(int fd, bool writing) {
  struct pollfd look = {fd, writing ? POLLOUT : POLLIN | POLLRDHUP, 0};
  if (poll(&look, 1, 0) < 0) return errno == EINTR ? 0 : -errno;
  bool is_broken = look.revents & (POLLERR | POLLHUP);
  if (writing) {
    if (is_broken) return failure_of(fd, -EPIPE);
    return look.revents & POLLOUT ? 1 : 0;
  }
  int is_readable = look.revents & POLLIN ? 1 : 0;
  if (!is_broken && !(look.revents & POLLRDHUP)) return is_readable;
  int left = 0;
  if (ioctl(fd, FIONREAD, &left) == 0 && left > 0) return 1;
  bool has_ended = look.revents & (POLLHUP | POLLRDHUP);
  return failure_of(fd, has_ended ? RAC_PLATFORM_OVER : is_readable);
}

int64_t rac_platform_read(int fd, void *buffer, size_t size,
                          bool is_always_ready) {
  struct iovec place = {buffer, size};
  ssize_t got = -1;
  while (true) {
    errno = EOPNOTSUPP;
    // It may be in blocking mode, as others want it who have it too, and
    // somebody else may have read what there was.
    if (!is_always_ready) {
      got = syscall(SYS_preadv2, fd, &place, 1L, -1L, -1L, RWF_NOWAIT);
    }
    if (got < 0 &&
        (errno == EOPNOTSUPP || errno == ENOSYS || errno == EINVAL)) {
      struct pollfd look = {fd, POLLIN, 0};
      if (!is_always_ready && poll(&look, 1, 0) == 0) return -EAGAIN;
      got = read(fd, buffer, size);
    }
    if (got >= 0) return got;
    if (errno != EINTR) return -errno;
  }
}

uint32_t rac_platform_writing(int fd) {
  struct stat status;
  int type = 0;
  socklen_t size = sizeof type;
  if (getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &size) == 0) {
    struct sockaddr_storage peer;
    size = sizeof peer;
    bool has_peer = getpeername(fd, (struct sockaddr *)&peer, &size) == 0;
    return type == SOCK_STREAM              ? RAC_WRITING_STREAM
           : type != SOCK_DGRAM || has_peer ? RAC_WRITING_DATAGRAMS
                                            : RAC_WRITING_ADDRESSED;
  }
  bool is_known = syscall(SYS_newfstatat, fd, "", &status, AT_EMPTY_PATH) == 0;
  return is_known && (S_ISREG(status.st_mode) || S_ISBLK(status.st_mode))
             ? RAC_WRITING_DISK
             : RAC_WRITING_OTHER;
}

// A pipe, a terminal. It may be in blocking mode: then as much as there is room
// for once poll() has found some.
static ssize_t write_some(int fd, const struct iovec *pieces, int count) {
  errno = EOPNOTSUPP;
  ssize_t got =
      syscall(SYS_pwritev2, fd, pieces, (long)count, -1L, -1L, RWF_NOWAIT);
  if (got >= 0 || (errno != EOPNOTSUPP && errno != ENOSYS && errno != EINVAL)) {
    return got;
  }
  struct pollfd look = {fd, POLLOUT, 0};
  if (poll(&look, 1, 0) == 0) {
    errno = EAGAIN;
    return -1;
  }
  if (fcntl(fd, F_GETFL) & O_NONBLOCK) return writev(fd, pieces, count);
  size_t length = pieces->iov_len;
  return write(fd, pieces->iov_base, length < PIPE_BUF ? length : PIPE_BUF);
}

// A SIGPIPE of ours is taken back before anybody can hear of it.
static ssize_t write_quietly(int fd, const struct iovec *pieces, int count,
                             bool waits) {
  sigset_t broken, before, pending;
  sigemptyset(&broken);
  sigaddset(&broken, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &broken, &before);
  sigpending(&pending);
  ssize_t got =
      waits ? writev(fd, pieces, count) : write_some(fd, pieces, count);
  int error = errno;
  if (got < 0 && error == EPIPE && !sigismember(&pending, SIGPIPE)) {
    const struct timespec at_once = {0, 0};
    while (sigtimedwait(&broken, NULL, &at_once) < 0 && errno == EINTR) {
    }
  }
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  errno = error;
  return got;
}

int64_t rac_platform_write(int fd, const rac_piece *pieces, int count,
                           uint32_t writing) {
  struct iovec list[MOST_PIECES];
  for (int i = 0; i < count; i++)
    list[i] = (struct iovec){(void *)pieces[i].start, pieces[i].length};
  struct msghdr message = {.msg_iov = list, .msg_iovlen = (size_t)count};
  ssize_t got;
  do {
    if (writing == RAC_WRITING_STREAM || writing == RAC_WRITING_DATAGRAMS) {
      got = sendmsg(fd, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
    } else {
      got = write_quietly(fd, list, count, writing == RAC_WRITING_DISK);
    }
  } while (got < 0 && errno == EINTR);
  return got < 0 ? -errno : got;
}

void rac_platform_end_writing(int fd) { shutdown(fd, SHUT_WR); }

bool rac_platform_renumber(int fd, int number) {
  if (dup3(fd, number, O_CLOEXEC) < 0) return false;
  close(fd);
  return true;
}

// ---- A child ----------------------------------------------------------------

// Its status when it has ended: -EAGAIN before.
static int look_at_child(int fd, int options, siginfo_t *info) {
  memset(info, 0, sizeof *info);
  int result;
  do {
    result = waitid((idtype_t)WAIT_FOR_PIDFD, (id_t)fd, info,
                    WEXITED | WNOHANG | options);
  } while (result != 0 && errno == EINTR);
  if (result != 0) return -errno;
  return info->si_pid == 0 ? -EAGAIN : 0;
}

int rac_platform_child_open(int32_t pid) {
  int fd = answer((int)syscall(SYS_pidfd_open, pid, 0));
  if (fd < 0) return fd;
  siginfo_t info;
  int result = look_at_child(fd, WNOWAIT, &info);
  if (result == 0 || result == -EAGAIN) return fd;
  close(fd);
  return result;
}

static int status_of_child(int fd, int options, int32_t *status) {
  siginfo_t info;
  int result = look_at_child(fd, options, &info);
  if (result != 0) return result;
  *status = info.si_code == CLD_EXITED
                ? (info.si_status & 0xff) << 8
                : info.si_status | (info.si_code == CLD_DUMPED ? 0x80 : 0);
  return 0;
}

int rac_platform_child_reap(int fd, int32_t *status) {
  return status_of_child(fd, 0, status);
}

int rac_platform_child_look(int fd, int32_t *status) {
  return status_of_child(fd, WNOWAIT, status);
}

// ---- Changes of files -------------------------------------------------------

const uint32_t rac_platform_files_usual =
    IN_MODIFY | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO;
const uint32_t rac_platform_files_allowed =
    IN_ALL_EVENTS | IN_DONT_FOLLOW | IN_EXCL_UNLINK | IN_ONLYDIR;
// These end it, so they are always told.
static const uint32_t last = IN_DELETE_SELF | IN_MOVE_SELF | IN_UNMOUNT;

static bool is_at(const char *path, uint32_t mask, rac_identity *identity) {
  int flags = mask & IN_DONT_FOLLOW ? AT_SYMLINK_NOFOLLOW : 0;
  return identify(AT_FDCWD, path, flags, identity);
}

int rac_platform_files_open(const char *path, uint32_t mask,
                            rac_identity *identity) {
  int fd = answer(inotify_init1(IN_CLOEXEC | IN_NONBLOCK));
  if (fd < 0) return fd;
  // Of a file that somebody has open the end of its name is only an attribute.
  uint32_t all = mask | IN_DELETE_SELF | IN_MOVE_SELF | IN_ATTRIB;
  if (inotify_add_watch(fd, path, all) >= 0 && is_at(path, mask, identity)) {
    return fd;
  }
  int error = errno;
  close(fd);
  return -error;
}

void rac_platform_files_next(const void *buffer, size_t *offset,
                             const char *path, uint32_t mask,
                             rac_identity identity, rac_file_change *change) {
  struct inotify_event event;
  const char *start = (const char *)buffer + *offset;
  memcpy(&event, start, sizeof event);
  *offset += sizeof event + event.len;
  uint32_t what = event.mask;
  bool is_itself = event.len == 0;
  rac_identity now;
  if (is_itself && what & IN_ATTRIB &&
      !(is_at(path, mask, &now) && is_same(now, identity))) {
    what |= IN_DELETE_SELF;
    if (!(mask & IN_ATTRIB)) what &= ~(uint32_t)IN_ATTRIB;
  }
  change->mask = what;
  change->cookie = event.cookie;
  change->name = start + sizeof event;
  change->name_length = is_itself ? 0 : strnlen(change->name, event.len);
  change->is_wanted = (what & (mask | last | IN_Q_OVERFLOW)) != 0;
  change->is_last = (what & (last | IN_IGNORED)) != 0;
}

// ---- Time zone --------------------------------------------------------------

int64_t rac_platform_zone(int64_t seconds) {
  time_t time = (time_t)seconds;
  struct tm local;
  return localtime_r(&time, &local) != NULL ? local.tm_gmtoff : 0;
}
