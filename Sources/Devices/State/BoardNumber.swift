import BinnaclePosix

/// The number of the board that state belongs to: a memory card does not carry state to another board.
public enum BoardNumber {
  /// Reads the number from the serial number in the device tree.
  ///
  /// Devicetree Specification 0.4, section 3.2, `serial-number`.
  ///
  /// Numbers of the system, such as `/etc/machine-id`, would move with the card. A board without a serial number has
  /// the number 0, and its state cannot be distinguished from the state of another such board.
  ///
  /// - Parameter deviceTree: the kernel's directory of the device tree.
  /// - Returns: FNV-1a of the serial number.
  public static func read(deviceTree: String = "/proc/device-tree") -> UInt64 {
    let bytes = (try? Files.read(deviceTree + "/serial-number", sizeMax: 256)) ?? []
    let text = bytes.prefix { $0 != 0 }
    guard text.contains(where: { $0 != UInt8(ascii: "0") && $0 > 0x20 }) else { return 0 }
    return text.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }
}
