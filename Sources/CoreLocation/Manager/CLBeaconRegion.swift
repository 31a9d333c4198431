public import Foundation

/// The identity of beacons; no board ranges beacons today.
open class CLBeaconIdentityConstraint: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  private let storedUUID: UUID
  private let storedMajor: CLBeaconMajorValue?
  private let storedMinor: CLBeaconMinorValue?

  /// All beacons of a UUID.
  public init(uuid: UUID) {
    (storedUUID, storedMajor, storedMinor) = (uuid, nil, nil)
    super.init()
  }

  /// The beacons of a UUID and an upper half.
  public init(uuid: UUID, major: CLBeaconMajorValue) {
    (storedUUID, storedMajor, storedMinor) = (uuid, major, nil)
    super.init()
  }

  /// One beacon.
  public init(uuid: UUID, major: CLBeaconMajorValue, minor: CLBeaconMinorValue) {
    (storedUUID, storedMajor, storedMinor) = (uuid, major, minor)
    super.init()
  }

  /// The UUID of the beacons.
  open var uuid: UUID { storedUUID }
  /// The upper half of the identity; nil: any.
  public var major: CLBeaconMajorValue? { storedMajor }
  /// The lower half of the identity; nil: any.
  public var minor: CLBeaconMinorValue? { storedMinor }

  /// The identity itself, because it is immutable.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// Whether another identity has the same UUID and halves.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? CLBeaconIdentityConstraint else { return false }
    return (storedUUID, storedMajor, storedMinor)
      == (other.storedUUID, other.storedMajor, other.storedMinor)
  }

  /// Equal for equal identities.
  open override var hash: Int {
    var hasher = Hasher()
    hasher.combine(storedUUID)
    hasher.combine(storedMajor)
    hasher.combine(storedMinor)
    return hasher.finalize()
  }

  // MARK: Archiving

  /// Whether decoding checks the classes of decoded objects.
  open class var supportsSecureCoding: Bool { true }

  /// Reads an identity from an archive of this class; nil when the archive has none.
  public required init?(coder: NSCoder) {
    guard coder.containsValue(forKey: "uuid"),
      let text = coder.decodeObject(of: NSString.self, forKey: "uuid"),
      let uuid = UUID(uuidString: "\(text)")
    else { return nil }
    storedUUID = uuid
    storedMajor = CLBeaconIdentityConstraint.half("major", of: coder)
    storedMinor = CLBeaconIdentityConstraint.half("minor", of: coder)
    super.init()
  }

  /// Writes the identity to an archive.
  open func encode(with coder: NSCoder) {
    coder.encode(NSString(string: storedUUID.uuidString), forKey: "uuid")
    if let storedMajor { coder.encode(Int(storedMajor), forKey: "major") }
    if let storedMinor { coder.encode(Int(storedMinor), forKey: "minor") }
  }

  private static func half(_ key: String, of coder: NSCoder) -> UInt16? {
    coder.containsValue(forKey: key) ? UInt16(exactly: coder.decodeInteger(forKey: key)) : nil
  }
}

/// The surroundings of beacons.
open class CLBeaconRegion: CLRegion, @unchecked Sendable {
  private let constraint: CLBeaconIdentityConstraint
  /// Whether the state is reported when the display is switched on; a board has no display.
  open var notifyEntryStateOnDisplay = false

  /// The surroundings of the beacons of a UUID.
  public init(uuid: UUID, identifier: String) {
    constraint = CLBeaconIdentityConstraint(uuid: uuid)
    super.init(identifier: identifier)
  }

  /// The surroundings of the beacons of a UUID and an upper half.
  public init(uuid: UUID, major: CLBeaconMajorValue, identifier: String) {
    constraint = CLBeaconIdentityConstraint(uuid: uuid, major: major)
    super.init(identifier: identifier)
  }

  /// The surroundings of one beacon.
  public init(
    uuid: UUID, major: CLBeaconMajorValue, minor: CLBeaconMinorValue, identifier: String
  ) {
    constraint = CLBeaconIdentityConstraint(uuid: uuid, major: major, minor: minor)
    super.init(identifier: identifier)
  }

  /// The former name of `init(uuid:identifier:)`.
  @available(*, deprecated, renamed: "init(uuid:identifier:)")
  public convenience init(proximityUUID: UUID, identifier: String) {
    self.init(uuid: proximityUUID, identifier: identifier)
  }

  /// The former name of `init(uuid:major:identifier:)`.
  @available(*, deprecated, renamed: "init(uuid:major:identifier:)")
  public convenience init(proximityUUID: UUID, major: CLBeaconMajorValue, identifier: String) {
    self.init(uuid: proximityUUID, major: major, identifier: identifier)
  }

  /// The former name of `init(uuid:major:minor:identifier:)`.
  @available(*, deprecated, renamed: "init(uuid:major:minor:identifier:)")
  public convenience init(
    proximityUUID: UUID, major: CLBeaconMajorValue, minor: CLBeaconMinorValue, identifier: String
  ) {
    self.init(uuid: proximityUUID, major: major, minor: minor, identifier: identifier)
  }

  /// The surroundings of the beacons with an identity.
  public init(beaconIdentityConstraint: CLBeaconIdentityConstraint, identifier: String) {
    constraint = beaconIdentityConstraint
    super.init(identifier: identifier)
  }

  /// Reads a region from an archive of this class; nil when the archive has none.
  public required init?(coder: NSCoder) {
    guard coder.containsValue(forKey: "constraint"),
      let decoded = coder.decodeObject(of: CLBeaconIdentityConstraint.self, forKey: "constraint")
    else { return nil }
    constraint = decoded
    notifyEntryStateOnDisplay = coder.decodeBool(forKey: "notifyEntryStateOnDisplay")
    super.init(coder: coder)
  }

  /// Writes the region to an archive.
  open override func encode(with coder: NSCoder) {
    super.encode(with: coder)
    coder.encode(constraint, forKey: "constraint")
    coder.encode(notifyEntryStateOnDisplay, forKey: "notifyEntryStateOnDisplay")
  }

  /// A region of its own with the same values; an object of an app's subclass is returned itself.
  open override func copy(with zone: NSZone? = nil) -> Any {
    guard type(of: self) == CLBeaconRegion.self else { return self }
    let copy = CLBeaconRegion(beaconIdentityConstraint: constraint, identifier: identifier)
    copy.takeNotifications(of: self)
    copy.notifyEntryStateOnDisplay = notifyEntryStateOnDisplay
    return copy
  }

  /// The identity of the beacons.
  open var beaconIdentityConstraint: CLBeaconIdentityConstraint { constraint }
  /// The UUID of the beacons.
  open var uuid: UUID { constraint.uuid }
  /// The former name of ``uuid``.
  @available(*, deprecated, renamed: "uuid")
  open var proximityUUID: UUID { uuid }
  /// The upper half of the identity.
  open var major: NSNumber? { constraint.major.map { NSNumber(value: $0) } }
  /// The lower half of the identity.
  open var minor: NSNumber? { constraint.minor.map { NSNumber(value: $0) } }
}
