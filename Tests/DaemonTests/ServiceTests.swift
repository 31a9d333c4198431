import BinnacleBasics
import BinnacleModel
import BinnaclePosix
import BinnacleWire
import Devices
import LocationEngine
import StateLog
import TestSupport
import Testing

/// The built daemon between a simulated receiver and its clients.
@Suite(.serialized)
struct ServiceTests {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  private var device: String { directory("receiver") }

  private func startDaemon() throws -> RunningDaemon {
    try RunningDaemon(receiver: device, directory: directory)
  }

  /// A client with one open sequence.
  private func startClient(of daemon: RunningDaemon) throws -> RawClient {
    let client = try RawClient(daemon.socketPath)
    try client.greet()
    try client.say(.openUpdates(SequenceID(number: 1), .default))
    return client
  }

  private func nextFix(
    of client: RawClient, within limit: Interval = .seconds(120)
  ) throws -> Fix? {
    guard
      case .update(_, let update) = try client.hear(
        within: limit,
        where: { message in
          guard case .update(_, let update) = message else { return false }
          return update.fix != nil
        })
    else { return nil }
    return update.fix
  }

  /// The receiver's speed as the log of state has it.
  private func keptSpeed() throws -> Int? {
    var file = try LogFile(path: directory("state/state.log"), isForReading: true)
    let recovery = Recovery(
      of: &file, owner: BoardNumber.read(), expecting: .ofFile)
    return recovery.records[RecordName(kind: RecordTable.receiverSpeed.number)]
      .flatMap(ReceiverSpeedRecord.init)?.speed
  }

  @Test func aClientGetsTheFixesOfTheReceiver() throws {
    let receiver = try RunningReceiver(path: device)
    let daemon = try startDaemon()
    let client = try startClient(of: daemon)
    let first = try #require(try nextFix(of: client))
    let second = try #require(try nextFix(of: client))
    #expect(first.isSimulatedBySoftware)
    #expect(first.horizontalAccuracy > 0)
    #expect(second.time > first.time)
    #expect(try eventually { try keptSpeed() == 9_600 })
    #expect(try client.status()?["connections.count"] == .integer(1))
    _ = receiver
  }

  @Test func twoSequencesOfOneClientGetTheSameFix() throws {
    let receiver = try RunningReceiver(path: device)
    let daemon = try startDaemon()
    let client = try startClient(of: daemon)
    try client.say(.openUpdates(SequenceID(number: 2), .default))
    var fixes: [UInt32: Fix] = [:]
    _ = try client.hear(within: .seconds(120)) { message in
      guard case .update(let sequence, let update) = message, let fix = update.fix else {
        return false
      }
      fixes[sequence.number] = fix
      return fixes[1] != nil && fixes[1] == fixes[2]
    }
    #expect(fixes[1] != nil && fixes[1] == fixes[2])
    _ = receiver
  }

  /// A location for many sequences is one message, so that many sequences do not delay each other.
  @Test func twoSequencesOfAClientOfVersionElevenGetTheirFixInOneMessage() throws {
    let receiver = try RunningReceiver(path: device)
    let daemon = try startDaemon()
    let client = try RawClient(daemon.socketPath)
    try client.greet(version: 11)
    let ids = [1, 2].map { SequenceID(number: $0) }
    for id in ids { try client.say(.openUpdates(id, .default)) }
    var fixes: [SequenceID] = []
    let group = try client.hear(within: .seconds(120)) { message in
      if case .update(let id, let update) = message, update.fix != nil { fixes.append(id) }
      guard case .updates(_, let update) = message else { return false }
      return update.fix != nil
    }
    guard case .updates(let served, let update)? = group else {
      Issue.record("no message for two sequences, but \(fixes.count) for one")
      return
    }
    #expect(served == ids && update.flags == [])
    _ = receiver
  }

  @Test func aReceiverThatIsUnpluggedIsWaitedForWithoutABusyLoop() throws {
    let receiver = try RunningReceiver(path: device)
    let daemon = try startDaemon()
    let client = try startClient(of: daemon)
    _ = try #require(try nextFix(of: client))
    try receiver.unplug()
    let lost = try client.hear {
      if case .update(_, let update) = $0 {
        update.flags.contains(.locationUnavailable)
      } else {
        false
      }
    }
    #expect(lost != nil)
    #expect(try client.turnsPerSecond(for: .seconds(1)) < 100)
    let again = try RunningReceiver(path: device)
    #expect(try nextFix(of: client) != nil)
    _ = again
  }

  @Test func aMissingReceiverIsReportedOnceAndWaitedFor() throws {
    let daemon = try startDaemon()
    let client = try startClient(of: daemon)
    #expect(try daemon.says("No such file"))
    let receiver = try RunningReceiver(path: device)
    #expect(try nextFix(of: client) != nil)
    let reports = daemon.logText.split(separator: "\n").count { $0.contains("No such file") }
    #expect(reports == 1)
    _ = receiver
  }

