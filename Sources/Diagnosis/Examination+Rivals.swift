/// Checks for programs that open a receiver's port in the background.
extension Examination {
  /// ModemManager sends modem commands to USB ports unless a udev rule excludes them.
  mutating func examineModemSearch(_ line: SerialLine) {
    guard line.isUSB, case .characterDevice(let major, let minor) = line.node?.kind,
      let search = machine.processes.named("ModemManager").first,
      !isHiddenFromModemSearch(major, minor)
    else { return }
    findings.append(
      .fault(
        .modemSearch, line.shown,
        "ModemManager (process \(search.id)) takes it for a modem and talks to it for a minute after it is "
          + "plugged in", mend: commandToHide(line)))
  }

  /// Whether a udev rule excludes the port, or a USB device above it.
  private func isHiddenFromModemSearch(_ major: UInt32, _ minor: UInt32) -> Bool {
    var records = ["/run/udev/data/c\(major):\(minor)"]
    var folder = view.resolved("/sys/dev/char/\(major):\(minor)/device") ?? ""
    while folder.hasPrefix("/sys/devices/") {
      if let number = view.word(of: folder + "/dev") { records.append("/run/udev/data/c" + number) }
      folder = String(folder.dropLast(lastPart(of: folder).count + 1))
    }
    return records.contains { view.lines(of: $0).contains("E:ID_MM_DEVICE_IGNORE=1") }
  }

  /// The command that installs a rule for this product.
  func commandToHide(_ line: SerialLine) -> String {
    var match = "KERNEL==\"\(line.name)\""
    if case .characterDevice(let major, let minor) = line.node?.kind,
      var folder = view.resolved("/sys/dev/char/\(major):\(minor)/device")
    {
      while folder.hasPrefix("/sys/devices/") {
        if let vendor = view.word(of: folder + "/idVendor"),
          let product = view.word(of: folder + "/idProduct")
        {
          match = "ATTRS{idVendor}==\"\(vendor)\", ATTRS{idProduct}==\"\(product)\""
          break
        }
        folder = String(folder.dropLast(lastPart(of: folder).count + 1))
      }
    }
    return "echo 'SUBSYSTEM==\"tty\", \(match), ENV{ID_MM_DEVICE_IGNORE}=\"1\"' | "
      + "sudo tee /etc/udev/rules.d/61-not-a-modem.rules && sudo udevadm control --reload && "
      + "sudo udevadm trigger --settle && sudo systemctl restart ModemManager"
  }

  static let commandToEndGpsd = "sudo systemctl disable --now gpsd.socket gpsd.service"

  /// gpsd opens the device as soon as a client requests a position.
  mutating func examineOtherServers(_ line: SerialLine) {
    let wanted =
      view.names(in: "/etc/systemd/system/sockets.target.wants")
      + view.names(in: "/etc/systemd/system/multi-user.target.wants")
    let isEnabled = wanted.contains("gpsd.socket") || wanted.contains("gpsd.service")
    let process = machine.processes.named("gpsd").first
    guard isEnabled || process != nil, !findings.contains(where: { $0.name == .deviceHeld }) else {
      return
    }
    let named = gpsdDevices + (process?.words.dropFirst() ?? [])
    let isNamed = named.contains { $0.hasPrefix("/") && view.resolved($0) == line.path }
    guard isNamed || line.isUSB && gpsdTakesUSB else { return }
    findings.append(
      .fault(
        .otherServer, line.shown,
        isNamed
          ? "gpsd is set up for it, too, and takes it when a program asks gpsd for a position"
          : "gpsd is set up to take every USB receiver (USBAUTO=\"true\" in /etc/default/gpsd)",
        mend: Examination.commandToEndGpsd))
  }

  private var gpsdDevices: [String] {
    gpsdSetting("DEVICES").split(separator: " ").map { String($0) }
  }

  private var gpsdTakesUSB: Bool { gpsdSetting("USBAUTO") == "true" }

  private func gpsdSetting(_ name: String) -> String {
    let line = view.lines(of: "/etc/default/gpsd").map(trimmed).last { $0.hasPrefix(name + "=") }
    return (line?.dropFirst(name.count + 1) ?? "").split(separator: "\"").joined()
  }
}
