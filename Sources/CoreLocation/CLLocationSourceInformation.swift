public import Foundation

/// The source of a location.
///
/// The object is immutable, so threads may share it.
open class CLLocationSourceInformation: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  private let isSoftware: Bool
  private let isAccessory: Bool

  /// Whether software produced the location, such as a simulated receiver or a replayed recording.
  open var isSimulatedBySoftware: Bool { isSoftware }

  /// Whether an external accessory measured the location; the board's own receiver is not an accessory.
  open var isProducedByAccessory: Bool { isAccessory }

  /// Describes a source.
  public init(
    softwareSimulationState isSoftware: Bool, andExternalAccessoryState isAccessory: Bool
  ) {
    self.isSoftware = isSoftware
    self.isAccessory = isAccessory
    super.init()
  }

  /// Whether decoding checks the classes of decoded objects.
  open class var supportsSecureCoding: Bool { true }

  /// Reads a description from an archive; nil when the archive has none.
  public required init?(coder: NSCoder) {
    guard coder.containsValue(forKey: "software"), coder.containsValue(forKey: "accessory") else {
      return nil
    }
    isSoftware = coder.decodeBool(forKey: "software")
    isAccessory = coder.decodeBool(forKey: "accessory")
    super.init()
  }

  /// Writes the description to an archive.
  open func encode(with coder: NSCoder) {
    coder.encode(isSoftware, forKey: "software")
    coder.encode(isAccessory, forKey: "accessory")
  }

  /// The description itself, because it is immutable.
  open func copy(with zone: NSZone? = nil) -> Any { self }
}
