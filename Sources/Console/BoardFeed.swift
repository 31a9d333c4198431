import BinnacleBasics
import BinnacleClient
import BinnacleModel
import BinnaclePosix
import BinnacleText
import BinnacleWire
import LiveView

/// The values of a live view, from the daemon: at most one report a second, and the log as it comes.
struct BoardFeed {
  /// The time between two rounds of questions.
  static let period = Interval.seconds(1)
  /// A daemon that takes longer to answer is called silent.
  static let silenceMax = Interval.seconds(5)

  /// The questions of a round; one is under way at a time, because answers do not name their question.
  private enum Question: CaseIterable {
    /// The settings, once for each connection: they have the name of the board.
    case settings
    case status
    case sky
    case apps
    case requests

    var request: ClientRequest {
      switch self {
      case .settings: .settings
      case .status: .status
      case .sky: .sky
      case .apps: .consent(.why(app: nil))
      case .requests: .consent(.prompts)
      }
    }
  }

  private let socketPath: @Sendable () -> String
  private var client: DaemonClient
  /// The log is followed over a connection of its own, because its rows would mix with those of other answers.
  private var logClient: DaemonClient
  /// Whether the connection asks for the role of an operator; a program of a locked console has the console's role.
  private var isOperator = ConsoleToken.inheritedRole == nil
  private var isPresent = false
  /// Whether the settings were asked for over this connection.
  private var isBoardKnown = false
  private var asked: (question: Question, at: Instant)?
  private var roundDueAt = Instant.zero
  private var rows: [Report] = []
  private var hasChanged = true

  private(set) var snapshot: BoardSnapshot
  /// When the last report came.
  private var reportedAt: Instant?
  /// The reason why the daemon reports nothing to this user; the view then ends.
  private(set) var refusal: String?

  init(runtimeDirectory: String?) {
    let directory = ClientDirectory(option: runtimeDirectory)
    let path: @Sendable () -> String = { directory.socketPath }
    socketPath = path
    let role = ConsoleToken.inheritedRole ?? .operator
    client = DaemonClient(program: BoardFeed.program, role: role, socketPath: path)
    logClient = DaemonClient(program: BoardFeed.program, role: role, socketPath: path)
    snapshot = BoardSnapshot(board: BoardName.host(Environment.hostName), time: "")
  }

  private static let program = "binnacle top"

  mutating func start(at now: Instant) {
    client.start(at: now)
    startLog(at: now)
    takeEvents(at: now)
  }

  private mutating func startLog(at now: Instant) {
    _ = logClient.machine.request(.log(.debug, isFollowed: true), at: now)
    logClient.start(at: now)
  }

  /// Whether the values have changed since the last call.
  mutating func takeChange() -> Bool {
    defer { hasChanged = false }
    return hasChanged
  }

  /// Sets the time of the view: that of the last report while the daemon answers, so that the age of a fix fits the time.
  mutating func setTime(_ now: UTCTime, at instant: Instant) {
    if let reportedAt, instant - reportedAt < BoardFeed.period * 2, snapshot.absence == nil {
      return
    }
    show(now)
  }

  private mutating func show(_ utc: UTCTime) {
    let time = utc.rfc3339(fractionDigits: 0)
    hasChanged = hasChanged || time != snapshot.time
    snapshot.time = time
  }

  // MARK: The owner's poll

  func watch(with poll: inout Poll) {
    for client in [client, logClient] {
      guard let descriptor = client.descriptor else { continue }
      poll.set(descriptor, client.wantsToWrite ? [.reading, .writing] : .reading)
    }
  }

  func nextDeadline(at now: Instant) -> Instant? {
    let connections = earlier(client.nextDeadline(at: now), logClient.nextDeadline(at: now))
    return earlier(connections, isPresent ? questionDeadline : nil)
  }

  private var questionDeadline: Instant? {
    guard let asked else { return roundDueAt }
    return snapshot.absence == nil ? asked.at + BoardFeed.silenceMax : nil
  }

  mutating func work(_ poll: Poll, at now: Instant) {
    if let descriptor = client.descriptor {
      let readiness = poll.readiness(of: descriptor)
      if !readiness.isEmpty { client.ready(readiness, at: now) }
    }
    if let descriptor = logClient.descriptor {
      let readiness = poll.readiness(of: descriptor)
      if !readiness.isEmpty { logClient.ready(readiness, at: now) }
    }
    client.deadlineReached(at: now)
    logClient.deadlineReached(at: now)
    takeEvents(at: now)
    guard isPresent else { return }
    if let asked {
      guard snapshot.absence == nil, asked.at + BoardFeed.silenceMax <= now else { return }
      absent("the daemon does not answer; waiting for it")
    } else if roundDueAt <= now {
      roundDueAt = now + BoardFeed.period
      ask(isBoardKnown ? .status : .settings, at: now)
      isBoardKnown = true
      takeEvents(at: now)
    }
  }

