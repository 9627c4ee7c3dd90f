import CRAC
import Reactive

/// What a row does `count` times; the sum says that it did.
struct Row {
  let name: String
  /// The most that the face may take, in multiples of the C names; 0 for no limit.
  let limit: Double
  let names: @Sendable (Int) -> Int
  let face: @Sendable (Int) -> Int
}

/// Sums, without an atomic operation: everything here runs on one thread.
final class Sum: @unchecked Sendable {
  var value = 0
}

func release(_ handles: OpaquePointer?...) {
  for handle in handles { rac_release(UnsafeMutableRawPointer(handle)) }
}

func context(_ sum: Sum) -> UnsafeMutableRawPointer { Unmanaged.passUnretained(sum).toOpaque() }

let add: @Sendable @convention(c) (UnsafeMutableRawPointer?, rac_value) -> Void = {
  context, value in
  Unmanaged<Sum>.fromOpaque(context.unsafelyUnwrapped)._withUnsafeGuaranteedRef {
    $0.value &+= Int(value.bits)
  }
}

/// What an observation keeps: a reference, which it gives back at its end. A closure captures it.
func kept(_ sum: Sum) -> UnsafeMutableRawPointer { Unmanaged.passRetained(sum).toOpaque() }

let giveBack: @Sendable @convention(c) (UnsafeMutableRawPointer?) -> Void = {
  Unmanaged<Sum>.fromOpaque($0.unsafelyUnwrapped).release()
}

let rows: [Row] = [
  Row(
    name: "send", limit: 1.15,
    names: { count in
      let sum = Sum()
      let subject = rac_subject_create()
      let subscription = rac_subscribe_next(rac_subject_as_signal(subject), context(sum), add, nil)
      for number in 0..<count { rac_subject_send(subject, rac_int64(Int64(number))) }
      release(subscription, subject)
      return sum.value
    },
    face: { count in
      let sum = Sum()
      let subject = Subject<Int>()
      subject.observe { sum.value &+= $0 }
      for number in 0..<count { subject.send(number) }
      return sum.value
    }),
  Row(
    name: "map-filter-scan", limit: 1.25,
    names: { count in
      let sum = Sum()
      let subject = rac_subject_create()
      let mapped = rac_signal_map(
        rac_subject_as_signal(subject), nil,
        { _, value, out in
          out?.pointee = rac_int64(value.bits &+ 1)
          return 0
        }, nil)
      let filtered = rac_signal_filter(
        mapped, nil,
        { _, value, out in
          out?.pointee = value.bits >= 0
          return 0
        }, nil)
      let scanned = rac_signal_scan(
        filtered, rac_int64(0), nil,
        { _, running, next, out in
          out?.pointee = rac_int64(running.bits &+ next.bits)
          return 0
        }, nil)
      let subscription = rac_subscribe_next(scanned, context(sum), add, nil)
      for number in 0..<count { rac_subject_send(subject, rac_int64(Int64(number))) }
      release(subscription, scanned, filtered, mapped, subject)
      return sum.value
    },
    face: { count in
      let sum = Sum()
      let subject = Subject<Int>()
      subject.map { $0 &+ 1 }.filter { $0 >= 0 }.scan(0) { $0 &+ $1 }.observe { sum.value &+= $0 }
      for number in 0..<count { subject.send(number) }
      return sum.value
    }),
  Row(
    name: "create+subscribe+dispose", limit: 1.2,
    names: { count in
      let sum = Sum()
      for _ in 0..<count {
        let signal = rac_signal_create(
          nil,
          { _, subscriber, _ in
            rac_subscriber_send(subscriber, rac_int64(1))
            rac_subscriber_send_completed(subscriber)
            return 0
          }, nil)
        let subscription = rac_subscribe_next(signal, kept(sum), add, giveBack)
        rac_dispose(subscription)
        release(subscription, signal)
      }
      return sum.value
    },
    face: { count in
      let sum = Sum()
      for _ in 0..<count {
        let signal = Signal<Int> { observer in
          observer.send(1)
          observer.complete()
        }
        signal.observe { sum.value &+= $0 }.dispose()
      }
      return sum.value
    }),
  Row(
    name: "a property with a derived one", limit: 0,
    names: { count in
      let sum = Sum()
      let property = rac_property_create(rac_int64(0), Int32(RAC_PROPERTY_PLAIN))
      let derived = rac_property_map(
        property, Int32(RAC_PROPERTY_PLAIN), nil,
        { _, value, out in
          out?.pointee = rac_int64(value.bits &+ 1)
          return 0
        }, nil)
      let subscription = rac_subscribe_next(
        rac_property_as_signal(derived), context(sum), add, nil)
      for number in 0..<count { rac_property_set(property, rac_int64(Int64(number))) }
      release(subscription, derived, property)
      return sum.value
    },
    face: { count in
      let sum = Sum()
      let property = Property(0)
      let derived = property.mapped { $0 &+ 1 }
      derived.observe { sum.value &+= $0 }
      for number in 0..<count { property.set(number) }
      return sum.value
    }),
  Row(
    name: "subscribe+dispose, subject", limit: 0,
    names: { count in
      let sum = Sum()
      let subject = rac_subject_create()
      for _ in 0..<count {
        let subscription = rac_subscribe_next(
          rac_subject_as_signal(subject), kept(sum), add, giveBack)
        rac_subject_send(subject, rac_int64(1))
        rac_dispose(subscription)
        release(subscription)
      }
      release(subject)
      return sum.value
    },
    face: { count in
      let sum = Sum()
      let subject = Subject<Int>()
      for _ in 0..<count {
        let subscription = subject.observe { sum.value &+= $0 }
        subject.send(1)
        subscription.dispose()
      }
      return sum.value
    }),
  Row(
    name: "flatMap", limit: 1.25,
    names: { count in
      let sum = Sum()
      let subject = rac_subject_create()
      let flat = rac_signal_flatten_map(
        rac_subject_as_signal(subject), nil,
        { _, value, out in
          out?.pointee = rac_signal_return(value)
          return 0
        }, nil)
      let subscription = rac_subscribe_next(flat, context(sum), add, nil)
      for number in 0..<count { rac_subject_send(subject, rac_int64(Int64(number))) }
      release(subscription, flat, subject)
      return sum.value
    },
    face: { count in
      let sum = Sum()
      let subject = Subject<Int>()
      subject.flatMap { Signal.just($0) }.observe { sum.value &+= $0 }
      for number in 0..<count { subject.send(number) }
      return sum.value
    }),
  Row(
    name: "combineLatest", limit: 1.2,
    names: { count in
      let sum = Sum()
      let first = rac_subject_create()
      let second = rac_subject_create()
      let signals = [rac_subject_as_signal(first), rac_subject_as_signal(second)]
      let both = rac_signal_combine_latest_reduce(
        signals, 2, nil,
        { _, elements, _, out in
          let elements = elements.unsafelyUnwrapped
          out?.pointee = rac_int64(elements[0].bits &+ elements[1].bits)
          return 0
        }, nil)
      let subscription = rac_subscribe_next(both, context(sum), add, nil)
      for number in 0..<count {
        rac_subject_send(first, rac_int64(Int64(number)))
        rac_subject_send(second, rac_int64(Int64(number)))
      }
      release(subscription, both, first, second)
      return sum.value
    },
    face: { count in
      let sum = Sum()
      let first = Subject<Int>()
      let second = Subject<Int>()
      first.combineLatest(with: second) { $0 &+ $1 }.observe { sum.value &+= $0 }
      for number in 0..<count {
        first.send(number)
        second.send(number)
      }
      return sum.value
    }),
]

