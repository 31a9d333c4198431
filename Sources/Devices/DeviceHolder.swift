import Posix

/// A process that has a device open, or waits at it.
public struct DeviceHolder: Equatable, Sendable, CustomStringConvertible {
  public let processID: Int32
  public let program: String

  public var description: String { "\(program) (process \(processID))" }

  /// The processes other than this one that have a device open, as far as this user may see.
  ///
  /// - Parameters:
  ///   - path: the device, symbolic links resolved.
  ///   - device: its number, which tells even when it was opened under another name.
  /// - Returns: the holders in the order of their numbers.
  public static func all(of path: String, device: UInt64) -> [DeviceHolder] {
    let names = (try? Files.list("/proc")) ?? []
    let processes = names.compactMap { Int32($0) }.filter { $0 != Environment.processID }.sorted()
    return processes.filter { holds($0, device: device) || isLoginPrompt($0, at: path) }
      .map { DeviceHolder(processID: $0, program: programName(of: $0)) }
  }

  /// Whether it makes pseudo-terminals, as a program does that plays a receiver.
  var keepsPseudoTerminals: Bool {
    let directory = "/proc/\(processID)/fd"
    let numbers = (try? Files.list(directory)) ?? []
    return numbers.contains {
      (try? Files.linkTarget(directory + "/" + $0))?.hasSuffix("/ptmx") == true
    }
  }

  /// What to do about it, when that is well known.
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

  private static func holds(_ process: Int32, device: UInt64) -> Bool {
    // Other users' processes cannot be looked into; they are passed over.
    let directory = "/proc/\(process)/fd"
    let numbers = (try? Files.list(directory)) ?? []
    return numbers.contains { number in
      let link = directory + "/" + number
      guard let target = try? Files.linkTarget(link), target.hasPrefix("/dev/"),
        let status = try? Files.status(of: link)
      else { return false }
      return status.kind == .characterDevice && status.device == device
    }
  }

  /// The words that a process was started with can be read by everyone, so a login prompt of root is found
  /// by an ordinary user too.
  private static func isLoginPrompt(_ process: Int32, at path: String) -> Bool {
    guard let bytes = try? Files.read("/proc/\(process)/cmdline") else { return false }
    let words = bytes.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
    guard let program = words.first?.split(separator: "/").last, program.hasSuffix("getty") else {
      return false
    }
    return words.dropFirst().contains { $0 == terminalName(path) || $0 == path }
  }

  private static func programName(of process: Int32) -> String {
    let name = (try? Files.read("/proc/\(process)/comm")).map {
      String(decoding: $0, as: UTF8.self)
    }
    return name?.split(separator: "\n").first.map { String($0) } ?? "?"
  }
}
