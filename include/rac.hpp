/* librac in C++17: handles that count, lambdas for callbacks, exceptions for errors.
 *
 *     auto numbers = rac::subject::create();
 *     auto heard = numbers.map([](int64_t n) { return n * 2; })
 *                      .filter([](int64_t n) { return n > 2; })
 *                      .subscribe([](int64_t n) { std::cout << n << '\n'; });
 *     numbers.send(21);
 *
 * Every function of rac.h that takes a handle first is a method of its class, in
 * rac_classes.hpp, which is generated; docs/Cpp.md tells the rest. The functions of
 * rac.h go with it: raw() is the handle.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef RAC_HPP
#define RAC_HPP

#include <rac.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <iterator>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <typeinfo>
#include <utility>
#include <vector>
#if __has_include(<cxxabi.h>)
#include <cxxabi.h>
#endif

namespace rac {

/* ---- Failures ------------------------------------------------------------ */

/// The failure of a function of librac, thrown in place of a result.
class failure : public std::runtime_error {
 public:
  explicit failure(rac_status status)
      : std::runtime_error(std::string(rac_last_error_function()) + ": " +
                           rac_status_name(status) + ": " +
                           rac_last_error_message()),
        status_(status) {}
  failure(rac_status status, const std::string &text)
      : std::runtime_error(text), status_(status) {}
  rac_status status() const noexcept { return status_; }

 private:
  rac_status status_;
};

/* Code that throws stays out of the functions that call it. */
#if defined(__GNUC__)
#define RAC_COLD __attribute__((noinline, cold))
#else
#define RAC_COLD
#endif

namespace detail {
[[noreturn]] RAC_COLD inline void fail() {
  const failure latest(rac_last_error_code());
  rac_clear_last_error();  // it has been told
  throw latest;
}
[[noreturn]] RAC_COLD inline void fail(rac_status status, const char *text) {
  throw failure(status, text);
}
[[noreturn]] RAC_COLD inline void fail_kind(rac_value found, const char *wanted) {
  char text[64];
  const std::size_t length = rac_value_describe(found, text, sizeof text);
  throw failure(RAC_EKIND, std::string(text) + (length < sizeof text ? "" : "…") + " is no " + wanted);
}
/// A type as it is written, where the compiler can say it.
inline std::string type_name(const std::type_info &type) {
#if __has_include(<cxxabi.h>)
  const std::unique_ptr<char, void (*)(void *)> text(
      abi::__cxa_demangle(type.name(), nullptr, nullptr, nullptr), std::free);
  if (text) return text.get();
#endif
  return type.name();
}
[[noreturn]] RAC_COLD inline void fail_type(rac_value found, const std::type_info &wanted) {
  fail_kind(found, type_name(wanted).c_str());
}
}  // namespace detail

/* ---- Values -------------------------------------------------------------- */

/// How a type of C++ is a value, and back. Specialise it for one of yours, or leave
/// it: any type that can be copied travels as a pointer to a copy.
template <class T, class = void>
struct convert;

/// A value that belongs to somebody else, for the length of a call.
class lent {
 public:
  explicit lent(const rac_value &value) noexcept : value_(value) {}
  const rac_value &get() const noexcept { return value_; }
  int kind() const noexcept { return value_.kind; }
  bool is_nil() const noexcept { return value_.kind == RAC_NIL; }
  template <class T>
  T as() const {
    return convert<T>::from(value_);
  }

 private:
  rac_value value_;
};

/// An owned value.
class value {
 public:
  value() noexcept : value_() {}
  value(const value &other) : value_(kept(other.value_)) {}
  value(value &&other) noexcept : value_(other.release()) {}
  value(const lent &other) : value_(kept(other.get())) {}
  template <class T, class = std::enable_if_t<!std::is_same_v<value, std::decay_t<T>> &&
                                              !std::is_same_v<lent, std::decay_t<T>>>>
  value(T &&from) : value_(convert<std::decay_t<T>>::to(std::forward<T>(from))) {}
  value &operator=(value other) noexcept {
    std::swap(value_, other.value_);
    return *this;
  }
  ~value() {
    if (value_.kind > RAC_DOUBLE) rac_value_release(value_);
  }

