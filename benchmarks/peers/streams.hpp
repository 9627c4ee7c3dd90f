// The workloads of observables, for the contestants in C++ that have operators. A
// library says how its own are made:
//
//     struct library {
//       template <class T> using subject = …;
//       template <class T> using erased = …;    // an observable of any kind
//       static auto source(const subject<T> &);
//       static void send(const subject<T> &, T), static void complete(…);
//       static auto map(source, f), filter, scan(source, seed, f), share(source),
//           distinct, debounce, count, merge(sources), flat_map(source, f),
//           group_by(source, f), window(source, count), combine(a, b, f);
//       template <class T> static auto create(f);  // f(T observer)
//       static auto hear(source, f);               // a subscription
//       static void dispose(subscription);
//     };
//
// SPDX-License-Identifier: MIT
#ifndef PEERS_STREAMS_HPP
#define PEERS_STREAMS_HPP

#include "../worker/logs.h"
#include "../worker/worker.h"

#include <atomic>
#include <cstddef>
#include <cstring>
#include <string>
#include <string_view>
#include <thread>
#include <type_traits>
#include <vector>

template <class L>
struct streams {
  using numbers = typename L::template subject<int64_t>;
  using erased = typename L::template erased<int64_t>;

  struct leaf {
    worker_leaf function;
    int64_t *sum;
    void operator()(int64_t value) const { function(sum, value); }
  };
  static leaf adder(int64_t *sum) { return {worker_add, sum}; }

  struct state {
    std::size_t argument;
    numbers subject;
    int64_t sum = 0;
  };

  static state *open(std::size_t argument) { return new state{argument, {}}; }
  static void *open_any(std::size_t argument) { return open(argument); }
  static void close(void *s) {
    L::complete(static_cast<state *>(s)->subject);
    delete static_cast<state *>(s);
  }

  static void send_all(const numbers &subject, std::size_t n) {
    for (std::size_t i = 0; i < n; i++) L::send(subject, worker_value(i));
  }

  // Sends through what was made when the workload was opened.
  static void run_send(void *opened, std::size_t n, outcome *out) {
    auto *s = static_cast<state *>(opened);
    s->sum = 0;
    const auto start = worker_now();
    send_all(s->subject, n);
    out->ns = worker_now() - start;
    out->n = n;
    out->sum = s->sum;
  }

  // Sends through a stage that begins anew in each run, to some subscribers. The
  // end is not timed.
  template <class Make>
  static void run_anew(void *opened, std::size_t n, std::size_t subscribers,
                       Make make, outcome *out) {
    auto *s = static_cast<state *>(opened);
    numbers subject;
    s->sum = 0;
    {
      auto stage = make(L::source(subject));
      for (std::size_t i = 0; i < subscribers; i++)
        L::hear(stage, adder(&s->sum));
    }
    out->n = worker_round_up(n, subscribers);
    const auto start = worker_now();
    send_all(subject, out->n / subscribers);
    out->ns = worker_now() - start;
    L::complete(subject);
    out->sum = s->sum;
  }

  // ---- One subject ---------------------------------------------------------------

  static void *open_hot(std::size_t subscribers) {
    auto *s = open(subscribers);
    for (std::size_t i = 0; i < subscribers; i++)
      L::hear(L::source(s->subject), adder(&s->sum));
    return s;
  }

  static void run_deliveries(void *opened, std::size_t n, outcome *out) {
    auto *s = static_cast<state *>(opened);
    n = worker_round_up(n, s->argument);
    run_send(opened, n / s->argument, out);
    out->n = n;
  }

  static void run_subscribe(void *opened, std::size_t n, outcome *out) {
    auto *s = static_cast<state *>(opened);
    auto source = L::source(s->subject);
    const auto start = worker_now();
    for (std::size_t i = 0; i < n; i++)
      L::dispose(L::hear(source, adder(&s->sum)));
    out->ns = worker_now() - start;
    out->n = n;
    s->sum = 0;
    L::send(s->subject, 1);
    out->sum = s->sum;
  }

