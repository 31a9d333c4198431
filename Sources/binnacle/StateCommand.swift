import BinnacleModel
import BinnaclePosix
import Devices
import StateLog

/// `binnacle state`: what the board keeps.
enum StateCommand: Equatable {
  /// List the records.
  case show(KeptRecords, isJSON: Bool, showsPlaces: Bool)
  /// Save them as a log; without a path to standard output.
  case backup(KeptRecords, path: String?)
  case restore(StateRestore)
  case erase(EraseSubject)
  /// Accept what is lost.
  case accept
  /// Look at a log that no daemon need have.
  case check(path: String, isJSON: Bool)
  /// Make a raw partition ready for a log.
  case prepare(StatePreparation)

  static let options: [Arguments.Option] = [
    .flag("json"), .flag("force"), .flag("coordinates"), .value("state"),
  ]

  init(_ arguments: Arguments) throws(Arguments.UsageError) {
    let words = arguments.positionals
    let order = words.first ?? "show"
    let rest = Array(words.dropFirst())
    let kept = KeptRecords(stateDirectory: arguments.value("state"))
    guard rest.count <= StateCommand.wordsMax(of: order) else {
      throw .init("unexpected argument '\(rest[rest.count - 1])'")
    }
    switch order {
    case "show":
      self = .show(
        kept, isJSON: arguments.has("json"), showsPlaces: arguments.has("coordinates"))
    case "backup": self = .backup(kept, path: rest.first.flatMap { $0 == "-" ? nil : $0 })
    case "restore":
      self = .restore(
        StateRestore(
          path: try StateCommand.named("restore", "FILE", rest), kept: kept,
          isForced: arguments.has("force")))
    case "accept": self = .accept
    case "erase": self = .erase(try StateCommand.subject(rest))
    case "check":
      self = .check(
        path: try StateCommand.named("check", "FILE", rest), isJSON: arguments.has("json"))
    case "prepare":
      self = .prepare(
        StatePreparation(
          device: try StateCommand.named("prepare", "DEVICE", rest),
          isForced: arguments.has("force")))
    default: throw .init("'state \(order)' is not a command")
    }
  }

  private static func wordsMax(of order: String) -> Int {
    switch order {
    case "show", "accept": 0
    case "erase": 2
    default: 1
    }
  }

  private static func named(
    _ order: String, _ noun: String, _ words: [String]
  ) throws(Arguments.UsageError) -> String {
    guard let word = words.first, !word.isEmpty else {
      throw .init("state \(order) needs a \(noun)")
    }
    return word
  }

  private static func subject(
    _ words: [String]
  ) throws(Arguments.UsageError) -> EraseSubject {
    let choice = EraseSubject.words.joined(separator: ", ")
    guard let word = words.first else { throw .init("state erase needs one of \(choice)") }
    guard EraseSubject.words.contains(word) else {
      throw .init("state erase: '\(word)' is not one of \(choice)")
    }
    guard let subject = EraseSubject(word: word, app: words.dropFirst().first) else {
      throw .init(
        "state erase \(word): there is no '\(words[1])' of it; only defaults are an app's")
    }
    return subject
  }

  func run(_ commands: Commands) throws(Errno) -> ExitStatus {
    switch self {
    case .show(let kept, let isJSON, let showsPlaces):
      switch try kept.read(commands, program: "binnacle state show") {
      case .failure(let failure): return failure.status
      case .success(let records):
        let text = RecordList(records: records, showsPlaces: showsPlaces)
        return Output.print(isJSON ? text.json : text.table) ? .success : .failure
      }
    case .backup(let kept, let path):
      return try StateBackup(kept: kept, path: path).run(commands)
    case .restore(let restore): return restore.run()
    case .erase(let subject):
      return try commands.changeState(.erase(subject), program: "binnacle state erase")
    case .accept: return try commands.changeState(.accept, program: "binnacle state accept")
    case .check(let path, let isJSON): return StateCheck(path: path).run(isJSON: isJSON)
    case .prepare(let preparation): return preparation.run()
    }
  }
}
