// Descriptors that are read, and those of the clock of the wall.
//
// SPDX-License-Identifier: MIT
#ifndef _XOPEN_SOURCE
#define _XOPEN_SOURCE 700
#endif
#include "CRACDescriptors.h"

#include <unistd.h>

#include "CRACAllocation.h"

void rac_shim_descriptor_close(int fd) { close(fd); }

// Those that were handed over: for each number twice how often, and one if a
// subscription uses the number itself. A forked child that begins anew closes
// them, and may take no lock for it. A process has no larger number unless its
// administrator has raised the limit.
enum { MOST_OWNED = 1 << 20, IS_USED = 1, ONE = 2 };
static uint32_t owned[MOST_OWNED];
static int end_of_owned;

static uint32_t *entry_of(int fd) {
  return fd >= 0 && fd < MOST_OWNED ? &owned[fd] : NULL;
}

void rac_shim_descriptor_own(int fd) {
  uint32_t *entry = entry_of(fd);
  if (entry == NULL) return;
  __atomic_fetch_add(entry, ONE, __ATOMIC_RELAXED);
  int end = __atomic_load_n(&end_of_owned, __ATOMIC_RELAXED);
  while (end <= fd &&
         !__atomic_compare_exchange_n(&end_of_owned, &end, fd + 1, true,
                                      __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
  }
}

void rac_shim_descriptor_close_owned(int fd) {
  uint32_t *entry = entry_of(fd);
  if (entry == NULL || __atomic_sub_fetch(entry, ONE, __ATOMIC_ACQ_REL) < ONE) {
    close(fd);
  }
}

bool rac_shim_descriptor_use(int fd) {
  uint32_t *entry = entry_of(fd);
  return entry != NULL &&
         !(__atomic_fetch_or(entry, IS_USED, __ATOMIC_ACQUIRE) & IS_USED);
}

void rac_shim_descriptor_leave(int fd) {
  __atomic_fetch_and(entry_of(fd), ~(uint32_t)IS_USED, __ATOMIC_RELEASE);
}

void rac_shim_descriptors_begin_anew(void) {
  for (int fd = 0; fd < end_of_owned; fd++) {
    if (owned[fd] != 0) close(fd);
    owned[fd] = 0;
  }
}

rac_shim_socket *rac_shim_socket_create(int fd) {
  rac_shim_socket *self = rac_shim_allocate_checked(sizeof *self);
  if (self == NULL) {
    close(fd);
    return NULL;
  }
  self->fd = fd;
  rac_platform_address(fd, true, self->peer, sizeof self->peer);
  rac_shim_descriptor_own(fd);
  return self;
}

void rac_shim_socket_destroy(void *socket) {
  rac_shim_descriptor_close_owned(((rac_shim_socket *)socket)->fd);
  rac_shim_free(socket);
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
