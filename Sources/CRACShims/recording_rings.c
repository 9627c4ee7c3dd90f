// The events of a recording: a ring for each thread, which its thread alone
// writes.
//
// SPDX-License-Identifier: MIT
#include "CRACRecordedEvents.h"

#include <string.h>

#include "CRACPlatform.h"
#include "CRACRecordingFile.h"
#include "CRACThreads.h"

enum { TEXT_BEGIN = 12, TEXT_MORE = 24, TEXT_MOST = 84 };

static uint32_t rings_free;  // of those there are
static bool is_full;         // there will be no more

void rac_rings_begin(void) {
  rings_free = 0;
  is_full = false;
}

static rac_ring *ring_at(uint32_t index) {
  return (rac_ring *)((char *)rac_shim_recording + RAC_RINGS_AT +
                      (size_t)index * RAC_RING_SIZE);
}

// Under the lock. NULL: there is none.
static rac_ring *find_ring(void) {
  rac_recording *header = rac_shim_recording;
  if (rings_free > 0) {
    for (uint32_t i = 0; i < header->rings_used; i++) {
      if (ring_at(i)->taken) continue;
      rings_free--;
      return ring_at(i);
    }
  }
  if (is_full || header->rings_used == RAC_RECORDED_RINGS ||
      !rac_recording_reach(header->rings_used + 1)) {
    is_full = true;
    return NULL;
  }
  rac_ring *fresh = ring_at(header->rings_used);
  __atomic_store_n(&header->rings_used, header->rings_used + 1,
                   __ATOMIC_RELEASE);
  return fresh;
}

static rac_recorded_event *event_at(rac_ring *ring, uint64_t number) {
  return (rac_recorded_event *)((char *)ring + RAC_RECORDED_PAGE) +
         number % RAC_RECORDED_EVENTS;
}

static void publish(rac_ring *ring) {
  __atomic_store_n(&ring->written, ring->written + 1, __ATOMIC_RELEASE);
}

// The system's clock is read at most every few microseconds of a thread. In
// between the processor's ticks tell how long ago that was.
static inline uint64_t stamp(rac_thread *thread, uint8_t kind, uint64_t ticks) {
  uint64_t passed = ticks - thread->recorded_ticks;
  int64_t time;
  if (__builtin_expect(passed < rac_recording_few_ticks, 1)) {
    time = thread->recorded_clock +
           (int64_t)((passed * rac_recording_tick_length) >> 20);
  } else {
    time = rac_recording_time();
    thread->recorded_clock = time;
    thread->recorded_ticks = ticks;
  }
  // Never back: what was added may have been a little too much.
  if (time < thread->recorded_time) time = thread->recorded_time;
  thread->recorded_time = time;
  return (uint64_t)time << 8 | kind;
}

static void greet(rac_thread *thread, rac_ring *ring) {
  uint64_t name = 0;
  memcpy(&name, ring->name, sizeof name);
  *event_at(ring, ring->written) = (rac_recorded_event){
      .stamp = stamp(thread, RAC_RECORDED_THREAD, rac_recording_ticks()),
      .extra = ring->thread,
      .bits = name};
  publish(ring);
}

// Of a thread that has none of this recording's. NULL: there is none.
__attribute__((noinline)) static rac_ring *take_ring(rac_thread *thread) {
  rac_recording_lock();
  rac_ring *ring = NULL;
  if (rac_shim_is_recording) {
    rac_recording_need_file();
    ring = find_ring();
    thread->ring = ring;
    // Without one it looks again.
    thread->ring_session =
        ring == NULL
            ? 0
            : __atomic_load_n(&rac_recording_session, __ATOMIC_RELAXED);
  }
  if (ring == NULL) {
    rac_shim_recording->lost_events++;
  } else {
    thread->recorded_time = 0;
    thread->recorded_ticks = 0;
    ring->thread = rac_rings_thread(thread);
    ring->since = ring->written;
    memset(ring->name, 0, sizeof ring->name);
    rac_platform_thread_name(ring->name);
    __atomic_store_n(&ring->taken, 1, __ATOMIC_RELEASE);
    greet(thread, ring);
  }
  rac_recording_unlock();
  return ring;
}

