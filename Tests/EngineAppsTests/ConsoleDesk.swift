import BinnacleBasics
import BinnacleModel

@testable import LocationEngine

/// A board with a console on a serial line, a button HOME and a person.
final class ConsoleDesk {
  static let console = ClientID(number: 500)
  static let user: UInt32 = 990

  var desk: ConsentDesk
  private var lastRequest: UInt32 = 100

  init(presence: PresenceGesture? = .usual) {
    desk = ConsentDesk {
      var home = PanelSettings.Button(name: "HOME")
      home.presence = presence?.gesture
      $0.panel.buttons = [home]
      $0.console.presence = presence
    }
    begin()
  }

  /// The lines and the console come again after a start.
  private func begin() {
    desk.desk.send(.line(.button(0), .opened(isActive: false, isDebounced: true)))
    connect(ConsoleDesk.console)
  }

  func connect(
    _ client: ClientID, _ standing: ConsoleStanding = .viewer, program: String = "console on ttyS1"
  ) {
    let peer = Peer(
      userID: ConsoleDesk.user, processID: 9,
      app: .unlisted(userID: ConsoleDesk.user, executable: "/usr/bin/binnacle"),
      mayOperate: standing != .viewer, isOperator: true, console: standing)
    desk.desk.send(.client(client, .connected(peer, program: program)))
  }

  func cutPower() {
    desk.cutPower()
    begin()
  }

  /// Makes short presses of HOME, 200 ms apart.
  func press(count: Int) {
    for _ in 0..<count {
      desk.desk.send(.line(.button(0), .edge(isActive: true, at: desk.desk.now)))
      desk.desk.now += .milliseconds(100)
      desk.desk.send(.line(.button(0), .edge(isActive: false, at: desk.desk.now)))
      desk.desk.now += .milliseconds(100)
    }
    desk.desk.wait(1)
  }

  /// Sends a request of a console; a comparison that the engine orders gets the verdict.
  ///
  /// - Returns: the effects for the client.
  func ask(
    _ request: ConsoleRequest, of client: ClientID = console, _ verdict: PINVerdict = .wrong
  ) -> [Effect.Client] {
    lastRequest += 1
    let count = desk.desk.effects.count
    desk.desk.send(.client(client, .requested(lastRequest, .console(request))))
    if desk.desk.effects[count...].contains(.client(client, .checkPIN(request: lastRequest))) {
      desk.desk.send(.client(client, .pinChecked(lastRequest, verdict)))
    }
    return desk.desk.effects[count...].compactMap {
      if case .client(client, let message) = $0 { message } else { nil }
    }
  }

  /// Tries a PIN; false if the engine has not had the PIN compared.
  func tryPIN(_ verdict: PINVerdict, of client: ClientID = console) -> Bool {
    ask(.unlock(Secret("483920")), of: client, verdict).contains {
      if case .checkPIN = $0 { true } else { false }
    }
  }

  /// The sentence of the last refusal.
  var refusal: String? {
    for case .client(_, .consentRefusal(_, let refusal)) in desk.desk.effects.reversed() {
      return refusal.text
    }
    return nil
  }

  func audit() -> [Report] { desk.rows(.audit) }

  func isUnlocked(_ client: ClientID = console) -> Bool {
    desk.desk.engine.consoles.isUnlocked(client)
  }
}
