public import BinnacleBasics
public import BinnaclePosix
public import BinnacleWire

/// A program's end of the daemon's socket: it connects, reconnects, sends and receives.
///
/// It has no thread and never waits. Its owner polls ``descriptor``, calls ``ready(_:at:)`` and ``deadlineReached(at:)``, and
/// takes what has come of that with ``takeEvents()``.
public struct DaemonClient: Sendable {
  /// What the owner learns.
  public enum Event: Equatable, Sendable {
    /// The daemon has said something: any action of the machine but `connect`, `send` and `hangUp`.
    case message(ClientMachine.Action)
    case connectFailed(SystemError)
    /// The connection is gone; the client connects again by itself.
    case hungUp
  }

  /// Packets that are taken before the owner gets its turn.
  private static let packetsPerTurnMax = 64

  /// The protocol's end; actions that it answers to a call of the owner go to ``carryOut(_:at:)``.
  public var machine: ClientMachine
  private let program: String
  private let socketPath: @Sendable () -> String
  private var isStarted = false
  private var socket: LocalSocket?
  private var unsent: [[UInt8]] = []
  /// Whether packets wait for the daemon to read, and not for their turn.
  private var waitsForDaemon = false
  private var pace = RequestPace()
  private var events: [Event] = []
  private var buffer = [UInt8](repeating: 0, count: WireLimits.packetSizeMax)

  /// - Parameters:
  ///   - program: the name that `binnacle status` shows for this client.
  ///   - socketPath: the daemon's socket, looked up anew at every attempt to connect.
  public init(program: String, socketPath: @escaping @Sendable () -> String) {
    self.program = program
    self.socketPath = socketPath
    machine = DaemonClient.newMachine(program)
  }

  private static func newMachine(_ program: String) -> ClientMachine {
    ClientMachine(program: program, seed: UInt64.random(in: .min ... .max))
  }

  // MARK: The owner's poll

  /// What to poll; nil while there is no connection.
  public var descriptor: Int32? { socket?.descriptor }

  /// Whether to poll it for writing, too.
  public var wantsToWrite: Bool { waitsForDaemon }

  /// When ``deadlineReached(at:)`` is due.
  ///
  /// - Parameters:
  ///   - hasOrders: whether the owner holds orders until ``isFree(at:)``.
  ///   - now: the instant.
  /// - Returns: nil when only the daemon can change something.
  public func nextDeadline(hasOrders: Bool = false, at now: Instant) -> Instant? {
    let waiting: RequestPace.Waiting =
      if !unsent.isEmpty { .packets(untilRead: waitsForDaemon) } else if hasOrders { .orders } else
      {
        .nothing
      }
    return earlier(machine.nextDeadline, pace.nextTurn(of: waiting, at: now))
  }

  /// Whether a message would go to the daemon at once, or need not go yet.
  public func isFree(at now: Instant) -> Bool {
    !machine.isReady || unsent.isEmpty && pace.allows(at: now)
  }

  /// What has happened since the last call.
  public mutating func takeEvents() -> [Event] {
    defer { events.removeAll() }
    return events
  }

  // MARK: Calls

  /// Begins to connect; nothing happens when it has begun already.
  public mutating func start(at now: Instant) {
    guard !isStarted else { return }
    isStarted = true
    carryOut(machine.started(at: now), at: now)
  }

  /// Hangs up and forgets everything, until it is started again.
  public mutating func reset() {
    hangUp()
    machine = DaemonClient.newMachine(program)
    isStarted = false
  }

  /// Sends a message that the machine does not know of.
  public mutating func send(_ packet: [UInt8], at now: Instant) {
    // The connection may have broken under the message before this one.
    if socket == nil { return }
    unsent.append(packet)
    flush(at: now)
  }

  /// The descriptor is ready.
  public mutating func ready(_ readiness: Poll.Readiness, at now: Instant) {
    if readiness.contains(.writable) { flush(at: now) }
    if !readiness.subtracting(.writable).isEmpty { receive(at: now) }
  }

  public mutating func deadlineReached(at now: Instant) {
    if !unsent.isEmpty { flush(at: now) }
    if let due = machine.nextDeadline, due <= now {
      carryOut(machine.deadlineReached(at: now), at: now)
    }
  }

  /// Carries out what the machine has answered.
  public mutating func carryOut(_ actions: [ClientMachine.Action], at now: Instant) {
    for action in actions {
      switch action {
      case .connect: connect(at: now)
      case .send(let packet): send(packet, at: now)
      case .hangUp: hangUp()
      case .update, .updatesEnded, .refused, .status, .trace, .state, .writes, .sky, .answered,
        .ready,
        .defaults, .defaultsChanged, .defaultsSettled:
        events.append(.message(action))
      }
    }
  }

  // MARK: The socket

  private mutating func connect(at now: Instant) {
    do throws(SystemError) {
      socket = try DaemonSocket.connect(to: socketPath())
      carryOut(machine.connected(at: now), at: now)
    } catch {
      events.append(.connectFailed(error))
      carryOut(machine.connectFailed(at: now), at: now)
    }
  }

  private mutating func hangUp() {
    socket = nil
    unsent = []
    waitsForDaemon = false
    pace = RequestPace()
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
      // The connection is gone. What the daemon said before is still read: it may say why.
      unsent = []
      waitsForDaemon = false
    }
  }

  private mutating func receive(at now: Instant) {
    for _ in 0..<DaemonClient.packetsPerTurnMax {
      guard let socket else { return }
      switch try? socket.receive(into: &buffer) {
      case .nothing: return
      case .packet(let count):
        carryOut(machine.packetArrived(Array(buffer[..<count]), at: now), at: now)
      // No message of the protocol is as long: the machine hangs up.
      case .tooLong: carryOut(machine.packetArrived([], at: now), at: now)
      case .ended, nil:
        hangUp()
        carryOut(machine.disconnected(at: now), at: now)
      }
    }
  }
}
