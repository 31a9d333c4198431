import BinnacleBasics
import BinnacleClient
import BinnacleModel
import BinnaclePosix
import BinnacleWire
import Console

/// A command's connection to the daemon: one poll for the socket, signals and a deadline.
final class Connection {
  /// The result of a turn.
  enum Turn: Equatable {
    /// Messages of the daemon; empty if the connection was made or lost.
    case actions([ClientMachine.Action])
    /// SIGINT, SIGTERM or SIGHUP.
    case interrupted
    case deadline
  }

  let socketPath: String
  /// The last error of an attempt to connect.
  private(set) var failure: SystemError?
  /// The start of the daemon's absence; nil while there is a daemon.
  private(set) var absentSince: Instant?
  /// Whether there has been a connection.
  private var hasConnected = false
  /// The end of the wait for the first answer to a greeting; nil after this answer.
  private(set) var firstAnswerEnd: Instant?

  private var client: DaemonClient
  private let signals: Signals
  private var poll = Poll()
  private var messages: [ClientMachine.Action] = []
  /// Whether the connection was made or lost; the owner of a turn also needs this change.
  private var hasChanged = false

  init(
    runtimeDirectory: String?, program: String, role: ClientRole = .app
  ) throws(Errno) {
    let directory = RuntimeDirectory.ofClient(option: runtimeDirectory)
    let path = RuntimeDirectory.socketPath(in: directory)
    socketPath = path
    // A command of a console has the console's rights, whatever the command asks for.
    client = DaemonClient(program: program, role: ConsoleToken.inheritedRole ?? role) { path }
    // A command behind nohup(1) outlasts its terminal.
    signals = try Signals(
      [.interrupt, .terminate] + (Signals.isIgnored(.hangUp) ? [] : [.hangUp]))
    absentSince = Clock.now
  }

  /// Whether each attempt to connect since the start has failed.
  var isUnreachable: Bool { failure != nil && !hasConnected }

  /// Whether the daemon's queue of connections is full.
  var waitsForRoom: Bool { client.waitsForRoom }

  var machine: ClientMachine {
    get { client.machine }
    set { client.machine = newValue }
  }

  func start() {
    firstAnswerEnd = Clock.now + Commands.answerTimeMax
    client.start(at: Clock.now)
    takeEvents()
  }

  /// Makes a request over a connection that is ready.
  func ask(_ request: ClientRequest) {
    let now = Clock.now
    client.carryOut(client.machine.request(request, at: now), at: now)
    takeEvents()
  }

  /// Ends updates and sessions before the program ends.
  func close(_ sequence: SequenceID, _ sessions: [SessionID]) {
    let now = Clock.now
    for session in sessions {
      client.carryOut(client.machine.closeSession(session, at: now), at: now)
    }
    client.carryOut(client.machine.closeUpdates(sequence, at: now), at: now)
  }

  /// Waits for an event, at most until the deadline.
  func turn(until deadline: Instant?) throws(Errno) -> Turn {
    while messages.isEmpty, !hasChanged {
      if let deadline, deadline <= Clock.now { return .deadline }
      poll.removeAll()
      poll.set(signals.descriptor, .reading)
      if let descriptor = client.descriptor {
        poll.set(descriptor, client.wantsToWrite ? [.reading, .writing] : .reading)
      }
      try poll.wait(until: earlier(deadline, client.nextDeadline(at: Clock.now)))
      if !poll.readiness(of: signals.descriptor).isEmpty, signals.next() != nil {
        return .interrupted
      }
      let now = Clock.now
      if let descriptor = client.descriptor {
        let readiness = poll.readiness(of: descriptor)
        if !readiness.isEmpty { client.ready(readiness, at: now) }
      }
      client.deadlineReached(at: now)
      takeEvents()
    }
    defer {
      messages.removeAll()
      hasChanged = false
    }
    return .actions(messages)
  }

  private func takeEvents() {
    for event in client.takeEvents() {
      switch event {
      case .message(.ready):
        failure = nil
        absentSince = nil
        firstAnswerEnd = nil
        hasConnected = true
        hasChanged = true
      // This program has no defaults.
      case .message(.defaults), .message(.defaultsChanged), .message(.defaultsSettled): break
      case .message(let message): messages.append(message)
      case .connectFailed(let error):
        failure = error
        // The first attempt may fail late, after a wait for room in the daemon's queue.
        if !hasConnected { hasChanged = true }
      case .hungUp:
        hasConnected = true
        absentSince = absentSince ?? Clock.now
        hasChanged = true
      }
    }
  }
}
