// Following a file of Linux that grows and is replaced: inotify.
//
// SPDX-License-Identifier: MIT
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "CRACPlatform.h"

#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

// stat() and its like are new symbols in a C library of 2021.
static int look(int fd, const char *path, int flags, struct stat *status) {
  return syscall(SYS_newfstatat, fd, path, status, flags) == 0 ? 0 : -errno;
}

// Of the directory; a file is watched for IN_MODIFY alone. While a file that was
// in it is open, a removed directory says nothing: the one above does.
static const uint32_t of_directory =
    IN_CREATE | IN_MOVED_TO | IN_MOVE_SELF | IN_DELETE_SELF | IN_ONLYDIR;
static const uint32_t of_above = IN_DELETE | IN_ONLYDIR;

static int watch_beside(int news, const char *path, const char *name,
                        uint32_t mask) {
  char directory[PATH_MAX];
  const char *slash = strrchr(path, '/');
  size_t length = slash == NULL ? 0 : (size_t)(slash - path) + 1;
  if (length + sizeof ".." > sizeof directory) return -ENAMETOOLONG;
  memcpy(directory, path, length);
  strcpy(directory + length, name);
  int watch = inotify_add_watch(news, directory, mask);
  return watch < 0 ? -errno : watch;
}

int rac_platform_tail_open(const char *path, int *directory) {
  int news = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
  if (news < 0) return -errno;
  // A watch that ends says so: that is to read at first.
  inotify_rm_watch(news, watch_beside(news, path, ".", of_directory));
  *directory = watch_beside(news, path, ".", of_directory);
  if (*directory < 0) {
    close(news);
    return *directory;
  }
  // Nobody may be allowed to look there.
  watch_beside(news, path, "..", of_above);
  return news;
}

int rac_platform_tail_take(int news, const char *path, int directory) {
  char events[4096];
  uint32_t what = 0;
  while (true) {
    ssize_t got = read(news, events, sizeof events);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0 && errno != EAGAIN) return -errno;
    if (got <= 0) break;
    struct inotify_event event;
    for (size_t at = 0; at < (size_t)got; at += sizeof event + event.len) {
      memcpy(&event, events + at, sizeof event);
      what |= event.mask;
    }
  }
  if (what & (IN_DELETE_SELF | IN_MOVE_SELF | IN_UNMOUNT)) return -ENOENT;
  // The same directory has the same watch.
  return what & IN_DELETE &&
                 watch_beside(news, path, ".", of_directory) != directory
             ? -ENOENT
             : 0;
}

int rac_platform_tail_look(int news, const char *path, rac_tailed *file) {
  struct stat there;
  int result = look(AT_FDCWD, path, 0, &there);
  if (result == -ENOENT || result == -ENOTDIR) return 0;
  if (result < 0) return result;
  if (file->fd >= 0 && there.st_dev == file->identity.device &&
      there.st_ino == file->identity.inode) {
    return 0;
  }
  int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (fd < 0) return errno == ENOENT ? 0 : -errno;
  int watch = inotify_add_watch(news, path, IN_MODIFY);
  // It may have gone meanwhile, and has been opened all the same.
  result = watch < 0 && errno != ENOENT ? -errno
                                        : look(fd, "", AT_EMPTY_PATH, &there);
  if (result < 0) {
    close(fd);
    return result;
  }
  file->fd = fd;
  file->watch = watch;
  file->identity = (rac_identity){there.st_dev, there.st_ino};
  return 1;
}

int64_t rac_platform_tail_size(int fd) {
  struct stat status;
  int result = look(fd, "", AT_EMPTY_PATH, &status);
  return result < 0 ? result : status.st_size;
}

void rac_platform_tail_forget(int news, int watch) {
  inotify_rm_watch(news, watch);
}
