import BinnacleBasics

/// Counts over the life of the board, over all starts of the daemon.
///
/// The record's value: version `u8`, flags `u8` (bit 0: the daemon was stopped cleanly), count of numbers `u8`, and the
/// numbers in the order of ``Name``, each `u64`. A newer program may write more numbers; additional numbers are kept
/// unchanged.
struct LifeCounters: Equatable, Codable, Sendable {
  /// The numbers in the order of the record; later programs add numbers at the end.
  enum Name: Int, CaseIterable, Codable, Sendable {
    /// Starts of the daemon.
    case starts
    /// Starts after a run without a clean stop: the power was cut, or the daemon was killed.
    case startsWithoutCleanStop
    /// Seconds in which an app got positions.
    case trackingSeconds
    /// Seconds in which the receiver was heard.
    case receiverSeconds
    /// Accepted positions.
    case fixes
    /// Searches of the receiver's speed.
    case searches
    /// Losses of the receiver's device.
    case receiverLosses
    /// Bytes that were given to the disk, all logs together.
    case writtenBytes
    /// Flushes of the disk.
    case flushes
  }

  /// Whether the last run ended in a clean stop; false from the first write of a run on.
  var isCleanlyStopped = false
  private var numbers = [UInt64](repeating: 0, count: Name.allCases.count)

  private static let version: UInt8 = 1

  init() {}

  subscript(name: Name) -> UInt64 { numbers[name.rawValue] }

  /// Adds to a number; the number stays at its limit.
  mutating func add(_ amount: UInt64, to name: Name) {
    let (sum, isOver) = numbers[name.rawValue].addingReportingOverflow(amount)
    numbers[name.rawValue] = isOver ? .max : sum
  }

  // MARK: The record

  /// Reads a value; nil if it is damaged.
  init?(bytes: [UInt8]) {
    var reader = ByteReader(bytes)
    guard reader.u8() == LifeCounters.version, let flags = reader.u8(), let count = reader.u8(),
      reader.remaining == Int(count) * 8
    else { return nil }
    isCleanlyStopped = flags & 1 != 0
    var numbers: [UInt64] = []
    while let number = reader.u64() { numbers.append(number) }
    while numbers.count < Name.allCases.count { numbers.append(0) }
    self.numbers = numbers
  }

  /// The value of the record.
  var bytes: [UInt8] {
    var writer = ByteWriter()
    writer.put([LifeCounters.version, isCleanlyStopped ? 1 : 0, UInt8(numbers.count)])
    for number in numbers { writer.u64(number) }
    return writer.bytes
  }
}
