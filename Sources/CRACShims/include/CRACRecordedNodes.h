// The nodes of a recording, and their counters; see recording_nodes.c.
//
// SPDX-License-Identifier: MIT
#ifndef CRAC_RECORDED_NODES_H
#define CRAC_RECORDED_NODES_H

#include "CRACRecord.h"
#include "CRACRecording.h"

// A node that is recorded, or nothing but a number.
typedef struct rac_node {
  rac_slot *slot;  // NULL only with the number 0
  uint32_t number;
} rac_node;

// The facts known when a node is made. Texts are copied.
typedef struct rac_node_facts {
  uint8_t kind;
  uint16_t detail;
  uint32_t below, source, target;
  uint32_t place, name;
} rac_node_facts;

// Without facts it is nothing but a number.
rac_node rac_recording_make(rac_thread *thread, const rac_node_facts *facts);
void rac_recording_forget(rac_thread *thread, rac_node node);

// In a word: 0 for none.
uint64_t rac_node_packed(rac_node node);
rac_node rac_node_unpacked(uint64_t word);

// Another one may have the slot by now.
static inline bool rac_node_has_slot(rac_node node) {
  return node.number != 0 &&
         __atomic_load_n(&node.slot->node, __ATOMIC_RELAXED) == node.number;
}
// Whether values may wait before it.
static inline bool rac_node_count(rac_node node) {
  if (!rac_node_has_slot(node)) return false;
  uint64_t now = __atomic_load_n(&node.slot->values, __ATOMIC_RELAXED);
  __atomic_store_n(&node.slot->values, now + 1, __ATOMIC_RELAXED);
  return (node.slot->detail & 1) != 0;
}
// A counter's value.
static inline void rac_node_shows(rac_node node, uint64_t value) {
  if (!rac_node_has_slot(node)) return;
  __atomic_store_n(&node.slot->values, value, __ATOMIC_RELAXED);
}
void rac_node_mark(rac_node node, uint8_t flag);
// It gets a name, a text, afterwards.
void rac_node_name(rac_thread *thread, rac_node node, uint32_t name);
// One more waits there; one less, if there was one.
void rac_node_queues(rac_thread *thread, rac_node node);
static inline void rac_node_dequeues(rac_node node) {
  if (rac_node_has_slot(node) &&
      __atomic_load_n(&node.slot->waiting, __ATOMIC_RELAXED) > 0) {
    __atomic_fetch_sub(&node.slot->waiting, 1, __ATOMIC_RELAXED);
  }
}
// Values wait before they come to this subscription.
void rac_node_has_queue(rac_node node);
// So many were dropped, by a policy.
void rac_node_loses(rac_thread *thread, rac_node node, uint32_t count,
                    uint16_t policy);
// A sender was held up there for so many nanoseconds.
void rac_node_holds(rac_thread *thread, rac_node node);
void rac_node_goes_on(rac_thread *thread, rac_node node, int64_t nanoseconds);
// `nanoseconds` that a call took.
void rac_node_takes(rac_node node, int64_t nanoseconds);
// Under the lock: before the first of a recording.
void rac_nodes_begin(void);

#endif
