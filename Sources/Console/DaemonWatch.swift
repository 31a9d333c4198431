import BinnacleBasics
import BinnacleClient
import BinnacleModel
import BinnaclePosix
import BinnacleText
import BinnacleWire

/// The console's connection to the daemon: the name of the board, open requests of apps, the state in one word, and live
/// activities.
struct DaemonWatch {
  /// How often the state is asked for while a person types.
  static let statusPeriod = Interval.seconds(5)
  /// After this time without a key the state is asked for no more.
  static let attentionMax = Interval.seconds(600)

  private let socketPath: @Sendable () -> String
  private var client: DaemonClient
  private var isOperator = true
  private var isPresent = false
  /// Whether the person was informed that there is no daemon.
  private var isAbsenceKnown = false
  private var mayAskStatus = true
  private var isStatusUnderWay = false
  private var statusAskedAt: Instant?
  private var lastKey: Instant
  private var changes = PromptChanges()
  private var rows: [Report] = []
  /// The state in one word.
  private(set) var word = StateWord.absent
  /// The live activities of apps as one line; nil without any.
  private(set) var activity: String?
  private var notices: [String] = []
  /// The name of the board.
  private(set) var board = BoardName.host(Environment.hostName)

  init(runtimeDirectory: String?, at now: Instant) {
    let path: @Sendable () -> String = {
      RuntimeDirectory.socketPath(in: RuntimeDirectory.ofClient(option: runtimeDirectory))
    }
    socketPath = path
    lastKey = now
    client = DaemonWatch.connection(isOperator: true, path, at: now)
  }

  private static func connection(
    isOperator: Bool, _ path: @escaping @Sendable () -> String, at now: Instant
  ) -> DaemonClient {
    var client = DaemonClient(
      program: "binnacle console", role: isOperator ? .operator : .app, socketPath: path)
    _ = client.machine.request(.consent(.watchPrompts), at: now)
    _ = client.machine.request(.settings, at: now)
    return client
  }

  /// Connects; the daemon may come later.
  mutating func start(at now: Instant) {
    client.start(at: now)
    takeEvents(at: now)
  }

  // MARK: The owner's poll

  var descriptor: Int32? { client.descriptor }
  var wantsToWrite: Bool { client.wantsToWrite }

  func nextDeadline(at now: Instant) -> Instant? {
    earlier(client.nextDeadline(at: now), statusDueAt(now))
  }

  mutating func ready(_ readiness: Poll.Readiness, at now: Instant) {
    client.ready(readiness, at: now)
    takeEvents(at: now)
  }

  mutating func deadlineReached(at now: Instant) {
    client.deadlineReached(at: now)
    if let due = statusDueAt(now), due <= now { askStatus(at: now) }
    takeEvents(at: now)
  }

  /// The texts for the person since the last call.
  mutating func takeNotices() -> [String] {
    defer { notices.removeAll() }
    return notices
  }

  /// Whether the daemon's first answer is still to come.
  var isAwaited: Bool { !isAbsenceKnown && (!isPresent || isStatusUnderWay) }

  var hasNotices: Bool { !notices.isEmpty }

  // MARK: The state

  mutating func keyPressed(at now: Instant) { lastKey = now }

  /// Asks for the state, for the next prompt.
  mutating func askStatus(at now: Instant) {
    guard isPresent, mayAskStatus, !isStatusUnderWay else { return }
    isStatusUnderWay = true
    statusAskedAt = now
    client.carryOut(client.machine.request(.status, at: now), at: now)
  }

  private func statusDueAt(_ now: Instant) -> Instant? {
    guard isPresent, mayAskStatus, !isStatusUnderWay, now - lastKey < DaemonWatch.attentionMax
    else { return nil }
    return statusAskedAt.map { $0 + DaemonWatch.statusPeriod } ?? now
  }

  // MARK: Events

  private mutating func takeEvents(at now: Instant) {
    for event in client.takeEvents() {
      switch event {
      case .message(let message): take(message, at: now)
      case .connectFailed(let error): gone("no daemon: \(error); waiting for it")
      case .hungUp: if isPresent { gone("the daemon has gone; waiting for it") }
      }
    }
  }

  private mutating func gone(_ text: String) {
    isPresent = false
    isStatusUnderWay = false
    word = StateWord.absent
    activity = nil
    changes = PromptChanges()
    rows = []
    if !isAbsenceKnown { notices.append(text) }
    isAbsenceKnown = true
  }

  private mutating func take(_ message: ClientMachine.Action, at now: Instant) {
    switch message {
    case .ready:
      isPresent = true
      mayAskStatus = true
      statusAskedAt = nil
      if isAbsenceKnown { notices.append("the daemon is back") }
      isAbsenceKnown = false
      askStatus(at: now)
    case .status(let report):
      isStatusUnderWay = false
      word = StateWord.word(report)
      activity = ActivityText.line(report)
    case .rows(let piece, _) where piece.contains { $0[.rowSection] != nil }:
      board = BoardName.name(in: piece, host: Environment.hostName) ?? board
    case .rows(let piece, let isLast):
      rows += piece
      guard isLast else { return }
      notices += changes.take(rows).map { PromptText.change($0, program: "") }
      rows = []
    case .refused(let refusal): refused(refusal, at: now)
    case .answered(let refusal?): notices.append("the daemon: \(PlainText.line(refusal.text))")
    case _: return
    }
  }

  /// A user that may not operate gets a connection of an ordinary program.
  private mutating func refused(_ refusal: ServerMessage.Refusal, at now: Instant) {
    let isOfRole = [.notPermitted, .versionUnsupported].contains(refusal.kind)
    if isPresent, isStatusUnderWay, refusal.kind == .notPermitted {
      isStatusUnderWay = false
      mayAskStatus = false
      word = StateWord.guest
    } else if !isPresent, isOperator, isOfRole {
      isOperator = false
      client = DaemonWatch.connection(isOperator: false, socketPath, at: now)
      client.start(at: now)
    } else {
      notices.append("the daemon refused: \(PlainText.line(refusal.text))")
    }
  }
}
