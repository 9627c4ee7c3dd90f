// Sensors: each one's readings summed up in windows of a minute, an alarm when the mean of the last
// half minute is too high, and one when a sensor is silent. Its work on readings is in
// Monitoring.swift, as functions from signal to signal that take their clock: here that of six
// virtual minutes, in a service Scheduler.background(). Its tests are
// Tests/ReactiveTests/SensorsTests.swift.
//
// SPDX-License-Identifier: MIT
import Reactive

let clock = Scheduler.virtual()

/// A reading every five seconds. The kitchen is hot for a while, the cellar falls silent.
let kitchen = Signal.interval(.seconds(5), on: clock).prefix(72).map { number in
  Reading(sensor: "kitchen", degrees: (24..<36).contains(number) ? 35 : 21 + Double(number % 3))
}
let cellar = Signal.interval(.seconds(5), on: clock).prefix(20).map { number in
  Reading(sensor: "cellar", degrees: 12 - Double(number % 2) / 2)
}
// Each connection is observed once, whatever is made of it.
let readings = merge(kitchen, cellar.append(Signal.never)).prefixUntil(
  Signal.interval(.seconds(361), on: clock)
).share()

let alarms = merge(
  readings.heat(above: 30, over: .seconds(30), on: clock),
  readings.silence(for: .seconds(60), on: clock))
merge(
  readings.summaries(every: .seconds(60), on: clock).map { "\($0)" },
  alarms.map { "  \($0)!" }
)
.timestamped(on: clock)
.observe { line, time in
  print("\(time.components.seconds / 60) min \(time.components.seconds % 60) s: \(line)")
} completion: { _ in
  print("the end")
}
clock.advance(by: .seconds(400))
