// The workloads of signals with slots, for the contestants in C++. A library says
// what its signals are:
//
//     struct library {
//       using numbers = …;     // a signal of int64_t, sent by calling it
//       using views = …;       // of std::string_view
//       using strings = …;     // of const std::string &
//       static void chain(numbers &from, numbers &to);  // `to` is a slot
//       static void make();    // a signal as it is when it has been used
//     };
//
// SPDX-License-Identifier: MIT
#ifndef WORKER_SLOTS_HPP
#define WORKER_SLOTS_HPP

#include "elsewhere.h"
#include "racing.h"
#include "worker.h"

#include <cstddef>
#include <deque>
#include <string>
#include <string_view>

template <class Library>
struct slots {
  using numbers = typename Library::numbers;

  struct leaf {
    worker_leaf function;
    void *context;
    void operator()(int64_t value) const { function(context, value); }
  };

  // ---- One signal ------------------------------------------------------------

  struct hot {
    numbers signal;
    std::size_t subscribers = 0;
    int64_t sum = 0;
    leaf adder() { return {worker_add, &sum}; }
  };

  static void *open_hot(std::size_t subscribers) {
    auto *h = new hot;
    h->subscribers = subscribers;
    for (std::size_t i = 0; i < subscribers; i++) h->signal.connect(h->adder());
    return h;
  }

  static void close_hot(void *state) { delete static_cast<hot *>(state); }

  static void run_send(void *state, std::size_t n, outcome *out) {
    auto *h = static_cast<hot *>(state);
    out->n = worker_round_up(n, h->subscribers);
    const std::size_t sends = out->n / h->subscribers;
    h->sum = 0;
    const auto start = worker_now();
    for (std::size_t i = 0; i < sends; i++) h->signal(worker_value(i));
    out->ns = worker_now() - start;
    out->sum = h->sum;
  }

  static void run_elsewhere(void *state, std::size_t n, outcome *out) {
    worker_elsewhere(run_send, state, n, out);
  }

  static void run_subscribe(void *state, std::size_t n, outcome *out) {
    auto *h = static_cast<hot *>(state);
    const auto start = worker_now();
    for (std::size_t i = 0; i < n; i++) {
      auto one = h->signal.connect(h->adder());
      one.disconnect();
    }
    out->ns = worker_now() - start;
    out->n = n;
    h->sum = 0;
    h->signal(1);
    out->sum = h->sum;
  }

  // ---- Texts -----------------------------------------------------------------

  template <class Signal, class Text>
  static void run_text(void *, std::size_t n, outcome *out) {
    Signal signal;
    int64_t sum = 0;
    const worker_leaf add = worker_add;
    signal.connect([add, &sum](Text text) {
      add(&sum, static_cast<int64_t>(text.size()) + text[0]);
    });
    const auto start = worker_now();
    for (std::size_t i = 0; i < n; i++) signal(WORKER_TEXT);
    out->ns = worker_now() - start;
    out->n = n;
    out->sum = sum;
  }

  static constexpr auto run_string =
      run_text<typename Library::views, std::string_view>;
  static constexpr auto run_string_copied =
      run_text<typename Library::strings, const std::string &>;

  // ---- Many signals ----------------------------------------------------------

  struct many {
    std::deque<numbers> each;
    numbers merged;
    int64_t sum = 0;
  };

  static void *open_many(std::size_t count) {
    auto *m = new many;
    for (std::size_t i = 0; i < count; i++) {
      m->each.emplace_back();
      m->each.back().connect(leaf{worker_add, &m->sum});
    }
    return m;
  }

  static void *open_merge(std::size_t count) {
    auto *m = new many;
    m->merged.connect(leaf{worker_add, &m->sum});
    for (std::size_t i = 0; i < count; i++) {
      m->each.emplace_back();
      Library::chain(m->each.back(), m->merged);
    }
    return m;
  }

  static void close_many(void *state) { delete static_cast<many *>(state); }

  static void run_many(void *state, std::size_t n, outcome *out) {
    auto *m = static_cast<many *>(state);
    std::size_t next = 0;
    out->n = worker_round_up(n, m->each.size());
    m->sum = 0;
    const auto start = worker_now();
    for (std::size_t i = 0; i < out->n; i++) {
      m->each[next](worker_value(i));
      if (++next == m->each.size()) next = 0;
    }
    out->ns = worker_now() - start;
    out->sum = m->sum;
  }

  // ---- Two senders -----------------------------------------------------------

  struct contention {
    numbers signal;
    racing *race = racing_create(0);
    ~contention() { racing_free(race); }
  };

  static void *open_contention(std::size_t) {
    auto *c = new contention;
    racing *race = c->race;
    c->signal.connect([race](int64_t value) { racing_add(race, value); });
    return c;
  }

  static void send_one(void *state, int64_t value) {
    static_cast<contention *>(state)->signal(value);
  }

  static void run_contention(void *state, std::size_t n, outcome *out) {
    auto *c = static_cast<contention *>(state);
    racing_run(c->race, n, send_one, c, out);
  }

  static void close_contention(void *state) {
    delete static_cast<contention *>(state);
  }

  // ---- What they weigh: it stays until the process ends ------------------------

  static void make_subscriptions(std::size_t n) {
    static auto *h = static_cast<hot *>(open_hot(0));
    for (std::size_t i = 0; i < n; i++) h->signal.connect(h->adder());
  }

  static void make_signals(std::size_t n) {
    for (std::size_t i = 0; i < n; i++) Library::make();
  }

  static void weigh_subscription(void *, std::size_t n, outcome *out) {
    worker_weigh(n, make_subscriptions, out);
  }
  static void weigh_signal(void *, std::size_t n, outcome *out) {
    worker_weigh(n, make_signals, out);
  }

  // ---- The workloads: for any number of threads, or for one ---------------------

  static constexpr workload for_one_thread[] = {
      {"send", open_hot, run_send, close_hot},
      {"subjects", open_many, run_many, close_many},
      {"subscribe", open_hot, run_subscribe, close_hot},
      {"string", open_hot, run_string, close_hot},
      {"string-copied", open_hot, run_string_copied, close_hot},
      {"merge", open_merge, run_many, close_many},
      {"bytes-subscription", open_hot, weigh_subscription, close_hot},
      {"bytes-signal", open_hot, weigh_signal, close_hot},
      {nullptr, nullptr, nullptr, nullptr}};

  static constexpr workload for_threads[] = {
      {"send-elsewhere", open_hot, run_elsewhere, close_hot},
      {"two-threads", open_contention, run_contention, close_contention},
      {nullptr, nullptr, nullptr, nullptr}};
};

#endif  // WORKER_SLOTS_HPP
