// Boost.Signals2: signals with slots, for many threads. No operators, no
// schedulers.
//
// SPDX-License-Identifier: MIT

#include "../worker/slots.hpp"

#include <boost/signals2.hpp>

#include <functional>

namespace {

struct library {
  using numbers = boost::signals2::signal<void(int64_t)>;
  using views = boost::signals2::signal<void(std::string_view)>;
  using strings = boost::signals2::signal<void(const std::string &)>;

  static void chain(numbers &from, numbers &to) { from.connect(std::ref(to)); }

  static void make() {
    static numbers *volatile last;
    last = new numbers;
    (void)last;
  }
};

const workload *const groups[] = {slots<library>::for_one_thread,
                                  slots<library>::for_threads, nullptr};

}  // namespace

const contestant contestants[] = {{"Boost.Signals2", groups},
                                  {nullptr, nullptr}};
