public import Foundation

/// A stay at a place.
///
/// Visits are not available yet, so the daemon makes no objects of this class.
open class CLVisit: NSObject, NSCopying, @unchecked Sendable {
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
}
