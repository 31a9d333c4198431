public import Foundation

/// A ranged beacon.
///
/// No board ranges beacons today, so the daemon makes no objects of this class.
open class CLBeacon: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  /// The UUID of the beacon.
  open var uuid: UUID { UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)) }
  /// The former name of ``uuid``.
  @available(*, deprecated, renamed: "uuid")
  open var proximityUUID: UUID { uuid }
  /// The upper half of the identity.
  open var major: NSNumber { 0 }
  /// The lower half of the identity.
  open var minor: NSNumber { 0 }
  /// The distance in words.
  open var proximity: CLProximity { .unknown }
  /// The error of the distance in meters; negative: unknown.
  open var accuracy: CLLocationAccuracy { -1 }
  /// The strength of the signal in dBm; 0: unknown.
  open var rssi: Int { 0 }
  /// The time of the measurement.
  open var timestamp: Date { .distantPast }

  /// The beacon itself, because it is immutable.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  // MARK: Archiving

  /// Whether decoding checks the classes of decoded objects.
  open class var supportsSecureCoding: Bool { true }

  /// A beacon without values, for a subclass that has them.
  public override init() { super.init() }

  /// Reads a beacon from an archive of this class, which has no values.
  public required init?(coder: NSCoder) { super.init() }

  /// Writes the beacon to an archive; a beacon of this class has no values.
  open func encode(with coder: NSCoder) {}
}
