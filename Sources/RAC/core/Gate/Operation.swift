/// An operation on the object behind a gate.
enum Operation: UInt8 {
  case next, error, completed
  /// A sink joins or leaves a source.
  case add, remove
  /// The source goes away: every sink is let go without an event.
  case close
  /// A timer of an operator fired.
  case fire
  /// A job whose values are in the queue before it may go on.
  case resume
}
