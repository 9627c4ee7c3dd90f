// A header-only slot list in the manner of nod and sigslot: std::function in a
// vector, a mutex, connections that may outlive the list. What is copied while
// somebody emits is the vector, and only when it changes meanwhile.
//
// SPDX-License-Identifier: MIT
#ifndef SLOT_LIST_HPP
#define SLOT_LIST_HPP

#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

template <class... Arguments>
class slot_list {
 public:
  using slot = std::function<void(Arguments...)>;

 private:
  struct table {
    std::vector<slot> slots;
    std::vector<std::size_t> holes;
  };

  struct state {
    std::mutex lock;
    std::shared_ptr<table> current = std::make_shared<table>();

    // Under the lock: the table, which nobody is reading.
    table &writable() {
      if (current.use_count() > 1) current = std::make_shared<table>(*current);
      return *current;
    }
  };

  std::shared_ptr<state> shared = std::make_shared<state>();

 public:
  class connection {
   public:
    connection(std::weak_ptr<state> from, std::size_t place)
        : from(std::move(from)), place(place) {}

    void disconnect() {
      const std::shared_ptr<state> s = from.lock();
      slot old;
      if (!s) return;
      std::lock_guard<std::mutex> guard(s->lock);
      table &t = s->writable();
      old.swap(t.slots[place]);
      t.holes.push_back(place);
      from.reset();
    }

   private:
    std::weak_ptr<state> from;
    std::size_t place;
  };

  connection connect(slot added) {
    std::lock_guard<std::mutex> guard(shared->lock);
    table &t = shared->writable();
    if (t.holes.empty()) {
      t.slots.push_back(std::move(added));
      return {shared, t.slots.size() - 1};
    }
    const std::size_t place = t.holes.back();
    t.holes.pop_back();
    t.slots[place] = std::move(added);
    return {shared, place};
  }

  void operator()(Arguments... arguments) const {
    std::shared_ptr<const table> now;
    {
      std::lock_guard<std::mutex> guard(shared->lock);
      now = shared->current;
    }
    for (const slot &each : now->slots)
      if (each) each(arguments...);
  }
};

#endif  // SLOT_LIST_HPP
