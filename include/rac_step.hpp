/* An operator of your own in C++: signal.step(state, function), sequence.step. Include
 * rac.hpp; docs/YourOwnOperator.md tells the rest.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef RAC_STEP_HPP
#define RAC_STEP_HPP

namespace rac {

/// One event on its way through an operator of your own, lent for the call.
class step {
 public:
  step(rac_step *raw, const rac_value &value) noexcept : raw_(raw), value_(value) {}
  step(const step &) = delete;

  bool is_next() const noexcept { return raw_->event == RAC_EVENT_NEXT; }
  bool is_error() const noexcept { return raw_->event == RAC_EVENT_ERROR; }
  bool is_completed() const noexcept { return raw_->event == RAC_EVENT_COMPLETED; }

  /// The value or the error that came, nil for a completion.
  const lent &get() const noexcept { return value_; }
  template <class T>
  T as() const {
    return value_.as<T>();
  }

  /// Sends a value, as often as you like. RAC_EDONE: nobody wants more.
  rac_status send(const value &out) const noexcept { return rac_step_send(raw_, out.get()); }
  rac_status send(const lent &out) const noexcept { return rac_step_send(raw_, out.get()); }

  /// Completes, whatever came, when the function returns.
  void complete() noexcept { answer_ = RAC_STEP_COMPLETE; }
  /// The answer for C.
  rac_status answer() const noexcept { return answer_; }

 private:
  rac_step *raw_;
  lent value_;
  rac_status answer_ = RAC_OK;
};

namespace detail {

/// The context of an operator: where states begin, and what is called.
template <class State, class Function>
struct stepping {
  static_assert(std::is_copy_constructible_v<State>, "each subscription has a copy of the state");
  static_assert(alignof(State) <= alignof(std::max_align_t), "librac aligns no more");

  /// In the memory that C gives, which is all zero at first.
  struct place {
    alignas(State) unsigned char memory[sizeof(State)];
    bool is_made;
    State &state() noexcept { return *std::launder(reinterpret_cast<State *>(memory)); }
  };

  static rac_status call(void *context, rac_step *raw, rac_value value, rac_value *) {
    auto &self = *static_cast<stepping *>(context);
    auto &own = *static_cast<place *>(raw->state);
    try {
      if (!own.is_made) {
        new (own.memory) State(self.initial);
        own.is_made = true;
      }
      rac::step step(raw, value);
      self.function(own.state(), step);
      return step.answer();
    } catch (...) {
      return raise_current();
    }
  }
  static void clear(void *, void *state) noexcept {
    auto &own = *static_cast<place *>(state);
    if (own.is_made) own.state().~State();
  }

  State initial;
  Function function;
};

template <class R, class T, class State, class Function>
R stepped(T *(*make)(T *, std::size_t, void *, ::rac_step_fn, ::rac_clear_fn, rac_destroy_fn),
          T *source, State &&initial, Function &&function) {
  using H = stepping<std::decay_t<State>, std::decay_t<Function>>;
  std::unique_ptr<H> made(
      new H{std::forward<State>(initial), std::forward<Function>(function)});
  return owned<R>(make(source, sizeof(typename H::place), made.release(), H::call, H::clear,
                       [](void *context) { delete static_cast<H *>(context); }));
}

template <class State, class Function>
signal signal_base::step(State &&initial, Function &&function) const {
  return stepped<signal>(rac_signal_step, raw(), std::forward<State>(initial),
                         std::forward<Function>(function));
}

template <class State, class Function>
sequence sequence_base::step(State &&initial, Function &&function) const {
  return stepped<sequence>(rac_sequence_step, raw(), std::forward<State>(initial),
                           std::forward<Function>(function));
}

}  // namespace detail
}  // namespace rac

#endif /* RAC_STEP_HPP */
