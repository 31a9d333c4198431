public import Foundation

/// An area or a place that apps name by an identifier; monitoring of regions is not available yet.
open class CLRegion: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  private let storedIdentifier: String
  /// Whether entering the region is reported.
  open var notifyOnEntry = true
  /// Whether leaving the region is reported.
  open var notifyOnExit = true

  /// A region without a name and without a place, for a subclass that has both.
  public override init() {
    storedIdentifier = ""
    super.init()
  }

  init(identifier: String) {
    storedIdentifier = identifier
    super.init()
  }

  /// The name that the app has given to the region.
  open var identifier: String { storedIdentifier }

  /// A region of its own with the same values.
  ///
  /// An object of an app's subclass is returned itself: the subclass has values of its own, and overrides this method to copy
  /// them.
  open func copy(with zone: NSZone? = nil) -> Any {
    guard type(of: self) == CLRegion.self else { return self }
    let copy = CLRegion(identifier: storedIdentifier)
    copy.takeNotifications(of: self)
    return copy
  }

  /// Takes the settings of another region.
  final func takeNotifications(of region: CLRegion) {
    notifyOnEntry = region.notifyOnEntry
    notifyOnExit = region.notifyOnExit
  }

  // MARK: Archiving

  /// Whether decoding checks the classes of decoded objects.
  open class var supportsSecureCoding: Bool { true }

  /// Reads a region from an archive of this class; nil when the archive has none.
  public required init?(coder: NSCoder) {
    // Decoding an object that is missing may end the process.
    guard coder.containsValue(forKey: "identifier"),
      let identifier = coder.decodeObject(of: NSString.self, forKey: "identifier")
    else { return nil }
    storedIdentifier = "\(identifier)"
    notifyOnEntry = coder.decodeBool(forKey: "notifyOnEntry")
    notifyOnExit = coder.decodeBool(forKey: "notifyOnExit")
    super.init()
  }

  /// Writes the region to an archive.
  open func encode(with coder: NSCoder) {
    coder.encode(NSString(string: storedIdentifier), forKey: "identifier")
    coder.encode(notifyOnEntry, forKey: "notifyOnEntry")
    coder.encode(notifyOnExit, forKey: "notifyOnExit")
  }
}

/// A circle on the ground.
open class CLCircularRegion: CLRegion, @unchecked Sendable {
  private let storedCenter: CLLocationCoordinate2D
  private let storedRadius: CLLocationDistance

  /// Makes a circle.
  ///
  /// - Parameters:
  ///   - center: its center.
  ///   - radius: its radius in meters.
  ///   - identifier: the app's name of the region.
  public init(center: CLLocationCoordinate2D, radius: CLLocationDistance, identifier: String) {
    storedCenter = center
    storedRadius = radius
    super.init(identifier: identifier)
  }

  /// Reads a circle from an archive of this class; nil when the archive has none.
  public required init?(coder: NSCoder) {
    guard ["latitude", "longitude", "radius"].allSatisfy({ coder.containsValue(forKey: $0) }) else {
      return nil
    }
    storedCenter = CLLocationCoordinate2D(
      latitude: coder.decodeDouble(forKey: "latitude"),
      longitude: coder.decodeDouble(forKey: "longitude"))
    storedRadius = coder.decodeDouble(forKey: "radius")
    super.init(coder: coder)
  }

  /// Writes the circle to an archive.
  open override func encode(with coder: NSCoder) {
    super.encode(with: coder)
    coder.encode(storedCenter.latitude, forKey: "latitude")
    coder.encode(storedCenter.longitude, forKey: "longitude")
    coder.encode(storedRadius, forKey: "radius")
  }

  /// A circle of its own with the same values; an object of an app's subclass is returned itself.
  open override func copy(with zone: NSZone? = nil) -> Any {
    guard type(of: self) == CLCircularRegion.self else { return self }
    let copy = CLCircularRegion(
      center: storedCenter, radius: storedRadius, identifier: identifier)
    copy.takeNotifications(of: self)
    return copy
  }

  /// The center.
  open var center: CLLocationCoordinate2D { storedCenter }
  /// The radius in meters.
  open var radius: CLLocationDistance { storedRadius }

  /// Whether a coordinate lies in the circle.
  open func contains(_ coordinate: CLLocationCoordinate2D) -> Bool {
    let here = CLLocation(latitude: coordinate.latitude, longitude: coordinate.longitude)
    let middle = CLLocation(latitude: center.latitude, longitude: center.longitude)
    return here.distance(from: middle) <= radius
  }
}
