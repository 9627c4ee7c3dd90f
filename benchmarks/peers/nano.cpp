// nano-signal-slot: signals with slots, for one thread. A slot is an object of
// the program's, which the signal refers to: here each stays in a list of its
// kind, and is used again.
//
// SPDX-License-Identifier: MIT

#include "../worker/slots.hpp"

#include <nano_signal_slot.hpp>

#include <deque>
#include <new>
#include <vector>

namespace {

template <class Slot>
struct slot_store {
  std::deque<Slot> all;
  std::vector<Slot *> unused;

  static slot_store &shared() {
    static auto *store = new slot_store;
    return *store;
  }
  Slot &take(const Slot &from) {
    if (unused.empty()) return all.emplace_back(from);
    Slot *slot = unused.back();
    unused.pop_back();
    slot->~Slot();
    return *new (slot) Slot(from);
  }
};

template <class Value>
struct sent {
  Nano::Signal<void(Value)> signal;

  template <class Slot>
  struct connection {
    sent *from;
    Slot *slot;
    void disconnect() {
      from->signal.disconnect(*slot);
      slot_store<Slot>::shared().unused.push_back(slot);
    }
  };

  template <class Slot>
  connection<Slot> connect(const Slot &added) {
    Slot &slot = slot_store<Slot>::shared().take(added);
    signal.connect(slot);
    return {this, &slot};
  }
  void operator()(Value value) { signal.fire(value); }
};

struct library {
  using numbers = sent<int64_t>;
  using views = sent<std::string_view>;
  using strings = sent<const std::string &>;

  static void chain(numbers &from, numbers &to) {
    from.connect([&to](int64_t value) { to(value); });
  }

  static void make() {
    static numbers *volatile last;
    last = new numbers;
    (void)last;
  }
};

const workload *const groups[] = {slots<library>::for_one_thread, nullptr};

}  // namespace

const contestant contestants[] = {{"nano-signal-slot", groups},
                                  {nullptr, nullptr}};
