import Accelerometers
import BinnacleBasics
import BinnacleModel
import Simulation
import StateLog
import Testing

@testable import LocationEngine

@Suite struct TraceTests {
  static let fix = Fix(
    latitude: 48.137, longitude: -11.5, altitude: 1, ellipsoidalAltitude: 2,
    horizontalAccuracy: 3, verticalAccuracy: 4, speed: 5, speedAccuracy: 6, course: 7,
    courseAccuracy: 8, time: UTCTime(secondsSince1970: -5, nanoseconds: 7),
    isSimulatedBySoftware: true)

  static let reading: StateReading = {
    var records = RecordSet()
    records.apply(Change(RecordName(kind: 5), .put([1, 2, 3], isCautious: false)))
    return StateReading(
      records: records, withheld: [RecordName(kind: 1)],
      obstacle: .init("no space", isPassing: true), notes: [.init(.error, "it is damaged")])
  }()

  static let events: [Event] = [
    .started, .wallClockRead(UTCTime(secondsSince1970: 1_790_000_000, nanoseconds: 999_999_999)),
    .wallClockRead(UTCTime(secondsSince1970: 1_790_000_000), within: .milliseconds(12)),
    .stopRequested,
    .receiverOpened(.init(kind: .pseudoTerminal, speed: 38_400)),
    .receiverOpenFailed(.init(kind: .busy, text: "gpsd (42) holds it")),
    .receiverBytesArrived([]), .receiverBytesArrived([0xB5, 0x62, 0, 255]), .receiverDrained,
    .receiverSpeedChanged(115_200), .receiverSpeedRefused(921_600),
    .receiverLost(.init(kind: .unplugged, text: "Größe")),
    .clientConnected(
      ClientID(number: 7), Peer(userID: 1_000, processID: -1), program: "/usr/bin/tracker"),
    .clientConnected(
      ClientID(number: 8), Peer(userID: 0, processID: 2, app: .listed("org.example.a")),
      program: "a"),
    .clientConnected(
      ClientID(number: 9),
      Peer(userID: 5, processID: 3, app: .unlisted(userID: 5, executable: "/b")), program: "b"),
    .clientDisconnected(ClientID(number: 7)),
    .updatesOpened(ClientID(number: 7), SequenceID(number: .max), .airborne),
    .updatesClosed(ClientID(number: 7), SequenceID(number: 0)),
    .statusRequested(ClientID(number: 7), request: 9), .deadlineReached,
    .lineOpened(.indicator, isActive: true, isDebounced: false),
    .lineEdge(.button(31), isActive: false, at: Instant(nanoseconds: -3)),
    .lineRead(.indicatorSense, isActive: true),
    .lineLost(.statusLight, LineFault(kind: .busy, text: "held by 'led0'")),
    .accelerometer(
      .found(
        AccelerometerDescription(
          model: "LIS3DH", address: 0x18, reading: .interrupt, rateHz: 49.5, rangeG: 16,
          noiseG: 0.001, selfTest: "passed"))),
    .accelerometer(
      .samples(
        AccelerationBatch(
          first: Instant(nanoseconds: 5), interval: .milliseconds(20), gPerCount: 0.001,
          counts: [1, -2, .max, .min, 0, 7], saturatedCount: 1, lostCount: 3))),
    .servicesRequested(ClientID(number: 7), request: 9, isOn: true),
    .defaultsRequested(ClientID(number: 7), request: 9),
    .appsRead(background: []), .appsRead(background: ["org.example.a", "org.example.b"]),
    .defaultsSet(ClientID(number: 7), request: 10, isLast: false, []),
    .defaultsSet(ClientID(number: 7), request: 11, isLast: true, entries),
    .stateWished(ClientID(number: 7), request: 9, .read),
    .stateWished(ClientID(number: 7), request: 9, .writes),
    .stateWished(ClientID(number: 7), request: 9, .erase(.database)),
    .stateWished(ClientID(number: 7), request: 9, .erase(.defaults(app: "org.a"))),
    .stateRead(StateReading()), .stateRead(reading),
    .committed(
      7, CommitReceipt(sequence: 9, bytesWritten: 4_096, flushCount: 1, isCompaction: true)),
    .committed(
      8, CommitReceipt(sequence: nil, bytesWritten: 0, flushCount: 0, isCompaction: false)),
    .commitFailed(9, .full(size: 3, sizeMax: 2)), .commitFailed(9, .tooLarge(size: 3, sizeMax: 2)),
    .commitFailed(9, .fault(.other(-5))), .commitFailed(9, .fault(.readOnly)),
    .commitFailed(9, .refused(.keyTooLong(size: 300, sizeMax: 255))),
    .commitFailed(9, .refused(.valueTooLarge(kind: "x", size: 3, sizeMax: 2))),
    .commitFailed(9, .refused(.tooMany(kind: "x", countMax: 2))),
    .commitFailed(9, .closed("no space")), .commitFailed(9, .busy),
    .accelerometer(.moved(Instant(nanoseconds: 77))),
    .accelerometer(.fault(AccelerometerFault(.frozen, "axis y"))),
    .track(
      .opened(
        TrackReading(
          stretches: [.init(number: 3, size: 700, lastMilliseconds: 5)], sizeMax: 9_000,
          obstacle: .init("no space", isPassing: true), notes: [.init(.error, "lost")]))),
    .track(.opened(TrackReading())),
    .track(
      .committed(
        number: 8,
        CommitReceipt(sequence: 2, bytesWritten: 4_096, flushCount: 1, isCompaction: true))),
    .track(.commitFailed(number: 8, .fault(.noSpace))), .track(.erased(number: 9, nil)),
    .track(.erased(number: 9, .fault(.readOnly))),
  ]

