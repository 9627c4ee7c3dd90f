#if canImport(Testing)
  import Reactive
  import Testing

  extension Marbles {
    /// `expect` for Swift Testing: a difference is an issue of its line, and the test goes on.
    ///
    ///     @Test func searchWaits() throws {
    ///       let marbles = Marbles()
    ///       let search = try marbles.hot("-a-bc------d|")
    ///         .debounce(for: .seconds(3), on: marbles.scheduler)
    ///       marbles.check(search, "-------c----(d|)")
    ///     }
    ///
    /// A helper hands the place on that it was called from.
    public func check<Source: SignalProtocol>(
      _ source: Source, _ diagram: String, sourceLocation: SourceLocation = #_sourceLocation
    ) {
      record(at: sourceLocation) { try expect(source, diagram) }
    }

    /// The same with values in place of letters.
    ///
    /// - Parameters:
    ///   - source: the signal.
    ///   - diagram: what it should send.
    ///   - values: what each letter of the diagram stands for.
    ///   - sourceLocation: where the issue is.
    public func check<Source: SignalProtocol>(
      _ source: Source, _ diagram: String, _ values: [Character: Source.Value],
      sourceLocation: SourceLocation = #_sourceLocation
    ) where Source.Value: Equatable {
      record(at: sourceLocation) { try expect(source, diagram, values) }
    }

    private func record(at place: SourceLocation, _ expect: () throws -> Void) {
      do {
        try expect()
      } catch let mismatch as MarbleMismatch {
        Issue.record(
          "expected \(mismatch.expected), heard \(mismatch.heard)", sourceLocation: place)
      } catch {
        Issue.record(error, sourceLocation: place)
      }
    }
  }
#endif
