/// An app's authorization for location services.
public enum CLAuthorizationStatus: Int32, Sendable {
  /// The user has not decided yet.
  case notDetermined = 0
  /// A policy denies location, and the user cannot change the policy.
  case restricted = 1
  /// The user denies location, or location services are off for the whole board.
  case denied = 2
  /// The app may get locations at any time.
  case authorizedAlways = 3
  /// The app may get locations while it is in use.
  case authorizedWhenInUse = 4

  /// The former name of ``authorizedAlways``.
  @available(*, deprecated, renamed: "authorizedAlways")
  public static var authorized: CLAuthorizationStatus { .authorizedAlways }
}

/// The accuracy of the locations that an app may get.
///
/// The value is valid only together with the ``CLAuthorizationStatus``.
public enum CLAccuracyAuthorization: Int, Sendable {
  /// The full accuracy of the receiver.
  case fullAccuracy = 0
  /// An accuracy of a few kilometers.
  case reducedAccuracy = 1
}

/// The activity of an app's user.
public enum CLActivityType: Int, Sendable {
  /// No particular activity.
  case other = 1
  /// Driving a car.
  case automotiveNavigation = 2
  /// Walking, running or cycling.
  case fitness = 3
  /// Moving in a vehicle other than a car, such as a boat or a train.
  case otherNavigation = 4
  /// Flying.
  case airborne = 5
}

/// The orientation of the board.
public enum CLDeviceOrientation: Int32, Sendable {
  /// The orientation is unknown.
  case unknown = 0
  /// Upright.
  case portrait = 1
  /// Upright, upside down.
  case portraitUpsideDown = 2
  /// On its side, with the top to the left.
  case landscapeLeft = 3
  /// On its side, with the top to the right.
  case landscapeRight = 4
  /// Flat, facing up.
  case faceUp = 5
  /// Flat, facing down.
  case faceDown = 6
}

/// The position of the board relative to a region.
@frozen public enum CLRegionState: Int, Sendable {
  /// The position is unknown.
  case unknown = 0
  /// The board is in the region.
  case inside = 1
  /// The board is outside the region.
  case outside = 2
}

/// The distance to a beacon.
public enum CLProximity: Int, Sendable {
  /// The distance is unknown.
  case unknown = 0
  /// Centimeters away.
  case immediate = 1
  /// Meters away.
  case near = 2
  /// Farther away.
  case far = 3
}
