import BinnacleBasics
import BinnacleModel
import BinnaclePosix
import TestSupport
import Testing

@testable import Daemon

/// The kernel's counts, by the hour.
struct KernelWritesTests {
  private static let start = Instant(nanoseconds: 1_000_000_000)

  private static func later(_ minutes: Int64) -> Instant { start + .seconds(minutes * 60) }

  private static func report(_ writes: KernelWrites, after minutes: Int64) -> Report {
    var report = Report()
    writes.add(to: &report, at: later(minutes))
    return report
  }

  private static func hours(_ report: Report) -> Int {
    (0..<48).count { report["kernel.hour_\($0).process.bytes"] != nil }
  }

  @Test func eachHourThatHasBegunHasANumber() {
    var writes = KernelWrites(place: "/", at: Self.start)
    #expect(Self.report(writes, after: 5)["kernel.seconds"] == .integer(300))
    #expect(Self.hours(Self.report(writes, after: 5)) == 1)
    for minutes in 1...15 { writes.read(at: Self.later(Int64(minutes) * 10)) }
    let report = Self.report(writes, after: 155)
    #expect(report["kernel.seconds"] == .integer(155 * 60))
    #expect(Self.hours(report) == 3)
    #expect(report["kernel.process.flushes"] == nil)
  }

  @Test func onlyTheLastDayIsKept() {
    var writes = KernelWrites(place: "/", at: Self.start)
    for minutes in 1...500 { writes.read(at: Self.later(Int64(minutes) * 10)) }
    #expect(Self.hours(Self.report(writes, after: 5_000)) == 24)
  }

  @Test func theHoursAddUpToAllWrites() throws {
    var writes = KernelWrites(place: "/", at: Self.start)
    let folder = try TemporaryDirectory()
    for minutes in 1...12 {
      try Files.writeAtomically(
        [UInt8](repeating: UInt8(minutes), count: 9_000), to: folder("file"), mode: 0o600)
      writes.read(at: Self.later(Int64(minutes) * 10))
    }
    let report = Self.report(writes, after: 120)
    guard case .integer(let all)? = report["kernel.process.bytes"],
      case .integer(let first)? = report["kernel.hour_1.process.bytes"],
      case .integer(let second)? = report["kernel.hour_0.process.bytes"]
    else {
      Issue.record("they are told")
      return
    }
    #expect(first + second == all)
  }
}
