/* The example of operators.def in C++: the sources, the functions, and what is heard. */
#ifndef RAC_EVERY_OPERATOR_HPP
#define RAC_EVERY_OPERATOR_HPP

#include <rac.hpp>
#include <sstream>

using rac::bound;
using rac::lent;
using rac::scheduler;
using rac::sequence;
using rac::signal;
using rac::subject;
using rac::value;

/// How many rows were not as they should be.
extern int wrong;

/// The schedulers whose time is to come.
extern std::vector<scheduler> clocks;
inline scheduler a_clock() {
  clocks.push_back(scheduler::virtual_());
  return clocks.back();
}

/// A bound with room for all that is sent.
inline bound a_room() {
  bound room = bound::create(1000, RAC_BOUND_REFUSE);
  subject::create_bounded(room);
  return room;
}

inline auto times_ten() {
  return [](int64_t n) { return n * 10; };
}
inline auto key() {
  return [](lent v) { return value(v); };
}
inline auto above() {
  return [](int64_t n) { return n > 0; };
}
inline auto not_above() {
  return [](int64_t n) { return n <= 0; };
}
inline auto attempt() {
  return [](int64_t n) {
    if (n == -3) throw rac::error("test", 1, "no");
  };
}
inline auto add() {
  return [](int64_t running, int64_t n) { return running + n; };
}
inline auto add_indexed() {
  return [](int64_t running, int64_t n, std::size_t index) {
    return running + n * static_cast<int64_t>(index + 1);
  };
}
inline auto order() {
  return [](int64_t n, int64_t other) { return (n > other) - (n < other); };
}
inline auto pair() {
  return [](int64_t before, int64_t n) { return n - before; };
}
inline auto sum() {
  return [](int64_t one, int64_t other) { return one + other; };
}
inline auto make_value() {
  return [] { return 7; };
}
inline auto steps() {
  return [](int &, const rac::step &s) {
    if (s.is_next() && s.as<int64_t>() > 0) s.send(s.get());
  };
}
inline auto called_with() {
  return [](lent) {};
}
inline auto called() {
  return [] {};
}

std::string text(const rac_value &raw);
std::string heard(const signal &source);
std::string heard(const sequence &source);

template <class Make>
void check(const char *name, const char *expected, Make make) {
  std::string got;
  try {
    got = heard(make());
  } catch (const std::exception &e) {
    got = e.what();
  }
  clocks.clear();
  std::istringstream words(expected);
  std::string word, wanted;
  while (words >> word) wanted += (wanted.empty() ? "" : " ") + word;
  if (got == wanted) return;
  std::fprintf(stderr, "%s: \"%s\" instead of \"%s\"\n", name, got.c_str(), wanted.c_str());
  wrong++;
}

template <class T>
struct example {
  static T values(const std::vector<value> &all) { return T::from_values(all); }
  static T tuples() {
    return values({std::tuple<int, int>(0, 0), std::tuple<int, int>(2, 5)});
  }
  static T nested() { return values({values({0, 2, 2, -3}), values({0, 5})}); }
};

namespace of_signal {
using T = signal;
inline signal values(const std::vector<value> &all) { return example<T>::values(all); }
inline signal tuples() { return example<T>::tuples(); }
inline signal nested() { return example<T>::nested(); }
inline signal failing() {
  return values({0, 2}).concat(signal::error(rac::error("test", 1, "no").get()));
}
inline signal held() { return rac::subject::behavior_subject_create(1); }
inline auto choose() {
  return [](lent v) { return signal::return_(v); };
}
inline auto one_less() {
  return [](int64_t n) { return n > 1 ? signal::return_(n - 1) : signal(); };
}
inline auto again_once() {
  return [](lent v, std::size_t index) {
    return index == 0 ? signal::return_(v) : signal();
  };
}
inline auto choose_or_stop() {
  return [](int64_t n, bool &stop) {
    stop = n == 2;
    return signal::return_(n);
  };
}
inline auto the_signal() {
  return [] { return signal::return_(7); };
}
}  // namespace of_signal

namespace of_sequence {
using T = sequence;
inline sequence values(const std::vector<value> &all) { return example<T>::values(all); }
inline sequence tuples() { return example<T>::tuples(); }
inline sequence nested() { return example<T>::nested(); }
inline auto choose_sequence() {
  return [](lent v) { return sequence::return_(v); };
}
inline auto choose_sequence_or_stop() {
  return [](int64_t n, bool &stop) {
    stop = n == 2;
    return sequence::return_(n);
  };
}
}  // namespace of_sequence

void all_of_signal();
void all_of_sequence();

#endif
