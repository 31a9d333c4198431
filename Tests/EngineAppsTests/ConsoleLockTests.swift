import BinnacleBasics
import BinnacleModel
import Testing

@testable import LocationEngine

/// The lock of consoles: PINs, pauses, and the end of the rights that a PIN gives.
@Suite struct ConsoleLockTests {
  private static let console = ClientID(number: 500)
  private static let user: UInt32 = 990

  private static func peer(_ standing: ConsoleStanding) -> Peer {
    Peer(
      userID: user, processID: 9, app: .unlisted(userID: user, executable: "/usr/bin/binnacle"),
      mayOperate: standing != .viewer, isOperator: true, console: standing)
  }

  private static func desk(_ adjust: @escaping (inout Configuration) -> Void = { _ in })
    -> ConsentDesk
  {
    var desk = ConsentDesk(adjust)
    connect(console, .viewer, &desk)
    return desk
  }

  private static func connect(
    _ client: ClientID, _ standing: ConsoleStanding, _ desk: inout ConsentDesk
  ) {
    desk.desk.send(
      .client(client, .connected(peer(standing), program: "binnacle console on ttyGS0")))
  }

  /// Sends a PIN, and a verdict if the engine orders a comparison.
  ///
  /// - Returns: the effects for the client.
  private static func unlock(
    _ verdict: PINVerdict, of client: ClientID = console, _ desk: inout ConsentDesk
  ) -> [Effect.Client] {
    let count = desk.desk.effects.count
    desk.desk.send(.client(client, .requested(7, .console(.unlock(Secret("483920"))))))
    if desk.desk.effects[count...].contains(.client(client, .checkPIN(request: 7))) {
      desk.desk.send(.client(client, .pinChecked(7, verdict)))
    }
    return desk.desk.effects[count...].compactMap {
      if case .client(client, let message) = $0 { message } else { nil }
    }
  }

  private static func isCompared(_ effects: [Effect.Client]) -> Bool {
    effects.contains(.checkPIN(request: 7))
  }

  private static func isUnlocked(_ effects: [Effect.Client]) -> Bool {
    effects.contains { if case .unlocked = $0 { true } else { false } }
  }

  private static func isLocked(_ desk: ConsentDesk, since count: Int) -> Bool {
    desk.desk.effects[count...].contains(.client(console, .locked))
  }

  // MARK: PINs

  @Test func theRightPINUnlocksForFiveMinutes() {
    var desk = Self.desk()
    #expect(Self.unlock(.right, &desk).last == .unlocked(request: 7, for: .seconds(300)))
    let count = desk.desk.effects.count
    desk.desk.wait(299)
    #expect(!Self.isLocked(desk, since: count))
    desk.desk.wait(2)
    #expect(Self.isLocked(desk, since: count))
  }

  @Test(arguments: [PINVerdict.wrong, .unset, .unreadable])
  func anyOtherVerdictLeavesTheConsoleLocked(_ verdict: PINVerdict) {
    var desk = Self.desk()
    let effects = Self.unlock(verdict, &desk)
    #expect(!Self.isUnlocked(effects))
    #expect(effects.contains { if case .consentRefusal(7, _) = $0 { true } else { false } })
    #expect(!desk.desk.engine.consoles.isUnlocked(Self.console))
  }

  @Test func aVerdictThatTheEngineHasNotOrderedCountsForNothing() {
    var desk = Self.desk()
    desk.desk.send(.client(Self.console, .pinChecked(7, .right)))
    #expect(!desk.desk.engine.consoles.isUnlocked(Self.console))
  }

  @Test func thePauseAfterWrongPINsDoublesUpToAMinute() {
    let pauses = (1...9).map { ConsoleTable.pause(after: $0).nanoseconds / 1_000_000_000 }
    #expect(pauses == [1, 2, 4, 8, 16, 32, 60, 60, 60])
    var desk = Self.desk()
    for pause in pauses {
      #expect(Self.isCompared(Self.unlock(.wrong, &desk)))
      desk.desk.wait(pause - 1)
      #expect(!Self.isCompared(Self.unlock(.right, &desk)), "a PIN in a pause of \(pause) s")
      desk.desk.wait(1)
    }
  }

  @Test func theRightPINEndsTheSeriesOfWrongOnes() {
    var desk = Self.desk()
    for _ in 0..<3 {
      _ = Self.unlock(.wrong, &desk)
      desk.desk.wait(60)
    }
    #expect(Self.isUnlocked(Self.unlock(.right, &desk)))
    _ = Self.unlock(.wrong, &desk)
    desk.desk.wait(1)
    #expect(Self.isCompared(Self.unlock(.wrong, &desk)))
  }

  @Test func aThousandConnectionsGiveNoFurtherTry() {
    var desk = Self.desk()
    var comparedCount = 0
    for number in 0..<1_000 {
      let client = ClientID(number: 1_000 + UInt32(number))
      Self.connect(client, .viewer, &desk)
      if Self.isCompared(Self.unlock(.wrong, of: client, &desk)) { comparedCount += 1 }
      desk.desk.send(.client(client, .disconnected))
    }
    #expect(comparedCount == 1)
  }

