import BinnacleBasics

/// How often things happened over the life of the board, over all starts of the daemon.
///
/// The record's value: version `u8`, flags `u8` (bit 0: the daemon was stopped cleanly), how many numbers follow `u8`, then
/// those in the order of ``Name``, each `u64`. A newer program may have more of them; they are kept as they are.
struct LifeCounters: Equatable, Codable, Sendable {
  /// In the order of the record; later programs add numbers at the end.
  enum Name: Int, CaseIterable, Codable, Sendable {
    /// Starts of the daemon.
    case starts
    /// Starts before which the daemon had not been stopped: the power was cut, or it was killed.
    case startsWithoutCleanStop
    /// Seconds in which a program got positions.
    case trackingSeconds
    /// Seconds in which the receiver was heard.
    case receiverSeconds
    /// Positions that were good.
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

  /// Adds to a number; it ends at its limit.
  mutating func add(_ amount: UInt64, to name: Name) {
    let (sum, isOver) = numbers[name.rawValue].addingReportingOverflow(amount)
    numbers[name.rawValue] = isOver ? .max : sum
  }

  // MARK: Keeping

  /// Reads a value; nil when it is damaged.
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

  /// The bytes that are kept.
  var bytes: [UInt8] {
    var writer = ByteWriter()
    writer.put([LifeCounters.version, isCleanlyStopped ? 1 : 0, UInt8(numbers.count)])
    for number in numbers { writer.u64(number) }
    return writer.bytes
  }
}
