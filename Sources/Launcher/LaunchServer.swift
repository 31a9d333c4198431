public import BinnacleBasics
public import BinnaclePosix
import LaunchWire

/// Serves the daemon: names the programs of processes, and starts, freezes and ends apps.
///
/// The program of another user's process is visible only with the capability CAP_SYS_PTRACE (`proc_pid_exe(5)`), and a
/// program of another user is started only with CAP_SETUID and CAP_SETGID. The daemon has no capability. The launcher has
/// these, and no receiver, no position and no network.
public final class LaunchServer {
  private var listener: LocalListener
  private var listenerPause = ListenerPause()
  private let userID: UInt32
  /// nil: the launcher only names programs.
  private let apps: LaunchedApps?
  private let complain: (String) -> Void
  private var connections: [LaunchConnection] = []
  private var lastNumber: UInt64 = 0
  /// The number of the connection that gets news; the last one that has asked for it.
  private var attending: UInt64?
  /// When the last daemon stopped to attend; nil while one attends, and after the apps were thawed.
  private var unattendedSince: Instant?
  private var poll = Poll()
  private var buffer = [UInt8](repeating: 0, count: LaunchRequest.sizeMax)

  /// A daemon needs one connection; after a restart the old one may still be open.
  static let connectionsMax = 4
  /// A frozen app is thawed when no daemon has attended for this time: no other program would thaw it.
  static let unattendedTimeMax = Interval.seconds(60)

  /// Listens at a path.
  ///
  /// - Throws: why the launcher cannot listen; `wouldBlock` when another launcher does.
  public static func listen(at path: String) throws(SystemError) -> LocalListener {
    Signals.ignoreBrokenPipes()
    return try LocalListener(path: path, mode: 0o600)
  }

  /// - Parameters:
  ///   - listener: the socket.
  ///   - userID: the user whose processes may connect.
  ///   - apps: the apps; nil: every order is refused.
  ///   - now: the instant.
  ///   - complain: gets each problem, one line.
  public init(
    _ listener: consuming LocalListener, userID: UInt32, apps: LaunchedApps? = nil,
    at now: Instant = Clock.now, complain: @escaping (String) -> Void
  ) {
    self.listener = listener
    self.userID = userID
    self.apps = apps
    self.complain = complain
    unattendedSince = now
  }

  /// Serves until one of the signals; then no app stays frozen.
  public func run(until signals: Signals) throws(Errno) {
    while true {
      poll.removeAll()
      poll.set(signals.descriptor, .reading)
      watch(with: &poll)
      try poll.wait(until: nextDeadline)
      if signals.next() != nil { return stop(at: Clock.now) }
      serve(poll, at: Clock.now)
    }
  }

  /// Lets all apps continue, and reports it: the daemon delivers the locations that wait for an app only if it knows that the
  /// app continues.
  private func stop(at now: Instant) {
    _ = apps?.thawAll()
    sendOutcomes(at: now)
    for connection in connections { _ = connection.flush() }
  }

  /// Waits for the next event and serves it; for a caller with a deadline of its own.
  func serveNext(until deadline: Instant) throws(Errno) {
    poll.removeAll()
    watch(with: &poll)
    try poll.wait(until: earlier(deadline, nextDeadline))
    serve(poll, at: Clock.now)
  }

  private func watch(with poll: inout Poll) {
    if listenerPause.end == nil { poll.set(listener.descriptor, .reading) }
    for connection in connections { connection.watch(with: &poll) }
    apps?.watch(with: &poll)
  }

  var nextDeadline: Instant? {
    let ofDaemon = unattendedSince.map { $0 + LaunchServer.unattendedTimeMax }
    return earlier(listenerPause.end, earlier(apps?.nextDeadline, ofDaemon))
  }

  private func serve(_ poll: Poll, at now: Instant) {
    apps?.handleReady(poll, at: now)
    serveWaiting(at: now)
    deadlineReached(at: now)
  }

  /// Answers everything that has arrived, and waits for nothing.
  func serveWaiting(at now: Instant = Clock.now) {
    sendOutcomes(at: now)
    acceptWaiting(at: now)
    for connection in connections {
      if !connection.flush() { drop(connection, at: now) } else { serve(connection, at: now) }
    }
  }

