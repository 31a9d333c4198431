/// The serial device of the receiver: its requested name and its actual device.
struct SerialLine {
  /// The requested name.
  let asked: String
  /// The device's path without symbolic links; nil if it does not exist.
  let path: String?
  let node: Node?

  init(_ asked: String, in view: any MachineView) {
    self.asked = asked
    path = SerialLine.firstMatch(asked, in: view).flatMap { view.resolved($0) }
    node = path.flatMap { view.node(at: $0) }
  }

  /// The target of a link, such as `ttyAMA0` for `/dev/serial0`; the requested name for a broken link.
  var name: String { lastPart(of: path ?? asked) }

  /// All names of the device in the kernel and the firmware.
  var names: [String] { [name, lastPart(of: asked)] }

  /// The requested name, and the target's name if it differs.
  var shown: String {
    guard let path, path != asked else { return asked }
    return "\(asked) (\(path))"
  }

  /// Whether the device is connected to USB.
  var isUSB: Bool { name.hasPrefix("ttyACM") || name.hasPrefix("ttyUSB") }

  /// Whether a program is at the other end: majors 136 to 143 of the kernel's admin-guide/devices.txt.
  var isPseudoTerminal: Bool {
    guard case .characterDevice(let major, _) = node?.kind else { return false }
    return (136...143).contains(major)
  }

  /// The first device by name if the last part is a pattern, as in the daemon.
  private static func firstMatch(_ asked: String, in view: any MachineView) -> String? {
    let name = lastPart(of: asked)
    guard name.contains("*") || name.contains("?") else { return asked }
    let directory = String(asked.dropLast(name.count + 1))
    let match = view.names(in: directory).first { fits($0[...], name[...]) }
    return match.map { directory + "/" + $0 }
  }

  /// Whether a name matches a pattern with `*` and `?`.
  static func fits(_ name: Substring, _ pattern: Substring) -> Bool {
    var name = name
    var pattern = pattern
    while let wanted = pattern.popFirst() {
      if wanted == "*" {
        while true {
          if fits(name, pattern) { return true }
          if name.popFirst() == nil { return false }
        }
      }
      guard let letter = name.popFirst(), wanted == "?" || letter == wanted else { return false }
    }
    return name.isEmpty
  }

  /// The serial devices of a machine to which a receiver may be connected.
  static func candidates(in view: any MachineView) -> [String] {
    let stable = view.names(in: "/dev/serial/by-id").map { "/dev/serial/by-id/" + $0 }
    let plain = view.names(in: "/dev").filter { name in
      ["ttyAMA", "ttyS", "ttyACM", "ttyUSB", "ttymxc", "ttyTHS", "ttySAC", "gnss"].contains {
        name.hasPrefix($0)
      }
    }
    let covered = stable.compactMap { view.resolved($0) }
    return stable + plain.map { "/dev/" + $0 }.filter { !covered.contains($0) }
  }
}
