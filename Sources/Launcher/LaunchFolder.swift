import BinnaclePosix

/// The launcher's folder below the runtime directory: the record and the output pipe of each app that runs.
///
/// Only the launcher's user may read it.
struct LaunchFolder {
  let path: String
  private static let recordSuffix = ".run"

  init(runtimeDirectory: String) throws(SystemError) {
    path = runtimeDirectory + "/launched"
    try Files.makePrivateDirectory(path, mode: 0o700)
  }

  /// The path of an app's output pipe; a suffix keeps the names of two apps apart.
  func outputPath(of identifier: String) -> String { path + "/" + identifier + ".out" }

  func keep(_ record: LaunchRecord, of identifier: String) throws(SystemError) {
    try Files.writeAtomically(Array(record.text.utf8), to: recordPath(of: identifier))
  }

  func removeFiles(of identifier: String) {
    try? Files.remove(recordPath(of: identifier))
    try? Files.remove(outputPath(of: identifier))
  }

  /// The identifiers of all apps with a record.
  var identifiers: [String] {
    ((try? Files.list(path)) ?? []).filter { $0.hasSuffix(LaunchFolder.recordSuffix) }
      .map { String($0.dropLast(LaunchFolder.recordSuffix.utf8.count)) }
  }

  /// The record of an app; nil if it is damaged.
  func record(of identifier: String) -> LaunchRecord? {
    let text = try? Files.read(recordPath(of: identifier), sizeMax: 16_384)
    return text.flatMap { LaunchRecord(text: String(decoding: $0, as: UTF8.self)) }
  }

  private func recordPath(of identifier: String) -> String {
    path + "/" + identifier + LaunchFolder.recordSuffix
  }
}
