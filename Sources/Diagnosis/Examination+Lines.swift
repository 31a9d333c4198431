import BinnacleBasics
import Board

/// Checks the lines of lights, buttons and interrupts: the chip is accessible, and the lines exist and are free.
extension Examination {
  /// A line in the profile, and its key there.
  private struct WantedLine {
    let key: String
    let name: String
  }

  mutating func examineLines() {
    if let led = profile?.indicator?.ledName { examine(led: led) }
    guard let profile, let source = profile.board.lines else { return }
    let wanted = wantedLines(profile)
    if wanted.isEmpty { return }
    switch source {
    case .chip(let label): examine(wanted, of: label)
    case .simulated(let path): _ = examineVirtualBoard(path, .chipMissing)
    }
  }

  /// Checks that the LED of the indicator exists, and that the daemon's user may drive it.
  private mutating func examine(led name: String) {
    let directory = "/sys/class/leds"
    let subject = "LED \(name)"
    guard view.exists("\(directory)/\(name)") else {
      let names = view.names(in: directory)
      findings.append(
        .fault(
          .lineMissing, subject,
          names.isEmpty
            ? "[Indicator] Class= names it, but the kernel has no LED"
            : "[Indicator] Class= names it, but the kernel's LEDs are \(names.joined(separator: ", "))",
          mend:
            "[Indicator] Class= in a drop-in of the profile, with one that 'ls \(directory)' lists"
        ))
      return
    }
    let isRefused = ["brightness", "trigger"].contains { file in
      view.node(at: "\(directory)/\(name)/\(file)").map { !servant.mayUse($0) } ?? false
    }
    guard isRefused else { return }
    findings.append(
      .fault(
        .deviceRefused, subject, "user \(servant.name) may not drive it",
        mend:
          "sudo udevadm trigger --subsystem-match=leds gives it to the group gpio; "
          + "sudo usermod -aG gpio \(servant.name), and start the daemon again"))
  }

  private mutating func examine(_ wanted: [WantedLine], of label: String) {
    let devices = view.names(in: "/dev").filter { $0.hasPrefix("gpiochip") }.map { "/dev/" + $0 }
    if complainOfRefusedChips(devices) { return }
    let chips = view.lineChips
    let fitting = chips.filter { $0.label == label }
    if fitting.isEmpty {
      complainOfMissingChip(label, chips)
      return
    }
    for line in wanted {
      let found = fitting.flatMap { $0.lines }.filter { $0.name == line.name }
      if found.isEmpty {
        complainOfMissingLine(line, label, fitting)
      } else if let holder = found[0].holder, !isOurs(holder) {
        findings.append(
          .fault(
            .lineHeld, "\(line.name) of \(label)",
            "\(line.key) names it, but '\(holder)' has it",
            mend: commandToFree(holder: holder, line.key)))
      }
    }
  }

  /// All lines that the daemon claims.
  private func wantedLines(_ profile: Profile) -> [WantedLine] {
    var lines: [WantedLine] = []
    func want(_ name: String?, _ key: String) {
      if let name { lines.append(WantedLine(key: key, name: name)) }
    }
    if profile.indicator?.ledName == nil { want(profile.indicator?.line, "[Indicator] Line=") }
    want(profile.indicator?.sense, "[Indicator] Sense=")
    want(profile.statusLED?.line, "[StatusLED] Line=")
    for button in profile.buttons { want(button.line, "[Button \(button.name)] Line=") }
    want(profile.accelerometer?.interrupt, "[Accelerometer] Interrupt=")
    if profile.receiver.device == .i2c { want(profile.receiver.txReady, "[Receiver] TxReady=") }
    want(profile.receiver.extInt, "[Receiver] ExtInt=")
    return lines
  }

  /// Whether the holder's name is that of the daemon.
  private func isOurs(_ holder: String) -> Bool {
    holder == "binnacle" || holder.hasPrefix("binnacle ")
  }

  /// Reports chips that cannot be opened; returns true if there are any, because their lines cannot be checked then.
  private mutating func complainOfRefusedChips(_ devices: [String]) -> Bool {
    for device in devices {
      guard let node = view.node(at: device), !servant.mayUse(node) else { continue }
      if let group = machine.users.name(ofGroup: node.groupID), node.groupID != 0,
        (node.mode >> 3) & 0o6 == 0o6
      {
        findings.append(
          .fault(
            .deviceRefused, device,
            "it belongs to group \(group), and user \(servant.name) is not in it",
            mend: servant.commandToJoin(group, id: node.groupID)))
      } else {
        findings.append(
          .fault(
            .deviceRefused, device, "only root may open it",
            mend:
              "echo 'SUBSYSTEM==\"gpio\", KERNEL==\"gpiochip*\", GROUP=\"gpio\", MODE=\"0660\"' | sudo tee "
              + "/etc/udev/rules.d/61-gpio.rules && sudo groupadd -rf gpio && "
              + "sudo usermod -aG gpio \(servant.name) && sudo reboot"))
      }
      return true
    }
    return false
  }

  private mutating func complainOfMissingChip(_ label: String, _ chips: [LineChip]) {
    // The user of the command may see fewer chips than the daemon's user, so a missing label proves nothing.
    let isBlind = view.names(in: "/dev").contains { name in
      guard name.hasPrefix("gpiochip"), let node = view.node(at: "/dev/" + name) else {
        return false
      }
      return !machine.person.mayUse(node)
    }
    if isBlind { return }
    let labels = chips.map { $0.label }
    findings.append(
      .fault(
        .chipMissing, label,
        labels.isEmpty
          ? "no GPIO chip has this label; this machine has none at all"
          : "no GPIO chip has this label; there are \(labels.joined(separator: ", "))",
        mend: labels.isEmpty
          ? "take the lines out with Line=none in a drop-in of the profile"
          : "GPIO= in a drop-in of the profile names the right one; 'gpioinfo' lists their lines"))
  }

  private mutating func complainOfMissingLine(
    _ line: WantedLine, _ label: String, _ chips: [LineChip]
  ) {
    let names = chips.flatMap { $0.lines }.map { $0.name }.filter { !$0.isEmpty }
    let meant = Spelling.nearest(to: line.name, among: names).map { "; did it mean \($0)?" } ?? ""
    findings.append(
      .fault(
        .lineMissing, "\(line.name) of \(label)",
        names.isEmpty
          ? "\(line.key) names it, but the kernel names no line of this chip"
          : "\(line.key) names it, but the chip has no such line\(meant)",
        mend: names.isEmpty
          ? "the comments at the head of the board's profile name the overlay that gives these names"
          : "\(line.key) in a drop-in of the profile, with one that 'gpioinfo' lists"))
  }

  private func commandToFree(holder: String, _ key: String) -> String {
    "end the program '\(holder)', or remove its dtoverlay from \(machine.bootPath), or name another line "
      + "with \(key) in a drop-in of the profile"
  }
}
