import Accelerometers
import BinnacleBasics
import BinnacleModel
import LocationEngine
import StateLog
import TestSupport
import UBX

/// Events drawn from a seed: some answer orders of the engine, and most have no cause.
struct RandomRun {
  @Indirect var engine: Engine
  @Indirect var recorder: TraceRecorder? = nil
  var now = Instant.zero
  private(set) var eventCount = 0
  private(set) var effectCountMax = 0
  /// How often a deadline was due again at once.
  private(set) var busyCount = 0
  private var random: Random
  private var answers: [Event] = []
  private var second: Int64 = 0

  init(seed: UInt64) {
    random = Random(seed: seed)
    var configuration = Configuration()
    if random.chance(0.5) { configuration.navigation.rateHz = 10 }
    if random.chance(0.5) { configuration.lastSpeed = 115_200 }
    if random.chance(0.7) {
      configuration.panel.hasIndicator = true
      configuration.panel.hasIndicatorSense = random.chance(0.5)
      configuration.panel.hasStatusLight = random.chance(0.8)
      configuration.panel.buttons = ["HOME", "ALLOW"].map { PanelSettings.Button(name: $0) }
    }
    configuration.hasAccelerometer = random.chance(0.5)
    configuration.apps = [AppDeclaration(identifier: "app.1", hasBackgroundLocation: true)]
    if random.chance(0.5) { configuration.track = TrackSettings(accuracy: .full) }
    engine = Engine(configuration: configuration, seed: seed)
    answers = [.storage(.read(reading())), .started]
  }

  mutating func step() {
    // As every daemon does, it begins with what was kept, and with its start.
    if eventCount < 2 { return handle(answers.removeFirst()) }
    if !answers.isEmpty, random.chance(0.8) { return handle(answers.removeFirst()) }
    if let due = engine.nextDeadline, random.chance(0.4) {
      now = max(now, due)
      handle(.deadlineReached)
      if let again = engine.nextDeadline, again <= now { busyCount += 1 }
      return
    }
    now += .milliseconds(Int64(random.unit() * 300))
    handle(drawn())
  }

  private mutating func handle(_ event: Event) {
    var effects: [Effect] = []
    engine.handle(event, at: now, into: &effects)
    eventCount += 1
    effectCountMax = max(effectCountMax, effects.count)
    let now = now
    if recorder?.record(event, at: now, effects: effects) == true {
      let engine = engine
      recorder?.beginSegment(with: engine)
    }
    for effect in effects {
      switch effect {
      case .receiver(.open(let speed)):
        answers.append(
          random.chance(0.7)
            ? .receiver(.opened(.init(kind: kind, speed: speed)))
            : .receiver(.openFailed(.init(.missing, "no such device"))))
      case .receiver(.write(let bytes)):
        answers.append(.receiver(.drained))
        if random.chance(0.8) { answers.append(.receiver(.bytesArrived(answer(to: bytes)))) }
      case .receiver(.setSpeed(let speed)):
        answers.append(
          random.chance(0.9) ? .receiver(.speedChanged(speed)) : .receiver(.speedRefused(speed)))
      case .line(let line, .open):
        answers.append(
          random.chance(0.7)
            ? .line(line, .opened(isActive: random.chance(0.3), isDebounced: false))
            : .line(line, .lost(LineFault(.busy, "held by 'x'"))))
      case .line(let line, .set(let isActive)):
        answers.append(.line(line, .read(isActive: random.chance(0.8) ? isActive : !isActive)))
      case .line(let line, .read): answers.append(.line(line, .read(isActive: random.chance(0.5))))
      case .watchAccelerometer(let mode):
        answers.append(.accelerometer(news(of: mode)))
      case .storage(.commit(let number, _)):
        answers.append(
          random.chance(0.8)
            ? .storage(
              .committed(
                number,
                CommitReceipt(sequence: 9, bytesWritten: 4_096, flushCount: 1, isCompaction: false))
            )
            : .storage(.commitFailed(number, .fault(.noSpace))))
      case .storage(.open): answers.append(.storage(.read(reading())))
      case .track(let order): answers.append(.track(news(of: order)))
      case .receiver(.close), .receiver(.attend), .client, .launcher, .log:
        break
      }
    }
    if answers.count > 50 { answers.removeFirst(answers.count - 50) }
  }

