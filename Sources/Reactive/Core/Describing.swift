import CRAC

// What `print` and a debugger show of them, in place of pointers.

extension Signal: CustomStringConvertible, CustomReflectable {
  /// Its given name, or else its recorded chain, such as "[source] -map:", with the environment
  /// variable RAC_DEBUG_SIGNAL_NAMES. Otherwise empty.
  ///
  /// RAC: -name.
  public var name: String {
    let source = signal
    return withExtendedLifetime(source) { text { rac_signal_describe(source.pointer, $0, $1) } }
  }

  /// The signal, named for those who read logs.
  ///
  /// RAC: -setNameWithFormat:.
  public func named(_ name: String) -> Signal {
    let named = Signal(adopting: makeHandle())
    withExtendedLifetime(named) { _ = rac_signal_set_name(named.pointer, name) }
    return named
  }

  /// The type, with the name.
  public var description: String { "Signal<\(Value.self)>(\(name))" }
  /// Nothing of what is inside.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension Subject: CustomStringConvertible, CustomReflectable {
  /// The type, with how many observe.
  public var description: String { "Subject<\(Value.self)>(observers: \(observerCount))" }
  /// How many observe.
  public var customMirror: Mirror { Mirror(self, children: ["observerCount": observerCount]) }
}

extension Property: CustomStringConvertible, CustomReflectable {
  /// The type, with the value.
  public var description: String { "Property<\(Value.self)>(\(value))" }
  /// The value.
  public var customMirror: Mirror { Mirror(self, children: ["value": value]) }
}

extension DerivedProperty: CustomStringConvertible, CustomReflectable {
  /// The type, with the value.
  public var description: String { "DerivedProperty<\(Value.self)>(\(value))" }
  /// The value.
  public var customMirror: Mirror { Mirror(self, children: ["value": value]) }
}

extension Lens: CustomStringConvertible, CustomReflectable {
  /// The type, with the value.
  public var description: String { "Lens<\(Value.self)>(\(value))" }
  /// The value.
  public var customMirror: Mirror { Mirror(self, children: ["value": value]) }
}

extension Command: CustomStringConvertible, CustomReflectable {
  /// The types, with what it is doing.
  public var description: String {
    let state = isExecuting ? "executing" : isEnabled ? "enabled" : "disabled"
    return "Command<\(Input.self), \(Output.self)>(\(state))"
  }
  /// Its state.
  public var customMirror: Mirror {
    Mirror(self, children: ["isExecuting": isExecuting, "isEnabled": isEnabled])
  }
}

extension Disposable: CustomStringConvertible {
  /// Whether it was disposed.
  public var description: String { "Disposable(\(isDisposed ? "disposed" : "active"))" }
}

/// The text of a C function that returns the length it would have, as `snprintf` does.
func text(_ write: (UnsafeMutablePointer<CChar>?, Int) -> Int) -> String {
  let length = write(nil, 0)
  if length <= 0 { return "" }
  return String(unsafeUninitializedCapacity: length + 1) { bytes in
    bytes.withMemoryRebound(to: CChar.self) {
      Swift.min(write($0.baseAddress, length + 1), length)
    }
  }
}
