import BinnacleBasics
import BinnaclePosix
import LaunchWire
import TestSupport
import Testing

@testable import Launcher

/// A launcher with real apps whose loop runs in the test, and the daemon's end of a connection to it.
final class LauncherUnderTest {
  /// The ways to hold an app together that this machine has: control groups need the right to make groups.
  static let kinds: [Bool] = (try? ControlGroupPlace()) == nil ? [false] : [false, true]

  let directory: TemporaryDirectory
  /// A name that no other test uses: control groups are shared by all launchers of a user.
  let identifier: String
  let apps: LaunchedApps
  let server: LaunchServer
  private let socket: LocalSocket
  private var lastNumber: UInt32 = 0
  private var reports: [LaunchReport] = []

  /// - Parameters:
  ///   - hasGroups: whether apps get control groups.
  ///   - directory: the directory of an earlier launcher to follow on that one.
  ///   - identifier: the identifier of its app.
  ///   - isAttending: whether the connection attends.
  /// - Throws: why the launcher does not start.
  init(
    hasGroups: Bool, directory: TemporaryDirectory? = nil, identifier: String? = nil,
    isAttending: Bool = true
  ) throws {
    let directory = try directory ?? TemporaryDirectory()
    self.directory = directory
    self.identifier =
      identifier ?? "org.test." + (directory.path.split(separator: "-").last ?? "a")
    let complaints = Complaints()
    self.complaintList = complaints
    apps = try LaunchedApps(
      configurationDirectory: directory("etc"), runtimeDirectory: directory.path,
      place: hasGroups ? try ControlGroupPlace() : nil
    ) { complaints.list.append($0) }
    server = LaunchServer(
      try LaunchServer.listen(at: directory("launch.sock")), userID: Environment.userID, apps: apps
    ) { complaints.list.append($0) }
    socket = try LocalSocket(connectingTo: directory("launch.sock"))
    if isAttending {
      #expect(try answer(to: .attend) == .done)
      #expect(try next { $0 == .attended } != nil)
    }
  }

  private let complaintList: Complaints
  var complained: [String] { complaintList.list }

  struct NoReport: Error {}

  private final class Complaints { var list: [String] = [] }

  /// Writes the manifest of an app that runs a script of the shell, which has no single quotes.
  func writeManifest(_ script: String, user: String = "\(Environment.userID)") throws {
    try writeManifest(executable: "/bin/sh", arguments: "-c '\(script)'", user: user)
  }

  func writeManifest(
    executable: String, arguments: String = "", user: String = "\(Environment.userID)"
  ) throws {
    try Files.makeDirectory(directory("etc/apps.d"), mode: 0o755, withParents: true)
    let text =
      "[App]\nIdentifier=\(identifier)\nExecutable=\(executable)\nUser=\(user)\n"
      + (arguments.isEmpty ? "" : "Arguments=\(arguments)\n")
    try Files.writeAtomically(Array(text.utf8), to: manifestPath, mode: 0o644)
  }

  var manifestPath: String { directory("etc/apps.d/a.app") }

  /// Sends a request and waits for its answer.
  func answer(to kind: LaunchRequest.Kind) throws -> LaunchReport.Answer? {
    lastNumber += 1
    let number = lastNumber
    #expect(try socket.send(LaunchRequest(number: number, kind).encoded))
    let report = try next {
      if case .answer(number, _) = $0 { true } else { false }
    }
    guard case .answer(_, let answer)? = report else { return nil }
    return answer
  }

  func answer(to order: LaunchRequest.AppOrder) throws -> LaunchReport.Answer? {
    try answer(to: .order(identifier, order))
  }

  /// Starts the app and returns its report, which comes before the answer.
  func start(isForLocation: Bool = false) throws -> LaunchReport.App {
    #expect(try answer(to: .start(isForLocation: isForLocation)) == .done)
    let report = try next { if case .running = $0 { true } else { false } }
    guard case .running(let app)? = report else { throw NoReport() }
    return app
  }

  /// The app's end.
  func ending() throws -> LaunchReport.Ending? {
    let report = try next { if case .ended = $0 { true } else { false } }
    guard case .ended(identifier, let ending)? = report else { return nil }
    return ending
  }

  /// The lines of output until the app's end; dropped lines as their number.
  func outputUntilEnd() throws -> [String] {
    #expect(try ending() != nil)
    return output
  }

  /// The lines of output that have arrived.
  var output: [String] {
    reports.compactMap {
      switch $0 {
      case .output(identifier, let line): line
      case .outputLost(identifier, let count): "(\(count) lost)"
      default: nil
      }
    }
  }

  /// Runs the launcher until a report arrives; the report is removed, the reports before it are kept.
  func next(_ isWanted: (LaunchReport) -> Bool) throws -> LaunchReport? {
    var found: LaunchReport?
    _ = try runs {
      guard let index = reports.firstIndex(where: isWanted) else { return false }
      found = reports.remove(at: index)
      return true
    }
    return found
  }

  /// Runs the launcher until something is true; false if a minute came first.
  func runs(until isTrue: () throws -> Bool) throws -> Bool {
    let limit = Clock.now + .seconds(60)
    while true {
      receive()
      if try isTrue() { return true }
      if Clock.now >= limit { return false }
      try server.serveNext(until: Clock.now + .milliseconds(10))
    }
  }

  private func receive() {
    var buffer = [UInt8](repeating: 0, count: LaunchReport.sizeMax)
    while case .packet(let count) = try? socket.receive(into: &buffer) {
      if let report = LaunchReport(decoding: Array(buffer[..<count])) { reports.append(report) }
    }
  }

  deinit {
    for app in apps.apps { app.processes.kill() }
    let limit = Clock.now + .seconds(10)
    while !apps.apps.isEmpty, Clock.now < limit {
      try? server.serveNext(until: Clock.now + .milliseconds(10))
    }
  }
}

/// The processor time of a process in ticks: fields 14 and 15 of /proc/PID/stat.
func processorTicks(of process: Int32) -> UInt64? {
  guard let text = try? Files.read("/proc/\(process)/stat") else { return nil }
  let line = String(decoding: text, as: UTF8.self)
  let fields = line[(line.lastIndex(of: ")") ?? line.startIndex)...].split(separator: " ")
  guard fields.count > 13, let user = UInt64(fields[12]), let system = UInt64(fields[13]) else {
    return nil
  }
  return user + system
}

/// The living processes of a session.
func processes(ofSession session: Int32) -> [Int32] {
  ProcessStatus.allNumbers.filter { number in
    guard let status = try? ProcessStatus(of: number) else { return false }
    return status.sessionID == session && status.state != "Z"
  }
}

/// Works until this process has used the processor for so long, so that others could have used theirs.
func useProcessor(for time: Interval) {
  let end = Clock.processorTime + time
  while Clock.processorTime < end {}
}
