import BinnacleBasics
import BinnacleModel
import Testing
import UBX

@testable import LocationEngine

/// The parts of assistance: what is kept, how uncertain it becomes, how it is handed over.
@Suite struct AssistancePartsTests {
  static let key = ReceiverKey(bytes: Array("000A0000 ROM SPG 5.10 010203040506".utf8))
  static let time = UTCTime(secondsSince1970: 1_790_000_000)

  static func database(records: Int, bytes: Int = 80) throws -> NavigationDatabase {
    var database = NavigationDatabase(receiver: try #require(key), time: time)
    for number in 0..<records {
      database.append((0..<bytes).map { UInt8(truncatingIfNeeded: $0 + number) })
    }
    return database
  }

  static func place(_ model: DynamicModel) -> LastPlace {
    LastPlace(
      Fix(
        latitude: -33.8568, longitude: 151.2153, ellipsoidalAltitude: 25.5,
        horizontalAccuracy: 3.25, verticalAccuracy: 4, time: time), model: model)
  }

  static func help(
    records: Int = 3, clock: TrustedClock? = nil, uncertainty: Double? = 1_000
  ) throws -> AssistanceHelp {
    let clock = clock ?? TrustedClock(read: time, instant: .zero, within: .milliseconds(200))
    return AssistanceHelp(
      database: try database(records: records), place: place(.portable), clock: clock,
      uncertaintyMeters: uncertainty, age: .seconds(60))
  }

  // MARK: Keeping

  @Test func storedAssistanceIsReadUnchanged() throws {
    let database = try Self.database(records: 25)
    let key = try #require(ReceiverKey(bytes: database.receiver.bytes))
    #expect(NavigationDatabase(receiver: key, bytes: database.bytes) == database)
    for model in DynamicModel.allCases {
      let place = Self.place(model)
      #expect(LastPlace(bytes: place.bytes) == place)
    }
    #expect(Self.place(.portable).heightCentimeters == 2_550)
  }

  @Test func damagedAssistanceIsRefusedOrHarmless() throws {
    let database = try Self.database(records: 4)
    for length in 0..<database.bytes.count {
      let cut = Array(database.bytes.prefix(length))
      #expect(NavigationDatabase(receiver: database.receiver, bytes: cut) == nil)
    }
    let longer = database.bytes + [0]
    #expect(NavigationDatabase(receiver: database.receiver, bytes: longer) == nil)
    let place = Self.place(.portable).bytes
    for length in 0..<place.count { #expect(LastPlace(bytes: Array(place.prefix(length))) == nil) }
    var random = Random(seed: 4)
    for _ in 0..<3_000 {
      var bytes = [database.bytes, place][Int(random.next() % 2)]
      for _ in 0...random.next() % 4 {
        bytes[Int(random.next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: random.next())
      }
      var memory = AssistanceMemory()
      if let read = NavigationDatabase(receiver: database.receiver, bytes: bytes) {
        memory.recovered(read)
      }
      if let read = LastPlace(bytes: bytes) { memory.recovered(read) }
      memory.clockRead(Self.time, within: .seconds(1), at: .zero)
      _ = memory.help(for: database.receiver, at: .zero + .seconds(1))
    }
  }

  @Test func aDatabaseStaysBelowItsLimit() throws {
    let large = try Self.database(records: 1_000, bytes: 164)
    #expect(large.bytes.count <= 24_576)
    #expect(large.records.count + large.leftOut == 1_000)
    #expect(large.records.count >= 140)
    #expect(try Self.database(records: 1_000, bytes: 12).records.count == 200)
  }

  @Test func twoReceiversAreKeptTheNewestFirst() throws {
    var memory = AssistanceMemory()
    for name in ["a", "b", "a", "c"] {
      let key = try #require(ReceiverKey(bytes: Array(name.utf8)))
      memory.polled(NavigationDatabase(receiver: key, time: Self.time))
    }
    #expect(memory.databases.map(\.receiver.text) == ["c", "a"])
  }

  // MARK: Uncertainty

  @Test func theUncertaintyOfAPlaceGrowsByTheFastestSpeed() {
    let minute = Interval.seconds(60)
    #expect(Self.place(.portable).uncertaintyMeters(after: .zero) == 3.25)
    #expect(Self.place(.portable).uncertaintyMeters(after: minute) == 3.25 + 310 * 60)
    #expect(Self.place(.airborne2g).uncertaintyMeters(after: minute) == 3.25 + 250 * 60)
    // A pedestrian may take the train while the board is off.
    #expect(Self.place(.pedestrian).uncertaintyMeters(after: minute) == 3.25 + 100 * 60)
    // After a day it may be anywhere.
    #expect(Self.place(.portable).uncertaintyMeters(after: .seconds(86_400)) == nil)
  }

  @Test func theUncertaintyOfTheTimeGrowsByTheClocksDrift() throws {
    let clock = TrustedClock(read: Self.time, instant: .zero, within: .milliseconds(20))
    #expect(clock.uncertainty(at: .zero) == .milliseconds(20))
    #expect(clock.uncertainty(at: .zero + .seconds(600)) == .milliseconds(320))
    #expect(clock.time(at: .zero + .seconds(600)) == Self.time + .seconds(600))
    var delivery = AssistanceDelivery(
      try Self.help(clock: clock), isAcknowledged: true, speed: 9_600,
      at: .zero + .seconds(600))
    guard case .write(let bytes) = delivery.begin(at: .zero + .seconds(600)),
      case .mgaINITimeUTC(let told) = Message(
        messageClass: bytes[2], id: bytes[3], payload: Array(bytes[6..<bytes.count - 2]))
    else {
      Issue.record("the time comes first")
      return
    }
    // The value has the parts that board and receiver accept.
    #expect(told.accuracy == .milliseconds(570))
  }

  @Test func aClockThatIsTooUncertainReportsNothing() throws {
    var memory = AssistanceMemory()
    let database = try Self.database(records: 4)
    memory.recovered(database)
    memory.recovered(Self.place(.portable))
    func refusal(within: Interval?, at seconds: Int64 = 0) -> AssistanceMemory.Refusal? {
      memory.clockRead(Self.time + .seconds(60), within: within, at: .zero)
      let help = memory.help(for: database.receiver, at: .zero + .seconds(seconds))
      guard case .failure(let reason) = help else { return nil }
      return reason
    }
    #expect(refusal(within: .seconds(1)) == nil)
    #expect(refusal(within: .seconds(61)) == .clockUntrusted)
    #expect(refusal(within: nil) == .clockUntrusted)
    memory.recovered(try Self.database(records: 4))
    #expect(refusal(within: .seconds(1), at: 31 * 86_400) == .clockUntrusted)
    memory.clockRead(Self.time + .seconds(31 * 86_400), within: .seconds(1), at: .zero)
    let late = memory.help(for: database.receiver, at: .zero)
    #expect(late == .failure(.tooOld))
  }

  // MARK: Handing over

  @Test func aReceiverThatAnswersNothingGetsNoFurtherMessages() throws {
    var delivery = AssistanceDelivery(
      try Self.help(), isAcknowledged: true, speed: 9_600, at: .zero)
    var writes = 0
    var action = delivery.begin(at: .zero)
    var rounds = 0
    while action != .done, rounds < 100 {
      if case .write = action { writes += 1 }
      action = delivery.deadlineReached(at: delivery.nextDeadline)
      rounds += 1
    }
    #expect(action == .done)
    // The time three times, and nothing that needs it.
    #expect(writes == 3)
    #expect(delivery.nextDeadline - .zero <= .seconds(6))
  }

  /// The answer of a receiver to a message.
  static func answer(_ bytes: [UInt8], reason: MgaACK.Reason?) -> MgaACK {
    var answer = MgaACK()
    answer.isAccepted = reason == nil
    answer.reason = reason ?? .none
    answer.acknowledgedID = bytes[3]
    answer.payloadStart = bytes[6..<10].reversed().reduce(0) { $0 << 8 | UInt32($1) }
    return answer
  }

  @Test func recordsThatAreRefusedAreCountedAndTheRestIsGiven() throws {
    var delivery = AssistanceDelivery(
      try Self.help(records: 5), isAcknowledged: true, speed: 115_200, at: .zero)
    var action = delivery.begin(at: .zero)
    var number = 0
    while case .write(let bytes) = action {
      action = delivery.answered(
        Self.answer(bytes, reason: number == 3 ? .notStored : nil), at: .zero)
      number += 1
    }
    #expect(action == .done)
    #expect(number == 7)
    #expect(delivery.count == .init(given: 5, taken: 4, refused: 1, unanswered: 0))
  }

  @Test func aReceiverThatRefusesTheTimeGetsNothingElse() throws {
    var delivery = AssistanceDelivery(
      try Self.help(), isAcknowledged: true, speed: 115_200, at: .zero)
    guard case .write(let bytes) = delivery.begin(at: .zero) else {
      Issue.record("nothing is written")
      return
    }
    let action = delivery.answered(Self.answer(bytes, reason: .typeUnknown), at: .zero)
    #expect(action == .done)
  }

  @Test func aReceiverThatIsNotReadyIsAskedAgain() throws {
    var delivery = AssistanceDelivery(
      try Self.help(), isAcknowledged: true, speed: 115_200, at: .zero)
    guard case .write(let bytes) = delivery.begin(at: .zero) else {
      Issue.record("nothing is written")
      return
    }
    #expect(delivery.answered(Self.answer(bytes, reason: .notReady), at: .zero) == .none)
    let again = delivery.deadlineReached(at: delivery.nextDeadline)
    guard case .write(let second) = again else {
      Issue.record("it is sent again")
      return
    }
    #expect(second[3] == bytes[3])
    // An answer to something else is none.
    var foreign = Self.answer(second, reason: nil)
    foreign.payloadStart ^= 1
    #expect(delivery.answered(foreign, at: .zero + .seconds(1)) == .none)
  }

  @Test func withoutAcknowledgementsTheLinePacesIt() throws {
    var delivery = AssistanceDelivery(
      try Self.help(records: 2), isAcknowledged: false, speed: 9_600, at: .zero)
    var now = Instant.zero
    var action = delivery.begin(at: now)
    var writes = 0
    while case .write(let bytes) = action {
      writes += 1
      let left = now + Interval(nanoseconds: Int64(bytes.count) * 10_000_000_000 / 9_600)
      #expect(delivery.deadlineReached(at: left) == .none)
      #expect(delivery.drained(at: left) == .none)
      #expect(delivery.nextDeadline == left + .milliseconds(10))
      now = delivery.nextDeadline
      action = delivery.deadlineReached(at: now)
    }
    #expect(action == .done)
    #expect(writes == 4)
    // A driver that never says that it has drained does not stop it.
    var stuck = AssistanceDelivery(
      try Self.help(records: 2), isAcknowledged: false, speed: 9_600, at: .zero)
    _ = stuck.begin(at: .zero)
    #expect(stuck.deadlineReached(at: stuck.nextDeadline) != .none)
  }

  @Test func aPlaceThatMayBeAnywhereIsNotReported() throws {
    var delivery = AssistanceDelivery(
      try Self.help(uncertainty: nil), isAcknowledged: true, speed: 9_600, at: .zero)
    guard case .write(let time) = delivery.begin(at: .zero),
      case .write(let next) = delivery.answered(Self.answer(time, reason: nil), at: .zero)
    else {
      Issue.record("nothing is written")
      return
    }
    #expect(next[3] == MgaDBD.messageID)
  }
}
