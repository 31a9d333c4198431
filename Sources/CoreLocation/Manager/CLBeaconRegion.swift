public import Foundation

/// The identity of beacons; no board ranges beacons today.
open class CLBeaconIdentityConstraint: NSObject, @unchecked Sendable {
  private let storedUUID: UUID
  private let storedMajor: CLBeaconMajorValue?
  private let storedMinor: CLBeaconMinorValue?

  /// All beacons of a UUID.
  public convenience init(uuid: UUID) { self.init(uuid, nil, nil) }

  /// The beacons of a UUID and an upper half.
  public convenience init(uuid: UUID, major: CLBeaconMajorValue) { self.init(uuid, major, nil) }

  /// One beacon.
  public convenience init(uuid: UUID, major: CLBeaconMajorValue, minor: CLBeaconMinorValue) {
    self.init(uuid, major, minor)
  }

  private init(_ uuid: UUID, _ major: CLBeaconMajorValue?, _ minor: CLBeaconMinorValue?) {
    storedUUID = uuid
    storedMajor = major
    storedMinor = minor
    super.init()
  }

  /// The UUID of the beacons.
  open var uuid: UUID { storedUUID }
  /// The upper half of the identity; nil: any.
  public var major: CLBeaconMajorValue? { storedMajor }
  /// The lower half of the identity; nil: any.
  public var minor: CLBeaconMinorValue? { storedMinor }
}

/// The surroundings of beacons.
open class CLBeaconRegion: CLRegion, @unchecked Sendable {
  private let constraint: CLBeaconIdentityConstraint
  /// Whether the state is reported when the display is switched on; a board has no display.
  open var notifyEntryStateOnDisplay = false

  /// The surroundings of the beacons of a UUID.
  public convenience init(uuid: UUID, identifier: String) {
    self.init(
      beaconIdentityConstraint: CLBeaconIdentityConstraint(uuid: uuid), identifier: identifier)
  }

  /// The surroundings of the beacons with an identity.
  public init(beaconIdentityConstraint: CLBeaconIdentityConstraint, identifier: String) {
    constraint = beaconIdentityConstraint
    super.init(identifier: identifier)
  }

  /// The identity of the beacons.
  open var beaconIdentityConstraint: CLBeaconIdentityConstraint { constraint }
  /// The UUID of the beacons.
  open var uuid: UUID { constraint.uuid }
  /// The upper half of the identity.
  open var major: NSNumber? { constraint.major.map { NSNumber(value: $0) } }
  /// The lower half of the identity.
  open var minor: NSNumber? { constraint.minor.map { NSNumber(value: $0) } }
}

/// A ranged beacon; no board ranges beacons today, so there are no objects of this class.
open class CLBeacon: NSObject, @unchecked Sendable {}
