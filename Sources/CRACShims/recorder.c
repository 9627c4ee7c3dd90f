// Beginning and ending a recording.
//
// SPDX-License-Identifier: MIT
#ifndef _XOPEN_SOURCE
#define _XOPEN_SOURCE 700
#endif
#include "CRACRecorder.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "CRACRecordedEvents.h"
#include "CRACRecordedNodes.h"
#include "CRACRecordedPlaces.h"
#include "CRACRecordedTexts.h"
#include "CRACText.h"
#include "CRACThreads.h"
#include "CRACTime.h"

static void define_process(void) {
  char text[4096];
  int file = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
  ssize_t length = file < 0 ? 0 : read(file, text, sizeof text);
  if (file >= 0) close(file);
  if (length < 0) length = 0;
  rac_definition(4, 0, (uint32_t)length, text, (size_t)length);
}

static void fill_header(rac_recording *header, bool is_idle) {
  *header = (rac_recording){
      .version = RAC_RECORDING_VERSION,
      .order = 0x01020304,
      .wanted = !is_idle,
      .state = RAC_RECORDED_RUNS,
      .pid = (uint64_t)getpid(),
      .start = rac_shim_now(),
      .clock = rac_shim_clock_now(),
      .slots_at = RAC_SLOTS_AT,
      .slots_room = RAC_RECORDED_SLOTS,
      .definitions_at = RAC_DEFINITIONS_AT,
      .definitions_room = RAC_DEFINITIONS_SIZE,
      .rings_at = RAC_RINGS_AT,
      .ring_size = RAC_RING_SIZE,
      .rings_room = RAC_RECORDED_RINGS,
      .ring_events = RAC_RECORDED_EVENTS,
      .leaked = -1,
  };
}

static void begin(bool is_idle) {
  rac_recording_measure_ticks();
  rac_recording *header = rac_shim_recording;
  fill_header(header, is_idle);
  __atomic_fetch_add(&rac_recording_session, 1, __ATOMIC_RELEASE);
  rac_definitions_begin();
  rac_places_begin();
  rac_rings_begin();
  rac_nodes_begin();
  define_process();
  memcpy(header->magic, "librac\0", 8);
  __atomic_store_n(&rac_recording_clock, rac_recording_note_clock,
                   __ATOMIC_RELEASE);
  __atomic_store_n(&rac_shim_is_recording, 1, __ATOMIC_RELEASE);
}

int rac_recorder_start(const char *path, bool is_idle) {
  rac_recording_lock();
  int error = rac_shim_is_recording ? EALREADY : rac_recording_open(path);
  if (error == 0) begin(is_idle);
  rac_recording_unlock();
  return error;
}

void rac_recorder_describe(const char *path, int error, char *into,
                           size_t capacity) {
  char text[80];
  const char *reason = text;
  if (error == EALREADY) {
    reason = "a recording goes on already";
  } else if (error == EEXIST) {
    reason = "a file that is no recording is there";
  } else {
    rac_shim_print_system_error(text, sizeof text, NULL, error);
  }
  snprintf(into, capacity, "%s: %s", reason, path);
}

// Under the lock.
static void end(uint32_t state) {
  rac_recording *header = rac_shim_recording;
  __atomic_store_n(&header->stop, rac_recording_time(), __ATOMIC_RELAXED);
  __atomic_store_n(&header->state, state, __ATOMIC_RELEASE);
}

bool rac_recorder_stop(void) {
  rac_recording_lock();
  bool was_on = rac_shim_is_recording;
  if (was_on) {
    rac_recording_need_file();
    end(RAC_RECORDED_STOPPED);
    __atomic_store_n(&rac_shim_is_recording, 0, __ATOMIC_RELEASE);
    __atomic_store_n(&rac_recording_clock, rac_shim_now, __ATOMIC_RELEASE);
    __atomic_fetch_add(&rac_recording_session, 1, __ATOMIC_RELEASE);
    rac_recording_close();
  }
  rac_recording_unlock();
  return was_on;
}

void rac_recorder_note(const char *text, size_t length) {
  if (!rac_recording_is_on() || !rac_recording_is_wanted()) return;
  enum { STRING = 4 };  // RAC_STRING
  uint32_t size = length > UINT16_MAX ? UINT16_MAX : (uint32_t)length;
  rac_recording_value(rac_shim_thread(), RAC_RECORDED_NOTE, 0, STRING, size, 0,
                      text);
}

void rac_recorder_exits(int64_t leaked, bool is_settled) {
  // A forked child that has done nothing leaves no file.
  if (!rac_recording_is_on() || !rac_recording_has_file()) return;
  if (rac_recording_is_wanted()) {
    rac_recording_event(rac_shim_thread(), RAC_RECORDED_EXIT, 0, is_settled,
                        (uint64_t)leaked);
  }
  rac_recording_lock();
  rac_shim_recording->leaked = leaked;
  rac_shim_recording->settled = is_settled;
  end(RAC_RECORDED_EXITED);
  rac_recording_unlock();
}

void rac_recorder_read_environment(void) {
  const char *path = rac_shim_environment("RAC_RECORD");
  if (path == NULL || path[0] == 0) return;
  // Not for a program that has the rights of another user.
  if (getuid() != geteuid() || getgid() != getegid()) return;
  const char *idle = rac_shim_environment("RAC_RECORD_IDLE");
  int error = rac_recorder_start(path, idle != NULL && idle[0] == '1');
  if (error == 0) return;
  char line[PATH_MAX + 128] = "rac: RAC_RECORD: ";
  size_t used = strlen(line);
  rac_recorder_describe(path, error, line + used, sizeof line - used);
  rac_shim_write_error(line);
}

// ---- Forks ------------------------------------------------------------------

void rac_recorder_before_fork(void) { rac_recording_lock(); }
void rac_recorder_after_fork(void) { rac_recording_unlock(); }

void rac_recorder_in_child(void) {
  rac_recording_unlock();
  if (!rac_shim_is_recording) return;
  rac_recording_leave_parent();
  rac_recording *header = rac_shim_recording;
  header->parent = header->pid;
  header->pid = (uint64_t)getpid();
  header->rings_used = 0;
  header->lost_events = 0;
  rac_recording_session++;
  rac_rings_begin();
}
