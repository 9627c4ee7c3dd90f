// Descriptors: polling them, waking a main loop, and those that stand for a
// time of the clock or a POSIX signal. See poll_set.c, wakeup.c, descriptors.c
// and posix_signals.c; the system's own are in CRACPlatform.h.
//
// SPDX-License-Identifier: MIT
#ifndef CRAC_DESCRIPTORS_H
#define CRAC_DESCRIPTORS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "CRACPlatform.h"

enum {
  RAC_SHIM_AGAIN = EAGAIN,
  RAC_SHIM_BAD = EBADF,
  RAC_SHIM_NO_MEMORY = ENOMEM,
  RAC_SHIM_NO_DESCRIPTOR = EMFILE,
  RAC_SHIM_NO_NAMES = ENOSYS,
  RAC_SHIM_NO_CHILD = ECHILD,
  RAC_SHIM_BROKEN_PIPE = EPIPE,
  RAC_SHIM_NOT_POLLED = EPERM  // no set takes it: a file on a disk
};

// ---- A set of descriptors that are polled -----------------------------------

typedef struct rac_poll_set {
  int poll_fd;   // -1: closed
  int event_fd;  // wakes the thread that waits
  int outer_fd;  // a set that this one is polled in; -1: none
} rac_poll_set;

// The name of the event by which a set is woken.
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
// How many names; 0 when the deadline has passed, a signal came, or it was
// woken.
int rac_shim_poll_wait(int poll_fd, int event_fd, uint64_t *names, int capacity,
                       int64_t deadline);

// ---- The descriptor of the main loop ----------------------------------------

typedef struct rac_wakeup {
  int poll_fd;   // over the two below: the host polls it
  int event_fd;  // work is waiting
  int timer_fd;  // the earliest deadline
} rac_wakeup;

// All of it, or false and nothing is changed.
bool rac_shim_wakeup_open(rac_wakeup *wakeup);
void rac_shim_wakeup_signal(const rac_wakeup *wakeup);
bool rac_shim_wakeup_clear(const rac_wakeup *wakeup);  // whether it was set
void rac_shim_wakeup_arm(const rac_wakeup *wakeup, int64_t deadline);  // 0: off
// In a forked child: others under the same numbers, as the parent reads and
// writes these. False when the system gives none: then there are none.
bool rac_shim_wakeup_renew(rac_wakeup *wakeup);

// An alarm for one thread to sleep on, which others set to another time without
// waking it: a timerfd, or -1.
int rac_shim_alarm_open(void);
void rac_shim_alarm_close(int alarm);
void rac_shim_alarm_set(int alarm, int64_t deadline);  // 0: off
void rac_shim_alarm_wait(int alarm);

// ---- Descriptors ------------------------------------------------------------

void rac_shim_descriptor_close(int fd);
// It was handed over, perhaps once more: a forked child that begins anew closes
// it, and so does the last of as many calls of the second function.
void rac_shim_descriptor_own(int fd);
void rac_shim_descriptor_close_owned(int fd);
// One that was handed over is used by its own number. False: somebody else does
// so already.
bool rac_shim_descriptor_use(int fd);
void rac_shim_descriptor_leave(int fd);
void rac_shim_descriptors_begin_anew(void);
// A connection: its descriptor, which is closed with this unless it was handed
// over meanwhile, and the address of the other side. NULL: there is no memory,
// and it is closed.
typedef struct rac_shim_socket {
  int fd;
  char peer[128];
} rac_shim_socket;
rac_shim_socket *rac_shim_socket_create(int fd);
void rac_shim_socket_destroy(void *socket);
static inline const char *rac_shim_socket_text(const rac_shim_socket *socket) {
  return socket->peer;
}
// The offset it stands at; -1 where there is no such place.
int64_t rac_shim_descriptor_position(int fd);
// Reads at a place, and moves no position: the number of bytes, or an errno with
// its sign turned.
int64_t rac_shim_descriptor_read_at(int fd, void *buffer, size_t size,
                                    int64_t position);
// So many bytes back from there, unless somebody else has moved it.
void rac_shim_descriptor_go_back(int fd, int64_t position, size_t left);

// ---- The clock of the wall --------------------------------------------------

int rac_shim_clock_open(int64_t time);
int rac_shim_clock_arm(int fd, int64_t time);
// 0: the time has come, or somebody has set the clock. -EAGAIN: neither.
int rac_shim_clock_read(int fd);

// ---- POSIX signals ----------------------------------------------------------

bool rac_shim_signal_is_allowed(int number);
// A descriptor from which as many eights of bytes can be read as the signal
// came; false of no memory.
int rac_shim_signal_open(int number);
// Nothing writes to it any more. The last one gives the handler back.
void rac_shim_signal_stop(int fd);
// In a forked child: all of them stop.
void rac_shim_signals_forked(void);

#endif
