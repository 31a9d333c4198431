import BinnacleBasics
import BinnacleModel

/// The processes with a terminal of apps that a person has left in the background, until their app is in the foreground again.
///
/// A process with a terminal brings its app to the foreground when it connects while the foreground is empty. A process of this list
/// leaves its app in the background when it connects again, for example after a restart of the daemon.
///
/// The value of the record: `u8` version, 2; the number of the boot in 36 bytes of text; then for each process `i32` number, `u8` length and
/// text of its app. Version 1 has no byte for the version: the number of the boot, `u8` number of processes, each process `i32`, then the text of one app.
struct AwayProcesses: Equatable, Codable, Sendable {
  struct Entry: Equatable, Codable, Sendable {
    let app: AppID
    let processID: Int32
    /// When the process has disconnected, which is not in the record; nil while the process is connected.
    var leftAt: Instant?

    fileprivate func isSameProcess(as other: Entry) -> Bool {
      app == other.app && processID == other.processID
    }
  }

  private(set) var entries: [Entry]

  /// Further processes are not remembered.
  static let countMax = 16
  private static let bootSize = 36
  private static let version: UInt8 = 2

  init(_ entries: [Entry] = []) {
    self.entries = Array(entries.prefix(AwayProcesses.countMax))
  }

  /// Whether a peer is one of the processes.
  func contains(_ peer: Peer) -> Bool { index(of: peer) != nil }

  func hasSameProcesses(as other: AwayProcesses) -> Bool {
    entries.elementsEqual(other.entries) { $0.isSameProcess(as: $1) }
  }

  // MARK: Inputs

  /// A person has changed the foreground.
  ///
  /// - Parameters:
  ///   - before: the app that was in the foreground; its processes come first.
  ///   - front: the app in the foreground now.
  ///   - peers: the connected peers.
  ///   - window: `RejoinWindow`. A process that has been disconnected for longer is gone.
  ///   - now: the instant.
  mutating func foregroundChanged(
    from before: AppID?, to front: AppID?, peers: [Peer], window: Interval, at now: Instant
  ) {
    let connected = peers.filter { $0.hasTerminal && $0.app.hasManifest && $0.app != front }
    let ordered =
      connected.filter { $0.app == before } + connected.filter { $0.app != before }
    let absent = entries.filter { entry in
      guard let leftAt = entry.leftAt, entry.app != front else { return false }
      return now - leftAt < window
    }
    var next: [Entry] = []
    for entry in ordered.map({ Entry(app: $0.app, processID: $0.processID) }) + absent
    where !next.contains(where: { $0.isSameProcess(as: entry) }) {
      next.append(entry)
    }
    self = AwayProcesses(next)
  }

  /// An app has come to the foreground.
  mutating func cameToFront(_ app: AppID) { entries.removeAll { $0.app == app } }

  mutating func connected(_ peer: Peer) {
    if let index = index(of: peer) { entries[index].leftAt = nil }
  }

  /// The last connection of a process has ended.
  mutating func disconnected(_ peer: Peer, at now: Instant) {
    if let index = index(of: peer) { entries[index].leftAt = now }
  }

  /// The daemon has started, so no process is connected.
  mutating func daemonStarted(at now: Instant) {
    for index in entries.indices { entries[index].leftAt = now }
  }

  private func index(of peer: Peer) -> Int? {
    entries.firstIndex { $0.app == peer.app && $0.processID == peer.processID }
  }
}

// MARK: - The record

extension AwayProcesses {
  /// Reads the value of a record.
  ///
  /// - Returns: nil for other bytes, and for processes of another boot.
  init?(bytes: [UInt8], bootID: String) {
    let boot = Array(bootID.utf8)
    guard boot.count == AwayProcesses.bootSize else { return nil }
    var read: [Entry]?
    if bytes.starts(with: boot) {
      read = AwayProcesses.entriesOfOneApp(bytes.dropFirst(boot.count))
    } else if bytes.starts(with: [AwayProcesses.version] + boot) {
      read = AwayProcesses.entries(bytes.dropFirst(boot.count + 1))
    }
    guard let read, !read.isEmpty else { return nil }
    self.init(read)
  }

  private static func entries(_ bytes: ArraySlice<UInt8>) -> [Entry]? {
    var reader = ByteReader(bytes)
    var entries: [Entry] = []
    while reader.remaining > 0 {
      guard let id = reader.i32(), let size = reader.u8(), let key = reader.take(Int(size)),
        let app = AppID(recordKey: key)
      else { return nil }
      entries.append(Entry(app: app, processID: id))
    }
    return entries
  }

  /// Reads the rest of a value of version 1.
  private static func entriesOfOneApp(_ bytes: ArraySlice<UInt8>) -> [Entry]? {
    var reader = ByteReader(bytes)
    guard let count = reader.u8() else { return nil }
    var ids: [Int32] = []
    for _ in 0..<count {
      guard let id = reader.i32() else { return nil }
      ids.append(id)
    }
    guard let app = AppID(recordKey: Array(bytes.suffix(reader.remaining))) else { return nil }
    return ids.map { Entry(app: app, processID: $0) }
  }

  /// The value of the record; nil without a process, and without the number of the boot.
  func bytes(bootID: String) -> [UInt8]? {
    guard bootID.utf8.count == AwayProcesses.bootSize else { return nil }
    var writer = ByteWriter()
    for entry in entries {
      guard let key = entry.app.recordKey, let size = UInt8(exactly: key.count) else { continue }
      writer.i32(entry.processID)
      writer.u8(size)
      writer.put(key)
    }
    if writer.count == 0 { return nil }
    return [AwayProcesses.version] + Array(bootID.utf8) + writer.bytes
  }

  /// The text of a record for a person; nil for other bytes.
  static func text(of value: [UInt8]) -> String? {
    let boot = value.dropFirst(value.first == version ? 1 : 0).prefix(bootSize)
    guard let read = AwayProcesses(bytes: value, bootID: String(decoding: boot, as: UTF8.self))
    else { return nil }
    var apps: [AppID] = []
    for entry in read.entries where !apps.contains(entry.app) { apps.append(entry.app) }
    let texts = apps.map { app -> String in
      let ids = read.entries.filter { $0.app == app }.map { "\($0.processID)" }
      return "\(app), processes \(ids.joined(separator: ", "))"
    }
    return texts.joined(separator: "; ")
  }
}
