public import BinnacleBasics
import UBX

/// Polls a receiver's identity, and changes no setting.
///
/// The probe searches as the daemon does: one round on a silent line, otherwise until the time limit of 20 s. The owner
/// carries out the actions and reports their results:
///
///     asking --identity--> answered
///     asking --whole frames, no answer--> heard
///     asking --nothing at any speed, time is up--> garbled or silent
public struct ReceiverProbe: Sendable {
  public enum Action: Equatable, Sendable {
    case write([UInt8])
    case changeSpeed(Int)
    case end(Outcome)
  }

  /// The result of the probe.
  public enum Outcome: Equatable, Sendable {
    /// The receiver identifies itself, in one line for a person, at this speed in baud.
    case answered(String, speed: Int)
    /// The receiver sends at this speed in baud and does not answer.
    case heard(speed: Int)
    /// This many bytes came, without a frame at any speed.
    case garbled(bytes: Int)
    case silent
  }

  private var search: SearchMachine
  private var decoder = StreamDecoder(publication: .whenPositioned)
  private var byteCount = 0
  private var hasEnded = false
  private let end: Instant

  /// Two rounds of a search and the pause between them.
  private static let timeMax = Interval.seconds(20)

  /// - Parameters:
  ///   - speed: the speed of the open line.
  ///   - isSpeedless: whether any speed works, as at a receiver with its own USB.
  ///   - now: the time.
  public init(speed: Int, isSpeedless: Bool, at now: Instant) {
    search = SearchMachine(
      speed: speed, others: isSpeedless ? [] : SearchMachine.speeds, at: now)
    end = now + ReceiverProbe.timeMax
  }

  /// The line is open.
  public func opened() -> [Action] { [.write(ReceiverSession.question)] }

  public mutating func bytesArrived(_ bytes: [UInt8], at now: Instant) -> [Action] {
    var actions: [Action] = []
    byteCount += bytes.count
    decoder.append(bytes)
    while !hasEnded, let reception = decoder.next() {
      guard case .message(let message) = reception else { continue }
      if case .monVER(let version) = message, !search.isPausing {
        return [finish(.answered(ReceiverIdentity(version).summary, speed: search.speed))]
      }
      actions += self.actions(for: search.frameArrived(at: now))
    }
    let isWithinFrame = decoder.bytesAwaited > 0
    if !hasEnded {
      actions += self.actions(
        for: search.bytesArrived(bytes.count, isWithinFrame: isWithinFrame, at: now))
    }
    return actions
  }

  public mutating func speedChanged(at now: Instant) -> [Action] {
    // Bytes from another speed are no frame.
    decoder.abandonPartialFrame()
    return actions(for: search.speedChanged(at: now))
  }

  public mutating func speedRefused(at now: Instant) -> [Action] {
    actions(for: search.speedRefused(at: now))
  }

  public mutating func deadlineReached(at now: Instant) -> [Action] {
    if now >= end {
      return [finish(byteCount == 0 ? .silent : .garbled(bytes: byteCount))]
    }
    decoder.abandonPartialFrame()
    return actions(for: search.deadlineReached(at: now))
  }

  public var nextDeadline: Instant { min(search.nextDeadline, end) }

  private mutating func actions(for action: SearchMachine.Action) -> [Action] {
    if hasEnded { return [] }
    return switch action {
    case .none: []
    case .ask: [.write(ReceiverSession.question)]
    case .change(let speed): [.changeSpeed(speed)]
    case .read: [finish(.heard(speed: search.speed))]
    // On a line that carries bytes another round may find a frame.
    case .pause: byteCount == 0 ? [finish(.silent)] : [.changeSpeed(search.speed)]
    }
  }

  private mutating func finish(_ outcome: Outcome) -> Action {
    hasEnded = true
    return .end(outcome)
  }
}