  /// A random reading of the log of state.
  private mutating func reading() -> StateReading {
    guard random.chance(0.7) else {
      return StateReading(obstacle: .init(random.chance(0.8) ? .passing : .lasting, "no space"))
    }
    var reading = StateReading()
    for number in 0..<UInt8(random.next() % 4) {
      // Some of it no program has written.
      let value = [random.chance(0.9) ? 1 : 2, UInt8(random.next() % 6), number, 0]
      guard let name = RecordTable.liveUpdates.named(Array("app.\(number)".utf8)) else { continue }
      reading.records.apply(Change(name, .put(value, isCautious: true)))
      if random.chance(0.1) { reading.withheld.append(name) }
    }
    return reading
  }

  /// Random news of the log of tracks.
  private mutating func news(of order: TrackOrder) -> TrackNews {
    let isFine = random.chance(0.7)
    switch order {
    case .open:
      return .opened(
        TrackReading(
          obstacle: isFine ? nil : .init(random.chance(0.8) ? .passing : .lasting, "no space")))
    case .commit(let number, _):
      let receipt = CommitReceipt(
        sequence: 9, bytesWritten: 4_096, flushCount: 1, isCompaction: false)
      return isFine
        ? .committed(number: number, receipt)
        : .commitFailed(number: number, .full(size: 9_000, sizeMax: 8_000))
    case .erase(let number): return .erased(number: number, isFine ? nil : .fault(.noSpace))
    }
  }

  /// Random news of an accelerometer.
  private mutating func news(of mode: AccelerometerMachine.Mode) -> AccelerometerNews {
    switch random.next() % 4 {
    case 0: .fault(AccelerometerFault(.vanished, "no acknowledge"))
    case 1: .moved(now)
    case 2:
      .samples(
        AccelerationBatch(
          first: now, interval: .milliseconds(20), gPerCount: 0.001,
          counts: (0..<9).map { _ in Int16(truncatingIfNeeded: random.next()) },
          lostCount: Int(random.next() % 100)))
    default:
      .found(
        AccelerometerDescription(
          model: "LIS3DH", address: 0x18, reading: mode == .resting ? .resting : .polledFIFO,
          rateHz: 50, rangeG: 2, noiseG: 0.001, selfTest: "passed"))
    }
  }

  private var kind: Event.ReceiverPort.Kind {
    mutating get { Event.ReceiverPort.Kind(rawValue: UInt8(random.next() % 3)) ?? .uart }
  }

  /// A random answer of a receiver to an order: usually the right answer, sometimes garbage.
  private mutating func answer(to bytes: [UInt8]) -> [UInt8] {
    if random.chance(0.1) { return garbage() }
    if bytes.first == 0xFF {
      let isOld = random.chance(0.3)
      return MonVER(
        softwareVersion: "ROM", hardwareVersion: isOld ? "00040007" : "000A0000",
        extensions: isOld ? [] : ["FWVER=SPG 5.10", "PROTVER=34.10"]
      ).frame
    }
    guard bytes.count > 8 else { return garbage() }
    let payload = Array(bytes[6..<bytes.count - 2])
    if random.chance(0.15) {
      return AckNAK(commandClass: bytes[2], commandID: bytes[3]).frame
    }
    if bytes[3] == CfgVALGET.messageID, let poll = CfgVALGETPoll(payload: payload) {
      let items = poll.keys.map { ConfigurationItem($0, random.chance(0.5) ? 1 : 0) }
      return CfgVALGET(layer: .ram, items: items).frame
    }
    return AckACK(commandClass: bytes[2], commandID: bytes[3]).frame
  }

  /// A random message of a receiver about assistance, requested or not.
  private mutating func assistance() -> [UInt8] {
    switch random.next() % 3 {
    case 0: return SecUNIQID(number: [1, 2, 3, 4, 5]).frame
    case 1:
      var answer = MgaACK()
      answer.isAccepted = random.chance(0.5)
      answer.reason = MgaACK.Reason(rawValue: UInt8(truncatingIfNeeded: random.next()))
      answer.acknowledgedID = random.chance(0.5) ? 0x80 : 0x40
      answer.payloadStart = UInt32(truncatingIfNeeded: random.next())
      return answer.frame
    case _:
      let count = 12 + Int(random.next() % 150)
      let payload = (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }
      return UBXFrame.encode(messageClass: 0x13, id: 0x80, payload: payload)
    }
  }

