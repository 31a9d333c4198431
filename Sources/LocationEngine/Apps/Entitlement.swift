import BinnacleModel

/// What an app may have at a moment, and why it may not have more.
struct Entitlement: Equatable, Codable, Sendable {
  /// The reasons why the app gets no locations; empty when it gets them.
  var obstacles: Obstacles

  struct Obstacles: OptionSet, Codable, Sendable {
    let rawValue: UInt8

    /// Location services are off for the whole board.
    static let servicesOff = Obstacles(rawValue: 1 << 0)
    /// The app has no authorization.
    static let denied = Obstacles(rawValue: 1 << 1)
  }

  /// Whether the app gets locations.
  var isGranted: Bool { obstacles.isEmpty }

  /// Whether the updates that the app begins stay outstanding while the app is away.
  ///
  /// They do while services are off, for the app gets locations when services are turned on again.
  var keepsUpdates: Bool { !obstacles.contains(.denied) }

  /// The update that tells an app why it gets no locations.
  var refusal: Update {
    Update(
      fix: nil,
      flags: obstacles.contains(.servicesOff)
        ? [.authorizationDenied, .authorizationDeniedGlobally] : .authorizationDenied)
  }
}
