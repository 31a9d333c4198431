import BinnaclePosix
import Glibc

/// The wire from a chip's interrupt output to a line of a simulated GPIO chip (`gpio-sim`), whose pull is a file.
struct InterruptWire {
  let address: UInt8
  private let file: String
  private var isRaised: Bool?

  init(address: UInt8, file: String) {
    self.address = address
    self.file = file
  }

  /// Pulls the line to the level of the output.
  mutating func follow(_ isRaised: Bool) throws {
    if isRaised == self.isRaised { return }
    self.isRaised = isRaised
    do {
      let pull = try FileDescriptor.open(file, O_WRONLY)
      try pull.writeAll(Array((isRaised ? "pull-up" : "pull-down").utf8))
    } catch {
      throw SystemError(error, file)
    }
  }
}
