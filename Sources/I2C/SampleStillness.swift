/// Whether a burst of acceleration samples shows no motion, judged by its bytes alone.
///
/// The bus thread checks bursts, so that quiet bursts do not wake the sender of the order. The burst is cut into four
/// stretches, because means vary less than single samples. The burst shows no motion if on each axis the means lie within
/// the limit, the last samples still differ by noise, and no sample is at the end of its range.
public struct SampleStillness: Equatable, Sendable {
  private let sampleBytes: Int
  private let tagBytes: Int
  private let isBigEndian: Bool
  private let spreadMax: Int
  private let endOfRange: Int

  private static let stretchCount = 4
  /// The last samples, of which one must differ from the one before it: a chip has frozen otherwise.
  private static let tailCount = 4
  /// Means are taken in these parts of a count.
  private static let parts = 16

  /// - Parameters:
  ///   - tagBytes: bytes in front of the three axes of a sample, which take two each.
  ///   - isBigEndian: whether the high byte comes first.
  ///   - spreadMax: how far means may lie apart, in sixteenths of a count of the 16 bits as they are read.
  ///   - endOfRange: a count that the chip does not get beyond, in either direction.
  public init(tagBytes: Int, isBigEndian: Bool, spreadMax: Int, endOfRange: Int) {
    sampleBytes = tagBytes + 6
    self.tagBytes = tagBytes
    self.isBigEndian = isBigEndian
    self.spreadMax = spreadMax
    self.endOfRange = endOfRange
  }

  /// Fewer samples than stretches show no motion.
  public func isSeen(in bytes: [UInt8]) -> Bool {
    let count = bytes.count / sampleBytes
    guard count >= SampleStillness.stretchCount else { return false }
    for axis in 0..<3 {
      var least = Int.max
      var most = Int.min
      for stretch in 0..<SampleStillness.stretchCount {
        let first = count * stretch / SampleStillness.stretchCount
        let end = count * (stretch + 1) / SampleStillness.stretchCount
        var sum = 0
        for index in first..<end {
          let value = value(bytes, of: index, axis)
          if abs(value) >= endOfRange { return false }
          sum += value
        }
        let mean = sum * SampleStillness.parts / (end - first)
        least = min(least, mean)
        most = max(most, mean)
      }
      if most - least > spreadMax { return false }
    }
    return isAlive(bytes, count: count)
  }

  private func isAlive(_ bytes: [UInt8], count: Int) -> Bool {
    (max(1, count - SampleStillness.tailCount)..<count).contains { index in
      (0..<3).contains { value(bytes, of: index, $0) != value(bytes, of: index - 1, $0) }
    }
  }

  private func value(_ bytes: [UInt8], of sample: Int, _ axis: Int) -> Int {
    let place = sample * sampleBytes + tagBytes + axis * 2
    let (first, second) = (UInt16(bytes[place]), UInt16(bytes[place + 1]))
    return Int(Int16(bitPattern: isBigEndian ? first << 8 | second : second << 8 | first))
  }
}
