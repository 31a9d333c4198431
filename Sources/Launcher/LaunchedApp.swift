import BinnacleBasics
import BinnaclePosix
import LaunchWire

/// An app that the launcher has started, or has taken over from the launcher before it.
final class LaunchedApp {
  let identifier: String
  let userID: UInt32
  /// The first process.
  let process: ProcessHandle
  let processes: AppProcesses
  /// nil: the pipe was removed while no launcher ran.
  let output: OutputPipe?
  var phase: Phase
  var freezing = Freezing.no
  /// When the record is written again, because it could not be written; nil: the record is up to date.
  var recordDue: Instant?
  /// Output that no daemon has got, oldest first.
  private(set) var waitingOutput: [OutputLines.Item] = []
  private let startTicks: UInt64

  /// Output that waits for a daemon beyond this number of lines is dropped, oldest first.
  static let waitingLinesMax = 200

  /// The life of an app.
  enum Phase {
    /// The program is about to be run.
    case starting(Start)
    case running
    /// The first process has ended, and the other processes are killed; the end is reported at the latest at this time.
    case ending(LaunchReport.Ending, until: Instant)
  }

  /// A start that is under way.
  struct Start {
    var child: WaitingChild
    /// The program, as the manifest names it.
    var found: AppPrograms.Found
    /// The request.
    var ticket: LaunchTicket
  }

  /// Whether the processes are stopped.
  enum Freezing: Equatable {
    case no
    /// The kernel stops the processes, by this request; at the latest at this time it has failed.
    case underWay(LaunchTicket, until: Instant)
    case frozen
  }

  init(
    identifier: String, userID: UInt32, process: ProcessHandle, startTicks: UInt64,
    processes: AppProcesses, output: OutputPipe?, phase: Phase
  ) {
    self.identifier = identifier
    self.userID = userID
    self.process = process
    self.startTicks = startTicks
    self.processes = processes
    self.output = output
    self.phase = phase
  }

  /// The app as the daemon gets it.
  var report: LaunchReport.App {
    LaunchReport.App(
      identifier: identifier, processID: process.processID, isFrozen: freezing != .no,
      group: processes.reported)
  }

  /// The record for the next launcher.
  func record(isFrozen: Bool) -> LaunchRecord {
    var record = LaunchRecord(
      processID: process.processID, startTicks: startTicks, bootID: ProcessStatus.bootID,
      userID: userID, isFrozen: isFrozen, group: nil)
    if case .controlGroup(let group, let name) = processes {
      record.group = .init(directory: group.path, identity: group.identity, name: name)
    }
    return record
  }

  /// Whether the program runs, and its first process has not ended.
  var isRunning: Bool { if case .running = phase { true } else { false } }

  /// The next time at which the app needs the launcher without an event.
  var nextDeadline: Instant? {
    var due = earlier(output?.nextDeadline, recordDue)
    if case .underWay(_, let until) = freezing { due = earlier(due, until) }
    if case .ending(_, let until) = phase { due = earlier(due, until) }
    return due
  }

  func watch(with poll: inout Poll) {
    if let descriptor = output?.descriptor { poll.set(descriptor, .reading) }
    switch phase {
    case .starting(let start):
      poll.set(start.child.descriptor, .reading)
      poll.set(process.descriptor, .reading)
    case .running: poll.set(process.descriptor, .reading)
    case .ending: break
    }
    if isGroupWatched, let group = processes.group { poll.set(group.descriptor, .changing) }
  }

  private var isGroupWatched: Bool {
    if case .ending = phase { return true }
    if case .underWay = freezing { return true }
    return false
  }

  /// Keeps output for a daemon.
  func keep(_ item: OutputLines.Item) {
    waitingOutput.append(item)
    guard waitingOutput.count > LaunchedApp.waitingLinesMax else { return }
    let dropped = waitingOutput.prefix(2).reduce(UInt32(0)) { sum, item in
      let more: UInt32 = if case .lost(let count) = item { count } else { 1 }
      return sum.addingReportingOverflow(more).overflow ? .max : sum + more
    }
    waitingOutput.replaceSubrange(..<2, with: [.lost(dropped)])
  }

  func takeWaitingOutput() -> [OutputLines.Item] {
    defer { waitingOutput = [] }
    return waitingOutput
  }
}

/// The request that an answer belongs to.
struct LaunchTicket: Equatable {
  /// The number of the connection.
  var connection: UInt64
  /// The number of the request.
  var request: UInt32
}
