extension Signal {
  /// Drops all values, and goes on after the completion with a signal that is made only then.
  ///
  /// ```
  /// source --1--2--|
  /// next            --3--|
  /// then   ----------3--|
  /// ```
  /// C: rac_signal_then. RAC: -then:
  func then(_ context: Context, _ factory: @escaping rac_defer_fn) -> Signal {
    ignoreValues().concat(.deferred(context, factory)).named("then:", self)
  }
}
