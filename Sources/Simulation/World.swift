public import BinnacleBasics

/// The surroundings of the receiver: the time, the sky, and the body that carries the receiver.
public struct World: Sendable {
  /// The free share of the sky from an instant on.
  public struct Sky: Equatable, Sendable {
    public var start: Instant
    /// 0 is a tunnel, 1 an open field.
    public var visibility: Double

    public init(start: Instant, visibility: Double) {
      self.start = start
      self.visibility = visibility
    }
  }

  /// A disturbance of the reception for a while.
  public struct Threat: Equatable, Sendable {
    public enum Kind: String, CaseIterable, Sendable {
      /// Interference that keeps the fix.
      case jamming
      /// Interference that prevents any fix.
      case blockingJamming
      /// False signals that the receiver detects; they contain the true position.
      case spoofing
    }

    public var kind: Kind
    public var start: Instant
    public var end: Instant

    public init(kind: Kind, start: Instant, end: Instant) {
      self.kind = kind
      self.start = start
      self.end = end
    }
  }

  /// Universal time at `Instant.zero`.
  public var utcAtZero: UTCTime
  public var body: Body
  /// The instant at which the body starts to move along its path.
  public var departure: Instant
  /// In the order of time.
  public var skies: [Sky]
  public var threats: [Threat] = []

  public init(
    utcAtZero: UTCTime, body: Body, departure: Instant = .zero,
    skies: [Sky] = [Sky(start: .zero, visibility: 1)]
  ) {
    self.utcAtZero = utcAtZero
    self.body = body
    self.departure = departure
    self.skies = skies
  }

  /// Universal time at an instant.
  public func utc(at now: Instant) -> UTCTime { utcAtZero + (now - .zero) }

  /// The instant of a universal time.
  public func instant(of utc: UTCTime) -> Instant { .zero + (utc - utcAtZero) }

  public func motion(at now: Instant) -> Motion { body.motion(after: now - departure) }

  /// Whether the body is at rest and no person moves it.
  public func isAtRest(at now: Instant) -> Bool { body.isAtRest(after: now - departure) }

  public func visibility(at now: Instant) -> Double {
    if threat(.blockingJamming, at: now) != nil { return 0 }
    return skies.last { $0.start <= now }?.visibility ?? 1
  }

  /// The active threat of a kind at an instant.
  func threat(_ kind: Threat.Kind, at now: Instant) -> Threat? {
    threats.first { $0.kind == kind && $0.start <= now && now < $0.end }
  }
}

/// GPS time: weeks and milliseconds, ahead of UTC by the leap seconds.
enum GPSTime {
  /// Valid since 2017-01-01; the recordings of 2020 to 2025 all show 18.
  static let leapSeconds: Int64 = 18
  static let weekMilliseconds: Int64 = 604_800_000
  /// 1980-01-06T00:00:00Z in seconds since 1970.
  private static let epoch: Int64 = 315_964_800

  /// Milliseconds since the start of GPS time, rounded down.
  static func milliseconds(of utc: UTCTime) -> Int64 {
    (utc.secondsSince1970 - epoch + leapSeconds) * 1_000 + Int64(utc.nanoseconds) / 1_000_000
  }

  /// Weeks since the start of GPS time.
  static func week(of utc: UTCTime) -> Int64 { milliseconds(of: utc) / weekMilliseconds }

  static func utc(ofMilliseconds milliseconds: Int64) -> UTCTime {
    UTCTime(secondsSince1970: epoch - leapSeconds)
      + Interval.milliseconds(milliseconds)
  }
}
