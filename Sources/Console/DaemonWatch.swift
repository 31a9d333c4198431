import BinnacleBasics
import BinnacleClient
import BinnacleModel
import BinnaclePosix
import BinnacleText
import BinnacleWire

/// The console's connection to the daemon: the name of the board, open requests of apps, the state in one word, and live
/// activities.
struct DaemonWatch {
  /// The role that a console asks for; a refused one is followed by the next.
  enum Role: Equatable {
    /// The user may operate.
    case `operator`
    /// The user of consoles, or an operator's console that begins locked.
    case console
    /// Any other user.
    case app
  }

  /// The rights of the console's commands.
  enum Rights: Equatable {
    /// Those of the user.
    case user
    /// Those of a viewer, or with a token those of an operator.
    case viewer(Secret?)

    /// The role of a further connection of this console.
    var role: ClientRole {
      switch self {
      case .user: .app
      case .viewer(let token): .console(token: token)
      }
    }

    var token: Secret? {
      if case .viewer(let token) = self { token } else { nil }
    }
  }

  /// The daemon's answer to a request about the console's own rights.
  enum Outcome: Equatable {
    case unlocked(seconds: UInt16)
    case locked
    case refused(String)
  }

  /// The ways to unlock a console of this board.
  struct Lock: Equatable {
    var hasPIN = false
    /// The instruction for a person at the board, such as `press HOME twice`.
    var presence: String?

    var opens: Bool { hasPIN || presence != nil }
  }

  /// How often the state is asked for while a person types.
  static let statusPeriod = Interval.seconds(5)
  /// After this time without a key the state is asked for no more.
  static let attentionMax = Interval.seconds(600)

  private let socketPath: @Sendable () -> String
  private var client: DaemonClient
  /// The role of the present connection.
  private var role: Role
  /// The end of this console's lift, as the daemon has named it.
  private var token: Secret?
  /// The answer to the last request about the console's own rights; nil: it is still to come.
  private(set) var outcome: Outcome?
  /// The ways to unlock this console, as the daemon has named them after the connection.
  private(set) var lock = Lock()
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

  /// - Parameters:
  ///   - runtimeDirectory: the value of `--runtime`.
  ///   - name: the name of the console in the daemon's log.
  ///   - isLocked: whether the console begins without the rights of its user.
  ///   - now: the time.
  init(runtimeDirectory: String?, name: String, isLocked: Bool, at now: Instant) {
    let directory = ClientDirectory(option: runtimeDirectory)
    let path: @Sendable () -> String = { directory.socketPath }
    socketPath = path
    lastKey = now
    self.name = name
    role = isLocked ? .console : .operator
    client = DaemonWatch.connection(name, role, path, at: now)
  }

  private let name: String

  private static func connection(
    _ name: String, _ role: Role, _ path: @escaping @Sendable () -> String, at now: Instant
  ) -> DaemonClient {
    let asked: ClientRole =
      switch role {
      case .operator: .operator
      case .console: .console(token: nil)
      case .app: .app
      }
    var client = DaemonClient(program: name, role: asked, socketPath: path)
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

  // MARK: Rights

  var rights: Rights { role == .console ? .viewer(token) : .user }

  /// Whether the console has a lock.
  var hasLock: Bool { isPresent && role == .console }

  /// Whether the console is unlocked.
  var isUnlocked: Bool { token != nil }

  /// Asks the daemon to unlock or lock the console; `outcome` has the answer.
  mutating func ask(_ request: ConsoleRequest, at now: Instant) {
    outcome = nil
    client.carryOut(client.machine.request(.console(request), at: now), at: now)
    takeEvents(at: now)
  }

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
      case .connectFailed(let error): gone("\(error.absence); waiting for it")
      case .hungUp: if isPresent { gone("the daemon has gone; waiting for it") }
      }
    }
  }

  private mutating func gone(_ text: String) {
    isPresent = false
    isStatusUnderWay = false
    token = nil
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
      lock = Lock()
      if role == .console {
        client.carryOut(client.machine.request(.console(.describeLock), at: now), at: now)
      }
      askStatus(at: now)
    case .status(let report):
      isStatusUnderWay = false
      word = StateWord.word(report)
      activity = ActivityText.line(report)
    case .rows(let piece, _) where piece.contains { $0[.rowSection] != nil }:
      board = BoardName.name(in: piece, host: Environment.hostName) ?? board
    case .rows(let piece, _) where piece.contains { $0[.rowHasPIN] != nil }:
      lock = Lock(
        hasPIN: piece.first?[.rowHasPIN] == true, presence: piece.first?[.rowPresence])
    case .rows(let piece, let isLast):
      rows += piece
      guard isLast else { return }
      notices += changes.take(rows).map { PromptText.change($0, program: "") }
      rows = []
    case .refused(let refusal): refused(refusal, at: now)
    case .unlocked(let token, let seconds):
      self.token = token
      outcome = .unlocked(seconds: seconds)
    case .locked:
      // The lock that this console has asked for is answered by its own message.
      if token != nil { notices.append("this console is locked again") }
      token = nil
    case .answered(nil): outcome = .locked
    case .answered(let refusal?): outcome = .refused(PlainText.line(refusal.text))
    case _: return
    }
  }

  /// A user that may not operate gets a connection of a console, or of an ordinary program.
  private mutating func refused(_ refusal: ServerMessage.Refusal, at now: Instant) {
    let isOfRole = [.notPermitted, .versionUnsupported].contains(refusal.kind)
    // After a final refusal there is no connection any more.
    let isFinal = !client.machine.isReady
    if isFinal, role != .app, isOfRole {
      role = role == .operator ? .console : .app
      isPresent = false
      isStatusUnderWay = false
      client = DaemonWatch.connection(name, role, socketPath, at: now)
      client.start(at: now)
    } else if isPresent, isStatusUnderWay, refusal.kind == .notPermitted {
      isStatusUnderWay = false
      mayAskStatus = role == .console
      word = role == .console ? StateWord.locked : StateWord.guest
    } else {
      notices.append("the daemon refused: \(PlainText.line(refusal.text))")
    }
  }
}