  static value owned(const rac_value &raw) { return value(raw, nullptr); }
  static value copied(const rac_value &raw) { return value(kept(raw), nullptr); }

  const rac_value &get() const noexcept { return value_; }
  rac_value release() noexcept { return std::exchange(value_, rac_value()); }
  int kind() const noexcept { return value_.kind; }
  bool is_nil() const noexcept { return value_.kind == RAC_NIL; }
  template <class T>
  T as() const {
    return convert<T>::from(value_);
  }
  bool operator==(const value &other) const { return rac_value_equal(value_, other.value_); }
  bool operator!=(const value &other) const { return !(*this == other); }

 private:
  value(const rac_value &raw, std::nullptr_t) noexcept : value_(raw) {}
  /// Numbers need no call.
  static rac_value kept(const rac_value &raw) {
    return raw.kind > RAC_DOUBLE ? rac_value_retain(raw) : raw;
  }
  rac_value value_;
};

/// A value for the length of a call: a text is not copied, everything else is as in rac::value.
class argument {
 public:
  argument(const value &from) noexcept : value_(from.get()) {}
  argument(const lent &from) noexcept : value_(from.get()) {}
  template <class T, class = std::enable_if_t<!std::is_same_v<value, std::decay_t<T>> &&
                                              !std::is_same_v<lent, std::decay_t<T>> &&
                                              !std::is_same_v<argument, std::decay_t<T>>>>
  argument(T &&from) {
    if constexpr (is_text<std::decay_t<T>>) {
      const std::string_view text = from;
      value_ = rac_value_string_view(text.data() ? text.data() : "", text.size());
    } else if constexpr (std::is_arithmetic_v<std::decay_t<T>>) {
      value_ = convert<std::decay_t<T>>::to(from);  // nothing to own
    } else {
      owned_ = value(std::forward<T>(from));
      value_ = owned_.get();
    }
  }
  argument(const argument &) = delete;
  argument &operator=(const argument &) = delete;

  const rac_value &get() const noexcept { return value_; }

 private:
  template <class T>
  static constexpr bool is_text =
      std::is_same_v<T, std::string> || std::is_same_v<T, std::string_view> ||
      std::is_same_v<T, const char *> || std::is_same_v<T, char *>;

  rac_value value_ = {};
  value owned_;
};

/// A connection that signal::connect() or signal::listen() has sent. It is open as long as this,
/// and as the signals that its descriptor was handed over to (RAC_DESCRIPTOR_OWNED).
class socket {
 public:
  explicit socket(rac::value connection) : value_(std::move(connection)) {
    if (descriptor() < 0) detail::fail();
  }
  int descriptor() const noexcept { return rac_socket_descriptor(value_.get()); }
  /// The address of the other side.
  const char *peer() const noexcept { return rac_socket_peer(value_.get()); }
  const rac::value &get() const noexcept { return value_; }

 private:
  rac::value value_;
};

/// The elements of a tuple, or of what several signals sent, lent.
class list {
 public:
  list(const rac_value *elements, std::size_t count) noexcept
      : elements_(elements), count_(count) {}
  std::size_t size() const noexcept { return count_; }
  lent operator[](std::size_t index) const { return lent(elements_[index]); }

 private:
  const rac_value *elements_;
  std::size_t count_;
};

/// An error as a signal sends it, and as an exception.
class error : public std::runtime_error {
 public:
  explicit error(rac::value value)
      : std::runtime_error(rac_error_get_message(value.get())), value_(std::move(value)) {}
  error(const char *domain, int64_t code, const char *message)
      : error(rac::value::owned(rac_value_error(domain, code, message))) {}
  const rac::value &get() const noexcept { return value_; }
  std::string_view domain() const { return rac_error_get_domain(value_.get()); }
  int64_t code() const { return rac_error_get_code(value_.get()); }

