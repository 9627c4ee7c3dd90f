/* The parts of rac_classes.hpp: counted handles, and the conversion of the arguments,
 * results and exceptions of the functions of rac_functions.hpp. Include rac.hpp.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef RAC_CALLBACKS_HPP
#define RAC_CALLBACKS_HPP

namespace rac {

class signal;
class sequence;

namespace detail {

/* ---- Handles ------------------------------------------------------------- */

/// A reference to a handle; a copy is one reference more.
template <class T>
class handle {
 public:
  handle() noexcept = default;
  explicit handle(T *owned) noexcept : pointer_(owned) {}
  handle(const handle &other) noexcept
      : pointer_(static_cast<T *>(rac_retain(other.pointer_))) {}
  handle(handle &&other) noexcept : pointer_(other.release()) {}
  handle &operator=(handle other) noexcept {
    std::swap(pointer_, other.pointer_);
    return *this;
  }
  ~handle() {
    if (pointer_) rac_release(pointer_);
  }
  T *raw() const noexcept { return pointer_; }
  T *release() noexcept { return std::exchange(pointer_, nullptr); }
  explicit operator bool() const noexcept { return pointer_ != nullptr; }

 private:
  T *pointer_ = nullptr;
};

/// Subjects and properties are signals: the same handle by another type.
template <class Base, class T>
class retyped : public Base {
 public:
  retyped() noexcept = default;
  explicit retyped(T *owned) noexcept : Base(reinterpret_cast<rac_signal *>(owned)) {}
  T *raw() const noexcept { return reinterpret_cast<T *>(Base::raw()); }
};

template <class R, class T>
R owned(T *pointer) {
  if (pointer == nullptr) fail();
  return R(pointer);
}

template <class R, class T>
R shared(T *pointer) {
  return owned<R>(static_cast<T *>(rac_retain(pointer)));
}

template <class T, class C>
std::vector<T *> all(const std::vector<C> &handles) {
  std::vector<T *> pointers;
  for (const C &each : handles) pointers.push_back(each.raw());
  return pointers;
}

/// Values lie in an array as C has them.
inline const rac_value *raw(const std::vector<value> &values) {
  static_assert(sizeof(value) == sizeof(rac_value));
  return reinterpret_cast<const rac_value *>(values.data());
}

/// The type of the elements that rac_subject_send_array() is given.
constexpr int32_t array_type(const value *) { return RAC_ARRAY_VALUES; }
constexpr int32_t array_type(const int64_t *) { return RAC_ARRAY_INT64S; }
constexpr int32_t array_type(const double *) { return RAC_ARRAY_DOUBLES; }

/* ---- Arguments ----------------------------------------------------------- */

/// A value that the function writes besides its result.
class written {
 public:
  explicit written(rac_value *out) noexcept : out_(out) {}
  written(const written &) = delete;
  ~written() { *out_ = value_.release(); }
  value &get() noexcept { return value_; }

 private:
  rac_value *out_;
  value value_;
};

/// A handle that C lends for the length of a call.
template <class R>
class borrowed {
 public:
  template <class T>
  explicit borrowed(T *lent) noexcept : handle_(lent) {}
  borrowed(const borrowed &) = delete;
  ~borrowed() {
    if (!is_owned_) handle_.release();
  }
  const R &get() const noexcept { return handle_; }
  /// For a function that may move from it.
  R &owned() noexcept {
    if (!is_owned_) rac_retain(handle_.raw());
    is_owned_ = true;
    return handle_;
  }

 private:
  R handle_;
  bool is_owned_ = false;
};
template <class Raw>
constexpr bool is_borrowed = false;
template <class R>
constexpr bool is_borrowed<borrowed<R>> = true;