  template <class Text>
  static void run_text(void *, std::size_t n, outcome *out) {
    typename L::template subject<Text> subject;
    int64_t sum = 0;
    L::hear(L::source(subject), [to = adder(&sum)](const Text &text) {
      to(static_cast<int64_t>(text.size()) + text[0]);
    });
    const auto start = worker_now();
    for (std::size_t i = 0; i < n; i++) L::send(subject, Text(WORKER_TEXT));
    out->ns = worker_now() - start;
    out->n = n;
    L::complete(subject);
    out->sum = sum;
  }

  // Of texts that are lent those that begin with "a", and a copy of each.
  static void run_text_map(void *, std::size_t n, outcome *out) {
    typename L::template subject<std::string_view> subject;
    int64_t sum = 0;
    auto wanted = L::filter(L::source(subject), [](std::string_view text) {
      return !text.empty() && text[0] == 'a';
    });
    L::hear(L::map(wanted, [](std::string_view text) { return std::string(text); }),
            [to = adder(&sum)](const std::string &text) {
              to(static_cast<int64_t>(text.size()) + text[0]);
            });
    const auto start = worker_now();
    for (std::size_t i = 0; i < n; i++)
      L::send(subject, std::string_view(WORKER_TEXT));
    out->ns = worker_now() - start;
    out->n = n;
    L::complete(subject);
    out->sum = sum;
  }

  // ---- Chains --------------------------------------------------------------------

  static int64_t plus_one(int64_t value) { return value + 1; }

  // All stages in one type, where the compiler sees through them.
  template <int N, class Source>
  static auto grown(const Source &source) {
    if constexpr (N == 0)
      return source;
    else
      return grown<N - 1>(
          L::map(source, [](int64_t value) { return value + 1; }));
  }

  static void *open_maps(std::size_t stages) {
    auto *s = open(stages);
    const auto source = L::source(s->subject);
    if (stages == 1) {
      L::hear(grown<1>(source), adder(&s->sum));
    } else if (stages == 10) {
      L::hear(grown<10>(source), adder(&s->sum));
    } else {
      erased all{L::erase(source)};
      for (std::size_t i = 0; i < stages; i++)
        all = L::erase(grown<1>(all));
      L::hear(all, adder(&s->sum));
    }
    return s;
  }

  static void run_three(void *opened, std::size_t n, outcome *out) {
    run_anew(
        opened, n, 1,
        [](const auto &source) {
          return L::scan(
              L::filter(grown<1>(source),
                        [](int64_t value) { return value >= 0; }),
              int64_t{0},
              [](int64_t running, int64_t next) { return running + next; });
        },
        out);
  }

  static void run_share(void *opened, std::size_t n, outcome *out) {
    run_anew(
        opened, n, static_cast<state *>(opened)->argument,
        [](const auto &source) { return L::share(source); }, out);
  }
  static void run_distinct(void *opened, std::size_t n, outcome *out) {
    run_anew(
        opened, n, 1, [](const auto &source) { return L::distinct(source); },
        out);
  }
  static void run_debounce(void *opened, std::size_t n, outcome *out) {
    auto *s = static_cast<state *>(opened);
    numbers subject;
    std::atomic<bool> has_come{false};
    s->sum = 0;
    L::hear(L::debounce(L::source(subject)), [s, &has_come](int64_t value) {
      s->sum += value;
      has_come = true;
    });
    const auto start = worker_now();
    send_all(subject, n);
    out->ns = worker_now() - start;
    out->n = n;
    // The last one, perhaps on another thread.
    L::complete(subject);
    while (!has_come) std::this_thread::yield();
    out->sum = s->sum;
  }

  static void run_create(void *opened, std::size_t n, outcome *out) {
    auto *s = static_cast<state *>(opened);
    const std::size_t many = s->argument;
    auto source = L::template create<int64_t>([many](const auto &observer) {
      for (std::size_t i = 0; i < many; i++) observer.on_next(worker_value(i));
      observer.on_completed();
    });
    s->sum = 0;
    out->n = worker_round_up(n, many);
    const auto start = worker_now();
    for (std::size_t i = 0; i < out->n; i += many)
      L::hear(source, adder(&s->sum));
    out->ns = worker_now() - start;
    out->sum = s->sum;
  }

