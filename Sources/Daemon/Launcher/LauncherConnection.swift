import BinnacleBasics
import BinnacleModel
import BinnaclePosix
import LaunchWire
import LocationEngine

/// The connection to the launcher: asks for the programs of other users' processes, carries out the engine's orders about
/// apps, and yields the launcher's news as events.
///
/// The daemon works without a launcher: the programs of other users are then unknown, and orders are refused. A lost
/// connection is made again at once, then every two seconds while the launcher's socket has a name. A launcher that is
/// started later is noticed by its socket in the runtime directory.
final class LauncherConnection {
  /// The pause before the next attempt to connect.
  static let retryTime = Interval.seconds(2)

  /// An answer about a program.
  struct ProgramAnswer: Equatable {
    var number: UInt32
    var finding: LaunchReport.Answer
  }

  private struct PendingOrder {
    var number: UInt32
    var app: AppID
    var order: Effect.Launcher
  }

  private let path: String
  private var socket: LocalSocket?
  private var lastNumber: UInt32 = 0
  private var buffer = [UInt8](repeating: 0, count: LaunchReport.sizeMax)
  private var orders: [PendingOrder] = []
  private var answers: [ProgramAnswer] = []
  private var events: [Event] = [] { didSet { noteNews() } }
  private var output: [LaunchedOutput] = [] { didSet { noteNews() } }
  /// Whether there are events or output to be taken.
  ///
  /// The loop reads this several times a turn. It is stored, because a read of the arrays costs a check of exclusive access.
  private(set) var hasNews = false
  /// Whether the launcher has reported all apps that run.
  private var isAttended = false
  /// The apps that run; after a loss the last known ones, until the next launcher has reported.
  private(set) var apps: [LaunchReport.App] = []
  /// The apps that the launcher has reported so far, before it has reported all.
  private var reported: [LaunchReport.App] = []
  private var connectedAt = Instant.zero
  /// The number of lost connections: a question of an earlier connection gets no answer.
  private(set) var generation = 0
  /// The time of the next attempt to connect; nil while connected, and while the socket has no name.
  private(set) var nextDeadline: Instant?

  /// - Parameter path: the launcher's socket.
  init(path: String) {
    self.path = path
  }

  /// The launcher has this long to report the apps that run; meanwhile a new client may be one of them.
  static let reportTimeMax = Interval.seconds(1)

  /// The time until which the launcher may still report the apps that run; nil if it has, or if there is none.
  func reportsUntil(at now: Instant) -> Instant? {
    guard socket != nil, !isAttended, case let end = connectedAt + LauncherConnection.reportTimeMax,
      now < end
    else { return nil }
    return end
  }

  /// The descriptor to poll for reading; nil without a connection.
  var descriptor: Int32? { socket?.descriptor }

  // MARK: The connection

  /// Connects if there is no connection.
  func connect(at now: Instant) {
    nextDeadline = nil
    guard socket == nil else { return }
    guard let found = try? LocalSocket(connectingTo: path), let server = try? found.peer,
      server.userID == 0 || server.userID == Environment.userID
    else {
      if Files.exists(path) { nextDeadline = now + LauncherConnection.retryTime }
      return
    }
    lastNumber &+= 1
    guard (try? found.send(LaunchRequest(number: lastNumber, .attend).encoded)) == true else {
      nextDeadline = now + LauncherConnection.retryTime
      return
    }
    socket = found
    connectedAt = now
    reported = []
  }

  /// Ends the connection; one that has served is made again at once.
  ///
  /// The control groups of apps stay known, because no other process gets into them. The number of a session may be used
  /// again.
  private func lose(at now: Instant) {
    socket = nil
    generation += 1
    for pending in orders {
      events.append(
        .launcher(
          .refused(pending.app, pending.order, reason: "the connection to the launcher was lost")))
    }
    orders = []
    apps.removeAll { $0.group == .session }
    guard isAttended else {
      nextDeadline = now + LauncherConnection.retryTime
      return
    }
    isAttended = false
    events.append(.launcher(.lost))
    connect(at: now)
  }

  /// Reads everything that has arrived.
  func receive(at now: Instant) {
    while let socket {
      switch try? socket.receive(into: &buffer) {
      case .nothing: return
      case .packet(let count):
        guard let report = LaunchReport(decoding: Array(buffer[..<count])) else {
          return lose(at: now)
        }
        take(report)
      case .tooLong:
        // The answer about a program depends on the program, and any user may run any program.
        guard let number = LaunchReport.question(answeredBy: buffer) else { return lose(at: now) }
        take(.unknown(reason: "the launcher's answer is too long"), to: number)
      case .ended, nil: return lose(at: now)
      }
    }
  }

  // MARK: Requests

  /// Asks which program a peer runs.
  ///
  /// - Parameters:
  ///   - peer: the peer's socket.
  ///   - now: the instant.
  /// - Returns: the number of the question; nil if there is no launcher, or if the process has ended.
  func ask(about peer: LocalSocket, at now: Instant) -> UInt32? {
    guard let process = try? PeerProcess(of: peer) else { return nil }
    connect(at: now)
    guard let socket else { return nil }
    lastNumber &+= 1
    let request = LaunchRequest(number: lastNumber, .identify)
    do throws(Errno) {
      return try process.send(request.encoded, to: socket) ? request.number : nil
    } catch {
      if error != .noSuchProcess { lose(at: now) }
      return nil
    }
  }

