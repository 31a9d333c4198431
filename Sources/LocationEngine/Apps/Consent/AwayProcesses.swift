import BinnacleBasics
import BinnacleModel

/// The processes of the app that a person has sent to the background last, until the app is in the foreground again.
///
/// A process with a terminal brings its app to the foreground when it connects and no app is there. A process that was sent away and only
/// connects again, for example after a restart of the daemon, must not do so: the person has not asked for it.
///
/// The value of the record: the number of the boot in 36 bytes of text, `u8` number of processes, each process `i32`, then the app as text.
struct AwayProcesses: Equatable, Codable, Sendable {
  let app: AppID
  let processIDs: [Int32]

  /// Further processes of an app are not remembered.
  static let countMax = 16
  private static let bootSize = 36

  /// - Returns: nil for no process.
  init?(app: AppID, processIDs: some Sequence<Int32>) {
    let ids = Array(Set(processIDs).sorted().prefix(AwayProcesses.countMax))
    guard !ids.isEmpty else { return nil }
    (self.app, self.processIDs) = (app, ids)
  }

  /// Reads the value of a record.
  ///
  /// - Returns: nil for other bytes, and for processes of another boot.
  init?(bytes: [UInt8], bootID: String) {
    var reader = ByteReader(Array(bytes.dropFirst(AwayProcesses.bootSize)))
    guard bootID.utf8.count == AwayProcesses.bootSize, bytes.starts(with: bootID.utf8),
      let count = reader.u8()
    else { return nil }
    var ids: [Int32] = []
    for _ in 0..<count {
      guard let id = reader.i32() else { return nil }
      ids.append(id)
    }
    guard let app = AppID(recordKey: Array(bytes.suffix(reader.remaining))) else { return nil }
    self.init(app: app, processIDs: ids)
  }

  /// The value of the record; nil without the number of the boot.
  func bytes(bootID: String) -> [UInt8]? {
    guard bootID.utf8.count == AwayProcesses.bootSize, let key = app.recordKey else { return nil }
    var writer = ByteWriter()
    writer.u8(UInt8(processIDs.count))
    for id in processIDs { writer.i32(id) }
    return Array(bootID.utf8) + writer.bytes + key
  }

  /// The text of a record for a person; nil for other bytes.
  static func text(of value: [UInt8]) -> String? {
    let boot = String(decoding: value.prefix(bootSize), as: UTF8.self)
    return AwayProcesses(bytes: value, bootID: boot).map { processes in
      "\(processes.app), processes \(processes.processIDs.map { "\($0)" }.joined(separator: ", "))"
    }
  }

  /// Whether a peer is one of the processes.
  func contains(_ peer: Peer) -> Bool { peer.app == app && processIDs.contains(peer.processID) }
}
