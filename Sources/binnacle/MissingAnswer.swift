import BinnacleBasics
import BinnacleClient
import BinnacleModel
import BinnaclePosix
import BinnacleWire

/// Why the daemon has not answered a request.
struct MissingAnswer: Error, Equatable {
  /// The sentence of the daemon, or the sentence that there is no daemon.
  let reason: String
  let status: ExitStatus
  /// Whether the daemon runs, and its queue of connections had no room.
  var isQueueFull = false
  /// Whether no daemon accepts connections.
  var isAbsence = false

  /// Whether a signal came before the answer; the command then ends.
  var isInterrupted: Bool { status == .interrupted }
}

extension Commands {
  /// Makes one request, and returns the answer or the reason why there is none.
  ///
  /// - Parameters:
  ///   - request: the request.
  ///   - program: the name that the daemon shows for this client.
  ///   - role: the role that the request needs.
  ///   - take: reads an action; nil until the answer is whole.
  /// - Returns: the answer.
  /// - Throws: the error of a system call.
  func fetch<Answer>(
    _ request: ClientRequest, program: String, role: ClientRole = .app,
    _ take: (ClientMachine.Action) -> Answer?
  ) throws(Errno) -> Result<Answer, MissingAnswer> {
    let connection = try Connection(
      runtimeDirectory: runtimeDirectory, program: program, role: role)
    _ = connection.machine.request(request, at: Clock.now)
    var answer: Answer?
    var refusal: ServerMessage.Refusal?
    let status = try ask(connection, complainsOfAbsence: false) { action in
      switch action {
      case .answered(let given?), .refused(let given):
        refusal = given
        return given.kind == .notPermitted ? .notPermitted : .serviceUnavailable
      case _: break
      }
      answer = take(action)
      return answer == nil ? nil : .success
    }
    if let answer { return .success(answer) }
    let reason =
      if status == .interrupted {
        "interrupted"
      } else if let refusal {
        refusal.text
      } else if connection.failure == nil {
        "the daemon does not answer"
      } else {
        self.reason(of: connection)
      }
    let isQueueFull = connection.failure?.isQueueFull ?? false
    let isAbsence = refusal == nil && connection.failure != nil && !isQueueFull
    return .failure(
      MissingAnswer(
        reason: reason, status: status, isQueueFull: isQueueFull, isAbsence: isAbsence))
  }

  /// All rows of a list.
  func fetchRows(
    _ request: ClientRequest, program: String
  ) throws(Errno) -> Result<[Report], MissingAnswer> {
    var rows: [Report] = []
    return try fetch(request, program: program) { action in
      guard case .rows(let piece, let isLast) = action else { return nil }
      rows += piece
      return isLast ? rows : nil
    }
  }
}
