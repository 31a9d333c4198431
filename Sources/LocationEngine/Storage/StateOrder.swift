import BinnacleModel

/// An order of a decision, which is carried out when the log has answered.
enum StateOrder: Equatable, Codable, Sendable {
  /// Location services are on, or off, from now on.
  case setServices(isOn: Bool)
  /// The change of defaults with this number is kept.
  case acknowledgeDefaults(UInt32)
  /// The operator has accepted the loss.
  case acceptDamage
  /// A person's answer for an app is this from now on; nil: there is no answer.
  case setGrant(AppID, Grant?)
  /// The client that waits for the close of this app is answered.
  case answerClose(AppID)
  /// Erased records are to be forgotten in memory.
  case forget(EraseSubject)
}

/// The component that gets a decision's outcome.
enum Requester: Equatable, Codable, Sendable {
  /// The engine has decided by itself: no component waits for the outcome.
  case engine
  case client(ClientID, request: UInt32)
  /// A person at the board, by the name of the button.
  case button(String)
  /// A console whose PIN is compared when the try is kept.
  case console(ClientID, request: UInt32)
  /// Clients of an app, by the number of their change of defaults.
  case app(UInt32)
}