  /// Carries out an order of the engine; each order is answered by an event.
  func perform(
    _ order: Effect.Launcher, about app: AppID, at now: Instant, into events: inout [Event]
  ) {
    guard case .listed(let identifier) = app else {
      events.append(
        .launcher(.refused(app, order, reason: "only an app with a manifest is launched")))
      return
    }
    guard let socket else {
      events.append(
        .launcher(
          .refused(
            app, order, reason: "no launcher is connected: 'sudo systemctl start binnacle-launch'"))
      )
      return
    }
    lastNumber &+= 1
    let request = LaunchRequest(number: lastNumber, .order(identifier, order.wireOrder))
    guard (try? socket.send(request.encoded)) == true else {
      events.append(
        .launcher(.refused(app, order, reason: "the launcher does not read its orders")))
      return
    }
    orders.append(PendingOrder(number: lastNumber, app: app, order: order))
  }

  // MARK: Reports

  private func take(_ report: LaunchReport) {
    switch report {
    case .answer(let number, let answer): take(answer, to: number)
    case .running(let app): take(app)
    case .attended:
      isAttended = true
      apps = reported
      reported = []
      events.append(
        .launcher(
          .connected(
            apps.map { .init(app: .listed($0.identifier), isFrozen: $0.isFrozen) })))
    case .ended(let identifier, let ending):
      reported.removeAll { $0.identifier == identifier }
      guard isAttended else { return }
      apps.removeAll { $0.identifier == identifier }
      events.append(.launcher(.ended(.listed(identifier), Event.AppEnding(ending))))
    case .output(let identifier, let line):
      output.append(LaunchedOutput(identifier: identifier, line))
    case .outputLost(let identifier, let count):
      output.append(LaunchedOutput(identifier: identifier, lostCount: count))
    }
  }

  private func take(_ answer: LaunchReport.Answer, to number: UInt32) {
    switch answer {
    case .program, .unknown: answers.append(ProgramAnswer(number: number, finding: answer))
    case .done, .failed:
      guard let index = orders.firstIndex(where: { $0.number == number }) else { return }
      let pending = orders.remove(at: index)
      if case .failed(let reason) = answer {
        if case .start = pending.order { apps.removeAll { pending.app == .listed($0.identifier) } }
        events.append(.launcher(.refused(pending.app, pending.order, reason: reason)))
        return
      }
      switch pending.order {
      case .start: events.append(.launcher(.started(pending.app)))
      case .freeze:
        setFrozen(true, pending.app)
        events.append(.launcher(.frozen(pending.app)))
      case .thaw:
        setFrozen(false, pending.app)
        events.append(.launcher(.thawed(pending.app)))
      // The end itself is the answer.
      case .end, .kill: break
      }
    }
  }

  /// An app that runs, or an app that the launcher has frozen or thawed without an order.
  private func take(_ app: LaunchReport.App) {
    guard isAttended else { return reported.append(app) }
    let known = apps.first { $0.identifier == app.identifier }
    apps.removeAll { $0.identifier == app.identifier }
    apps.append(app)
    guard let known, known.isFrozen != app.isFrozen else { return }
    let id = AppID.listed(app.identifier)
    events.append(.launcher(app.isFrozen ? .frozen(id) : .thawed(id)))
  }

  private func setFrozen(_ isFrozen: Bool, _ app: AppID) {
    for index in apps.indices where app == .listed(apps[index].identifier) {
      apps[index].isFrozen = isFrozen
    }
  }

  /// The answers about programs that have arrived.
  func takeAnswers() -> [ProgramAnswer] {
    defer { answers.removeAll(keepingCapacity: true) }
    return answers
  }

  private func noteNews() { hasNews = !events.isEmpty || !output.isEmpty }

  /// The events for the engine.
  func takeEvents() -> [Event] {
    defer { events.removeAll(keepingCapacity: true) }
    return events
  }

  /// The output of apps that has arrived.
  func takeOutput() -> [LaunchedOutput] {
    defer { output.removeAll(keepingCapacity: true) }
    return output
  }

  // MARK: Identity

  /// The app that a peer's process belongs to, because the launcher has started it; nil if there is none.
  ///
  /// The executable does not matter: also a program that the app has started is the app.
  ///
  /// - Parameters:
  ///   - peer: the peer's socket.
  ///   - isUser: whether an app's manifest has the user of the peer.
  /// - Returns: the identifier of the app.
  func launchedApp(of peer: LocalSocket, isUser: (String) -> Bool) -> String? {
    if apps.isEmpty, reported.isEmpty { return nil }
    guard let process = try? PeerProcess(of: peer), let membership = try? process.membership()
    else { return nil }
    let app = (reported + apps).first { app in
      switch app.group {
      case .controlGroup(let path): membership.controlGroup == path
      case .session: membership.sessionID == app.processID
      }
    }
    guard let app, isUser(app.identifier) else { return nil }
    return app.identifier
  }
}

extension Effect.Launcher {
  fileprivate var wireOrder: LaunchRequest.AppOrder {
    switch self {
    case .start(let isForLocation): .start(isForLocation: isForLocation)
    case .freeze: .freeze
    case .thaw: .thaw
    case .end: .end
    case .kill: .kill
    }
  }
}

extension Event.AppEnding {
  fileprivate init(_ ending: LaunchReport.Ending) {
    self =
      switch ending {
      case .exited(let status): .exited(status: status)
      case .killed(let signal): .killed(signal: signal)
      case .unknown: .unknown
      }
  }
}
