import BinnacleModel
import BinnacleText

@testable import LiveView

/// A board with everything that a view can show.
enum SampleBoard {
  static func reason(_ app: String, _ key: String, _ text: String, change: String? = nil) -> Report
  {
    var row = Report()
    row.add(.rowID, app)
    row.add(.rowKey, key)
    row.add(.rowHolds, change == nil)
    row.add(.rowText, text)
    if let change { row.add(.rowChange, change) }
    return row
  }

  static func verdict(_ app: String, receives: Bool, flags: String = "") -> Report {
    var row = Report()
    row.add(.rowID, app)
    row.add(.rowReceives, receives)
    row.add(.rowFlags, flags)
    return row
  }

  static func logged(_ time: String, _ priority: String, _ text: String) -> Report {
    var row = Report()
    row.add(.rowLoggedAt, "2026-11-24T\(time)Z")
    row.add(.rowPriority, priority)
    row.add(.rowLogText, text)
    return row
  }

  static func request(_ app: String) -> Report {
    var row = Report()
    row.add(.rowID, app)
    row.add(.rowRequest, "when_in_use")
    row.add(.rowText, "\(app) would like to use your location. \"Draws the route.\"")
    return row
  }

  static let report: Report = {
    var report = Report()
    report.add(.servicesOn, true)
    report.add(.receiverState, "running")
    report.add(.receiverModule, "MAX-M10S")
    report.add(.receiverSpeed, 38_400)
    report.add(.receiverRate, 1)
    report.add(.powerState, "on")
    report.add(.powerSince, 3_600)
    report.add(.powerUserName("1"), "org.example.tracker")
    report.add(.powerUserPurpose("1"), "updates")
    report.add(.fixAge, 0.5)
    report.add(.fixHorizontalAccuracy, 2.1)
    report.add(.fixTime, "2026-11-24T10:15:31Z")
    report.add(.sessionsPaused, 0)
    report.add(.lampState("indicator"), "lit")
    report.add(.stateKept, true)
    report.add(.stateRecords, 12)
    report.add(.lifeCounter("written_bytes"), 34_816)
    report.add(.accelerometerLastX, 0.011)
    report.add(.accelerometerLastY, -0.02)
    report.add(.accelerometerLastZ, 0.998)
    report.add(.restIsStationary("motion"), false)
    report.add(.restSince("motion"), 41)
    report.add(.restDwell("motion"), 120)
    report.add(.restCredit("motion"), 36)
    report.add(.restSway("motion"), 1.9)
    report.add(.restThreshold("motion"), 6.4)
    return report
  }()

  static let sky: Sky = {
    var satellites: [Satellite] = []
    let levels: [(Satellite.Constellation, [Int])] = [
      (.gps, [48, 46, 44, 41, 38, 33, 29, 18]), (.glonass, [42, 40, 36, 22]),
      (.galileo, [47, 45, 43, 39, 31]), (.beidou, [44, 40, 12]),
    ]
    for (constellation, list) in levels {
      for (index, level) in list.enumerated() {
        satellites.append(
          Satellite(
            constellation: constellation, number: index + 1, carrierToNoiseDBHz: level,
            isUsed: level >= 30))
      }
      satellites.append(Satellite(constellation: constellation, number: 30))
    }
    return Sky(horizontalDilution: 0.71, satellites: satellites)
  }()

  static let snapshot: BoardSnapshot = {
    var snapshot = BoardSnapshot(board: "harbor", time: "2026-11-24T10:15:32Z")
    snapshot.report = report
    snapshot.sky = sky
    snapshot.apps = AppReasons.grouped([
      verdict("org.example.tracker", receives: true),
      reason("org.example.tracker", "services", "Location services are on."),
      verdict("org.example.route", receives: false, flags: "authorizationDenied"),
      reason("org.example.route", "services", "Location services are on."),
      reason(
        "org.example.route", "authorization",
        "org.example.route may not use your location: it was denied.",
        change: "binnacle allow org.example.route"),
      verdict("org.example.map", receives: true, flags: "accuracyLimited"),
    ])
    snapshot.addLog([
      logged("10:14:02.114", "notice", "daemon: version 1, receiver at /dev/ttyAMA0"),
      logged("10:14:30.002", "notice", "receiver: running"),
      logged("10:15:31.870", "warning", "receiver: reports jamming"),
    ])
    return snapshot
  }()
}
