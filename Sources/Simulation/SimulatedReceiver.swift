public import BinnacleBasics

/// A u-blox receiver according to its documents and recordings, with its own state and refusals.
///
/// Bytes go in, and bytes come out with the instants at which they leave the line; time is an argument. Comments beside
/// the code name the document or recording for each message that the receiver sends, accepts or refuses. Power save
/// mode and the aiding messages of generations 6 and 7 are not simulated.
///
/// The receiver sends every message whose rate it accepts: the messages of `Generation.epochOrder`. It refuses rates
/// for all other messages, as firmware without these messages does. Real firmware has some of them:
///
/// - 6, 7, M8: NAV-DGPS, SBAS, EKFSTATUS, AOPSTATUS, and on M8 NAV-ODO, TIMEGLO, TIMEBDS, TIMEGAL, ORB, GEOFENCE;
/// - M10: NAV-SIG, ORB, SBAS, TIMEGLO, TIMEBDS, TIMEGAL, ODO, PL, TIM-TP, RXM-*, MON-RF, COMMS, SPAN, RXR, HW3;
/// - all: the other MON-*, TIM-* and RXM-*, LOG-*, ESF-*, the sentences GBS, GRS, GNS, DTM, VLW, THS, TXT, PUBX.
public struct SimulatedReceiver: Sendable {
  public let generation: Generation
  /// The port at which the receiver is connected.
  public let port: SimulatedPort
  /// The world around the receiver; a caller may change the sky.
  public var world: World
  /// The numbers of acknowledged and refused commands, starts, sleeps and epochs.
  public internal(set) var counters = Counters()
  var settings: SettingStore
  var transmitter: Transmitter
  var navigator: Navigator
  var navigationStore: NavigationStore
  /// CFG-NAVX5's ackAiding of the older generations.
  var acknowledgesAssistance = false
  /// The last epoch, for polls of navigation messages.
  var lastEpoch: Epoch?
  /// The receiver's deviations from its documents.
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
  /// The time that the receiver was on before the present stretch, and the start of that stretch; nil: off or asleep.
  var timeOn = Interval.zero
  var onSince: Instant?
  /// Whether a new speed already applies to the acknowledgement, which comes at either speed (Docs/SOURCES.md, U3).
  let changesSpeedBeforeACK: Bool
  /// CFG-PRT's extendedTxTimeout of the older generations.
  var hasLongTimeout = false
  /// Whether hardware resets clear the battery-backed layer.
  ///
  /// The effect is documented for F10 (Docs/SOURCES.md, U6) and not for these generations, so the seed decides.
  private let hardwareResetClearsBattery: Bool
  /// Whether the receiver lost all power, so that it has no data when the power returns.
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
  ///   - generation: the receiver's generation.
  ///   - port: the receiver's port; USB only where the generation has it.
  ///   - world: the world around the receiver.
  ///   - start: the data that the receiver has at power-on.
  ///   - seed: draws the differences between receivers.
  ///   - chunk: the number of bytes that leave together; a UART's FIFO delivers about 8.
  ///   - oddities: the receiver's deviations from its documents.
  ///   - now: the instant of power-on.
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

  /// The speed at which the receiver listens and sends, in baud.
  public var lineSpeed: Int { transmitter.speed }

  /// Whether the receiver is awake with its navigation running.
  public var isAwake: Bool { power == .awake }

  /// Sets a speed that an owner configured earlier and kept in the battery-backed layer.
  public mutating func keepSpeed(_ speed: Int) {
    settings.setBattery(.init(key: SettingTable.speed, value: UInt64(speed)))
    settings.setCurrent(.init(key: SettingTable.speed, value: UInt64(speed)))
    transmitter.clear(speed: speedInForce)
  }

  /// The speed according to the settings.
  var speedInForce: Int {
    port.hasSpeed ? Int(settings[SettingTable.speed]) : SimulatedPort.fixedSpeed
  }

  // MARK: - Inputs

  /// Takes bytes that the host sent at a speed; their last stop bit has just ended.
  public mutating func bytesArrived(_ bytes: [UInt8], at lineSpeed: Int, at now: Instant) {
    advance(to: now)
    if oddities.contains(.hearsNothing) { return }
    switch power {
    case .off, .booting: return
    case .asleep(let standby):
      // Any edge wakes the receiver, and the bytes themselves are lost (Docs/SOURCES.md, U5).
      if standby.wakesOnTraffic { wake(at: now) }
      return
    case .awake: break
    }
    let heard = SerialSampling.heard(bytes, sentAt: lineSpeed, readAt: transmitter.speed)
    for command in reader.take(heard, at: now) {
      // No document gives the time that a command takes. SparkFun and PX4 wait seconds because of the queue, which is
      // simulated separately.
      let delay = Interval.microseconds(1_500 + Int64(random.unit() * 20_000))
      let due = max(now + delay, commands.last?.due ?? now)
      commands.append(PendingCommand(due: due, command: command))
    }
  }

  /// Removes the power; the battery-backed layer stays unless there is no battery.
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

  /// Applies the power again.
  public mutating func applyPower(at now: Instant) {
    advance(to: now)
    guard power == .off else { return }
    boot(hasLostMemory ? .cold : navigator.kindOfNextStart(at: now), at: now)
  }

  /// Restarts the receiver by itself, as after a dip of its supply.
  public mutating func restart(at now: Instant) {
    advance(to: now)
    boot(navigator.kindOfNextStart(at: now), at: now)
  }

  // MARK: - Time

  /// The time of the next action without any input.
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

  /// Advances the receiver's time.
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
    // No document gives the time from power-on to the first notice; owners report tenths of a second.
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

  /// CFG-RST: the navigation data to forget and the way to restart (Docs/SOURCES.md, U1; never acknowledged).
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
      // GNSS only: RAM is cleared as with every reset except stop and start; no notices are sent, and the receiver
      // stays awake.
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

  /// Schedules the next epoch; after a change of the rate the epoch follows the new grid.
  mutating func scheduleEpoch(after now: Instant) {
    let phase = navigator.phase.nanoseconds / 1_000_000
    let milliseconds = GPSTime.milliseconds(of: world.utc(at: now))
    let next = ((milliseconds - phase) / period + 1) * period + phase
    measuredAt = world.instant(of: GPSTime.utc(ofMilliseconds: next))
    // Tens of milliseconds pass between the measurement and the first byte (gpsd's NMEA users measure 300 to 450 ms at
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

  /// Whether unread data stays in the I2C buffer: CFG-I2C-EXTENDEDTIMEOUT, or CFG-PRT's extendedTxTimeout.
  var waitsForItsReader: Bool {
    generation.hasValueConfiguration ? settings[0x1051_0002] == 1 : hasLongTimeout
  }

  // MARK: - Sending

  mutating func send(_ bytes: [UInt8], at now: Instant) {
    guard transmitter.send(bytes, at: now) else {
      // The receiver reports the overflow as "txbuf alloc" where there is room for the notice (recording
      // pyubx2-mixed.log).
      if settings[port.outputNMEA] == 1 {
        _ = transmitter.send(
          SentenceEncoder.notice("txbuf alloc", kind: 0, of: generation), at: now)
      }
      return
    }
  }

  /// ACK-ACK or ACK-NAK; the answer names only class and id (UBX-21035062, UBX-ACK).
  mutating func answer(_ messageClass: UInt8, _ id: UInt8, isTaken: Bool, at now: Instant) {
    if isTaken { counters.acknowledged += 1 } else { counters.refused += 1 }
    send(ReceiverFrame.ubx(0x05, isTaken ? 0x01 : 0x00, [messageClass, id]), at: now)
  }
}
