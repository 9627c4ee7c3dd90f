import CRAC
import Synchronization

/// An observation that goes on, with the place where it began.
public struct LiveObservation: Sendable, CustomStringConvertible {
  /// The signal's name: the recorded chain, such as "[clock] -filter", or the one that it was
  /// given.
  public let signal: String
  /// Module and file of the call of `observe`: `#fileID`. Of a loop over values: "a loop".
  public let fileID: StaticString
  /// Counted from 1; 0 of a loop.
  public let line: UInt

  /// The place as compilers write it, and the name.
  public var description: String {
    let place = line == 0 ? "\(fileID)" : "\(fileID):\(line)"
    return signal.isEmpty ? place : "\(place): \(signal)"
  }
}

/// Whether observations that begin from now on are recorded for `liveObservations()`, and the names
/// of the signals made from now on. Not at first: it makes `observe` several times as slow.
public var recordsObservations: Bool {
  get { ObservationRecord.isOn.load(ordering: .relaxed) }
  set {
    ObservationRecord.isOn.store(newValue, ordering: .relaxed)
    rac_set_names_enabled(newValue)
  }
}

/// The observations that go on, in the order in which they began: those that began while
/// `recordsObservations` was true. For tests, and for finding leaks.
///
///     recordsObservations = true
///     …
///     for each in liveObservations() { print(each) }   // App/Panel.swift:12: [names] -map:
public func liveObservations() -> [LiveObservation] {
  ObservationRecord.all.withLock { all in
    all.entries.sorted { $0.key < $1.key }.map(\.value)
  }
}

enum ObservationRecord {
  struct All {
    var entries: [UInt: LiveObservation] = [:]
    var last: UInt = 0
  }

  static let isOn = Atomic<Bool>(false)
  static let all = Locked(All())

  /// Its number, not 0.
  @inline(never)
  static func begin(_ signal: OpaquePointer?, _ fileID: StaticString, _ line: UInt) -> UInt {
    let name = text { rac_signal_describe(signal, $0, $1) }
    let entry = LiveObservation(signal: name, fileID: fileID, line: line)
    return all.withLock { all in
      all.last += 1
      all.entries[all.last] = entry
      return all.last
    }
  }

  @inline(never)
  static func end(_ number: UInt) {
    // Released outside of the lock.
    let entry = all.withLock { $0.entries.removeValue(forKey: number) }
    withExtendedLifetime(entry) {}
  }
}
