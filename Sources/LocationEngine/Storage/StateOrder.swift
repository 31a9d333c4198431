import BinnacleModel

/// What a decision leads to once the log has answered.
enum StateOrder: Equatable, Codable, Sendable {
  /// Location services are on, or off, from now on.
  case setServices(isOn: Bool)
  /// What apps have set by this number is kept.
  case acknowledgeDefaults(UInt32)
  /// The operator has accepted the loss.
  case acceptDamage
  /// What was erased is not to be used any more.
  case forget(EraseSubject)
}

/// Who is to be told what came of a decision.
enum Requester: Equatable, Codable, Sendable {
  case nobody
  case client(ClientID, request: UInt32)
  /// A person at the board, by the name of the button.
  case button(String)
  /// Clients of an app, by the number of what they have set.
  case app(UInt32)
}
