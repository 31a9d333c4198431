import BinnacleModel
import BinnacleWire
import Testing

struct DefaultsMachineTests {
  private static let full = ServerMessage.Refusal(.notKept, "full")
  private static let stranger = ServerMessage.Refusal(.notPermitted, "who are you?")

  /// A machine that has read these entries, with its first request.
  private static func reading(_ entries: [DefaultsEntry] = []) -> DefaultsMachine {
    var machine = DefaultsMachine()
    #expect(machine.ready(version: 2) == [.send(.request(1, .openDefaults))])
    _ = machine.arrived(1, isLast: true, entries)
    return machine
  }

  private static func sent(_ request: UInt32, _ entries: [DefaultsEntry])
    -> DefaultsMachine.Action
  {
    .send(.request(request, .setDefaults(isLast: true, entries)))
  }

  private static func integer(_ key: String, _ number: Int64) -> DefaultsEntry {
    DefaultsEntry(key, .integer(number))
  }

  @Test func entriesComeInPiecesAndCountWhenTheLastIsThere() {
    var machine = DefaultsMachine()
    _ = machine.ready(version: 2)
    #expect(machine.arrived(1, isLast: false, [DefaultsEntry("a", .flag(true))]) == [])
    #expect(machine["a"] == nil && !machine.isAnswered)
    #expect(
      machine.arrived(1, isLast: true, [Self.integer("b", 1)])
        == [.changed(key: "a"), .changed(key: "b")])
    #expect(machine["a"] == .flag(true) && machine.isAnswered)
    #expect(machine.arrived(7, isLast: true, []) == [])
  }

  @Test func aChangeIsSeenAtOnceAndSettledByItsAnswer() {
    var machine = Self.reading()
    let on = DefaultsEntry("a", .flag(true))
    #expect(machine.set(on) == [.changed(key: "a"), Self.sent(2, [on])])
    #expect(machine.set(DefaultsEntry("b", .text("x"))) == [.changed(key: "b")])
    #expect(machine["b"] == .text("x") && machine.lastChange == 2)
    #expect(!machine.isSettled(upTo: 1))
    #expect(machine.settled(2, nil) == [Self.sent(3, [DefaultsEntry("b", .text("x"))])])
    #expect(machine.isSettled(upTo: 1) && !machine.isSettled(upTo: 2))
    #expect(machine.settled(3, nil) == [] && machine.isSettled(upTo: 2))
  }

  /// However the keys take turns, two groups are all there is, and the second is never kept without the first.
  @Test func aFloodIsTwoGroups() {
    var machine = Self.reading()
    _ = machine.set(Self.integer("a", 0))
    for number in 1...10_000 {
      let actions = machine.set(Self.integer(number % 2 == 0 ? "a" : "b", Int64(number)))
      #expect(actions.count == 1)
    }
    #expect(
      machine.settled(2, nil)
        == [Self.sent(3, [Self.integer("a", 10_000), Self.integer("b", 9_999)])])
    #expect(!machine.isSettled(upTo: 2) && machine.isSettled(upTo: 1))
    #expect(machine.settled(3, nil) == [] && machine.isSettled(upTo: machine.lastChange))
  }

  @Test func anEqualValueIsNoChange() {
    var machine = Self.reading([Self.integer("a", 1), DefaultsEntry("nan", .number(.nan))])
    #expect(machine.set(Self.integer("a", 1)) == [])
    #expect(machine.set(DefaultsEntry("nan", .number(.nan))) == [])
    #expect(machine.set(DefaultsEntry("b", nil)) == [])
    #expect(machine.isSettled(upTo: 3))
    #expect(machine.set(DefaultsEntry("a", .flag(true))).count == 2)
    // The old value again, while the new value is pending, is a change.
    #expect(machine.set(Self.integer("a", 1)) == [.changed(key: "a")])
    #expect(machine.settled(2, nil) == [Self.sent(3, [Self.integer("a", 1)])])
  }

  @Test func aRefusedChangeIsTakenBack() {
    var machine = Self.reading([Self.integer("a", 1)])
    _ = machine.set(Self.integer("a", 2))
    _ = machine.set(Self.integer("b", 3))
    #expect(
      machine.settled(2, Self.full) == [
        .refused(keys: ["a"], Self.full), .changed(key: "a"),
        Self.sent(3, [Self.integer("b", 3)]),
      ])
    #expect(machine["a"] == .integer(1) && machine.isSettled(upTo: 1))
  }

  @Test func aChangeUnderWayIsSentFirstAfterAReconnection() {
    var machine = Self.reading()
    _ = machine.set(Self.integer("a", 1))
    _ = machine.set(Self.integer("a", 2))
    machine.disconnected()
    #expect(machine["a"] == .integer(2) && machine.settled(2, nil) == [])
    #expect(machine.set(Self.integer("c", 3)) == [.changed(key: "c")])
    #expect(machine.ready(version: 2) == [.send(.request(3, .openDefaults))])
    #expect(
      machine.arrived(3, isLast: true, [DefaultsEntry("d", .flag(true))])
        == [.changed(key: "d"), Self.sent(4, [Self.integer("a", 1)])])
    #expect(
      machine.settled(4, nil) == [Self.sent(5, [Self.integer("a", 2), Self.integer("c", 3)])])
  }

  @Test func anotherProgramsChangeIsSeenUnlessOursIsOnItsWay() {
    var machine = Self.reading([Self.integer("a", 1)])
    #expect(machine.changed([Self.integer("a", 2)]) == [.changed(key: "a")])
    #expect(machine["a"] == .integer(2))
    _ = machine.set(Self.integer("a", 3))
    #expect(machine.changed([DefaultsEntry("a", nil)]) == [])
    #expect(machine["a"] == .integer(3))
    _ = machine.settled(2, nil)
    #expect(machine["a"] == .integer(3))
    #expect(machine.changed([DefaultsEntry("a", nil)]) == [.changed(key: "a")])
    #expect(machine["a"] == nil)
  }

  @Test func changesDuringADisconnectionAreNoticed() {
    var machine = Self.reading([Self.integer("a", 1), Self.integer("b", 1)])
    machine.disconnected()
    #expect(machine["a"] == .integer(1) && machine.isAnswered)
    _ = machine.ready(version: 2)
    #expect(
      machine.arrived(2, isLast: true, [Self.integer("b", 2)])
        == [.changed(key: "a"), .changed(key: "b")])
  }

  /// Another program may have changed it meanwhile, and the last word counts.
  @Test func anEqualValueThatIsSetWhileTheConnectionIsGoneIsSent() {
    var machine = Self.reading([Self.integer("a", 1)])
    machine.disconnected()
    #expect(machine.set(Self.integer("a", 1)) == [])
    _ = machine.ready(version: 2)
    #expect(
      machine.arrived(2, isLast: true, [Self.integer("a", 2)])
        == [Self.sent(3, [Self.integer("a", 1)])])
  }

  @Test func aRefusedAppReportsItsLostChanges() {
    var machine = DefaultsMachine()
    _ = machine.set(Self.integer("a", 1))
    _ = machine.ready(version: 2)
    #expect(
      machine.settled(1, Self.stranger)
        == [.refused(keys: ["a"], Self.stranger), .changed(key: "a")])
    #expect(machine.isAnswered && machine.isSettled(upTo: 1) && machine["a"] == nil)
    #expect(machine.set(Self.integer("a", 2)) == [.refused(keys: ["a"], Self.stranger)])
  }

  @Test func aDaemonThatCannotReadIsWaitedFor() {
    var machine = DefaultsMachine()
    _ = machine.set(Self.integer("a", 1))
    _ = machine.ready(version: 2)
    #expect(machine.settled(1, Self.full) == [])
    #expect(machine.obstacle == Self.full && machine.isAnswered && !machine.isSettled(upTo: 1))
    #expect(machine.set(Self.integer("b", 1)) == [.changed(key: "b")])
    #expect(
      machine.arrived(1, isLast: true, [])
        == [Self.sent(2, [Self.integer("a", 1), Self.integer("b", 1)])])
    #expect(machine.obstacle == nil)
  }

  @Test func anOlderDaemonIsAskedNothing() {
    var machine = DefaultsMachine()
    _ = machine.set(Self.integer("a", 1))
    #expect(machine.ready(version: 1) == [])
    #expect(machine.isAnswered && machine["a"] == .integer(1) && !machine.isSettled(upTo: 1))
    #expect(machine.obstacle?.kind == .versionUnsupported)
  }

  @Test func anExcessiveChangeIsRefusedBeforeItIsSent() {
    var machine = Self.reading()
    let largest = String(repeating: "x", count: DefaultsLimits.valueSizeMax - 1)
    let entries = [
      DefaultsEntry("", .flag(true)),
      DefaultsEntry(String(repeating: "ü", count: 65), .flag(true)),
      DefaultsEntry("a", .text(largest + "x")),
    ]
    for entry in entries {
      guard case .refused([entry.key], let refusal) = machine.set(entry).first else {
        Issue.record("\(entry.key) is not refused")
        continue
      }
      #expect(refusal.kind == .limitReached)
    }
    let long = String(repeating: "ü", count: 64)
    #expect(machine.set(DefaultsEntry(long, .text(largest))).count == 2)
    #expect(machine.set(DefaultsEntry(long, nil)).count == 1)
    for number in 0..<DefaultsLimits.countMax {
      #expect(machine.set(DefaultsEntry("\(number)", .flag(true))) == [.changed(key: "\(number)")])
    }
    #expect(machine.set(DefaultsEntry("more", .flag(true))).first != .changed(key: "more"))
    #expect(machine.set(DefaultsEntry("3", nil)) == [.changed(key: "3")])
    #expect(machine.set(DefaultsEntry("more", .flag(true))) == [.changed(key: "more")])
  }

  @Test func theLargestChangesFitIntoRequestsAndComeBack() throws {
    let large = (0..<20).map {
      DefaultsEntry(
        String(repeating: "k", count: 126) + "\($0 + 10)",
        .data([UInt8](repeating: 7, count: DefaultsLimits.valueSizeMax - 1)))
    }
    let small = (0..<DefaultsLimits.changesMax).map { Self.integer("\($0)", 1) }
    for entries in [large, small, []] {
      let messages = ClientMessage.setDefaults(after: 7, entries)
      var arrived: [DefaultsEntry] = []
      for (index, one) in messages.enumerated() {
        let packet = one.message.encoded()
        #expect(packet.count <= WireLimits.requestSizeMax)
        guard
          case .request(let request, .setDefaults(let isLast, let piece)) =
            try ClientMessage(decoding: packet)
        else { continue }
        #expect(request == 8 + UInt32(index) && request == one.request)
        #expect(isLast == (index == messages.count - 1))
        arrived += piece
      }
      #expect(arrived == entries)
    }
  }
}
