// ReactivePlusPlus: observables with operators. Its subject is for one thread.
//
// SPDX-License-Identifier: MIT

#include "streams.hpp"

#include <rpp/rpp.hpp>

#include <chrono>
#include <utility>

namespace {

struct library {
  // The observer that is sent into is asked for once.
  template <class T>
  struct subject {
    rpp::subjects::publish_subject<T> subject_{};
    decltype(subject_.get_observer()) observer{subject_.get_observer()};
  };
  template <class T>
  using erased = rpp::dynamic_observable<T>;

  template <class T>
  static auto source(const subject<T> &from) {
    return from.subject_.get_observable();
  }
  template <class T, class Value>
  static void send(const subject<T> &to, Value &&value) {
    to.observer.on_next(std::forward<Value>(value));
  }
  template <class T>
  static void complete(const subject<T> &to) {
    to.observer.on_completed();
  }
  static auto erase(const auto &source) { return source.as_dynamic(); }

  static auto map(const auto &source, auto function) {
    return source | rpp::ops::map(std::move(function));
  }
  static auto filter(const auto &source, auto function) {
    return source | rpp::ops::filter(std::move(function));
  }
  static auto scan(const auto &source, auto seed, auto function) {
    return source | rpp::ops::scan(std::move(seed), std::move(function));
  }
  static auto share(const auto &source) {
    return source | rpp::ops::publish() | rpp::ops::ref_count();
  }
  static auto distinct(const auto &source) {
    return source | rpp::ops::distinct();
  }
  static auto debounce(const auto &source) {
    return source | rpp::ops::debounce(std::chrono::hours(1),
                                       rpp::schedulers::new_thread{});
  }
  static auto count(const auto &source) {
    return source | rpp::ops::reduce(int64_t{0}, [](int64_t many, const auto &) {
             return many + 1;
           });
  }
  static auto flat_map(const auto &source, auto function) {
    return source | rpp::ops::flat_map(std::move(function));
  }
  static auto group_by(const auto &source, auto key) {
    return source | rpp::ops::group_by(std::move(key));
  }
  static auto window(const auto &source, std::size_t count) {
    return source | rpp::ops::window(count);
  }

  template <class T>
  static auto create(auto function) {
    return rpp::source::create<T>(std::move(function));
  }
  static auto hear(const auto &source, auto function) {
    return source.subscribe_with_disposable(std::move(function));
  }
  static void dispose(const auto &subscription) { subscription.dispose(); }
};

const workload *const groups[] = {streams<library>::all, nullptr};

}  // namespace

const contestant contestants[] = {{"ReactivePlusPlus", groups},
                                  {nullptr, nullptr}};