  @Test func onePINAtATimeIsCompared() {
    var desk = Self.desk()
    let other = ClientID(number: 501)
    Self.connect(other, .viewer, &desk)
    desk.desk.send(.client(Self.console, .requested(7, .console(.unlock(Secret("483920"))))))
    #expect(!Self.isCompared(Self.unlock(.right, of: other, &desk)))
  }

  @Test func onlyTheConnectionOfAConsoleCanBeUnlocked() {
    var desk = Self.desk()
    let app = desk.start(ConsentDesk.tracker)
    #expect(!Self.isCompared(Self.unlock(.right, of: app, &desk)))
    _ = Self.unlock(.right, &desk)
    let command = ClientID(number: 502)
    Self.connect(command, .unlocked(by: Self.console), &desk)
    #expect(!Self.isCompared(Self.unlock(.right, of: command, &desk)))
  }

  // MARK: The end

  @Test func lockEndsTheTimeAtOnce() {
    var desk = Self.desk()
    _ = Self.unlock(.right, &desk)
    let count = desk.desk.effects.count
    desk.desk.send(.client(Self.console, .requested(8, .console(.lock))))
    #expect(Self.isLocked(desk, since: count))
    #expect(!desk.desk.engine.consoles.isUnlocked(Self.console))
  }

  @Test func theEndOfTheConsoleEndsItsTime() {
    var desk = Self.desk()
    _ = Self.unlock(.right, &desk)
    desk.desk.send(.client(Self.console, .disconnected))
    #expect(!desk.desk.engine.consoles.isUnlocked(Self.console))
  }

  @Test func aCommandOfAConsoleThatIsLockedAgainChangesNothing() {
    var desk = Self.desk()
    _ = Self.unlock(.right, &desk)
    let command = ClientID(number: 502)
    Self.connect(command, .unlocked(by: Self.console), &desk)
    let deny = Event.Client.requested(9, .consent(.deny(app: "org.example.tracker")))
    desk.desk.send(.client(command, deny))
    #expect(desk.authorization(ConsentDesk.tracker) == "denied")
    desk.desk.send(.client(Self.console, .requested(8, .console(.lock))))
    desk.desk.send(
      .client(command, .requested(10, .consent(.allow(app: "org.example.tracker", .always)))))
    #expect(desk.authorization(ConsentDesk.tracker) == "denied")
  }

  @Test func anAnswerAtAnUnlockedConsoleIsByTheConsole() {
    var desk = Self.desk()
    _ = Self.unlock(.right, &desk)
    let command = ClientID(number: 502)
    Self.connect(command, .unlocked(by: Self.console), &desk)
    let name = "org.example.tracker"
    for request: ConsentRequest in [.allow(app: name, .always), .deny(app: name)] {
      desk.desk.send(.client(command, .requested(9, .consent(request))))
      #expect(desk.rows(.grants).map { $0[.rowBy] } == ["console"])
    }
    // An answer of an operator outside of a console is by a command.
    desk.request(.allow(app: name, nil))
    #expect(desk.rows(.grants).map { $0[.rowBy] } == ["command"])
  }

  // MARK: What a viewer sees

  private static func names(
    _ request: ConsentRequest, _ desk: inout ConsentDesk
  ) -> [String] {
    let count = desk.desk.effects.count
    desk.desk.send(.client(console, .requested(20, .consent(request))))
    for case .client(console, .rows(20, let rows)) in desk.desk.effects[count...] {
      return rows.compactMap { $0[.rowID] }
    }
    return []
  }

  @Test func aViewerSeesAllAppsAndChangesNone() {
    var desk = Self.desk()
    #expect(Self.names(.apps, &desk).contains("org.example.tracker"))
    for request: ConsentRequest in [
      .allow(app: "org.example.tracker", .always), .deny(app: "org.example.tracker"),
      .reset(app: "org.example.tracker"), .foreground(app: "org.example.tracker"), .home,
      .background(app: "org.example.tracker"), .start(app: "org.example.tracker"),
      .quit(app: "org.example.tracker"),
    ] {
      let count = desk.desk.effects.count
      desk.desk.send(.client(Self.console, .requested(21, .consent(request))))
      #expect(
        desk.desk.effects[count...].contains {
          if case .client(Self.console, .consentRefusal(21, _)) = $0 { true } else { false }
        })
    }
    #expect(desk.authorization(ConsentDesk.tracker) == "not_determined")
  }

  @Test func withViewUnlockedALockedConsoleSeesNothing() {
    var desk = Self.desk { $0.console.view = .unlocked }
    #expect(Self.names(.apps, &desk).isEmpty)
    _ = Self.unlock(.right, &desk)
    #expect(Self.names(.apps, &desk).contains("org.example.tracker"))
    desk.desk.wait(301)
    #expect(Self.names(.apps, &desk).isEmpty)
  }

  @Test func aTraceContainsNoPIN() throws {
    let event = Event.client(
      Self.console, .requested(7, .console(.unlock(Secret("483920")))))
    let bytes = try BinaryEncoder.encode(event)
    let decoded = try BinaryDecoder.decode(Event.self, from: bytes)
    #expect(decoded == .client(Self.console, .requested(7, .console(.unlock(Secret())))))
    #expect(!"\(event)".contains("483920"))
  }
}