  static let entries: [DefaultsEntry] = [
    DefaultsEntry("on", .flag(true)), DefaultsEntry("n", .integer(.min)),
    DefaultsEntry("x", .number(.nan)), DefaultsEntry("text", .text("Größe")),
    DefaultsEntry("data", .data([])), DefaultsEntry("gone", nil),
  ]

  static let effects: [Effect] = [
    .defaults(ClientID(number: 3), request: 4, entries),
    .defaultsChanged(ClientID(number: 3), entries),
    .defaultsSettled(ClientID(number: 3), request: 4, nil),
    .defaultsSettled(ClientID(number: 3), request: 4, DefaultsRefusal(.notKept, "no space")),
    .openReceiver(speed: 9_600), .closeReceiver, .writeReceiver([1, 2, 3]),
    .setReceiverSpeed(115_200), .openState, .track(.open), .track(.erase(number: 5)),
    .track(.commit(number: 4, [Change(RecordName(kind: 9), .put([1, 2], isCautious: false))])),
    .answer(ClientID(number: 3), request: 4, failure: nil),
    .answer(ClientID(number: 3), request: 4, failure: "no space"),
    .commit(
      number: 3,
      [
        Change(RecordName(kind: 1), .remove),
        Change(RecordName(kind: 5), .put([1, 2, 3], isCautious: false)),
        Change(RecordName(kind: 40_000), .put([], isCautious: true)),
      ]),
    .deliver(
      ClientID(number: 1), [SequenceID(number: 1), SequenceID(number: 2)], Update(fix: fix)),
    .deliver(ClientID(number: 1), [], Update(fix: nil, flags: [.locationUnavailable])),
    .endUpdates(ClientID(number: 1), SequenceID(number: 3), reason: "too many"),
    .report(
      ClientID(number: 1), request: 5,
      Report(items: [
        .init(name: "a.b", value: .text("x")), .init(name: "c", value: .integer(-1)),
        .init(name: "d", value: .number(0.5)), .init(name: "e", value: .flag(true)),
        .init(name: "f", value: .flag(false)),
      ])),
    .log(.warning, "receiver: a line"), .openLine(.button(0)),
    .setLine(.indicator, isActive: true), .readLine(.indicatorSense),
    .watchAccelerometer(.streaming), .attendReceiver(false), .attendReceiver(true),
    .openLine(.receiverWake),
    .reportWrites(
      ClientID(number: 7), request: 9, Report(items: [.init(name: "a", value: .integer(-1))])),
  ]

  @Test func everyEventSurvivesItsBytes() {
    for event in TraceTests.events {
      var writer = ByteWriter()
      event.encode(into: &writer)
      var reader = ByteReader(writer.bytes)
      #expect(Event(from: &reader) == event)
      #expect(reader.remaining == 0)
    }
  }

  @Test func everyEffectSurvivesItsBytes() {
    for effect in TraceTests.effects {
      var writer = ByteWriter()
      effect.encode(into: &writer)
      var reader = ByteReader(writer.bytes)
      #expect(Effect(from: &reader) == effect)
      #expect(reader.remaining == 0)
    }
  }

