/* Functions of C++ behind a context of C: in the context itself where they fit, or in
 * memory of their own. Include rac.hpp.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef RAC_FUNCTIONS_HPP
#define RAC_FUNCTIONS_HPP

namespace rac {
namespace detail {

/// The types that the function takes, unless it takes any.
template <class F, class = void>
struct signature {
  static constexpr bool is_known = false;
  static constexpr bool is_const = false;
};
template <bool IsConst, class... A>
struct known_signature {
  static constexpr bool is_known = true;
  static constexpr bool is_const = IsConst;
  using arguments = std::tuple<A...>;
};
template <class R, class... A>
struct signature<R (*)(A...)> : known_signature<true, A...> {};
template <class R, class... A>
struct signature<R (*)(A...) noexcept> : known_signature<true, A...> {};
template <class M>
struct member;
template <class R, class C, class... A>
struct member<R (C::*)(A...)> : known_signature<false, A...> {};
template <class R, class C, class... A>
struct member<R (C::*)(A...) const> : known_signature<true, A...> {};
template <class R, class C, class... A>
struct member<R (C::*)(A...) noexcept> : known_signature<false, A...> {};
template <class R, class C, class... A>
struct member<R (C::*)(A...) const noexcept> : known_signature<true, A...> {};
template <class F>
struct signature<F, std::void_t<decltype(&F::operator())>> : member<decltype(&F::operator())> {};

/// The bytes that a function carries along; a lambda without captures has none.
template <class F>
constexpr std::size_t state_size =
    std::is_same_v<F, std::nullptr_t> || std::is_empty_v<F> ? 0 : sizeof(F);

/// Whether a copy for each call does as well as the function: a lambda whose captures are copied
/// as bytes, and that changes none. A class that can be assigned is no lambda, and may change
/// mutable members in a const call: it is not copied.
template <class F>
constexpr bool is_copied =
    std::is_trivially_copyable_v<F> &&
    (state_size<F> == 0 || std::is_pointer_v<F> ||
     (signature<F>::is_const && !std::is_copy_assignable_v<F>));

/// The functions of one context, in memory of their own.
template <class... F>
struct in_memory {
  template <class... G>
  explicit in_memory(G &&...given) : all(std::forward<G>(given)...) {}
  template <std::size_t I>
  using function = std::tuple_element_t<I, std::tuple<F...>>;
  void *context() noexcept { return this; }
  std::tuple<F...> all;
};

/// The same in the bytes of the context itself, side by side, or in the same place where all
/// that carry something carry the same.
template <bool IsSame, class... F>
struct in_word {
  explicit in_word(const F &...given) noexcept {
    std::size_t at = 0;
    (put(given, at), ...);
  }
  template <std::size_t I>
  using function = std::tuple_element_t<I, std::tuple<F...>>;
  template <std::size_t I>
  static constexpr std::size_t offset() {
    constexpr std::size_t sizes[] = {state_size<F>...};
    std::size_t at = 0;
    for (std::size_t i = 0; i < I && !IsSame; i++) at += sizes[i];
    return at;
  }
  void *context() const noexcept { return bits_; }

 private:
  template <class G>
  void put(const G &given, std::size_t &at) noexcept {
    if constexpr (state_size<G> != 0) {
      std::memcpy(reinterpret_cast<char *>(&bits_) + at, &given, sizeof given);
      if (!IsSame) at += sizeof given;
    }
  }
  void *bits_ = nullptr;
};

template <class... F>
constexpr bool fits_word = (is_copied<F> && ...) && (state_size<F> + ... + 0) <= sizeof(void *);

/// The functions of one context; one that is nullptr is NULL in C.
template <class... F>
using functions = std::conditional_t<fits_word<F...>, in_word<false, F...>, in_memory<F...>>;

/// Whether all that the functions carry may be one word, such as the `this` of an object whose
/// methods they call.
template <class... F>
constexpr bool may_be_same =
    !fits_word<F...> && (is_copied<F> && ...) &&
    ((state_size<F> == 0 || state_size<F> == sizeof(void *)) && ...);

template <class... F>
bool are_same(const F &...given) noexcept {
  [[maybe_unused]] const void *last = in_word<true, F...>(given...).context();
  return ((state_size<F> == 0 || in_word<true, F>(given).context() == last) && ...);
}

template <class H, std::size_t I>
constexpr bool is_null = std::is_same_v<typename H::template function<I>, std::nullptr_t>;

/// One of the functions, for the length of a call.
template <class H, std::size_t I>
class called;
template <std::size_t I, class... F>
class called<in_memory<F...>, I> {
 public:
  explicit called(void *context) noexcept
      : function_(std::get<I>(static_cast<in_memory<F...> *>(context)->all)) {}
  auto &operator*() noexcept { return function_; }

 private:
  std::tuple_element_t<I, std::tuple<F...>> &function_;
};
template <std::size_t I, bool IsSame, class... F>
class called<in_word<IsSame, F...>, I> {
  using H = in_word<IsSame, F...>;
  using function = typename H::template function<I>;

 public:
  explicit called(void *context) noexcept {
    std::memcpy(static_cast<void *>(&function_),
                reinterpret_cast<char *>(&context) + H::template offset<I>(),
                state_size<function>);
  }
  function &operator*() noexcept { return function_; }

 private:
  union {  // nothing makes it but its bytes
    function function_;
  };
};

/// Freed by destroy once the call has it, whatever comes of the call. A call may ask for it after
/// that: arguments come in any order.
template <class H>
class kept {
 public:
  template <class... G>
  explicit kept(G &&...given) : functions_(new H(std::forward<G>(given)...)) {}
  kept(const kept &) = delete;
  kept &operator=(const kept &) = delete;
  ~kept() {
    if (!is_given_) delete functions_;
  }
  void *get() const noexcept { return functions_; }
  rac_destroy_fn give() noexcept {
    is_given_ = true;
    return [](void *context) { delete static_cast<H *>(context); };
  }

 private:
  H *functions_;
  bool is_given_ = false;
};
/// There is nothing to free.
template <bool IsSame, class... F>
class kept<in_word<IsSame, F...>> {
 public:
  explicit kept(const F &...given) noexcept : functions_(given...) {}
  void *get() const noexcept { return functions_.context(); }
  rac_destroy_fn give() const noexcept { return nullptr; }

 private:
  in_word<IsSame, F...> functions_;
};

}  // namespace detail
}  // namespace rac

#endif /* RAC_FUNCTIONS_HPP */
