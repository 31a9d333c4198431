import Posix

/// `binnacle state`: what the board keeps.
enum StateCommand: Equatable {
  /// Look at a log that no daemon need have.
  case check(path: String, isJSON: Bool)

  static let options: [Arguments.Option] = [.flag("json")]

  init(_ arguments: Arguments) throws(Arguments.UsageError) {
    let words = arguments.positionals
    switch words.first {
    case "check":
      guard words.count == 2, !words[1].isEmpty else { throw .init("state check needs a FILE") }
      self = .check(path: words[1], isJSON: arguments.has("json"))
    case nil: throw .init("state needs an order: check")
    case let word?: throw .init("'state \(word)' is not a command")
    }
  }

  func run() -> ExitStatus {
    switch self {
    case .check(let path, let isJSON): StateCheck(path: path).run(isJSON: isJSON)
    }
  }
}
