public import Foundation

/// What produced a location.
///
/// It never changes after it was made, which is why it may be shared between threads.
open class CLLocationSourceInformation: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  private let isSoftware: Bool
  private let isAccessory: Bool

  /// Whether a program made the location up, such as a simulated receiver or a replayed recording.
  open var isSimulatedBySoftware: Bool { isSoftware }

  /// Whether an external accessory measured the location; a receiver of the board is none.
  open var isProducedByAccessory: Bool { isAccessory }

  /// Describes a source.
  public init(
    softwareSimulationState isSoftware: Bool, andExternalAccessoryState isAccessory: Bool
  ) {
    self.isSoftware = isSoftware
    self.isAccessory = isAccessory
    super.init()
  }

  /// Whether decoding checks the classes that it meets.
  open class var supportsSecureCoding: Bool { true }

  /// Reads a description from an archive; nil when the archive holds none.
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

  /// The description itself: it never changes.
  open func copy(with zone: NSZone? = nil) -> Any { self }
}
