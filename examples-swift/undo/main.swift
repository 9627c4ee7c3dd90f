// A form of twenty fields, each on the screen, whose edits are undone and done again. The form is
// one value, so a history of it is an array. A field is a lens: it is set like a property of its
// own, and its observer hears of no other field.
//
//     swift run undo
//     swift run -c release undo 100000   takes so many edits back, and says how long that took
//
// SPDX-License-Identifier: MIT
import Reactive

struct Form: Sendable, Equatable {
  var name = "", title = "", company = "", department = ""
  var street = "", city = "", region = "", postcode = "", country = "Italy"
  var mail = "", phone = "", web = "", notes = ""
  var age = 0, height = 0.0, visits = 0
  var isMember = false, isVegetarian = false, wantsMail = false, isUrgent = false
}

/// The values of a property before each edit, and before each undo.
@MainActor final class History<Value: Sendable> {
  let canUndo = Property(false, distinct: true)
  let canRedo = Property(false, distinct: true)
  private let property: Property<Value>
  private var past: [Value] = []
  private var future: [Value] = []

  init(of property: Property<Value>) { self.property = property }

  /// Changes made by `body` are one edit: observers hear of it when it is whole.
  func edit(_ body: () -> Void) {
    past.append(property.value)
    future.removeAll()
    Properties.batch(body)
    tell()
  }

  func undo() {
    guard let value = past.popLast() else { return }
    future.append(property.value)
    property.value = value
    tell()
  }

  func redo() {
    guard let value = future.popLast() else { return }
    past.append(property.value)
    property.value = value
    tell()
  }

  private func tell() {
    canUndo.value = !past.isEmpty
    canRedo.value = !future.isEmpty
  }
}

/// Shows each field, when it has changed.
@MainActor final class Screen {
  let observations = DisposableBag()
  private let form: Property<Form>
  private let show: @Sendable (String) -> Void

  init(_ form: Property<Form>, show: @escaping @Sendable (String) -> Void) {
    self.form = form
    self.show = show
    fields(\.name, \.title, \.company, \.department, \.street, \.city, \.region)
    fields(\.postcode, \.country, \.mail, \.phone, \.web, \.notes)
    fields(\.age, \.visits)
    fields(\.height)
    fields(\.isMember, \.isVegetarian, \.wantsMail, \.isUrgent)
  }

  private func fields<Part: Sendable>(_ paths: (WritableKeyPath<Form, Part> & Sendable)...) {
    for path in paths {
      let label = "\(path)".drop { $0 != "." }.dropFirst()
      form[path].dropFirst().observe { [show] in show("\(label): \($0)") }.store(in: observations)
    }
  }
}

@MainActor func scene() {
  let form = Property(Form())
  let history = History(of: form)
  let screen = Screen(form) { print("  \($0)") }
  let isComplete = form.mapped(distinct: true) { !$0.name.isEmpty && $0.mail.contains("@") }
  isComplete.observe { print("  may be sent: \($0)") }.store(in: screen.observations)
  history.canRedo.dropFirst().observe { print("  may be done again: \($0)") }
    .store(in: screen.observations)

  print("edit the name")
  history.edit { form[\.name].value = "Ada" }
  print("edit the address")
  history.edit {
    form[\.street].value = "Via Po 1"
    form[\.city].value = "Turin"
  }
  print("edit the mail")
  history.edit { form[\.mail].value = "ada@example.com" }
  print("count a visit")
  history.edit { form[\.visits] += 1 }
  while history.canUndo.value {
    print("undo")
    history.undo()
  }
  print("redo")
  history.redo()
  history.redo()
  print("edit the city: what was undone is gone")
  history.edit { form[\.city].value = "Milan" }
  print("\(form.value.name), \(form.value.street), \(form.value.city)")
}

@MainActor func measure(_ count: Int) {
  let form = Property(Form())
  let history = History(of: form)
  let shown = Property(0)
  let screen = Screen(form) { _ in shown += 1 }
  let visits = form[\.visits]
  let notes = form[\.notes]
  for number in 1...count {
    history.edit { if number % 2 == 0 { visits += 1 } else { notes.value = "\(number)" } }
  }
  shown.value = 0
  let begin = ContinuousClock.now
  while history.canUndo.value { history.undo() }
  let time = ContinuousClock.now - begin
  print("\(count) edits taken back in \(time), \(shown.value) fields shown")
  precondition(form.value == Form())
  screen.observations.disposeAll()
}

if let count = CommandLine.arguments.dropFirst().first.flatMap({ Int($0) }), count > 0 {
  measure(count)
} else {
  scene()
}
