import Board

/// Checks the receiver's serial device: it exists, has the right kind, may be opened, and no other program holds it.
extension Examination {
  mutating func examineReceiver() {
    guard let line = serialLine else { return }
    if isDebugConnector(line) { return }
    examineConsole(line)
    examineLoginPrompt(line)
    guard let path = line.path, let node = line.node else {
      complainOfMissing(line)
      return
    }
    guard case .characterDevice = node.kind else {
      findings.append(
        .fault(
          .deviceUnfit, line.shown, "it is no serial device",
          mend:
            "name one of \(SerialLine.candidates(in: view).joined(separator: ", ")) with Device="))
      return
    }
    examineWiring(line)
    let isOpen = servant.mayUse(node)
    // A login prompt changes the group of the device; the group is restored without the prompt.
    let hasPrompt = findings.contains { $0.name == .loginPrompt || $0.name == .console }
    if !isOpen, !hasPrompt { complainOfPermission(line, node) }
    let isFree = examineHolders(line, path)
    examineModemSearch(line)
    examineOtherServers(line)
    guard isOpen, isFree, case .absence = inquiry.daemon else { return }
    if machine.person.mayUse(node) {
      question = .receiver(path: line.asked, speed: profile?.receiver.speed)
    } else {
      findings.append(
        .note(
          .receiverNotAsked, line.shown,
          "user \(machine.person.name) may not open it, so its identity was not polled",
          mend: "sudo binnacle doctor"))
    }
  }

  /// The device from the command line or the profile; nil: none, or the receiver is on the bus.
  private var serialLine: SerialLine? {
    mutating get {
      if let asked = option("--receiver", asked: inquiry.receiver) {
        return SerialLine(asked, in: view)
      }
      switch profile?.receiver.device {
      case .serial(let path): return SerialLine(path, in: view)
      case .i2c: return nil
      case nil:
        if !hasFaults { complainOfNoReceiver() }
        return nil
      }
    }
  }

  private mutating func complainOfNoReceiver() {
    let candidates = SerialLine.candidates(in: view)
    findings.append(
      .fault(
        .receiverNotNamed, "receiver", "no receiver is named",
        mend: isVirtual
          ? "binnacle-sim receiver --tty DEVICE makes one; then use --receiver DEVICE"
          : candidates.isEmpty
            ? "plug it in or wire it, then use --receiver DEVICE"
            : "use --receiver with one of \(candidates.joined(separator: ", "))"))
  }

  // MARK: A missing device

  private mutating func complainOfMissing(_ line: SerialLine) {
    if let model = machine.model, RaspberryPi.headerDevices.contains(line.asked) {
      let wanted = model.headerUART
      findings.append(
        .fault(
          .deviceMissing, line.asked,
          "it is not there, because the header's UART is off: \(machine.bootReason(wanted))",
          mend: machine.bootMend(wanted) ?? "sudo reboot"))
      return
    }
    let others = SerialLine.candidates(in: view)
    let hint =
      others.isEmpty
      ? "this machine has no serial device" : "there are \(others.joined(separator: ", "))"
    findings.append(
      .fault(
        .deviceMissing, line.asked, "it is not there; \(hint)",
        mend: Examination.advice(missing: line, model: machine.model)))
  }

  private static func advice(missing line: SerialLine, model: RaspberryPi?) -> String {
    if line.isUSB || line.asked.contains("/serial/by-") {
      return "plug it in; 'lsusb' and 'sudo dmesg | tail' show whether the board sees it"
    }
    if model != nil, line.name.hasPrefix("ttyAMA") {
      return
        "UARTs other than the header's need an overlay: 'dtoverlay -h uart3' describes one"
    }
    return otherDevice
  }

  // MARK: An unsuitable device

