import BinnaclePosix
import Devices
import StateLog

/// The permanent removal of a log with all of its records.
extension StateStore {
  /// Erases all records, permanently as far as a program can.
  ///
  /// The damaged files are deleted, too, and the bytes are overwritten in place; a memory card may
  /// hold hidden copies. A file that has another name, as a link in a backup has, keeps its bytes.
  ///
  /// - Parameter beginsAnew: whether an empty log is created.
  /// - Throws: the reason why the log is not erased, or not completely.
  mutating func erase(beginsAnew: Bool) throws(CommitFailure) {
    do throws(StateObstacle) {
      try claim()
    } catch {
      throw .closed("\(error)")
    }
    let open = log?.file
    log = nil
    var old = [open ?? (try? LogFile(path: path))].compactMap { $0 }
    var names = beginsAnew ? [] : [path]
    for name in setAside {
      guard let file = try? LogFile(path: directory + "/" + name) else { continue }
      old.append(file)
      names.append(directory + "/" + name)
    }
    do throws(CommitFailure) {
      if beginsAnew { try beginEmpty() }
    } catch {
      // The old files take the space of the empty log. Their records are to be lost in any case.
      guard error == .fault(.noSpace) else { throw error }
      try destroy(&old, named: names + [path])
      for file in old { file.releaseSpace() }
      try beginEmpty()
      return
    }
    try destroy(&old, named: names)
  }

  private mutating func beginEmpty() throws(CommitFailure) {
    let empty = try draft(holding: RecordSet(), after: 0)
    try install()
    log = empty
  }

  /// Removes names, and overwrites the files.
  private func destroy(_ files: inout [LogFile], named names: [String]) throws(CommitFailure) {
    do throws(SystemError) {
      for name in names { try Files.remove(name) }
    } catch {
      throw .fault(LogFile.fault(error.errno))
    }
    // The files have no names in the directory at this point, so a power cut from here on leaves nothing that a
    // program can find.
    do throws(BlockFault) {
      for index in files.indices where !files[index].hasName && !files[index].isEmpty {
        try files[index].overwrite()
      }
    } catch {
      throw .fault(error)
    }
  }
}
