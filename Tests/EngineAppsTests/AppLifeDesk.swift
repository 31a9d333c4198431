import BinnacleBasics
import BinnacleModel
import Testing

@testable import LocationEngine

/// A board with a launcher and the app `org.example.tracker`, which holds what it held before as soon as it runs.
struct AppLifeDesk {
  static let tracker = ConsentDesk.tracker
  static let name = "org.example.tracker"

  var consent: ConsentDesk
  /// The connection of the app's present process.
  private(set) var client = ClientID(number: 0)

  /// - Parameters:
  ///   - allowance: the right of the app.
  ///   - adjust: changes the configuration.
  init(
    _ allowance: ConsentRequest.Allowance = .whenInUse,
    _ adjust: (inout Configuration) -> Void = { _ in }
  ) {
    consent = ConsentDesk(adjust)
    consent.request(.allow(app: AppLifeDesk.name, allowance))
    connectLauncher()
  }

  /// A board whose app runs in the foreground, has updates open, and holds these sessions.
  static func running(
    _ allowance: ConsentRequest.Allowance = .whenInUse, holding sessions: [AppSession] = [],
    _ adjust: (inout Configuration) -> Void = { _ in }
  ) -> AppLifeDesk {
    var desk = AppLifeDesk(allowance, adjust)
    desk.consent.request(.start(app: name))
    desk.begin(sessions)
    return desk
  }

  mutating func connectLauncher() {
    let running = consent.desk.launcher.running.map {
      Event.RunningApp(app: $0.key, isFrozen: $0.value)
    }
    consent.desk.send(.launcher(.connected(running)))
  }

  // MARK: The app

  /// The process of the app connects, makes its sessions, and opens its updates.
  mutating func begin(_ sessions: [AppSession] = []) {
    connect()
    for session in sessions { consent.hold(session, by: client) }
    consent.desk.open(client)
  }

  mutating func connect() {
    client = consent.desk.connect(
      AppLifeDesk.tracker, user: 1_001, hasTerminal: false, file: ConsentDesk.file, isLaunched: true
    )
    consent.desk.send(.client(client, .phaseWatched))
  }

  /// The process of the app ends.
  mutating func end(_ ending: Event.AppEnding = .killed(signal: 11)) {
    let event = consent.desk.launcher.end(AppLifeDesk.tracker, ending)
    consent.desk.send(.client(client, .disconnected))
    consent.desk.send(.launcher(event))
  }

  // MARK: What is seen

  var orders: [Effect.Launcher] { consent.desk.launcher.orders(about: AppLifeDesk.tracker) }
  var isFrozen: Bool { consent.desk.launcher.running[AppLifeDesk.tracker] == true }
  var isRunning: Bool { consent.desk.launcher.running[AppLifeDesk.tracker] != nil }
  var seen: String { consent.seen(client) }
  mutating func state() -> String? { consent.state(AppLifeDesk.tracker) }

  /// The phases that the present process was informed of.
  var phases: [AppPhase] {
    consent.desk.effects.compactMap {
      if case .client(client, .phase(let phase)) = $0 { phase } else { nil }
    }
  }

  /// The seconds of the locations that the present process got.
  var seconds: [Int64] {
    consent.places(client).map { ($0.time - UTCTime(secondsSince1970: 1_790_000_000)).seconds }
      .map { Int64($0) }
  }

  mutating func row() -> Report? {
    consent.rows(.apps).first { $0[.rowID] == AppLifeDesk.name }
  }
}

extension AppLifeDesk: CustomTestStringConvertible {
  /// The whole desk has more text than a person can read.
  var testDescription: String { "desk at \(consent.desk.now)" }
}
