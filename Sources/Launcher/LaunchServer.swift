import BinnacleBasics
public import BinnaclePosix
import LaunchWire

/// Answers the daemon's questions about the programs of processes.
///
/// The program of another user's process is visible only with the capability CAP_SYS_PTRACE (`proc_pid_exe(5)`). The daemon
/// has no capability. The launcher has this one, and no receiver, no position and no network.
public final class LaunchServer {
  private var listener: LocalListener
  private let userID: UInt32
  private let complain: (String) -> Void
  private var clients: [LocalSocket] = []
  private var poll = Poll()
  private var buffer = [UInt8](repeating: 0, count: LaunchQuestion.sizeMax)

  /// A daemon needs one connection; after a restart the old one may still be open.
  static let clientsMax = 4

  /// - Parameters:
  ///   - path: the path of the socket.
  ///   - userID: the user whose processes may connect.
  ///   - complain: gets each problem, one line.
  /// - Throws: why the launcher can not listen.
  public init(
    path: String, userID: UInt32, complain: @escaping (String) -> Void
  ) throws(SystemError) {
    Signals.ignoreBrokenPipes()
    listener = try LocalListener(path: path, mode: 0o600)
    self.userID = userID
    self.complain = complain
  }

  /// Serves until one of the signals.
  public func run(until signals: Signals) throws(Errno) {
    while true {
      poll.removeAll()
      poll.set(signals.descriptor, .reading)
      poll.set(listener.descriptor, .reading)
      for client in clients { poll.set(client.descriptor, .reading) }
      try poll.wait(until: nil)
      if signals.next() != nil { return }
      try serveWaiting()
    }
  }

  /// Answers everything that has arrived, and waits for nothing.
  func serveWaiting() throws(Errno) {
    try acceptWaiting()
    for client in clients { serve(client) }
  }

  /// Accepts the connections that have arrived.
  func acceptWaiting() throws(Errno) {
    while let socket = try listener.accept() { try admit(socket) }
  }

  /// Ends all connections.
  func close() { clients = [] }

  private func admit(_ socket: LocalSocket) throws(Errno) {
    let peer = try socket.peer
    guard peer.userID == userID else {
      return complain(
        "a process of user \(peer.userID) was refused: the launcher serves the daemon only")
    }
    guard clients.count < LaunchServer.clientsMax else {
      return complain("a connection was refused: \(clients.count) are open")
    }
    clients.append(socket)
  }

  /// Answers the questions of a client that have arrived; a client that sends anything else is disconnected.
  private func serve(_ client: LocalSocket) {
    while true {
      var answer: LaunchAnswer?
      // Swift 6.0 does not infer that the closure owns its descriptor.
      let received = try? client.receive(into: &buffer) {
        (packet: [UInt8], descriptor: consuming FileDescriptor?) in
        answer = LaunchServer.answer(to: LaunchQuestion(decoding: packet), descriptor)
      }
      switch received {
      case .nothing: return
      case .packet:
        // A client that does not read its answers is disconnected, too.
        guard let answer, (try? client.send(answer.encoded)) == true else { return drop(client) }
      case .tooLong, .ended, nil: return drop(client)
      }
    }
  }

  private func drop(_ client: LocalSocket) { clients.removeAll { $0 === client } }

  /// The answer to a question; nil if the packet is no question, or came without a descriptor.
  static func answer(
    to question: LaunchQuestion?, _ descriptor: consuming FileDescriptor?
  ) -> LaunchAnswer? {
    guard let question, let descriptor else { return nil }
    do throws(Errno) {
      let program = try PeerProcess(watchedBy: descriptor).program()
      return LaunchAnswer(
        number: question.number,
        .program(path: program.path, device: program.file.device, file: program.file.number))
    } catch {
      return LaunchAnswer(number: question.number, .unknown(reason: "\(error)"))
    }
  }
}
