import BinnaclePosix
import Devices
import StateLog

/// `binnacle state prepare`: prepares a raw partition for a state log, which the daemon then creates.
struct StatePreparation: Equatable {
  let device: String
  /// Whether existing data on the partition may be destroyed.
  let isForced: Bool

  func run() -> ExitStatus {
    var file: LogFile
    do throws(Errno) {
      guard (try? Files.status(of: device))?.kind != .file, StatePartition.isNamed(by: device)
      else {
        complain(
          "\(device): it is not a partition such as /dev/mmcblk0p3; a file is made by the daemon itself"
        )
        return .usage
      }
      file = try LogFile(path: device)
    } catch {
      return refuse(error)
    }
    let geometry = LogGeometry.ofFile
    guard file.byteCount >= geometry.byteCount else {
      complain("\(device): it has \(file.byteCount) bytes, and a log takes \(geometry.byteCount)")
      return .cannotCreate
    }
    do throws(BlockFault) {
      if try !StatePartition.isVacant(&file, geometry: geometry) {
        guard isForced else {
          let occupant = StatePartition.occupant(of: &file) ?? "something that is not known here"
          complain("\(device): \(occupant) is on it; --force destroys that")
          return .cannotCreate
        }
      }
      try StatePartition.clear(&file, geometry: geometry)
    } catch {
      complain("\(device): \(error)")
      return .failure
    }
    return Output.print("\(device): ready for State=\(device) in [Board] of a profile")
      ? .success : .failure
  }

  private func refuse(_ error: Errno) -> ExitStatus {
    switch error {
    case .busy:
      complain("\(device): it is in use, a mounted file system perhaps; umount it first")
      return .temporaryFailure
    case .accessDenied, .notPermitted:
      complain("\(device): \(error)")
      return .notPermitted
    case .noSuchFile:
      complain("\(device): \(error)")
      return .inputMissing
    default:
      complain("\(device): it is not a partition: \(error)")
      return .usage
    }
  }
}
