import BinnacleBasics
import BinnaclePosix
import Glibc

/// The wire from a line of a simulated GPIO chip (`gpio-sim`) to the receiver's pin EXTINT: the line's level is a file.
struct PinWire {
  private let file: String
  private var level: [UInt8]?

  /// The interval at which the level is read; a pulse of the daemon is longer.
  static let pollPeriod = Interval.milliseconds(20)

  init(_ file: String) { self.file = file }

  /// Reads the level and returns whether there was an edge; an unplugged chip gives no edge.
  mutating func sawEdge() -> Bool {
    let now = try? Files.read(file)
    defer { level = now }
    guard let now, let level else { return false }
    return now != level
  }
}
