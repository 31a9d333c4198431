import BinnacleModel
import BinnaclePosix
import Devices
import StateLog

/// `binnacle state`: commands for the stored records.
enum StateCommand: Equatable {
  /// List the records.
  case show(KeptRecords, isJSON: Bool, showsPlaces: Bool)
  /// Save the records as a log; `-` is standard output.
  case backup(KeptRecords, path: String)
  case restore(StateRestore)
  case erase(EraseSubject)
  /// Accept the loss of records.
  case accept
  /// Check a log; no daemon is needed.
  case check(path: String, isJSON: Bool)
  /// Prepare a raw partition for a log.
  case prepare(StatePreparation)

  // MARK: The rows of the command table

  static func showing(_ arguments: Arguments) -> StateCommand {
    .show(
      KeptRecords(arguments), isJSON: arguments.has("json"),
      showsPlaces: arguments.has("coordinates"))
  }

  static func backingUp(_ arguments: Arguments) -> StateCommand {
    .backup(
      KeptRecords(arguments),
      path: arguments.positionals.first ?? DocumentOutput.standardOutput)
  }

  static func restoring(_ arguments: Arguments) throws(Arguments.UsageError) -> StateCommand {
    .restore(
      StateRestore(
        path: try named("restore", "FILE", arguments), kept: KeptRecords(arguments),
        isForced: arguments.has("force")))
  }

  static func erasing(_ arguments: Arguments) throws(Arguments.UsageError) -> StateCommand {
    .erase(try subject(arguments.positionals))
  }

  static func checking(_ arguments: Arguments) throws(Arguments.UsageError) -> StateCommand {
    .check(path: try named("check", "FILE", arguments), isJSON: arguments.has("json"))
  }

  static func preparing(_ arguments: Arguments) throws(Arguments.UsageError) -> StateCommand {
    .prepare(
      StatePreparation(
        device: try named("prepare", "DEVICE", arguments), isForced: arguments.has("force")))
  }

  private static func named(
    _ verb: String, _ noun: String, _ arguments: Arguments
  ) throws(Arguments.UsageError) -> String {
    guard let word = arguments.positionals.first, !word.isEmpty else {
      throw .init("state \(verb) needs a \(noun)")
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
        let list = RecordList(records: records, showsPlaces: showsPlaces)
        let lines = isJSON ? list.objects : [list.table]
        return lines.allSatisfy { Output.print($0) } ? .success : .failure
      }
    case .backup(let kept, let path):
      return try StateBackup(kept: kept, path: path).run(commands)
    case .restore(let restore): return try restore.run(commands)
    case .erase(let subject):
      return try commands.changeState(.erase(subject), program: "binnacle state erase")
    case .accept: return try commands.changeState(.accept, program: "binnacle state accept")
    case .check(let path, let isJSON): return StateCheck(path: path).run(isJSON: isJSON)
    case .prepare(let preparation): return preparation.run()
    }
  }
}
