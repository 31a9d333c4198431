public import BinnacleBasics
import UBX

/// Keeps what the receiver has said of spoofing and jamming.
///
/// Its indications last one epoch and come at the transition, so each is latched with its time until the daemon
/// ends. No fix is dropped for it.
public struct SecurityWatch: Equatable, Codable, Sendable {
  public private(set) var spoofing = Latch()
  public private(set) var jamming = Latch()
  /// Whether SEC-SIG comes, whose word lasts.
  private var hasSignal = false

  /// What was indicated, how often and when.
  public struct Latch: Equatable, Codable, Sendable {
    /// Whether the last word was an indication.
    public private(set) var isPresent = false
    /// How often it began.
    public private(set) var beginnings = 0
    /// When it was indicated last.
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

  /// What has just begun.
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
