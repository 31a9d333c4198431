import Posix

/// `binnacle state`: what the board keeps.
enum StateCommand: Equatable {
  /// Look at a log that no daemon need have.
  case check(path: String, isJSON: Bool)
  /// Make a raw partition ready for a log.
  case prepare(StatePreparation)

  static let options: [Arguments.Option] = [.flag("json"), .flag("force")]

  init(_ arguments: Arguments) throws(Arguments.UsageError) {
    let words = arguments.positionals
    switch words.first {
    case "check":
      guard words.count == 2, !words[1].isEmpty else { throw .init("state check needs a FILE") }
      self = .check(path: words[1], isJSON: arguments.has("json"))
    case "prepare":
      guard words.count == 2, !words[1].isEmpty else { throw .init("state prepare needs a DEVICE") }
      self = .prepare(StatePreparation(device: words[1], isForced: arguments.has("force")))
    case nil: throw .init("state needs an order: check or prepare")
    case let word?: throw .init("'state \(word)' is not a command")
    }
  }

  func run() -> ExitStatus {
    switch self {
    case .check(let path, let isJSON): StateCheck(path: path).run(isJSON: isJSON)
    case .prepare(let preparation): preparation.run()
    }
  }
}
