#if canImport(Testing)
  import Reactive
  import ReactiveTesting
  import Testing

  @testable import sensors

  /// The tests of the example `sensors`, as a program has them: its functions from signal to
  /// signal, in marbles. A step is five seconds.
  @Suite struct SensorsTests {
    let marbles = Marbles(step: .seconds(5))

    /// Letters of the first sensor, `k`, and of the second, `c`.
    func readings(_ diagram: String) throws -> Signal<Reading> {
      try marbles.cold(
        diagram,
        [
          "1": Reading(sensor: "k", degrees: 10), "3": Reading(sensor: "k", degrees: 30),
          "9": Reading(sensor: "k", degrees: 90), "a": Reading(sensor: "c", degrees: 1),
          "b": Reading(sensor: "c", degrees: 2),
        ])
    }

    @Test func aWindowIsSummedUpForEachSensor() throws {
      let summaries = try readings("1a3----b-|").summaries(
        every: .seconds(20), on: marbles.scheduler)
      marbles.check(
        summaries.map { "\($0)" }, "----kc---(d|)",
        [
          "k": "k: 2 readings, 10.0 to 30.0, mean 20.0", "c": "c: 1 readings, 1.0 to 1.0, mean 1.0",
          "d": "c: 1 readings, 2.0 to 2.0, mean 2.0",
        ])
    }

    @Test func whatIsHotForAMomentIsNoAlarm() throws {
      let heat = try readings("3333933333|").heat(
        above: 50, over: .seconds(20), on: marbles.scheduler)
      marbles.check(heat.map { "\($0)" }, "----------|")
    }

    @Test func whatStaysHotIs() throws {
      let heat = try readings("33a399b9931111|").heat(
        above: 50, over: .seconds(20), on: marbles.scheduler)
      marbles.check(
        heat.map { "\($0)" }, "-----h-----g--|", ["h": "k is hot", "g": "k is good again"])
    }

    @Test func aSensorThatIsSilent() throws {
      let silence = try readings("1a1-1------1").silence(for: .seconds(20), on: marbles.scheduler)
      marbles.check(
        silence.map { "\($0)" }, "-----c--k------k-", ["c": "c is silent", "k": "k is silent"])
    }
  }
#endif
