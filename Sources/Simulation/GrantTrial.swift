import BinnacleBasics
import BinnacleModel
import LocationEngine
import StateLog

/// The grants of several apps after damage of the log: the engine reads the remaining records, the apps connect, and a person answers.
///
/// After a reported loss, an app whose last answer is not present must be denied and must not raise a prompt, until a
/// person allows or resets the app or accepts the loss. An older grant must never replace a lost denial. Without a loss
/// each app has its last answer.
public struct GrantTrial {
  /// Apps after damage that was reported.
  public struct Counts: Equatable, Sendable {
    /// Apps whose last answer is present.
    public var present = 0
    /// Apps whose last answer is lost, or may be lost.
    public var denied = 0
    /// Apps among ``denied`` that a person had denied before the damage.
    public var lostDenials = 0

    public init() {}

    public static func += (left: inout Counts, right: Counts) {
      left.present += right.present
      left.denied += right.denied
      left.lostDenials += right.lostDenials
    }
  }

  private static let file = ProgramFile(device: 1, number: 70, changeTimeNanoseconds: 1)
  private static let apps: [AppID] =
    (1...6).map { .listed("org.example.app\($0)") }
    + (1...2).map { .unlisted(userID: 1_001, executable: "/usr/bin/script\($0)") }
  private static let operatorClient = ClientID(number: 100)

  /// The last answer about each app; nil without an answer.
  private let promised: [Grant?]
  private let isTold: Bool
  private var random: Random
  private var engine = GrantTrial.newEngine
  private var records = RecordSet()
  private var lastRequest: UInt32 = 0
  private var now = Instant.zero
  private var violation: String?
  public private(set) var counts = Counts()

  /// - Parameters:
  ///   - promised: the acknowledged records before the damage.
  ///   - isTold: whether the log reports a loss.
  ///   - seed: determines the answers of the person.
  init(promised: RecordSet, isTold: Bool, seed: UInt64) {
    self.promised = GrantTrial.apps.map { app in
      GrantTrial.name(app).flatMap { promised[$0] }.flatMap { Grant(bytes: $0) }
    }
    self.isTold = isTold
    random = Random(seed: seed)
  }

  /// A new answer about one of the apps, or its removal.
  static func change(isCautious: Bool, using random: inout Random) -> Change {
    let app = apps[Int.random(in: 0..<apps.count, using: &random)]
    let name = name(app) ?? RecordName(kind: RecordTable.grant.number)
    if random.chance(0.1) { return Change(name, .remove) }
    let isListed = if case .listed = app { true } else { false }
    let authorization: Authorization =
      random.chance(0.5) ? .denied : isListed && random.chance(0.4) ? .always : .whenInUse
    let isBound = !isListed && authorization != .denied
    let grant = Grant(authorization, by: .command, file: isBound ? file : nil)
    return Change(name, .put(grant.bytes, isCautious: isCautious))
  }

  private static func name(_ app: AppID) -> RecordName? {
    app.recordKey.flatMap { RecordTable.grant.named($0) }
  }

  private static var newEngine: Engine {
    var configuration = Configuration()
    configuration.apps = apps.compactMap { app in
      guard case .listed(let identifier) = app else { return nil }
      return AppDeclaration(
        identifier: identifier, hasBackgroundLocation: true, whenInUseText: "Shows the way.",
        alwaysText: "Shows the way at all times.")
    }
    return Engine(configuration: configuration, seed: 1)
  }

  // MARK: The run

  /// Returns the broken rule; nil if no rule is broken.
  mutating func run(_ reading: StateReading) -> String? {
    records = reading.records
    let isPresent = GrantTrial.apps.map { app in
      GrantTrial.name(app).map { reading.records[$0] != nil } ?? false
    }
    count(isPresent)
    let isWhole = !isTold
    let answers = promised.map { $0?.authorization ?? .notDetermined }
    start(reading)
    expect("after the damage") { isPresent[$0] || isWhole ? answers[$0] : .denied }
    // The next daemon reads only the records that this daemon has written.
    start(StateReading(records: records))
    expect("after a restart") { isPresent[$0] || isWhole ? answers[$0] : .denied }
    if isTold { answerAndAccept(isPresent) }
    return violation
  }

