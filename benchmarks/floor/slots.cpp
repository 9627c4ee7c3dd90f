// The slot list that C++ programs bring along, as a contestant: no operators, no
// schedulers, and emissions of two threads overlap.
//
// SPDX-License-Identifier: MIT

#include "../worker/slots.hpp"
#include "slot_list.hpp"

namespace {

struct library {
  using numbers = slot_list<int64_t>;
  using views = slot_list<std::string_view>;
  using strings = slot_list<const std::string &>;

  static void chain(numbers &from, numbers &to) {
    from.connect([&to](int64_t value) { to(value); });
  }

  static void make() {
    static numbers *volatile last;
    last = new numbers;
    (void)last;
  }
};

const workload *const groups[] = {slots<library>::for_one_thread,
                                  slots<library>::for_threads, nullptr};

}  // namespace

const contestant contestants[] = {{"slot list", groups}, {nullptr, nullptr}};
