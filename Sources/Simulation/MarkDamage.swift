import BinnacleBasics

/// Damage to the mark of a log.
enum MarkDamage: CaseIterable, Equatable, Sendable {
  case nothing
  case firstPage
  case secondPage
  case bothPages
  /// The mark is missing, which equals zeros.
  case removed

  /// Whether no page of the mark is readable.
  var losesMark: Bool { self == .bothPages || self == .removed }

  /// Draws a kind of damage; four of ten marks are damaged.
  static func drawn(using random: inout Random) -> MarkDamage {
    guard random.chance(0.4) else { return .nothing }
    let kinds = allCases.dropFirst()
    return kinds[Int.random(in: kinds.indices, using: &random)]
  }

  /// The bytes of a mark after the damage.
  func applied(to bytes: [UInt8], using random: inout Random) -> [UInt8] {
    let half = bytes.count / 2
    let range: Range<Int>
    switch self {
    case .nothing: return bytes
    case .removed: return [UInt8](repeating: 0, count: bytes.count)
    case .firstPage: range = 0..<half
    case .secondPage: range = half..<bytes.count
    case .bothPages: range = 0..<bytes.count
    }
    let kind = Int.random(in: 0..<3, using: &random)
    var damaged = bytes
    for index in range {
      damaged[index] = kind == 0 ? 0 : kind == 1 ? 0xFF : UInt8(truncatingIfNeeded: random.next())
    }
    return damaged
  }
}
