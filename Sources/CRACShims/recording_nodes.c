// The nodes of a recording: each has a slot with counters.
//
// Slots of nodes that are gone are taken again, those that went first first.
//
// SPDX-License-Identifier: MIT
#include "CRACRecordedNodes.h"

#include "CRACRecordedEvents.h"
#include "CRACRecordingFile.h"

static rac_slot no_slot;
static uint32_t latest;  // the number of a node
// Slots that have been given back, the oldest first.
static uint32_t spare[RAC_RECORDED_SLOTS];
static uint32_t spare_first, spare_count;

void rac_nodes_begin(void) {
  spare_first = spare_count = 0;
  rac_shim_recording->nodes = latest;
}

static rac_slot *slots(void) {
  return (rac_slot *)((char *)rac_shim_recording + RAC_SLOTS_AT);
}

uint64_t rac_node_packed(rac_node node) {
  uint64_t place = node.number == 0 || node.slot == &no_slot
                       ? 0
                       : (uint64_t)(node.slot - slots()) + 1;
  return place << 32 | node.number;
}

rac_node rac_node_unpacked(uint64_t word) {
  uint64_t place = word >> 32;
  rac_node node = {&no_slot, (uint32_t)word};
  if (place > 0) node.slot = slots() + (place - 1);
  return node;
}

// Under the lock. NULL: all are in use.
static rac_slot *take_slot(void) {
  rac_recording *header = rac_shim_recording;
  if (header->slots_used < RAC_RECORDED_SLOTS) {
    rac_slot *fresh = slots() + header->slots_used;
    __atomic_store_n(&header->slots_used, header->slots_used + 1,
                     __ATOMIC_RELEASE);
    return fresh;
  }
  if (spare_count == 0) {
    header->lost_nodes++;
    return NULL;
  }
  uint32_t index = spare[spare_first];
  spare_first = (spare_first + 1) % RAC_RECORDED_SLOTS;
  spare_count--;
  return slots() + index;
}

static void fill_slot(rac_slot *slot, rac_thread *thread,
                      const rac_node_facts *facts) {
  // Its former owner sees that it has another number.
  __atomic_store_n(&slot->node, 0, __ATOMIC_RELAXED);
  slot->kind = facts->kind;
  slot->flags = 0;
  slot->detail = facts->detail;
  slot->below = facts->below;
  slot->source = facts->source;
  slot->target = facts->target;
  slot->place = facts->place;
  slot->name = facts->name;
  slot->thread = rac_rings_thread(thread);
  slot->made = (uint64_t)rac_recording_time();
  __atomic_store_n(&slot->values, 0, __ATOMIC_RELAXED);
  __atomic_store_n(&slot->waiting, 0, __ATOMIC_RELAXED);
  slot->most = slot->lost = slot->slow = 0;
}

rac_node rac_recording_make(rac_thread *thread, const rac_node_facts *facts) {
  rac_recording_lock();
  rac_node node = {&no_slot, ++latest};
  if (node.number == 0) node.number = ++latest;
  bool is_on = rac_shim_is_recording;
  if (is_on) {
    rac_recording_need_file();
    rac_shim_recording->nodes = node.number;
    rac_slot *slot = facts == NULL ? NULL : take_slot();
    if (slot != NULL) {
      fill_slot(slot, thread, facts);
      __atomic_store_n(&slot->node, node.number, __ATOMIC_RELEASE);
      node.slot = slot;
    }
  }
  rac_recording_unlock();
  if (is_on && facts != NULL && rac_recording_is_wanted()) {
    uint64_t index =
        node.slot == &no_slot ? UINT64_MAX : (uint64_t)(node.slot - slots());
    rac_recording_event(thread, RAC_RECORDED_MADE, node.number, facts->below,
                        (index & UINT32_MAX) | (uint64_t)facts->place << 32);
  }
  return node;
}

// In the word that has them as its second byte: riscv64 has no operation on a byte.
static void add_flag(rac_slot *slot, uint8_t flag) {
  typedef uint32_t __attribute__((may_alias)) word;
  __atomic_fetch_or((word *)&slot->kind, (uint32_t)flag << 8, __ATOMIC_RELAXED);
}

void rac_recording_forget(rac_thread *thread, rac_node node) {
  if (!rac_node_has_slot(node)) return;
  if (rac_recording_is_wanted()) {
    rac_recording_event(thread, RAC_RECORDED_GONE, node.number, 0, 0);
  }
  rac_recording_lock();
  if (rac_shim_is_recording && rac_node_has_slot(node) &&
      !(node.slot->flags & RAC_NODE_GONE)) {
    add_flag(node.slot, RAC_NODE_GONE);
    uint32_t last = (spare_first + spare_count) % RAC_RECORDED_SLOTS;
    spare[last] = (uint32_t)(node.slot - slots());
    spare_count++;
  }
  rac_recording_unlock();
}

void rac_node_mark(rac_node node, uint8_t flag) {
  if (rac_node_has_slot(node)) add_flag(node.slot, flag);
}

static void tell(rac_thread *thread, uint8_t kind, rac_node node,
                 uint32_t extra, uint64_t bits) {
  if (rac_recording_is_wanted()) {
    rac_recording_event(thread, kind, node.number, extra, bits);
  }
}

void rac_node_name(rac_thread *thread, rac_node node, uint32_t name) {
  if (!rac_node_has_slot(node)) return;
  __atomic_store_n(&node.slot->name, name, __ATOMIC_RELAXED);
  tell(thread, RAC_RECORDED_NAMED, node, name, 0);
}

void rac_node_has_queue(rac_node node) {
  if (rac_node_has_slot(node)) node.slot->detail |= 1;
}

void rac_node_queues(rac_thread *thread, rac_node node) {
  if (!rac_node_has_slot(node)) return;
  rac_slot *slot = node.slot;
  uint32_t count = __atomic_add_fetch(&slot->waiting, 1, __ATOMIC_RELAXED);
  if (count <= __atomic_load_n(&slot->most, __ATOMIC_RELAXED)) return;
  __atomic_store_n(&slot->most, count, __ATOMIC_RELAXED);
  bool is_mark = count > 1 && (count & (count - 1)) == 0;
  if (is_mark) tell(thread, RAC_RECORDED_MORE_WAIT, node, 0, count);
}

void rac_node_loses(rac_thread *thread, rac_node node, uint32_t count,
                    uint16_t policy) {
  if (!rac_node_has_slot(node)) return;
  __atomic_fetch_add(&node.slot->lost, count, __ATOMIC_RELAXED);
  for (; count > 0; count--) tell(thread, RAC_RECORDED_LOST, node, policy, 0);
}

void rac_node_holds(rac_thread *thread, rac_node node) {
  if (!rac_node_has_slot(node)) return;
  __atomic_fetch_add(&node.slot->slow, 1, __ATOMIC_RELAXED);
  tell(thread, RAC_RECORDED_HELD, node, 0, 0);
}

void rac_node_goes_on(rac_thread *thread, rac_node node, int64_t nanoseconds) {
  if (!rac_node_has_slot(node)) return;
  tell(thread, RAC_RECORDED_GOES_ON, node, 0, (uint64_t)nanoseconds);
}

void rac_node_takes(rac_node node, int64_t nanoseconds) {
  int64_t micros = nanoseconds / 1000;
  uint32_t slow = micros > UINT32_MAX ? UINT32_MAX : (uint32_t)micros;
  if (rac_node_has_slot(node) &&
      slow > __atomic_load_n(&node.slot->slow, __ATOMIC_RELAXED)) {
    __atomic_store_n(&node.slot->slow, slow, __ATOMIC_RELAXED);
  }
}
