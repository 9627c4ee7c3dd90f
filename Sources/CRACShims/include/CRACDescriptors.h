// Descriptors: polling them, and those that stand for a child, a time of the
// clock, changes of files, and POSIX signals. See poll_set.c, descriptors.c,
// posix_signals.c.
//
// What opens something answers a descriptor, or an errno with its sign turned;
// what does something, 0 or the same.
//
// SPDX-License-Identifier: MIT
#ifndef CRAC_DESCRIPTORS_H
#define CRAC_DESCRIPTORS_H

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
  RAC_SHIM_AGAIN = EAGAIN,
  RAC_SHIM_BAD = EBADF,
  RAC_SHIM_NO_MEMORY = ENOMEM,
  RAC_SHIM_NOT_POLLED = EPERM  // what a set does not take: files on a disk
};

// ---- A set of descriptors that are polled --------------------------------------

typedef struct rac_poll_set {
  int poll_fd;   // -1: closed
  int event_fd;  // wakes who waits
  int outer_fd;  // a set that this one is polled in; -1: none
} rac_poll_set;

// What is ready under no other name was woken.
#define RAC_SHIM_WOKEN 0

int rac_shim_poll_open(rac_poll_set *set);
void rac_shim_poll_close(rac_poll_set *set);
// Makes the set a member of another one, which is readable when this one is.
void rac_shim_poll_nest(const rac_poll_set *set);
// Each is reported once, by the name, and then again after it was armed.
int rac_shim_poll_add(const rac_poll_set *set, int fd, bool writing,
                      uint64_t name);
void rac_shim_poll_arm(const rac_poll_set *set, int fd, bool writing,
                       uint64_t name);
void rac_shim_poll_remove(const rac_poll_set *set, int fd);
void rac_shim_poll_wake(const rac_poll_set *set);
bool rac_shim_poll_is_ready(const rac_poll_set *set);
// How many names; 0 when the deadline has passed, a signal came, or it was woken.
int rac_shim_poll_wait(int poll_fd, int event_fd, uint64_t *names, int capacity,
                       int64_t deadline);

// ---- Descriptors -------------------------------------------------------------

// What tells one open file from another that has its number later.
typedef struct rac_identity {
  uint64_t device, inode;
} rac_identity;

// Whether it can be read, or written; which file it is.
int rac_shim_descriptor_look(int fd, bool writing, rac_identity *identity);
// Another number for the same; EBADF when it is another file now.
int rac_shim_descriptor_dup(int fd, rac_identity identity);
void rac_shim_descriptor_close(int fd);
// 1: ready, 0: not yet, -EPIPE to write, or no more to read; or an error.
enum { RAC_SHIM_OVER = 2 };
int rac_shim_descriptor_readiness(int fd, bool writing);
// Never waits, unless for a disk. -EAGAIN: there is nothing yet.
int64_t rac_shim_descriptor_read(int fd, void *buffer, size_t size,
                                 bool is_always_ready);
// Where it is; -1 where there is no such place.
int64_t rac_shim_descriptor_position(int fd);
// So many bytes back from there, unless somebody else has moved it.
void rac_shim_descriptor_go_back(int fd, int64_t position, size_t left);
void rac_shim_move(void *to, const void *from, size_t size);
// How far the next newline is, or `size`.
size_t rac_shim_find_newline(const void *bytes, size_t size);
size_t rac_shim_print_system_error(char *buffer, size_t capacity,
                                   const char *operation, int error);

// ---- A child --------------------------------------------------------------------

int rac_shim_child_open(int32_t pid);
// 0, and the status as waitpid() gives it; -EAGAIN: it runs.
int rac_shim_child_reap(int fd, int32_t *status);

// ---- The clock of the wall --------------------------------------------------------

int64_t rac_shim_clock_now(void);  // CLOCK_REALTIME, nanoseconds
int rac_shim_clock_open(int64_t time);
int rac_shim_clock_arm(int fd, int64_t time);
// 0: the time has come, or somebody has set the clock. -EAGAIN: neither.
int rac_shim_clock_read(int fd);
// How long ago the last multiple of the interval was; that is above 0.
int64_t rac_shim_clock_past(int64_t time, int64_t interval);
// What local time is ahead of UTC then, seconds.
int64_t rac_shim_clock_zone(int64_t seconds);

// ---- Changes of files ---------------------------------------------------------------

extern const uint32_t rac_shim_files_usual, rac_shim_files_allowed;

int rac_shim_files_open(const char *path, uint32_t mask,
                        rac_identity *identity);
// What an event says; whether anybody asked for that, and whether it is the last.
typedef struct rac_file_change {
  uint32_t mask, cookie;
  const char *name;
  size_t name_length;
  bool is_wanted, is_last;
} rac_file_change;
// Reads the event at `*offset` of a buffer and moves that on.
void rac_shim_files_next(const void *buffer, size_t *offset, const char *path,
                         uint32_t mask, rac_identity identity,
                         rac_file_change *change);

// ---- POSIX signals ---------------------------------------------------------------

bool rac_shim_signal_is_allowed(int number);
// A descriptor from which as many eights of bytes can be read as the signal
// came; false of no memory.
int rac_shim_signal_open(int number);
// Nothing writes to it any more. The last one gives the handler back.
void rac_shim_signal_stop(int fd);
// In a forked child: all of them stop.
void rac_shim_signals_forked(void);

#endif
