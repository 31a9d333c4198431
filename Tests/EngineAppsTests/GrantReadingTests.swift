import BinnacleBasics
import BinnacleModel
import StateLog
import Testing

@testable import LocationEngine

/// Answers of persons that come back from the log, late or damaged.
@Suite struct GrantReadingTests {
  private static let tracker = ConsentDesk.tracker

  // MARK: Damage

  @Test func anAppWhoseLastAnswerIsLostIsDeniedUntilAPersonAnswers() throws {
    let change = try RecordTable.grant.change(
      key: Array("org.example.tracker".utf8), to: Grant(.whenInUse, by: .command).bytes)
    var table = GrantTable()
    var effects: [Effect] = []
    table.adopt(
      StateReading(records: RecordSet(), withheld: [change.name]), isFirst: true, into: &effects)
    #expect(table.lostCount == 1 && effects.count == 1)
    #expect(table[GrantReadingTests.tracker]?.authorization == .denied)
    #expect(table[GrantReadingTests.tracker]?.source == .damage)
  }

  // MARK: A log that opens late

  /// The records of a grant and of a background session.
  private static func reading(_ authorization: Authorization) throws -> StateReading {
    let key = Array("org.example.tracker".utf8)
    var records = RecordSet()
    records.apply(
      try RecordTable.grant.change(key: key, to: Grant(authorization, by: .command).bytes))
    var sessions = SessionsRecord()
    sessions.insert(.background)
    records.apply(try RecordTable.sessions.change(key: key, to: sessions.bytes))
    return StateReading(records: records)
  }

  /// An app connects before the log can be read; returns the engine and the effects after the reading.
  private static func late(
    _ reading: StateReading
  ) -> (engine: Engine, before: Prompt?, effects: [Effect]) {
    var configuration = Configuration()
    configuration.apps = [
      AppDeclaration(
        identifier: "org.example.tracker", hasBackgroundLocation: true, whenInUseText: "a")
    ]
    var engine = Engine(configuration: configuration, seed: 1)
    var effects: [Effect] = []
    let client = ClientID(number: 1)
    let events: [Event] = [
      .storage(.read(StateReading(obstacle: .init(.passing, "no space")))), .started,
      .client(
        client,
        .connected(Peer(userID: 1, processID: 7, app: tracker, hasTerminal: true), program: "t")),
      .client(client, .updatesOpened(SequenceID(number: 1), .default)),
    ]
    for event in events { engine.handle(event, at: .zero, into: &effects) }
    let before = engine.apps.prompts.shown
    effects = []
    engine.handle(.storage(.read(reading)), at: .zero + .seconds(30), into: &effects)
    return (engine, before, effects)
  }

