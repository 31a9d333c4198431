import BinnaclePosix
import Devices
import Glibc
import StateLog

/// `binnacle state backup`: saves the stored records as a state log of this board.
struct StateBackup: Equatable {
  let kept: KeptRecords
  /// A file, a device or a pipe; `-` is standard output.
  let path: String

  func run(_ commands: Commands) throws(Errno) -> ExitStatus {
    if DocumentOutput.isStandardOutput(path), isatty(STDOUT_FILENO) == 1 {
      complain("a backup is not for a terminal; 'binnacle state backup FILE' saves it")
      return .usage
    }
    switch try kept.read(commands, program: "binnacle state backup") {
    case .failure(let failure): return failure.status
    case .success(let records): return save(records)
    }
  }

  private func save(_ records: RecordSet) -> ExitStatus {
    do throws(CommitFailure) {
      let log = try StateLog.create(
        on: MemoryFile(.holding(records)), owner: BoardNumber.read(), geometry: .holding(records),
        holding: records)
      return Commands.save(log.file.bytes, to: path)
    } catch {
      complain("\(error)")
      return .failure
    }
  }
}

extension LogGeometry {
  /// The layout of a file, or a larger layout if the records do not fit.
  static func holding(_ records: RecordSet) -> LogGeometry {
    var geometry = LogGeometry.ofFile
    while records.encodedSize > geometry.liveSizeMax,
      let larger = LogGeometry(
        blockSize: geometry.blockSize, blocksPerSegment: geometry.blocksPerSegment * 2)
    {
      geometry = larger
    }
    return geometry
  }
}
