import Basics
import Devices
import Diagnosis
import Posix

/// The machine that this program runs on.
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
    return DeviceHolder.all(of: device, device: status.device).map {
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
      .characterDevice(major: major(status.device), minor: minor(status.device))
    case .symbolicLink, .other: .other
    }
  }

  // How the C library packs a device's two numbers into one (makedev(3)).
  private static func major(_ device: UInt64) -> UInt32 {
    UInt32(truncatingIfNeeded: (device >> 8) & 0xFFF | (device >> 32) & ~0xFFF)
  }

  private static func minor(_ device: UInt64) -> UInt32 {
    UInt32(truncatingIfNeeded: device & 0xFF | (device >> 12) & ~0xFF)
  }
}
