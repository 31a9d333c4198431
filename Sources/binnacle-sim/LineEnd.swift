import BinnacleBasics
import BinnaclePosix

/// The simulator's end of a line whose other end belongs to the programs under test.
protocol LineEnd: AnyObject {
  /// What to poll for reading while the far end is open.
  var descriptor: Int32 { get }
  /// Whether somebody has the far end open.
  var isFarEndOpen: Bool { get }
  /// The speed in baud that the far end's owner has set; nil where speeds mean nothing.
  var farSpeed: Int? { get }
  /// Whether a hang-up means that the line itself is gone, and not just its owner.
  var isHangUpFinal: Bool { get }
  /// How often it is worth asking whether somebody has opened the far end.
  var lookEvery: Interval { get }

  /// Reads what the far end wrote; nil when there is nothing, 0 when nobody is there.
  func read(into buffer: inout [UInt8]) throws(Errno) -> Int?
  /// Writes as much as the line takes; nil when it takes none now.
  func write(_ bytes: ArraySlice<UInt8>) throws(Errno) -> Int?
}

extension PseudoTerminal: LineEnd {
  var farSpeed: Int? { (try? speed).map(Int.init) }
  var isHangUpFinal: Bool { false }
  var lookEvery: Interval { .milliseconds(20) }
}