  @Test func anAnswerCountsAlsoWhenTheLogCanOnlyBeReadLater() throws {
    let (denied, before, effects) = GrantReadingTests.late(try GrantReadingTests.reading(.denied))
    #expect(before != nil)
    #expect(denied.apps.prompts.prompts.isEmpty)
    let refusal = Update(fix: nil, flags: .authorizationDenied)
    #expect(
      effects.contains(
        .client(ClientID(number: 1), .deliver([SequenceID(number: 1)], refusal))))
    let allowed = GrantReadingTests.late(try GrantReadingTests.reading(.whenInUse)).engine
    #expect(allowed.apps.grants[GrantReadingTests.tracker]?.authorization == .whenInUse)
  }

  @Test func aSessionHasEndedWhenTheLogCanOnlyBeReadLater() throws {
    var (engine, _, effects) = GrantReadingTests.late(try GrantReadingTests.reading(.whenInUse))
    #expect(!engine.apps.sessions.isHeld(.background, by: GrantReadingTests.tracker))
    let receipt = CommitReceipt(
      sequence: 1, bytesWritten: 512, flushCount: 1, isCompaction: false)
    var changes: [Change] = []
    while case .storage(.commit(let number, let more)) = effects.last(where: {
      if case .storage(.commit) = $0 { true } else { false }
    }) {
      changes += more
      effects = []
      engine.handle(
        .storage(.committed(number, receipt)), at: .zero + .seconds(31), into: &effects)
    }
    let removal = try RecordTable.sessions.change(
      key: Array("org.example.tracker".utf8), to: nil)
    #expect(changes.contains(removal))
  }

  @Test func anAnswerBeforeTheLateReadingIsNewerThanTheRecord() throws {
    for answer in [nil, Grant(.denied, by: .button)] {
      var table = GrantTable()
      var effects: [Effect] = []
      table.set(answer, for: GrantReadingTests.tracker)
      table.adopt(try GrantReadingTests.reading(.whenInUse), isFirst: false, into: &effects)
      #expect(table[GrantReadingTests.tracker] == answer)
    }
  }

  /// The record of a program that did not know the time of change: version 1, when in use, by a command.
  private static let oldGrant: [UInt8] = {
    var writer = ByteWriter()
    for byte: UInt8 in [1, 4, 3, 0] { writer.u8(byte) }
    writer.i64(0)
    writer.u64(1)
    writer.u64(70)
    return writer.bytes
  }()

  /// Files of the grant's device and number: one in an image without times, and one with the time of the mark.
  private static let files = [
    ConsentDesk.file, ProgramFile(device: 1, number: 70, changeTimeNanoseconds: 0),
    ProgramFile(device: 1, number: 70, changeTimeNanoseconds: Grant.unknownChangeTime),
  ]

  @Test(arguments: files)
  func anAppWithAGrantWithoutTheTimeOfChangeAsksAgain(_ file: ProgramFile) throws {
    var desk = ConsentDesk()
    let key = try #require(ConsentDesk.script.grantKey)
    let change = try RecordTable.grant.change(key: key, to: GrantReadingTests.oldGrant)
    try desk.desk.plant(change)
    desk.killDaemon()
    #expect(desk.rows(.grants) == [])
    #expect(desk.authorization(ConsentDesk.script) == "not_determined")
    let reasons = desk.rows(.why(app: "\(ConsentDesk.script)"))
    let reason = reasons.first { $0[.rowKey] == "authorization" }
    #expect(reason?[.rowHolds] == false)
    let client = desk.run(ConsentDesk.script, hasTerminal: true, file: file)
    desk.fix()
    #expect(desk.seen(client) == "p")
    #expect(desk.rows(.grants) == [])
    desk.request(.allow(app: "\(ConsentDesk.script)", nil))
    let fits = file.changeTimeNanoseconds != Grant.unknownChangeTime
    #expect(desk.rows(.grants).count == (fits ? 1 : 0))
  }

  @Test func aGrantWithoutTheTimeOfChangeFitsNoProgramFile() throws {
    let grant = try #require(Grant(bytes: GrantReadingTests.oldGrant))
    #expect(grant.authorization == .whenInUse)
    #expect(grant.file?.device == 1 && grant.file?.number == 70)
    #expect(grant.fitsNoFile && Grant(bytes: grant.bytes) == grant)
    let listed = try #require(Grant(bytes: [1, 3, 3, 0] + Array(repeating: 0, count: 24)))
    #expect(listed.authorization == .always && listed.file == nil)
  }

  @Test func everyGrantIsReadBackAndDamagedBytesAreADenial() {
    let grants = [
      Grant(.denied, by: .button), Grant(.always, by: .console, isAlwaysAnswered: true),
      Grant(.whenInUse, by: .profile, at: UTCTime(secondsSince1970: 9), file: ConsentDesk.file),
    ]
    for grant in grants {
      #expect(Grant(bytes: grant.bytes) == grant)
      #expect(Grant(bytes: grant.bytes + [0]) == nil)
      #expect(Grant(bytes: Array(grant.bytes.dropLast())) == nil)
    }
    for app in [
      GrantReadingTests.tracker, ConsentDesk.script, .unresolved(userID: 7),
      .door("nmea", .user(1_001)), .door("nmea", .terminal),
    ] {
      #expect(app.grantKey.flatMap(AppID.init(grantKey:)) == app)
    }
    #expect(AppID(grantKey: Array("+7:".utf8)) == nil)
  }
}
