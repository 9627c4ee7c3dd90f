#if canImport(Testing)
  import Reactive
  import ReactiveTesting
  import Testing

  /// Marbles in Swift Testing.
  @Suite struct CheckTests {
    @Test func aDifferenceIsAnIssueOfItsLine() throws {
      let marbles = Marbles()
      let source = try marbles.cold("-a-b|", ["a": 1, "b": 2])
      marbles.check(source, "-1-2|")
      marbles.check(source, "-a-b|", ["a": 1, "b": 2])
      let line = #line + 2
      withKnownIssue {
        marbles.check(source, "-1-3|")
      } matching: { issue in
        issue.sourceLocation?.line == line
          && "\(issue)".contains("expected -1-3|, heard -1-2|")
      }
      withKnownIssue {
        marbles.check(source, "-(1", ["1": 1])
      } matching: {
        $0.error is MarbleSyntaxError
      }
    }
  }
#endif
