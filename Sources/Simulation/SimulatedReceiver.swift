public import BinnacleBasics

/// A u-blox receiver as its documents and recordings show it: a faithful peer, not an echo.
///
/// Bytes go in, bytes come out with the instants at which they leave the line; time is an argument. What it
/// sends, takes and refuses is written beside the code with the document or recording that says so. Not
/// simulated: power save mode, the aiding messages of generations 6 and 7.
///
/// A message whose rate it takes is sent: those of `Generation.epochOrder`. Rates for all others are refused as by
/// firmware that lacks them, although real firmware has some of these:
///
/// - 6, 7, M8: NAV-DGPS, SBAS, EKFSTATUS, AOPSTATUS, and on M8 NAV-ODO, TIMEGLO, TIMEBDS, TIMEGAL, ORB, GEOFENCE;
/// - M10: NAV-SIG, ORB, SBAS, TIMEGLO, TIMEBDS, TIMEGAL, ODO, PL, TIM-TP, RXM-*, MON-RF, COMMS, SPAN, RXR, HW3;
/// - all: the other MON-*, TIM-* and RXM-*, LOG-*, ESF-*, the sentences GBS, GRS, GNS, DTM, VLW, THS, TXT, PUBX.
public struct SimulatedReceiver: Sendable {
  public let generation: Generation
  /// Where it is connected.
  public let port: SimulatedPort
  /// Where it is; the sky may be changed from outside.
  public var world: World
  /// Commands that were acknowledged, refused, and frames that found no room.
  public internal(set) var counters = Counters()
  var settings: SettingStore
  var transmitter: Transmitter
  var navigator: Navigator
  var navigationStore: NavigationStore
  /// CFG-NAVX5's ackAiding of the older generations.
  var acknowledgesAssistance = false
  /// The last epoch, for polls of navigation messages.
  var lastEpoch: Epoch?
  /// What it does otherwise than its documents say.
  let oddities: [ReceiverOddity]
  var random: Random
  var reader = CommandReader()
  var power: Power
  var commands: [PendingCommand] = []
  private var measuredAt: Instant
  private var epochSentAt: Instant
  private var epochNumber: UInt64 = 0
  private var isStopped = false
  private var output: [LineBytes] = []
  private var clock: Instant
  /// How long it was on, without the present stretch, and when that began; nil: it is off or asleep.
  var timeOn = Interval.zero
  var onSince: Instant?
  /// Whether a new speed holds for the acknowledgement already: "it may come at either speed" (`ublox.md` 3.2).
  let changesSpeedBeforeACK: Bool
  /// CFG-PRT's extendedTxTimeout of the older generations.
  var hasLongTimeout = false
  /// Whether hardware resets clear the battery-backed layer: documented for F10 (`ublox.md` section 1.4), not
  /// for these generations, so either happens.
  private let hardwareResetClearsBattery: Bool
  /// Whether it was without any power, so that it knows nothing when it gets some.
  private var hasLostMemory = false

  public struct Counters: Equatable, Sendable {
    public var acknowledged = 0
    public var refused = 0
    public var starts = 0
    public var sleeps = 0
    public var epochs = 0
  }

  enum Power: Equatable {
    case off
    case booting(until: Instant)
    case awake
    case asleep(Standby)
  }

  struct PendingCommand: Sendable {
    var due: Instant
    var command: CommandReader.Command
  }

  /// - Parameters:
  ///   - generation: what it is.
  ///   - port: where it is connected; USB only where the generation has it.
  ///   - world: where it is.
  ///   - start: what it knows when it is switched on.
  ///   - seed: draws everything that differs from one receiver to the next.
  ///   - chunk: bytes that leave together; a UART's FIFO hands out 8 or so.
  ///   - oddities: what it does otherwise than its documents say.
  ///   - now: the instant at which it gets power.
  public init(
    generation: Generation, port: SimulatedPort = .uart1, world: World, start: StartKind,
    seed: UInt64, chunk: Int = 8, oddities: [ReceiverOddity] = [], at now: Instant
  ) {
    precondition(port.isThere(on: generation), "\(generation) has no such port")
    var random = Random(seed: seed)
    self.generation = generation
    self.port = port
    navigationStore = NavigationStore(seed: seed)
    self.world = world
    settings = SettingStore(generation: generation, port: port)
    transmitter = Transmitter(
      speed: port.hasSpeed ? Int(generation.factorySpeed) : SimulatedPort.fixedSpeed, chunk: chunk,
      start: now)
    navigator = Navigator(generation: generation, kind: start, start: now, seed: random.next())
    changesSpeedBeforeACK = random.chance(0.5)
    hardwareResetClearsBattery = random.chance(0.5)
    self.oddities = oddities
    self.random = random
    power = .off
    measuredAt = now
    epochSentAt = now
    clock = now
    boot(start, at: now)
  }

