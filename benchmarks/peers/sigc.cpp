// sigc++: signals with slots. No operators, no schedulers, one thread.
//
// SPDX-License-Identifier: MIT

#include "../worker/worker.h"

#include <sigc++/sigc++.h>

#include <string>
#include <string_view>
#include <vector>

namespace {

using number_signal = sigc::signal<void, int64_t>;
using view_signal = sigc::signal<void, std::string_view>;
using string_signal = sigc::signal<void, const std::string &>;

struct leaf {
  worker_leaf function;
  void *context;
  void operator()(int64_t value) const { function(context, value); }
};

struct hot {
  number_signal signal;
  std::size_t subscribers = 0;
  int64_t sum = 0;
  leaf adder() { return {worker_add, &sum}; }
};

void *open_hot(std::size_t subscribers) {
  auto *h = new hot;
  h->subscribers = subscribers;
  for (std::size_t i = 0; i < subscribers; i++) h->signal.connect(h->adder());
  return h;
}

void close_hot(void *state) { delete static_cast<hot *>(state); }

void run_send(void *state, std::size_t n, outcome *out) {
  auto *h = static_cast<hot *>(state);
  out->n = worker_round_up(n, h->subscribers);
  const std::size_t sends = out->n / h->subscribers;
  h->sum = 0;
  const auto start = worker_now();
  for (std::size_t i = 0; i < sends; i++) h->signal.emit(worker_value(i));
  out->ns = worker_now() - start;
  out->sum = h->sum;
}

void run_subscribe(void *state, std::size_t n, outcome *out) {
  auto *h = static_cast<hot *>(state);
  const auto start = worker_now();
  for (std::size_t i = 0; i < n; i++) {
    sigc::connection one = h->signal.connect(h->adder());
    one.disconnect();
  }
  out->ns = worker_now() - start;
  out->n = n;
  h->sum = 0;
  h->signal.emit(1);
  out->sum = h->sum;
}

struct junction {
  std::vector<number_signal> inputs;
  number_signal merged;
  int64_t sum = 0;
};

void *open_merge(std::size_t count) {
  auto *j = new junction;
  j->inputs.resize(count);
  for (auto &input : j->inputs) input.connect(j->merged.make_slot());
  j->merged.connect(leaf{worker_add, &j->sum});
  return j;
}

void close_merge(void *state) { delete static_cast<junction *>(state); }

void run_merge(void *state, std::size_t n, outcome *out) {
  auto *j = static_cast<junction *>(state);
  std::size_t input = 0;
  out->n = worker_round_up(n, j->inputs.size());
  j->sum = 0;
  const auto start = worker_now();
  for (std::size_t i = 0; i < out->n; i++) {
    j->inputs[input].emit(worker_value(i));
    if (++input == j->inputs.size()) input = 0;
  }
  out->ns = worker_now() - start;
  out->sum = j->sum;
}

template <class Signal, class Text>
void run_text(std::size_t n, outcome *out) {
  Signal signal;
  int64_t sum = 0;
  const worker_leaf add = worker_add;
  signal.connect([add, &sum](Text text) {
    add(&sum, static_cast<int64_t>(text.size()) + text[0]);
  });
  const auto start = worker_now();
  for (std::size_t i = 0; i < n; i++) signal.emit(WORKER_TEXT);
  out->ns = worker_now() - start;
  out->n = n;
  out->sum = sum;
}

void run_string(void *, std::size_t n, outcome *out) {
  run_text<view_signal, std::string_view>(n, out);
}
void run_string_copied(void *, std::size_t n, outcome *out) {
  run_text<string_signal, const std::string &>(n, out);
}

struct crowd {
  std::vector<number_signal> each;
  int64_t sum = 0;
};

void *open_crowd(std::size_t count) {
  auto *c = new crowd;
  c->each.resize(count);
  for (auto &one : c->each) one.connect(leaf{worker_add, &c->sum});
  return c;
}

void close_crowd(void *state) { delete static_cast<crowd *>(state); }

void run_crowd(void *state, std::size_t n, outcome *out) {
  auto *c = static_cast<crowd *>(state);
  std::size_t next = 0;
  out->n = worker_round_up(n, c->each.size());
  c->sum = 0;
  const auto start = worker_now();
  for (std::size_t i = 0; i < out->n; i++) {
    c->each[next].emit(worker_value(i));
    if (++next == c->each.size()) next = 0;
  }
  out->ns = worker_now() - start;
  out->sum = c->sum;
}

// What is made to be weighed stays until the process ends.
void make_subscriptions(std::size_t n) {
  static auto *h = static_cast<hot *>(open_hot(0));
  for (std::size_t i = 0; i < n; i++) h->signal.connect(h->adder());
}

// A signal allocates when something first needs its list: an empty one is a
// pointer.
void make_signals(std::size_t n) {
  for (std::size_t i = 0; i < n; i++) (new number_signal)->slots();
}

void weigh_subscription(void *, std::size_t n, outcome *out) {
  worker_weigh(n, make_subscriptions, out);
}
void weigh_signal(void *, std::size_t n, outcome *out) {
  worker_weigh(n, make_signals, out);
}

const workload workloads[] = {
    {"send", open_hot, run_send, close_hot},
    {"subscribe", open_hot, run_subscribe, close_hot},
    {"subjects", open_crowd, run_crowd, close_crowd},
    {"string", open_hot, run_string, close_hot},
    {"string-copied", open_hot, run_string_copied, close_hot},
    {"merge", open_merge, run_merge, close_merge},
    {"bytes-subscription", open_hot, weigh_subscription, close_hot},
    {"bytes-signal", open_hot, weigh_signal, close_hot},
    {nullptr, nullptr, nullptr, nullptr}};
const workload *const groups[] = {workloads, nullptr};

}  // namespace

const contestant contestants[] = {{"sigc++", groups}, {nullptr, nullptr}};
