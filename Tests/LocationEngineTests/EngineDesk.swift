import BinnacleBasics
import BinnacleModel
import Simulation
import StateLog
import TestSupport

@testable import LocationEngine

/// An engine with a simulated receiver on a line between them, in simulated time.
///
/// The line has a speed at both ends and a kernel's buffer at ours; it is read as the daemon does, not before the
/// engine's quiet time is over.
struct EngineDesk {
  @Indirect var engine: Engine
  var receiver: SimulatedReceiver
  var now = Instant.zero
  var kind = Event.ReceiverPort.Kind.uart
  var effects: [Effect] = []
  /// Why the disk fails; nil while it works.
  var failure: CommitFailure?
  /// Whether the disk takes its time, until it is released.
  var holdsCommits = false
  private var held: [Event] = []
  /// The committed and failed changes, oldest first.
  var commits: [[Change]] = []
  /// When the loop woke to read the receiver.
  var readings: [Instant] = []
  /// The delays from the last byte of an epoch to its update.
  var delays: [Interval] = []
  var isPlugged = true
  /// The wire to the pin EXTINT; nil: the line leads nowhere.
  var isWakeWired = true
  /// Why the line cannot be claimed; nil: it can.
  var wakeLineFault: LineFault?
  private var isWakeLow = false
  var lineSpeed = 0
  private var isOpen = false
  private var kernel: [UInt8] = []
  private var lastByte = Instant.zero
  private var output: [(bytes: [UInt8], at: Instant)] = []
  private var speedChange: (speed: Int, at: Instant)?
  /// The log of tracks.
  var tracks = TrackDisk()
  private var events: [Event] = []
  private var isDue = true

  static let client = ClientID(number: 1)

  init(
    _ generation: Generation = .m10, speed: Int? = nil, lastSpeed: Int? = nil, seed: UInt64 = 1,
    path: Body.Path = .still, start: StartKind = .hot, port: SimulatedPort = .uart1,
    oddities: [ReceiverOddity] = [],
    skies: [World.Sky] = [World.Sky(start: .zero, visibility: 1)],
    startSeconds: Int64 = 1_790_000_000, reading: StateReading = StateReading(),
    adjust: (inout Configuration) -> Void = { _ in }
  ) {
    var configuration = Configuration(lastSpeed: lastSpeed)
    adjust(&configuration)
    engine = Engine(configuration: configuration, seed: seed)
    let world = World(
      utcAtZero: UTCTime(secondsSince1970: startSeconds), body: Body(path: path), skies: skies)
    receiver = SimulatedReceiver(
      generation: generation, port: port, world: world, start: start, seed: seed, chunk: 8,
      oddities: oddities, at: .zero)
    if port == .usb { kind = .usb }
    if let speed { receiver.keepSpeed(speed) }
    events = [.storage(.read(reading)), .started]
  }

  // MARK: Orders of a test

  mutating func run(seconds: Double) {
    let end = now + Interval(nanoseconds: Int64(seconds * 1e9))
    dispatch()
    while let next = nextInstant, next <= end {
      now = max(now, next)
      step()
    }
    now = end
    receiver.advance(to: now)
    collect()
  }

  mutating func send(_ event: Event) {
    events.append(event)
    dispatch()
  }

  mutating func open(
    _ configuration: LiveConfiguration = .default, sequence: UInt32 = 1, user: UInt32 = 0,
    app: AppID? = nil, client: ClientID = client
  ) {
    let peer = Peer(
      userID: user, processID: 7, app: app, hasTerminal: app?.hasManifest == true,
      isOperator: [0, 1_000].contains(user) && app?.hasManifest != true)
    if let app, app.hasManifest {
      engine.apps.setGrant(Grant(.whenInUse, by: .command), for: app)
    }
    send(.client(client, .connected(peer, program: "test")))
    send(.client(client, .updatesOpened(SequenceID(number: sequence), configuration)))
  }

  /// The disk has done what was held.
  mutating func release() {
    answerCommits()
    dispatch()
  }

  private mutating func answerCommits() {
    events += held
    held = []
  }

  /// Takes the device away, or gives it back.
  mutating func plug(_ isPlugged: Bool, keepsBattery: Bool = true) {
    self.isPlugged = isPlugged
    if isPlugged { return receiver.applyPower(at: now) }
    guard isOpen else { return }
    isOpen = false
    kernel = []
    output = []
    speedChange = nil
    receiver.removePower(keepsBattery: keepsBattery, at: now)
    send(.receiver(.lost(.init(.unplugged, "it hung up"))))
  }

  // MARK: What was seen

  var lines: [String] {
    effects.compactMap { if case .log(_, let line) = $0 { line } else { nil } }
  }

  var updates: [Update] {
    effects.compactMap { if case .client(_, .deliver(_, let update)) = $0 { update } else { nil } }
  }

