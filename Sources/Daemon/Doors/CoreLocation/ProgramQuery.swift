import BinnacleBasics
import BinnaclePosix
import LaunchWire

/// The connection to the launcher, which sees the programs of other users' processes.
///
/// The daemon works without a launcher: the programs of other users are then unknown. Each question without a connection
/// tries to connect: a refused connection costs less than the question's own client.
final class ProgramQuery {
  private let path: String
  private var socket: LocalSocket?
  private var lastNumber: UInt32 = 0
  private var buffer = [UInt8](repeating: 0, count: LaunchAnswer.sizeMax)

  /// - Parameter path: the launcher's socket.
  init(path: String) {
    self.path = path
  }

  /// The descriptor to poll for reading; nil without a connection.
  var descriptor: Int32? { socket?.descriptor }

  /// Asks which program a peer runs.
  ///
  /// - Parameter peer: the peer's socket.
  /// - Returns: the number of the question; nil if there is no launcher, or if the process has ended.
  func ask(about peer: LocalSocket) -> UInt32? {
    guard let process = try? PeerProcess(of: peer), let socket = connection() else { return nil }
    lastNumber &+= 1
    let question = LaunchQuestion(number: lastNumber)
    do throws(Errno) {
      return try process.send(question.encoded, to: socket) ? question.number : nil
    } catch {
      if error != .noSuchProcess { self.socket = nil }
      return nil
    }
  }

  /// The answers that have arrived, and whether the connection still exists.
  func takeAnswers() -> (answers: [LaunchAnswer], isConnected: Bool) {
    var answers: [LaunchAnswer] = []
    while let socket {
      switch try? socket.receive(into: &buffer) {
      case .nothing: return (answers, true)
      case .packet(let count):
        guard let answer = LaunchAnswer(decoding: Array(buffer[..<count])) else {
          self.socket = nil
          return (answers, false)
        }
        answers.append(answer)
      case .tooLong, .ended, nil: self.socket = nil
      }
    }
    return (answers, false)
  }

  private func connection() -> LocalSocket? {
    if let socket { return socket }
    guard let socket = try? LocalSocket(connectingTo: path), let server = try? socket.peer,
      server.userID == 0 || server.userID == Environment.userID
    else { return nil }
    self.socket = socket
    return socket
  }
}
