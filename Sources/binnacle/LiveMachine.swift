import BinnacleBasics
import BinnaclePosix
import Devices
import Diagnosis

/// The machine on which this program runs.
struct LiveMachine: MachineView {
  var time: UTCTime { Clock.utc }

  var isClockSynchronized: Bool { Clock.isSynchronized }

  func contents(of path: String) -> FileContents {
    do throws(SystemError) {
      return .bytes(try Files.read(path))
    } catch {
      return [.accessDenied, .notPermitted].contains(error.errno) ? .refused : .missing
    }
  }

  func names(in directory: String) -> [String] { (try? Files.list(directory)) ?? [] }

  func node(at path: String) -> Node? {
    guard let status = try? Files.status(of: path) else { return nil }
    return Node(
      kind: LiveMachine.kind(of: status), userID: status.userID, groupID: status.groupID,
      mode: status.mode)
  }

  func resolved(_ path: String) -> String? { try? Files.resolve(path) }

  func holders(of device: String) -> [Holder] {
    guard let status = try? Files.status(of: device) else { return [] }
    return DeviceHolder.all(of: device, DeviceIdentity(status)).map {
      Holder(program: $0.program, processID: $0.processID)
    }
  }

  var lineChips: [LineChip] {
    ChipView.chips.map { chip in
      LineChip(
        device: chip.device, label: chip.label,
        lines: chip.lines.map { LineChip.Line(name: $0.name, holder: $0.holder) })
    }
  }

  private static func kind(of status: Files.Status) -> Node.Kind {
    switch status.kind {
    case .file: .file
    case .directory: .directory
    case .socket: .socket
    case .characterDevice:
      .characterDevice(major: status.deviceMajor, minor: status.deviceMinor)
    case .symbolicLink, .pipe, .other: .other
    }
  }
}
