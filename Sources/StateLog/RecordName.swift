/// The name of a record: its type number, and a key that distinguishes records of one type.
public struct RecordName: Hashable, Comparable, Codable, Sendable {
  public static let keySizeMax = 255

  /// The number of the type; the log does not interpret the number.
  public let kind: UInt16
  public let key: [UInt8]

  /// - Returns: nil if the key is longer than ``keySizeMax``.
  public init?(kind: UInt16, key: [UInt8]) {
    guard key.count <= RecordName.keySizeMax else { return nil }
    self.kind = kind
    self.key = key
  }

  /// The name of the only record of its type.
  public init(kind: UInt16) {
    self.kind = kind
    key = []
  }

  public static func < (left: RecordName, right: RecordName) -> Bool {
    left.kind == right.kind
      ? left.key.lexicographicallyPrecedes(right.key) : left.kind < right.kind
  }
}
