import BinnacleBasics
import UBX

/// The receiver's present way to report the satellites in view.
enum SkySource: Equatable, Sendable {
  /// The receiver answers polls; a line of its speed carries one answer in `period`.
  case answers(period: Interval)
  /// The receiver only sends: its GSV sentences contain the satellites.
  case sentences
  /// The receiver cannot report satellites yet, for this reason.
  case pending(String)
  /// The receiver cannot report satellites, for this reason.
  case none(String)

  /// On slower lines positions have priority: 40 satellites take 0.5 s at 9600 baud.
  static let slowLineMax = 38_400
  static let period = Interval.seconds(1)
  static let slowPeriod = Interval.seconds(5)
}

extension ReceiverMachine {
  /// The source of satellites; a receiver that sleeps, is being set up or is being woken is not polled.
  var skySource: SkySource {
    switch powerState {
    case .ready, .sleepless:
      return .answers(period: session?.value.skyPeriod ?? SkySource.slowPeriod)
    case .busy: return .pending("the receiver is being set up; ask again in a few seconds")
    case .waking: return .pending("the receiver is being woken; ask again in a few seconds")
    case .fallingAsleep, .asleep:
      return .none(
        "the receiver sleeps and sees no satellites; 'binnacle watch' wakes the receiver")
    case .absent: break
    }
    switch condition {
    case .absent:
      return .none("no receiver is there; 'binnacle doctor' looks for the cause")
    case .asleep, .silent, .searching:
      return .pending(
        "the receiver does not answer, at any speed so far; 'binnacle doctor' looks for the cause")
    case .heard: return .sentences
    }
  }
}

extension ReceiverSession {
  fileprivate var skyPeriod: Interval {
    link.kind.hasSpeed && link.speed < SkySource.slowLineMax
      ? SkySource.slowPeriod : SkySource.period
  }

  /// Polls the satellites in view, which changes nothing in the receiver's configuration.
  ///
  /// NAV-DOP is polled first, so that the dilutions are known when the list of satellites arrives. u-blox 6 and 7 have
  /// NAV-SVINFO instead of NAV-SAT (UBX-13003221, "NAV-SAT": from protocol 15 on). NAV-SVINFO also serves a receiver
  /// without keys whose name is unknown.
  mutating func askForSky(at now: Instant, into effects: inout [Effect]) {
    guard let identity = connection?.value.identity else { return }
    let isOld = identity.generation.rawValue < ReceiverIdentity.Generation.m8.rawValue
    let list = isOld ? Poll(NavSVINFO.self) : Poll(NavSAT.self)
    effects.append(.receiver(.write(Poll(NavDOP.self).frame + list.frame)))
    skyAwaitedUntil = now + ReceiverSession.skyAwaitedMax
    link.becameUrgent()
  }

  /// The longest answer of real receivers, 1 kB, takes one second at 9600 baud.
  private static let skyAwaitedMax = Interval.seconds(2)
}
