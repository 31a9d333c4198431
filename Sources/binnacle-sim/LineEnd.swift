import BinnacleBasics
import BinnaclePosix

/// The simulator's end of a line whose far end belongs to the programs under test.
protocol LineEnd: AnyObject {
  /// The descriptor to poll for reading while the far end is open.
  var descriptor: Int32 { get }
  /// Whether a process has the far end open.
  var isFarEndOpen: Bool { get }
  /// The speed in baud that the far end's owner has set; nil where the line has no speed.
  var farSpeed: Int? { get }
  /// Whether a hang-up means that the line itself is gone, and not only its owner.
  var isHangUpFinal: Bool { get }
  /// The interval at which the simulator checks whether a process has opened the far end.
  var pollPeriod: Interval { get }

  /// Reads bytes from the far end; nil when none wait, 0 when no process has the far end open.
  func read(into buffer: inout [UInt8]) throws(Errno) -> Int?
  /// Writes as many bytes as the line accepts; nil when the line accepts none now.
  func write(_ bytes: ArraySlice<UInt8>) throws(Errno) -> Int?
}

extension PseudoTerminal: LineEnd {
  var farSpeed: Int? { (try? speed).map(Int.init) }
  var isHangUpFinal: Bool { false }
  var pollPeriod: Interval { .milliseconds(20) }
}
