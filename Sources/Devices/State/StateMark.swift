public import StateLog

/// The location of the state log's mark: a file beside the log, or the bytes after the log on its partition.
public enum StateMark {
  /// The mark of a log.
  ///
  /// - Parameters:
  ///   - log: the log, if it is on a partition.
  ///   - directory: the state directory.
  ///   - owner: the number of the board that the state belongs to.
  ///   - protecting: the types of the protection records; see `CommitMark.Protection`.
  ///   - isForReading: whether the mark is opened for reading only.
  /// - Returns: nil if there is no mark yet, or if another kind of file is at its path.
  public static func open(
    behind log: LogFile? = nil, in directory: String, owner: UInt64, protecting: [UInt16],
    isForReading: Bool = false
  ) -> CommitMarkFile<LogFile>? {
    if let log, hasRoom(log) {
      return CommitMarkFile(
        on: log, at: LogGeometry.ofFile.byteCount, owner: owner, protecting: protecting)
    }
    let path = path(in: directory, isOfPartition: log != nil)
    guard let file = try? LogFile(path: path, isForReading: isForReading),
      file.byteCount == CommitMark.byteCount
    else { return nil }
    return CommitMarkFile(on: file, owner: owner, protecting: protecting)
  }

  /// The path of the mark's file.
  public static func path(in directory: String, isOfPartition: Bool = false) -> String {
    directory + (isOfPartition ? "/partition.mark" : "/state.mark")
  }

  private static func hasRoom(_ partition: LogFile) -> Bool {
    partition.byteCount >= LogGeometry.ofFile.byteCount + CommitMark.byteCount
  }

  /// The mark of the log at a path, for a command that reads the log; nil if there is none.
  ///
  /// Read the mark before the log, because the daemon may meanwhile write to both.
  public static func read(ofLogAt path: String, _ log: LogFile, owner: UInt64) -> CommitMark? {
    let name = "/state.log"
    if StatePartition.isNamed(by: path) {
      guard hasRoom(log) else { return nil }
      var mark = open(behind: log, in: "", owner: owner, protecting: [])
      return mark?.read()
    }
    guard path == "state.log" || path.hasSuffix(name) else { return nil }
    let directory = path == "state.log" ? "." : String(path.dropLast(name.count))
    var mark = open(in: directory, owner: owner, protecting: [], isForReading: true)
    return mark?.read()
  }
}
