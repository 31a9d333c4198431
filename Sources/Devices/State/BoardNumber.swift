import BinnaclePosix

/// The number of the board that state belongs to: a card that is put into another board does not take it along.
public enum BoardNumber {
  /// From the serial number that the device tree has (Devicetree Specification 0.4, section 3.2, `serial-number`).
  ///
  /// Numbers of the system, such as `/etc/machine-id`, would travel with the card. A board without one has the number
  /// 0, and its state is not told from that of another such board.
  ///
  /// - Parameter deviceTree: where the kernel shows the device tree.
  /// - Returns: FNV-1a of the serial number.
  public static func read(deviceTree: String = "/proc/device-tree") -> UInt64 {
    let bytes = (try? Files.read(deviceTree + "/serial-number", sizeMax: 256)) ?? []
    let text = bytes.prefix { $0 != 0 }
    guard text.contains(where: { $0 != UInt8(ascii: "0") && $0 > 0x20 }) else { return 0 }
    return text.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }
}