struct Point: Sendable { var x: Int, y: Int, z: Int }
final class Instance: Sendable {
  let number: Int
  init(_ number: Int) { self.number = number }
}

/// Rows that C has no counterpart of: in multiples of its send.
let typeRows: [Row] = [
  Row(
    name: "a struct of 24 bytes", limit: 7, names: rows[0].names,
    face: { count in
      let sum = Sum()
      let subject = Subject<Point>()
      subject.observe { sum.value &+= $0.x }
      for number in 0..<count { subject.send(Point(x: number, y: 0, z: 0)) }
      return sum.value
    }),
  Row(
    name: "an instance of a class", limit: 6, names: rows[0].names,
    face: { count in
      let sum = Sum()
      let instance = Instance(1)
      let subject = Subject<Instance>()
      subject.observe { sum.value &+= $0.number }
      for _ in 0..<count { subject.send(instance) }
      return sum.value
    }),
  Row(
    name: "an enumeration's case", limit: 0, names: rows[0].names,
    face: { count in
      let sum = Sum()
      let subject = Subject<FloatingPointSign>()
      subject.observe { sum.value &+= $0 == .plus ? 1 : 0 }
      for _ in 0..<count { subject.send(.plus) }
      return sum.value
    }),
  Row(
    name: "a String, map, filter", limit: 25, names: rows[0].names,
    face: { count in
      let sum = Sum()
      let subject = Subject<String>()
      subject.map { $0 + "!" }.filter { !$0.isEmpty }.observe { sum.value &+= $0.utf8.count }
      for _ in 0..<count { subject.send("some text") }
      return sum.value
    }),
]
