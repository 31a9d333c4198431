import BinnacleBasics
import BinnaclePosix
import LocationEngine

/// Keeps a damaged or foreign file from the log's path under another name.
extension StateStore {
  /// The number of damaged files to keep; the oldest further ones are deleted.
  static let asideMax = 4

  /// The prefix of the names of damaged files.
  var asidePrefix: String { name + ".damaged-" }

  /// A free name, such as `state.log.damaged-20261121T101500Z`, with a suffix such as `-2` if there are such files.
  ///
  /// The number in the name is higher than all others, because the clock may be wrong.
  func asideName(at utc: UTCTime) -> String {
    let stem = asidePrefix + utc.compactStamp
    guard let last = setAside.last else { return stem }
    return "\(stem)-\(asideNumber(of: last) + 1)"
  }

  /// The names of the damaged files in the order of their creation.
  ///
  /// Files without a number are from an older version, or are the first; the time in their names orders them.
  var setAside: [String] {
    ((try? Files.list(directory)) ?? []).filter { $0.hasPrefix(asidePrefix) }
      .sorted { (asideNumber(of: $0), $0) < (asideNumber(of: $1), $1) }
  }

  private func asideNumber(of name: String) -> Int {
    let parts = name.dropFirst(asidePrefix.count).split(separator: "-")
    return parts.count == 2 ? Int(parts[1]).map { min(max($0, 1), 1 << 40) } ?? 1 : 1
  }

  /// Makes a removed directory again, and gives a directory at the log's path another name.
  ///
  /// The creation of the log reports a failure.
  func makeRoom() {
    if !Files.exists(directory) { try? Files.makeDirectory(directory, mode: 0o700) }
    if (try? Files.status(of: path, followingLinks: false))?.kind == .directory {
      try? Files.rename(path, to: directory + "/" + asideName(at: Clock.utc))
    }
  }

  func removeOldest(reading: inout StateReading) {
    for name in setAside.dropLast(StateStore.asideMax) {
      // A directory at that path is not removed.
      guard (try? Files.remove(directory + "/" + name)) != nil else { continue }
      reading.notes.append(.init(.notice, "\(directory)/\(name): removed, later ones are kept"))
    }
  }
}
