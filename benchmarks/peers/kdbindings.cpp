// KDBindings: signals with slots, and properties. For one thread.
//
// SPDX-License-Identifier: MIT

#include "../worker/slots.hpp"

#include <kdbindings/binding.h>
#include <kdbindings/property.h>
#include <kdbindings/signal.h>

#include <memory>
#include <utility>
#include <vector>

namespace {

template <class Value>
struct sent : KDBindings::Signal<Value> {
  void operator()(Value value) const { this->emit(value); }
};

struct library {
  using numbers = sent<int64_t>;
  using views = sent<std::string_view>;
  using strings = sent<const std::string &>;

  static void chain(numbers &from, numbers &to) {
    (void)from.connect([&to](int64_t value) { to(value); });
  }

  static void make() {
    static numbers *volatile last;
    last = new numbers;
    (void)last;
  }
};

// ---- Properties ---------------------------------------------------------------

using number = KDBindings::Property<int64_t>;

struct cell {
  number set{0};
  number derived;
  int64_t sum = 0;
  bool is_derived = false;
};

void hear(cell *c, number &heard) {
  const worker_leaf add = worker_add;
  (void)heard.valueChanged().connect(
      [c, add](const int64_t &value) { add(&c->sum, value); });
}

void *open_cell(std::size_t) {
  auto *c = new cell;
  hear(c, c->set);
  return c;
}

void *open_derived(std::size_t stages) {
  if (stages != 1) return nullptr;
  auto *c = new cell;
  c->derived = KDBindings::makeBoundProperty(c->set + int64_t{1});
  c->is_derived = true;
  hear(c, c->derived);
  return c;
}

void close_cell(void *state) { delete static_cast<cell *>(state); }

// A value equal to the one before is none, so the first is 0 before a second 0.
void run_set(void *state, std::size_t n, outcome *out) {
  auto *c = static_cast<cell *>(state);
  c->set.set(-1);
  c->sum = 0;
  const auto start = worker_now();
  for (std::size_t i = 0; i < n; i++) c->set.set(worker_value(i));
  out->ns = worker_now() - start;
  out->n = n;
  out->sum = c->sum;
}

void run_unheard(void *, std::size_t n, outcome *out) {
  number property{0};
  const auto start = worker_now();
  for (std::size_t i = 0; i < n; i++) property.set(worker_value(i));
  out->ns = worker_now() - start;
  out->n = n;
  out->sum = property.get();
}

// Stored first, and told of when all are: what it calls an evaluator.
struct sheet {
  std::vector<std::unique_ptr<number>> inputs;
  std::vector<std::unique_ptr<number>> cells;
  KDBindings::BindingEvaluator evaluator;
  int64_t sum = 0;
};

void *open_sheet(std::size_t count) {
  auto *s = new sheet;
  const worker_leaf add = worker_add;
  for (std::size_t i = 0; i < count; i++) {
    s->inputs.push_back(std::make_unique<number>(-1));
    s->cells.push_back(std::make_unique<number>(
        KDBindings::makeBoundProperty(s->evaluator, *s->inputs.back())));
    (void)s->cells.back()->valueChanged().connect(
        [s, add](const int64_t &value) { add(&s->sum, value); });
  }
  return s;
}

void close_sheet(void *state) { delete static_cast<sheet *>(state); }

void run_batches(void *state, std::size_t n, outcome *out) {
  auto *s = static_cast<sheet *>(state);
  const std::size_t count = s->inputs.size();
  for (auto &input : s->inputs) input->set(-1);
  s->evaluator.evaluateAll();
  s->sum = 0;
  out->n = worker_round_up(n, count);
  const auto start = worker_now();
  for (std::size_t i = 0; i < out->n; i += count) {
    for (std::size_t each = 0; each < count; each++)
      s->inputs[each]->set(worker_value(i + each));
    s->evaluator.evaluateAll();
  }
  out->ns = worker_now() - start;
  out->sum = s->sum;
}

const workload properties[] = {
    {"property-set", open_cell, run_set, close_cell},
    {"property-unheard", open_cell, run_unheard, close_cell},
    {"property-batch", open_sheet, run_batches, close_sheet},
    {"derived-map", open_derived, run_set, close_cell},
    {nullptr, nullptr, nullptr, nullptr}};

const workload *const groups[] = {slots<library>::for_one_thread, properties,
                                  nullptr};

}  // namespace

const contestant contestants[] = {{"KDBindings", groups}, {nullptr, nullptr}};