  /// Throws what a callback threw, as it was; this if it came from elsewhere.
  [[noreturn]] void rethrow() const {
    void *inner = nullptr;
    const rac_value cause = rac_error_get_underlying(value_.get());
    if (cause.kind == RAC_POINTER && rac_value_get_pointer(cause, type, &inner) == RAC_OK)
      std::rethrow_exception(*static_cast<std::exception_ptr *>(inner));
    throw *this;
  }

  /// The exception that a catch block handles, as an error that has it beneath.
  static rac::value from_exception(const char *message, const char *domain = "c++",
                                   int64_t code = 0) {
    auto *inner = new std::exception_ptr(std::current_exception());
    const rac::value cause = rac::value::owned(rac_value_pointer(
        inner, type, [](void *pointer) { delete static_cast<std::exception_ptr *>(pointer); }));
    return rac::value::owned(rac_value_error_underlying(domain, code, message, cause.get()));
  }

 private:
  static constexpr const char *type = "std::exception_ptr";
  rac::value value_;
};

template <class T, class>
struct convert {
  static_assert(std::is_copy_constructible_v<T>, "a value has to be copied");
  static rac_value to(T from) {
    return rac_value_pointer(new T(std::move(from)), typeid(T).name(),
                                   [](void *pointer) { delete static_cast<T *>(pointer); });
  }
  static T from(const rac_value &raw) {
    void *pointer = nullptr;
    if (raw.kind != RAC_POINTER ||
        rac_value_get_pointer(raw, typeid(T).name(), &pointer) != RAC_OK)
      detail::fail_type(raw, typeid(T));
    return *static_cast<T *>(pointer);
  }
};

template <>
struct convert<bool> {
  static rac_value to(bool from) noexcept { return rac_bool(from); }
  static bool from(const rac_value &raw) {
    if (raw.kind != RAC_BOOL) detail::fail_kind(raw, "bool");
    return raw.bits != 0;
  }
};

template <class T>
struct convert<T, std::enable_if_t<std::is_integral_v<T>>> {
  static rac_value to(T from) {
    if (std::is_unsigned_v<T> && sizeof(T) == 8 && from > static_cast<T>(INT64_MAX))
      detail::fail(RAC_ERANGE, "the number is beyond int64_t");
    return rac_int64(static_cast<int64_t>(from));
  }
  static T from(const rac_value &raw) {
    if (raw.kind != RAC_INT64) detail::fail_kind(raw, "integer");
    const T number = static_cast<T>(raw.bits);
    if (static_cast<int64_t>(number) != raw.bits || (number < T()) != (raw.bits < 0))
      detail::fail(RAC_ERANGE, "the number does not fit");
    return number;
  }
};

template <class T>
struct convert<T, std::enable_if_t<std::is_floating_point_v<T>>> {
  static rac_value to(T from) noexcept { return rac_double(static_cast<double>(from)); }
  static T from(const rac_value &raw) {
    double number = 0;
    if (raw.kind == RAC_INT64) return static_cast<T>(raw.bits);
    if (raw.kind != RAC_DOUBLE) detail::fail_kind(raw, "number");
    std::memcpy(&number, &raw.bits, sizeof number);
    return static_cast<T>(number);
  }
};

/// Valid as long as the value: during the call, in a callback. Bytes are read as well.
template <>
struct convert<std::string_view> {
  static rac_value to(std::string_view from) {
    const rac_value made = rac_value_string_copy(from.data() ? from.data() : "", from.size());
    if (made.kind != RAC_STRING) detail::fail();
    return made;
  }
  static std::string_view from(const rac_value &raw) {
    const char *text = nullptr;
    std::size_t length = 0;
    if (rac_value_get_text(raw, &text, &length) != RAC_OK) detail::fail();
    return {text, length};
  }
};

template <>
struct convert<std::string> {
  static rac_value to(const std::string &from) { return convert<std::string_view>::to(from); }
  static std::string from(const rac_value &raw) {
    return std::string(convert<std::string_view>::from(raw));
  }
};

