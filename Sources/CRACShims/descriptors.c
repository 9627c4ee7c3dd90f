// Descriptors that are read, and those of the clock of the wall.
//
// SPDX-License-Identifier: MIT
#ifndef _XOPEN_SOURCE
#define _XOPEN_SOURCE 700
#endif
#include "CRACDescriptors.h"

#include <unistd.h>

void rac_shim_descriptor_close(int fd) { close(fd); }

// Those that were handed over, a bit each: a forked child that begins anew
// closes them, and may take no lock for it. A process has no larger number
// unless its administrator has raised the limit.
enum { MOST_OWNED = 1 << 20, WORD = 64 };
static uint64_t owned[MOST_OWNED / WORD];

void rac_shim_descriptor_own(int fd) {
  if (fd < 0 || fd >= MOST_OWNED) return;
  __atomic_fetch_or(&owned[fd / WORD], UINT64_C(1) << fd % WORD,
                    __ATOMIC_RELAXED);
}

void rac_shim_descriptor_close_owned(int fd) {
  if (fd >= 0 && fd < MOST_OWNED) {
    __atomic_fetch_and(&owned[fd / WORD], ~(UINT64_C(1) << fd % WORD),
                       __ATOMIC_RELAXED);
  }
  close(fd);
}

void rac_shim_descriptors_begin_anew(void) {
  for (int i = 0; i < MOST_OWNED / WORD; i++) {
    for (; owned[i] != 0; owned[i] &= owned[i] - 1)
      close(i * WORD + __builtin_ctzll(owned[i]));
  }
}

int64_t rac_shim_descriptor_position(int fd) { return lseek(fd, 0, SEEK_CUR); }

int64_t rac_shim_descriptor_read_at(int fd, void *buffer, size_t size,
                                    int64_t position) {
  ssize_t got;
  while ((got = pread(fd, buffer, size, position)) < 0 && errno == EINTR) {
  }
  return got < 0 ? -errno : got;
}

void rac_shim_descriptor_go_back(int fd, int64_t position, size_t left) {
  if (lseek(fd, 0, SEEK_CUR) != position) return;
  lseek(fd, position - (int64_t)left, SEEK_SET);
}

// ---- The clock of the wall --------------------------------------------------

int rac_shim_clock_arm(int fd, int64_t time) {
  // 0 would turn it off.
  return rac_platform_timer_arm(fd, RAC_TIMER_OF_WALL, time < 1 ? 1 : time);
}

int rac_shim_clock_open(int64_t time) {
  int fd = rac_platform_timer_open(RAC_TIMER_OF_WALL);
  int result = fd < 0 ? fd : rac_shim_clock_arm(fd, time);
  if (result == 0) return fd;
  if (fd >= 0) close(fd);
  return result;
}

int rac_shim_clock_read(int fd) { return rac_platform_timer_take(fd); }