  @Test func aSecondDaemonEndsWith75AndNamesTheFirst() throws {
    let daemon = try startDaemon()
    let outcome = try ChildProcess.run(
      Programs.path("binnacled"),
      [
        "--receiver", device, "--runtime", daemon.runtimeDirectory, "--state", directory("other"),
      ])
    #expect(outcome.ending == .exited(75))
    #expect(outcome.errorText.contains("process \(daemon.process.processID)"))
    let client = try RawClient(daemon.socketPath)
    try client.greet()
  }

  @Test func aSecondDaemonOnAStateDirectoryEndsWith75AndNamesTheFirst() throws {
    let daemon = try startDaemon()
    let words = [
      "--receiver", device, "--runtime", directory("other"), "--state", directory("state"),
    ]
    let outcome = try ChildProcess.run(Programs.path("binnacled"), words)
    #expect(outcome.ending == .exited(75))
    #expect(outcome.errorText.contains("process \(daemon.process.processID)"))
    #expect(outcome.errorText.contains(directory("state")))
    // However it ended, the directory is free afterwards.
    daemon.process.kill()
    _ = try daemon.process.wait(limit: .seconds(60))
    let next = try ChildProcess(Programs.path("binnacled"), words, errorOutput: .null)
    #expect(
      try eventually {
        (try? LocalSocket(connectingTo: RuntimeDirectory.socketPath(in: directory("other")))) != nil
      })
    #expect(try next.terminate() == .exited(0))
  }

  @Test func aDaemonThatStopsInformsItsClientsAndRemovesItsSocket() throws {
    let daemon = try startDaemon()
    let client = try RawClient(daemon.socketPath)
    try client.greet()
    daemon.process.signal(.terminate)
    #expect(try client.reasonOfEnd() == .stopping)
    #expect(try daemon.process.wait(limit: .seconds(60)) == .exited(0))
    #expect(!Files.exists(daemon.socketPath))
  }

  @Test func aClientComesBackToADaemonThatWasKilledAndStartedAgain() throws {
    let receiver = try RunningReceiver(path: device)
    var daemon = try startDaemon()
    let watch = try ChildProcess(
      Programs.path("binnacle"),
      ["watch", "--operator", "--json", "--runtime", daemon.runtimeDirectory],
      output: .pipe, errorOutput: .null)
    var lines = 0
    var chunk = [UInt8](repeating: 0, count: 65_536)
    func watchPrinted(_ more: Int) throws -> Bool {
      let goal = lines + more
      return try eventually(within: .seconds(120)) {
        while let count = try watch.readOutput(into: &chunk), count > 0 {
          lines += chunk[..<count].count { $0 == UInt8(ascii: "\n") }
        }
        return lines >= goal
      }
    }
    #expect(try watchPrinted(2))
    daemon.process.kill()
    _ = try daemon.process.wait(limit: .seconds(60))
    daemon = try startDaemon()
    #expect(try watchPrinted(2))
    watch.signal(.interrupt)
    #expect(try watch.wait(limit: .seconds(60)) == .exited(0))
    _ = receiver
  }

  @Test func aTraceReplaysToTheSameEffects() throws {
    let receiver = try RunningReceiver(path: device)
    let daemon = try startDaemon()
    let client = try startClient(of: daemon)
    _ = try #require(try nextFix(of: client))
    let saved = try ChildProcess.run(
      Programs.path("binnacle"),
      ["trace", "-o", directory("trace"), "--runtime", daemon.runtimeDirectory])
    #expect(saved.ending == .exited(0))
    let replayed = try ChildProcess.run(
      Programs.path("binnacle-sim"), ["replay", directory("trace")])
    #expect(replayed.ending == .exited(0))
    #expect(replayed.text.contains("the same effects"))
    _ = receiver
  }

  @Test func aDaemonWithoutDescriptorsDoesNotSpinAndRecovers() throws {
    let daemon = try startDaemon()
    let client = try RawClient(daemon.socketPath)
    try client.greet()
    let process = "\(daemon.process.processID)"
    let last = try Files.list("/proc/\(process)/fd").compactMap { Int($0) }.filter { $0 < 200 }
      .max()
    let limit = try #require(last) + 4
    let limited = try ChildProcess.run("prlimit", ["--pid", process, "--nofile=\(limit):\(limit)"])
    #expect(limited.ending == .exited(0))
    var others: [RawClient] = []
    // More than the limit leaves, also if a file was open for a moment when the descriptors were read.
    for _ in 0..<40 { others.append(try RawClient(daemon.socketPath)) }
    #expect(try daemon.says("no connection is accepted for a second"))
    #expect(try client.turnsPerSecond(for: .seconds(1)) < 100)
    others.removeAll()
    #expect(
      try eventually {
        let late = try RawClient(daemon.socketPath)
        try late.say(.hello(.init(versionMin: 1, versionMax: 1, program: "late")))
        if case .message(.welcome) = try late.hear(within: .seconds(10)) { return true }
        return false
      })
  }
}
