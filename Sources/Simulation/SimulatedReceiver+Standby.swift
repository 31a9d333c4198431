public import BinnacleBasics

/// Software standby: RXM-PMREQ, the wakeup sources, and the state after standby.
extension SimulatedReceiver {
  /// The wakeup conditions of a standby.
  struct Standby: Equatable, Sendable {
    /// The time of the wakeup without an event; nil: the receiver does not wake without an event.
    var until: Instant?
    /// Whether bytes of the host wake the receiver.
    var wakesOnTraffic: Bool
    /// Whether an edge at EXTINT0 wakes the receiver.
    var wakesOnInterrupt: Bool
    /// The time at which noise makes an edge on the receiver's line.
    var noiseAt: Instant?

    var nextDeadline: Instant? { [until, noiseAt].compactMap { $0 }.min() }
  }

  /// "The maximum supported time is 12 days" (UBX-18010854, 5.15.2).
  private static let durationMax = Interval.seconds(12 * 86_400)

  /// Whether the receiver is in software standby.
  public var isAsleep: Bool {
    switch power {
    case .asleep: true
    case .off, .booting, .awake: false
    }
  }

  /// The end of a sleep that no event can end; nil: the receiver is awake, or an event can wake it.
  var deafUntil: Instant? {
    guard case .asleep(let standby) = power, !standby.wakesOnTraffic else { return nil }
    return standby.until
  }

  /// The total time that the receiver was on, starts included.
  public func timeOn(at now: Instant) -> Interval {
    timeOn + (onSince.map { now - $0 } ?? .zero)
  }

  /// Signals an edge at the receiver's pin EXTINT0.
  public mutating func interruptEdgeCame(at now: Instant) {
    advance(to: now)
    if case .asleep(let standby) = power, standby.wakesOnInterrupt { wake(at: now) }
  }

  /// RXM-PMREQ: 8 bytes, or 16 bytes that name the wakeup sources (Docs/SOURCES.md, U1).
  ///
  /// A receiver that enters standby does not acknowledge (Docs/SOURCES.md, U5). M8 and earlier generations sleep for
  /// the 8 bytes. SAM-M10Q acknowledges the 8 bytes, and 16 bytes without "force", and stays awake
  /// (sparkfun/SparkFun_u-blox_GNSS_v3 #42, #70). At USB a receiver sleeps only with "force", with which "USB
  /// interface will be disabled" (UBX-18010854, 5.15.2).
  mutating func requestStandby(_ payload: [UInt8], at now: Instant) {
    var reader = ByteReader(payload)
    let isLong = payload.count == 16 && generation.knowsLongStandbyRequest
    guard payload.count == 8 || isLong else { return }
    if isLong { _ = reader.u32() }
    guard let duration = reader.u32(), let flags = reader.u32(), flags & 0x02 != 0 else { return }
    let isForced = isLong && flags & 0x04 != 0
    if generation.needsForcedStandby && !isForced || oddities.contains(.ignoresSleep) {
      return answer(0x02, 0x41, isTaken: true, at: now)
    }
    if port == .usb, !isForced { return }
    // The 8 bytes name no pins; every pin then wakes the receiver.
    let sources = isLong ? reader.u32() ?? 0 : 0xFF
    sleep(
      Standby(
        until: duration == 0
          ? nil : now + min(.milliseconds(Int64(duration)), SimulatedReceiver.durationMax),
        wakesOnTraffic: wakesOnTraffic(of: sources), wakesOnInterrupt: sources & 0x20 != 0,
        noiseAt: nil), at: now)
  }

  /// Whether traffic at the receiver's port makes an edge that wakes the receiver.
  private func wakesOnTraffic(of sources: UInt32) -> Bool {
    guard !oddities.contains(.deafAsleep) else { return false }
    switch port {
    case .uart1: return sources & 0x08 != 0
    case .i2c: return generation.wakesOnI2C
    case .usb: return false
    }
  }

  private mutating func sleep(_ standby: Standby, at now: Instant) {
    var standby = standby
    if oddities.contains(.noisyLine), port == .uart1, standby.wakesOnTraffic {
      // No document states the frequency of the noise.
      standby.noiseAt = now + .milliseconds(2_000 + Int64(60_000 * random.unit()))
    }
    // Software standby clears RAM (Docs/SOURCES.md, U6).
    settings.reload()
    transmitter.clear(speed: speedInForce)
    commands.removeAll()
    reader.reset()
    stopCounting(at: now)
    counters.sleeps += 1
    power = .asleep(standby)
  }

  /// Wakes the receiver; standby keeps the clock, the navigation database and the battery-backed settings.
  mutating func wake(at now: Instant) {
    boot(navigator.kindOfNextStart(at: now), at: now)
  }

  /// Stops the count of the time that the receiver is on.
  mutating func stopCounting(at now: Instant) {
    if let onSince { timeOn = timeOn + (now - onSince) }
    onSince = nil
  }
}
