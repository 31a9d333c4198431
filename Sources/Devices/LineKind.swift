import BinnaclePosix

/// The kind of a receiver's serial line.
public enum LineKind: Equatable, Sendable {
  /// A UART, on the board or behind a USB bridge: the speed must match and limits the byte rate.
  case uart
  /// A USB device with its own USB interface: any speed works, and bytes arrive in packets.
  case usb
  /// A pseudo-terminal: a program is at the far end.
  case pseudoTerminal

  /// The kind by a device's number and driver.
  ///
  /// The numbers are those of the kernel's `Documentation/admin-guide/devices.txt`: 136 to 143 are Unix98
  /// pseudo-terminals, 166 is ttyACM.
  init(major: UInt32, driver: String?) {
    switch major {
    case 136...143: self = .pseudoTerminal
    case 166: self = .usb
    default: self = driver == "cdc_acm" ? .usb : .uart
    }
  }

  /// The kind of an open device.
  init(of terminal: Terminal) throws(Errno) {
    let (major, minor) = try terminal.deviceNumber()
    let link = try? Files.linkTarget("/sys/dev/char/\(major):\(minor)/device/driver")
    self.init(major: major, driver: link?.split(separator: "/").last.map { String($0) })
  }
}
