public import BinnacleBasics

/// Software standby: RXM-PMREQ, what ends it, and what is left after it.
extension SimulatedReceiver {
  /// How it sleeps.
  struct Standby: Equatable, Sendable {
    /// When it wakes by itself; nil: never.
    var until: Instant?
    /// Whether what the host sends wakes it.
    var wakesOnTraffic: Bool
    /// Whether an edge at EXTINT0 wakes it.
    var wakesOnInterrupt: Bool
    /// When noise makes an edge on its line.
    var noiseAt: Instant?

    var nextDeadline: Instant? { [until, noiseAt].compactMap { $0 }.min() }
  }

  /// "The maximum supported time is 12 days" (UBX-18010854, 5.15.2).
  private static let durationMax = Interval.seconds(12 * 86_400)

  /// Whether it is in software standby.
  public var isAsleep: Bool {
    switch power {
    case .asleep: true
    case .off, .booting, .awake: false
    }
  }

  /// When it wakes by itself, of a sleep that nothing else ends; nil: it is awake, or can be woken.
  var deafUntil: Instant? {
    guard case .asleep(let standby) = power, !standby.wakesOnTraffic else { return nil }
    return standby.until
  }

  /// How long it was on in all, starts included.
  public func timeOn(at now: Instant) -> Interval {
    timeOn + (onSince.map { now - $0 } ?? .zero)
  }

  /// There was an edge at its pin EXTINT0.
  public mutating func interruptEdgeCame(at now: Instant) {
    advance(to: now)
    if case .asleep(let standby) = power, standby.wakesOnInterrupt { wake(at: now) }
  }

  /// RXM-PMREQ: 8 bytes, or 16 that name what wakes it (`ublox.md` section 1.2).
  ///
  /// Who sleeps does not acknowledge (`ublox.md` section 9, 8; ubxlib: "not acknowledged"). M8 and those before
  /// sleep for the 8 bytes; SAM-M10Q acknowledges these, and 16 without "force", and stays awake (section 5.2:
  /// SparkFun v3 #42, #70). At USB none sleeps without "force", with which "USB interface will be disabled"
  /// (UBX-18010854, 5.15.2).
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
    // The 8 bytes name no pins; every one of them wakes then.
    let sources = isLong ? reader.u32() ?? 0 : 0xFF
    sleep(
      Standby(
        until: duration == 0
          ? nil : now + min(.milliseconds(Int64(duration)), SimulatedReceiver.durationMax),
        wakesOnTraffic: wakesOnTraffic(of: sources), wakesOnInterrupt: sources & 0x20 != 0,
        noiseAt: nil), at: now)
  }

  /// Whether traffic at its port is an edge that wakes it.
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
      // How often is nowhere told.
      standby.noiseAt = now + .milliseconds(2_000 + Int64(60_000 * random.unit()))
    }
    // "RAM is cleared by entering software standby" (`ublox.md` section 1.4).
    settings.reload()
    transmitter.clear(speed: speedInForce)
    commands.removeAll()
    reader.reset()
    stopCounting(at: now)
    counters.sleeps += 1
    power = .asleep(standby)
  }

  /// Starts anew; standby keeps the clock, the navigation database and the battery-backed settings.
  mutating func wake(at now: Instant) {
    boot(navigator.kindOfNextStart(at: now), at: now)
  }

  /// It is on no more.
  mutating func stopCounting(at now: Instant) {
    if let onSince { timeOn = timeOn + (now - onSince) }
    onSince = nil
  }
}
