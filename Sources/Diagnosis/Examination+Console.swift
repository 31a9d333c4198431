/// Checks for the kernel's console and a login prompt, which most boards have on the UART of the header.
extension Examination {
  mutating func examineConsole(_ line: SerialLine) {
    // The last part of a path such as /dev/pts/1 is the name of another terminal.
    if line.isPseudoTerminal { return }
    let active = view.text(of: "/sys/class/tty/console/active") ?? ""
    let isActive = active.split { $0 == " " || $0 == "\n" }.contains {
      line.names.contains(String($0))
    }
    for place in ConsolePlace.all(in: view) {
      guard let word = place.words.first(where: { names(in: $0, line) }) else { continue }
      findings.append(
        .fault(
          .console, line.shown,
          "\(place.file) makes it the console ('\(word)'): the kernel writes to the receiver, and a login "
            + "prompt answers it", mend: place.mend(word)))
      return
    }
    guard isActive else { return }
    let isMended = view.text(of: "/boot/firmware/cmdline.txt") != nil
    findings.append(
      isMended
        ? .fault(
          .console, line.shown,
          "it is still the kernel's console, although /boot/firmware/cmdline.txt no longer says so",
          mend: "sudo reboot")
        : .fault(
          .console, line.shown,
          "it is the kernel's console: the kernel writes to the receiver, and a login prompt answers it",
          mend:
            "take console=\(line.name) out of the kernel's command line in the boot loader's settings, and "
            + "restart; cat /proc/cmdline shows it"))
  }

  /// Whether a word such as `console=serial0,115200` refers to the line.
  private func names(in word: String, _ line: SerialLine) -> Bool {
    let name = String(word.dropFirst("console=".count).prefix { $0 != "," })
    if line.names.contains(name) { return true }
    return view.resolved("/dev/" + name).map { lastPart(of: $0) == line.name } ?? false
  }

  mutating func examineLoginPrompt(_ line: SerialLine) {
    // The prompt of a console disappears with the console.
    if line.isPseudoTerminal || findings.contains(where: { $0.name == .console }) { return }
    for name in unique(line.names) {
      let unit = "serial-getty@\(name).service"
      if view.resolved("/etc/systemd/system/" + unit) == "/dev/null" { continue }
      let isEnabled = view.names(in: "/etc/systemd/system/getty.target.wants").contains(unit)
      let runs = machine.processes.all.first { process in
        Examination.isLoginPrompt(process.program) && process.words.dropFirst().contains(name)
      }
      guard isEnabled || runs != nil else { continue }
      findings.append(
        .fault(
          .loginPrompt, line.shown,
          runs.map { "a login prompt is on it (\($0.program), process \($0.id))" }
            ?? "a login prompt will be on it from the next start",
          mend: "sudo systemctl \(isEnabled ? "disable" : "mask") --now \(unit) && "
            + "sudo udevadm trigger /dev/\(name)"))
      return
    }
  }

  private func unique(_ names: [String]) -> [String] {
    var found: [String] = []
    for name in names where !found.contains(name) { found.append(name) }
    return found
  }
}

/// A file with the kernel's command line for the next start.
struct ConsolePlace {
  let file: String
  /// The words that begin with `console=`.
  let words: [String]

  static func all(in view: any MachineView) -> [ConsolePlace] {
    [
      "/boot/firmware/cmdline.txt", "/boot/cmdline.txt", "/boot/armbianEnv.txt",
      "/boot/extlinux/extlinux.conf", "/etc/kernel/cmdline", "/etc/default/grub",
    ].compactMap { file in
      let words = view.lines(of: file).filter { !$0.hasPrefix("#") }
        .flatMap { $0.split { $0 == " " || $0 == "\"" || $0 == "\r" } }
        .filter { $0.hasPrefix("console=") }
      return words.isEmpty ? nil : ConsolePlace(file: file, words: words.map { String($0) })
    }
  }

  func mend(_ word: String) -> String {
    let take = "sudo sed -i 's/ *\(word)//' \(file)"
    switch file {
    case "/etc/default/grub": return take + " && sudo update-grub && sudo reboot"
    case "/etc/kernel/cmdline": return take + " && sudo u-boot-update && sudo reboot"
    default: return take + " && sudo reboot"
    }
  }
}