  @Test func cutOffBytesAreNothing() {
    for event in TraceTests.events {
      var writer = ByteWriter()
      event.encode(into: &writer)
      for length in 0..<writer.bytes.count {
        var reader = ByteReader(Array(writer.bytes.prefix(length)))
        #expect(Event(from: &reader) == nil)
      }
    }
    for effect in TraceTests.effects {
      var writer = ByteWriter()
      effect.encode(into: &writer)
      for length in 0..<writer.bytes.count {
        var reader = ByteReader(Array(writer.bytes.prefix(length)))
        #expect(Effect(from: &reader) == nil)
      }
    }
  }

  @Test func anEngineSurvivesItsBytes() throws {
    for desk in TraceTests.desks {
      let bytes = try BinaryEncoder.encode(desk.engine)
      #expect(try BinaryDecoder.decode(Engine.self, from: bytes) == desk.engine)
    }
  }

  @Test func damagedCheckpointsNeverTrap() throws {
    let bytes = try BinaryEncoder.encode(TraceTests.desks[1].engine)
    var random = Random(seed: 11)
    for _ in 0..<2_000 {
      var damaged = bytes
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        damaged[Int.random(in: damaged.indices, using: &random)] = UInt8(
          truncatingIfNeeded: random.next())
      }
      _ = try? BinaryDecoder.decode(Engine.self, from: damaged)
      _ = try? BinaryDecoder.decode(Engine.self, from: Array(damaged.prefix(damaged.count / 2)))
    }
  }

  /// In several states: before anything, while searching, running, read only.
  private static let desks: [EngineDesk] = [0, 0.5, 20, 40].map { seconds in
    var desk = EngineDesk(.m10, path: .walk)
    desk.open(.fitness)
    desk.run(seconds: seconds)
    return desk
  }

  @Test(arguments: [1, 2, 3, 4, 5, 6] as [UInt64])
  func aSavedRunReplaysToTheSameEffects(seed: UInt64) throws {
    var run = RandomRun(seed: seed)
    run.recorder = TraceRecorder(engine: run.engine, segmentBytesMax: 4_096)
    for _ in 0..<1_500 { run.step() }
    let recorder = try #require(run.recorder)
    let file = try TraceFile(decoding: recorder.save())
    #expect(file.records.count > 50)
    #expect(file.replay() == .same(events: file.records.count))
    #expect(file.configuration == run.engine.configuration)
  }

  @Test func aRunThatFitsReplaysFromItsFirstEvent() throws {
    var run = RandomRun(seed: 9)
    run.recorder = TraceRecorder(engine: run.engine)
    for _ in 0..<100 { run.step() }
    let file = try TraceFile(decoding: try #require(run.recorder).save())
    #expect(file.records.count == run.eventCount)
    guard case .stateRead? = file.records.first?.event else {
      Issue.record("it starts with \(String(describing: file.records.first?.event))")
      return
    }
  }

  @Test func aChangedByteIsNoticed() throws {
    var run = RandomRun(seed: 12)
    run.recorder = TraceRecorder(engine: run.engine)
    for _ in 0..<60 { run.step() }
    let bytes = try #require(run.recorder).save()
    for index in bytes.indices {
      var changed = bytes
      changed[index] ^= 0x40
      #expect(throws: TraceFile.Damage.self) { try TraceFile(decoding: changed) }
    }
    #expect(throws: TraceFile.Damage.self) { try TraceFile(decoding: Array(bytes.dropLast())) }
    #expect(throws: TraceFile.Damage.self) { try TraceFile(decoding: []) }
  }

  @Test func anotherAnswerIsADivergence() throws {
    var engine = Engine(configuration: Configuration(daemonUserID: 1), seed: 1)
    var recorder = TraceRecorder(engine: engine)
    var effects: [Effect] = []
    engine.handle(.started, at: .zero, into: &effects)
    recorder.record(.started, at: .zero, effects: effects.dropLast())
    let file = try TraceFile(decoding: recorder.save())
    #expect(file.replay() == .diverged(index: 0, .started, effects))
  }

  @Test func theRingStaysWithinItsSize() throws {
    var run = RandomRun(seed: 13)
    run.recorder = TraceRecorder(engine: run.engine, segmentBytesMax: 8_192)
    for _ in 0..<6_000 { run.step() }
    let bytes = try #require(run.recorder).save()
    #expect(bytes.count < 2 * (8_192 + 4_096) + 40_000)
  }
}
