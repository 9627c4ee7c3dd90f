// RxCpp: observables with operators.
//
// SPDX-License-Identifier: MIT

#include "streams.hpp"

#include <rxcpp/rx.hpp>

#include <chrono>
#include <utility>

namespace {

struct library {
  template <class T>
  struct subject {
    rxcpp::subjects::subject<T> subject_{};
    rxcpp::subscriber<T> subscriber{subject_.get_subscriber()};
  };
  template <class T>
  using erased = rxcpp::observable<T>;

  template <class T>
  static auto source(const subject<T> &from) {
    return from.subject_.get_observable();
  }
  template <class T, class Value>
  static void send(const subject<T> &to, Value &&value) {
    to.subscriber.on_next(std::forward<Value>(value));
  }
  template <class T>
  static void complete(const subject<T> &to) {
    to.subscriber.on_completed();
  }
  template <class Source>
  static auto erase(const Source &source) {
    return source.as_dynamic();
  }

  template <class Source, class Function>
  static auto map(const Source &source, Function function) {
    return source.map(std::move(function));
  }
  template <class Source, class Function>
  static auto filter(const Source &source, Function function) {
    return source.filter(std::move(function));
  }
  template <class Source, class Seed, class Function>
  static auto scan(const Source &source, Seed seed, Function function) {
    return source.scan(std::move(seed), std::move(function));
  }
  template <class Source>
  static auto share(const Source &source) {
    return source.publish().ref_count();
  }
  template <class Source>
  static auto distinct(const Source &source) {
    return source.distinct();
  }
  template <class Source>
  static auto debounce(const Source &source) {
    return source.debounce(std::chrono::hours(1),
                           rxcpp::observe_on_event_loop());
  }
  template <class Source>
  static auto count(const Source &source) {
    return source.count();
  }
  template <class Source, class Function>
  static auto flat_map(const Source &source, Function function) {
    return source.flat_map(std::move(function));
  }
  template <class Source, class Key>
  static auto group_by(const Source &source, Key key) {
    return source.group_by(
        std::move(key), [](const typename Source::value_type &value) { return value; });
  }
  template <class Source>
  static auto window(const Source &source, std::size_t count) {
    return source.window(static_cast<int>(count));
  }

  template <class T, class Function>
  static auto create(Function function) {
    return rxcpp::observable<>::create<T>(
        [function](rxcpp::subscriber<T> to) { function(to); });
  }
  template <class Source, class Function>
  static auto hear(const Source &source, Function function) {
    return source.subscribe(std::move(function));
  }
  template <class Subscription>
  static void dispose(const Subscription &subscription) {
    subscription.unsubscribe();
  }
};

const workload *const groups[] = {streams<library>::all, nullptr};

}  // namespace

const contestant contestants[] = {{"RxCpp", groups}, {nullptr, nullptr}};
