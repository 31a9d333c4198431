import BinnaclePosix

/// A process that has a device open, or waits to open it.
public struct DeviceHolder: Equatable, Sendable, CustomStringConvertible {
  public let processID: Int32
  public let program: String

  public var description: String { "\(program) (process \(processID))" }

  /// The other processes that have a device open, as far as this user may see.
  ///
  /// - Parameters:
  ///   - path: the device without symbolic links.
  ///   - device: the identity of the device, to find a process that has opened the device under another name.
  /// - Returns: the holders in the order of their numbers.
  public static func all(of path: String, _ device: DeviceIdentity) -> [DeviceHolder] {
    let names = (try? Files.list("/proc")) ?? []
    let processes = names.compactMap { Int32($0) }.filter { $0 != Environment.processID }.sorted()
    return processes.filter {
      holds($0, device) || !device.isPseudoTerminal && isLoginPrompt($0, at: path)
    }.map { DeviceHolder(processID: $0, program: programName(of: $0)) }
  }

  /// Whether the process creates pseudo-terminals, like a program that simulates a receiver.
  var keepsPseudoTerminals: Bool {
    let directory = "/proc/\(processID)/fd"
    let numbers = (try? Files.list(directory)) ?? []
    return numbers.contains {
      (try? Files.linkTarget(directory + "/" + $0))?.hasSuffix("/ptmx") == true
    }
  }

  /// The remedy, if one is known.
  func advice(path: String) -> String? {
    let terminal = DeviceHolder.terminalName(path)
    switch program {
    case "agetty", "getty", "login":
      return "it is the login prompt of the serial console; "
        + "'sudo systemctl disable --now serial-getty@\(terminal)' ends it"
    case "gpsd":
      return "'sudo systemctl disable --now gpsd.socket gpsd' ends it"
    case "ModemManager":
      return "it looks for modems and lets go after a minute; "
        + "ENV{ID_MM_DEVICE_IGNORE}=\"1\" in a udev rule keeps it away"
    default:
      return nil
    }
  }

  /// `ttyS0` for `/dev/ttyS0`.
  static func terminalName(_ path: String) -> String {
    path.hasPrefix("/dev/") ? String(path.dropFirst(5)) : path
  }

  private static func holds(_ process: Int32, _ device: DeviceIdentity) -> Bool {
    // Other users' processes cannot be inspected; they are skipped.
    let directory = "/proc/\(process)/fd"
    let numbers = (try? Files.list(directory)) ?? []
    return numbers.contains { number in
      let link = directory + "/" + number
      guard let target = try? Files.linkTarget(link), target.hasPrefix("/dev/"),
        let status = try? Files.status(of: link)
      else { return false }
      return status.kind == .characterDevice && DeviceIdentity(status) == device
    }
  }

  /// Whether a process is a login prompt of this machine at a device.
  ///
  /// The arguments of a process are readable by all users, so an ordinary user also finds root's prompt. A prompt
  /// in a container names a device of the container and is ignored.
  static func isLoginPrompt(_ process: Int32, at path: String) -> Bool {
    guard namespaceDepth("\(process)") <= namespaceDepth("self"),
      let bytes = try? Files.read("/proc/\(process)/cmdline")
    else { return false }
    let words = bytes.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
    guard let program = words.first?.split(separator: "/").last, program.hasSuffix("getty") else {
      return false
    }
    return words.dropFirst().contains { $0 == terminalName(path) || $0 == path }
  }

  /// The number of PID namespaces in which a process has a number (NSpid of proc_pid_status(5)).
  ///
  /// A process in a container of this machine has a larger number than this program.
  private static func namespaceDepth(_ process: String) -> Int {
    let status = (try? Files.read("/proc/\(process)/status")) ?? []
    let line = status.split(separator: UInt8(ascii: "\n")).first { $0.starts(with: "NSpid:".utf8) }
    return (line?.split(separator: UInt8(ascii: "\t")).count ?? 2) - 1
  }

  private static func programName(of process: Int32) -> String {
    let name = (try? Files.read("/proc/\(process)/comm")).map {
      String(decoding: $0, as: UTF8.self)
    }
    return name?.split(separator: "\n").first.map { String($0) } ?? "?"
  }
}
