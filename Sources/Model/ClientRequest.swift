/// A request of a client; it has this name on the wire, in the daemon and in the engine.
///
/// Each request has a number, and the answer has the same number.
public enum ClientRequest: Equatable, Codable, Sendable {
  /// The daemon's report.
  case status
  /// The flight recorder's contents.
  case trace
  /// Turn location services on or off for the whole board.
  case setServices(isOn: Bool)
  /// Get all defaults of the client's app, and later changes by other clients of the app.
  case openDefaults
  /// A piece of a change of the app's defaults; the last piece stores all pieces, or none of them.
  case setDefaults(isLast: Bool, [DefaultsEntry])
  /// A request about the stored records: read or erase them, accept their loss, or count the written bytes.
  case state(StateRequest)
  /// The satellites in view, once.
  case sky
  /// A request about the rights of apps.
  case consent(ConsentRequest)
  /// The latest lines of the daemon's log up to a severity, and if it follows each further line.
  case log(LogLevel, isFollowed: Bool)
  /// The settings of the board, each with the place that its value comes from.
  case settings
  /// The history of the last 24 hours: movement, receiver, indicator, and the states of apps.
  case day
  /// A request of a console about its own rights.
  case console(ConsoleRequest)
}