/// An argument as the function wants it.
template <class A, class Raw>
decltype(auto) argument(Raw &raw) {
  using T = std::decay_t<A>;
  if constexpr (is_borrowed<Raw>) {
    if constexpr (std::is_lvalue_reference_v<A> && !std::is_const_v<std::remove_reference_t<A>>)
      return raw.owned();
    else
      return raw.get();
  } else if constexpr (std::is_same_v<Raw, written>) {
    return (raw.get());
  } else if constexpr (std::is_same_v<std::remove_const_t<Raw>, lent> && !std::is_same_v<T, lent>) {
    return convert<T>::from(raw.get());
  } else {
    return (raw);
  }
}

template <class Arguments, class F, std::size_t... I, class... Raw>
decltype(auto) invoke_as(F &function, std::index_sequence<I...>, Raw &...raw) {
  return function(argument<std::tuple_element_t<I, Arguments>>(raw)...);
}

template <class Arguments, class F, std::size_t... I>
decltype(auto) invoke_list(F &function, std::index_sequence<I...>, const list &elements) {
  if (elements.size() != sizeof...(I))
    fail(RAC_ERANGE, "as many values as the function takes were expected");
  return function(convert<std::decay_t<std::tuple_element_t<I, Arguments>>>::from(
      elements[I].get())...);
}

template <class F>
constexpr bool takes_list() {
  using A = typename signature<F>::arguments;
  if constexpr (std::tuple_size_v<A> == 1)
    return std::is_same_v<std::decay_t<std::tuple_element_t<0, A>>, list>;
  return false;
}

template <class F, class... Raw>
decltype(auto) call(F &function, Raw &&...raw) {
  if constexpr (!signature<F>::is_known) {
    return function(argument<lent>(raw)...);
  } else {
    using A = typename signature<F>::arguments;
    using Indices = std::make_index_sequence<std::tuple_size_v<A>>;
    if constexpr ((std::is_same_v<std::decay_t<Raw>, list> && ...) && sizeof...(Raw) == 1) {
      if constexpr (!takes_list<F>())
        return invoke_list<A>(function, Indices(), raw...);
      else
        return function(raw...);
    } else {
      static_assert(std::tuple_size_v<A> == sizeof...(Raw), "the function takes other arguments");
      return invoke_as<A>(function, Indices(), raw...);
    }
  }
}

/* ---- Results ------------------------------------------------------------- */

inline void give(bool *out, bool result) noexcept { *out = result; }
inline void give(std::int32_t *out, int result) noexcept { *out = result; }

template <class R>
void give(rac_value *out, R &&result) {
  using T = std::decay_t<R>;
  if constexpr (std::is_same_v<T, value> || std::is_same_v<T, lent>)
    *out = value(std::forward<R>(result)).release();
  else
    *out = convert<T>::to(std::forward<R>(result));
}

template <class T, class R>
void give(T **out, R result) {
  *out = result.release();
}

template <class Out, class Function>
void put(Out *out, Function function) {
  if constexpr (std::is_void_v<decltype(function())>)
    function();
  else
    give(out, function());
}

/// The exception that is being handled, as the error of a stream.
RAC_COLD inline rac_status raise_current() noexcept {
  try {
    throw;
  } catch (const failure &known) {
    return rac_raise(
        error::from_exception(known.what(), "rac.callback", known.status()).get());
  } catch (const error &known) {
    return rac_raise(known.get().get());
  } catch (const std::exception &known) {
    return rac_raise(error::from_exception(known.what()).get());
  } catch (...) {
    return rac_raise(error::from_exception("an exception").get());
  }
}

template <class Function>
rac_status guarded(Function function) noexcept {
  try {
    function();
    return RAC_OK;
  } catch (...) {
    return raise_current();
  }
}

constexpr bool is_lent = true;

/// Where a function writes what its status does not say.
template <class T, bool IsLent = false>
class result {
 public:
  result() = default;
  result(const result &) = delete;
  ~result() {
    if constexpr (std::is_same_v<T, rac_value> && !IsLent) rac_value_release(raw_);
  }
  T *out() noexcept { return &raw_; }

