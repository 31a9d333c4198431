import BinnacleBasics
import BinnacleModel

/// The value of a record of sessions that end with their process: they go on when the same process connects to the next daemon.
///
/// `u8` version, 1; the number of the boot in 36 bytes of text; then for each session and process `u8` ``SessionRole`` and `i32` number of the process.
/// The numbers of processes have a meaning in their boot only.
struct ProcessSessionsRecord: Equatable, Codable, Sendable {
  struct Entry: Equatable, Codable, Sendable {
    let role: SessionRole
    let processID: Int32
  }

  private(set) var entries: [Entry] = []

  private static let version: UInt8 = 1
  private static let bootSize = 36
  /// Further processes are not remembered.
  static let countMax = 16

  init() {}

  /// Reads the value of a record.
  ///
  /// - Returns: nil for other bytes, and for processes of another boot.
  init?(bytes: [UInt8], bootID: String) {
    let boot = Array(bootID.utf8)
    guard boot.count == ProcessSessionsRecord.bootSize,
      bytes.starts(with: [ProcessSessionsRecord.version] + boot)
    else { return nil }
    var reader = ByteReader(bytes.dropFirst(1 + boot.count))
    while reader.remaining > 0 {
      guard let role = reader.u8().flatMap(SessionRole.init(rawValue:)), role.isOfProcess,
        let processID = reader.i32(), processID > 0
      else { return nil }
      insert(role, processID: processID)
    }
    guard !entries.isEmpty else { return nil }
  }

  /// The value; nil without a session, and without the number of the boot.
  func bytes(bootID: String) -> [UInt8]? {
    guard !entries.isEmpty, bootID.utf8.count == ProcessSessionsRecord.bootSize else { return nil }
    var writer = ByteWriter()
    for entry in entries {
      writer.u8(entry.role.rawValue)
      writer.i32(entry.processID)
    }
    return [ProcessSessionsRecord.version] + Array(bootID.utf8) + writer.bytes
  }

  mutating func insert(_ role: SessionRole, processID: Int32) {
    let entry = Entry(role: role, processID: processID)
    guard entries.count < ProcessSessionsRecord.countMax, !entries.contains(entry) else { return }
    entries.append(entry)
  }

  /// The processes that hold a session.
  func processes(of role: SessionRole) -> [Int32] {
    entries.filter { $0.role == role }.map(\.processID)
  }

  /// Whether the record contains each session of another record.
  func covers(_ other: ProcessSessionsRecord) -> Bool { other.entries.allSatisfy(entries.contains) }

  /// The text of a record for `binnacle state`; nil for other bytes.
  static func text(of value: [UInt8]) -> String? {
    let boot = String(decoding: value.dropFirst().prefix(bootSize), as: UTF8.self)
    return ProcessSessionsRecord(bytes: value, bootID: boot)?.text
  }

  var text: String {
    entries.map { "\($0.role.inWords) (process \($0.processID))" }.joined(separator: ", ")
  }
}
