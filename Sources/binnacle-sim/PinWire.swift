import BinnacleBasics
import BinnaclePosix
import Glibc

/// The wire from a line of a simulated GPIO chip (`gpio-sim`) to the receiver's pin EXTINT: the line's level is a file.
struct PinWire {
  private let file: String
  private var level: [UInt8]?

  /// How often it is looked at; a pulse of the daemon is longer.
  static let lookEvery = Interval.milliseconds(20)

  init(_ file: String) { self.file = file }

  /// Looks whether there was an edge; a chip that was unplugged has none.
  mutating func sawEdge() -> Bool {
    let now = try? Files.read(file)
    defer { level = now }
    guard let now, let level else { return false }
    return now != level
  }
}