  /// For a status, which it throws if it is a failure; RAC_ESTREAM is the error that was
  /// written here.
  rac_status checked(rac_status status) {
    if constexpr (std::is_same_v<T, rac_value>) {
      if (status == RAC_ESTREAM) error(value::owned(std::exchange(raw_, T()))).rethrow();
    }
    if (status < 0) {
      const failure latest(status);
      rac_clear_last_error();
      throw latest;
    }
    return status;
  }
  template <class R>
  R of(rac_status status) {
    checked(status);
    if constexpr (std::is_same_v<R, value>) {
      return IsLent ? value::copied(raw_) : value::owned(std::exchange(raw_, T()));
    } else if constexpr (std::is_arithmetic_v<R>) {
      return raw_;
    } else {
      return owned<R>(raw_);
    }
  }
  template <class R>
  R of(rac_status status, result<rac_value> &error) {
    error.checked(status);
    return of<R>(status);
  }

 private:
  T raw_ = T();
};

/// Where a function writes a handle that its caller may do without.
template <class Handle>
class handed {
 public:
  explicit handed(Handle *to) noexcept : to_(to) {}
  handed(const handed &) = delete;
  ~handed() {
    if (to_ != nullptr) *to_ = Handle(raw_);
  }
  auto out() noexcept { return to_ != nullptr ? &raw_ : nullptr; }

 private:
  Handle *to_;
  decltype(std::declval<Handle>().raw()) raw_ = nullptr;
};

/* ---- Subscribing --------------------------------------------------------- */

/// A subscription that ends with its variable.
class subscription {
 public:
  subscription() noexcept = default;
  explicit subscription(rac_disposable *owned) noexcept : handle_(owned) {}
  subscription(subscription &&) noexcept = default;
  subscription &operator=(subscription &&other) noexcept {
    dispose();
    handle_ = std::move(other.handle_);
    return *this;
  }
  ~subscription() { dispose(); }
  rac_disposable *raw() const noexcept { return handle_.raw(); }
  rac_disposable *release() noexcept { return handle_.release(); }
  bool is_active() const noexcept { return handle_ && !rac_is_disposed(handle_.raw()); }
  void dispose() noexcept {
    if (handle_) rac_dispose_and_release(handle_.release());
  }
  /// It goes on until the signal ends.
  void detach() noexcept { handle_ = handle<rac_disposable>(); }

 private:
  handle<rac_disposable> handle_;
};

class signal_base : public handle<rac_signal> {
 public:
  using handle<rac_signal>::handle;

  /// Calls next with each value and at most one of the others at the end. An exception
  /// of theirs ends the program, as in a thread.
  template <class Next, class Error = std::nullptr_t, class Completed = std::nullptr_t>
  [[nodiscard]] subscription subscribe(Next &&next, Error &&error = nullptr,
                                       Completed &&completed = nullptr) const;

  /// The same at once, on whichever thread. The scheduler, if not NULL, is the current one meanwhile.
  template <class Next, class Error = std::nullptr_t, class Completed = std::nullptr_t>
  [[nodiscard]] subscription subscribe_inline(rac_scheduler *scheduler, Next &&next,
                                              Error &&error = nullptr,
                                              Completed &&completed = nullptr) const;

  /// An operator of your own: the function gets the state, of which every subscription has a
  /// copy, and the rac::step of each event, which sends none, one or many values. An
  /// exception is the stream's error.
  template <class State, class Function>
  signal step(State &&initial, Function &&function) const;

  /// subscribe, until the signal ends.
  template <class... F>
  void subscribe_detached(F &&...functions) const {
    subscribe(std::forward<F>(functions)...).detach();
  }
};

class sequence_base : public handle<rac_sequence> {
 public:
  using handle<rac_sequence>::handle;

  /// As signal.step(); each reading has a copy of the state.
  template <class State, class Function>
  sequence step(State &&initial, Function &&function) const;
};

}  // namespace detail

using detail::subscription;

}  // namespace rac

#endif /* RAC_CALLBACKS_HPP */
