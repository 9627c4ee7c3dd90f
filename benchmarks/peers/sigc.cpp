// sigc++: signals with slots. No operators, no schedulers, one thread.
//
// SPDX-License-Identifier: MIT

#include "../worker/slots.hpp"

#include <sigc++/sigc++.h>

namespace {

struct library {
  // connect() gives an iterator, which does not disconnect.
  struct numbers : sigc::signal<void, int64_t> {
    template <class Slot>
    sigc::connection connect(const Slot &slot) {
      return sigc::signal<void, int64_t>::connect(slot);
    }
  };
  using views = sigc::signal<void, std::string_view>;
  using strings = sigc::signal<void, const std::string &>;

  static void chain(numbers &from, numbers &to) {
    from.connect(to.make_slot());
  }

  // It allocates when something first needs its list: an empty one is a pointer.
  static void make() { (new numbers)->slots(); }
};

const workload *const groups[] = {slots<library>::for_one_thread, nullptr};

}  // namespace

const contestant contestants[] = {{"sigc++", groups}, {nullptr, nullptr}};
