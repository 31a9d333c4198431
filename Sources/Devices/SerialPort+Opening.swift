import BinnacleModel
import BinnaclePosix
import Glibc

/// The checks before opening, and their error messages.
extension SerialPort {
  /// An existing device.
  struct Device {
    /// The device's own path, without symbolic links.
    var path: String
    var identity: DeviceIdentity
    var groupID: UInt32
  }

  static func locate(_ path: String) throws(ReceiverFault) -> Device {
    do throws(SystemError) {
      let resolved = try Files.resolve(try firstMatch(path))
      let status = try Files.status(of: resolved)
      guard status.kind == .characterDevice else {
        throw SystemError(.notATerminal, path)
      }
      return Device(path: resolved, identity: DeviceIdentity(status), groupID: status.groupID)
    } catch {
      throw ReceiverFault(kind(of: error.errno), error.description)
    }
  }

  /// The first matching device by name if the last part of a path is a pattern; otherwise the path itself.
  private static func firstMatch(_ path: String) throws(SystemError) -> String {
    guard let name = path.split(separator: "/").last.map({ String($0) }),
      name.contains("*") || name.contains("?")
    else { return path }
    let directory = Files.parent(of: path)
    let names = (try? Files.list(directory)) ?? []
    guard let match = names.first(where: { fnmatch(name, $0, 0) == 0 }) else {
      throw SystemError(.noSuchFile, description: "\(path): no device of such a name")
    }
    return directory + "/" + match
  }

  static func explain(_ errno: Errno, path: String, device: Device) -> ReceiverFault {
    let kind = kind(of: errno)
    var text = path
    if device.path != path { text += " (\(device.path))" }
    switch kind {
    case .busy:
      let holders = DeviceHolder.all(of: device.path, device.identity)
      text += ": held by " + describe(holders, path: device.path)
    case .notPermitted:
      text += ": \(errno); " + permissionAdvice(groupID: device.groupID)
    case .missing, .notATerminal, .unplugged, .failed:
      text += ": \(errno)"
    }
    return ReceiverFault(kind, text)
  }

  static func loss(_ errno: Errno?, path: String) -> ReceiverFault {
    guard let errno else { return ReceiverFault(.unplugged, "\(path): the line hung up") }
    switch errno {
    case .timedOut: return ReceiverFault(.failed, "\(path): it accepts no more bytes to send")
    case .noBufferSpace: return ReceiverFault(.failed, "\(path): too much waits to be sent")
    default:
      return ReceiverFault(isUnplugged(errno) ? .unplugged : .failed, "\(path): \(errno)")
    }
  }

  static func isUnplugged(_ errno: Errno) -> Bool {
    [.inputOutput, .noSuchDevice, .noSuchDeviceOrAddress].contains(errno)
  }

  /// Whether a receiver at one speed understands a sender at the other speed.
  ///
  /// A receiver samples each bit in the middle. With 10 bits per character, an error of 2.5 percent is a quarter of a
  /// bit at the end of the character.
  static func isNear(_ speed: UInt32, _ wanted: UInt32) -> Bool {
    let difference = speed > wanted ? speed - wanted : wanted - speed
    return UInt64(difference) * 40 <= UInt64(wanted)
  }

  /// Warnings about a usable port.
  static func warnings(_ device: String, asked path: String) -> [String] {
    let name = DeviceHolder.terminalName(device)
    let consoles = (try? Files.read("/sys/class/tty/console/active")) ?? []
    let active = consoles.split { $0 == 0x20 || $0 == 0x0A }.map {
      String(decoding: $0, as: UTF8.self)
    }
    guard active.contains(name) else { return [] }
    return [
      "\(path): the kernel writes its messages to this line; take 'console=\(name),...' (or "
        + "'console=serial0,...') out of cmdline.txt and restart"
    ]
  }

  /// Warnings about other programs that have a pseudo-terminal open; other devices are refused in this case.
  ///
  /// A program may keep the far end of its own pseudo-terminal open.
  static func warnings(
    _ others: [DeviceHolder], asked path: String, device: String
  ) -> [String] {
    let strangers = others.filter { !$0.keepsPseudoTerminals }
    guard !strangers.isEmpty else { return [] }
    return [
      "\(path): also open in \(describe(strangers, path: device)); "
        + "what the other program reads is lost here, so end it"
    ]
  }

  private static func kind(of errno: Errno) -> ReceiverFailure {
    switch errno {
    case .noSuchFile, .noSuchDevice, .noSuchDeviceOrAddress, .notADirectory: .missing
    case .busy, .wouldBlock: .busy
    case .accessDenied, .notPermitted: .notPermitted
    case .notATerminal, .isADirectory: .notATerminal
    case .inputOutput: .unplugged
    default: .failed
    }
  }

  private static func describe(_ holders: [DeviceHolder], path: String) -> String {
    guard let first = holders.first else {
      let isRoot = Environment.userID == 0
      return "another program" + (isRoot ? "" : "; 'sudo fuser -v \(path)' shows which")
    }
    let names = holders.map { $0.description }.joined(separator: ", ")
    return names + (first.advice(path: path).map { "; \($0)" } ?? "")
  }

  private static func permissionAdvice(groupID: UInt32) -> String {
    guard groupID != 0, let group = groupName(groupID) else {
      return "only root may open it"
    }
    if group == "tty" {
      return "it belongs to group tty, which is what a login prompt on it leaves behind"
    }
    return "it belongs to group \(group): 'sudo usermod -aG \(group) USER' lets USER in"
  }

  private static func groupName(_ groupID: UInt32) -> String? {
    let bytes = (try? Files.read("/etc/group")) ?? []
    for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
      let fields = line.split(separator: ":", omittingEmptySubsequences: false)
      if fields.count > 2, UInt32(fields[2]) == groupID { return String(fields[0]) }
    }
    return nil
  }
}
