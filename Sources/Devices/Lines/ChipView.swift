import BinnaclePosix
import CGPIO

/// The GPIO chips of the machine, inspected without claiming a line.
public enum ChipView {
  /// One chip.
  public struct Chip: Equatable, Sendable {
    /// The chip's device, such as /dev/gpiochip0.
    public let device: String
    public let label: String
    public let lines: [Line]
  }

  /// One line of a chip.
  public struct Line: Equatable, Sendable {
    /// Empty if neither the device tree nor the driver names the line.
    public let name: String
    /// The name given by the line's holder, which may be empty; nil: the line is free.
    public let holder: String?
  }

  /// The chips that this user may inspect, in the order of their devices, without links to chips.
  public static var chips: [Chip] {
    let names = (try? Files.list("/dev")) ?? []
    return names.filter { $0.hasPrefix("gpiochip") }.compactMap { name in
      let device = "/dev/" + name
      let kind = (try? Files.status(of: device, followingLinks: false))?.kind
      return kind == .characterDevice ? chip(device) : nil
    }
  }

  private static func chip(_ device: String) -> Chip? {
    var label = [CChar](repeating: 0, count: 64)
    var count: UInt32 = 0
    guard let view = cgpio_view_open(device, &label, label.count, &count) else { return nil }
    defer { cgpio_view_close(view) }
    var lines: [Line] = []
    for offset in 0..<count {
      var line = cgpio_line_view()
      guard cgpio_view_line(view, offset, &line) == 0 else { continue }
      let name = withUnsafeBytes(of: line.name) { text($0) }
      let holder = withUnsafeBytes(of: line.holder) { text($0) }
      lines.append(Line(name: name, holder: line.is_used == 1 ? holder : nil))
    }
    return Chip(device: device, label: label.withUnsafeBytes { text($0) }, lines: lines)
  }

  private static func text(_ bytes: UnsafeRawBufferPointer) -> String {
    String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
  }
}
