public import Foundation

/// A floor of a building.
///
/// A floor is immutable, so threads may share it.
open class CLFloor: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  private let storedLevel: Int

  /// The floor's number; 0 is the ground floor, basements are negative.
  ///
  /// The number is not an altitude.
  open var level: Int { storedLevel }

  /// The ground floor; a subclass may have another level.
  public override init() {
    storedLevel = 0
    super.init()
  }

  /// Whether decoding checks the classes of decoded objects.
  open class var supportsSecureCoding: Bool { true }

  /// Reads a floor from an archive; nil when the archive has none.
  public required init?(coder: NSCoder) {
    guard coder.containsValue(forKey: "level") else { return nil }
    storedLevel = coder.decodeInteger(forKey: "level")
    super.init()
  }

  /// Writes the floor to an archive.
  open func encode(with coder: NSCoder) {
    coder.encode(storedLevel, forKey: "level")
  }

  /// The floor itself, because a floor is immutable.
  open func copy(with zone: NSZone? = nil) -> Any { self }
}
