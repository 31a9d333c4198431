public import Foundation

/// A direction of a compass.
///
/// No board has a compass today, so the daemon makes no objects of this class.
open class CLHeading: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  /// The direction in degrees from magnetic north.
  open var magneticHeading: CLLocationDirection { 0 }
  /// The direction in degrees from true north; negative: unknown.
  open var trueHeading: CLLocationDirection { -1 }
  /// The greatest error of the direction in degrees; negative: the direction is invalid.
  open var headingAccuracy: CLLocationDirection { -1 }
  /// The magnetic field along the board's x axis, in microteslas.
  open var x: CLHeadingComponentValue { 0 }
  /// The magnetic field along the board's y axis, in microteslas.
  open var y: CLHeadingComponentValue { 0 }
  /// The magnetic field along the board's z axis, in microteslas.
  open var z: CLHeadingComponentValue { 0 }
  /// The time of the measurement.
  open var timestamp: Date { .distantPast }

  /// The heading itself, because it is immutable.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  // MARK: Archiving

  /// Whether decoding checks the classes of decoded objects.
  open class var supportsSecureCoding: Bool { true }

  /// A heading without values, for a subclass that has them.
  public override init() { super.init() }

  /// Reads a heading from an archive of this class, which has no values.
  public required init?(coder: NSCoder) { super.init() }

  /// Writes the heading to an archive; a heading of this class has no values.
  open func encode(with coder: NSCoder) {}
}
