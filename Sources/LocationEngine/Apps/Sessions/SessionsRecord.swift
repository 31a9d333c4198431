import BinnacleBasics

/// The value of a record of sessions: the sessions that an app has begun and not ended.
///
/// `u8` version, 1; `u8` sessions, with the bit of each ``SessionRole``. Additions by later programs get a higher version.
struct SessionsRecord: Equatable, Codable, Sendable {
  private var bits: UInt8 = 0

  private static let version: UInt8 = 1

  init() {}

  /// - Returns: nil if the bytes are not a record of this version.
  init?(bytes: [UInt8]) {
    guard bytes.count == 2, bytes[0] == SessionsRecord.version else { return nil }
    let roles = SessionRole.allCases.filter(\.isRejoined)
    let known = roles.reduce(UInt8(0)) { $0 | UInt8(1) << $1.rawValue }
    guard bytes[1] != 0, bytes[1] & ~known == 0 else { return nil }
    bits = bytes[1]
  }

  /// The value; nil without a session, because there is no record then.
  var bytes: [UInt8]? { bits == 0 ? nil : [SessionsRecord.version, bits] }

  func contains(_ role: SessionRole) -> Bool { bits & 1 << role.rawValue != 0 }

  /// Whether the record contains each session of another record.
  func covers(_ other: SessionsRecord) -> Bool { other.bits & ~bits == 0 }

  mutating func insert(_ role: SessionRole) { bits |= 1 << role.rawValue }

  /// The text for `binnacle state`.
  var text: String {
    SessionRole.allCases.filter(contains).map(\.inWords).joined(separator: ", ")
  }
}
