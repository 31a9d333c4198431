import BinnacleBasics
import BinnacleModel
import BinnaclePosix
import VirtualWire

/// A line of a virtual board, through the socket of `Docs/SPEC-virtual.md`.
final class SimulatedLine: Line {
  private let request: LineRequest
  private let socket: LocalSocket
  private var state = State.greeting
  private var answerDueAt: [Instant]
  private var buffer = [UInt8](repeating: 0, count: VirtualLimits.messageSizeMax)

  private enum State: Equatable {
    /// The hello has no answer yet.
    case greeting
    /// The claim has no answer yet.
    case claiming
    /// The line is claimed; the numbers of the next order and of the next answer.
    case open(nextTicket: UInt32, nextAnswer: UInt32)
  }

  /// The time-out of the board's answer.
  static let answerTimeMax = Interval.seconds(2)
  /// The largest number of orders without an answer; beyond it the connection is closed.
  private static let waitingMax = 32
  private static let messagesPerTurnMax = 64

  var descriptor: Int32 { socket.descriptor }
  var isReadable: Bool { true }
  var nextDeadline: Instant? { answerDueAt.first }

  init(_ request: LineRequest, path: String, at now: Instant) throws(LineFault) {
    self.request = request
    let line = request.inWords
    do throws(SystemError) {
      socket = try LocalSocket(connectingTo: path)
    } catch {
      switch error.errno {
      case .noSuchFile, .connectionRefused:
        throw LineFault(
          .chipMissing, "\(line): no virtual board listens there; 'binnacle-sim board' starts one")
      case .accessDenied, .notPermitted: throw LineFault(.notPermitted, "\(line): \(error.errno)")
      default: throw LineFault(.failed, "\(line): \(error)")
      }
    }
    // One answer to the hello, and one answer to the claim, which is sent directly after it.
    answerDueAt = Array(repeating: now + SimulatedLine.answerTimeMax, count: 2)
    try say(VirtualHello(.lines).encoded())
    try say(LineOrder.claim(request.claim).encoded())
  }

  // MARK: Orders

  func set(_ isActive: Bool, at now: Instant) -> [LineFact] {
    order(at: now) { .set(ticket: $0, isActive: isActive) }
  }

  func read(at now: Instant) -> [LineFact] {
    order(at: now) { .get(ticket: $0) }
  }

  private func order(at now: Instant, _ make: (UInt32) -> LineOrder) -> [LineFact] {
    guard case .open(let ticket, let nextAnswer) = state else { return [] }
    guard answerDueAt.count < SimulatedLine.waitingMax else {
      return lost(.failed, "\(answerDueAt.count) orders wait for an answer")
    }
    state = .open(nextTicket: ticket &+ 1, nextAnswer: nextAnswer)
    answerDueAt.append(now + SimulatedLine.answerTimeMax)
    do throws(LineFault) {
      try say(make(ticket).encoded())
      return []
    } catch {
      return [.lost(error)]
    }
  }

  private func say(_ bytes: [UInt8]) throws(LineFault) {
    do throws(Errno) {
      if try socket.send(bytes) { return }
      throw Errno.wouldBlock
    } catch {
      let kind: LineFailure = error == .wouldBlock ? .failed : .gone
      let what = error == .wouldBlock ? "the board does not read" : "the board hung up"
      throw LineFault(kind, "\(request.inWords): \(what)")
    }
  }

  // MARK: Inputs

  func ready(_ readiness: Poll.Readiness, at now: Instant) -> [LineFact] {
    var facts: [LineFact] = []
    for _ in 0..<SimulatedLine.messagesPerTurnMax {
      switch try? socket.receive(into: &buffer) {
      case .packet(let count): facts += take(Array(buffer[..<count]), at: now)
      case .nothing: return facts
      case .tooLong(let count): facts += lost(.failed, "a message of \(count) bytes is too long")
      case .ended, nil: facts += lost(.gone, "the board hung up")
      }
      if case .lost = facts.last { return facts }
    }
    return facts
  }

  func deadlineReached(at now: Instant) -> [LineFact] {
    guard let due = answerDueAt.first, due <= now else { return [] }
    let seconds = SimulatedLine.answerTimeMax.nanoseconds / 1_000_000_000
    return lost(.failed, "the board has not answered for \(seconds) s")
  }

  private func take(_ bytes: [UInt8], at now: Instant) -> [LineFact] {
    switch state {
    case .greeting: return takeGreeting(bytes)
    case .claiming, .open:
      // A board may refuse at any time.
      if case .refused(let refusal) = VirtualGreeting(decoding: bytes) {
        return lost(.failed, "the board refuses: \(refusal.text)")
      }
      guard let answer = LineAnswer(decoding: bytes) else {
        return lost(.failed, "the board has sent an invalid message")
      }
      return take(answer, at: now)
    }
  }

  private func takeGreeting(_ bytes: [UInt8]) -> [LineFact] {
    switch VirtualGreeting(decoding: bytes) {
    case .welcome(VirtualLimits.version, _):
      state = .claiming
      answerDueAt.removeFirst()
      return []
    case .welcome(let version, _): return lost(.failed, "the board speaks version \(version)")
    case .refused(let refusal): return lost(.failed, "the board refuses: \(refusal.text)")
    case nil: return lost(.failed, "the program that listens there is not a virtual board")
    }
  }

  private func take(_ answer: LineAnswer, at now: Instant) -> [LineFact] {
    switch (answer, state) {
    case (.granted(let isActive, let isDebounced), .claiming):
      state = .open(nextTicket: 1, nextAnswer: 1)
      answerDueAt.removeFirst()
      return [.opened(isActive: isActive, isDebounced: isDebounced)]
    case (.refused(let refusal), .claiming): return refused(refusal)
    case (.gone(let text), _): return lost(.gone, text)
    case (.edge(let isActive, let nanoseconds), .open):
      return [
        .edge(isActive: isActive, at: EdgeClock.instant(ofStamp: nanoseconds, now: now))
      ]
    case (.value(let ticket, let isActive), .open(let nextTicket, let nextAnswer))
    where ticket == nextAnswer && ticket != nextTicket:
      state = .open(nextTicket: nextTicket, nextAnswer: ticket &+ 1)
      answerDueAt.removeFirst()
      return [.level(isActive: isActive)]
    case (.failed(let ticket, let text), .open(let nextTicket, let nextAnswer))
    where ticket == nextAnswer && ticket != nextTicket:
      return lost(.failed, text)
    case (.granted, _), (.refused, _), (.edge, _), (.value, _), (.failed, _):
      return lost(.failed, "the board has sent an answer to no request")
    }
  }

  // MARK: Failures

  private func lost(_ kind: LineFailure, _ text: String) -> [LineFact] {
    [.lost(LineFault(kind, "\(request.inWords): \(text)"))]
  }

  private func refused(_ refusal: LineAnswer.Refusal) -> [LineFact] {
    switch refusal.kind {
    case .lineMissing: lost(.lineMissing, refusal.text)
    case .busy: lost(.busy, refusal.text)
    case .notPermitted: lost(.notPermitted, refusal.text)
    case .chipMissing: lost(.chipMissing, refusal.text)
    case .failed: lost(.failed, refusal.text)
    }
  }
}
