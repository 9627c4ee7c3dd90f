// sigslot: signals with slots, for many threads. No operators, no schedulers.
//
// SPDX-License-Identifier: MIT

#include "../worker/slots.hpp"

#include <sigslot/signal.hpp>

namespace {

struct library {
  using numbers = sigslot::signal<int64_t>;
  using views = sigslot::signal<std::string_view>;
  using strings = sigslot::signal<const std::string &>;

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

const contestant contestants[] = {{"sigslot", groups}, {nullptr, nullptr}};
