import BinnacleBasics

/// The value of a record of sessions: the sessions that an app has begun and not ended.
///
/// `u8` version, 1 or 2; `u8` sessions, with the bit of each ``SessionRole``; in version 2 `u8` the sessions of scripts among them,
/// at least one (``HeldSession/isOfScript``). Records without a session of a script have version 1, which older programs read, too. Additions
/// by later programs get a higher version.
struct SessionsRecord: Equatable, Codable, Sendable {
  private var bits: UInt8 = 0
  private var scriptBits: UInt8 = 0

  private static let version: UInt8 = 1
  private static let scriptVersion: UInt8 = 2

  init() {}

  /// - Returns: nil if the bytes are not a record of a known version.
  init?(bytes: [UInt8]) {
    let isOfScripts = bytes.first == SessionsRecord.scriptVersion
    guard isOfScripts ? bytes.count == 3 : bytes.count == 2 && bytes[0] == SessionsRecord.version
    else { return nil }
    let roles = SessionRole.allCases.filter(\.isRejoined)
    let known = roles.reduce(UInt8(0)) { $0 | UInt8(1) << $1.rawValue }
    guard bytes[1] != 0, bytes[1] & ~known == 0 else { return nil }
    bits = bytes[1]
    guard isOfScripts else { return }
    guard bytes[2] != 0, bytes[2] & ~bits == 0 else { return nil }
    scriptBits = bytes[2]
  }

  /// The value; nil without a session, because there is no record then.
  var bytes: [UInt8]? {
    if bits == 0 { return nil }
    return scriptBits == 0
      ? [SessionsRecord.version, bits] : [SessionsRecord.scriptVersion, bits, scriptBits]
  }

  func contains(_ role: SessionRole) -> Bool { bits & 1 << role.rawValue != 0 }

  /// Whether a session is of a script that the launcher has not started.
  func isOfScript(_ role: SessionRole) -> Bool { scriptBits & 1 << role.rawValue != 0 }

  /// Whether the record contains each session of another record, each as long after a power cut.
  ///
  /// A session of a script lapses soon after a power cut, and each other session waits for its app.
  func covers(_ other: SessionsRecord) -> Bool {
    other.bits & ~bits == 0 && other.bits & scriptBits & ~other.scriptBits == 0
  }

  mutating func insert(_ role: SessionRole, isOfScript: Bool = false) {
    bits |= 1 << role.rawValue
    if isOfScript { scriptBits |= 1 << role.rawValue }
  }

  /// The text for `binnacle state`.
  var text: String {
    SessionRole.allCases.filter(contains)
      .map { role in isOfScript(role) ? "\(role.inWords) of a script" : role.inWords }
      .joined(separator: ", ")
  }
}
