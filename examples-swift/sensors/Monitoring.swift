import Reactive

/// A sensor's value.
struct Reading: Sendable {
  var sensor: String
  var degrees: Double
}

/// A sensor's readings in one window of time.
struct Summary: Sendable, CustomStringConvertible {
  let sensor: String
  var count = 0
  var sum = 0.0
  var least = Double.infinity
  var greatest = -Double.infinity

  func adding(_ degrees: Double) -> Summary {
    var summary = self
    summary.count += 1
    summary.sum += degrees
    summary.least = min(least, degrees)
    summary.greatest = max(greatest, degrees)
    return summary
  }

  var description: String {
    let mean = (sum / Double(count) * 10).rounded() / 10
    return "\(sensor): \(count) readings, \(least) to \(greatest), mean \(mean)"
  }
}

enum Alarm: Sendable, CustomStringConvertible {
  case hot(String)
  case good(String)
  case silent(String)

  var description: String {
    switch self {
    case .hot(let sensor): "\(sensor) is hot"
    case .good(let sensor): "\(sensor) is good again"
    case .silent(let sensor): "\(sensor) is silent"
    }
  }
}

extension SignalProtocol<Reading> {
  /// A summary of each sensor for each window of time in which it has sent something. The windows
  /// of a sensor begin with its first reading.
  func summaries(every time: Duration, on clock: Scheduler) -> Signal<Summary> {
    grouped(by: \.sensor).flatMap { group in
      group.windows(for: time, on: clock).flatMap { window in
        window.reduce(Summary(sensor: group.key)) { $0.adding($1.degrees) }
      }
      .filter { $0.count > 0 }
    }
  }

  /// Where the mean of a sensor's last readings goes above a limit, and where it comes back.
  func heat(above limit: Double, over time: Duration, on clock: Scheduler) -> Signal<Alarm> {
    grouped(by: \.sensor).flatMap { group in
      group.map(\.degrees)
        .rollingMean(for: time, on: clock)
        .map { $0 > limit }
        .removeDuplicates()
        .drop { isHot in !isHot }
        .map { isHot in isHot ? Alarm.hot(group.key) : Alarm.good(group.key) }
    }
  }

  /// Where a sensor has sent nothing for some time.
  func silence(for time: Duration, on clock: Scheduler) -> Signal<Alarm> {
    grouped(by: \.sensor).flatMap { group in
      group.debounce(for: time, on: clock).map { _ in Alarm.silent(group.key) }
    }
  }
}
