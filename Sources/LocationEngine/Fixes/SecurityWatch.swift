public import BinnacleBasics
import UBX

/// Keeps the receiver's indications of spoofing and jamming.
///
/// An indication lasts one epoch and comes at the transition, so each is latched with its time until the daemon
/// ends. No fix is dropped because of it.
public struct SecurityWatch: Equatable, Codable, Sendable {
  public private(set) var spoofing = Latch()
  public private(set) var jamming = Latch()
  /// Whether SEC-SIG comes, whose indications last.
  private var hasSignal = false

  /// The indications, with count and time.
  public struct Latch: Equatable, Codable, Sendable {
    /// Whether the last message was an indication.
    public private(set) var isPresent = false
    /// The number of beginnings.
    public private(set) var beginnings = 0
    /// When it was last indicated.
    public private(set) var last: Last = .never

    public enum Last: Equatable, Codable, Sendable {
      case never
      case at(Instant)
    }

    /// Whether this is the beginning of an indication.
    fileprivate mutating func told(_ indicated: Bool, at now: Instant) -> Bool {
      defer { isPresent = indicated }
      guard indicated else { return false }
      last = .at(now)
      guard !isPresent else { return false }
      beginnings &+= 1
      return true
    }
  }

  /// The indications that have just begun.
  enum Beginning: Equatable, Sendable {
    case spoofing
    case jamming
  }

  mutating func statusArrived(_ status: NavSTATUS, at now: Instant) -> [Beginning] {
    guard status.spoofingState > 0 else { return [] }
    // "None" is of that epoch alone and does not mean that there is none (UBX-13003221, UBX-NAV-STATUS
    // spoofDetState): it ends nothing where SEC-SIG tells the state.
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
