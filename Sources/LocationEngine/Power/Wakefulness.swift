import Basics
import UBX

/// How a receiver is, seen by whoever decides whether it sleeps.
enum Wakefulness: Equatable, Codable, Sendable {
  /// There is none, it is being looked for, or it only sends.
  case absent
  /// It is being told something, or tells something.
  case busy
  /// It is set up and can be sent to sleep.
  case ready
  /// It is set up and cannot be sent to sleep.
  case sleepless(Sleeplessness)
  case fallingAsleep
  case asleep
  case waking

  /// Whether it sleeps, or is on its way there or back: it is not to be asked for positions.
  var isAway: Bool {
    switch self {
    case .absent, .busy, .ready, .sleepless: false
    case .fallingAsleep, .asleep, .waking: true
    }
  }
}

/// Why a receiver cannot be sent to sleep.
enum Sleeplessness: String, Equatable, Codable, Sendable {
  /// "USB-connected receivers never enter backup unless forced" (`ublox.md` 5.2), and bytes over USB do not wake them.
  case usb = "a receiver on USB does not go to sleep"
  /// I2C is no documented source of waking (`ublox.md` 2).
  case bus = "I2C does not wake a receiver"
}

extension ReceiverMachine {
  var wakefulness: Wakefulness { conversation?.wakefulness ?? .absent }
}

extension Conversation {
  fileprivate var wakefulness: Wakefulness {
    guard let sleep = connection?.sleep.state else { return .absent }
    switch sleep {
    case .ordered: return .fallingAsleep
    case .asleep: return .asleep
    case .waking: return .waking
    case .awake: break
    }
    guard connection?.isSetUp == true, connection?.isSteady == true else { return .busy }
    if link.kind.isBus { return .sleepless(.bus) }
    return link.kind == .usb ? .sleepless(.usb) : .ready
  }
}

extension ReceiverIdentity {
  /// The order to sleep in the form that this receiver obeys: 16 bytes with "force" since M8 with protocol 18, before that
  /// 8 bytes (`ublox.md` 1.5, 5.2).
  func sleepOrder(for duration: Interval) -> RxmPMREQ {
    var order = RxmPMREQ()
    order.durationMilliseconds = UInt32(clamping: max(1, duration.nanoseconds / 1_000_000))
    let isOld =
      generation.rawValue < Generation.m8.rawValue
      || protocolVersion.map { $0 < ProtocolVersion(major: 18, minor: 0) } ?? (generation == .m8)
    if isOld {
      order.flags = .backup
      order.wakeupSources = nil
    } else {
      order.flags = [.backup, .force]
      order.wakeupSources = [.uartReceive, .externalInterrupt0]
    }
    return order
  }
}