  private mutating func drawn() -> Event {
    let client = ClientID(number: UInt32(random.next() % 5))
    let sequence = SequenceID(number: UInt32(random.next() % 40))
    switch random.next() % 24 {
    case 20: return .line(line, .opened(isActive: random.chance(0.5), isDebounced: true))
    case 21:
      let age = Interval.milliseconds(Int64(random.next() % 5_000) - 1_000)
      return .line(line, .edge(isActive: random.chance(0.5), at: now - age))
    case 22: return .line(line, .read(isActive: random.chance(0.5)))
    case 23: return .line(line, .lost(LineFault(.gone, "the chip has gone")))
    case 0: return .started
    case 1:
      return .wallClockRead(
        UTCTime(secondsSince1970: 1_790_000_000),
        within: random.chance(0.5)
          ? Interval(nanoseconds: Int64(truncatingIfNeeded: random.next())) : nil)
    case 2: return .receiver(.opened(.init(kind: kind, speed: Int(random.next() % 1_000_000))))
    case 3: return .receiver(.lost(.init(.unplugged, "it hung up")))
    case 4: return .receiver(.speedChanged(Int(truncatingIfNeeded: random.next())))
    case 5:
      let app: AppID? = random.chance(0.8) ? .listed("app.\(random.next() % 3)") : nil
      let peer = Peer(
        userID: 0, processID: 1, app: app, mayOperate: random.chance(0.8), isOperator: app == nil)
      return .client(client, .connected(peer, program: "random"))
    case 6: return .client(client, .disconnected)
    case 7, 8:
      let raw = UInt8(random.next() % 5)
      return .client(client, .updatesOpened(sequence, LiveConfiguration(rawValue: raw) ?? .default))
    case 9:
      if random.chance(0.7) { return .client(client, .updatesClosed(sequence)) }
      return random.chance(0.5)
        ? .client(client, .requested(5, .sky))
        : .client(client, .skyWatched(random.chance(0.7)))
    case 10:
      return random.chance(0.5)
        ? .client(client, .requested(1, .status))
        : .client(client, .requested(2, .setServices(isOn: random.chance(0.6))))
    case 11: return random.chance(0.3) ? defaults(client) : .deadlineReached
    case 12:
      let wishes: [StateRequest] = [.read, .writes, .erase(.all), .erase(.fix), .erase(.sequences)]
      return random.chance(0.7)
        ? .receiver(.drained)
        : .client(client, .requested(3, .state(wishes[Int(random.next() % 5)])))
    case 13: return .receiver(.bytesArrived(garbage()))
    case 14: return random.chance(0.1) ? .stopRequested : .receiver(.bytesArrived(assistance()))
    case _: return .receiver(.bytesArrived(navigation()))
    }
  }

  /// A random request of a client about its defaults.
  private mutating func defaults(_ client: ClientID) -> Event {
    if random.chance(0.2) { return .client(client, .requested(3, .openDefaults)) }
    let entries = (0..<random.next() % 4).map { _ -> DefaultsEntry in
      let key = String(repeating: "k", count: Int(random.next() % 140))
      switch random.next() % 5 {
      case 0: return DefaultsEntry(key, nil)
      case 1: return DefaultsEntry(key, .flag(random.chance(0.5)))
      case 2: return DefaultsEntry(key, .number(Double(bitPattern: random.next())))
      case 3: return DefaultsEntry(key, .text("\u{e9}"))
      case _:
        return DefaultsEntry(key, .data([UInt8](repeating: 7, count: Int(random.next() % 4_000))))
      }
    }
    return .client(client, .requested(4, .setDefaults(isLast: random.chance(0.7), entries)))
  }

  private var line: LineID {
    mutating get {
      switch random.next() % 6 {
      case 0: .indicator
      case 1: .indicatorSense
      case 2: .statusLight
      case let number: .button(UInt8(number) - 3)
      }
    }
  }

  private mutating func garbage() -> [UInt8] {
    (0..<Int(random.next() % 200)).map { _ in
      random.chance(0.1) ? 0xB5 : UInt8(truncatingIfNeeded: random.next())
    }
  }

  private mutating func navigation() -> [UInt8] {
    second += Int64(random.next() % 3)
    var message = NavSTATUS()
    message.uptimeMilliseconds =
      random.chance(0.05) ? 5 : UInt32(truncatingIfNeeded: second * 1_000)
    message.flags2 = random.chance(0.1) ? 0x10 : 0x08
    var bytes = message.frame
    if random.chance(0.5) {
      bytes += [UInt8]("$GNRMC,,V,,,,,,,,,,N*4D\r\n".utf8)
    }
    return random.chance(0.2) ? Array(bytes.dropLast(Int(random.next() % 20))) : bytes
  }
}
