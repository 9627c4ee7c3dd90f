/// Sends what `reduce` makes of the elements of each tuple.
///
///     source        --a--b--|   a: (1,2), b: (3,4)
///     reduce_each + --3--7--|
///
/// A value that is no tuple ends the stream with an error.
///
/// - Parameter source: borrowed; a signal of tuples.
/// - Parameter context: passed to the callbacks.
/// - Parameter reduce: gets the elements and how many there are; writes an owned value to `*out`.
///   It returns a failure if the count is not the one it wants.
/// - Parameter destroy: runs when the signal and all its subscriptions are gone; may be NULL.
/// - Returns: one reference; NULL with RAC_ENULL, RAC_ESTALE or RAC_EKIND.
///
/// RAC: -reduceEach:. Since: 0.1
@c public func rac_signal_reduce_each(
  _ source: CSignal?, _ context: CContext?, _ reduce: rac_reduce_each_fn?,
  _ destroy: rac_destroy_fn?
) -> CSignal? {
  Border.derive(source, context, reduce, destroy) { $0.reduceEach($1, $2) }
}

extension Signal {
  @inline(never)
  func reduceEach(_ context: Context, _ reduce: @escaping rac_reduce_each_fn) -> Signal {
    lift("reduceEach:", calling: context) { pointer, value, place in
      guard value.kind == Value.Kind.tuple else {
        place.fail(Status.kind, "a tuple was expected, another value was sent", at: value)
        return nil
      }
      let elements = value.elements
      place.send { reduce(pointer, elements.baseAddress, elements.count, $0) }
      return nil
    }
  }
}
