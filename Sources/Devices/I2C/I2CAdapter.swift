import BinnaclePosix

/// The driver of a kernel bus.
public enum I2CAdapter {
  /// The driver's name for its bus, such as `bcm2835 (i2c@7e804000)`; nil for a bus outside the kernel.
  ///
  /// - Parameters:
  ///   - path: `/dev/i2c-N`, or a link to it.
  ///   - system: the kernel's directory of its buses.
  /// - Returns: the adapter's name; nil if there is no such bus.
  public static func name(
    ofBus path: String, system: String = "/sys/bus/i2c/devices"
  ) -> String? {
    guard let resolved = try? Files.resolve(path),
      let device = resolved.split(separator: "/").last, device.hasPrefix("i2c-"),
      let bytes = try? Files.read("\(system)/\(device)/name", sizeMax: 256)
    else { return nil }
    let line = bytes.prefix { $0 != UInt8(ascii: "\n") }
    return line.isEmpty ? nil : String(decoding: line, as: UTF8.self)
  }
}
