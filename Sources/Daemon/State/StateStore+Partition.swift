import BinnacleBasics
import BinnaclePosix
import Devices
import LocationEngine
import StateLog

/// A log on a raw partition.
///
/// A partition has no file names, so damaged content is copied into the state directory. The daemon never overwrites
/// foreign data on the partition.
extension StateStore {
  mutating func findOnPartition(
    _ partition: String, at utc: UTCTime, reading: inout StateReading
  ) throws(StateObstacle) -> StateLog<LogFile> {
    var file: LogFile
    do throws(Errno) {
      file = try LogFile(path: partition)
    } catch {
      if error == .busy {
        throw StateObstacle(
          "\(partition): it is in use, a mounted file system perhaps", isPassing: true)
      }
      if let odd = StateObstacle.oddity(error) {
        throw StateObstacle("\(partition): it is \(odd), not a partition", isPassing: false)
      }
      throw StateObstacle(partition, error)
    }
    guard file.byteCount >= geometry.byteCount else {
      throw StateObstacle(
        "\(partition): it has \(file.byteCount) bytes, and a log takes \(geometry.byteCount)",
        isPassing: false)
    }
    let mark = readMark(behind: file)
    let recovery = Recovery(
      of: &file, owner: owner, expecting: geometry, mark: mark, protecting: protecting)
    reportLosses(of: recovery, in: &reading)
    switch recovery.verdict {
    case .sound, .damaged:
      guard let log = StateLog(continuing: recovery, on: file) else {
        throw StateObstacle(
          "\(partition): it is shorter than the log on it; a longer one is needed", isPassing: false
        )
      }
      if recovery.verdict == .damaged {
        try copyAside(
          &file, StateStore.fault(of: recovery), at: utc, holding: recovery.records,
          reading: &reading)
      }
      reading.geometry = log.geometry
      return log
    case .refused(.foreign):
      try copyAside(
        &file, "it is another board's", at: utc, holding: RecordSet(), reading: &reading)
      do throws(BlockFault) {
        try StatePartition.clear(&file, geometry: recovery.geometry)
      } catch {
        throw StateObstacle("\(partition): \(error)", isPassing: true)
      }
      return try begin(on: file, recovery, reading)
    case .refused(.newerFormat(let major)):
      throw StateObstacle(
        "\(partition): a newer version wrote it (format \(major)); install that version again, or "
          + "'binnacle state prepare \(partition) --force' destroys what is on it",
        isPassing: false,
        hidesState: true)
    case .refused(.unreadable(let fault)):
      throw StateObstacle("\(partition): \(fault)", isPassing: true, hidesState: true)
    case .blank, .refused(.empty), .refused(.unrecognized):
      let isVacant: Bool
      do throws(BlockFault) {
        isVacant = try StatePartition.isVacant(&file, geometry: geometry)
      } catch {
        throw StateObstacle("\(partition): \(error)", isPassing: true)
      }
      if isVacant { return try begin(on: file, recovery, reading) }
      throw StateObstacle(
        "\(partition): something that is not a log is on it; 'binnacle state prepare \(partition)' "
          + "says what, and makes it ready", isPassing: false, hidesState: mark.mark != nil)
    }
  }

  private mutating func begin(
    on file: LogFile, _ found: Recovery, _ reading: StateReading
  ) throws(StateObstacle) -> StateLog<LogFile> {
    do throws(CommitFailure) {
      if found.losses.isEmpty { try prepareMark(behind: file) }
      return try StateLog.create(
        on: file, owner: owner, geometry: geometry, holding: kept(found, reading),
        after: found.sequenceMax)
    } catch {
      throw StateObstacle(
        "\(path): no log can be made: \(error)", isPassing: true, hidesState: !found.losses.isEmpty)
    }
  }

  /// Copies the content of the partition to a file with the time in its name.
  private func copyAside(
    _ file: inout LogFile, _ why: String, at utc: UTCTime, holding records: RecordSet,
    reading: inout StateReading
  ) throws(StateObstacle) {
    let name = asideName(at: utc)
    do throws(BlockFault) {
      var copy = try LogFile.make(directory + "/" + name, geometry: geometry)
      for offset in stride(from: 0, to: geometry.byteCount, by: 65_536) {
        let size = min(65_536, geometry.byteCount - offset)
        // Unreadable parts stay zero in the copy.
        guard let bytes = try? file.read(size, at: offset) else { continue }
        try copy.write(bytes, at: offset)
      }
      try copy.flush()
    } catch {
      try? Files.remove(directory + "/" + name)
      throw StateObstacle(
        "\(path): \(why), and no copy of it can be kept in \(directory): \(error)", isPassing: true)
    }
    reading.notes.append(
      .init(
        .error,
        "\(path): \(why); a copy is kept as \(directory)/\(name), "
          + StateStore.remainder(records)))
    removeOldest(reading: &reading)
  }
}