  /// A person answers about some apps, and then accepts the loss.
  private mutating func answerAndAccept(_ isPresent: [Bool]) {
    var expected = promised.map { $0?.authorization ?? .notDetermined }
    for index in expected.indices where !isPresent[index] { expected[index] = .denied }
    for index in expected.indices where !isPresent[index] && random.chance(0.3) {
      let isAllowed = random.chance(0.5)
      let name = "\(GrantTrial.apps[index])"
      ask(.consent(isAllowed ? .allow(app: name, .whenInUse) : .reset(app: name)))
      expected[index] = isAllowed ? .whenInUse : .notDetermined
    }
    let answered = expected
    expect("after answers") { answered[$0] }
    ask(.state(.accept))
    for index in expected.indices where expected[index] == .denied && !isPresent[index] {
      expected[index] = .notDetermined
    }
    let accepted = expected
    expect("after the loss is accepted") { accepted[$0] }
    start(StateReading(records: records))
    expect("after the next restart") { accepted[$0] }
  }

  private mutating func count(_ isPresent: [Bool]) {
    guard isTold else { return }
    for index in isPresent.indices {
      if isPresent[index] {
        counts.present += 1
      } else {
        counts.denied += 1
        if promised[index]?.authorization == .denied { counts.lostDenials += 1 }
      }
    }
  }

  // MARK: Expectations

  /// Compares the authorizations of all apps, and checks that no other app is asked about.
  private mutating func expect(
    _ stage: String, _ wanted: (Int) -> Authorization
  ) {
    guard violation == nil else { return }
    let rows = ask(.consent(.apps))
    let prompts = ask(.consent(.prompts)).compactMap { $0[.rowID] }
    for (index, app) in GrantTrial.apps.enumerated() {
      let found = rows.first { $0[.rowID] == "\(app)" }?[.rowAuthorization]
      let wanted = wanted(index)
      if found != wanted.name {
        violation =
          "\(stage) \(app) is \(found ?? "unknown") and not \(wanted.name), last answer: "
          + "\(promised[index].map { $0.authorization.name } ?? "none")"
        return
      }
      if prompts.contains("\(app)"), wanted != .notDetermined {
        violation = "\(stage) a person is asked about \(app)"
        return
      }
    }
  }

  // MARK: The engine

  /// Starts the daemon and all apps; each opens its updates in the foreground.
  private mutating func start(_ reading: StateReading) {
    engine = GrantTrial.newEngine
    send(.storage(.read(reading)))
    send(.started)
    let tool = Peer(
      userID: 0, processID: 1, app: .unlisted(userID: 0, executable: "/bin/tool"), mayOperate: true,
      isOperator: true)
    send(.client(GrantTrial.operatorClient, .connected(tool, program: "tool")))
    for (index, app) in GrantTrial.apps.enumerated() {
      let client = ClientID(number: UInt32(index) + 1)
      let peer = Peer(
        userID: 1_001, processID: Int32(index) + 2, app: app, hasTerminal: true,
        file: GrantTrial.file)
      send(.client(client, .connected(peer, program: "app")))
      if case .listed = app { ask(.consent(.foreground(app: "\(app)"))) }
      send(.client(client, .updatesOpened(SequenceID(number: 1), .default)))
    }
  }

  /// Makes a request as an operator; returns the rows of a list.
  @discardableResult
  private mutating func ask(_ request: ClientRequest) -> [Report] {
    lastRequest += 1
    let number = lastRequest
    let effects = send(.client(GrantTrial.operatorClient, .requested(number, request)))
    for case .client(_, .rows(number, let rows)) in effects { return rows }
    return []
  }

  /// Sends an event; each commit is on the disk at once.
  @discardableResult
  private mutating func send(_ event: Event) -> [Effect] {
    now += .milliseconds(10)
    var all: [Effect] = []
    var events = [event]
    while !events.isEmpty {
      var effects: [Effect] = []
      engine.handle(events.removeFirst(), at: now, into: &effects)
      for case .storage(.commit(let number, let changes)) in effects {
        for change in changes { records.apply(change) }
        let receipt = CommitReceipt(
          sequence: UInt64(number), bytesWritten: 512, flushCount: 1, isCompaction: false)
        events.append(.storage(.committed(number, receipt)))
      }
      for case .client(_, .deliver(_, let update)) in effects where update.fix != nil {
        violation = "an app has got a location"
      }
      all += effects
    }
    return all
  }
}