static inline rac_ring *ring_of(rac_thread *thread) {
  uint32_t session = __atomic_load_n(&rac_recording_session, __ATOMIC_RELAXED);
  return __builtin_expect(thread->ring_session == session, 1)
             ? thread->ring
             : take_ring(thread);
}

uint32_t rac_rings_thread(rac_thread *thread) {
  if (thread->recorded_number == 0) {
    thread->recorded_number = (uint32_t)rac_platform_thread_id();
  }
  return thread->recorded_number;
}

void rac_rings_thread_exit(rac_thread *thread) {
  if (thread->ring_session == 0) return;
  rac_recording_lock();
  if (rac_shim_is_recording && thread->ring != NULL &&
      thread->ring_session == rac_recording_session) {
    __atomic_store_n(&thread->ring->taken, 0, __ATOMIC_RELEASE);
    rings_free++;
  }
  thread->ring = NULL;
  thread->ring_session = 0;
  rac_recording_unlock();
}

void rac_recording_event(rac_thread *thread, uint8_t kind, uint32_t node,
                         uint32_t extra, uint64_t bits) {
  rac_ring *ring = ring_of(thread);
  if (ring == NULL) return;
  rac_recorded_event *event = event_at(ring, ring->written);
  event->stamp = stamp(thread, kind, rac_recording_ticks());
  event->node = node;
  event->cause = thread->recorded_node;
  event->depth = (uint8_t)thread->recorded_depth;
  event->type = 0;
  event->length = 0;
  event->extra = extra;
  event->bits = bits;
  publish(ring);
}

int64_t rac_recording_note_clock(void) {
  int64_t now = rac_shim_now();
  if (rac_recording_is_on() && rac_recording_is_wanted()) {
    rac_recording_event(rac_shim_thread(), RAC_RECORDED_CLOCK_READ, 0, 0,
                        (uint64_t)rac_recording_time_of(now));
  }
  return now;
}

static void add_more(rac_ring *ring, uint64_t stamp, const char *text,
                     size_t length) {
  rac_recorded_event *event = event_at(ring, ring->written);
  event->stamp = stamp;
  memset(&event->node, 0, TEXT_MORE);
  memcpy(&event->node, text, length);
  publish(ring);
}

__attribute__((noinline)) static void add_text(rac_ring *ring,
                                               rac_recorded_event *event,
                                               const char *text,
                                               uint32_t length) {
  event->length = length > UINT16_MAX ? UINT16_MAX : (uint16_t)length;
  size_t left = length > TEXT_MOST ? TEXT_MOST : length;
  size_t part = left > TEXT_BEGIN ? TEXT_BEGIN : left;
  event->extra = 0;
  event->bits = 0;
  memcpy(&event->extra, text, part);
  uint64_t stamp = (event->stamp & ~UINT64_C(255)) | RAC_RECORDED_MORE_TEXT;
  publish(ring);
  for (text += part, left -= part; left > 0; text += part, left -= part) {
    part = left > TEXT_MORE ? TEXT_MORE : left;
    add_more(ring, stamp, text, part);
  }
}

uint64_t rac_recording_value(rac_thread *thread, uint8_t kind, uint32_t node,
                             uint8_t type, uint32_t length, uint64_t bits,
                             const char *text) {
  rac_ring *ring = ring_of(thread);
  if (ring == NULL) return 0;
  rac_recorded_event *event = event_at(ring, ring->written);
  uint64_t ticks = rac_recording_ticks();
  event->stamp = stamp(thread, kind, ticks);
  event->node = node;
  event->cause = thread->recorded_node;
  event->depth = (uint8_t)thread->recorded_depth;
  event->type = type;
  if (text != NULL) {
    add_text(ring, event, text, length);
    return ticks;
  }
  event->length = 0;
  event->extra = length;
  event->bits = bits;
  publish(ring);
  return ticks;
}
