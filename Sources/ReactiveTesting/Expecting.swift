import Reactive

extension Marbles {
  /// Observes a signal, lets time pass, and compares what came with a diagram: each value as it
  /// prints.
  ///
  /// Time passes for as long as the diagram takes and one step more, so that what comes too late is
  /// seen.
  ///
  /// - Throws: `MarbleMismatch`, which knows the line of the call; `MarbleSyntaxError`.
  public func expect<Source: SignalProtocol>(
    _ source: Source, _ diagram: String, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) throws {
    let position = MarblePosition(fileID: fileID, filePath: filePath, line: line, column: column)
    try expect(source, diagram, position) { "\($0)" }
  }

  /// The same with values in place of letters.
  ///
  /// - Parameter values: what each letter of the diagram stands for.
  /// - Throws: `MarbleMismatch`, which knows the line of the call; `MarbleSyntaxError`.
  public func expect<Source: SignalProtocol>(
    _ source: Source, _ diagram: String, _ values: [Character: Source.Value],
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) throws where Source.Value: Equatable {
    let position = MarblePosition(fileID: fileID, filePath: filePath, line: line, column: column)
    try expect(source, diagram, position) { value in
      values.first { $0.value == value }.map { String($0.key) } ?? "\(value)"
    }
  }

  /// What a signal sends while some steps of time pass, as a diagram, each value as it prints: to
  /// be compared with the test framework's own means.
  ///
  ///     #expect(marbles.diagram(of: numbers, steps: 6) == "--1-2|")
  ///
  /// Where the diagram has no room, for a long text or many values at a time, it is a list with
  /// times: `10@2 |@3`.
  ///
  /// - Parameter steps: from 0 to a million, whatever it says.
  public func diagram<Source: SignalProtocol>(of source: Source, steps: Int) -> String {
    record(source, steps: min(max(steps, 0), 1_000_000)) { "\($0)" }.description
  }

  private func expect<Source: SignalProtocol>(
    _ source: Source, _ diagram: String, _ position: MarblePosition,
    _ text: @escaping @Sendable (Source.Value) -> String
  ) throws {
    let expected = try MarbleDiagram(parsing: diagram)
    let heard = record(source, steps: expected.length + 1, text)
    if heard.events != expected.events {
      throw MarbleMismatch(
        expected: expected.description, heard: heard.description, position: position)
    }
  }

  private func record<Source: SignalProtocol>(
    _ source: Source, steps: Int, _ text: @escaping @Sendable (Source.Value) -> String
  ) -> MarbleDiagram {
    let recording = Recording()
    let begin = scheduler.now
    let record: @Sendable (MarbleDiagram.Mark) -> Void = { [scheduler, step] mark in
      let time = ((scheduler.now - begin) / step).rounded()
      recording.add(.init(time: Int(time), mark: mark))
    }
    scheduler.letTasksRun {
      let observation = source.observe {
        record(.value(text($0)))
      } completion: {
        if case .failed = $0 { record(.error) } else { record(.completion) }
      }
      scheduler.advance(by: step * steps)
      observation.dispose()
    }
    return recording.diagram(length: steps)
  }
}

/// What came was not what a diagram says.
public struct MarbleMismatch: Error, Hashable, CustomStringConvertible {
  /// The diagram.
  public let expected: String
  /// What came, as a diagram.
  public let heard: String
  /// Where `expect` was called.
  public let position: MarblePosition

  /// The place as compilers write it, and both diagrams below each other.
  public var description: String {
    "\(position): not as expected\n  expected  \(expected)\n  heard     \(heard)"
  }
}

/// A place in a source file, in the types that test frameworks take: `XCTFail(_:file:line:)`, and
/// `SourceLocation` of Swift Testing.
public struct MarblePosition: Sendable, CustomStringConvertible {
  /// Module and file: `#fileID`.
  public let fileID: StaticString
  /// The file with its folders: `#filePath`.
  public let filePath: StaticString
  /// Counted from 1.
  public let line: UInt
  /// Counted from 1.
  public let column: UInt

  /// As compilers write it.
  public var description: String { "\(filePath):\(line):\(column)" }
}

extension MarblePosition: Hashable {
  /// Whether both are the same place.
  public static func == (a: MarblePosition, b: MarblePosition) -> Bool {
    a.description == b.description
  }

  /// Of the place.
  public func hash(into hasher: inout Hasher) { hasher.combine(description) }
}