  func deadlineReached(at now: Instant) {
    listenerPause.deadlineReached(at: now)
    apps?.deadlineReached(at: now)
    if let since = unattendedSince, since + LaunchServer.unattendedTimeMax <= now {
      unattendedSince = nil
      let thawed = apps?.thawAll() ?? []
      if !thawed.isEmpty {
        complain(
          "no daemon was connected for a minute, so these apps were thawed: "
            + thawed.joined(separator: ", "))
      }
    }
    sendOutcomes(at: now)
  }

  /// Accepts the connections that have arrived.
  ///
  /// A connection that cannot be accepted ends no other connection: orders may be under way.
  func acceptWaiting(at now: Instant = Clock.now) {
    guard listenerPause.end == nil else { return }
    do throws(Errno) {
      while let socket = try listener.accept() { try admit(socket) }
    } catch {
      let text =
        listenerPause.begin(after: error, at: now)
        ? "no connection is accepted for a second" : "a connection failed"
      complain("\(text): \(error)")
    }
  }

  /// Ends all connections.
  func close(at now: Instant = Clock.now) {
    for connection in connections { drop(connection, at: now) }
  }

  private func admit(_ socket: LocalSocket) throws(Errno) {
    let peer = try socket.peer
    guard peer.userID == userID else {
      return complain(
        "a process of user \(peer.userID) was refused: the launcher serves the daemon only")
    }
    guard connections.count < LaunchServer.connectionsMax else {
      return complain("a connection was refused: \(connections.count) are open")
    }
    lastNumber += 1
    connections.append(LaunchConnection(number: lastNumber, socket: socket))
  }

  /// Serves the requests of a connection that have arrived; a connection with any other packet is ended.
  private func serve(_ connection: LaunchConnection, at now: Instant) {
    while true {
      var isServed = false
      // Swift 6.0 does not infer that the closure owns its descriptor.
      let received = try? connection.socket.receive(into: &buffer) {
        (packet: [UInt8], descriptor: consuming FileDescriptor?) in
        isServed = take(LaunchRequest(decoding: packet), descriptor, of: connection, at: now)
      }
      switch received {
      case .nothing: return
      case .packet:
        sendOutcomes(at: now)
        // A daemon that does not read its answers is disconnected, too.
        guard isServed, !connection.isFull else { return drop(connection, at: now) }
      case .tooLong, .ended, nil: return drop(connection, at: now)
      }
    }
  }

  private func drop(_ connection: LaunchConnection, at now: Instant) {
    connections.removeAll { $0 === connection }
    guard attending == connection.number else { return }
    attending = nil
    unattendedSince = now
    apps?.unattend()
  }

  /// Serves a request.
  ///
  /// - Returns: whether the packet was a request; one about a process comes with the process's descriptor.
  private func take(
    _ request: LaunchRequest?, _ descriptor: consuming FileDescriptor?,
    of connection: LaunchConnection, at now: Instant
  ) -> Bool {
    guard let request else { return false }
    switch request.kind {
    case .identify:
      guard let descriptor else { return false }
      let answer = LaunchServer.program(of: descriptor)
      connection.send(.answer(request.number, answer.fitting))
    case .attend:
      attending = connection.number
      unattendedSince = nil
      connection.send(.answer(request.number, .done))
      if let apps { apps.attend(connection.number) } else { connection.send(.attended) }
    case .order(let identifier, let order):
      let ticket = LaunchTicket(connection: connection.number, request: request.number)
      guard let apps else {
        connection.send(.answer(request.number, .failed(reason: "the launcher has no apps")))
        return true
      }
      apps.take(order, about: identifier, ticket, at: now)
    }
    return true
  }

  private func sendOutcomes(at now: Instant) {
    while let outcomes = apps?.takeOutcomes(), !outcomes.isEmpty {
      for outcome in outcomes {
        switch outcome {
        case .answer(let ticket, let answer):
          connections.first { $0.number == ticket.connection }?
            .send(.answer(ticket.request, answer))
        case .news(let report):
          connections.first { $0.number == attending }?.send(report)
        case .run(let identifier): apps?.run(identifier)
        }
      }
    }
    for connection in connections where connection.isFull { drop(connection, at: now) }
  }

  /// The program of the process of a descriptor.
  private static func program(of descriptor: consuming FileDescriptor) -> LaunchReport.Answer {
    do throws(Errno) {
      let program = try PeerProcess(watchedBy: descriptor).program()
      return .program(
        path: program.path, device: program.file.device, file: program.file.number,
        changeTimeNanoseconds: program.version.changeTimeNanoseconds)
    } catch {
      return .unknown(reason: "\(error)")
    }
  }
}
