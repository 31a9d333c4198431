internal import BinnacleGeodesy
internal import BinnacleModel
public import Foundation

/// The position and the movement of the board at one time, with their accuracies.
///
/// Negative accuracies mark unknown values. A negative ``horizontalAccuracy`` makes the coordinate invalid. A
/// ``verticalAccuracy`` of 0 or less makes both altitudes invalid. A negative ``speed`` or ``course`` is itself
/// unknown.
///
/// Two locations are equal when they are the same object, as on Apple's systems.
///
/// A location is immutable, so threads may share it; subclasses must be immutable, too.
open class CLLocation: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  private let fields: Fields

  /// All values of a location.
  private struct Fields {
    var coordinate = CLLocationCoordinate2D()
    var altitude: CLLocationDistance = 0
    var ellipsoidalAltitude: CLLocationDistance = 0
    var horizontalAccuracy: CLLocationAccuracy = 0
    var verticalAccuracy: CLLocationAccuracy = -1
    var course: CLLocationDirection = -1
    var courseAccuracy: CLLocationDirectionAccuracy = -1
    var speed: CLLocationSpeed = -1
    var speedAccuracy: CLLocationSpeedAccuracy = -1
    var timestamp = Date()
    var floor: CLFloor?
    var sourceInformation: CLLocationSourceInformation?
  }

  // MARK: Reading

  /// Latitude and longitude on WGS 84.
  open var coordinate: CLLocationCoordinate2D { fields.coordinate }
  /// Meters above mean sea level.
  open var altitude: CLLocationDistance { fields.altitude }
  /// Meters above the ellipsoid of WGS 84; 0 unless the location is from the receiver.
  open var ellipsoidalAltitude: CLLocationDistance { fields.ellipsoidalAltitude }
  /// The radius in meters that holds the true position with 68 % probability; negative: no position.
  open var horizontalAccuracy: CLLocationAccuracy { fields.horizontalAccuracy }
  /// One standard deviation of the altitudes in meters; 0 or less: no altitude.
  open var verticalAccuracy: CLLocationAccuracy { fields.verticalAccuracy }
  /// The direction of movement in degrees from true north; negative: unknown.
  open var course: CLLocationDirection { fields.course }
  /// One standard deviation of the course in degrees; negative: unknown.
  open var courseAccuracy: CLLocationDirectionAccuracy { fields.courseAccuracy }
  /// The speed over ground in meters per second; negative: unknown.
  open var speed: CLLocationSpeed { fields.speed }
  /// One standard deviation of the speed in meters per second; negative: unknown.
  open var speedAccuracy: CLLocationSpeedAccuracy { fields.speedAccuracy }
  /// The time of the measurement.
  open var timestamp: Date { fields.timestamp }
  /// The floor of the building; nil when unknown, and receivers never report a floor.
  open var floor: CLFloor? { fields.floor }
  /// The source of the location; nil when unknown.
  open var sourceInformation: CLLocationSourceInformation? { fields.sourceInformation }

  /// The distance to another location in meters along the surface of the WGS 84 ellipsoid.
  ///
  /// The altitudes are ignored. NaN if a coordinate is invalid.
  open func distance(from location: CLLocation) -> CLLocationDistance {
    let (here, there) = (coordinate, location.coordinate)
    return Geodesic.inverse(
      from: GeographicPoint(latitude: there.latitude, longitude: there.longitude),
      to: GeographicPoint(latitude: here.latitude, longitude: here.longitude)
    ).distanceMeters
  }

  /// The location as human-readable text.
  ///
  /// Example: `<+37.33240900,-122.03051200> +/- 5.00m (speed -1.00 mps / course -1.00) @ 7/29/20, 8:12:18 PM
  /// India Standard Time`.
  ///
  /// The text depends on the current locale and time zone, so do not parse it.
  open override var description: String {
    let date = DateFormatter()
    date.dateStyle = .short
    date.timeStyle = .full
    let numbers = String(
      format: "<%+.8f,%+.8f> +/- %.2fm (speed %.2f mps / course %.2f)",
      coordinate.latitude, coordinate.longitude, horizontalAccuracy, speed, course)
    return numbers + " @ " + date.string(from: timestamp)
  }

  // MARK: Making

  /// A location at latitude 0 and longitude 0, now.
  public override init() {
    fields = Fields()
    super.init()
  }

  /// A location with a horizontal accuracy of 0, now; altitude, speed and course are unknown.
  public init(latitude: CLLocationDegrees, longitude: CLLocationDegrees) {
    fields = Fields(
      coordinate: CLLocationCoordinate2D(latitude: latitude, longitude: longitude))
    super.init()
  }

  /// A location whose speed and course are unknown.
  public init(
    coordinate: CLLocationCoordinate2D, altitude: CLLocationDistance,
    horizontalAccuracy hAccuracy: CLLocationAccuracy,
    verticalAccuracy vAccuracy: CLLocationAccuracy, timestamp: Date
  ) {
    fields = Fields(
      coordinate: coordinate, altitude: altitude, horizontalAccuracy: hAccuracy,
      verticalAccuracy: vAccuracy, timestamp: timestamp)
    super.init()
  }

  /// A location with speed and course; their accuracies are unknown.
  public init(
    coordinate: CLLocationCoordinate2D, altitude: CLLocationDistance,
    horizontalAccuracy hAccuracy: CLLocationAccuracy,
    verticalAccuracy vAccuracy: CLLocationAccuracy, course: CLLocationDirection,
    speed: CLLocationSpeed, timestamp: Date
  ) {
    fields = Fields(
      coordinate: coordinate, altitude: altitude, horizontalAccuracy: hAccuracy,
      verticalAccuracy: vAccuracy, course: course, speed: speed, timestamp: timestamp)
    super.init()
  }

  /// A location with speed, course and their accuracies.
  public init(
    coordinate: CLLocationCoordinate2D, altitude: CLLocationDistance,
    horizontalAccuracy hAccuracy: CLLocationAccuracy,
    verticalAccuracy vAccuracy: CLLocationAccuracy, course: CLLocationDirection,
    courseAccuracy: CLLocationDirectionAccuracy, speed: CLLocationSpeed,
    speedAccuracy: CLLocationSpeedAccuracy, timestamp: Date
  ) {
    fields = Fields(
      coordinate: coordinate, altitude: altitude, horizontalAccuracy: hAccuracy,
      verticalAccuracy: vAccuracy, course: course, courseAccuracy: courseAccuracy, speed: speed,
      speedAccuracy: speedAccuracy, timestamp: timestamp)
    super.init()
  }

  /// A location with all values, including its source.
  public init(
    coordinate: CLLocationCoordinate2D, altitude: CLLocationDistance,
    horizontalAccuracy hAccuracy: CLLocationAccuracy,
    verticalAccuracy vAccuracy: CLLocationAccuracy, course: CLLocationDirection,
    courseAccuracy: CLLocationDirectionAccuracy, speed: CLLocationSpeed,
    speedAccuracy: CLLocationSpeedAccuracy, timestamp: Date,
    sourceInfo: CLLocationSourceInformation
  ) {
    fields = Fields(
      coordinate: coordinate, altitude: altitude, horizontalAccuracy: hAccuracy,
      verticalAccuracy: vAccuracy, course: course, courseAccuracy: courseAccuracy, speed: speed,
      speedAccuracy: speedAccuracy, timestamp: timestamp, sourceInformation: sourceInfo)
    super.init()
  }

  /// The location that the daemon delivered.
  init(_ fix: Fix) {
    fields = Fields(
      coordinate: CLLocationCoordinate2D(latitude: fix.latitude, longitude: fix.longitude),
      altitude: fix.altitude, ellipsoidalAltitude: fix.ellipsoidalAltitude,
      horizontalAccuracy: fix.horizontalAccuracy, verticalAccuracy: fix.verticalAccuracy,
      course: fix.course, courseAccuracy: fix.courseAccuracy, speed: fix.speed,
      speedAccuracy: fix.speedAccuracy,
      timestamp: Date(timeIntervalSince1970: fix.time.timeIntervalSince1970),
      sourceInformation: CLLocationSourceInformation(
        softwareSimulationState: fix.isSimulatedBySoftware, andExternalAccessoryState: false))
    super.init()
  }

  /// The location itself, because a location is immutable.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  // MARK: Archiving

  /// Whether decoding checks the classes of decoded objects.
  open class var supportsSecureCoding: Bool { true }

  /// Reads a location from an archive of this class; nil when the archive has none.
  ///
  /// Archives of Apple's class cannot be read, because their keys are private.
  public required init?(coder: NSCoder) {
    guard Key.numbers.allSatisfy({ coder.containsValue(forKey: $0) }) else { return nil }
    fields = Fields(
      coordinate: CLLocationCoordinate2D(
        latitude: coder.decodeDouble(forKey: Key.latitude),
        longitude: coder.decodeDouble(forKey: Key.longitude)),
      altitude: coder.decodeDouble(forKey: Key.altitude),
      ellipsoidalAltitude: coder.decodeDouble(forKey: Key.ellipsoidalAltitude),
      horizontalAccuracy: coder.decodeDouble(forKey: Key.horizontalAccuracy),
      verticalAccuracy: coder.decodeDouble(forKey: Key.verticalAccuracy),
      course: coder.decodeDouble(forKey: Key.course),
      courseAccuracy: coder.decodeDouble(forKey: Key.courseAccuracy),
      speed: coder.decodeDouble(forKey: Key.speed),
      speedAccuracy: coder.decodeDouble(forKey: Key.speedAccuracy),
      timestamp: Date(
        timeIntervalSinceReferenceDate: coder.decodeDouble(forKey: Key.timestamp)),
      floor: coder.decodeObject(of: CLFloor.self, forKey: Key.floor),
      sourceInformation: coder.decodeObject(
        of: CLLocationSourceInformation.self, forKey: Key.sourceInformation))
    super.init()
  }

  /// Writes the location to an archive.
  open func encode(with coder: NSCoder) {
    coder.encode(fields.coordinate.latitude, forKey: Key.latitude)
    coder.encode(fields.coordinate.longitude, forKey: Key.longitude)
    coder.encode(fields.altitude, forKey: Key.altitude)
    coder.encode(fields.ellipsoidalAltitude, forKey: Key.ellipsoidalAltitude)
    coder.encode(fields.horizontalAccuracy, forKey: Key.horizontalAccuracy)
    coder.encode(fields.verticalAccuracy, forKey: Key.verticalAccuracy)
    coder.encode(fields.course, forKey: Key.course)
    coder.encode(fields.courseAccuracy, forKey: Key.courseAccuracy)
    coder.encode(fields.speed, forKey: Key.speed)
    coder.encode(fields.speedAccuracy, forKey: Key.speedAccuracy)
    coder.encode(fields.timestamp.timeIntervalSinceReferenceDate, forKey: Key.timestamp)
    coder.encode(fields.floor, forKey: Key.floor)
    coder.encode(fields.sourceInformation, forKey: Key.sourceInformation)
  }

  /// The keys of an archive.
  private enum Key {
    static let latitude = "latitude"
    static let longitude = "longitude"
    static let altitude = "altitude"
    static let ellipsoidalAltitude = "ellipsoidalAltitude"
    static let horizontalAccuracy = "horizontalAccuracy"
    static let verticalAccuracy = "verticalAccuracy"
    static let course = "course"
    static let courseAccuracy = "courseAccuracy"
    static let speed = "speed"
    static let speedAccuracy = "speedAccuracy"
    static let timestamp = "timestamp"
    static let floor = "floor"
    static let sourceInformation = "sourceInformation"

    static let numbers = [
      latitude, longitude, altitude, ellipsoidalAltitude, horizontalAccuracy, verticalAccuracy,
      course, courseAccuracy, speed, speedAccuracy, timestamp,
    ]
  }
}
