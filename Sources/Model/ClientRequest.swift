/// A request of a client; it has this name on the wire, in the daemon and in the engine.
///
/// Each request has a number, which comes back with the answer.
public enum ClientRequest: Equatable, Codable, Sendable {
  /// The daemon's report.
  case status
  /// The flight recorder's contents.
  case trace
  /// Turn location services on or off for the whole board.
  case setServices(isOn: Bool)
  /// All defaults of the client's app, and from then on what other clients of the app change.
  case openDefaults
  /// A piece of a change of the app's defaults; with the last piece all are kept at once, or none.
  case setDefaults(isLast: Bool, [DefaultsEntry])
  /// The stored records: read, erase, accept their loss, or count what was written.
  case state(StateRequest)
  /// The satellites in view, once.
  case sky
}