  func updates(of client: ClientID) -> [Update] {
    effects.compactMap { effect in
      if case .client(client, .deliver(_, let update)) = effect { update } else { nil }
    }
  }

  /// The speeds of the receiver that were kept, oldest first.
  var keptSpeeds: [Int] {
    commits.joined().compactMap { change in
      guard change.name.kind == RecordTable.receiverSpeed.number,
        case .put(let value, _) = change.action
      else { return nil }
      return ReceiverSpeedRecord(value)?.speed
    }
  }

  var fixes: [Fix] { updates.compactMap(\.fix) }

  mutating func report() -> Report {
    send(.client(EngineDesk.client, .requested(1, .status)))
    for case .client(_, .report(_, let report)) in effects.reversed() { return report }
    return Report()
  }

  func writes(ofClass messageClass: UInt8, _ id: UInt8) -> Int {
    effects.filter {
      guard case .receiver(.write(let bytes)) = $0, bytes.count > 4 else { return false }
      return bytes[2] == messageClass && bytes[3] == id
    }.count
  }

  // MARK: The machinery

  private var nextInstant: Instant? {
    var candidates = [
      receiver.nextDeadline, engine.nextDeadline, output.first?.at, speedChange?.at,
    ]
    .compactMap { $0 }
    if isOpen, !kernel.isEmpty { candidates.append(engine.outlook.receiverQuietUntil ?? now) }
    return candidates.min()
  }

  private mutating func step() {
    receiver.advance(to: now)
    collect()
    if let first = output.first, first.at <= now {
      output.removeFirst()
      receiver.bytesArrived(first.bytes, at: lineSpeed, at: now)
      if output.isEmpty { events.append(.receiver(.drained)) }
    }
    if let change = speedChange, change.at <= now, output.isEmpty {
      speedChange = nil
      lineSpeed = change.speed
      kernel = []
      events.append(.receiver(.speedChanged(change.speed)))
    }
    if isOpen, !kernel.isEmpty, (engine.outlook.receiverQuietUntil ?? now) <= now {
      readings.append(now)
      events.append(.receiver(.bytesArrived(kernel)))
      kernel = []
    }
    dispatch()
    if let due = engine.nextDeadline, due <= now {
      events.append(.deadlineReached)
      dispatch()
    }
  }

  private mutating func collect() {
    for piece in receiver.takeOutput() where isOpen && isPlugged {
      kernel += SerialSampling.heard(piece.bytes, sentAt: piece.speed, readAt: lineSpeed)
      lastByte = piece.completedAt
    }
    if kernel.count > 4_095 { kernel.removeFirst(kernel.count - 4_095) }
  }

  private mutating func dispatch() {
    while !events.isEmpty {
      let event = events.removeFirst()
      var answers: [Effect] = []
      engine.handle(event, at: now, into: &answers)
      for effect in answers { perform(effect) }
      effects += answers
    }
  }

  private mutating func perform(_ effect: Effect) {
    switch effect {
    case .receiver(.open(let speed)):
      guard isPlugged else {
        events.append(.receiver(.openFailed(.init(.missing, "no such device"))))
        return
      }
      // A receiver at USB has no speed; the simulated one has this one (`SimulatedPort`).
      lineSpeed = kind == .usb ? 12_000_000 : speed
      isOpen = true
      events.append(.receiver(.opened(.init(kind: kind, speed: speed))))
    case .receiver(.close): isOpen = false
    case .receiver(.write(let bytes)):
      let start = output.last?.at ?? now
      let nanoseconds = Int64(bytes.count) * 10_000_000_000 / Int64(lineSpeed)
      output.append((bytes, start + Interval(nanoseconds: nanoseconds)))
    case .receiver(.setSpeed(let speed)):
      speedChange = (speed, (output.last?.at ?? now) + .milliseconds(2))
    case .client(_, .deliver): delays.append(now - lastByte)
    case .storage(.commit(let number, let changes)):
      commits.append(changes)
      held.append(
        failure.map { .storage(.commitFailed(number, $0)) }
          ?? .storage(
            .committed(
              number,
              CommitReceipt(sequence: 1, bytesWritten: 4_096, flushCount: 1, isCompaction: false))))
      if !holdsCommits { answerCommits() }
    case .storage(.open): events.append(.storage(.read(StateReading())))
    case .track(let order): events.append(.track(tracks.carryOut(order)))
    case .line(.receiverWake, .open):
      isWakeLow = false
      events.append(
        wakeLineFault.map { .line(.receiverWake, .lost($0)) }
          ?? .line(.receiverWake, .opened(isActive: false, isDebounced: false)))
    case .line(.receiverWake, .set(let isLow)):
      if isLow != isWakeLow, isWakeWired { receiver.interruptEdgeCame(at: now) }
      isWakeLow = isLow
      events.append(.line(.receiverWake, .read(isActive: isLow)))
    case .receiver(.attend), .client, .line, .watchAccelerometer, .launcher, .log:
      break
    }
  }
}
