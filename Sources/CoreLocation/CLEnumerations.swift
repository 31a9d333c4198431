/// Whether an app may know where the board is.
public enum CLAuthorizationStatus: Int32, Sendable {
  /// Nobody has decided.
  case notDetermined = 0
  /// Policy forbids it, and the user cannot change that.
  case restricted = 1
  /// The user forbids it, or location services are off for the whole board.
  case denied = 2
  /// At any time.
  case authorizedAlways = 3
  /// While the app is in use.
  case authorizedWhenInUse = 4

  /// The name of ``authorizedAlways`` in old programs.
  @available(*, deprecated, renamed: "authorizedAlways")
  public static var authorized: CLAuthorizationStatus { .authorizedAlways }
}

/// How exactly an app may know where the board is.
///
/// It means something only together with the ``CLAuthorizationStatus``.
public enum CLAccuracyAuthorization: Int, Sendable {
  /// As exactly as the receiver does.
  case fullAccuracy = 0
  /// To a few kilometers.
  case reducedAccuracy = 1
}

/// What an app's user is doing.
public enum CLActivityType: Int, Sendable {
  /// Nothing in particular.
  case other = 1
  /// Driving a car.
  case automotiveNavigation = 2
  /// Walking, running or cycling.
  case fitness = 3
  /// Moving in a vehicle that is no car, such as a boat or a train.
  case otherNavigation = 4
  /// Flying.
  case airborne = 5
}

/// How a board is held.
public enum CLDeviceOrientation: Int32, Sendable {
  /// It is not known.
  case unknown = 0
  /// Upright.
  case portrait = 1
  /// Upright, upside down.
  case portraitUpsideDown = 2
  /// On its side, the top to the left.
  case landscapeLeft = 3
  /// On its side, the top to the right.
  case landscapeRight = 4
  /// Flat, facing up.
  case faceUp = 5
  /// Flat, facing down.
  case faceDown = 6
}

/// Where the board is, seen from a region.
@frozen public enum CLRegionState: Int, Sendable {
  /// It is not known.
  case unknown = 0
  /// In the region.
  case inside = 1
  /// Out of the region.
  case outside = 2
}

/// How near a beacon is.
public enum CLProximity: Int, Sendable {
  /// It is not known.
  case unknown = 0
  /// Centimeters away.
  case immediate = 1
  /// Meters away.
  case near = 2
  /// Farther away.
  case far = 3
}