  /// Checks facts that the device names of a Raspberry Pi hide.
  private mutating func examineWiring(_ line: SerialLine) {
    guard let model = machine.model, model.serial == .sharedWithBluetooth else { return }
    let wanted = model.headerUART
    if line.name == "ttyS0" {
      let lines = machine.bootMend(wanted)
      findings.append(
        .note(
          .miniUART, line.shown,
          "it is the mini UART: its speed changes with the processor's clock, and it does not report framing errors"
            + (lines == nil ? "; \(machine.bootReason(wanted))" : ""),
          mend: lines ?? "sudo reboot"))
    } else if line.name == "ttyAMA0", view.resolved("/dev/serial1") == line.path {
      findings.append(
        .fault(
          .bluetoothLine, line.shown,
          "it is Bluetooth's line, not the header's: \(machine.bootReason(wanted))",
          mend: machine.bootMend(wanted) ?? "sudo reboot"))
    }
  }

  /// Reports a receiver at the debug connector of a Raspberry Pi 5; returns whether there is one.
  ///
  /// /dev/serial0 of this model is the connector between the HDMI sockets, where a console is correct.
  private mutating func isDebugConnector(_ line: SerialLine) -> Bool {
    guard let model = machine.model, model.serial == .debugConnector, line.name == "ttyAMA10" else {
      return false
    }
    let wanted = model.headerUART
    let isOn = view.exists("/dev/ttyAMA0")
    findings.append(
      .fault(
        .debugConnector, line.shown,
        "it is the three-pin debug connector; pins 8 and 10 of the header are /dev/ttyAMA0"
          + (isOn ? "" : ", which is off: " + machine.bootReason(wanted)),
        mend: "Device=/dev/ttyAMA0 in the profile"
          + (isOn ? "" : ", and " + (machine.bootMend(wanted) ?? "sudo reboot"))))
    return true
  }

  private mutating func complainOfPermission(_ line: SerialLine, _ node: Node) {
    let group = machine.users.name(ofGroup: node.groupID)
    let isForGroup = (node.mode >> 3) & 0o6 == 0o6
    if let group, node.groupID != 0, group != "tty", isForGroup {
      findings.append(
        .fault(
          .deviceRefused, line.shown,
          "it belongs to group \(group), and user \(servant.name) is not in it",
          mend: servant.commandToJoin(group, id: node.groupID)))
      return
    }
    let isLeftover = group == "tty"
    findings.append(
      .fault(
        .deviceRefused, line.shown,
        "user \(servant.name) may not open it; its group is \(group ?? "\(node.groupID)"), its mode "
          + String(node.mode, radix: 8)
          + (isLeftover ? ", which is what a login prompt leaves behind" : ""),
        mend: isLeftover
          ? "sudo udevadm trigger \(line.path ?? line.asked)"
          : "sudo chgrp dialout \(line.asked) && sudo chmod 660 \(line.asked); a restart undoes it, a rule of "
            + "udev keeps it"))
  }

  // MARK: A device in use

  /// Reports other holders; returns whether the device is free.
  private mutating func examineHolders(_ line: SerialLine, _ path: String) -> Bool {
    let holders = view.holders(of: path).filter { $0.processID != daemon?.id }
    for holder in holders where !Examination.isLoginPrompt(holder.program) {
      findings.append(
        .fault(
          .deviceHeld, line.shown, "\(holder.program) (process \(holder.processID)) has it open",
          mend: commandToFree(from: holder, line)))
    }
    return holders.isEmpty && daemon == nil
  }

  static func isLoginPrompt(_ program: String) -> Bool {
    ["agetty", "getty", "login"].contains(program)
  }

  private func commandToFree(from holder: Holder, _ line: SerialLine) -> String {
    switch holder.program {
    case "gpsd": return Examination.commandToEndGpsd
    case "ModemManager": return commandToHide(line)
    case "hciattach", "btattach":
      return "sudo systemctl disable --now hciuart"
    case "binnacled":
      return "sudo systemctl stop \(ServiceUnit.name), or end process \(holder.processID)"
    // Ending its first process would stop the machine or the container.
    case _ where holder.processID == 1: return "name another device: process 1 must not be ended"
    default: return "sudo kill \(holder.processID)"
    }
  }
}
