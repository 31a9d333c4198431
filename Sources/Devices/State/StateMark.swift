import BinnaclePosix
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

  /// Whether a partition has room for the mark after the log.
  public static func hasRoom(_ partition: LogFile) -> Bool {
    partition.byteCount >= LogGeometry.ofFile.byteCount + CommitMark.byteCount
  }

  /// Reads a mark that was opened by ``open(behind:in:owner:protecting:isForReading:)``.
  ///
  /// - Parameters:
  ///   - mark: the mark; nil if it could not be opened.
  ///   - path: the path of the mark's file.
  /// - Returns: the content, or the fault.
  public static func inspect(
    _ mark: inout CommitMarkFile<LogFile>?, at path: String
  ) -> MarkReading {
    if let reading = mark?.inspect() { return reading }
    return isPresent(path) ? .unreadable : .missing
  }

  /// Whether a file, or a link, is at a path.
  private static func isPresent(_ path: String) -> Bool {
    (try? Files.status(of: path, followingLinks: false)) != nil
  }

  /// Makes the file of a mark, in place of a file at its path.
  ///
  /// The mark gets its name when it is complete, so that a power cut leaves no part of it.
  ///
  /// - Parameters:
  ///   - path: the path of the mark's file.
  ///   - sequence: the last commit of the log; 0 before the log is created.
  ///   - records: the records of the log.
  ///   - owner: the number of the board that the state belongs to.
  ///   - protecting: the types of the protection records; see `CommitMark.Protection`.
  /// - Returns: the open mark.
  /// - Throws: the reason why the mark was not made; the old file then stays.
  public static func make(
    _ path: String, sequence: UInt64, records: RecordSet, owner: UInt64, protecting: [UInt16]
  ) throws(BlockFault) -> CommitMarkFile<LogFile> {
    let draft = path + ".new"
    do throws(SystemError) {
      try Files.remove(draft)
    } catch {
      throw LogFile.fault(error.errno)
    }
    do throws(BlockFault) {
      let file = try LogFile.make(draft, byteCount: CommitMark.byteCount)
      var mark = CommitMarkFile(on: file, owner: owner, protecting: protecting)
      mark.renew(sequence: sequence, records: records)
      if let fault = mark.fault { throw fault }
      try rename(draft, to: path)
      return mark
    } catch {
      try? Files.remove(draft)
      throw error
    }
  }

  private static func rename(_ draft: String, to path: String) throws(BlockFault) {
    do throws(SystemError) {
      try Files.rename(draft, to: path)
    } catch {
      throw LogFile.fault(error.errno)
    }
  }

  /// The mark of the log at a path, for a command that reads the log.
  ///
  /// Read the mark before the log, because the daemon may meanwhile write to both.
  ///
  /// - Returns: the mark; `unused` for a copy of a log. A daemon's directory has a mark or a lock.
  public static func read(ofLogAt path: String, _ log: LogFile, owner: UInt64) -> MarkReading {
    let name = "/state.log"
    if StatePartition.isNamed(by: path) {
      guard hasRoom(log) else { return .unused }
      var mark = open(behind: log, in: "", owner: owner, protecting: [])
      return mark?.inspect() ?? .unused
    }
    guard path == "state.log" || path.hasSuffix(name) else { return .unused }
    let directory = path == "state.log" ? "." : String(path.dropLast(name.count))
    let place = StateMark.path(in: directory)
    guard isPresent(place) || isPresent(directory + "/lock") else { return .unused }
    var mark = open(in: directory, owner: owner, protecting: [], isForReading: true)
    return inspect(&mark, at: place)
  }
}
