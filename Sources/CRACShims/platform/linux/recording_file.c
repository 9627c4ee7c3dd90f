// The file of a recording, mapped.
//
// All of its addresses are reserved at the first start and stay, so that a
// sink may write into its slot at any time. While nothing is recorded there is
// memory without a file in their place, and in a forked child until it has a
// file of its own.
//
// No descriptor stays open: a program may close all it finds. When the file is
// to grow it is opened again by its path and compared with what it was.
//
// SPDX-License-Identifier: MIT
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "CRACRecordingFile.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "CRACPlatform.h"
#include "CRACRecording.h"

static const size_t whole =
    RAC_RINGS_AT + (size_t)RAC_RECORDED_RINGS * RAC_RING_SIZE;

static struct {
  char *start;          // of the addresses; NULL: never reserved
  char path[PATH_MAX];  // absolute, of the first process
  char own[PATH_MAX];   // of this one
  rac_identity file;
  bool awaits_file;  // in a forked child
} self;

static bool map(size_t from, size_t size, int access, int flags, int file) {
  void *at = mmap(self.start + from, size, access, flags | MAP_FIXED, file,
                  file < 0 ? 0 : (off_t)from);
  return at != MAP_FAILED;
}

static bool reserve(void) {
  if (self.start != NULL) return true;
  void *at = mmap(NULL, whole, PROT_NONE,
                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (at == MAP_FAILED) return false;
  self.start = at;
  return true;
}

// Memory without a file, so that late writers do no harm.
static void unmap(void) {
  map(0, whole, PROT_READ | PROT_WRITE,
      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1);
}

// A write into a mapped file that the disk has no room for kills the process.
static bool has_room(int file, size_t size) {
  struct statvfs disk;
  if (fstatvfs(file, &disk) != 0) return false;
  return (uint64_t)disk.f_bavail * disk.f_frsize > 2 * (uint64_t)size;
}

// A plain file with nothing in it, or a recording. Nothing else is replaced.
static bool is_ours(int file, const rac_recording *header, ssize_t size) {
  struct stat status;
  return syscall(SYS_newfstatat, file, "", &status, AT_EMPTY_PATH) == 0 &&
         S_ISREG(status.st_mode) &&
         (size == 0 || (size == sizeof *header &&
                        memcmp(header->magic, "librac\0", 8) == 0));
}

// A living process records into it: perhaps another copy of the library in this
// one.
static bool is_alive(const rac_recording *header) {
  return header->state == RAC_RECORDED_RUNS && kill((pid_t)header->pid, 0) == 0;
}

// FOREIGN: errno says why.
typedef enum { ABSENT, REPLACEABLE, IN_USE, FOREIGN } occupant;

static occupant look_at(const char *path) {
  int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0) return errno == ENOENT ? ABSENT : FOREIGN;
  rac_recording header = {0};
  ssize_t size = read(file, &header, sizeof header);
  bool is_recording = is_ours(file, &header, size);
  close(file);
  errno = EEXIST;
  if (!is_recording) return FOREIGN;
  return is_alive(&header) ? IN_USE : REPLACEABLE;
}

// A new file, in the place of one that is there: who reads that keeps it.
static int create(const char *path) {
  occupant there = look_at(path);
  if (there == FOREIGN || (there != ABSENT && unlink(path) != 0)) return -1;
  int file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (file < 0) return -1;
  if (!has_room(file, RAC_RINGS_AT)) {
    errno = ENOSPC;
  } else if (ftruncate(file, RAC_RINGS_AT) == 0 &&
             rac_platform_look(file, true, &self.file) == 0) {
    return file;
  }
  int error = errno;
  unlink(path);
  close(file);
  errno = error;
  return -1;
}

bool rac_recording_reach(uint32_t count) {
  size_t size = RAC_RINGS_AT + (size_t)count * RAC_RING_SIZE;
  int file = open(self.own, O_RDWR | O_CLOEXEC);
  if (file < 0) return false;
  size_t from = size - RAC_RING_SIZE;
  bool fits =
      rac_platform_is(file, self.file) && has_room(file, RAC_RING_SIZE) &&
      ftruncate(file, (off_t)size) == 0 &&
      map(from, RAC_RING_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, file);
  close(file);
  return fits;
}