  // MARK: Questions

  private mutating func ask(_ question: Question, at now: Instant) {
    rows = []
    asked = (question, now)
    client.carryOut(client.machine.request(question.request, at: now), at: now)
  }

  /// Ends a question, and asks the next one of the round.
  private mutating func answered(at now: Instant) {
    guard let question = asked?.question else { return }
    asked = nil
    hasChanged = true
    snapshot.absence = nil
    switch question {
    case .settings: ask(.status, at: now)
    case .status: ask(.sky, at: now)
    case .sky: ask(.apps, at: now)
    case .apps:
      if snapshot.report?[.promptsOpen] ?? 0 > 0 {
        ask(.requests, at: now)
      } else {
        snapshot.requests = []
      }
    case .requests: break
    }
  }

  // MARK: Events

  private mutating func takeEvents(at now: Instant) {
    for event in client.takeEvents() {
      switch event {
      case .message(let message): take(message, at: now)
      case .connectFailed(let error): absent("\(error.absence); waiting for it")
      case .hungUp:
        if isPresent { absent("the daemon has gone; waiting for it") }
        isPresent = false
      }
    }
    for event in logClient.takeEvents() {
      switch event {
      case .message(.ready): snapshot.restartLog()
      case .message(.rows(let rows, _)):
        snapshot.addLog(rows)
        snapshot.logAbsence = nil
      case .message(.refused(let refusal)), .message(.answered(let refusal?)):
        snapshot.logAbsence = BoardFeed.text(refusal)
      case .message, .connectFailed, .hungUp: continue
      }
      hasChanged = true
    }
  }

  private mutating func absent(_ text: String) {
    snapshot.forgetValues()
    snapshot.absence = text
    rows = []
    hasChanged = true
  }

  private mutating func take(_ message: ClientMachine.Action, at now: Instant) {
    switch message {
    case .ready:
      isPresent = true
      isBoardKnown = false
      // A question that the former daemon has not answered is asked again by the connection.
      if asked == nil { roundDueAt = now } else { asked?.at = now }
    case .status(let report):
      snapshot.report = report
      reportedAt = now
      show(Clock.utc)
      answered(at: now)
    case .sky(let sky):
      (snapshot.sky, snapshot.skyAbsence) = (sky, nil)
      answered(at: now)
    case .rows(let piece, let isLast):
      rows += piece
      guard isLast else { return }
      if asked?.question == .settings {
        let host = Environment.hostName
        snapshot.board = BoardName.name(in: rows, host: host) ?? snapshot.board
      } else if asked?.question == .apps {
        (snapshot.apps, snapshot.appsAbsence) = (AppReasons.grouped(rows), nil)
      } else if asked?.question == .requests {
        snapshot.requests = rows
      }
      answered(at: now)
    case .answered(let refusal?): refused(refusal, at: now)
    case .refused(let refusal):
      let isOfRole = [.notPermitted, .versionUnsupported].contains(refusal.kind)
      if !isPresent, isOperator, isOfRole {
        isOperator = false
        client = DaemonClient(program: BoardFeed.program, socketPath: socketPath)
        client.start(at: now)
        logClient = DaemonClient(program: BoardFeed.program, socketPath: socketPath)
        startLog(at: now)
      } else if isPresent, asked != nil {
        refused(refusal, at: now)
      } else {
        absent(BoardFeed.text(refusal))
      }
    case _: return
    }
  }

  /// Notes that a question is refused.
  private mutating func refused(_ refusal: ServerMessage.Refusal, at now: Instant) {
    let text = BoardFeed.text(refusal)
    switch asked?.question {
    case .settings?: break
    case .status?:
      asked = nil
      if refusal.kind == .notPermitted { self.refusal = text } else { absent(text) }
      return
    case .sky?: (snapshot.sky, snapshot.skyAbsence) = (nil, refusal.text)
    case .apps?: (snapshot.apps, snapshot.appsAbsence) = ([], text)
    case .requests?: snapshot.requests = []
    case nil: return
    }
    answered(at: now)
  }

  private static func text(_ refusal: ServerMessage.Refusal) -> String {
    "the daemon refused: \(PlainText.line(refusal.text))"
  }
}