/// Bytes; a text is none.
template <>
struct convert<std::vector<std::byte>> {
  static rac_value to(const std::vector<std::byte> &from) {
    const rac_value made = rac_value_bytes_copy(from.data(), from.size());
    if (made.kind != RAC_BYTES) detail::fail();
    return made;
  }
  static std::vector<std::byte> from(const rac_value &raw) {
    const void *bytes = nullptr;
    std::size_t length = 0;
    if (rac_value_get_bytes(raw, &bytes, &length) != RAC_OK) detail::fail();
    const auto *first = static_cast<const std::byte *>(bytes);
    return {first, first + length};
  }
};

/// A tuple's elements; a vector that was sent is what it was, as any other class.
template <class T>
struct convert<std::vector<T>> {
  static rac_value to(std::vector<T> from) { return convert<std::vector<T>, int>::to(std::move(from)); }
  static std::vector<T> from(const rac_value &raw) {
    if (raw.kind != RAC_TUPLE) return convert<std::vector<T>, int>::from(raw);
    std::vector<T> all;
    all.reserve(rac_tuple_count(raw));
    for (std::size_t i = 0; i < rac_tuple_count(raw); i++)
      all.push_back(convert<T>::from(rac_tuple_get(raw, i)));
    return all;
  }
};

template <>
struct convert<const char *> {
  static rac_value to(const char *from) { return convert<std::string_view>::to(from); }
};
template <>
struct convert<char *> : convert<const char *> {};

template <>
struct convert<std::nullptr_t> {
  static rac_value to(std::nullptr_t) noexcept { return rac_value(); }
};

template <>
struct convert<value> {
  static value from(const rac_value &raw) { return value::copied(raw); }
};
template <>
struct convert<socket> {
  static rac_value to(const socket &from) { return value(from.get()).release(); }
  static socket from(const rac_value &raw) { return socket(value::copied(raw)); }
};
template <>
struct convert<lent> {
  static lent from(const rac_value &raw) noexcept { return lent(raw); }
};
template <>
struct convert<error> {
  static rac_value to(const error &from) { return value(from.get()).release(); }
  static error from(const rac_value &raw) { return error(value::copied(raw)); }
};

template <class... T>
struct convert<std::tuple<T...>> {
  static rac_value to(const std::tuple<T...> &from) {
    return std::apply(
        [](const T &...each) {
          const value kept[] = {value(each)..., value()};
          rac_value raw[sizeof...(T) + 1] = {};
          for (std::size_t i = 0; i < sizeof...(T); i++) raw[i] = kept[i].get();
          return rac_value_tuple(raw, sizeof...(T));
        },
        from);
  }
  static std::tuple<T...> from(const rac_value &raw) {
    if (raw.kind != RAC_TUPLE || rac_tuple_count(raw) != sizeof...(T))
      detail::fail_kind(raw, "tuple of that size");
    return elements(raw, std::index_sequence_for<T...>());
  }

 private:
  template <std::size_t... I>
  static std::tuple<T...> elements(const rac_value &raw, std::index_sequence<I...>) {
    return std::tuple<T...>(convert<T>::from(rac_tuple_get(raw, I))...);
  }
};

}  // namespace rac

#include "rac_functions.hpp"
#include "rac_callbacks.hpp"
#include "rac_classes.hpp"
#include "rac_step.hpp"

