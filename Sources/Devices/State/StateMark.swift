public import StateLog

/// Where the mark of the log of state is: in a file beside the log, or behind the log on its partition.
public enum StateMark {
  /// The mark of a log.
  ///
  /// - Parameters:
  ///   - log: the log, when it is on a partition.
  ///   - directory: the state directory.
  ///   - owner: the board whose state it is.
  ///   - protecting: the numbers of the types that protect a person; see `CommitMark.Protection`.
  ///   - isForReading: whether nothing is to be written.
  /// - Returns: nil when there is no mark yet, or something else is in its place.
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

  /// The path of the file that a mark has.
  public static func path(in directory: String, isOfPartition: Bool = false) -> String {
    directory + (isOfPartition ? "/partition.mark" : "/state.mark")
  }

  private static func hasRoom(_ partition: LogFile) -> Bool {
    partition.byteCount >= LogGeometry.ofFile.byteCount + CommitMark.byteCount
  }

  /// The mark of the log at a path, for a command that reads the log; nil when there is none.
  ///
  /// It is read before the log, which may go on meanwhile.
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
