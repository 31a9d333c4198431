public import BinnacleBasics
public import BinnacleModel
public import BinnaclePosix
public import BinnacleWire

/// A program's connection to the daemon: connects, reconnects, sends and receives.
///
/// The client has no thread. Its owner polls ``descriptor``, calls ``ready(_:at:)`` and
/// ``deadlineReached(at:)``, and takes the resulting events with ``takeEvents()``.
///
/// A call blocks only while the daemon's queue of connections is full, for a tenth of a second. The
/// client then tries again for some seconds, before it reports the failure.
public struct DaemonClient: Sendable {
  /// An event for the owner.
  public enum Event: Equatable, Sendable {
    /// A message from the daemon: any action of the machine except `connect`, `send` and `hangUp`.
    case message(ClientMachine.Action)
    case connectFailed(SystemError)
    /// The connection is closed; the client reconnects by itself.
    case hungUp
  }

  /// The client side of the protocol; pass the actions that it returns to ``carryOut(_:at:)``.
  public var machine: ClientMachine
  private let program: String
  private let role: ClientRole
  private let socketPath: @Sendable () -> String
  private var isStarted = false
  private var socket: LocalSocket?
  private var unsent: [[UInt8]] = []
  /// Whether packets wait because the daemon must read first, and not because of the pace.
  private var waitsForDaemon = false
  private var pace = RequestPace()
  private var queueWait = QueueWait()
  private var events: [Event] = []
  private var buffer = [UInt8](repeating: 0, count: WireLimits.packetSizeMax)

  /// - Parameters:
  ///   - program: the name that `binnacle status` shows for this client.
  ///   - role: the role that the client asks for.
  ///   - socketPath: the daemon's socket, evaluated at each attempt to connect.
  public init(
    program: String, role: ClientRole = .app, socketPath: @escaping @Sendable () -> String
  ) {
    self.program = program
    self.role = role
    self.socketPath = socketPath
    machine = DaemonClient.newMachine(program, role)
  }

  private static func newMachine(_ program: String, _ role: ClientRole) -> ClientMachine {
    ClientMachine(program: program, role: role, seed: UInt64.random(in: .min ... .max))
  }

  // MARK: The owner's poll

  /// The descriptor to poll; nil without a connection.
  public var descriptor: Int32? { socket?.descriptor }

  /// Whether to poll the descriptor for writing, too.
  public var wantsToWrite: Bool { waitsForDaemon }

  /// Whether the client waits for room in the daemon's queue of connections.
  public var waitsForRoom: Bool { queueWait.nextAttempt != nil }

  /// The next call time of ``deadlineReached(at:)``.
  ///
  /// - Parameters:
  ///   - hasOrders: whether the owner holds orders until ``isFree(at:)``.
  ///   - now: the time.
  /// - Returns: nil if there is no deadline.
  public func nextDeadline(hasOrders: Bool = false, at now: Instant) -> Instant? {
    let waiting: RequestPace.Waiting =
      if !unsent.isEmpty { .packets(untilRead: waitsForDaemon) } else if hasOrders { .orders } else
      {
        .nothing
      }
    let ofConnection = earlier(machine.nextDeadline, queueWait.nextAttempt)
    return earlier(ofConnection, pace.nextTurn(of: waiting, at: now))
  }

  /// Whether a message can be sent at once, or there is no connection yet.
  public func isFree(at now: Instant) -> Bool {
    !machine.isReady || unsent.isEmpty && pace.allows(at: now)
  }

  /// The events since the last call.
  public mutating func takeEvents() -> [Event] {
    defer { events.removeAll() }
    return events
  }

  // MARK: Calls

  /// Begins to connect, unless the client has begun already.
  public mutating func start(at now: Instant) {
    guard !isStarted else { return }
    isStarted = true
    carryOut(machine.started(at: now), at: now)
  }

  /// Closes the connection and clears the state, until the next start.
  public mutating func reset() {
    hangUp()
    machine = DaemonClient.newMachine(program, role)
    isStarted = false
  }

  /// Sends a message outside the machine.
  public mutating func send(_ packet: [UInt8], at now: Instant) {
    // The connection may have failed during the previous message.
    if socket == nil { return }
    unsent.append(packet)
    flush(at: now)
  }

  /// Handles the readiness of the descriptor, and reads one packet at most.
  ///
  /// The owner then delivers the packet before it polls for another one, which mostly has not come yet.
  public mutating func ready(_ readiness: Poll.Readiness, at now: Instant) {
    if readiness.contains(.writable) { flush(at: now) }
    if !readiness.subtracting(.writable).isEmpty { receive(at: now) }
  }

  public mutating func deadlineReached(at now: Instant) {
    if !unsent.isEmpty { flush(at: now) }
    if let due = queueWait.nextAttempt, due <= now { connect(at: now) }
    if let due = machine.nextDeadline, due <= now {
      carryOut(machine.deadlineReached(at: now), at: now)
    }
  }

  /// Carries out the actions of the machine.
  public mutating func carryOut(_ actions: [ClientMachine.Action], at now: Instant) {
    for action in actions {
      switch action {
      case .connect: connect(at: now)
      case .send(let packet): send(packet, at: now)
      case .hangUp: hangUp()
      case .updates, .updatesEnded, .refused, .status, .trace, .state, .writes, .sky, .rows,
        .ownApps, .sessionDiagnostic, .authorization, .button, .phase,
        .answered,
        .ready,
        .defaults, .defaultsChanged, .defaultsSettled, .unlocked, .locked:
        events.append(.message(action))
      }
    }
  }

  // MARK: The socket

  private mutating func connect(at now: Instant) {
    let path = socketPath()
    do throws(SystemError) {
      socket = try DaemonSocket.connect(to: path, patience: QueueWait.patience)
      queueWait = QueueWait()
      carryOut(machine.connected(at: now), at: now)
    } catch {
      if error.isQueueFull, queueWait.queueWasFull(at: now) { return }
      queueWait = QueueWait()
      events.append(.connectFailed(error.isQueueFull ? QueueWait.failure(at: path) : error))
      carryOut(machine.connectFailed(at: now), at: now)
    }
  }

  private mutating func hangUp() {
    socket = nil
    unsent = []
    waitsForDaemon = false
    pace = RequestPace()
    queueWait = QueueWait()
    events.append(.hungUp)
  }

  private mutating func flush(at now: Instant) {
    guard let socket else { return }
    do throws(Errno) {
      while let packet = unsent.first, pace.allows(at: now), try socket.send(packet) {
        unsent.removeFirst()
        pace.sent(at: now)
      }
      waitsForDaemon = !unsent.isEmpty && pace.allows(at: now)
    } catch {
      // The daemon has closed the connection, or a message is lost. Earlier messages from the daemon are still read, because
      // they may have the reason. Then the client reads the end, and the next connection has everything again.
      unsent = []
      waitsForDaemon = false
      socket.shutDown()
    }
  }

  private mutating func receive(at now: Instant) {
    guard let socket else { return }
    switch try? socket.receive(into: &buffer) {
    case .nothing: break
    case .packet(let count):
      carryOut(machine.packetArrived(Array(buffer[..<count]), at: now), at: now)
    // The protocol has no message of this length, so the machine closes the connection.
    case .tooLong: carryOut(machine.packetArrived([], at: now), at: now)
    case .ended, nil:
      hangUp()
      carryOut(machine.disconnected(at: now), at: now)
    }
  }
}
