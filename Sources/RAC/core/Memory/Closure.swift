/// A function of the user's and the context that it is called with, as an operator keeps them.
///
///     transform.function(transform.pointer, value, &out)
///
/// A structure, because generic classes miscompile in Embedded Swift.
struct Closure<Function> {
  let context: Context
  /// The context's, at hand.
  let pointer: UnsafeMutableRawPointer?
  let function: Function

  init(_ context: Context, _ function: Function) {
    self.context = context
    pointer = context.pointer
    self.function = function
  }
}
