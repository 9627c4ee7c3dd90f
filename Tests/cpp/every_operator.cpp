/* Runs what every_operator.py has written. */
#include "every_operator.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>

int wrong = 0;
std::vector<scheduler> clocks;

std::string text(const rac_value &raw) {
  char buffer[100];
  std::string out;
  switch (raw.kind) {
    case RAC_NIL: return "nil";
    case RAC_BOOL: return raw.bits ? "true" : "false";
    case RAC_SIGNAL:
    case RAC_SEQUENCE: return "?";
    case RAC_ERROR: return "#" + std::to_string(rac_error_get_code(raw));
    case RAC_EVENT:
      if (rac_event_get_type(raw) == RAC_EVENT_COMPLETED) return "<|>";
      if (rac_event_get_type(raw) == RAC_EVENT_ERROR)
        return "<" + text(rac_event_get_error(raw)) + ">";
      return "<" + text(rac_event_get_value(raw)) + ">";
    case RAC_TUPLE:
      for (std::size_t i = 0; i < rac_tuple_count(raw); i++)
        out += (i ? "," : "(") + text(rac_tuple_get(raw, i));
      return out + ")";
    case RAC_DOUBLE:
      // As few digits as say which number it is, as Python has them.
      for (int digits = 6; digits <= 17; digits++) {
        std::snprintf(buffer, sizeof buffer, "%.*g", digits, lent(raw).as<double>());
        if (std::strtod(buffer, nullptr) == lent(raw).as<double>()) break;
      }
      if (std::strpbrk(buffer, ".n") == nullptr) return std::string(buffer) + ".0";
      return buffer;
    default: break;
  }
  rac_value_describe(raw, buffer, sizeof buffer);
  return buffer;
}

std::string heard(const signal &source) {
  std::string out;
  bool is_over = false;
  auto add = [&](const std::string &word) { out += (out.empty() ? "" : " ") + word; };
  auto subscription = source.subscribe([&](lent v) { add(text(v.get())); },
                                       [&](const rac::error &e) {
                                         add(text(e.get().get()));
                                         is_over = true;
                                       },
                                       [&] {
                                         add("|");
                                         is_over = true;
                                       });
  for (int i = 0; i < 10000 && !is_over; i++) {
    for (const scheduler &each : clocks) rac_virtual_step_all(each.raw());
    rac_main_drain(0);
    if (i > 20) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    if (i > 20 && clocks.empty()) break;
  }
  return out;
}

std::string heard(const sequence &source) {
  std::string out;
  auto rest = source.iterate();
  for (;;) {
    rac_value next = rac_value();
    if (rac_sequence_next(rest.raw(), &next) == RAC_EEMPTY) return out;
    out += (out.empty() ? "" : " ") + text(next);
    rac_value_release(next);
  }
  return out;
}

int main() {
  const uint64_t before = rac_live_objects();
  all_of_signal();
  all_of_sequence();
  rac_main_drain(0);
  if (rac_live_objects() != before) {
    std::fprintf(stderr, "%d objects are left\n", static_cast<int>(rac_live_objects() - before));
    wrong++;
  }
  return wrong != 0;
}
