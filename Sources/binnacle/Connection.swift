import BinnacleBasics
import BinnacleModel
import BinnaclePosix
import BinnacleWire

/// A client's end of the socket, driven by one poll: what the library does in an app, without concurrency.
final class Connection {
  /// What came of a turn.
  enum Turn: Equatable {
    /// What the machine handed on, connecting and sending aside.
    case actions([ClientMachine.Action])
    /// SIGINT or SIGTERM.
    case interrupted
    case deadline
  }

  let socketPath: String
  var machine: ClientMachine
  /// What went wrong with connecting last.
  private(set) var failure: SystemError?
  /// Since when no daemon has been there; nil while there is one.
  private(set) var absentSince: Instant?

  private var socket: LocalSocket?
  private let signals: Signals
  private var poll = Poll()
  private var unsent: [[UInt8]] = []
  private var handedOn: [ClientMachine.Action] = []
  private var buffer = [UInt8](repeating: 0, count: WireLimits.packetSizeMax)

  init(runtimeDirectory: String?, program: String) throws(Errno) {
    let directory = RuntimeDirectory.ofClient(option: runtimeDirectory)
    socketPath = RuntimeDirectory.socketPath(in: directory)
    machine = ClientMachine(
      program: program, seed: UInt64(truncatingIfNeeded: Clock.now.nanoseconds))
    signals = try Signals([.interrupt, .terminate])
    absentSince = Clock.now
  }

  func start() {
    carryOut(machine.started(at: Clock.now))
  }

  func carryOut(_ actions: [ClientMachine.Action]) {
    for action in actions {
      switch action {
      case .connect: connect()
      case .send(let packet): unsent.append(packet)
      case .hangUp: close()
      case .update, .updatesEnded, .refused, .status, .trace, .state, .writes, .sky, .answered:
        handedOn.append(action)
      // This program keeps nothing.
      case .ready, .defaults, .defaultsChanged, .defaultsSettled: break
      }
    }
    flush()
  }

  /// Waits until something came, at the latest until the deadline.
  func turn(until deadline: Instant?) throws(Errno) -> Turn {
    while handedOn.isEmpty {
      poll.removeAll()
      poll.set(signals.descriptor, .reading)
      if let socket {
        poll.set(socket.descriptor, unsent.isEmpty ? .reading : [.reading, .writing])
      }
      let next = [deadline, machine.nextDeadline].compactMap { $0 }.min()
      try poll.wait(until: next)
      if signals.next() != nil { return .interrupted }
      let now = Clock.now
      if let socket, !poll.readiness(of: socket.descriptor).isEmpty { receive(from: socket) }
      if let due = machine.nextDeadline, due <= now { carryOut(machine.deadlineReached(at: now)) }
      if let deadline, deadline <= now, handedOn.isEmpty { return .deadline }
    }
    defer { handedOn.removeAll() }
    return .actions(handedOn)
  }

  private func connect() {
    let now = Clock.now
    do throws(SystemError) {
      socket = try DaemonSocket.connect(to: socketPath)
      failure = nil
      carryOut(machine.connected(at: now))
    } catch {
      failure = error
      carryOut(machine.connectFailed(at: now))
    }
  }

  private func receive(from socket: LocalSocket) {
    flush()
    // What the daemon said last is read even when it hung up: it may say why.
    for _ in 0..<64 where self.socket === socket {
      switch try? socket.receive(into: &buffer) {
      case .nothing: return
      case .packet(let count):
        carryOut(machine.packetArrived(Array(buffer[..<count]), at: Clock.now))
        if machine.isReady { absentSince = nil }
      case .tooLong:
        carryOut(machine.packetArrived([], at: Clock.now))
      case .ended, nil:
        close()
        carryOut(machine.disconnected(at: Clock.now))
      }
    }
  }

  private func flush() {
    while let socket, let packet = unsent.first {
      do throws(Errno) {
        guard try socket.send(packet) else { return }
        unsent.removeFirst()
      } catch {
        // Receiving tells that the connection is gone, after what was said before.
        unsent.removeAll()
      }
    }
  }

  private func close() {
    socket = nil
    unsent.removeAll()
    if absentSince == nil { absentSince = Clock.now }
  }
}
