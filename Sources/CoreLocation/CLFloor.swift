public import Foundation

/// A floor of a building.
///
/// It never changes after it was made, which is why it may be shared between threads.
open class CLFloor: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  private let storedLevel: Int

  /// The floor's number; 0 is the ground floor, basements are negative.
  ///
  /// It is no altitude.
  open var level: Int { storedLevel }

  init(level: Int) {
    storedLevel = level
    super.init()
  }

  /// Whether decoding checks the classes that it meets.
  open class var supportsSecureCoding: Bool { true }

  /// Reads a floor from an archive; nil when the archive holds none.
  public required init?(coder: NSCoder) {
    guard coder.containsValue(forKey: "level") else { return nil }
    storedLevel = coder.decodeInteger(forKey: "level")
    super.init()
  }

  /// Writes the floor to an archive.
  open func encode(with coder: NSCoder) {
    coder.encode(storedLevel, forKey: "level")
  }

  /// The floor itself: it never changes.
  open func copy(with zone: NSZone? = nil) -> Any { self }
}