  /// The speed at which it listens and sends, in baud.
  public var lineSpeed: Int { transmitter.speed }

  /// Whether it has its navigation running.
  public var isAwake: Bool { power == .awake }

  /// Sets a speed that an owner configured earlier and kept in the battery-backed layer.
  public mutating func keepSpeed(_ speed: Int) {
    settings.setBattery(.init(key: SettingTable.speed, value: UInt64(speed)))
    settings.setCurrent(.init(key: SettingTable.speed, value: UInt64(speed)))
    transmitter.clear(speed: speedInForce)
  }

  /// The speed that the settings ask for.
  var speedInForce: Int {
    port.hasSpeed ? Int(settings[SettingTable.speed]) : SimulatedPort.fixedSpeed
  }

  // MARK: - Inputs

  /// Bytes were sent by the host at a speed; their last stop bit has just ended.
  public mutating func bytesArrived(_ bytes: [UInt8], at lineSpeed: Int, at now: Instant) {
    advance(to: now)
    switch power {
    case .off, .booting: return
    case .asleep(let standby):
      // Any edge wakes it, the bytes themselves are lost (`ublox.md` section 5.2).
      if standby.wakesOnTraffic { wake(at: now) }
      return
    case .awake: break
    }
    let heard = SerialSampling.heard(bytes, sentAt: lineSpeed, readAt: transmitter.speed)
    for command in reader.take(heard, at: now) {
      // No document gives the time that a command takes; SparkFun and PX4 wait seconds because of the queue,
      // which is simulated for itself.
      let delay = Interval.microseconds(1_500 + Int64(random.unit() * 20_000))
      let due = max(now + delay, commands.last?.due ?? now)
      commands.append(PendingCommand(due: due, command: command))
    }
  }

  /// It was unplugged; the battery-backed layer lives on, unless there is no battery.
  public mutating func removePower(keepsBattery: Bool = true, at now: Instant) {
    advance(to: now)
    stopCounting(at: now)
    power = .off
    if !keepsBattery {
      settings.clearBattery()
      hasLostMemory = true
    }
    transmitter.clear(speed: transmitter.speed)
    commands.removeAll()
    reader.reset()
  }

  /// It was plugged in again.
  public mutating func applyPower(at now: Instant) {
    advance(to: now)
    guard power == .off else { return }
    boot(hasLostMemory ? .cold : navigator.kindOfNextStart(at: now), at: now)
  }

  /// It restarted by itself, as after a dip of its supply.
  public mutating func restart(at now: Instant) {
    advance(to: now)
    boot(navigator.kindOfNextStart(at: now), at: now)
  }

  // MARK: - Time

  /// When something will happen without any input.
  public var nextDeadline: Instant? {
    [transmitter.nextDeadline, nextInnerDeadline].compactMap { $0 }.min()
  }

  private var nextInnerDeadline: Instant? {
    switch power {
    case .off: nil
    case .booting(let until): until
    case .asleep(let standby): standby.nextDeadline
    case .awake:
      [commands.first?.due, isStopped ? nil : epochSentAt].compactMap { $0 }.min()
    }
  }

  /// Lets time pass.
  public mutating func advance(to now: Instant) {
    precondition(clock <= now, "the receiver's clock went backwards")
    while let due = nextInnerDeadline, due <= now {
      transmitter.advance(to: due, into: &output)
      clock = max(clock, due)
      takeInnerStep(at: due)
    }
    transmitter.advance(to: now, into: &output)
    clock = now
  }

  /// The bytes that have left the line since the last call.
  public mutating func takeOutput() -> [LineBytes] {
    defer { output.removeAll(keepingCapacity: true) }
    return output
  }

  private mutating func takeInnerStep(at now: Instant) {
    switch power {
    case .off: break
    case .booting: finishBoot(at: now)
    case .asleep: wake(at: now)
    case .awake:
      if let first = commands.first, first.due <= now {
        commands.removeFirst()
        obey(first.command, at: now)
      } else if epochSentAt <= now {
        sendEpoch(at: now)
      }
    }
  }

  // MARK: - Start

  mutating func boot(_ kind: StartKind, at now: Instant) {
    settings.reload()
    hasLongTimeout = false
    acknowledgesAssistance = false
    hasLostMemory = false
    navigationStore.restarted()
    transmitter.clear(speed: speedInForce)
    reader.reset()
    commands.removeAll()
    isStopped = false
    counters.starts += 1
    if onSince == nil { onSince = now }
    renewNavigator(kind, at: now)
    lastEpoch = nil
    // No document gives the time from power to the first notice; owners see tenths of a second.
    let quick = Interval.milliseconds(120 + Int64(random.unit() * 200))
    power = .booting(until: now + (oddities.contains(.slowStart) ? quick * 6 : quick))
  }