static int open_at(const char *path) {
  if (!reserve()) return ENOMEM;
  int file = create(path);
  if (file < 0) return errno;
  bool is_mapped =
      map(0, RAC_RINGS_AT, PROT_READ | PROT_WRITE, MAP_SHARED, file);
  close(file);
  if (!is_mapped) {
    unlink(path);
    return ENOMEM;
  }
  strcpy(self.own, path);
  self.awaits_file = false;
  __atomic_store_n(&rac_shim_recording, (rac_recording *)self.start,
                   __ATOMIC_RELEASE);
  return 0;
}

static int make_absolute(const char *path, char *into) {
  size_t used = 0;
  if (path[0] != '/') {
    if (getcwd(into, PATH_MAX - 1) == NULL) return errno;
    used = strlen(into);
    into[used++] = '/';
  }
  // Behind it there is room for a number.
  if (used + strlen(path) + 24 > PATH_MAX) return ENAMETOOLONG;
  strcpy(into + used, path);
  return 0;
}

static void add_process(char *path) {
  snprintf(path + strlen(path), 16, ".%ld", (long)getpid());
}

int rac_recording_open(const char *path) {
  char chosen[PATH_MAX];
  int error = make_absolute(path, chosen);
  if (error != 0) return error;
  strcpy(self.path, chosen);
  if (look_at(chosen) == IN_USE) add_process(chosen);
  return open_at(chosen);
}

void rac_recording_close(void) { unmap(); }

bool rac_recording_has_file(void) { return !self.awaits_file; }

// ---- Forks ------------------------------------------------------------------

static size_t round_up(size_t size) {
  return (size + RAC_RECORDED_PAGE - 1) & ~(size_t)(RAC_RECORDED_PAGE - 1);
}

static size_t used_slots(void) {
  return round_up((size_t)rac_shim_recording->slots_used * sizeof(rac_slot));
}

static size_t used_definitions(void) {
  return round_up(rac_shim_recording->definitions_used);
}

// The parent's pages so far become memory of the child's. It gets a
// file only when it has something to write: most children call another program
// at once.
void rac_recording_leave_parent(void) {
  self.awaits_file = true;
  char *copy = mmap(NULL, RAC_RINGS_AT, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (copy == MAP_FAILED) {
    unmap();
    return;
  }
  memcpy(copy, self.start, RAC_RECORDED_PAGE);
  memcpy(copy + RAC_SLOTS_AT, self.start + RAC_SLOTS_AT, used_slots());
  memcpy(copy + RAC_DEFINITIONS_AT, self.start + RAC_DEFINITIONS_AT,
         used_definitions());
  if (mremap(copy, RAC_RINGS_AT, RAC_RINGS_AT, MREMAP_MAYMOVE | MREMAP_FIXED,
             self.start) == MAP_FAILED) {
    unmap();
  }
  map(RAC_RINGS_AT, whole - RAC_RINGS_AT, PROT_READ | PROT_WRITE,
      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1);
}

static bool write_part(int file, size_t from, size_t size) {
  return pwrite(file, self.start + from, size, (off_t)from) == (ssize_t)size;
}

void rac_recording_need_file(void) {
  if (!self.awaits_file) return;
  self.awaits_file = false;
  strcpy(self.own, self.path);
  add_process(self.own);
  int file = create(self.own);
  if (file < 0) return;
  if (write_part(file, 0, RAC_RECORDED_PAGE) &&
      write_part(file, RAC_SLOTS_AT, used_slots()) &&
      write_part(file, RAC_DEFINITIONS_AT, used_definitions())) {
    map(0, RAC_RINGS_AT, PROT_READ | PROT_WRITE, MAP_SHARED, file);
  }
  close(file);
}
