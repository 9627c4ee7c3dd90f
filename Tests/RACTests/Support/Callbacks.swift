import CRAC

/// Swift closures as the callbacks of operators: what to pass as context, and the C function that calls
/// the closure. All of them end with `Contexts.destroy`.
enum Callback {
  typealias Test = (rac_value) -> Bool
  typealias Reduce = (rac_value, rac_value) -> rac_value
  typealias IndexedReduce = (rac_value, rac_value, Int) -> rac_value
  typealias ReduceEach = ([rac_value]) -> rac_value
  typealias Factory = () -> rac_value
  typealias Attempt = (rac_value) -> rac_status
  typealias SignalFactory = () -> OpaquePointer?

  static let test: rac_predicate_fn = { context, value, out in
    out?.pointee = Contexts.body(context, as: Test.self)(value)
    return 0
  }
  static let reduce: rac_reduce_fn = { context, running, next, out in
    out?.pointee = Contexts.body(context, as: Reduce.self)(running, next)
    return 0
  }
  static let indexedReduce: rac_reduce_index_fn = { context, running, next, index, out in
    out?.pointee = Contexts.body(context, as: IndexedReduce.self)(running, next, index)
    return 0
  }
  static let reduceEach: rac_reduce_each_fn = { context, elements, count, out in
    let values = Array(UnsafeBufferPointer(start: elements, count: count))
    out?.pointee = Contexts.body(context, as: ReduceEach.self)(values)
    return 0
  }
  static let factory: rac_factory_fn = { context, out in
    out?.pointee = Contexts.body(context, as: Factory.self)()
    return 0
  }
  static let attempt: rac_try_fn = { context, value in
    Contexts.body(context, as: Attempt.self)(value)
  }
  static let signal: rac_defer_fn = { context, out in
    out?.pointee = Contexts.body(context, as: SignalFactory.self)()
    return 0
  }
}
