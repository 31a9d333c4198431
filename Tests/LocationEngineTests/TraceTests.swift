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
      obstacle: .init(.passing, "no space"), notes: [.init(.error, "it is damaged")])
  }()

  static let events: [Event] = [
    .started, .wallClockRead(UTCTime(secondsSince1970: 1_790_000_000, nanoseconds: 999_999_999)),
    .wallClockRead(UTCTime(secondsSince1970: 1_790_000_000), within: .milliseconds(12)),
    .stopRequested,
    .receiver(.opened(.init(kind: .pseudoTerminal, speed: 38_400))),
    .receiver(.openFailed(.init(.busy, "gpsd (42) holds it"))),
    .receiver(.bytesArrived([])), .receiver(.bytesArrived([0xB5, 0x62, 0, 255])),
    .receiver(.drained),
    .receiver(.speedChanged(115_200)), .receiver(.speedRefused(921_600)),
    .receiver(.lost(.init(.unplugged, "Größe"))),
    .client(
      ClientID(number: 7),
      .connected(Peer(userID: 1_000, processID: -1), program: "/usr/bin/tracker")),
    .client(
      ClientID(number: 8),
      .connected(
        Peer(userID: 0, processID: 2, app: .listed("org.example.a")),
        program: "a")),
    .client(
      ClientID(number: 9),
      .connected(
        Peer(userID: 5, processID: 3, app: .unlisted(userID: 5, executable: "/b")), program: "b")),
    .client(ClientID(number: 7), .disconnected),
    .client(ClientID(number: 7), .updatesOpened(SequenceID(number: .max), .airborne)),
    .client(ClientID(number: 7), .updatesClosed(SequenceID(number: 0))),
    .client(ClientID(number: 7), .requested(9, .status)), .deadlineReached,
    .line(.indicator, .opened(isActive: true, isDebounced: false)),
    .line(.button(31), .edge(isActive: false, at: Instant(nanoseconds: -3))),
    .line(.indicatorSense, .read(isActive: true)),
    .line(.statusLight, .lost(LineFault(.busy, "held by 'led0'"))),
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
    .client(ClientID(number: 7), .requested(9, .setServices(isOn: true))),
    .client(ClientID(number: 7), .requested(9, .openDefaults)),
    .appsRead([]),
    .appsRead([
      AppDeclaration(identifier: "org.example.a"),
      AppDeclaration(identifier: "org.example.b", hasBackgroundLocation: true),
    ]),
    .consentSettingsRead(ConsentSettings()), .consentSettingsRead(consentSettings),
    .client(ClientID(number: 7), .requested(10, .setDefaults(isLast: false, []))),
    .client(ClientID(number: 7), .requested(11, .setDefaults(isLast: true, entries))),
    .client(ClientID(number: 7), .requested(9, .state(.read))),
    .client(ClientID(number: 7), .requested(9, .sky)),
    .client(ClientID(number: 7), .requested(9, .consent(.allow(app: "org.a", .always)))),
    .client(ClientID(number: 7), .requested(9, .consent(.home))),
    .client(ClientID(number: 7), .skyWatched(true)),
    .client(ClientID(number: 7), .buttonsWatched),
    .client(ClientID(number: 7), .terminalLost),
    .client(
      ClientID(number: 7), .updatesOpened(SequenceID(number: 1), .fitness, [.reduced, .search])),
    .client(ClientID(number: 7), .requested(9, .state(.writes))),
    .client(ClientID(number: 7), .requested(9, .state(.erase(.database)))),
    .client(ClientID(number: 7), .requested(9, .state(.erase(.defaults(app: "org.a"))))),
    .storage(.read(StateReading())), .storage(.read(reading)),
    .storage(
      .committed(
        7, CommitReceipt(sequence: 9, bytesWritten: 4_096, flushCount: 1, isCompaction: true))),
    .storage(
      .committed(
        8, CommitReceipt(sequence: nil, bytesWritten: 0, flushCount: 0, isCompaction: false))),
    .storage(.commitFailed(9, .full(size: 3, sizeMax: 2))),
    .storage(.commitFailed(9, .tooLarge(size: 3, sizeMax: 2))),
    .storage(.commitFailed(9, .fault(.other(-5)))), .storage(.commitFailed(9, .fault(.readOnly))),
    .storage(.commitFailed(9, .closed("no space"))),
    .storage(.markChanged(fault: "no space")), .storage(.markChanged(fault: nil)),
    .accelerometer(.moved(Instant(nanoseconds: 77))),
    .accelerometer(.fault(AccelerometerFault(.frozen, "axis y"))),
    .track(
      .opened(
        TrackReading(
          stretches: [.init(number: 3, size: 700, lastMilliseconds: 5)], sizeMax: 9_000,
          obstacle: .init(.passing, "no space"), notes: [.init(.error, "lost")]))),
    .track(.opened(TrackReading())),
    .track(
      .committed(
        number: 8,
        CommitReceipt(sequence: 2, bytesWritten: 4_096, flushCount: 1, isCompaction: true))),
    .track(.commitFailed(number: 8, .fault(.noSpace))), .track(.erased(number: 9, nil)),
    .track(.erased(number: 9, .fault(.readOnly))),
  ]

  static let consentSettings: ConsentSettings = {
    var settings = ConsentSettings()
    settings.promptTimeout = .seconds(7)
    settings.backgroundGrace = .milliseconds(1_500)
    settings.restricted = .apps(["org.a", "1000:/bin/b"])
    return settings
  }()

  static let entries: [DefaultsEntry] = [
    DefaultsEntry("on", .flag(true)), DefaultsEntry("n", .integer(.min)),
    DefaultsEntry("x", .number(.nan)), DefaultsEntry("text", .text("Größe")),
    DefaultsEntry("data", .data([])), DefaultsEntry("gone", nil),
  ]

  static let effects: [Effect] = [
    .client(ClientID(number: 3), .defaults(request: 4, entries)),
    .client(ClientID(number: 3), .defaultsChanged(entries)),
    .client(ClientID(number: 3), .defaultsSettled(request: 4, nil)),
    .client(
      ClientID(number: 3), .defaultsSettled(request: 4, DefaultsRefusal(.notKept, "no space"))),
    .receiver(.open(speed: 9_600)), .receiver(.close), .receiver(.write([1, 2, 3])),
    .receiver(.setSpeed(115_200)), .storage(.open), .track(.open), .track(.erase(number: 5)),
    .track(.commit(number: 4, [Change(RecordName(kind: 9), .put([1, 2], isCautious: false))])),
    .client(ClientID(number: 3), .answer(request: 4, failure: nil)),
    .client(ClientID(number: 3), .answer(request: 4, failure: "no space")),
    .storage(
      .commit(
        number: 3,
        [
          Change(RecordName(kind: 1), .remove),
          Change(RecordName(kind: 5), .put([1, 2, 3], isCautious: false)),
          Change(RecordName(kind: 40_000), .put([], isCautious: true)),
        ])),
    .client(
      ClientID(number: 1),
      .deliver([SequenceID(number: 1), SequenceID(number: 2)], Update(fix: fix))),
    .client(ClientID(number: 1), .deliver([], Update(fix: nil, flags: [.locationUnavailable]))),
    .client(ClientID(number: 1), .endUpdates(SequenceID(number: 3), reason: "too many")),
    .client(
      ClientID(number: 1),
      .report(
        request: 5,
        Report(items: [
          .init(name: "a.b", value: .text("x")), .init(name: "c", value: .integer(-1)),
          .init(name: "d", value: .number(0.5)), .init(name: "e", value: .flag(true)),
          .init(name: "f", value: .flag(false)),
        ]))),
    .log(.warning, "receiver: a line"), .line(.button(0), .open),
    .line(.indicator, .set(isActive: true)), .line(.indicatorSense, .read),
    .watchAccelerometer(.streaming), .receiver(.attend(false)), .receiver(.attend(true)),
    .line(.receiverWake, .open),
    .client(
      ClientID(number: 7),
      .reportWrites(request: 9, Report(items: [.init(name: "a", value: .integer(-1))]))),
    .client(ClientID(number: 7), .skyReport(request: 9, sky)),
    .client(ClientID(number: 7), .sky(Sky())),
    .client(
      ClientID(number: 7), .skyRefusal(request: 9, SkyRefusal(.unavailable, "the receiver sleeps"))),
  ]

  private static let sky = Sky(
    time: UTCTime(secondsSince1970: 1), horizontalDilution: 0.63,
    satellites: [
      Satellite(
        constellation: .navic, number: 7, elevationDegrees: -5, azimuthDegrees: 359,
        carrierToNoiseDBHz: 40, isUsed: true, health: .unhealthy),
      Satellite(constellation: .glonass, number: nil),
    ])

  @Test func everyEventAndEveryEffectSurvivesItsBytes() throws {
    for event in TraceTests.events {
      let bytes = try BinaryEncoder.encode(event)
      #expect(try BinaryDecoder.decode(Event.self, from: bytes) == event)
    }
    for effect in TraceTests.effects {
      let bytes = try BinaryEncoder.encode(effect)
      #expect(try BinaryDecoder.decode(Effect.self, from: bytes) == effect)
    }
  }

  @Test func cutOffBytesAreNothing() throws {
    for event in TraceTests.events {
      let bytes = try BinaryEncoder.encode(event)
      for length in 0..<bytes.count {
        let cut = Array(bytes.prefix(length))
        #expect(throws: DecodingError.self) { try BinaryDecoder.decode(Event.self, from: cut) }
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
    run.recorder = TraceRecorder(engine: run.engine, segmentBytesMax: 32_768)
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
    guard case .storage(.read)? = file.records.first?.event else {
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
    var engine = Engine(configuration: Configuration(), seed: 1)
    var recorder = TraceRecorder(engine: engine)
    var effects: [Effect] = []
    engine.handle(.started, at: .zero, into: &effects)
    recorder.record(.started, at: .zero, effects: effects.dropLast())
    let file = try TraceFile(decoding: recorder.save())
    #expect(file.replay() == .diverged(index: 0, file.records[0], effects))
  }

  /// A list that a record shares has the caller's room for more effects, and the caller needs a new one.
  @Test func aRecordDoesNotShareTheListOfItsCaller() {
    var recorder = TraceRecorder(engine: Engine(configuration: Configuration(), seed: 1))
    var effects: [Effect] = []
    effects.reserveCapacity(8)
    effects.append(.log(.info, "a"))
    let place = effects.withUnsafeBufferPointer { $0.baseAddress }
    recorder.record(.started, at: .zero, effects: effects)
    effects.removeAll(keepingCapacity: true)
    effects.append(.log(.info, "b"))
    #expect(effects.withUnsafeBufferPointer { $0.baseAddress } == place)
  }

  @Test func aSegmentKeepsRoomForOnePieceMoreThanItsRecords() {
    var recorder = TraceRecorder(engine: Engine(configuration: Configuration(), seed: 1))
    for count in 1...300 {
      recorder.record(.started, at: .zero, effects: [])
      let room = recorder.current.pieces.reduce(0) { $0 + $1.capacity }
      #expect(room < count + TraceRecorder.Segment.pieceCount)
    }
  }

  /// The saved records are those of two full segments and of a part of the third one.
  @Test func theRingKeepsTwoFullSegmentsAndStaysWithinItsSize() throws {
    var run = RandomRun(seed: 13)
    run.recorder = TraceRecorder(engine: run.engine, segmentBytesMax: 8_192)
    for _ in 0..<6_000 { run.step() }
    let bytes = try #require(run.recorder).save()
    #expect(bytes.count < 2 * (8_192 + 4_096) + 40_000)
    let records = try TraceFile(decoding: bytes).records
    let memorySize = records.reduce(0) { $0 + $1.memorySize }
    #expect(memorySize >= 2 * 8_192)
    #expect(memorySize < 3 * (8_192 + 4_096))
  }
}
