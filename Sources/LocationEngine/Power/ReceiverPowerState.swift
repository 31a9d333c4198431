import BinnacleBasics
import UBX

/// The state of a receiver, as the decision about its sleep needs it.
enum ReceiverPowerState: Equatable, Codable, Sendable {
  /// There is no receiver, the receiver is being searched for, or the receiver only sends.
  case absent
  /// The receiver gets an order, or answers one.
  case busy
  /// The receiver is set up and can be sent to sleep.
  case ready
  /// The receiver is set up and cannot be sent to sleep.
  case sleepless(SleepObstacle)
  case fallingAsleep
  case asleep
  case waking

  /// Whether the receiver sleeps, falls asleep or wakes up; no positions are expected then.
  var isAway: Bool {
    switch self {
    case .absent, .busy, .ready, .sleepless: false
    case .fallingAsleep, .asleep, .waking: true
    }
  }
}

/// The reason why a receiver cannot be sent to sleep.
enum SleepObstacle: String, Equatable, Codable, Sendable {
  /// A receiver on USB goes to sleep only with "force", and bytes on USB wake no receiver (Docs/SOURCES.md, U5).
  case usb = "a receiver on USB does not go to sleep"
  /// I2C is no documented source of a wake-up (UBX-21035062, UBX-RXM-PMREQ).
  case bus = "I2C does not wake it; a line to its pin EXTINT would (ExtInt= in the board's profile)"
  case line = "I2C does not wake it, and the line to its pin EXTINT cannot be used"
}

extension ReceiverMachine {
  /// Each event asks for the state, so this reads properties of the session: a call of its method would copy it.
  var powerState: ReceiverPowerState {
    guard let connection, let kind = session?.value.link.kind else { return .absent }
    switch connection.value.sleep.state {
    case .ordered: return .fallingAsleep
    case .asleep: return .asleep
    case .listening, .waking: return .waking
    case .awake: break
    }
    guard connection.value.isSetUp, connection.value.isSteady else { return .busy }
    if kind.isBus, memory.wakeLine?.isUsable != true {
      return .sleepless(memory.wakeLine == nil ? .bus : .line)
    }
    return kind == .usb ? .sleepless(.usb) : .ready
  }
}

extension ReceiverIdentity {
  /// The order to sleep, in the form that this receiver obeys.
  ///
  /// The order has 16 bytes with "force" since M8 with protocol 18, and 8 bytes before (Docs/SOURCES.md, U5, U7). The
  /// 16 bytes name the pins that wake the receiver: bit 3 the serial line's RX, bit 5 EXTINT0 (UBX-18010854,
  /// UBX-RXM-PMREQ). I2C is no such pin. The 8 bytes name no pin, and both pins wake the receiver.
  func sleepOrder(for duration: Interval, isOnBus: Bool = false) -> RxmPMREQ {
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
      // On a receiver that is connected by a bus, nothing drives the RX of the serial line.
      order.wakeupSources = isOnBus ? .externalInterrupt0 : [.uartReceive, .externalInterrupt0]
    }
    return order
  }
}
