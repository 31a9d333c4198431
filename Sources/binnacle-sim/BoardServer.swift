import BinnacleBasics
import BinnaclePosix
import Simulation
import VirtualWire

/// The socket in front of a virtual board: one poll, packets in, packets out.
final class BoardServer {
  private var board: VirtualBoard
  private let listener: LocalListener
  private let signals: Signals
  private let log: BoardLog?
  private var connections: [Connection] = []
  private var nextNumber = 1
  private var poll = Poll()
  private var buffer = [UInt8](repeating: 0, count: VirtualLimits.messageSizeMax)

  /// The maximum number of packets that wait for one client; with more packets the server hangs up.
  private static let waitingMax = 256

  /// The interval at which the server checks chips with wired interrupt outputs.
  private static let pollPeriod = Interval.milliseconds(5)

  private struct Connection {
    let number: Int
    let socket: LocalSocket
    var waiting: [VirtualBoard.Packet] = []
    var isOver = false
  }

  /// - Parameters:
  ///   - board: the board.
  ///   - path: the socket.
  ///   - log: gets the changes of lamps and buttons; nil: they are not logged.
  /// - Throws: why the socket cannot be opened.
  init(_ board: VirtualBoard, path: String, log: BoardLog?) throws {
    self.board = board
    self.log = log
    Signals.ignoreBrokenPipes()
    signals = try Signals([.interrupt, .terminate, .hangUp])
    // A client that may write to the socket controls the board, so only the socket's owner has access.
    listener = try LocalListener(path: path, mode: 0o600)
  }

  /// Serves until a signal requests the end.
  func run() throws {
    while true {
      poll.removeAll()
      poll.set(signals.descriptor, .reading)
      poll.set(listener.descriptor, .reading)
      for connection in connections {
        poll.set(
          connection.socket.descriptor,
          connection.waiting.isEmpty ? .reading : [.reading, .writing])
      }
      try poll.wait(until: board.needsClock ? Clock.now + BoardServer.pollPeriod : nil)
      if signals.next() != nil { return }
      for number in connections.map(\.number) { try serve(number) }
      if !poll.readiness(of: listener.descriptor).isEmpty { accept() }
      if board.needsClock { board.timePassed(clock: Clock.monotonicNanoseconds) }
      try sendOutput()
      try dropEnded()
    }
  }

  private func accept() {
    while let socket = try? listener.accept() {
      connections.append(Connection(number: nextNumber, socket: socket))
      board.connected(nextNumber)
      nextNumber += 1
    }
  }

  private func serve(_ number: Int) throws {
    guard let index = connections.firstIndex(where: { $0.number == number }),
      !poll.readiness(of: connections[index].socket.descriptor).isEmpty
    else { return }
    // A client that sends without a pause must not keep the others waiting.
    for _ in 0..<64 {
      switch try? connections[index].socket.receive(into: &buffer) {
      case .packet(let count):
        board.packetArrived(
          Array(buffer[..<count]), from: number, clock: Clock.monotonicNanoseconds)
      case .tooLong(let count): board.overlongPacketArrived(count: count, from: number)
      case .nothing: return
      case .ended, nil:
        connections[index].isOver = true
        return
      }
      // The server sends the output of one packet before it handles the next packet.
      try sendOutput()
      if connections[index].isOver { return }
    }
  }

  /// Logs the changes before their answers leave, so that a client that has its answer finds the change in the log.
  private func sendOutput() throws {
    let changes = board.takeChanges()
    try log?.write(changes)
    for packet in board.takeOutput() {
      guard let index = connections.firstIndex(where: { $0.number == packet.connection }) else {
        continue
      }
      connections[index].waiting.append(packet)
    }
    for index in connections.indices { flush(index) }
  }

  private func flush(_ index: Int) {
    while let packet = connections[index].waiting.first, !connections[index].isOver {
      switch try? connections[index].socket.send(packet.bytes) {
      case .some(true):
        connections[index].waiting.removeFirst()
        if packet.isLast { connections[index].isOver = true }
      case .some(false):
        if connections[index].waiting.count > BoardServer.waitingMax {
          connections[index].isOver = true
        }
        return
      case nil: connections[index].isOver = true
      }
    }
  }

  private func dropEnded() throws {
    let ended = connections.filter(\.isOver).map(\.number)
    if ended.isEmpty { return }
    connections.removeAll(where: \.isOver)
    for number in ended { board.disconnected(number, clock: Clock.monotonicNanoseconds) }
    try sendOutput()
  }
}
