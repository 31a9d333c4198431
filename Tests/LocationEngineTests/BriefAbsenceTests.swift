import BinnacleBasics
import BinnacleModel
import StateLog
import Testing

@testable import LocationEngine

/// The receiver while an app or the daemon is away for seconds.
@Suite struct BriefAbsenceTests {
  /// The receiver is set up for the outstanding updates at once.
  @Test func aShortAbsenceOfAppOrDaemonCausesNoOrderToTheReceiver() throws {
    let app = AppID.unlisted(userID: 1_000, executable: "/usr/bin/walk")
    var record = LiveUpdatesRecord()
    record[.automotiveNavigation] = 1
    let name = try #require(app.recordKey.flatMap(RecordTable.liveUpdates.named))
    var records = RecordSet()
    records.apply(Change(name, .put(record.value ?? [], isCautious: true)))
    var desk = EngineDesk(reading: StateReading(records: records))
    desk.run(seconds: 9)
    #expect(desk.engine.outlook.receiverRateHz == 2)
    let orders = desk.writes(ofClass: 0x06, 0x8A)
    #expect(orders > 0)
    desk.open(.automotiveNavigation, user: 1_000, app: app)
    desk.run(seconds: 20)
    #expect(desk.fixes.count >= 30)
    // The app crashes and is back.
    desk.send(.client(EngineDesk.client, .disconnected))
    desk.run(seconds: 8)
    desk.open(.automotiveNavigation, user: 1_000, app: app, client: ClientID(number: 2))
    desk.run(seconds: 20)
    #expect(desk.writes(ofClass: 0x06, 0x8A) == orders)
    // Only when it stays away the receiver is told.
    desk.send(.client(ClientID(number: 2), .disconnected))
    desk.run(seconds: 20)
    #expect(desk.writes(ofClass: 0x06, 0x8A) > orders)
    #expect(desk.engine.outlook.receiverRateHz == 1)
  }
}
