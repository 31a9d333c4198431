public import Foundation

/// A stay at a place.
///
/// Visits are not available yet, so the daemon makes no objects of this class.
open class CLVisit: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  /// The beginning of the stay; `distantPast` if it is unknown.
  open var arrivalDate: Date { .distantPast }
  /// The end of the stay; `distantFuture` while the stay continues.
  open var departureDate: Date { .distantFuture }
  /// The place.
  open var coordinate: CLLocationCoordinate2D { kCLLocationCoordinate2DInvalid }
  /// The radius of the place in meters; negative: no place.
  open var horizontalAccuracy: CLLocationAccuracy { -1 }

  /// The visit itself, because it is immutable.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  // MARK: Archiving

  /// Whether decoding checks the classes of decoded objects.
  open class var supportsSecureCoding: Bool { true }

  /// A visit without values, for a subclass that has them.
  public override init() { super.init() }

  /// Reads a visit from an archive of this class, which has no values.
  public required init?(coder: NSCoder) { super.init() }

  /// Writes the visit to an archive; a visit of this class has no values.
  open func encode(with coder: NSCoder) {}
}
