import BinnacleModel
import BinnaclePosix
import BinnacleText
import Devices
import LocationEngine
import StateLog

/// `binnacle state check`: prints the content and the losses of a state log, with the daemon's own recovery.
///
/// The command writes nothing, so it can read a card from another board, and a log in use. A log in use may show an
/// unfinished commit, which is complete a moment later.
struct StateCheck {
  let path: String
  /// The number of this board.
  var board = BoardNumber.read()

  /// Reads the log of any board; reports a file that is not a log.
  func read() -> Result<Recovery, KeptRecords.Failure> {
    var file: LogFile
    do throws(Errno) {
      file = try LogFile(path: path, isForReading: true)
    } catch {
      complain("\(path): \(StateCheck.advice(on: error))")
      return .failure(.init(status: StateCheck.status(of: error)))
    }
    let recovery = recovery(of: &file)
    if let reason = StateCheck.refusal(of: recovery) {
      complain("\(path): \(reason)")
      return .failure(.init(status: .dataDamaged))
    }
    return .success(recovery)
  }

  func run(isJSON: Bool) -> ExitStatus {
    let recovery: Recovery
    switch read() {
    case .failure(let failure): return failure.status
    case .success(let found): recovery = found
    }
    let report = report(on: recovery)
    guard Output.print(isJSON ? ReportText.json(report) : ReportText.lines(report)) else {
      return .failure
    }
    return recovery.verdict == .sound ? .success : .failure
  }

  /// Reads a log with the owner that the log itself has.
  private func recovery(of file: inout LogFile) -> Recovery {
    let own = recovery(of: &file, owner: board)
    guard case .refused(.foreign(let owner)) = own.verdict else { return own }
    return recovery(of: &file, owner: owner)
  }

  private func recovery(of file: inout LogFile, owner: UInt64) -> Recovery {
    let mark = StateMark.read(ofLogAt: path, file, owner: owner)
    return Recovery(
      of: &file, owner: owner, expecting: .ofFile, mark: mark, protecting: RecordTable.protecting)
  }

  // MARK: A file that is not a log

  /// The reason why a log cannot be opened, and a hint how to name the log.
  static func advice(on error: Errno) -> String {
    switch error {
    case .isADirectory: "it is a directory; the log in it is called state.log"
    case .tooManyLinks: "it is a symbolic link; name the file that it leads to"
    case .invalidArgument, .noSuchDeviceOrAddress: "it is neither a file nor a partition"
    default: "\(error)"
    }
  }

  /// The exit status of a command that cannot open a log.
  static func status(of error: Errno) -> ExitStatus {
    switch error {
    case .isADirectory, .tooManyLinks, .invalidArgument, .noSuchDeviceOrAddress: .dataDamaged
    case .accessDenied, .notPermitted: .notPermitted
    default: .inputMissing
    }
  }

  private static func refusal(of recovery: Recovery) -> String? {
    switch recovery.verdict {
    case .sound, .damaged: nil
    case .blank: "no log: nothing but zeros, nothing has ever been kept here"
    case .refused(.empty): "no log: it is empty"
    case .refused(.unrecognized): "no log: it has no block of a log"
    case .refused(.foreign): "no log: blocks of several boards are in it"
    case .refused(.newerFormat(let major)):
      "a newer version wrote it (format \(major)); that version's 'binnacle state check' reads it"
    case .refused(.unreadable(let fault)): "it cannot be read: \(fault)"
    }
  }

  // MARK: The content

  private func report(on recovery: Recovery) -> Report {
    var report = Report()
    report.add("log.verdict", .text(recovery.verdict == .sound ? "whole" : "damaged"))
    let isOwn = recovery.owner == board
    report.add("log.board", .text(StateCheck.name(ofBoard: recovery.owner)))
    report.add("log.is_of_this_board", .flag(isOwn))
    report.add("log.block_bytes", .integer(Int64(recovery.geometry.blockSize)))
    report.add("log.blocks", .integer(Int64(2 * recovery.geometry.blocksPerSegment)))
    report.add("log.last_commit", .integer(Int64(recovery.lastCommit ?? 0)))
    report.add("log.unfinished_commit", .flag(recovery.hasUnfinishedCommit))
    report.add("log.unfinished_copy", .flag(recovery.hasUnfinishedCompaction))
    report.add("log.cut_off", .flag(!recovery.isWhole))
    for (index, loss) in recovery.losses.enumerated() {
      report.add("log.lost.\(index + 1)", .text("\(loss)"))
    }
    for (index, name) in recovery.withheld.enumerated() {
      report.add("log.withheld.\(index + 1)", .text(StateCheck.name(ofKind: name.kind)))
    }
    if let fault = recovery.flushFault { report.add("log.flush_fault", .text("\(fault)")) }
    report.add("records.count", .integer(Int64(recovery.records.entries.count)))
    report.add("records.bytes", .integer(Int64(recovery.records.encodedSize)))
    for (name, count) in StateCheck.counts(of: recovery.records) {
      report.add("records.\(name)", .integer(count))
    }
    return report
  }

  /// The number of records per type, by the number of the type.
  private static func counts(of records: RecordSet) -> [(name: String, count: Int64)] {
    let numbers = Set(records.entries.map(\.name.kind)).sorted()
    return numbers.map { number in
      let name = String(StateCheck.name(ofKind: number).map { $0 == " " ? "_" : $0 })
      return (name, Int64(records.count(ofKind: number)))
    }
  }

  /// The name of a record type, or the number of a type that only a newer version knows.
  private static func name(ofKind number: UInt16) -> String {
    RecordTable.kind(number)?.name ?? "type \(number)"
  }

  private static func name(ofBoard owner: UInt64) -> String {
    owner == 0 ? "without a number" : String(owner, radix: 16)
  }
}
