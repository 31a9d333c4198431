public import BinnacleBasics
import UBX

/// Records the receiver's indications of spoofing and jamming.
///
/// An indication may last one epoch only, at the transition. Each indication is therefore latched with its time until
/// the daemon ends. No fix is dropped because of an indication.
public struct SecurityWatch: Equatable, Codable, Sendable {
  public private(set) var spoofing = Latch()
  public private(set) var jamming = Latch()
  /// Whether the receiver sends SEC-SIG, whose indications last.
  private var hasSignal = false

  /// An indication with its count and time.
  public struct Latch: Equatable, Codable, Sendable {
    /// Whether the last message was an indication.
    public private(set) var isPresent = false
    /// How many times the indication has begun.
    public private(set) var beginnings = 0
    /// When the last indication arrived.
    public private(set) var last: Last = .never

    public enum Last: Equatable, Codable, Sendable {
      case never
      case at(Instant)
    }

    /// Takes a message; returns whether an indication begins with it.
    fileprivate mutating func told(_ indicated: Bool, at now: Instant) -> Bool {
      defer { isPresent = indicated }
      guard indicated else { return false }
      last = .at(now)
      guard !isPresent else { return false }
      beginnings &+= 1
      return true
    }
  }

  /// An indication that has just begun.
  enum Beginning: Equatable, Sendable {
    case spoofing
    case jamming
  }

  mutating func statusArrived(_ status: NavSTATUS, at now: Instant) -> [Beginning] {
    guard status.spoofingState > 0 else { return [] }
    // "None" applies to that epoch alone and does not mean that there is no spoofing (UBX-13003221, UBX-NAV-STATUS
    // spoofDetState). If SEC-SIG reports the state, "none" therefore ends no indication.
    if status.spoofingState == 1, hasSignal { return [] }
    return spoofing.told(status.spoofingState >= 2, at: now) ? [.spoofing] : []
  }

  mutating func signalArrived(_ signal: SecSIG, at now: Instant) -> [Beginning] {
    hasSignal = true
    var beginnings: [Beginning] = []
    switch signal.spoofing {
    case .unknown: break
    case .none: _ = spoofing.told(false, at: now)
    case .indicated, .affirmed:
      if spoofing.told(true, at: now) { beginnings.append(.spoofing) }
    }
    switch signal.jamming {
    case .unknown: break
    case .none: _ = jamming.told(false, at: now)
    case .warning, .critical:
      if jamming.told(true, at: now) { beginnings.append(.jamming) }
    }
    return beginnings
  }
}
