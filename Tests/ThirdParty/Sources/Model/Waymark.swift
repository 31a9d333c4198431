#if canImport(CoreLocation)
  import CoreLocation
#else
  #error("this platform has no Core Location")
#endif

/// A named place.
public struct Waymark: Sendable {
  public let name: String
  public let location: CLLocation

  public init(name: String, latitude: CLLocationDegrees, longitude: CLLocationDegrees) {
    self.name = name
    location = CLLocation(latitude: latitude, longitude: longitude)
  }
}

/// A name that many packages declare.
extension CLLocationCoordinate2D: @retroactive Equatable {
  public static func == (left: CLLocationCoordinate2D, right: CLLocationCoordinate2D) -> Bool {
    (left.latitude - right.latitude).magnitude < 1e-6
      && (left.longitude - right.longitude).magnitude < 1e-6
  }
}
