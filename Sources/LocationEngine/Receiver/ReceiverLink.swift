import Basics

/// The open line to a receiver: its kind and speed, and what the bytes on it are up to.
struct ReceiverLink: Equatable, Codable, Sendable {
  let kind: Event.ReceiverPort.Kind
  private(set) var speed: Int
  /// Whether frames were whole at more than one speed, so that the speed says nothing.
  private(set) var ignoresSpeed = false
  private(set) var lastFrame: Instant
  private(set) var lastBytes: Instant
  private(set) var rhythm: EpochRhythm
  private var partial = Partial.none

  /// The frame at hand.
  private enum Partial: Equatable, Codable, Sendable {
    case none
    /// Begun; given up when its rest has not come by then.
    case until(Instant)
  }

  private static let partialSlack = Interval.milliseconds(200)
  private static let partialMax = Interval.seconds(3)

  init(_ port: Event.ReceiverPort, at now: Instant) {
    kind = port.kind
    speed = port.speed
    lastFrame = now
    lastBytes = now
    rhythm = EpochRhythm(speed: port.speed, isPaced: port.kind == .uart)
  }

  mutating func speedChanged(_ speed: Int) {
    self.speed = speed
    partial = .none
    rhythm = EpochRhythm(speed: speed, isPaced: kind == .uart)
  }

  /// The line carries bytes at a pace of its own.
  mutating func speedProvedMeaningless() {
    ignoresSpeed = true
    rhythm = EpochRhythm(speed: speed, isPaced: false)
  }

  mutating func frameArrived(at now: Instant) {
    lastFrame = now
  }

  /// A read was taken apart.
  mutating func bytesRead(
    _ count: Int, bytesAwaited: Int, epochMilliseconds: UInt32?, patience: EpochRhythm.Patience,
    at now: Instant
  ) {
    lastBytes = now
    rhythm.bytesRead(
      count, bytesAwaited: bytesAwaited, epochMilliseconds: epochMilliseconds,
      patience: kind == .usb ? .none : patience, at: now)
    if bytesAwaited > 0 {
      let rest = Int64(min(bytesAwaited, 65_536)) * 10_000_000_000 / Int64(max(300, speed))
      partial = .until(
        max(now, rhythm.quietUntil ?? now)
          + min(Interval(nanoseconds: rest) + ReceiverLink.partialSlack, ReceiverLink.partialMax))
    } else {
      partial = .none
    }
  }

  /// Whether the frame at hand has taken too long; if so it counts as given up.
  mutating func givesUpPartial(at now: Instant) -> Bool {
    guard case .until(let instant) = partial, instant <= now else { return false }
    partial = .none
    return true
  }

  mutating func becameUrgent() {
    rhythm.becameUrgent()
  }

  var nextDeadline: Instant? {
    switch partial {
    case .none: nil
    case .until(let instant): instant
    }
  }
}
