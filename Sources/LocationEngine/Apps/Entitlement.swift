import BinnacleModel

/// The rights of an app at an instant, and the reasons for a refusal.
struct Entitlement: Equatable, Codable, Sendable {
  /// The reasons why the app gets no locations; empty if it gets locations.
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
  /// Updates stay outstanding while services are off, because the app gets locations again when services are turned on.
  var keepsUpdates: Bool { !obstacles.contains(.denied) }

  /// The update that informs an app why it gets no locations.
  var refusal: Update {
    Update(
      fix: nil,
      flags: obstacles.contains(.servicesOff)
        ? [.authorizationDenied, .authorizationDeniedGlobally] : .authorizationDenied)
  }
}
