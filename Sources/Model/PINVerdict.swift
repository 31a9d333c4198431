/// The result of the comparison of a PIN with the board's hash.
public enum PINVerdict: UInt8, CaseIterable, Codable, Sendable {
  case right = 0
  case wrong = 1
  /// The board has no PIN.
  case unset = 2
  /// The file of the hash cannot be read, or contains no hash.
  case unreadable = 3
}
