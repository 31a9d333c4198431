import BinnacleModel
import Board

/// Checks the I2C bus of the accelerometer, and of a receiver on I2C.
extension Examination {
  mutating func examineBus() {
    guard let profile, isBusWanted(profile), let bus = profile.board.bus else { return }
    switch bus {
    case .device(let path): examineBus(path, profile)
    case .simulated(let path): _ = examineVirtualBoard(path, .busMissing)
    }
  }

  private mutating func examineBus(_ path: String, _ profile: Profile) {
    guard let node = view.node(at: path) else {
      complainOfMissingBus(path)
      return
    }
    if !servant.mayUse(node) { complainOfPermission(ofBus: path, node) }
    examineKernelDrivers(path, profile)
    examineWaking(profile)
  }

  /// According to the documents a pin can wake the receiver, but I2C cannot (Docs/SOURCES.md, U2).
  private mutating func examineWaking(_ profile: Profile) {
    let receiver = profile.receiver
    guard isReceiverOnBus, receiver.extInt == nil, profile.power.sleeps else { return }
    findings.append(
      .note(
        .receiverSleepless, "receiver",
        "on I2C nothing can wake it, so it stays on while the board rests and no client wants positions",
        mend:
          "wire a free GPIO line to its pin EXTINT and name it with ExtInt= in [Receiver] of a drop-in of the "
          + "profile; Sleep=never there if it is to stay on"))
  }

  private func isBusWanted(_ profile: Profile) -> Bool {
    profile.accelerometer != nil || isReceiverOnBus
  }

  /// Whether the daemon's receiver is on the I2C bus: by the profile, and no option names another device.
  var isReceiverOnBus: Bool {
    option("--receiver", asked: inquiry.receiver) == nil && profile?.receiver.device == .i2c
  }

  private mutating func complainOfMissingBus(_ path: String) {
    let number = path.split(separator: "-").last.flatMap { Int($0) }
    let isThere = number.map { view.exists("/sys/bus/i2c/devices/i2c-\($0)") } ?? false
    if isThere {
      findings.append(
        .fault(
          .busDriverMissing, path, "the bus is there, but the module i2c-dev is not loaded",
          mend: "sudo modprobe i2c-dev && echo i2c-dev | sudo tee /etc/modules-load.d/i2c-dev.conf")
      )
      return
    }
    let buses = view.names(in: "/dev").filter { $0.hasPrefix("i2c-") }.map { "/dev/" + $0 }
    let there = buses.isEmpty ? "" : "; there are \(buses.joined(separator: ", "))"
    if let model = machine.model, path == "/dev/i2c-1" {
      findings.append(
        .fault(
          .busMissing, path,
          "the header's I2C is off: \(machine.bootReason(model.headerBus))\(there)",
          mend: machine.bootMend(model.headerBus) ?? "sudo reboot"))
      return
    }
    findings.append(
      .fault(
        .busMissing, path, "there is no such bus\(there)",
        mend: buses.isEmpty
          ? "turn it on as the head of the board's profile says"
          : "I2C= in a copy of the profile names the right one"))
  }

  private mutating func complainOfPermission(ofBus path: String, _ node: Node) {
    let group = machine.users.name(ofGroup: node.groupID)
    if let group, node.groupID != 0, (node.mode >> 3) & 0o6 == 0o6 {
      findings.append(
        .fault(
          .deviceRefused, path,
          "it belongs to group \(group), and user \(servant.name) is not in it",
          mend: servant.commandToJoin(group, id: node.groupID)))
    } else {
      findings.append(
        .fault(
          .deviceRefused, path, "only root may open it",
          mend: "sudo apt install i2c-tools, whose rule gives it to group i2c, then "
            + "sudo usermod -aG i2c \(servant.name), and restart"))
    }
  }

  /// A chip with a kernel driver is read through the driver.
  private mutating func examineKernelDrivers(_ path: String, _ profile: Profile) {
    guard let number = path.split(separator: "-").last.flatMap({ Int($0) }) else { return }
    let folder = "/sys/bus/i2c/devices"
    for name in view.names(in: folder) where name.hasPrefix("\(number)-") {
      guard let address = UInt8(name.suffix(2), radix: 16),
        let driver = view.resolved("\(folder)/\(name)/driver").map({ lastPart(of: $0) })
      else { continue }
      if profile.receiver.device == .i2c, address == profile.receiver.address {
        findings.append(
          .fault(
            .kernelDriver, "\(path) address 0x\(hexadecimal(address))",
            "the kernel's driver \(driver) has the receiver's address",
            mend: "sudo rmmod \(driver), or take its dtoverlay out of \(machine.bootPath)"))
      } else if let wanted = profile.accelerometer?.address, wanted == address {
        findings.append(
          .note(
            .kernelDriver, "\(path) address 0x\(hexadecimal(address))",
            "the kernel's driver \(driver) has the accelerometer; it is read by way of /sys/bus/iio"
          ))
      }
    }
  }

  func hexadecimal(_ address: UInt8) -> String {
    (address < 16 ? "0" : "") + String(address, radix: 16)
  }
}