namespace rac {

namespace detail {

/// Makes a subscription of the functions of a holder: calls with the observer.
template <class H, class Subscribe, class... F>
subscription observe_by(Subscribe subscribe, F &&...functions) {
  kept<H> kept(std::forward<F>(functions)...);
  const rac_observer observer =
      rac_observer_init(kept.get(), rac_next_fn<H, 0>(), rac_error_fn<H, 1>(),
                        rac_completed_fn<H, 2>(), kept.give());
  return owned<subscription>(subscribe(&observer));
}

template <class Subscribe, class... F>
subscription observe(Subscribe subscribe, F &&...given) {
  if constexpr (may_be_same<std::decay_t<F>...>) {
    if (are_same<std::decay_t<F>...>(given...))
      return observe_by<in_word<true, std::decay_t<F>...>>(subscribe, std::forward<F>(given)...);
  }
  return observe_by<functions<std::decay_t<F>...>>(subscribe, std::forward<F>(given)...);
}

template <class Next, class Error, class Completed>
subscription signal_base::subscribe(Next &&next, Error &&error,
                                    Completed &&completed) const {
  return observe(
      [this](const rac_observer *observer) { return rac_subscribe(raw(), observer); },
      std::forward<Next>(next), std::forward<Error>(error), std::forward<Completed>(completed));
}

template <class Next, class Error, class Completed>
subscription signal_base::subscribe_inline(rac_scheduler *scheduler, Next &&next,
                                           Error &&error, Completed &&completed) const {
  return observe(
      [this, scheduler](const rac_observer *observer) {
        return rac_subscribe_inline(raw(), observer, scheduler);
      },
      std::forward<Next>(next), std::forward<Error>(error), std::forward<Completed>(completed));
}

}  // namespace detail

template <class T>
struct convert<T, std::enable_if_t<std::is_base_of_v<signal, T>>> {
  static rac_value to(const signal &from) { return rac_value_signal(from.raw()); }
  static signal from(const rac_value &raw) {
    return detail::owned<signal>(rac_value_to_signal(raw));
  }
};
template <>
struct convert<sequence> {
  static rac_value to(const sequence &from) { return rac_value_sequence(from.raw()); }
  static sequence from(const rac_value &raw) {
    return detail::owned<sequence>(rac_value_to_sequence(raw));
  }
};

/* ---- Errors that nobody handles -------------------------------------------- */

/// Has `function(const rac::error &, std::string_view chain)` told of each, on whichever thread it
/// arrives; nullptr: each is a line in the log. See rac_set_unhandled_error().
template <class F>
void set_unhandled_error(F &&function) {
  using H = std::decay_t<F>;
  rac_status status;
  if constexpr (std::is_same_v<H, std::nullptr_t>) {
    (void)function;
    status = rac_set_unhandled_error(nullptr, nullptr, nullptr);
  } else {
    using functions = detail::functions<H>;
    detail::kept<functions> kept(std::forward<F>(function));
    status = rac_set_unhandled_error(
        kept.get(),
        [](void *context, const rac_unhandled_error *report) noexcept {
          detail::called<functions, 0> called(context);
          (*called)(convert<error>::from(report->error), std::string_view(report->chain));
        },
        kept.give());
  }
  if (status < 0) detail::fail();
}

/* ---- Loops over sequences ------------------------------------------------- */

/// The iterator of `for (const rac::value &each : sequence)`; it throws the error of a sequence
/// that fails.
class sequence_position {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = value;
  using difference_type = std::ptrdiff_t;
  using pointer = const value *;
  using reference = const value &;

  sequence_position() = default;
  explicit sequence_position(sequence_iterator iterator) : iterator_(std::move(iterator)) {
    ++*this;
  }
  const value &operator*() const noexcept { return value_; }
  const value *operator->() const noexcept { return &value_; }
  sequence_position &operator++() {
    detail::result<rac_value> out;
    const rac_status status = rac_sequence_next(iterator_.raw(), out.out());
    value_ = status == RAC_EEMPTY ? value() : out.of<value>(status);
    if (status == RAC_EEMPTY) iterator_ = sequence_iterator();
    return *this;
  }
  void operator++(int) { ++*this; }
  /// Only whether both are at the end is known.
  bool operator==(const sequence_position &other) const noexcept {
    return iterator_.raw() == other.iterator_.raw();
  }
  bool operator!=(const sequence_position &other) const noexcept { return !(*this == other); }

 private:
  sequence_iterator iterator_;
  value value_;
};

inline sequence_position begin(const sequence &all) { return sequence_position(all.iterate()); }
inline sequence_position end(const sequence &) { return {}; }

}  // namespace rac

#undef RAC_COLD

#endif /* RAC_HPP */
