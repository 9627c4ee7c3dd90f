// The settings of a player: properties that a screen shows and changes, some derived from others, a
// field that is bound to a number in both directions, and a command that saves what has changed.
//
// SPDX-License-Identifier: MIT
import Reactive

struct Settings: Sendable, Equatable {
  var name = "Radio"
  var volume = 5
}

/// What the screen shows. It is the main actor's, as a screen is.
@MainActor final class Model {
  struct NoNumber: Error {}

  @Observed var name = Settings().name
  @Observed var volume = Settings().volume
  /// What stands in the volume's field: a text, which need not be a number at every moment.
  let volumeField = Property("")
  let title: DerivedProperty<String>
  let isLoud: DerivedProperty<Bool>
  let save: Command<Settings, String>

  private let saved = Property(Settings(), distinct: true)
  private let binding: Disposable

  init() throws {
    let name = _name.projectedValue
    let volume = _volume.projectedValue
    let saved = saved
    title = name.combined(with: volume) { "\($0) at \($1)" }
    isLoud = volume.mapped(distinct: true) { $0 > 8 }
    // First the field takes the number; then either follows the other.
    binding = try volumeField.bindTwoWay(
      with: volume,
      forward: { text in
        guard let number = Int(text) else { throw NoNumber() }
        return min(max(number, 0), 11)
      }, backward: { String($0) })
    let hasChanged = name.combineLatest(with: volume) { Settings(name: $0, volume: $1) }
      .combineLatest(with: saved) { $0 != $1 }
    save = Command(enabledIf: hasChanged) { settings in
      try await Task.sleep(for: .milliseconds(5))
      saved.value = settings
      return "saved \(settings.name), \(settings.volume)"
    }
  }
}

let model = try Model()
// What is shown comes in a turn of the main actor's, and here waits for nobody's clock.
let shownSaving = Subject<Void>(replaying: 1)
let screen = [
  model.title.observe { print("title: \($0)") },
  model.isLoud.dropFirst().observe { print($0 ? "that is loud" : "that is better") },
  model.save.executing.filter { $0 }.observe { _ in
    print("saving …")
    shownSaving.send()
  },
]

model.volume = 11
print("field: \(model.volumeField.value)")
model.volumeField.value = "seven"  // is no number: the volume stays
print("volume: \(model.volume)")
model.volumeField.value = "7"
print("volume: \(model.volume)")

// Both at once: the title is made once, and nobody sees one without the other.
Properties.batch {
  model.name = "Gramophone"
  model.volume = 3
}

let saved = model.save.execute(Settings(name: model.name, volume: model.volume))
try await shownSaving.first()
print(try await saved.last())
do {
  _ = try await model.save(Settings(name: model.name, volume: model.volume))
} catch let error as EngineError where error.isNotEnabled {
  print("nothing to save")
}
for observation in screen { observation.dispose() }
