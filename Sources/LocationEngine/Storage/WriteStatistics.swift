import BinnacleBasics
import BinnacleModel
import StateLog

/// The bytes and flushes of the log of state, by class of commit: since the start, and by hour over the last day.
///
/// A commit counts for the most urgent class in it, which caused the commit. A copy into the other segment counts for
/// the same class as the commit that caused the copy.
struct WriteStatistics: Equatable, Codable, Sendable {
  struct Count: Equatable, Codable, Sendable {
    var commits = 0
    var copies = 0
    var bytes = 0
    var flushes = 0

    mutating func add(_ receipt: CommitReceipt) {
      commits += 1
      copies += receipt.isCompaction ? 1 : 0
      bytes += receipt.bytesWritten
      flushes += receipt.flushCount
    }
  }

  struct Hour: Equatable, Codable, Sendable {
    /// Hours since the engine's zero.
    var number: Int64
    var counts: [Count]
  }

  static let hoursMax = 24
  private static let hour = Interval.seconds(3_600)

  private var total = [Count](repeating: Count(), count: CommitClass.allCases.count)
  /// Hours in which something was written, the newest last.
  private(set) var hours: [Hour] = []

  mutating func add(_ receipt: CommitReceipt, of changes: [Change], at now: Instant) {
    guard receipt.sequence != nil else { return }
    // Kinds that only a newer program knows are never written here.
    let classes = changes.compactMap { RecordTable.kind($0.name.kind)?.commitClass.rawValue }
    let index = Int(classes.min() ?? CommitClass.now.rawValue)
    total[index].add(receipt)
    let number = WriteStatistics.number(of: now)
    if hours.last?.number != number {
      hours.append(Hour(number: number, counts: total.map { _ in Count() }))
      hours.removeAll { $0.number <= number - Int64(WriteStatistics.hoursMax) }
    }
    hours[hours.count - 1].counts[index].add(receipt)
  }

  private static func number(of now: Instant) -> Int64 {
    now.nanoseconds / hour.nanoseconds
  }

  /// Adds the counts to a report.
  ///
  /// Names are `writes.now.bytes` and the like, and `writes.hour_3.now.bytes` for the hour that began three to four
  /// hours ago. Hours without a write are left out.
  func add(to report: inout Report, at now: Instant) {
    for (index, count) in total.enumerated() {
      WriteStatistics.add(count, "writes", WriteStatistics.name(index), to: &report)
    }
    let current = WriteStatistics.number(of: now)
    for hour in hours.reversed() {
      let age = current - hour.number
      guard age < Int64(WriteStatistics.hoursMax) else { continue }
      for (index, count) in hour.counts.enumerated() where count.commits > 0 {
        WriteStatistics.add(count, "writes.hour_\(age)", WriteStatistics.name(index), to: &report)
      }
    }
  }

  private static func add(
    _ count: Count, _ span: String, _ commitClass: String, to report: inout Report
  ) {
    report.add(.writesCommits(span, commitClass), Int64(count.commits))
    report.add(.writesCopies(span, commitClass), Int64(count.copies))
    report.add(.writesBytes(span, commitClass), Int64(count.bytes))
    report.add(.writesFlushes(span, commitClass), Int64(count.flushes))
  }

  private static func name(_ index: Int) -> String {
    CommitClass(rawValue: UInt8(index)).map { "\($0)" } ?? ""
  }
}
