import CRAC
import XCTest

/// Laws 23 and 24: a property's value is whole and at hand, and bound properties end equal.
final class PropertyContractTests: LibraryTestCase {
  private func property(_ initial: Int64, _ options: Int = RAC_PROPERTY_PLAIN) -> OpaquePointer {
    own(rac_property_create(rac_value_int64(initial), UInt32(options)))
  }

  private func set(_ property: OpaquePointer, _ number: Int64) -> rac_status {
    rac_property_set(property, rac_value_int64(number))
  }

  private func get(_ property: OpaquePointer) -> Int64 {
    var value = rac_value()
    XCTAssertEqual(rac_property_get(property, &value), 0)
    return value.bits
  }

  func testASetIsASend() {
    let counter = property(1)
    var statuses: [rac_status] = []
    let first = record(rac_property_as_signal(counter)) { value in
      if value.bits == 2 {
        statuses.append(self.set(counter, 3))
        statuses.append(self.set(counter, 4))
        // What is being delivered.
        XCTAssertEqual(self.get(counter), 2)
      }
    }
    let second = record(rac_property_as_signal(counter))
    XCTAssertEqual(set(counter, 2), 0)
    XCTAssertEqual(statuses, [rac_status(RAC_QUEUED), rac_status(RAC_QUEUED)])
    XCTAssertEqual(first.text, "1 2 3 4")
    XCTAssertEqual(second.text, "1 2 3 4")
    drop(counter)
    XCTAssertEqual(first.text, "1 2 3 4 |")
  }

  func testANewcomerHearsASuffix() {
    let counter = property(0)
    let all = record(rac_property_as_signal(counter))
    let late = Guarded<[Recorder]>([])
    inParallel(2) { thread in
      for number in 1...2000 {
        rac_property_set(counter, rac_value_int64(Int64(thread * 10000 + number)))
        if number % 500 == 0 {
          let recorder = Recorder()
          recorder.subscribe(to: rac_property_as_signal(counter))
          late.with { $0.append(recorder) }
        }
      }
    }
    XCTAssertTrue(eventually { all.count == 4001 })
    for recorder in late.value {
      XCTAssertTrue(eventually { recorder.events.last == all.events.last })
      XCTAssertEqual(recorder.events, Array(all.events.suffix(recorder.count)))
      own(recorder.subscription)
    }
  }

  func testReadsAreWhole() {
    let text = own(rac_property_create(rac_value_nil(), 0))
    let isDone = Guarded(false)
    inParallel(3) { thread in
      if thread == 0 {
        for number in 1...20000 {
          let half = Int64(number)
          let pair = rac_value_tuple([rac_value_int64(half), rac_value_int64(half)], 2)
          rac_property_set(text, number % 3 == 0 ? rac_value_int64(half) : pair)
          rac_value_release(pair)
        }
        isDone.with { $0 = true }
        return
      }
      while !isDone.value {
        var value = rac_value()
        rac_property_get(text, &value)
        if Int(value.kind) == RAC_TUPLE {
          XCTAssertEqual(rac_tuple_get(value, 0).bits, rac_tuple_get(value, 1).bits)
        }
        rac_value_release(value)
      }
    }
  }

  func testBoundPropertiesEndEqual() {
    // A ring with a chain at it.
    let properties = (0..<5).map { property(Int64($0)) }
    for (left, right) in [(0, 1), (1, 2), (2, 0), (2, 3), (3, 4)] {
      own(rac_property_bind_two_way(properties[left], properties[right]))
    }
    XCTAssertEqual(Set(properties.map(get)), [4])
    let recorders = properties.map { record(rac_property_as_signal($0)) }
    inParallel(2) { thread in
      for number in 1...5000 {
        rac_property_set(
          properties[thread * 4], rac_value_int64(Int64((thread + 1) * 10000 + number)))
      }
    }
    XCTAssertTrue(eventually { Set(properties.map(self.get)).count == 1 })
    XCTAssertTrue([15000, 25000].contains(get(properties[0])))
    for recorder in recorders {
      XCTAssertLessThanOrEqual(recorder.count, 10001, "a change went round")
    }
  }

  func testNoChangeComesBack() {
    let model = property(1)
    let terminal = own(rac_property_terminal(model, rac_value_nil()))
    let view = record(rac_subject_as_signal(terminal))
    send(2, 3, to: terminal)
    _ = set(model, 4)
    XCTAssertEqual(view.text, "1 4")
    XCTAssertEqual(get(model), 4)
  }
}