  private mutating func renewNavigator(_ kind: StartKind, at now: Instant) {
    navigator = Navigator(
      generation: generation, kind: kind, start: now, seed: random.next(),
      ephemeridesFrom: navigator.ephemerides.receivedAt)
  }

  private mutating func finishBoot(at now: Instant) {
    power = .awake
    if settings[port.outputNMEA] == 1 {
      for text in generation.bootNotices {
        send(SentenceEncoder.notice(text, kind: 2, of: generation), at: now)
      }
    }
    scheduleEpoch(after: now)
  }

  /// CFG-RST: the navigation data to forget and the way to restart (`ublox.md` section 1.2; never acknowledged).
  mutating func reset(forgetting mask: UInt16, mode: UInt8, at now: Instant) {
    let kind: StartKind =
      switch mask {
      case 0: navigator.kindOfNextStart(at: now)
      case 0xFFFF: .cold
      default: navigator.kindOfNextStart(at: now) == .cold ? .cold : .warm
      }
    switch mode {
    case 0x00, 0x04:
      if hardwareResetClearsBattery { settings.clearBattery() }
      boot(kind, at: now)
    case 0x01: boot(kind, at: now)
    case 0x02:
      // GNSS only: RAM goes as with every reset but stop and start; no notices, the receiver stays awake.
      settings.reload()
      transmitter.clear(speed: speedInForce)
      navigationStore.restarted()
      renewNavigator(kind, at: now)
      scheduleEpoch(after: now)
    case 0x08: isStopped = true
    case 0x09:
      isStopped = false
      scheduleEpoch(after: now)
    default: break
    }
  }

  // MARK: - Epochs

  private var period: Int64 {
    max(
      25,
      Int64(settings[SettingTable.measurementPeriod] * settings[SettingTable.navigationRatio]))
  }

  /// Called when the rate was set: the next epoch follows the new grid.
  mutating func scheduleEpoch(after now: Instant) {
    let phase = navigator.phase.nanoseconds / 1_000_000
    let milliseconds = GPSTime.milliseconds(of: world.utc(at: now))
    let next = ((milliseconds - phase) / period + 1) * period + phase
    measuredAt = world.instant(of: GPSTime.utc(ofMilliseconds: next))
    // Tens of milliseconds pass between the measurement and the first byte (gpsd's NMEA users see 300 to 450 ms at
    // the end of the burst at 9600 baud).
    let latency = min(period * 500, 25_000 + Int64(random.unit() * 30_000))
    epochSentAt = measuredAt + .microseconds(latency)
  }

  private mutating func sendEpoch(at now: Instant) {
    let epoch = navigator.epoch(
      at: measuredAt, in: world, dynamicModel: settings[SettingTable.dynamicModel])
    lastEpoch = epoch
    epochNumber &+= 1
    counters.epochs += 1
    let sendsUBX = settings[port.outputUBX] == 1
    let sendsNMEA = settings[port.outputNMEA] == 1
    for message in generation.epochOrder {
      let rate = settings[port.rateKey(of: message)]
      guard rate > 0, epochNumber % rate == 0 else { continue }
      if sendsNMEA {
        for bytes in SentenceEncoder.sentences(message, of: epoch, generation: generation) {
          send(bytes, at: now)
        }
      }
      if sendsUBX,
        let frame = EpochEncoder.frame(message, of: epoch, generation: generation)
      {
        send(frame, at: now)
      }
    }
    scheduleEpoch(after: measuredAt)
  }

  /// Whether what nobody fetches over I2C stays: CFG-I2C-EXTENDEDTIMEOUT, or CFG-PRT's extendedTxTimeout.
  var waitsForItsReader: Bool {
    generation.hasValueConfiguration ? settings[0x1051_0002] == 1 : hasLongTimeout
  }

  // MARK: - Sending

  mutating func send(_ bytes: [UInt8], at now: Instant) {
    guard transmitter.send(bytes, at: now) else {
      // Told as "txbuf alloc" where there is room for it (recording pyubx2-mixed.log).
      if settings[port.outputNMEA] == 1 {
        _ = transmitter.send(
          SentenceEncoder.notice("txbuf alloc", kind: 0, of: generation), at: now)
      }
      return
    }
  }

  /// ACK-ACK or ACK-NAK; they name class and id and nothing else (`ublox.md` section 1.2).
  mutating func answer(_ messageClass: UInt8, _ id: UInt8, isTaken: Bool, at now: Instant) {
    if isTaken { counters.acknowledged += 1 } else { counters.refused += 1 }
    send(ReceiverFrame.ubx(0x05, isTaken ? 0x01 : 0x00, [messageClass, id]), at: now)
  }
}