  // ---- The job: see librac/logs.c ------------------------------------------------

  // What is left of a line is kept for the next portion.
  template <class Out>
  static void split(std::string &rest, std::string_view portion, Out line) {
    for (;;) {
      const auto newline = portion.find('\n');
      if (newline == std::string_view::npos) break;
      if (rest.empty()) {
        line(portion.substr(0, newline));
      } else {
        rest.append(portion.substr(0, newline));
        line(std::string_view(rest));
        rest.clear();
      }
      portion.remove_prefix(newline + 1);
    }
    rest.append(portion);
  }

  static void *open_job(std::size_t argument) {
    logs_portions();
    return open(argument);
  }

  static std::string service(std::string_view line) {
    std::size_t size = 0;
    const char *name = logs_service(line.data(), line.size(), &size);
    return {name, size};
  }

  static void run_job(void *, std::size_t n, outcome *out) {
    typename L::template subject<std::string_view> lines;
    int64_t sum = 0;
    std::string rest;
    auto wanted = L::filter(L::source(lines), [](std::string_view line) {
      return logs_is_wanted(line.data(), line.size()) != 0;
    });
    auto services =
        L::map(wanted, [](std::string_view line) { return service(line); });
    auto counts = L::flat_map(
        L::group_by(services, [](const std::string &name) { return name; }),
        [](const auto &group) {
          return L::flat_map(L::window(group, std::size_t{LOGS_WINDOW}),
                             [](const auto &window) { return L::count(window); });
        });
    L::hear(counts, [to = adder(&sum)](auto count) {
      to(static_cast<int64_t>(count));
    });
    const logs_portion *portions = logs_portions();
    const auto start = worker_now();
    for (std::size_t round = 0; round < logs_rounds(n); round++)
      for (std::size_t i = 0; i < LOGS_PORTIONS; i++)
        split(rest, {portions[i].text, portions[i].size},
              [&lines](std::string_view line) { L::send(lines, line); });
    L::complete(lines);
    out->ns = worker_now() - start;
    out->n = logs_rounds(n) * LOGS_LINES;
    out->sum = sum;
  }

  // ---- What they weigh -------------------------------------------------------------

  static void subscribe_many(std::size_t n) {
    static auto *s = open(0);
    for (std::size_t i = 0; i < n; i++)
      L::hear(L::source(s->subject), adder(&s->sum));
  }
  static void subscribe_through_three(std::size_t n) {
    static auto *s = open(0);
    for (std::size_t i = 0; i < n; i++)
      L::hear(grown<3>(L::source(s->subject)), adder(&s->sum));
  }
  static void weigh_subscription(void *, std::size_t n, outcome *out) {
    worker_weigh(n, subscribe_many, out);
  }
  static void weigh_own(void *, std::size_t n, outcome *out) {
    worker_weigh(n, subscribe_through_three, out);
  }

  static constexpr workload all[] = {
      {"send", open_hot, run_deliveries, close},
      {"subscribe", open_hot, run_subscribe, close},
      {"string", open_any, run_text<std::string_view>, close},
      {"string-copied", open_any, run_text<std::string>, close},
      {"text-map", open_any, run_text_map, close},
      {"maps", open_maps, run_send, close},
      {"map-filter-scan", open_any, run_three, close},
      {"create", open_any, run_create, close},
      {"share", open_any, run_share, close},
      {"distinct", open_any, run_distinct, close},
      {"debounce", open_any, run_debounce, close},
      {"job", open_job, run_job, close},
      {"bytes-subscription", open_any, weigh_subscription, close},
      {"bytes-own-maps", open_any, weigh_own, close},
      {nullptr, nullptr, nullptr, nullptr}};
};

#endif  // PEERS_STREAMS_HPP
