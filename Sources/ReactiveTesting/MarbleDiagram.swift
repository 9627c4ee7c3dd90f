/// Events with their times, from a text such as `--a--(bc)-|`.
///
/// Each character is a step of time, beginning with 0. A `-` is a step in which nothing happens, a
/// letter or a digit a value, `|` the completion, `#` an error. What stands in parentheses happens
/// at once, at the time of the opening one; time goes on as the text does, so that diagrams below
/// each other stay in line. Blanks mean nothing.
struct MarbleDiagram: Equatable {
  enum Mark: Hashable {
    case value(String)
    case error
    case completion

    var text: String {
      switch self {
      case .value(let text): text
      case .error: "#"
      case .completion: "|"
      }
    }
  }

  struct Event: Equatable {
    var time: Int
    var mark: Mark
  }

  var events: [Event] = []
  /// How many steps it takes.
  var length = 0

  init() {}

  init(parsing text: String) throws {
    var openedAt: Int? = nil
    var ended = false
    for (index, character) in text.filter({ !$0.isWhitespace }).enumerated() {
      func refuse(_ message: String) -> MarbleSyntaxError {
        MarbleSyntaxError(text: text, index: index, message: message)
      }
      length = index + 1
      let mark: Mark
      switch character {
      case "-":
        if openedAt != nil { throw refuse("no time passes between parentheses") }
        continue
      case "(":
        if openedAt != nil { throw refuse("parentheses inside parentheses") }
        openedAt = index
        continue
      case ")":
        if openedAt == nil { throw refuse("nothing was opened") }
        openedAt = nil
        continue
      case "|": mark = .completion
      case "#": mark = .error
      default:
        guard character.isLetter || character.isNumber else {
          throw refuse("'\(character)' is no letter, digit or one of -|#()")
        }
        mark = .value(String(character))
      }
      if ended { throw refuse("an event after the end") }
      if case .value = mark {} else { ended = true }
      events.append(Event(time: openedAt ?? index, mark: mark))
    }
    if openedAt != nil {
      throw MarbleSyntaxError(text: text, index: length, message: "a parenthesis stays open")
    }
  }
}

extension MarbleDiagram: CustomStringConvertible {
  /// As it would be written; with the times behind the events where the diagram has no room for
  /// that.
  var description: String { drawn ?? listed }

  private var drawn: String? {
    var text = ""
    var index = 0
    while index < events.count {
      let together = events[index...].prefix { $0.time == events[index].time }
      guard text.count <= events[index].time,
        together.allSatisfy({ $0.mark.text.count == 1 })
      else { return nil }
      text += String(repeating: "-", count: events[index].time - text.count)
      let marks = together.map(\.mark.text).joined()
      text += together.count == 1 ? marks : "(\(marks))"
      index += together.count
    }
    // Nothing more is to come after an end.
    if case .value? = events.last?.mark {} else if !events.isEmpty { return text }
    return text + String(repeating: "-", count: max(0, length - text.count))
  }

  private var listed: String {
    events.map { "\($0.mark.text)@\($0.time)" }.joined(separator: " ")
  }
}

/// A text that is no marble diagram.
public struct MarbleSyntaxError: Error, Hashable, CustomStringConvertible {
  /// What is wrong.
  public let text: String
  /// Where, counted in characters from 0, without blanks.
  public let index: Int
  /// Why, for people.
  public let message: String

  /// The text, where, and why.
  public var description: String { "\"\(text)\", at character \(index): \(message)" }
}
